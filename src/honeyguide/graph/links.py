"""The links between pages as numbers, growing with the crawl."""

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.urls import url_hash

Nodes = NDArray[np.int32]


class LinkGraph:
    """Pages by number, in the order in which they were first heard of, and the links between them.

    A page may be told only once; its links to itself and repeated links to one page count once, as in AP.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._hashes = array("Q")
        self._told = bytearray()
        self._sources = array("i")
        self._targets = array("i")

    def __len__(self) -> int:
        return len(self._hashes)

    def number(self, url: str) -> int:
        """The number of a page, a new one if it was never heard of."""
        key = url_hash(url) & 0xFFFFFFFFFFFFFFFF
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._hashes)
            self._hashes.append(key)
            self._told.append(0)
        return number

    def find(self, url: str) -> int | None:
        """The number of a page, if it was heard of."""
        return self._numbers.get(url_hash(url) & 0xFFFFFFFFFFFFFFFF)

    def add(self, url: str, targets: Iterable[str]) -> list[int]:
        """Tell where a page leads; returns the numbers of the pages it leads to, each once."""
        return self.connect(self.number(url), map(self.number, targets))

    def connect(self, source: int, targets: Iterable[int]) -> list[int]:
        """The same by the numbers of the pages."""
        numbers = [number for number in dict.fromkeys(targets) if number != source]
        if not self._told[source]:
            self._told[source] = 1
            self._sources.extend([source] * len(numbers))
            self._targets.extend(numbers)
        return numbers

    def is_told(self, number: int) -> bool:
        """Whether the links of a page are known."""
        return bool(self._told[number])

    @property
    def told(self) -> NDArray[np.bool_]:
        """For every page, whether its links are known."""
        return np.frombuffer(self._told, np.bool_).copy()

    @property
    def sources(self) -> Nodes:
        """The page every link is on."""
        return np.array(self._sources, np.int32)

    @property
    def targets(self) -> Nodes:
        """The page every link leads to."""
        return np.array(self._targets, np.int32)

    def state(self) -> Mapping[str, Any]:
        """The graph as arrays."""
        return {
            "hashes": np.array(self._hashes, np.uint64),
            "told": np.frombuffer(bytes(self._told), np.uint8).copy(),
            "sources": self.sources,
            "targets": self.targets,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._hashes = array("Q", state["hashes"].tolist())
        self._numbers = {key: number for number, key in enumerate(self._hashes)}
        self._told = bytearray(state["told"].astype(np.uint8).tobytes())
        self._sources = array("i", state["sources"].tolist())
        self._targets = array("i", state["targets"].tolist())
