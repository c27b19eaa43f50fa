"""What lies behind a page: rewards that a crawl would collect from there on, sooner ones counting more."""

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.links import LinkGraph
from honeyguide.graph.paths import levels

STEPS = 8
"""Pages that are followed from each: with gamma = 0.5 what comes later is worth less than 0.01."""


def discounted(
    graph: LinkGraph, goals: Sequence[int], pages: Sequence[int], gamma: float
) -> NDArray[np.float64]:
    """The rewards of going to each of `pages` and on from there, the t-th page after it times gamma ** t.

    A goal is worth 1, once. Whoever goes on takes, of all known links on the pages it has been to, one that leads
    to the nearest goal; only pages whose own links are known are gone to.
    """
    nearest = levels(graph, goals, limit=STEPS)
    known = graph.told
    sources, targets = graph.sources, graph.targets
    useful = known[targets] & (nearest[targets] < STEPS)
    sources, targets = sources[useful], targets[useful]
    order = np.lexsort((np.arange(len(sources)), nearest[targets], sources))
    sources, targets = sources[order], targets[order].tolist()
    ends = np.searchsorted(sources, np.arange(len(graph) + 1)).tolist()
    distances, found = nearest.tolist(), {}
    for page in dict.fromkeys(pages):
        found[page] = _collected(page, distances, targets, ends, gamma)
    return np.array([found[page] for page in pages])


def _collected(page: int, distances: list[int], targets: list[int], ends: list[int], gamma: float) -> float:
    """The rewards from one page on. Links are in the order of how near they lead, so a few of each page do."""
    total, worth, heard = 0.0, 1.0, {page}
    ahead: list[tuple[int, int, int]] = []
    for step in range(STEPS):
        if distances[page] == 0:
            total += worth
        worth *= gamma
        for target in targets[ends[page] : min(ends[page + 1], ends[page] + STEPS + len(heard))]:
            if target not in heard:
                heard.add(target)
                heapq.heappush(ahead, (distances[target], len(heard), target))
        if not ahead or step == STEPS - 1:
            break
        page = heapq.heappop(ahead)[2]
    return total
