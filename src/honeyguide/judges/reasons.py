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
    # Ties at the edge go to the first, so that the same page always gets the same reasons.
    order = (-np.abs(amounts)).argsort(kind="stable")
    ordered = amounts.take(order)
    named = [
        Reason(name_of(at), amount)
        for at, amount in zip(order[:MOST].tolist(), ordered[:MOST].tolist(), strict=True)
        if amount
    ]
    remainder = float(np.add.reduce(ordered[MOST:])) if len(ordered) > MOST else 0.0
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
