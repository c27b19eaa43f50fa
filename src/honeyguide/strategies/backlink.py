"""Backlink count (AP 5.1): what most pages link to comes first."""

from collections.abc import Iterable

from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy


class Backlink(Strategy):
    """Scores a link by the number of fetched pages that link to the same address, each counted once."""

    def __init__(self) -> None:
        """It has nothing to set."""

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        depth = visit.candidate.depth + 1
        links = {link.url: link for link in reversed(visit.page.links)}
        return [Candidate(link, 1.0, depth, None, {"backlinks": 1.0}) for link in reversed(links.values())]

    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        """One more page links there; the link that was found first stays."""
        score = waiting.score + found.score
        return waiting._replace(score=score, parts={"backlinks": score})
