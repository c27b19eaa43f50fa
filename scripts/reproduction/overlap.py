"""How much the pages of two strategies are the same (GD 9.5)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.bench.metrics import overlap_matrix
from honeyguide.bench.report.results import Contender
from honeyguide.statistics import bootstrap_interval

from .evidence import Evidence, mean
from .verdicts import FAILS, HOLDS, LEAST, OPEN, Finding

DIFFERENT = 0.2
"""Twice the published 10 % still counts as different pages."""


def matrices(seen: Evidence, whom: Sequence[Contender]) -> dict[str, NDArray[np.float64]]:
    """For every topic the shared pages of each two contenders over all pages of both, a mean over its settings."""
    found: dict[str, list[NDArray[np.float64]]] = {}
    for logs in zip(*(seen.logs(who) for who in whom), strict=True):
        found.setdefault(logs[0]["topic"], []).append(overlap_matrix([set(log["fetched"]) for log in logs]))
    return {topic: np.mean(own, axis=0) for topic, own in found.items()}


def mean_overlap(seen: Evidence, whom: Sequence[Contender]) -> NDArray[np.float64]:
    """The matrix over all topics."""
    matrix: NDArray[np.float64] = np.mean(list(matrices(seen, whom).values()), axis=0)
    return matrix


def different_pages(seen: Evidence, whom: Sequence[Contender]) -> Finding:
    """The mean over all pairs, topic by topic."""
    above = np.triu_indices(len(whom), 1)
    shares = [float(matrix[above].mean()) for matrix in matrices(seen, whom).values()]
    low, high = bootstrap_interval(shares)
    verdict = OPEN
    if len(shares) >= LEAST:
        verdict = FAILS if low > DIFFERENT else HOLDS if high <= DIFFERENT else OPEN
    pairs = mean_overlap(seen, whom)[above]
    pages = max(len(log["fetched"]) for who in whom for log in seen.logs(who))
    return Finding(
        verdict,
        f"{mean(shares):.0%} ({low:.0%} to {high:.0%}) of the pages of two strategies are the same, over "
        f"{len(pairs)} pairs of strategies and {len(shares)} topics; the least of a pair {pairs.min():.0%}, the most "
        f"{pairs.max():.0%} (up to {DIFFERENT:.0%} counts as about 10 %)",
        (f"a crawl here fetches up to {pages:,} pages of a small closed web, GD's 40,000 of the whole web",),
    )
