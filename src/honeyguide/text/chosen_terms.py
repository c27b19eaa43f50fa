"""Texts as vectors over a fixed choice of stems, such as AP's 1000 most frequent ones."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Example, Page
from honeyguide.text.bags import Bags
from honeyguide.text.documents import Documents
from honeyguide.text.snippets import SnippetReader
from honeyguide.text.wordbook import Column

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]


class Weighed(NamedTuple):
    """The terms of a text by their numbers, and their weights."""

    terms: NDArray[np.int64]
    weights: Floats


class Said(NamedTuple):
    """Which terms texts say: for each occurrence the number of the text and that of the term."""

    texts: NDArray[np.int64]
    terms: NDArray[np.int64]


class ChosenTerms:
    """Stems numbered from 0; they weigh log(1 + tf) * idf with a fixed background, and a text has length 1."""

    def __init__(self, stems: Sequence[str], documents: Documents) -> None:
        self.stems = list(stems)
        self.idf = documents.background.idfs(self.stems) if self.stems else np.zeros(0)
        self._documents = documents
        self._snippets = SnippetReader(documents)
        self._numbers = {stem: number for number, stem in enumerate(self.stems, 1)}
        self._number = Column(documents.book.stems, lambda stem: self._numbers.get(stem, 0), np.int32)

    @classmethod
    def of(
        cls,
        texts: Sequence[Example | Page],
        documents: Documents,
        *,
        most: int,
        first: Iterable[str],
        own: int,
    ) -> tuple["ChosenTerms", "csr_array"]:
        """The most frequent stems of some texts, and a row for every text.

        Those to take `first` are among them, and the most frequent ones of the first `own` texts, which may be
        few among many others, make up to half of them.
        """
        from scipy.sparse import csr_array

        bags = Bags()
        for text in texts:
            bags.add(text, documents)
        counts = bags.chosen(range(len(bags)))
        every = _most_frequent(counts.by_word(counts.counts))
        few = _most_frequent(counts.by_word(np.where(counts.rows < own, counts.counts, 0.0)))
        ranked = (counts.words[column] for column in (*few[: most // 2], *every))
        chosen = cls(list(dict.fromkeys((*first, *ranked)))[:most], documents)
        numbers = np.array([chosen._numbers.get(word, 0) for word in counts.words], np.int64)
        terms = numbers[counts.columns] - 1 if counts.words else np.zeros(0, np.int64)
        kept = terms >= 0
        table = csr_array(
            (counts.counts[kept], (counts.rows[kept], terms[kept])), shape=(len(bags), len(chosen.stems))
        )
        return chosen, chosen.weighted(table)

    def table(self, said: Said, texts: int) -> "csr_array":
        """A row for each of so many texts."""
        from scipy.sparse import csr_array

        shape = (texts, len(self.stems))
        return self.weighted(csr_array((np.ones(len(said.terms)), (said.texts, said.terms)), shape=shape))

    def weighted(self, counts: "csr_array") -> "csr_array":
        """Rows of length 1 for rows of counts; zeros for a text without terms."""
        from scipy.sparse import csr_array

        weights = np.log1p(counts.data) * self.idf[counts.indices]
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        squares = np.bincount(rows, np.square(weights), counts.shape[0])
        lengths = np.sqrt(np.where(squares > 0, squares, 1.0))
        return csr_array((weights / lengths[rows], counts.indices, counts.indptr), shape=counts.shape)

    def vector(self, weights: dict[str, float]) -> Floats:
        """Weights of stems as a vector; stems that were not chosen are left out."""
        return np.array([weights.get(stem, 0.0) for stem in self.stems])

    def of_page(self, page: Page | Example) -> Weighed:
        """The terms of a page, in the order of their numbers."""
        bag = self._documents.read(page).stems()
        numbers = self._number.of(bag.numbers).astype(np.int64)
        said = np.flatnonzero(numbers)
        said = said[np.argsort(numbers[said])]
        terms = numbers[said] - 1
        weights = np.log1p(bag.counts[said]) * self.idf[terms]
        return Weighed(terms, weights / (np.sqrt(np.square(weights).sum()) or 1.0))

    def of_short_texts(self, texts: Sequence[str]) -> Said:
        """The terms of many short texts, such as the anchors of a page, all read at once."""
        read = self._snippets.read(texts)
        numbers = self._number.of(read.names)
        said = np.flatnonzero(numbers)
        return Said(read.rows[said], numbers[said].astype(np.int64) - 1)


def _most_frequent(totals: Floats) -> list[int]:
    """The columns that have anything, the largest first; of equal ones, the first."""
    return [column for column in np.argsort(-totals, kind="stable").tolist() if totals[column]]
