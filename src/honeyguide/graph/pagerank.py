"""PageRank (AP eq. 11): a page is worth what the pages that link to it are worth, shared among their links.

PR(p) = (1 - d) + d * sum over q that link to p of PR(q) / C(q), with d = 0.8. A page whose links are not
known jumps everywhere. The sum of all ranks is the number of pages.
"""

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.links import LinkGraph

DAMPING = 0.8


def pagerank(
    graph: LinkGraph,
    *,
    damping: float = DAMPING,
    iterations: int = 10,
    start: NDArray[np.float64] | None = None,
    jump: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """The rank of every page, going on from the ranks of an earlier, smaller graph if there are any.

    `jump` says to which pages one jumps more often (topic-sensitive PageRank); it must add up to the number
    of pages. By default one jumps to all alike.
    """
    size = len(graph)
    sources, targets = graph.sources, graph.targets
    degree = np.bincount(sources, minlength=size).astype(np.float64)
    ranks = np.ones(size)
    if start is not None and size:
        ranks[: len(start)] = start
        ranks *= size / ranks.sum()
    home = np.ones(size) if jump is None else jump
    share = damping / np.maximum(degree, 1.0)[sources]
    dangling = degree == 0
    for _ in range(iterations if size else 0):
        passed_on = np.bincount(targets, weights=ranks[sources] * share, minlength=size)
        jumped = damping * float(ranks[dangling].sum()) / size
        ranks = (1 - damping + jumped) * home + passed_on
    return ranks
