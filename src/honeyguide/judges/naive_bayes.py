"""Naive Bayes (GT 2.7.2.2): how much more often a page's words occur in examples than in other texts."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.judges.calibration import Platt, platt
from honeyguide.judges.counted import Counted, part_weights
from honeyguide.judges.held_back import Floats, Mask, Sample, check_base_rate, texts_of
from honeyguide.judges.reasons import through_sigmoid, weightiest
from honeyguide.judges.saved import must_be
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents
from honeyguide.text.wordbook import Column

NAME = "naive-bayes@1"


class NaiveBayes:
    """Judges by the multinomial model: a word speaks for a page by log P(word | on topic) / P(word | off topic).

    A word's probability is its share of all words of the examples, or of the others, `smoothing` added to
    every count; a word that none of them has says nothing. The model takes words for independent, so the sum
    over a page is far too sure of itself and its probabilities stick to 0 and 1. Hence the margin is the mean
    over the page's words, which does not grow with its length, and the score is the probability of such a
    mean by held-back texts, if `base_rate` is the share of pages that are on topic.
    """

    needs: tuple[str, ...] = ("examples", "background")

    def __init__(
        self,
        *,
        smoothing: float = 0.1,
        base_rate: float = 0.1,
        title_weight: float = 1.0,
        headings_weight: float = 0.0,
        keywords_weight: float = 0.0,
    ) -> None:
        if not 0 < smoothing <= 1e6:
            raise ConfigError(
                f"The naive-bayes judge's smoothing must lie above 0 and not above 1000000, not at {smoothing}."
            )
        check_base_rate("naive-bayes", base_rate)
        self.smoothing = smoothing
        self.base_rate = base_rate
        self.weights = part_weights(
            "naive-bayes", title=title_weight, headings=headings_weight, keywords=keywords_weight
        )

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Count the words of the examples and of the other texts."""
        documents = documents or Documents.of(topic)
        counted = Counted.of(texts_of(topic), documents, self.weights)
        lengths = counted.by_row(counted.counts)
        sample = Sample.of(topic, judge="naive-bayes", worded=lengths > 0)

        def margins_of(learned: Mask, asked: Mask) -> Floats:
            ratios = self._ratios(counted, sample, learned)
            # Words that are only in what was held back would be unknown, and count for nothing.
            known = counted.said(learned)[counted.columns]
            sums = counted.by_row(counted.counts * ratios[counted.columns] * known)
            return np.asarray(sums / np.maximum(counted.by_row(counted.counts * known), 1e-9))[asked]

        margins = sample.margins(margins_of)
        calibration = platt(margins, sample.on_topic, sample.presumed(self.base_rate))
        self._held_back = margins - calibration.margin_at(0.5)
        known = counted.said(sample.used)
        self._take(
            [word for word, said in zip(counted.words, known.tolist(), strict=True) if said],
            self._ratios(counted, sample, sample.used)[known],
            calibration,
            documents,
        )
        return self

    def held_back(self) -> Floats:
        """What it would have said of each text without having learned from it, as margins."""
        return self._held_back

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        bag = self._documents.read(page).bag(self.weights)
        known = self._known.of(bag.numbers) * bag.counts
        if not known.any():
            return Verdict(0.0, False, min(-self._threshold, -1.0), judge=NAME)
        amounts = self._ratio.of(bag.numbers) * known / max(float(known.sum()), 1e-9)
        mean = float(amounts.sum())
        calibration = self._calibration
        names = self._documents.book.words.list
        _, reasons = through_sigmoid(
            calibration.offset,
            weightiest(calibration.slope * amounts, lambda at: names[bag.numbers[at]]),
            before="before any word",
        )
        margin = mean - self._threshold
        return Verdict(calibration.probability(mean), margin > 0, margin, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """The words that speak for a page, the weightiest first."""
        found = [Reason(word, ratio) for word, ratio in self._ratio_of.items() if ratio > 0]
        return sorted(found, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {
            "judge": NAME,
            "words": list(self._ratio_of),
            "ratios": np.array(list(self._ratio_of.values())),
            "calibration": self._calibration.state(),
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        calibration = Platt(state["calibration"]["slope"], state["calibration"]["offset"])
        self._take(state["words"], state["ratios"], calibration, documents or Documents())
        return self

    def _ratios(self, counted: Counted, sample: Sample, learned: Mask) -> Floats:
        """For every word, the logarithm of how much more of the examples it makes up than of the others."""
        counts = counted.counts * (sample.weights * learned)[counted.rows]
        on_topic = sample.on_topic[counted.rows]
        known = counted.said(learned)
        shares = []
        for kind in (on_topic, ~on_topic):
            number = (counted.by_word(counts * kind) + self.smoothing) * known
            shares.append(np.log(np.where(known, number, 1.0) / number.sum()))
        ratios: Floats = shares[0] - shares[1]
        return ratios

    def _take(self, words: list[str], ratios: Floats, calibration: Platt, documents: Documents) -> None:
        self._ratio_of: dict[str, float] = dict(zip(words, ratios.tolist(), strict=True))
        self._calibration = calibration
        self._threshold = calibration.margin_at(0.5)
        self._documents = documents
        self._ratio = Column(documents.book.words, self._ratio_for)
        self._known = Column(documents.book.words, self._is_known)

    def _ratio_for(self, word: str) -> float:
        return self._ratio_of.get(word, 0.0)

    def _is_known(self, word: str) -> float:
        return float(word in self._ratio_of)
