"""A linear support vector machine over words (GD 7.4): what sets the examples apart from other texts."""

import warnings
from collections.abc import Mapping
from typing import Any, Literal, Self

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

NAME = "svm@1"


class Svm:
    """Judges by the side of a plane on which a page's words lie; it is learned from examples.

    As in GD 7.4 words are neither stemmed nor stopped and the kernel is linear. It differs in three ways that
    a handful of examples makes necessary. Pages are vectors of length 1, so that a long page is not on topic
    for its length. With `features` "log" a word counts by the logarithm of its number (GD's is "binary":
    whether it occurs). And a page is relevant not above margin 0, which hardly any unseen page reaches, but
    where it is as probable as not to be on topic, by the margins of held-back examples and background, if
    `base_rate` is the share of pages that are; a `threshold` for the margin takes the place of that.
    """

    needs: tuple[str, ...] = ("examples", "background")

    def __init__(
        self,
        *,
        c: float = 1.0,
        features: Literal["log", "binary"] = "log",
        base_rate: float = 0.1,
        threshold: float | None = None,
        title_weight: float = 1.0,
        headings_weight: float = 0.0,
        keywords_weight: float = 0.0,
    ) -> None:
        if not 0 < c <= 1e6:
            raise ConfigError(f"The svm judge's c must lie above 0 and not above 1000000, not at {c}.")
        if features not in ("log", "binary"):
            raise ConfigError(f"The svm judge's features must be log or binary, not {features!r}.")
        check_base_rate("svm", base_rate)
        if threshold is not None and not -1e6 <= threshold <= 1e6:
            raise ConfigError(f"The svm judge's threshold must be a number near 0, not {threshold}.")
        self.c = c
        self.features = features
        self.base_rate = base_rate
        self.threshold = threshold
        self.weights = part_weights(
            "svm", title=title_weight, headings=headings_weight, keywords=keywords_weight
        )

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Learn what sets the topic's examples apart."""
        documents = documents or Documents.of(topic)
        counted = Counted.of(texts_of(topic), documents, self.weights)
        sample = Sample.of(topic, judge="svm", worded=counted.by_row(counted.counts) > 0)
        machine = _Machine(counted, self._values(counted.counts), sample, self.c)
        plane, bias = machine.plane(sample.used)
        margins = sample.margins(machine.margins)
        calibration = platt(margins, sample.on_topic, sample.presumed(self.base_rate))
        threshold = calibration.margin_at(0.5) if self.threshold is None else self.threshold
        self._held_back = margins - threshold
        self._take(machine.words, plane, bias, calibration, threshold, documents)
        return self

    def held_back(self) -> Floats:
        """What it would have said of each text without having learned from it, as margins."""
        return self._held_back

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        bag = self._documents.read(page).bag(self.weights)
        values = self._values(bag.counts)
        length = float(np.sqrt(np.square(values).sum()))
        amounts = self._weight.of(bag.numbers) * values / (length or 1.0)
        raw = self._bias + float(amounts.sum())
        calibration = self._calibration
        names = self._documents.book.words.list
        _, reasons = through_sigmoid(
            calibration.slope * self._bias + calibration.offset,
            weightiest(calibration.slope * amounts, lambda at: names[bag.numbers[at]]),
            before="before any word",
        )
        margin = raw - self._threshold
        return Verdict(calibration.probability(raw), margin > 0, margin, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """The words that speak for a page, the weightiest first."""
        found = [Reason(word, weight) for word, weight in self._plane.items() if weight > 0]
        return sorted(found, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {
            "judge": NAME,
            "words": list(self._plane),
            "weights": np.array(list(self._plane.values())),
            "bias": self._bias,
            "calibration": self._calibration.state(),
            "threshold": self._threshold,
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        calibration = Platt(state["calibration"]["slope"], state["calibration"]["offset"])
        self._take(
            state["words"],
            state["weights"],
            state["bias"],
            calibration,
            state["threshold"],
            documents or Documents(),
        )
        return self

    def _take(
        self,
        words: list[str],
        plane: Floats,
        bias: float,
        calibration: Platt,
        threshold: float,
        documents: Documents,
    ) -> None:
        self._plane: dict[str, float] = dict(zip(words, plane.tolist(), strict=True))
        self._bias = bias
        self._calibration = calibration
        self._threshold = threshold
        self._documents = documents
        self._weight = Column(documents.book.words, self._weight_of)

    def _weight_of(self, word: str) -> float:
        return self._plane.get(word, 0.0)

    def _values(self, counts: Floats) -> Floats:
        values: Floats = np.log1p(counts) if self.features == "log" else np.ones(len(counts))
        return values


class _Machine:
    """Learns planes from some of the texts, and measures the others by them."""

    def __init__(self, counted: Counted, values: Floats, sample: Sample, c: float) -> None:
        from scipy.sparse import csr_array

        length = np.sqrt(counted.by_row(np.square(values)))
        kept = _telling(counted, sample.labelled)
        column = np.cumsum(kept, dtype=np.int32) - 1
        places = kept[counted.columns]
        rows = counted.rows[places]
        self.words = [word for word, telling in zip(counted.words, kept.tolist(), strict=True) if telling]
        self._table = csr_array(
            (values[places] / length[rows], (rows, column[counted.columns[places]])),
            shape=(counted.texts, len(self.words)),
        )
        self._sample = sample
        self._c = c

    def plane(self, learned: Mask) -> tuple[Floats, float]:
        """The weight of every word, and the margin of a page without any."""
        from sklearn.svm import LinearSVC

        machine = LinearSVC(C=self._c, dual=True, random_state=0)
        with warnings.catch_warnings():
            # A large c may not come to rest; where it has got to then is good enough.
            warnings.simplefilter("ignore")
            machine.fit(self._table[learned], self._sample.on_topic[learned], self._sample.balanced[learned])
        return machine.coef_[0], float(machine.intercept_[0])

    def margins(self, learned: Mask, asked: Mask) -> Floats:
        """The margins of some texts by the plane learned from others."""
        plane, bias = self.plane(learned)
        margins: Floats = self._table[asked] @ plane + bias
        return margins


def _telling(counted: Counted, labelled: Mask) -> Mask:
    """Which words can set texts apart: not those that a single text of the background says."""
    by_person = labelled[counted.rows].astype(np.float64)
    return (counted.by_word(by_person) > 0) | (counted.by_word(1 - by_person) > 1)
