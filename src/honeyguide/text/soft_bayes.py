"""Naive Bayes that is taught by shades of grey, text by text, and asked at any time."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.snippets import NUMBERS

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

DOUBT = 5.0
"""Texts that are presumed before the first one comes, one in ten of them good."""

_MANY = 2
"""When a feature is asked for so often, on average, all that were met are worked out first."""


class SoftBayes:
    """Learns how good texts are from numbered features that they have, each text good to a degree from 0 to 1.

    A text of goodness r is counted as good r times and as bad 1 - r times. With p the mean goodness, n texts
    that have a feature and their goodness g in total, the feature speaks for a text by
    log((g + s * p) / p) - log((n - g + s * (1 - p)) / (1 - p)); s is the `smoothing`, and a feature that was
    never met says nothing. Without a smoothing s is 1 / p: where one text in a hundred is good, ten bad ones with a
    feature say little. Features go by numbers below `numbers`.
    """

    def __init__(self, *, smoothing: float | None = 1.0, numbers: int = NUMBERS) -> None:
        self.smoothing = smoothing
        self._texts = 0.0
        self._good = 0.0
        self._texts_of = np.zeros(numbers)
        self._good_of = np.zeros(numbers)

    @property
    def is_taught(self) -> bool:
        """Whether it has met a text."""
        return self._texts > 0

    @property
    def usual(self) -> float:
        """The mean goodness of texts."""
        return (self._good + DOUBT / 10) / (self._texts + DOUBT)

    def learn(self, rows: Places, features: Places, goodness: Floats, times: float = 1.0) -> None:
        """Take in texts, each counted so often: which text each feature is of, and how good each text is; repetitions
        of a feature count once.
        """
        of, which = np.divmod(np.unique(rows * np.int64(NUMBERS) + features), NUMBERS)
        np.add.at(self._texts_of, which, times)
        np.add.at(self._good_of, which, times * goodness.take(of))
        self._texts += times * len(goodness)
        self._good += times * math.fsum(goodness.tolist())

    def correct(self, features: Places, change: float) -> None:
        """A text of these features, each named once, that was learned before is so much better."""
        self._good_of[features] += change
        self._good += change

    def knows(self, features: Places) -> NDArray[np.bool_]:
        """Whether each feature was met."""
        return np.asarray(self._texts_of.take(features) > 0)

    def says(self, features: Places) -> Floats:
        """How much each feature speaks for a text that has it."""
        if _MANY * features.size > len(self._texts_of):
            met = self._texts_of.nonzero()[0]
            every = np.zeros(len(self._texts_of))
            every[met] = self._say(self._good_of.take(met), self._texts_of.take(met))
            return every.take(features)
        return self._say(self._good_of.take(features), self._texts_of.take(features))

    def _say(self, good: Floats, texts: Floats) -> Floats:
        """How much features speak for a text, by how many texts had them and how good those were; in their place."""
        usual = self.usual
        smoothing = 1 / usual if self.smoothing is None else self.smoothing
        texts -= good
        texts += smoothing * (1 - usual)
        good += smoothing * usual
        good /= texts
        np.log(good, out=good)
        good -= math.log(usual / (1 - usual))
        return good

    def odds(self, rows: Places, features: Places, texts: int, independent: float) -> Floats:
        """How much each text's features speak for it together; more than so many count as if they were that many."""
        sums = np.bincount(rows, self.says(features), texts)
        counts = np.bincount(rows, minlength=texts)
        return np.asarray(sums * np.minimum(1.0, independent / np.maximum(counts, 1)))

    def state(self) -> Mapping[str, Any]:
        """All it was taught."""
        known = self._texts_of.nonzero()[0]
        return {
            "texts": self._texts,
            "good": self._good,
            "features": known.astype(np.int32),
            "texts_of": self._texts_of[known],
            "good_of": self._good_of[known],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._texts, self._good = state["texts"], state["good"]
        self._texts_of[:] = self._good_of[:] = 0.0
        self._texts_of[state["features"]] = state["texts_of"]
        self._good_of[state["features"]] = state["good_of"]
