"""Strategies that cheat: what the others can be measured against. They are told what no crawl can know."""

from collections.abc import Iterable

from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy


class Omniscient(Strategy):
    """Follows a link to a page on topic before any other: knows where every link leads, but not the way."""

    def __init__(self, *, targets: frozenset[str] = frozenset()) -> None:
        self.targets = targets

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return
        depth = visit.candidate.depth + 1
        for link in visit.page.links:
            score = float(link.url in self.targets)
            yield Candidate(link, score, depth, None, {"target": score})


class TrueLabels(Strategy):
    """Best-first by page, with the label a person gave the page in place of a judge's verdict."""

    def __init__(self, *, relevant: frozenset[str] = frozenset()) -> None:
        self.relevant = relevant

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return
        score = float(visit.page.url in self.relevant)
        depth = visit.candidate.depth + 1
        for link in visit.page.links:
            yield Candidate(link, score, depth, None, {"label": score})
