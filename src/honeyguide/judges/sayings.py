"""Whether a page says what a topic says of itself: its words, and the terms of its vocabulary."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from honeyguide.judges.aspects import Seen, furthest
from honeyguide.model import Term
from honeyguide.text.documents import Document, Documents
from honeyguide.text.matching import Matcher
from honeyguide.text.vectors import Query
from honeyguide.text.wordbook import Column


class Saying:
    """The cosine of a page to a topic's words; both count words by their logarithm, and rare ones for more."""

    def __init__(self, text: str, documents: Documents) -> None:
        query = Query([text], background=documents.background, tokeniser=documents.tokeniser)
        self._documents = documents
        self._weights: Mapping[str, float] = query.weights
        self._words: Mapping[str, str] = query.words
        self._weight = Column(documents.book.stems, self._weight_of)

    def look(self, document: Document) -> Seen | None:
        """The cosine, and the words that both say."""
        bag = document.stems()
        weights = self._weight.of(bag.numbers)
        wanted = np.flatnonzero(weights)
        if not wanted.size:
            return None
        counts = (1 + np.log(bag.counts)) * self._documents.idf.of(bag.numbers)
        amounts = weights.take(wanted) * counts.take(wanted) / np.sqrt(np.square(counts).sum())
        stems, numbers = self._documents.book.stems.list, bag.numbers.take(wanted)
        words = tuple(self._words[stems[numbers[at]]] for at in furthest(amounts, 1.0))
        return Seen(float(amounts.sum()), words)

    def _weight_of(self, stem: str) -> float:
        return self._weights.get(stem, 0.0)


class Terms:
    """How much of a vocabulary a page says, as the logarithm of its terms' weights in units of the usual one."""

    def __init__(self, terms: Sequence[Term], documents: Documents) -> None:
        self._terms = tuple(terms)
        self._matcher = Matcher(self._terms, documents)
        self._unit = sum(abs(term.weight) for term in self._terms) / max(1, len(self._terms)) or 1.0

    def look(self, document: Document) -> Seen | None:
        """The logarithm, below 0 where terms against the topic weigh more, and the terms."""
        found = self._matcher.find(document) if self._terms else []
        if not found:
            return None
        amounts = (
            np.array([self._terms[term].weight * math.log1p(times) for term, times in found]) / self._unit
        )
        total = float(amounts.sum())
        words = tuple(self._terms[found[at].term].text for at in furthest(amounts, total))
        return Seen(math.copysign(math.log1p(abs(total)), total), words)
