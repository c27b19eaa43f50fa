"""How close a page is to each of many texts: their tf-idf vectors turned over, stem by stem."""

import numpy as np

from honeyguide.text.background import Background
from honeyguide.text.bags import Counts, Floats
from honeyguide.text.documents import Bag, Documents
from honeyguide.text.wordbook import Column


class Nearest:
    """Texts as vectors of length 1, and the cosine of a page to every one of them at once."""

    def __init__(self, unit: Counts, background: Background, documents: Documents) -> None:
        order = np.argsort(unit.columns, kind="stable")
        self._texts = unit.texts
        self._rows = unit.rows[order]
        self._weights = unit.counts[order]
        self._ends = np.append(0, np.cumsum(np.bincount(unit.columns, minlength=len(unit.words))))
        number_of = {word: number for number, word in enumerate(unit.words, 1)}
        self._number = Column(documents.book.stems, lambda stem: number_of.get(stem, 0), np.int32)
        self._idf = Column(documents.book.stems, background.idf)

    def cosines(self, bag: Bag) -> Floats:
        """The cosine of a page's stems to every text."""
        weights = bag.counts * self._idf.of(bag.numbers)
        length = float(np.sqrt(np.square(weights).sum()))
        numbers = self._number.of(bag.numbers)
        known = np.flatnonzero(numbers)
        if not known.size or not length:
            return np.zeros(self._texts)
        columns = numbers.take(known) - 1
        starts = self._ends.take(columns)
        lengths = self._ends.take(columns + 1) - starts
        ends = np.cumsum(lengths)
        places = np.repeat(starts - (ends - lengths), lengths) + np.arange(int(ends[-1]))
        amounts = self._weights.take(places) * np.repeat(weights.take(known) / length, lengths)
        return np.bincount(self._rows.take(places), amounts, self._texts).astype(np.float64, copy=False)
