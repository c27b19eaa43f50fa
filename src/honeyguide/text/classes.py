"""Which of several classes of texts a page belongs to: naive Bayes over stems."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.bags import Counts, Floats
from honeyguide.text.documents import Bag, Documents
from honeyguide.text.wordbook import Column

SMOOTHING = 0.1
"""What a class knows of a stem beforehand, as a share of what a stem has on average over all classes."""

SHARPNESS = 20.0
"""How many words of a page count as if they were independent: all of them would make it sure of anything."""


class Classes:
    """Texts that were sorted into classes, and how probable each class is for another text.

    A stem's share of a class is its part of the words of the class's texts, every text counting alike; what a
    class has not seen it presumes to be as common as in all classes together. The logarithms of the shares,
    averaged over a page's words, say how well each class explains the page. A class without texts is never
    probable; stems that no class has seen say nothing.
    """

    def __init__(
        self, words: list[str], shares: Floats, known: NDArray[np.bool_], documents: Documents
    ) -> None:
        self._words = words
        self._shares = shares
        self._known = known
        self._numbers = {word: number for number, word in enumerate(words, 1)}
        self._number = Column(documents.book.stems, lambda stem: self._numbers.get(stem, 0), np.int32)

    @classmethod
    def of(cls, counts: Counts, belongs: NDArray[np.int64], classes: int, documents: Documents) -> "Classes":
        """Learn from texts, each of which belongs to one of so many classes."""
        values = np.log1p(counts.counts)
        values /= np.sqrt(counts.by_row(np.square(values)))[counts.rows]
        words = len(counts.words)
        places = belongs[counts.rows] * words + counts.columns
        said = np.bincount(places, values, classes * words).reshape(classes, words)
        everywhere = counts.by_word(values) / max(float(values.sum()), 1e-9)
        sums = said + SMOOTHING * words * everywhere
        shares = np.log(sums / np.maximum(sums.sum(axis=1, keepdims=True), 1e-9))
        return cls(counts.words, shares, np.bincount(belongs, minlength=classes) > 0, documents)

    def of_page(self, bag: Bag) -> Floats:
        """How probable each class is for a page."""
        numbers = self._number.of(bag.numbers)
        seen = np.flatnonzero(numbers)
        values = np.log1p(bag.counts.take(seen))
        fits = np.einsum("ij,j->i", self._shares[:, numbers.take(seen) - 1], values)
        return self._probable(fits / max(float(values.sum()), 1e-9))

    def of_texts(self, counts: Counts) -> Floats:
        """The same for many texts: a row for each."""
        number_of = np.array([self._numbers.get(word, 0) for word in counts.words], np.int64)
        numbers = number_of[counts.columns] if counts.words else np.zeros(0, np.int64)
        values = np.where(numbers > 0, np.log1p(counts.counts), 0.0)
        lengths = np.maximum(counts.by_row(values), 1e-9)
        fits = [counts.by_row(shares[numbers - 1] * values) / lengths for shares in self._shares]
        return np.array([self._probable(of_text) for of_text in np.array(fits).T])

    def state(self) -> Mapping[str, Any]:
        """All that was learned."""
        return {"words": self._words, "shares": self._shares, "known": self._known.astype(np.int8)}

    @classmethod
    def restored(cls, state: Mapping[str, Any], documents: Documents) -> "Classes":
        """The classes that gave this state."""
        return cls(state["words"], state["shares"], state["known"].astype(np.bool_), documents)

    def _probable(self, fits: Floats) -> Floats:
        best = fits[self._known].max(initial=-np.inf)
        odds = np.where(self._known, np.exp(SHARPNESS * np.minimum(fits - best, 0.0)), 0.0)
        return np.asarray(odds / odds.sum())
