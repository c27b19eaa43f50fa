"""Breadth-first: pages in the order they are found, the nearest to the seeds first."""

from collections.abc import Iterable

from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy


class BreadthFirst(Strategy):
    """Scores a link by how few steps it is from a seed; the frontier takes equals in the order found."""

    def __init__(self) -> None:
        """It has nothing to set."""

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        depth = visit.candidate.depth + 1
        score = -float(depth)
        parts = {"depth": score}
        return [Candidate(link, score, depth, None, parts) for link in visit.page.links]
