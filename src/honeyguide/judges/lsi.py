"""Latent semantic indexing (AP 2.1.2): how close a page is to the topic in the dimensions of a corpus."""

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.judges.counted import part_weights
from honeyguide.judges.held_back import Floats, Mask, Sample, texts_of
from honeyguide.judges.outliers import beyond
from honeyguide.judges.reasons import weightiest
from honeyguide.judges.saved import must_be
from honeyguide.judges.stem_table import Repeats, StemTable, check_cosine_settings, term_frequency
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents
from honeyguide.text.lsi import dimensions
from honeyguide.text.vectors import Query
from honeyguide.text.wordbook import Column

NAME = "lsi@1"

HIGHEST = 0.95
"""The highest threshold that is set without being asked for."""

TINY = 1e-9
"""A page of which less than this lies in the dimensions has no direction there."""


class Lsi:
    """Judges by the cosine of a page to the topic in `k` dimensions of a corpus; pages are folded in.

    The corpus is the topic's, or, if it has none, its examples and background. Of its stems the `vocabulary`
    most frequent are kept, up to half of them those of the examples, which may be few among many other texts;
    they weigh tf * idf with a fixed background. The topic lies where the mean of its
    examples does (`by` "examples"), or its name and keywords ("query"), or half-way ("both"). A cosine below 0
    scores 0. Unless a `threshold` is given it lies where the background hardly ever comes to; what held-back
    examples score says little, as they have shaped the dimensions that they are held back from.

    AP keep 1000 stems and 50 dimensions, and ask by a query.
    """

    needs: tuple[str, ...] = ("examples", "background")

    def __init__(
        self,
        *,
        k: int = 50,
        vocabulary: int = 1000,
        by: Literal["examples", "query", "both"] = "examples",
        threshold: float | None = None,
        repeats: Repeats = "log",
        title_weight: float = 1.0,
        headings_weight: float = 0.0,
        keywords_weight: float = 0.0,
    ) -> None:
        if not 1 <= k <= 1000:
            raise ConfigError(f"The lsi judge's k must lie between 1 and 1000, not at {k}.")
        if not 10 <= vocabulary <= 100_000:
            raise ConfigError(
                f"The lsi judge's vocabulary must lie between 10 and 100000 stems, not at {vocabulary}."
            )
        if by not in ("examples", "query", "both"):
            raise ConfigError(f"The lsi judge's by must be examples, query or both, not {by!r}.")
        check_cosine_settings("lsi", threshold, repeats)
        self.k = k
        self.vocabulary = vocabulary
        self.by = by
        self.threshold = threshold
        self.repeats = repeats
        self.weights = part_weights(
            "lsi", title=title_weight, headings=headings_weight, keywords=keywords_weight
        )

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Learn the dimensions of the corpus, and where the topic lies in them."""
        documents = documents or Documents.of(topic)
        learned_from = texts_of(topic)
        table = StemTable.of((*learned_from, *topic.corpus), documents, self.weights)
        corpus = table.rows(slice(len(learned_from), None) if topic.corpus else slice(None))
        own = table.rows(slice(len(topic.examples))).most_frequent(self.vocabulary // 2)
        kept = list(dict.fromkeys((*own, *corpus.most_frequent(self.vocabulary))))[: self.vocabulary]
        stems = [table.stems[column] for column in kept]
        vectors = table.weighted(documents.background.idfs(table.stems), self.repeats)[:, kept]
        space = dimensions(vectors[len(learned_from) :] if topic.corpus else vectors, self.k)
        folded = _unit(vectors[: len(learned_from)] @ space)
        sample = Sample.of(topic, judge="lsi", worded=np.square(folded).sum(axis=1) > 0)
        asked_for = self._query(topic, stems, space, documents)

        def target(learned: Mask) -> Floats:
            shares = np.where(learned & sample.on_topic, sample.weights, 0.0)
            mean = _unit((shares / (shares.sum() or 1.0)) @ folded)
            places = {"examples": mean, "query": asked_for, "both": mean + asked_for}
            return _unit(places[self.by])

        def margins(learned: Mask, asked: Mask) -> Floats:
            cosines: Floats = folded[asked] @ target(learned)
            return cosines

        held_back = sample.margins(margins)
        threshold = self.threshold
        if threshold is None:
            usual = held_back[sample.used & ~sample.on_topic]
            threshold = min(HIGHEST, beyond(usual.tolist(), least=0.0))
        self._held_back = held_back - threshold
        words = [table.words[column] for column in kept]
        self._take(stems, words, space, target(sample.used), threshold, documents)
        return self

    def held_back(self) -> Floats:
        """What it would have said of each text without having learned from it, as margins."""
        return self._held_back

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        bag = self._documents.read(page).stems(self.weights)
        rows = self._row.of(bag.numbers)
        said = np.flatnonzero(rows)
        rows = rows[said] - 1
        values = term_frequency(bag.counts[said], self.repeats) * self._documents.idf.of(bag.numbers[said])
        # The part of the page outside the kept stems would only make its vector longer; its cosine is the same.
        values /= float(np.sqrt(np.square(values).sum())) or 1.0
        folded = np.einsum("i,ij->j", values, self._space[rows])
        length = float(np.sqrt(np.square(folded).sum()))
        if length < TINY:
            return Verdict(0.0, False, -self._threshold, judge=NAME)
        amounts = values * self._towards[rows] / length
        cosine = min(1.0, float(amounts.sum()))
        margin = cosine - self._threshold
        if cosine <= 0:
            return Verdict(0.0, False, margin, judge=NAME)
        reasons = weightiest(amounts, lambda at: self._words[rows[at]])
        return Verdict(cosine, margin > 0, margin, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """The words that lead towards the topic, the weightiest first."""
        towards = self._towards.tolist()
        found = [
            Reason(word, amount) for word, amount in zip(self._words, towards, strict=True) if amount > 0
        ]
        return sorted(found, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {
            "judge": NAME,
            "stems": list(self._rows),
            "words": self._words,
            "space": self._space,
            "target": self._target,
            "threshold": self._threshold,
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        self._take(
            state["stems"],
            state["words"],
            state["space"],
            state["target"],
            state["threshold"],
            documents or Documents(),
        )
        return self

    def _query(self, topic: Topic, stems: list[str], space: Floats, documents: Documents) -> Floats:
        """Where the topic's name and keywords lie."""
        if self.by == "examples":
            return np.zeros(space.shape[1])
        weights = Query.of(topic, documents).weights
        asked = np.array([weights.get(stem, 0.0) for stem in stems])
        place = _unit(asked @ space)
        if not place.any():
            raise ConfigError(
                f"The lsi judge finds none of the words of the topic {topic.name!r} in its corpus; "
                'give it keywords that the corpus says, or let it go by = "examples".'
            )
        return place

    def _take(
        self,
        stems: list[str],
        words: list[str],
        space: Floats,
        target: Floats,
        threshold: float,
        documents: Documents,
    ) -> None:
        self._rows = {stem: 1 + row for row, stem in enumerate(stems)}
        self._words = words
        self._space = space
        self._target = target
        self._towards = np.einsum("ij,j->i", space, target)
        self._threshold = threshold
        self._documents = documents
        self._row = Column(documents.book.stems, self._row_of, np.int32)

    def _row_of(self, stem: str) -> int:
        return self._rows.get(stem, 0)


def _unit(vectors: Floats) -> Floats:
    """Vectors of length 1 in the same directions; what is next to nothing becomes nothing."""
    lengths = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    unit: Floats = np.where(lengths > TINY, vectors / np.where(lengths > TINY, lengths, 1.0), 0.0)
    return unit
