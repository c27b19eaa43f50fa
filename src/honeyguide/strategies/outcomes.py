"""What links led to: the lessons of strategies that learn from the words of links."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from honeyguide.model import EXACT_DUPLICATE, NEAR_DUPLICATE, Link, Visit
from honeyguide.roles import VisitLog
from honeyguide.urls import url_hash

MOST = 50_000
"""Visited pages whose verdicts are remembered; the oldest are forgotten first."""

MOST_READ = 20_000
"""Visits of an earlier crawl that are learned from."""


class Outcome(NamedTuple):
    """A link and how the page behind it was judged."""

    link: Link
    score: float
    margin: float


class Outcomes:
    """Remembers how pages were judged, so that every link to them teaches something, early or late."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, float]] = {}

    def of(self, visit: Visit) -> list[Outcome]:
        """What a visit tells of the link that led there, and of its links to pages that were visited before.

        A page goes by the address that was asked for and by the one that it was redirected to. One whose text
        was seen elsewhere is judged as worthless for that, which is not the link's fault.
        """
        verdict = visit.verdict
        if visit.page is None or visit.error is not None or verdict is None:
            return []
        found, names = [], (visit.url, visit.page.url)
        if verdict.label not in (EXACT_DUPLICATE, NEAR_DUPLICATE):
            judged = verdict.score, verdict.margin
            self._note(names, judged)
            found.append(Outcome(visit.candidate.link, *judged))
        known = self._known
        links = {link: known.get(url_hash(link.url)) for link in visit.page.links if link.url not in names}
        return found + [Outcome(link, *judged) for link, judged in links.items() if judged is not None]

    def of_log(self, log: VisitLog) -> Iterable[list[Outcome]]:
        """What each visit of an earlier crawl tells."""
        return map(self.of, islice(log, MOST_READ))

    def state(self) -> Mapping[str, Any]:
        """All that is remembered."""
        judged = np.array(list(self._known.values()), np.float64).reshape(len(self._known), 2)
        return {"pages": np.array(list(self._known), np.int64), "judged": judged}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        judged = map(tuple, state["judged"].tolist())
        self._known = dict(zip(state["pages"].tolist(), judged, strict=True))

    def _note(self, names: Iterable[str], judged: tuple[float, float]) -> None:
        self._known.update((url_hash(url), judged) for url in names)
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
