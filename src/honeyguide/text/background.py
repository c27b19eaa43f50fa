"""How telling a word is: inverse document frequencies that are fixed before the crawl starts.

Weights taken from the crawl so far would make the topic's own words look common the better the crawl
goes (BT 3.2.1), so they come from a background: the one shipped here, of English at large, or the
document frequencies of any other corpus.
"""

import gzip
import math
from collections.abc import Iterable, Mapping
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError


class Background:
    """The inverse document frequency of every stem; a stem it does not know is as rare as can be."""

    def __init__(self, table: Mapping[str, float], *, rarest: float) -> None:
        self.rarest = rarest
        self._table = _Table(table, rarest)

    @classmethod
    def load(cls) -> "Background":
        """The background of English that comes with the package."""
        data = files("honeyguide.text").joinpath("background-en.txt.gz").read_bytes()
        table: dict[str, float] = {}
        for line in gzip.decompress(data).decode().splitlines():
            if not line.startswith("#"):
                value, _, stems = line.partition("\t")
                table.update(dict.fromkeys(stems.split(" "), float(value)))
        return cls(table, rarest=max(table.values()))

    @classmethod
    def from_counts(cls, document_frequency: Mapping[str, int], documents: int) -> "Background":
        """The background of a corpus: how many of its documents hold each stem (BT eq. 1)."""
        if documents < 1:
            raise ConfigError("A background needs at least one document to count words in.")
        # A stem counted in more documents than there are must not get a negative weight.
        table = {
            stem: max(0.0, math.log(documents / number))
            for stem, number in document_frequency.items()
            if number > 0
        }
        return cls(table, rarest=math.log(documents))

    def idf(self, stem: str) -> float:
        """The inverse document frequency of one stem."""
        return self._table[stem]

    def idfs(self, stems: Iterable[str]) -> NDArray[np.float64]:
        """The inverse document frequencies of many stems."""
        return np.fromiter(map(self._table.__getitem__, stems), np.float64)

    def __len__(self) -> int:
        return len(self._table)

    def __contains__(self, stem: str) -> bool:
        return stem in self._table


class _Table(dict[str, float]):
    """A dict that answers for every stem without growing."""

    def __init__(self, table: Mapping[str, float], rarest: float) -> None:
        super().__init__(table)
        self._rarest = rarest

    def __missing__(self, stem: str) -> float:
        return self._rarest
