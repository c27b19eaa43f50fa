"""How far pages are from relevant ones along links: the layers of a context graph, the levels of an HMM."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.links import LinkGraph

Levels = NDArray[np.int64]


def levels(graph: LinkGraph, goals: Iterable[int], *, limit: int) -> Levels:
    """How many links lead from each page to the nearest goal; `limit` where it takes so many or more."""
    sources, targets = graph.sources, graph.targets
    found = np.full(len(graph), limit, np.int64)
    found[list(goals)] = 0
    for level in range(limit - 1):
        before = sources[found[targets] == level]
        found[before[found[before] > level]] = level + 1
    return found


def transitions(
    graph: LinkGraph, levels: Levels, known: NDArray[np.bool_], *, states: int
) -> NDArray[np.float64]:
    """How many links lead from pages of one level to pages of another; only pages that are known count."""
    sources, targets = graph.sources, graph.targets
    both = known[sources] & known[targets]
    places = levels[sources[both]] * states + levels[targets[both]]
    return np.bincount(places, minlength=states * states).reshape(states, states).astype(np.float64)
