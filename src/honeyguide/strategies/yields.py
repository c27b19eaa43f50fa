"""What a crawl's pages and blocks of links have led to so far.

A page is worth its relevance or, if that is more, a share `gamma` of what lies behind it: the worth of the pages
that its links led to, divided by the square root of their number, and at most 1. So a page off topic that leads to
the topic earns its worth later, and so do the pages on the way to it; one good link among many counts for little.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]

FARTHEST = 3
"""Steps back that worth is handed on."""

LEAST = 0.01
"""A change of worth that is handed on."""

_ROOM = 256
_PAGE = (
    "relevance",
    "inherited",
    "worth",
    "behind",
    "followed",
    "of_links",
    "known",
    "before",
    "known_before",
)
_LATER, _BEFORE = slice(0, 2), slice(2, 4)


class Arrival(NamedTuple):
    """How a page was come to: the page of the link that counted most (-1: none), and the blocks of pages that are
    known to link to it, -1 where there are no more.
    """

    page: int
    blocks: Numbers


class Reviewed(NamedTuple):
    """A page that turned out to be worth more or less than it was thought to be."""

    page: int
    change: float


class Yields:
    """Sums and numbers of what came, and from them expectations, each drawn towards a wider one.

    A page that came counts for every block and page with a link to it, whichever was followed; pages that had come
    before are kept apart, because the crawl chose them for other links. The mean over a block is drawn towards that
    over its page and that towards the mean over the crawl, as if it had been seen `strength` times.
    """

    def __init__(self, *, links: int, gamma: float, delta: float, strength: float = 3.0) -> None:
        self.gamma = gamma
        self.delta = delta
        self.strength = strength
        self._pages = np.zeros((_ROOM, len(_PAGE)))
        self._parents = np.zeros(_ROOM, np.int64)
        self._linking = np.zeros((_ROOM, links), np.int32)
        self._count = 0
        self._blocks = np.zeros((_ROOM, 4))
        self._page_of = np.zeros(_ROOM, np.int32)
        self._block_count = 0
        self._all = np.array([0.1, 1.0])
        self._before = np.array([0.3, 3.0])

    def __len__(self) -> int:
        """How many pages have come."""
        return self._count

    def arrive(self, relevance: float, inherited: float, way: Arrival) -> tuple[int, list[Reviewed]]:
        """Take in a page; its number, and the pages whose worth it changed."""
        number = self._count
        self._pages = with_room(self._pages, number + 1)
        self._parents = with_room(self._parents, number + 1)
        self._linking = with_room(self._linking, number + 1)
        self._count += 1
        self._pages[number, :3] = relevance, max(relevance, self.delta * inherited), relevance
        self._parents[number] = way.page
        self._linking[number] = way.blocks
        self._all += relevance, 1.0
        reviewed: list[Reviewed] = []
        if way.page >= 0:
            self._note(number, relevance, 1.0)
            self._hand_on(way.page, relevance, 1.0, reviewed)
        return number, reviewed

    def rejudge(self, number: int, relevance: float) -> list[Reviewed]:
        """A page that came is as relevant as this after all; the pages whose worth that changed."""
        about = self._pages[number]
        self._all[0] += relevance - about[0]
        parent = self.parent(number)
        about[0] = relevance
        about[1] = max(relevance, self.delta * self._pages[parent, 1] if parent >= 0 else 0.0)
        change = self._worth(about) - about[2]
        about[2] += change
        reviewed = [Reviewed(number, float(change))]
        self._note(number, change, 0.0)
        if parent >= 0:
            self._hand_on(parent, change, 0.0, reviewed)
        return reviewed

    def open_blocks(self, page: int, number: int) -> int:
        """Make room for the blocks of a new page; the number of the first."""
        first = self._block_count
        self._block_count += number
        self._blocks = with_room(self._blocks, self._block_count)
        self._page_of = with_room(self._page_of, self._block_count)
        self._page_of[first : self._block_count] = page
        return first

    def meet(self, page: int, come: Numbers, blocks: Numbers) -> None:
        """A page links, from these blocks, to pages that came before it."""
        worths = np.stack((self._pages[come, 2], np.ones(len(come))), axis=1)
        together = worths.sum(axis=0)
        self._before += together
        self._pages[page, 7:] += together
        np.add.at(self._blocks[:, _BEFORE], blocks, worths)

    def inherited(self, page: int) -> float:
        """What is left, at a page, of the most relevant one on the way there."""
        return float(self._pages[page, 1])

    def relevance(self, page: int) -> float:
        """How relevant a page was."""
        return float(self._pages[page, 0])

    def relevances(self) -> Floats:
        """How relevant every page was, and 0 at the end."""
        return np.append(self._pages[: self._count, 0], 0.0)

    def parent(self, page: int) -> int:
        """The page whose link led to a page; -1 if none did."""
        return int(self._parents[page])

    def way(self, page: int) -> list[int]:
        """The pages whose links led to a page, the last one first, as far back as worth is handed on."""
        found: list[int] = []
        while len(found) < FARTHEST and (page := self.parent(page)) >= 0:
            found.append(page)
        return found

    def pages_of_blocks(self) -> Numbers:
        """The page of every block, and -1 at the end."""
        return np.append(self._page_of[: self._block_count], np.int32(-1))

    def of_blocks(self, linking: Numbers) -> tuple[Floats, Floats]:
        """What the blocks that link to some URLs, and their pages, have led to, and how the pages were that they link
        to and that had come before; those of which more is known count more.
        """
        count, most = linking.shape
        flat = linking.ravel()
        places = (flat >= 0).nonzero()[0]
        rows, known = places // most, flat.take(places)
        pages, blocks = self._pages.take(self._page_of.take(known), 0)[:, 5:], self._blocks.take(known, 0)
        usual = self.mean, float(self._before[0] / self._before[1])
        means = self._drawn(blocks, self._drawn(pages, np.array(usual)))
        weights = blocks[:, 1::2] + 1.0
        means *= weights

        def mean(which: int) -> Floats:
            total = np.bincount(rows, weights[:, which], count)
            sums = np.bincount(rows, means[:, which], count)
            return np.where(total > 0, sums / np.maximum(total, 1.0), usual[which])

        return mean(0), mean(1)

    def level(self, share: float) -> float:
        """How relevant the best pages were on average, so large a share of all."""
        relevance = self._pages[: self._count, 0]
        best = max(3, round(share * self._count))
        if best >= self._count:
            return float(relevance.mean()) if self._count else 1.0
        return float(np.partition(relevance, -best)[-best:].mean())

    def _drawn(self, found: Floats, towards: Floats | float) -> Floats:
        """The means of sums and numbers, which take turns, each drawn towards another figure."""
        return np.asarray((found[:, ::2] + self.strength * towards) / (found[:, 1::2] + self.strength))

    @property
    def mean(self) -> float:
        """How relevant pages were on average."""
        return float(self._all[0] / self._all[1])

    def _hand_on(self, page: int, change: float, came: float, reviewed: list[Reviewed]) -> None:
        for _ in range(FARTHEST):
            about = self._pages[page]
            about[3] += change
            about[4] += came
            worth = self._worth(about)
            change, came = worth - about[2], 0.0
            if abs(change) < LEAST:
                return
            about[2] = worth
            reviewed.append(Reviewed(page, float(change)))
            self._note(page, change, 0.0)
            page = int(self._parents[page])
            if page < 0:
                return

    def _worth(self, about: Floats) -> float:
        behind = min(1.0, about[3] / math.sqrt(about[4] + 1))
        return max(float(about[0]), self.gamma * float(behind))

    def _note(self, page: int, change: float, came: float) -> None:
        """Count a page, or a change of its worth, for all that link to it."""
        more = np.array([change, came])
        for block in self._linking[page].tolist():
            if block >= 0:
                self._pages[self._page_of[block], 5:7] += more
                self._blocks[block, _LATER] += more

    def state(self) -> Mapping[str, Any]:
        """All of it as arrays."""
        return {
            "pages": self._pages[: self._count].copy(),
            "parents": self._parents[: self._count].copy(),
            "linking": self._linking[: self._count].copy(),
            "blocks": self._blocks[: self._block_count].copy(),
            "page_of": self._page_of[: self._block_count].copy(),
            "all": self._all.copy(),
            "before": self._before.copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._count, self._block_count = len(state["pages"]), len(state["blocks"])
        self._pages = with_room(state["pages"].astype(np.float64), _ROOM)
        self._parents = with_room(state["parents"].astype(np.int64), _ROOM)
        self._linking = with_room(state["linking"].astype(np.int32), _ROOM)
        self._blocks = with_room(state["blocks"].astype(np.float64), _ROOM)
        self._page_of = with_room(state["page_of"].astype(np.int32), _ROOM)
        self._all = state["all"].astype(np.float64)
        self._before = state["before"].astype(np.float64)


def with_room(table: NDArray[Any], rows: int) -> NDArray[Any]:
    """The table, or a copy of it with at least so many rows."""
    if rows <= len(table):
        return table
    larger = np.zeros((max(rows, 2 * len(table)), *table.shape[1:]), table.dtype)
    larger[: len(table)] = table
    return larger
