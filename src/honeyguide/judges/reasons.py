"""Reasons that add up to a score."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Reason

MOST = 8
"""Reasons that a verdict names; the others are summed up as one."""

OTHERS = "other terms"


def sigmoid(value: float) -> float:
    """1 / (1 + e^-value), for any value."""
    return 1 / (1 + math.exp(-value)) if value >= 0 else math.exp(value) / (1 + math.exp(value))


def weightiest(
    amounts: NDArray[np.float64], name_of: Callable[[int], str], *, others: str = OTHERS
) -> tuple[Reason, ...]:
    """The largest amounts by name, the rest as one; they add up to the sum of all. Zeros are no reasons."""
    if len(amounts) > MOST:
        # Ties at the edge go to the first, so that the same page always gets the same reasons.
        order = np.argsort(-np.abs(amounts), kind="stable")
        chosen, rest = order[:MOST], order[MOST:]
    else:
        chosen, rest = np.argsort(-np.abs(amounts), kind="stable"), np.zeros(0, np.intp)
    named = [
        Reason(name_of(at), amount)
        for at, amount in zip(chosen.tolist(), amounts[chosen].tolist(), strict=True)
        if amount
    ]
    remainder = float(amounts[rest].sum())
    return (*named, Reason(others, remainder)) if remainder else tuple(named)


def through_sigmoid(
    start: float, reasons: Sequence[Reason], *, before: str
) -> tuple[float, tuple[Reason, ...]]:
    """sigmoid(start + sum of amounts), and reasons that add up to it.

    What a page without any of it would get is a reason of its own, called `before`; the difference to it is
    shared out in proportion, which keeps every sign because the sigmoid only ever rises.
    """
    total = math.fsum(reason.amount for reason in reasons)
    base, score = sigmoid(start), sigmoid(start + total)
    slope = (score - base) / total if abs(total) > 1e-12 else base * (1 - base)
    return score, (*(Reason(what, amount * slope) for what, amount in reasons), Reason(before, base))
