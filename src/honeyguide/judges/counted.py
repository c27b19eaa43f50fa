"""The words of many texts, counted: what judges learn from."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Example
from honeyguide.text.documents import Documents, Weights

MOST = 1000.0
"""How many times a word of a title may count at most."""


class Counted(NamedTuple):
    """A table of texts and words, by its filled places: for each its row, its column and the word's count.

    Columns are in the order in which words first occur in the texts, whatever else was read before.
    """

    words: list[str]
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    counts: NDArray[np.float64]
    texts: int

    @classmethod
    def of(cls, texts: Iterable[Example], documents: Documents, weights: Weights) -> "Counted":
        """Count the words of texts, those of each part of a text so many times."""
        column_of: dict[str, int] = {}
        columns: list[int] = []
        counts = [np.zeros(0)]
        lengths = []
        for text in texts:
            bag = documents.read(text).bag(weights)
            # The numbers of words hold only until the next text is read.
            names = documents.book.words.list
            columns += [
                column_of.setdefault(names[number], len(column_of)) for number in bag.numbers.tolist()
            ]
            counts.append(bag.counts)
            lengths.append(len(bag.counts))
        return cls(
            list(column_of),
            np.repeat(np.arange(len(lengths), dtype=np.int32), lengths),
            np.array(columns, np.int32),
            np.concatenate(counts),
            len(lengths),
        )

    def by_row(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sums of the values of each text's places."""
        return np.bincount(self.rows, values, self.texts).astype(np.float64)

    def by_word(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sums of the values of each word's places."""
        return np.bincount(self.columns, values, len(self.words)).astype(np.float64)

    def said(self, texts: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which words occur in some of the texts."""
        return self.by_word(texts[self.rows].astype(np.float64)) > 0


def part_weights(judge: str, *, title: float, headings: float, keywords: float) -> Weights:
    """How many times a word counts in each part of a page, as a judge's settings have it."""
    for name, value in (("title", title), ("headings", headings), ("keywords", keywords)):
        if not 0 <= value <= MOST:
            raise ConfigError(
                f"The {judge} judge's {name}_weight must lie between 0 and {MOST:.0f}, not at {value}."
            )
    return Weights(title=title, headings=headings, keywords=keywords)
