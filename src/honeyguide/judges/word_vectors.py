"""What a page's words mean: how near the mean of their vectors lies to that of the examples."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.judges.centre import Centre
from honeyguide.judges.lessons import Lessons
from honeyguide.judges.reasons import weightiest
from honeyguide.judges.saved import must_be
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Bag, Document, Documents
from honeyguide.text.embeddings import Embeddings

NAME = "word-vectors@1"

MOST_TERMS = 1000
"""Words of the topic's own texts that are remembered for people to look at."""


class WordVectors:
    """Judges by the cosine of the mean of a page's word vectors to that of the examples, or of the keywords.

    Both are seen from the mean of the background. A word counts by the root of its number. The score is the
    cosine; its reasons are what each word adds to it, which is much for a word that means what the examples
    are about, whether or not they say it. A page is relevant above the `threshold`; without one, half-way from
    the background to the examples, each held back in turn.
    """

    needs: tuple[str, ...] = ("background",)

    def __init__(self, *, threshold: float | None = None) -> None:
        if threshold is not None and not 0 <= threshold <= 1:
            raise ConfigError(
                f"The word-vectors judge's threshold must lie between 0 and 1, not at {threshold}."
            )
        self.threshold = threshold

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Find where the topic lies."""
        documents = documents or Documents.of(topic)
        lessons = Lessons(topic, documents, judge="word-vectors", query=1.0)
        self._open(documents)
        vectors, words = [], dict[str, None]()
        for text, on_topic in zip(lessons.texts, lessons.on_topic.tolist(), strict=True):
            document = documents.read(text)
            vectors.append(self._embeddings.mean(*self._bag(document)))
            if on_topic:
                words |= dict.fromkeys(_said(document, documents))
        self._words = list(words)[:MOST_TERMS]
        table = np.array(vectors)
        query = table[lessons.own] if lessons.own is not None else None
        self._take(Centre.of(table[: lessons.examples], table[lessons.usual], query))
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        document = self._documents.read(page)
        numbers, counts = self._bag(document)
        threshold = self._centre.threshold if self.threshold is None else self.threshold
        away = self._embeddings.mean(numbers, counts) - self._centre.middle
        length = float(np.sqrt(np.square(away).sum()))
        if not len(numbers) or not length:
            return Verdict(0.0, False, -threshold, judge=NAME)
        amounts = counts * (self._along.of(numbers) - self._level) / (length * counts.sum())
        cosine = float(amounts.sum())
        if cosine <= 0:
            return Verdict(0.0, False, cosine - threshold, judge=NAME)
        names = self._documents.book.words.list
        reasons = weightiest(amounts, lambda at: names[numbers[at]], others="other words")
        score = min(1.0, cosine)
        return Verdict(score, score > threshold, score - threshold, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """Words of the topic's texts that mean what it is about, the nearest first."""
        vectors = self._embeddings.vectors(self._words).astype(np.float64)
        found = [
            Reason(word, self._centre.nearness(vector))
            for word, vector in zip(self._words, vectors, strict=True)
        ]
        return sorted((reason for reason in found if reason.amount > 0), key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {"judge": NAME, "words": self._words, **self._centre._asdict()}

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        self._open(documents or Documents())
        self._words = list(state["words"])
        self._take(Centre(state["middle"], state["direction"], state["threshold"]))
        return self

    def _open(self, documents: Documents) -> None:
        self._documents = documents
        self._embeddings = Embeddings(documents.book)

    def _take(self, centre: Centre) -> None:
        self._centre = centre
        self._level = float((centre.middle * centre.direction).sum())
        self._along = self._embeddings.along(centre.direction)

    def _bag(self, document: Document) -> Bag:
        bag = document.bag()
        return Bag(bag.numbers, np.sqrt(bag.counts))


def _said(document: Document, documents: Documents) -> list[str]:
    """The words of a text but for stop words, those said most first."""
    numbers, counts = document.bag()
    stems = documents.book.stem_numbers(numbers)
    order = np.argsort(-counts, kind="stable")
    return [documents.book.words.list[numbers[at]] for at in order.tolist() if stems[at]]
