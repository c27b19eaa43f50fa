"""The semantic judges (BT 3.3): how near a page's words come to the topic's by what they are kinds of."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.judges.reasons import weightiest
from honeyguide.judges.saved import must_be
from honeyguide.model import Concept, Page, Reason, Topic, Verdict
from honeyguide.text.documents import Document, Documents
from honeyguide.text.ontology import Ontology
from honeyguide.text.phrases import Phrases
from honeyguide.text.related import By, Related, frequencies, idf_of
from honeyguide.text.wordbook import Column, Numbers

NAME = "semantic@1"

REMEMBERED = 20_000
"""Words for which the reason they are is remembered."""


class Measure(NamedTuple):
    """One way to put similarities together, and the parameters that suit it."""

    similarity: By
    idf: bool
    half: float
    threshold: float
    least: float


MEASURES = {
    "synset": Measure("synonyms", idf=True, half=0.0, threshold=0.02, least=0.0),
    "ehrig": Measure("ehrig", idf=False, half=1.0, threshold=0.35, least=0.5),
    "ssrm": Measure("li", idf=True, half=1.0, threshold=0.12, least=0.8),
}


class Semantic:
    """Judges by the topic's ontology, or by WordNet if it has none, from the topic's name and keywords.

    `by` says how: `synset` (BT eq. 10), the cosine of the page to the topic's terms and their synonyms; `ehrig`
    (eq. 8), the similarity 0.5 ** distance of every word of the page to every term of the topic, times the tf of
    both, summed up; `ssrm` (eq. 9), Li's similarity instead, times the tf * idf of both, divided by the lengths of
    both vectors. Names of several words, such as an ontology is full of, are found as such.

    The sums of ehrig and ssrm have no upper end, so the score is sum / (sum + 1), which keeps their order; the
    cosine is the score itself. Eq. 8 is not normalised: its sums grow with the number of the topic's words.
    Similarities less than `least` count as nothing. As BT prints it `least` is 0, and a long page is near to
    anything by its many words that are a little like it. A page is relevant when it scores more than `threshold`;
    the defaults of both depend on `by`, and lie between what balances precision and recall best for topics of a
    name only and for those with six keywords more.
    """

    needs: tuple[str, ...] = ("keywords",)
    learns = False

    def __init__(
        self,
        *,
        by: Literal["synset", "ehrig", "ssrm"] = "synset",
        threshold: float | None = None,
        least: float | None = None,
    ) -> None:
        if by not in MEASURES:
            raise ConfigError(f"The semantic judge goes by {', '.join(MEASURES)}, not by {by!r}.")
        for name, value in (("threshold", threshold), ("least", least)):
            if value is not None and not 0 <= value <= 1:
                raise ConfigError(f"The semantic judge's {name} must lie between 0 and 1, not at {value}.")
        self.by = by
        self._measure = MEASURES[by]
        self.threshold = self._measure.threshold if threshold is None else threshold
        self.least = self._measure.least if least is None else least

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Take up a topic."""
        documents = documents or Documents.of(topic)
        ontology = Ontology.of_topic(topic.ontology, documents.tokeniser)
        self._take(frequencies(topic, ontology, documents.tokeniser), topic.ontology, ontology, documents)
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        document = self._documents.read(page)
        bag = document.bag()
        counts, phrases = self._phrases_in(document.words, bag.numbers, bag.counts)
        said = np.array([times * self._value_of_name(name) for name, times in phrases.items()])
        amounts = np.concatenate((counts * self._value.of(bag.numbers), said))
        total = float(amounts.sum()) / self._scale(document)
        if total <= 0:
            return Verdict(0.0, False, -self.threshold, judge=NAME)
        score = total / (total + self._measure.half) if self._measure.half else min(1.0, total)
        names = [*phrases]
        reasons = weightiest(
            amounts * (score / float(amounts.sum())),
            lambda at: self._reason(
                self._documents.book.words.list[bag.numbers[at]]
                if at < len(bag.numbers)
                else names[at - len(bag.numbers)]
            ),
        )
        return Verdict(score, score > self.threshold, score - self.threshold, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """What it looks for, and the synonyms of it, the weightiest first."""
        found = [
            Reason(self._reason(name), self._related.value(name, key))
            for key, name in self._related.synonyms().items()
        ]
        return sorted(found, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic; WordNet comes with the package."""
        return {
            "judge": NAME,
            "terms": self._frequencies,
            "ontology": [[*concept] for concept in self._concepts],
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        documents = documents or Documents()
        concepts = [Concept(key, tuple(names), tuple(parents)) for key, names, parents in state["ontology"]]
        ontology = Ontology.of_topic(concepts, documents.tokeniser)
        self._take(state["terms"], concepts, ontology, documents)
        return self

    def _take(
        self,
        terms: Mapping[str, float],
        concepts: Sequence[Concept],
        ontology: Ontology,
        documents: Documents,
    ) -> None:
        self._frequencies, self._concepts, self._documents = dict(terms), concepts, documents
        # The synonyms of eq. 10 are terms of the query like any other, so each has its own idf.
        own_idf = self.by == "ssrm"
        weights = {
            term: frequency * (self._idf(term) if own_idf else 1.0) for term, frequency in terms.items()
        }
        self._related = Related(
            weights, ontology, documents.tokeniser, by=self._measure.similarity, least=self.least
        )
        self._length = math.hypot(*self._related.weights)
        if self.by == "synset":
            expanded = self._related.synonyms().items()
            self._length = math.hypot(
                *(self._related.value(name, key) * self._idf(name) for key, name in expanded)
            )
        self._value = Column(documents.book.words, self._value_of_word)
        self._values: dict[str, float] = {}
        self._reasons: dict[str, str] = {}
        self._phrases = Phrases(self._related.phrases, documents.book.words, documents.tokeniser)

    def _scale(self, document: Document) -> float:
        """What the sum of similarities is divided by: max f, because tf = f / max f; or the vectors' lengths."""
        stems = document.stems()
        if not self._measure.idf:
            return float(stems.counts.max(initial=1.0))
        weights = stems.counts * self._documents.idf.of(stems.numbers)
        return self._length * float(np.sqrt(np.square(weights).sum())) or 1.0

    def _phrases_in(
        self, words: Numbers, numbers: Numbers, counts: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], Counter[str]]:
        """How often the page says each word of `numbers` outside of names of several words, and each such name."""
        found = self._phrases.find(words)
        if not found:
            return counts, Counter()
        covered = Counter(
            number for _, start, size in found for number in words[start : start + size].tolist()
        )
        left = counts.copy()
        for number, times in covered.items():
            left[np.flatnonzero(numbers == number)] -= times
        return left, Counter(name for name, _, _ in found)

    def _value_of_word(self, word: str) -> float:
        stem = self._documents.tokeniser.stem(word)
        return self._weighed(self._related.value(word, (stem,)), word) if stem else 0.0

    def _value_of_name(self, name: str) -> float:
        """The value of a name of several words; there are only so many of them, so all are remembered."""
        if name not in self._values:
            self._values[name] = self._weighed(self._related.value(name, self._related.key(name)), name)
        return self._values[name]

    def _weighed(self, value: float, name: str) -> float:
        """A similarity with the idf of the page's vector, and for synonyms that of the query's."""
        times = 2 if self.by == "synset" else int(self._measure.idf)
        return value * self._idf(name) ** times if value and times else value

    def _idf(self, name: str) -> float:
        return idf_of(name, self._documents.background, self._documents.tokeniser)

    def _reason(self, name: str) -> str:
        if name not in self._reasons:
            if len(self._reasons) >= REMEMBERED:
                self._reasons.clear()
            key = self._related.key(name)
            term = self._related.nearest(name, key)
            self._reasons[name] = term if self._related.key(term) == key else f"{term} (through {name})"
        return self._reasons[name]
