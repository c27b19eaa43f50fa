"""The BM25 judge (AP eq. 1-3): how much of the topic's words a page says, weighed by its length."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.judges.counted import part_weights
from honeyguide.judges.held_back import Floats
from honeyguide.judges.outliers import beyond
from honeyguide.judges.reasons import weightiest
from honeyguide.judges.saved import must_be
from honeyguide.model import Example, Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents
from honeyguide.text.vectors import Query
from honeyguide.text.wordbook import Column, Numbers

NAME = "bm25@1"

AVERAGE_LENGTH = 250.0
"""Words but stop words of a text, where a topic has no other texts: those of 500 words."""

THRESHOLD = 0.2
"""Where a topic has no other texts to tell what is usual."""


class Bm25:
    """Judges by the BM25 weights of the topic's words in a page.

    The weight of a word is CFW * TF * (k1 + 1) / (k1 * ((1 - b) + b * NDL) + TF), with CFW the inverse document
    frequency in a fixed background, TF how often the page says it and NDL the page's length by the mean length
    of the topic's other texts. The score is the sum over the words of the topic's name and keywords, as a
    share of what a page would get that says nothing else, without end. Unless a `threshold` is given it lies
    where the background hardly ever comes to.
    """

    needs: tuple[str, ...] = ("keywords", "background")
    learns = False

    def __init__(
        self,
        *,
        k1: float = 2.0,
        b: float = 0.75,
        threshold: float | None = None,
        title_weight: float = 3.0,
        headings_weight: float = 0.0,
        keywords_weight: float = 0.0,
    ) -> None:
        if not 0 <= k1 <= 1000:
            raise ConfigError(f"The bm25 judge's k1 must lie between 0 and 1000, not at {k1}.")
        if not 0 <= b <= 1:
            raise ConfigError(f"The bm25 judge's b must lie between 0 and 1, not at {b}.")
        if threshold is not None and not 0 <= threshold <= 1:
            raise ConfigError(f"The bm25 judge's threshold must lie between 0 and 1, not at {threshold}.")
        self.k1 = k1
        self.b = b
        self.threshold = threshold
        self.weights = part_weights(
            "bm25", title=title_weight, headings=headings_weight, keywords=keywords_weight
        )

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Take up a topic."""
        documents = documents or Documents.of(topic)
        query = Query.of(topic, documents)
        words = {stem: (query.words[stem], documents.background.idf(stem)) for stem in query.weights}
        lengths = [float(documents.read(text).stems(self.weights).counts.sum()) for text in topic.background]
        worded = [length for length in lengths if length > 0]
        average = sum(worded) / len(worded) if worded else AVERAGE_LENGTH
        threshold = THRESHOLD if self.threshold is None else self.threshold
        self._take(words, average, threshold, documents)
        if self.threshold is None and topic.background:
            usual = [float(self._said(text)[1].sum()) for text in topic.background]
            self._threshold = min(1.0, beyond(usual, least=THRESHOLD / 10))
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        numbers, amounts = self._said(page)
        score = min(1.0, float(amounts.sum()))
        margin = score - self._threshold
        if score <= 0:
            return Verdict(0.0, False, margin, judge=NAME)
        reasons = weightiest(amounts, lambda at: self._word(numbers[at]))
        return Verdict(score, margin > 0, margin, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """What it looks for, the weightiest first."""
        return sorted((Reason(*found) for found in self._words.values()), key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {
            "judge": NAME,
            "words": self._words,
            "average_length": self._average,
            "threshold": self._threshold,
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        words = {stem: (word, weight) for stem, (word, weight) in state["words"].items()}
        self._take(words, state["average_length"], state["threshold"], documents or Documents())
        return self

    def _take(
        self, words: dict[str, tuple[str, float]], average: float, threshold: float, documents: Documents
    ) -> None:
        self._words = words
        self._most = sum(weight for _, weight in words.values()) * (self.k1 + 1)
        self._average = average
        self._threshold = threshold
        self._documents = documents
        self._weight = Column(documents.book.stems, self._weight_of)

    def _said(self, page: Page | Example) -> tuple[Numbers, Floats]:
        """The topic's words that a page says, and the share of the score that each gives."""
        bag = self._documents.read(page).stems(self.weights)
        weights = self._weight.of(bag.numbers)
        said = np.flatnonzero(weights)
        times = bag.counts[said]
        length = float(bag.counts.sum()) / self._average
        saturation = self.k1 * ((1 - self.b) + self.b * length)
        return bag.numbers[said], weights[said] * times * (self.k1 + 1) / (saturation + times) / self._most

    def _weight_of(self, stem: str) -> float:
        return self._words[stem][1] if stem in self._words else 0.0

    def _word(self, number: int) -> str:
        return self._words[self._documents.book.stems.list[number]][0]
