"""Scales and ticks: from figures to places on a drawing."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

TINY = 1e-9
"""Values below this are drawn as 0."""


class Axis(NamedTuple):
    """A straight scale: the values low..high lie between the places start..end."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value lies; what is outside the scale lies at its end."""
        span = (self.high - self.low) or 1.0
        share = min(1.0, max(0.0, (value - self.low) / span))
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Round values inside the scale."""
        return ticks(self.low, self.high, most)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """At most so many round values from low to high, in steps of 1, 2 or 5 times a power of ten."""
    if not high > low:
        return [low]
    step = _step((high - low) / max(1, most - 1))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(index * step, 12) for index in range(first, last + 1)]


def ceiling(values: Sequence[float], most: int = 6) -> float:
    """A round value at or above all of the values, to end an axis that starts at 0 with."""
    top = max((value for value in values if math.isfinite(value)), default=0.0)
    if top < TINY:
        return 1.0
    step = _step(top / max(1, most - 1))
    return round(math.ceil(top / step - 1e-9) * step, 12)


def written(value: float, ticks: Sequence[float]) -> str:
    """A tick's value with as many decimals as its neighbours need."""
    gaps = [abs(b - a) for a, b in pairwise(ticks)] or [abs(value) or 1.0]
    decimals = max(0, -math.floor(math.log10(min(gaps)) + 1e-9))
    return f"{value:,.{decimals}f}"


def percent(value: float, ticks: Sequence[float]) -> str:
    """A tick's share as a percentage."""
    return f"{written(value * 100, [tick * 100 for tick in ticks])} %"


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places for labels near the wanted ones, in the same order, no two closer than the gap."""
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    inside = [min(max(place, low), high) for place in wanted]
    groups: list[tuple[float, list[int]]] = []  # a group's first place, and its members in order
    for index in sorted(range(len(inside)), key=lambda index: (wanted[index], index)):
        groups.append((inside[index], [index]))
        while len(groups) > 1 and groups[-2][0] + len(groups[-2][1]) * gap > groups[-1][0]:
            members = groups[-2][1] + groups[-1][1]
            middle = sum(inside[index] - rank * gap for rank, index in enumerate(members)) / len(members)
            groups[-2:] = [(min(max(middle, low), high - (len(members) - 1) * gap), members)]
    places = [0.0] * len(inside)
    for first, members in groups:
        for rank, index in enumerate(members):
            places[index] = first + rank * gap
    return places


def _step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(size * power for size in (1, 2, 5, 10) if size * power >= least * (1 - 1e-9))
