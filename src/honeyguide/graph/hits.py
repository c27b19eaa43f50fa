"""HITS (AP eq. 12-13): good hubs link to good authorities, and good authorities are linked to by good hubs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.links import LinkGraph, Nodes


class Scores(NamedTuple):
    """How good every page is as a hub and as an authority; each of length 1 as a vector."""

    hubs: NDArray[np.float64]
    authorities: NDArray[np.float64]


def hits(
    graph: LinkGraph,
    *,
    iterations: int = 10,
    start: NDArray[np.float64] | None = None,
    weights: NDArray[np.float64] | None = None,
) -> Scores:
    """Hubs and authorities, going on from earlier hub scores; `weights` say how much each page counts.

    A weighted page passes on that much of its scores, as in a distiller that trusts relevant pages
    (Chakrabarti 1999): authority(v) = sum hub(u) w(u), hub(u) = sum authority(v) w(v).
    """
    size = len(graph)
    sources, targets = graph.sources, graph.targets
    counts = np.ones(size) if weights is None else weights
    hubs = np.ones(size)
    if start is not None:
        hubs[: len(start)] = start
    authorities = np.zeros(size)
    for _ in range(iterations if size else 0):
        authorities = _normal(_gather(targets, (hubs * counts)[sources], size))
        hubs = _normal(_gather(sources, (authorities * counts)[targets], size))
    return Scores(hubs, authorities)


def _gather(pages: Nodes, amounts: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.bincount(pages, weights=amounts, minlength=size).astype(np.float64)


def _normal(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    length = float(np.sqrt(np.square(vector).sum()))
    return vector / length if length > 0 else vector
