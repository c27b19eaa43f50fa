"""The stems of many texts, counted: what classifiers and clusters are learned from."""

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Example, Page
from honeyguide.text.background import Background
from honeyguide.text.documents import Documents

Floats = NDArray[np.float64]


class Counts(NamedTuple):
    """A table of texts and stems, by its filled places: for each its row, its column and the stem's count.

    Columns are in the order in which stems first occur in the texts, whatever else was read before.
    """

    words: list[str]
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    counts: Floats
    texts: int

    def by_row(self, values: Floats) -> Floats:
        """The sums of the values of each text's places."""
        return np.bincount(self.rows, values, self.texts).astype(np.float64, copy=False)

    def by_word(self, values: Floats) -> Floats:
        """The sums of the values of each stem's places."""
        return np.bincount(self.columns, values, len(self.words)).astype(np.float64, copy=False)

    def background(self) -> Background:
        """The document frequencies of these texts themselves."""
        frequencies = self.by_word(np.ones(len(self.counts))).astype(int).tolist()
        return Background.from_counts(dict(zip(self.words, frequencies, strict=True)), max(1, self.texts))

    def unit(self, background: Background) -> Self:
        """The same with tf-idf weights (BT eq. 1) for counts, every text of length 1."""
        weights = self.counts * background.idfs(self.words)[self.columns]
        lengths = np.sqrt(self.by_row(np.square(weights)))
        return self._replace(counts=weights / np.where(lengths > 0, lengths, 1.0)[self.rows])


class Bags:
    """Counts of the stems of texts, text after text."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._columns = array("i")
        self._counts = array("d")
        self._ends = array("q")

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, page: Page | Example, documents: Documents) -> int:
        """Count the title and the main text of one more page; returns its row."""
        bag, words = documents.read(page).stems(), self._words
        names = documents.book.stems.list
        self._columns.extend([words.setdefault(names[at], len(words)) for at in bag.numbers.tolist()])
        self._counts.extend(bag.counts.tolist())
        self._ends.append(len(self._columns))
        return len(self._ends) - 1

    def chosen(self, rows: Sequence[int]) -> Counts:
        """The table of some of the texts, in the order asked for."""
        every, numbers = list(self._words), np.array(self._columns, np.int32)
        starts = [self._ends[row - 1] if row else 0 for row in rows]
        lengths = [self._ends[row] - start for row, start in zip(rows, starts, strict=True)]
        places = np.concatenate(
            [np.arange(start, start + length) for start, length in zip(starts, lengths, strict=True)]
            or [np.zeros(0, np.int64)]
        )
        _, first, inverse = np.unique(numbers[places], return_index=True, return_inverse=True)
        order = np.argsort(first)
        place_of = np.empty(len(order), np.int32)
        place_of[order] = np.arange(len(order), dtype=np.int32)
        return Counts(
            [every[number] for number in numbers[places][first[order]].tolist()],
            np.repeat(np.arange(len(rows), dtype=np.int32), lengths),
            place_of[inverse],
            np.array(self._counts)[places],
            len(rows),
        )

    def state(self) -> Mapping[str, Any]:
        """All texts as arrays and a list of words."""
        return {
            "words": list(self._words),
            "columns": np.array(self._columns, np.int32),
            "counts": np.array(self._counts),
            "ends": np.array(self._ends, np.int64),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._words = {word: number for number, word in enumerate(state["words"])}
        self._columns = array("i", state["columns"].tolist())
        self._counts = array("d", state["counts"].tolist())
        self._ends = array("q", state["ends"].tolist())
