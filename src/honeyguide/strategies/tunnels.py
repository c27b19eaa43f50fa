"""Ways off the topic that may lead back to it: when to try them, which ones, and whether they paid."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.strategies.signs import SIGNS, signs_of_words
from honeyguide.strategies.yields import with_room
from honeyguide.text.soft_bayes import SoftBayes

Floats = NDArray[np.float64]
Words = NDArray[np.int32] | NDArray[np.uint16]

OFF_TOPIC = 0.2
"""A page less relevant than this is off topic, and so are the ways that go on from it."""

DRY = 0.2
"""A crawl is dry when its pages are this much less relevant, as a share, than they were at their best."""

PAGES = 50
"""Pages that count for how relevant those of late are."""

SETTLED = 10
"""Pages before which nothing is at its best yet."""

HOPE = 0.03
"""What ways off the topic are hoped to yield at least, as a share of what the crawl yielded at its best."""

FADING = 12
"""Ways in a row that led nowhere after which there is half as much hope; after twice as many there is a third."""

LEAST_HOPE, LEAST_YIELD = 0.003, 0.001
"""What such ways are hoped to yield and other links are taken to yield at least, when both are compared: where nothing
yields anything, ways that were not gone yet are what is left.
"""

KEPT = 0.98
"""How much of what was known about yields still counts when the next page comes."""

KEYWORDS = 16
"""Words that stand for a page: those that say most about what it is."""

LIKELY, SUREST, HOPED = 0.3, 0.9, 0.6
"""A page off topic that is so likely to lead to the topic, by its kind, lends its own way there so much of that
likelihood before anything was found behind it; nothing is likelier than the second figure.
"""

LED_ON = 0.1
"""How much more a page on such a way turns out to be worth when it led to something."""

PAID = 3.0
"""Odds from which a link need not wait for its share of the budget: its page is of a kind that paid."""

NEW, WORDS = 1.0, 0.5
"""What it counts that nobody tried the words of a link yet, or those of its page, and what the link's words led to,
beside the odds of its page.
"""


_ENOUGH = 30.0
"""Odds that are as good as certain, for or against; more would be too much for a computer."""


class Way(NamedTuple):
    """Links that may be followed: the pages they stand on, their words by number (0: none), and what is left at
    their pages of the most relevant one on the way there.
    """

    pages: NDArray[np.int32]
    words: Words
    inherited: Floats


class Tunnels:
    """Tells which links of pages off topic to follow when links that promise relevance have run out.

    A link's odds are those of its page's keywords, by what lay behind pages off topic with such words; a page counts
    once, however many of its links were followed, and kinds of pages that were never tried say nothing. If one of
    its links led to a page of a kind that paid before, that is taken on account, so that of a way of three steps the
    first is known as soon as the second is. Odds are the better the more relevant the way to the page was, the more
    of the link's words and of the page's keywords are new, and the more links with such words led to. A word of a link
    is new that was on no link followed and is no keyword of a page off topic; a keyword, if no link was followed from
    a page that has it. The share of pages spent so is
    t^2 / (t^2 + o^2), where t is what they have yielded, ways and all, and o what the other links of the dry time
    have; t is never less than a hope that fades with every way that led nowhere, and is there again when one leads on.
    Links of a kind that paid go first in any case.
    """

    def __init__(self) -> None:
        self._recent = 0.0
        self._best = 0.0
        self._kinds = SoftBayes(smoothing=None)
        self._is_met = np.zeros(SIGNS, np.bool_)
        self._keywords = np.zeros((0, KEYWORDS), np.int32)
        self._tried = np.zeros(0, np.bool_)
        self._followed = np.zeros(0, np.bool_)
        self._behind = np.zeros((0, 2))
        self._yields = np.array([[0.5, 5.0], [0.3, 3.0]])
        self._vain = 0

    @property
    def is_dry(self) -> bool:
        """Whether the crawl hardly finds anything any more."""
        return self._recent < DRY * self._best

    @property
    def share(self) -> float:
        """The share of pages that go into ways off the topic while the crawl is dry."""
        tried, others = self._yields[:, 0] / self._yields[:, 1]
        hope = max(LEAST_HOPE, HOPE * self._best / (1 + self._vain / FADING))
        tried, others = max(tried, hope), max(others, LEAST_YIELD)
        return float(tried**2 / (tried**2 + others**2))

    def arrive(self, number: int, relevance: float, *, is_tried: bool) -> None:
        """Take in a page, and whether it was on a way that was tried."""
        self._follow_up(number, relevance)
        self._tried = with_room(self._tried, number + 1)
        self._followed = with_room(self._followed, number + 1)
        self._behind = with_room(self._behind, number + 1)
        self._keywords = with_room(self._keywords, number + 1)
        self._tried[number] = is_tried
        if is_tried:
            self._vain = 0 if relevance >= OFF_TOPIC else self._vain + 1
        if self.is_dry:
            yields = self._yields[0 if is_tried else 1]
            yields *= KEPT
            yields += relevance, 1.0

    def rejudge(self, relevances: Floats) -> None:
        """All pages, in their order, are as relevant as this by now."""
        self._recent = self._best = 0.0
        for number, relevance in enumerate(relevances.tolist()):
            self._follow_up(number, relevance)

    def name(self, number: int, keywords: NDArray[np.int32]) -> None:
        """Note what a page that arrived is about."""
        self._keywords[number, : len(keywords)] = keywords
        self._is_met[signs_of_words(keywords)] = True

    def follow(self, page: int, to: int, relevance: float) -> None:
        """A link of a page off topic led to a page so relevant."""
        if not self._followed[page]:
            self._followed[page] = True
            keywords = self._known(page)
            self._kinds.learn(np.zeros(len(keywords), np.int64), keywords, np.zeros(1))
        likely = self._likely(to) if relevance < OFF_TOPIC else 0.0
        if likely > LIKELY:
            self._credit(page, hoped=HOPED * min(likely, SUREST))

    def correct(self, page: int, change: float) -> None:
        """A page turned out to be worth more."""
        if self._tried[page]:
            self._yields[0, 0] += change
            if change >= LED_ON:
                self._vain = 0
        if self._followed[page]:
            self._credit(page, found=change)

    def wanted(self, odds: Floats, most: int, going: int) -> int:
        """How many more links with such odds should be tried among so many pages, if some are on their way."""
        paid = int((odds > PAID).sum())
        return max(round(self.share * most) - going, min(most - going, paid))

    def odds(self, way: Way, words: SoftBayes) -> Floats:
        """How much speaks for each link."""
        pages, places = np.unique(way.pages, return_inverse=True)
        keywords = self._keywords[pages].astype(np.int64)
        of_pages = (self._kinds.says(keywords) * (keywords > 0)).sum(axis=1)
        of_pages += NEW * _share(~self._kinds.knows(keywords), keywords > 0)
        said = way.words.astype(np.int64)
        is_said = said > 0
        led_to = (words.says(said) * is_said).sum(axis=1)
        new = _share(~(words.knows(said) | self._is_met.take(said)), is_said)
        return np.asarray(of_pages[places] + WORDS * led_to + NEW * new + way.inherited)

    def _follow_up(self, number: int, relevance: float) -> None:
        """Take in how relevant the next page was, for how pages are of late and were at their best."""
        self._recent += (relevance - self._recent) / min(PAGES, number + 1)
        if number >= SETTLED:
            self._best = max(self._best, self._recent)

    def _likely(self, page: int) -> float:
        """How likely a page is to lead to the topic, by what lay behind others of its kind."""
        usual = self._kinds.usual
        odds = math.log(usual / (1 - usual)) + float(self._kinds.says(self._known(page)).sum())
        return 1 / (1 + math.exp(-max(-_ENOUGH, min(odds, _ENOUGH))))

    def _credit(self, page: int, *, found: float = 0.0, hoped: float = 0.0) -> None:
        """Count what lies behind a page for its kind: what was found, or what is hoped for if that is more."""
        behind = self._behind[page]
        before = behind.max()
        behind += found, 0.0
        behind[1] = max(behind[1], hoped)
        self._kinds.correct(self._known(page), float(behind.max() - before))

    def _known(self, page: int) -> NDArray[np.int64]:
        keywords: NDArray[np.int64] = self._keywords[page].astype(np.int64)
        return keywords[keywords > 0]

    def state(self) -> Mapping[str, Any]:
        """All of it as numbers and arrays."""
        return {
            "recent": self._recent,
            "best": self._best,
            "kinds": self._kinds.state(),
            "keywords": self._keywords.copy(),
            "tried": self._tried.astype(np.int8),
            "followed": self._followed.astype(np.int8),
            "behind": self._behind.copy(),
            "yields": self._yields.copy(),
            "vain": self._vain,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._recent, self._best = state["recent"], state["best"]
        self._kinds.restore(state["kinds"])
        self._keywords = state["keywords"].astype(np.int32)
        self._is_met[:] = False
        self._is_met[signs_of_words(self._keywords[self._keywords > 0])] = True
        self._tried = state["tried"].astype(np.bool_)
        self._followed = state["followed"].astype(np.bool_)
        self._behind = state["behind"].astype(np.float64)
        self._yields = state["yields"].astype(np.float64)
        self._vain = state["vain"]


def _share(which: NDArray[np.bool_], of: NDArray[np.bool_]) -> Floats:
    """The share that some make up of others in each row; none of nothing."""
    return np.asarray((which & of).sum(axis=1) / np.maximum(of.sum(axis=1), 1))
