"""Depth-first: always on from where the crawl is."""

from collections.abc import Iterable, Mapping
from typing import Any

from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy


class DepthFirst(Strategy):
    """Scores a link by how late its page was visited: last in, first out.

    The links of one page go in the order in which they stand there. A link found again counts as new.
    """

    def __init__(self) -> None:
        self._visits = 0

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        self._visits += 1
        score = float(self._visits)
        parts = {"visited as number": score}
        depth = visit.candidate.depth + 1
        return [Candidate(link, score, depth, None, parts) for link in visit.page.links]

    def state(self) -> Mapping[str, Any]:
        return {"visits": self._visits}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._visits = state["visits"]
