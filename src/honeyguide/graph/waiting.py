"""A table of the pages that a crawl has heard of, for strategies that change the order of what waits."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.links import LinkGraph
from honeyguide.model import Visit

GROWTH = 0.05
"""The crawl is ordered afresh when it has grown by this share, so that all orderings together cost n log n."""


class Waiting:
    """The graph of a crawl, which of its pages wait, and when it is time to order them afresh.

    `every` is the least number of pages between two orderings; the larger the crawl, the rarer they become.
    """

    def __init__(self, *, every: int) -> None:
        self.graph = LinkGraph()
        self.every = every
        self.pages = 0
        self._ordered_at = 0
        self._urls: list[str] = []
        self._waits = bytearray()
        self._told = np.full(1024, np.nan)

    @property
    def waits(self) -> NDArray[np.bool_]:
        """For every page heard of, whether it waits."""
        return np.frombuffer(bytes(self._waits), np.bool_)

    def url(self, number: int) -> str:
        """The address of a page that waits."""
        return self._urls[number]

    def see(self, visit: Visit) -> list[int]:
        """Take in a visit; the numbers of the pages that its links lead to, link by link.

        Where it was redirected to has a number by then too, and does not wait if a link leads there later.
        """
        source = self._number(visit.url)
        self.forget(visit.url)
        if visit.page is None or visit.error is not None:
            return []
        self.pages += 1
        numbers = [self._number(link.url) for link in visit.page.links]
        self.graph.connect(source, numbers)
        if visit.page.url != visit.url:
            self._number(visit.page.url)
            self.forget(visit.page.url)
        return numbers

    @property
    def is_due(self) -> bool:
        """Whether the crawl has grown enough since it was ordered last."""
        return self.pages - self._ordered_at >= max(self.every, GROWTH * self.pages)

    def tell(self, numbers: list[int], scores: NDArray[np.float64]) -> None:
        """Note scores that these pages were given between two orderings."""
        self._make_room()
        self._told[numbers] = scores

    def order(self, scores: NDArray[np.float64]) -> Iterator[tuple[str, float]]:
        """The pages that wait and whose score is not what it was when they were last ordered."""
        self._ordered_at = self.pages
        self._make_room()
        size = len(self._urls)
        moved = np.flatnonzero(self.waits & (scores[:size] != self._told[:size]))
        self._told[moved] = scores[moved]
        return zip(map(self._urls.__getitem__, moved.tolist()), scores[moved].tolist(), strict=True)

    def state(self) -> Mapping[str, Any]:
        """The table as arrays."""
        return {
            "graph": self.graph.state(),
            "pages": self.pages,
            "ordered_at": self._ordered_at,
            "urls": np.frombuffer("\n".join(self._urls).encode("utf-8", "surrogatepass"), np.uint8).copy(),
            "count": len(self._urls),
            "told": self._told[: len(self._urls)].copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self.graph.restore(state["graph"])
        self.pages, self._ordered_at = state["pages"], state["ordered_at"]
        text = state["urls"].astype(np.uint8).tobytes().decode("utf-8", "surrogatepass")
        self._urls = text.split("\n") if state["count"] else []
        self._waits = bytearray(map(bool, self._urls))
        self._told = np.full(max(1024, len(self._urls)), np.nan)
        self._told[: len(state["told"])] = state["told"]

    def _make_room(self) -> None:
        if len(self._told) < len(self._urls):
            self._told = np.concatenate((self._told, np.full(len(self._urls), np.nan)))

    def _number(self, url: str) -> int:
        number = self.graph.number(url)
        if number == len(self._urls):
            self._urls.append(url)
            self._waits.append(1)
        return number

    def forget(self, url: str) -> None:
        """A page that was visited or refused waits no more, and its address is needed no more."""
        number = self.graph.find(url)
        if number is not None:
            self._urls[number] = ""
            self._waits[number] = 0
