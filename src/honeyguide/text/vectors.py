"""Texts as weighted words, and how close they are to a topic's.

tf-idf (BT eq. 1): w = tf * idf with tf = f / max f, idf from a fixed background. The cosine of two such
vectors does not depend on max f, so where only the cosine is wanted f stands for tf.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from honeyguide.errors import ConfigError
from honeyguide.model import Topic
from honeyguide.text.background import Background
from honeyguide.text.documents import Documents
from honeyguide.text.tokens import Tokeniser

_LONGEST_REMEMBERED = 200


def tfidf(counts: Mapping[str, float], background: Background) -> dict[str, float]:
    """The weight of each stem of a text (BT eq. 1)."""
    most = max(counts.values(), default=0) or 1
    return {stem: number / most * background.idf(stem) for stem, number in counts.items()}


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The cosine of the angle between two vectors; 0 if one of them is empty."""
    lengths = length(one) * length(other)
    product = sum([weight * other[stem] for stem, weight in one.items() if stem in other])
    return min(1.0, product / lengths) if lengths > 0 else 0.0


def length(vector: Mapping[str, float]) -> float:
    """The Euclidean length of a vector."""
    return math.hypot(*vector.values())


class Query:
    """A topic's words as a vector of length 1, and the cosine of short texts to it."""

    def __init__(
        self, texts: Iterable[str], *, background: Background, tokeniser: Tokeniser, remembered: int = 20_000
    ) -> None:
        self.background = background
        self.tokeniser = tokeniser
        text = "\n".join(texts)
        weights = tfidf(tokeniser.counts(text), background)
        size = length(weights)
        self.weights = {stem: weight / size for stem, weight in weights.items() if size > 0}
        self.words: dict[str, str] = {}
        for word in tokeniser.tokens(text):
            for stem in tokeniser.stems(word):
                self.words.setdefault(stem, word)
        self._cosines = _Cosines(self, remembered)

    @classmethod
    def of(cls, topic: Topic, documents: Documents | None = None) -> "Query":
        """The query of a topic: its name and keywords; a word in both counts twice, phrases are split."""
        documents = documents or Documents.of(topic)
        query = cls(
            (topic.name, *topic.keywords), background=documents.background, tokeniser=documents.tokeniser
        )
        if not query.weights:
            raise ConfigError(f"The topic {topic.name!r} has no words to look for; give it keywords.")
        return query

    def cosine(self, text: str) -> float:
        """The cosine of a text to the query."""
        stems = self.tokeniser.stems(text)
        if self.weights.keys().isdisjoint(stems):
            return 0.0
        return cosine(self.weights, tfidf(Counter(stems), self.background))

    def cosines(self, texts: Sequence[str]) -> list[float]:
        """The cosines of many short texts, such as the anchors of a page; remembers a bounded number."""
        return list(map(self._cosines.__getitem__, texts))


class _Cosines(dict[str, float]):
    """The cosines of texts met before: menus repeat on every page of a site."""

    def __init__(self, query: Query, size: int) -> None:
        super().__init__()
        self._query = query
        self._size = size

    def __missing__(self, text: str) -> float:
        value = self._query.cosine(text)
        if len(text) <= _LONGEST_REMEMBERED:
            if len(self) >= self._size:
                self.clear()
            self[text] = value
        return value
