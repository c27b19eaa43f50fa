"""What became of the links near a link: an online expectation that any strategy may use."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from honeyguide.model import Link

MOST = 50_000
"""Blocks, pages and visited links that are remembered; the oldest are forgotten first."""

# Items and rows are parts of one list or table, and so of one block.
_items = re.compile(r"(?:(?:^|/)(?:li|dt|dd|tr|td|th)(?:\[\d+\]|#[^/]*)?)+$").sub


class Means:
    """The mean of what was noted under each name, drawn towards another figure as long as it is little.

    With a sum s of n notes it is (s + strength * towards) / (n + strength).
    """

    def __init__(self, *, strength: float = 3.0, most: int = MOST) -> None:
        self.strength = strength
        self._most = most
        self._notes: dict[str, tuple[float, int]] = {}

    def note(self, name: str, value: float) -> None:
        """Add a value under a name."""
        total, count = self._notes.get(name, (0.0, 0))
        self._notes[name] = total + value, count + 1
        if len(self._notes) > self._most:
            del self._notes[next(iter(self._notes))]

    def mean(self, name: str, towards: float) -> float:
        """The mean under a name; of nothing, the other figure."""
        known = self._notes.get(name)
        if known is None:
            return towards
        return (known[0] + self.strength * towards) / (known[1] + self.strength)

    def state(self) -> Mapping[str, Any]:
        """All notes, as arrays."""
        return {
            "names": packed(self._notes),
            "totals": np.array([total for total, _ in self._notes.values()], np.float64),
            "counts": np.array([count for _, count in self._notes.values()], np.int64),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        notes = zip(state["totals"].tolist(), state["counts"].tolist(), strict=True)
        self._notes = dict(zip(unpacked(state["names"], len(state["counts"])), notes, strict=True))


class Siblings:
    """Expects of a link what links of the same block of its page led to, and else what links of its page did.

    The mean over the block is drawn towards the mean over the page, and that towards the mean over the crawl,
    each as if it had been seen `strength` times (GT asks for nearness to links that proved good). A visit
    counts for the link that it was made through, and for links that are found to its page later on.
    """

    def __init__(self, *, strength: float = 3.0, most: int = MOST) -> None:
        self._blocks = Means(strength=strength, most=most)
        self._pages = Means(strength=strength, most=most)
        self._most = most
        self._outcomes: dict[str, float] = {}
        self._total = 0.0
        self._count = 0

    def overall(self, unknown: float) -> float:
        """The mean over the crawl; before the first visit, what is given."""
        return self._total / self._count if self._count else unknown

    def learn(self, link: Link, outcome: float, final: str = "") -> None:
        """Note what a link led to, and to which address after redirects."""
        self._total += outcome
        self._count += 1
        self._outcomes.update(dict.fromkeys((link.url, final or link.url), outcome))
        while len(self._outcomes) > self._most:
            del self._outcomes[next(iter(self._outcomes))]
        self._note(link, outcome)

    def meet(self, links: Iterable[Link]) -> None:
        """Look at the links of a new page: where some of them lead may be known."""
        known = self._outcomes.get
        for link in links:
            outcome = known(link.url)
            if outcome is not None:
                self._note(link, outcome)

    def expect(self, links: Sequence[Link], unknown: float) -> list[float]:
        """What each of some links may lead to; `unknown` before anything was seen."""
        overall = self.overall(unknown)
        blocks, pages = self._blocks.mean, self._pages.mean
        of_block: dict[str, float] = {}
        expected = []
        for link in links:
            name = f"{link.source} {block_of(link.path)}"
            value = of_block.get(name)
            if value is None:
                value = of_block[name] = blocks(name, pages(link.source, overall))
            expected.append(value)
        return expected

    def _note(self, link: Link, outcome: float) -> None:
        if link.source:
            self._pages.note(link.source, outcome)
            self._blocks.note(f"{link.source} {block_of(link.path)}", outcome)

    def state(self) -> Mapping[str, Any]:
        """All that it has seen."""
        return {
            "blocks": self._blocks.state(),
            "pages": self._pages.state(),
            "urls": packed(self._outcomes),
            "outcomes": np.array(list(self._outcomes.values()), np.float64),
            "total": self._total,
            "count": self._count,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._blocks.restore(state["blocks"])
        self._pages.restore(state["pages"])
        outcomes = state["outcomes"].tolist()
        self._outcomes = dict(zip(unpacked(state["urls"], len(outcomes)), outcomes, strict=True))
        self._total, self._count = state["total"], state["count"]


def packed(names: Iterable[str]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Names without line ends as one array: much smaller to store than a list."""
    return np.frombuffer("\n".join(names).encode("utf-8", "surrogatepass"), np.uint8).copy()


def unpacked(names: np.ndarray[Any, np.dtype[np.uint8]], count: int) -> list[str]:
    """So many names that were packed."""
    text = names.astype(np.uint8).tobytes().decode("utf-8", "surrogatepass")
    return text.split("\n") if count else []


@lru_cache(maxsize=8_192)
def block_of(path: str) -> str:
    """The path of the block that a place in a page belongs to; the same few come up all over a site."""
    return _items("", path.replace("\n", " "))
