"""The judge that a crawl has unless told otherwise: several views of a page, weighed together."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.judges.aspects import Aspect, Meaning, Words
from honeyguide.judges.lessons import Lessons, has_others, words_of
from honeyguide.judges.reasons import through_sigmoid
from honeyguide.judges.ridge import ridge
from honeyguide.judges.saved import must_be
from honeyguide.judges.sayings import Saying, Terms
from honeyguide.model import Page, Reason, Term, Topic, Verdict
from honeyguide.text.documents import Document, Documents
from honeyguide.text.embeddings import Embeddings

NAME = "blend@1"

Floats = NDArray[np.float64]

ASPECTS = {"words": 1.33, "opening": 0.67, "style": 0.7, "meaning": 1.33, "opening's meaning": 0.67}
"""How much each aspect of pages counts when two are compared; an opening is a title and the first words."""

WITHOUT_EXAMPLES = ("meaning", "opening's meaning")
"""The aspects of which keywords alone can tell anything."""

QUERY = 0.5
"""What the topic's name and keywords weigh as one more example."""

FREEDOM = 10.0
"""How freely the regression chooses the value of a page that is like none of the texts."""

PENALTY = 0.05

SAYING, SAYING_ALONE, VOCABULARY = 5.0, 20.0, 2.0
"""How many times the spread of the background it adds to say the topic's words, with and without examples, and
the terms of its vocabulary."""

USUAL_SPREAD, USUAL_LEVEL, FEW = 0.25, 4.0, 5.0
"""The spread of the background's values, the examples' level, and how many texts' worth this guess of the two is."""

NOTHING = -100.0
"""The margin of a page that says nothing: below that of all others."""


class Scale(NamedTuple):
    """The logarithm of a page's odds to be on topic is slope * evidence + offset."""

    slope: float
    offset: float


class Standing(NamedTuple):
    """What a page of the background has: from there evidence is counted.

    `values` are the background's mean values by aspect, `start` the regression's for a page of just these;
    `unit` is the spread of its values; `middle` and `spread` are those of the evidence made of them.
    """

    values: dict[str, float]
    start: float
    unit: float
    middle: float
    spread: float


class Blend:
    """Judges by the words of a page, of its title and opening, its style, its meaning, and the topic's words.

    Each aspect makes a vector of length 1 of a page. One ridge regression over all of them learns what sets
    examples apart from the background; the topic's name and keywords are half an example more. Its value, the
    cosine of the page to the topic's words and what the page says of the topic's vocabulary are the evidence.
    Evidence is counted from the middle of the background and in units of its spread below that, for above it
    may lie pages that are on topic. How far pages on topic lie from there differs between topics; the examples,
    each held back in turn, tell how far.

    Without examples only meaning and the topic's words count. With nothing to compare pages with (no texts ship in
    other languages than English, and nobody gave any) its words and vocabulary alone do. How evidence becomes a
    probability was learned from topics of an encyclopedia and kinds of pages at universities. A page is relevant when
    its probability is more than `threshold`: topics are rare, and precision and recall balance well below one half.
    """

    needs: tuple[str, ...] = ("background",)

    def __init__(self, *, threshold: float = 0.2) -> None:
        if not 0 < threshold < 1:
            raise ConfigError(f"The blend judge's threshold must lie between 0 and 1, not at {threshold}.")
        self.threshold = threshold

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Learn what sets the topic apart."""
        documents = documents or Documents.of(topic)
        if not has_others(topic):
            return self._go_by_words(topic, documents)
        lessons = Lessons(topic, documents, judge="blend", query=QUERY)
        self._open(
            documents,
            aspects=list(ASPECTS) if lessons.examples else list(WITHOUT_EXAMPLES),
            query=lessons.query,
            vocabulary=topic.vocabulary,
        )
        said = []
        for number, text in enumerate(lessons.texts):
            document = documents.read(text)
            for aspect in self._aspects.values():
                aspect.show(document, query=number == lessons.own)
            said.append(sum(reason.amount for reason in self._said(document)))
        usual = lessons.usual
        alike = np.full((len(usual), len(usual)), FREEDOM)
        for name, aspect in self._aspects.items():
            alike += ASPECTS[name] * aspect.kernel(usual)
        regression = ridge(alike, np.where(lessons.on_topic, 1.0, -1.0), lessons.shares, PENALTY)
        values = {
            name: float(aspect.settle(ASPECTS[name] * regression.pulls)[usual].mean())
            for name, aspect in self._aspects.items()
        }
        start = FREEDOM * float(regression.pulls.sum()) + sum(values.values())
        unit = _spread(regression.held_back[usual], USUAL_SPREAD)
        evidence = regression.held_back / unit + np.array(said)
        middle = float(np.median(evidence[usual]))
        below = evidence[usual][evidence[usual] <= middle] - middle
        spread = _spread(np.concatenate((below, -below)), 1.0)
        self._standing = Standing(values, start, unit, middle, spread)
        self._scale = _scale((evidence[: lessons.examples] - middle) / spread)
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        document = self._documents.read(page)
        standing, (slope, offset) = self._standing, self._scale
        gain = slope / standing.spread
        start = offset + gain * (standing.start / standing.unit - standing.middle)
        reasons = [Reason(what, gain * amount) for what, amount in self._evidence(document)]
        if not reasons:
            return Verdict(0.0, False, NOTHING, judge=NAME)
        score, told = through_sigmoid(start, reasons, before="what any page has")
        margin = start + math.fsum(reason.amount for reason in reasons) - _logit(self.threshold)
        return Verdict(score, margin > 0, margin, "", told, NAME)

    def terms(self) -> list[Reason]:
        """The stems that speak for a page, or without examples the topic's words, the weightiest first."""
        words = self._aspects.get("words")
        found = words.weights() if isinstance(words, Words) else dict.fromkeys(self._query.split(), 1.0)
        reasons = [Reason(word, weight) for word, weight in found.items() if weight > 0]
        return sorted(reasons, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {
            "judge": NAME,
            "query": self._query,
            "vocabulary": [list(term) for term in self._vocabulary],
            "aspects": {name: aspect.state() for name, aspect in self._aspects.items()},
            "standing": list(self._standing),
            "scale": list(self._scale),
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        self._open(
            documents or Documents(),
            aspects=list(state["aspects"]),
            query=state["query"],
            vocabulary=tuple(Term(*term) for term in state["vocabulary"]),
        )
        for name, aspect in self._aspects.items():
            aspect.restore(state["aspects"][name])
        self._standing = Standing(*state["standing"])
        self._scale = Scale(*state["scale"])
        return self

    def _go_by_words(self, topic: Topic, documents: Documents) -> Self:
        """Look for what the topic says of itself, since nothing tells what pages are usually like."""
        query = words_of(topic, documents, alone=True)
        if not query:
            raise ConfigError(
                f"The topic {topic.name!r} has no words to look for; give it keywords, or a background that its "
                "examples can be compared with."
            )
        self._open(documents, aspects=[], query=query, vocabulary=topic.vocabulary)
        self._standing = Standing({}, start=0.0, unit=1.0, middle=0.0, spread=1.0)
        self._scale = _scale(np.zeros(0))
        return self

    def _open(
        self, documents: Documents, *, aspects: list[str], query: str, vocabulary: tuple[Term, ...]
    ) -> None:
        embeddings = Embeddings(documents.book)
        every: dict[str, Aspect] = {
            "words": Words(documents, "page"),
            "opening": Words(documents, "opening"),
            "style": Words(documents, "style"),
            "meaning": Meaning(documents, embeddings, "page"),
            "opening's meaning": Meaning(documents, embeddings, "opening"),
        }
        self._documents = documents
        self._aspects = {name: every[name] for name in aspects}
        self._query = query
        self._vocabulary = vocabulary
        self._sayings = (
            ("the topic's words", Saying(query, documents), SAYING if "words" in aspects else SAYING_ALONE),
            ("the vocabulary", Terms(vocabulary, documents), VOCABULARY),
        )

    def _evidence(self, document: Document) -> list[Reason]:
        """What speaks for a page and against it, from where the background stands."""
        standing = self._standing
        found = []
        for name, aspect in self._aspects.items():
            if (seen := aspect.look(document)) is not None:
                amount = (seen.value - standing.values[name]) / standing.unit
                found.append(Reason(_called(f"its {name}", seen.words), amount))
        return found + self._said(document)

    def _said(self, document: Document) -> list[Reason]:
        looks = ((name, saying.look(document), times) for name, saying, times in self._sayings)
        return [Reason(_called(name, seen.words), times * seen.value) for name, seen, times in looks if seen]


def _called(name: str, words: tuple[str, ...]) -> str:
    return f"{name}: {', '.join(words)}" if words else name


def _spread(values: Floats, usual: float) -> float:
    """The standard deviation, drawn to the usual one where there are few values."""
    away = float(np.square(values - values.mean()).sum())
    return math.sqrt((away + FEW * usual**2) / (len(values) + FEW))


def _scale(examples: Floats) -> Scale:
    """How evidence becomes odds, given the evidence for examples that were held back.

    The more examples, the better pages on topic are told apart, and the more the same evidence means.
    """
    number = len(examples)
    if not number:
        return Scale(0.65, -4.4)
    level = (float(examples.sum()) + USUAL_LEVEL) / (number + 1)
    return Scale(0.78, 1.5 * number / (number + 5) - 0.59 * level - 3.34)


def _logit(probability: float) -> float:
    return math.log(probability / (1 - probability))
