"""A small language model reads the beginning of a page; slow and, for what it costs, thorough."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.judges.centre import Centre
from honeyguide.judges.lessons import Lessons
from honeyguide.judges.saved import must_be
from honeyguide.model import Example, Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents
from honeyguide.text.minilm import LONGEST, encode

NAME = "minilm@1"


class MiniLM:
    """Judges by the cosine of the vector of a page's title and opening to that of the examples, or the keywords.

    The vectors are those of all-MiniLM-L6-v2, which reads 256 word pieces, seen from the mean of the background.
    The score is the cosine, and its reason the example that the page is most like. A page is relevant above the
    `threshold`; without one, half-way from the background to the examples, each held back in turn. Reading a
    page takes a tenth of a second or more, so only the first `background` texts are read before the crawl.
    """

    needs: tuple[str, ...] = ("background",)

    def __init__(self, *, threshold: float | None = None, background: int = 50) -> None:
        if threshold is not None and not 0 <= threshold <= 1:
            raise ConfigError(f"The minilm judge's threshold must lie between 0 and 1, not at {threshold}.")
        if background < 2:
            raise ConfigError(f"The minilm judge's background must be 2 texts or more, not {background}.")
        self.threshold = threshold
        self.background = background

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Find where the topic lies."""
        lessons = Lessons(topic, documents or Documents.of(topic), judge="minilm", query=1.0)
        examples = lessons.texts[: lessons.examples]
        usual = [lessons.texts[at] for at in np.flatnonzero(lessons.usual)[: self.background].tolist()]
        query = None if examples else encode(" ".join((topic.name, *topic.keywords)))
        vectors = np.array([_vector(text) for text in (*examples, *usual)])
        self._centre = Centre.of(vectors[: len(examples)], vectors[len(examples) :], query)
        self._examples = vectors[: len(examples)]
        self._names = [text.title or text.url or "an example" for text in examples]
        self._query = topic.name
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        threshold = self._centre.threshold if self.threshold is None else self.threshold
        if not page.title.strip() and not page.text[:LONGEST].strip():
            return Verdict(0.0, False, -threshold, judge=NAME)
        vector = _vector(page)
        cosine = self._centre.nearness(vector)
        if cosine <= 0:
            return Verdict(0.0, False, cosine - threshold, judge=NAME)
        score = min(1.0, cosine)
        like = self._query
        if len(self._examples):
            like = self._names[int(np.argmax((self._examples * vector).sum(axis=1)))]
        reasons = (Reason(f"its opening reads like {like}", score),)
        return Verdict(score, score > threshold, score - threshold, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """The examples that pages are compared with, or the topic's name."""
        return [Reason(name, 1.0) for name in self._names or [self._query]]

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {
            "judge": NAME,
            "query": self._query,
            "names": self._names,
            "examples": self._examples,
            **self._centre._asdict(),
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        self._centre = Centre(state["middle"], state["direction"], state["threshold"])
        self._query, self._names, self._examples = state["query"], list(state["names"]), state["examples"]
        return self


def _vector(page: Page | Example) -> NDArray[np.float64]:
    return encode(f"{page.title}\n{page.text[:LONGEST]}")
