"""Looks at a guide on its way: what it knows, at some moments, of URLs of which the outcome is known."""

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy
from honeyguide.strategies.guide import Guide

Outcome = Callable[[str], bool | None]
"""Whether the page at a URL is relevant; None if nobody knows."""

FIRST, GROWTH, MORE = 4, 1.5, 5
"""The first look is after so many pages; before the next the crawl grows by half and so many more."""

MOST = 5000
"""URLs that are kept of a look; of more, every second, third, ... one."""


class Look(NamedTuple):
    """What was known at one moment of some URLs that waited, a row each, which of them are relevant, and how many
    pages had come by then.
    """

    features: NDArray[np.float32]
    relevant: NDArray[np.bool_]
    pages: int = 1


class Observed(NamedTuple):
    """The looks at one crawl that tell something, its topic, and the web or collection it belongs to."""

    topic: str
    looks: tuple[Look, ...]
    web: str = ""


class Observer(Strategy):
    """A guide that is looked at now and then on its way."""

    def __init__(self, guide: Guide, outcome: Outcome) -> None:
        self.looks: list[Look] = []
        self._guide = guide
        self._outcome = outcome
        self._pages = 0
        self._next = FIRST

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        self._pages += visit.page is not None
        return self._guide.expand(visit)

    def changes(self) -> Iterable[tuple[str, float]]:
        changes = list(self._guide.changes())
        if self._pages >= self._next:
            self._next = next_look(self._pages)
            self._look()
        return changes

    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        return self._guide.combine(waiting, found)

    def refused(self, url: str) -> None:
        self._guide.refused(url)

    def _look(self) -> None:
        outcomes = {url: said for url in self._guide.waiting() if (said := self._outcome(url)) is not None}
        urls = list(outcomes)[:: max(1, math.ceil(len(outcomes) / MOST))]
        relevant = np.array([outcomes[url] for url in urls], np.bool_)
        if relevant.any() and not relevant.all():
            features = self._guide.features(urls).astype(np.float32)
            self.looks.append(Look(features, relevant, self._pages))


def next_look(pages: int) -> int:
    """After how many pages the look comes that follows one after so many."""
    return int(GROWTH * pages) + MORE
