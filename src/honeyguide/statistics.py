"""How sure a figure is: intervals, paired comparisons, agreement between people, and what two crawls both missed.

Whatever is drawn at random is drawn from a seed, so a figure comes out the same wherever it is computed.
Where a figure is not defined (a mean of nothing, a kappa of one single label) it is nan.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

TIE = 1e-12
"""Differences no larger than this are rounding."""

DRAWN_AT_ONCE = 1 << 20


class Interval(NamedTuple):
    """Between what and what a figure lies, at some level of confidence."""

    low: float
    high: float


class Paired(NamedTuple):
    """One contender against another on the same tasks; p is that of the two-sided exact sign test."""

    difference: float
    low: float
    high: float
    wins: int
    losses: int
    ties: int
    p: float


class Estimate(NamedTuple):
    """How many there are, and between what and what."""

    total: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Share:
    """A share of something, and between what and what it lies."""

    value: float
    low: float
    high: float


def bootstrap_interval(
    values: ArrayLike, *, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> Interval:
    """The percentile bootstrap interval of the mean; the order of the values does not matter."""
    known = np.sort(np.asarray(values, float).ravel())
    if not len(known):
        return Interval(math.nan, math.nan)
    random = np.random.default_rng(seed)
    tail = (1 - level) / 2
    low, high = np.quantile(_resampled_means(known, resamples, random), (tail, 1 - tail))
    return Interval(float(low), float(high))


def paired(
    a: Sequence[float],
    b: Sequence[float],
    *,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Paired:
    """Compare a with b task by task: the mean of a - b with its bootstrap interval, and who wins how often."""
    if len(a) != len(b):
        raise ValueError(f"a pair has two sides, but there are {len(a)} and {len(b)} values")
    differences = np.asarray(a, float) - np.asarray(b, float)
    interval = bootstrap_interval(differences, level=level, resamples=resamples, seed=seed)
    wins, losses = int((differences > TIE).sum()), int((differences < -TIE).sum())
    return Paired(
        difference=math.fsum(differences) / len(differences) if len(differences) else math.nan,
        low=interval.low,
        high=interval.high,
        wins=wins,
        losses=losses,
        ties=len(differences) - wins - losses,
        p=sign_test(wins, losses),
    )


def sign_test(wins: int, losses: int) -> float:
    """The exact two-sided chance of a split at least this uneven if both sides were equally good."""
    n = wins + losses
    tail = sum(math.comb(n, k) for k in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail / (1 << n))


def wilson(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's interval of a share, which holds for few trials and for shares near 0 and 1."""
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} trials")
    if n == 0:
        return Interval(0.0, 1.0)
    z = _z(level)
    middle = (successes + z * z / 2) / (n + z * z)
    reach = z * math.sqrt(successes * (n - successes) / n + z * z / 4) / (n + z * z)
    return Interval(
        0.0 if successes == 0 else middle - reach,
        1.0 if successes == n else middle + reach,
    )


def share(part: int, whole: int, *, level: float = 0.95) -> Share | None:
    """A share with Wilson's interval; None of nothing."""
    return Share(part / whole, *wilson(part, whole, level=level)) if whole else None


def sample_size(margin: float = 0.05, level: float = 0.95, sigma: float = 0.5) -> int:
    """How many pages to look at: (z sigma / d)^2, which is 385 for a margin of .05 at 95 % (GD 10.1)."""
    if margin <= 0:
        raise ValueError(f"a margin is more than 0, not {margin}")
    return math.ceil((_z(level) * sigma / margin) ** 2)


def agreement(a: Sequence[Any], b: Sequence[Any]) -> float:
    """The share of things that two annotators gave the same label."""
    same = [one == other for one, other in zip(a, b, strict=True)]
    return sum(same) / len(same) if same else math.nan


def cohen_kappa(a: Sequence[Any], b: Sequence[Any]) -> float:
    """Agreement beyond what two annotators with these habits would reach by chance."""
    observed, n = agreement(a, b), len(a)
    ours, theirs = Counter(a), Counter(b)
    by_chance = sum(number * theirs[label] for label, number in ours.items())
    # In whole numbers, so that one label throughout is seen as such.
    return (observed - by_chance / n**2) / (1 - by_chance / n**2) if by_chance < n * n else math.nan


def chapman(n1: int, n2: int, both: int, *, level: float = 0.95) -> Estimate:
    """How many there are when two independent catches of n1 and n2 have this many in common.

    Chapman's estimator; the interval is log-normal in the number unseen (Chao 1987), so that it never ends
    below what was seen. Catches that favour the same things make the estimate too low.
    """
    if not 0 <= both <= min(n1, n2):
        raise ValueError(f"catches of {n1} and {n2} cannot have {both} in common")
    seen = n1 + n2 - both
    unseen = (n1 - both) * (n2 - both) / (both + 1)
    if not unseen:
        return Estimate(seen, seen, seen)
    variance = (n1 + 1) * (n2 + 1) * (n1 - both) * (n2 - both) / ((both + 1) ** 2 * (both + 2))
    stretch = math.exp(_z(level) * math.sqrt(math.log1p(variance / unseen**2)))
    return Estimate(seen + unseen, seen + unseen / stretch, seen + unseen * stretch)


def _resampled_means(
    values: NDArray[np.float64], resamples: int, random: np.random.Generator
) -> NDArray[np.float64]:
    """Drawn in blocks, so that many values do not take much memory."""
    rows = max(1, DRAWN_AT_ONCE // len(values))
    blocks = [
        values[random.integers(len(values), size=(min(rows, resamples - start), len(values)))].mean(axis=1)
        for start in range(0, resamples, rows)
    ]
    return np.concatenate(blocks)


def _z(level: float) -> float:
    """How many standard deviations hold this share of a normal distribution: 1.96 for .95."""
    return NormalDist().inv_cdf((1 + level) / 2)
