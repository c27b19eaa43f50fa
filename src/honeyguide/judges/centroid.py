"""The centroid judge (BT eq. 11): how close a page's words are to those of the examples, taken together."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.judges.counted import part_weights
from honeyguide.judges.held_back import Floats, Mask, Sample, check_base_rate, texts_of
from honeyguide.judges.reasons import weightiest
from honeyguide.judges.saved import must_be
from honeyguide.judges.stem_table import (
    Repeats,
    StemTable,
    check_cosine_settings,
    even_odds,
    term_frequency,
)
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents
from honeyguide.text.wordbook import Column

NAME = "centroid@1"


class Centroid:
    """Judges by the cosine of a page to the mean of the examples, less `against` times that of other texts.

    Texts are vectors of length 1; words weigh tf * idf with a fixed background. A cosine below 0 scores 0.
    Unless a `threshold` is given, a page is relevant where it is as probable as not to be on topic, by the
    cosines of held-back examples and background, if `base_rate` is the share of pages that are.

    BT's centroid is of the relevant pages only (`against` 0) and its tf linear (`repeats` "linear").
    """

    needs: tuple[str, ...] = ("examples", "background")

    def __init__(
        self,
        *,
        against: float = 1.0,
        threshold: float | None = None,
        base_rate: float = 0.1,
        repeats: Repeats = "log",
        title_weight: float = 1.0,
        headings_weight: float = 0.0,
        keywords_weight: float = 0.0,
    ) -> None:
        if not 0 <= against <= 10:
            raise ConfigError(f"The centroid judge's against must lie between 0 and 10, not at {against}.")
        check_base_rate("centroid", base_rate)
        check_cosine_settings("centroid", threshold, repeats)
        self.against = against
        self.threshold = threshold
        self.base_rate = base_rate
        self.repeats = repeats
        self.weights = part_weights(
            "centroid", title=title_weight, headings=headings_weight, keywords=keywords_weight
        )

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Learn where the topic's examples lie."""
        documents = documents or Documents.of(topic)
        table = StemTable.of(texts_of(topic), documents, self.weights)
        sample = Sample.of(topic, judge="centroid", worded=np.diff(table.counts.indptr) > 0)
        vectors = table.weighted(documents.background.idfs(table.stems), self.repeats)

        def direction(learned: Mask) -> Floats:
            found = np.zeros(len(table.stems))
            for kind, sign in ((sample.on_topic, 1.0), (~sample.on_topic, -self.against)):
                shares = np.where(learned & kind, sample.weights, 0.0)
                found += sign * (vectors.T @ (shares / (shares.sum() or 1.0)))
            return found / (float(np.sqrt(np.square(found).sum())) or 1.0)

        def margins(learned: Mask, asked: Mask) -> Floats:
            cosines: Floats = vectors[asked] @ direction(learned)
            return cosines

        held_back = sample.margins(margins)
        threshold = even_odds(held_back, sample, self.base_rate) if self.threshold is None else self.threshold
        self._held_back = held_back - threshold
        self._take(table.stems, table.words, direction(sample.used), threshold, documents)
        return self

    def held_back(self) -> Floats:
        """What it would have said of each text without having learned from it, as margins."""
        return self._held_back

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        bag = self._documents.read(page).stems(self.weights)
        values = term_frequency(bag.counts, self.repeats) * self._documents.idf.of(bag.numbers)
        length = float(np.sqrt(np.square(values).sum()))
        amounts = values * self._weight.of(bag.numbers) / (length or 1.0)
        cosine = min(1.0, float(amounts.sum()))
        margin = cosine - self._threshold
        if cosine <= 0:
            return Verdict(0.0, False, margin, judge=NAME)
        reasons = weightiest(amounts, lambda at: self._word(bag.numbers[at]))
        return Verdict(cosine, margin > 0, margin, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """The words of the examples, the weightiest first."""
        found = [Reason(word, weight) for word, weight in self._direction.values() if weight > 0]
        return sorted(found, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {
            "judge": NAME,
            "stems": list(self._direction),
            "words": [word for word, _ in self._direction.values()],
            "direction": np.array([weight for _, weight in self._direction.values()]),
            "threshold": self._threshold,
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        self._take(
            state["stems"], state["words"], state["direction"], state["threshold"], documents or Documents()
        )
        return self

    def _take(
        self, stems: list[str], words: list[str], direction: Floats, threshold: float, documents: Documents
    ) -> None:
        self._direction = {
            stem: (word, weight)
            for stem, word, weight in zip(stems, words, direction.tolist(), strict=True)
            if weight
        }
        self._threshold = threshold
        self._documents = documents
        self._weight = Column(documents.book.stems, self._weight_of)

    def _weight_of(self, stem: str) -> float:
        return self._direction[stem][1] if stem in self._direction else 0.0

    def _word(self, number: int) -> str:
        return self._direction[self._documents.book.stems.list[number]][0]
