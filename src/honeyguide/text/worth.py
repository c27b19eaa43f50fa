"""How much a short text promises, learned from texts whose worth is known: naive Bayes over bins of worth."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SMOOTHING = 0.1
"""What a bin knows of a word beforehand, as a share of what a word has on average."""

INDEPENDENT = 20.0
"""Words of a text that count as if they were independent; those of a longer text count for less each."""


class Worth:
    """Texts were sorted into bins by their worth; another is worth the bins' means, each times its probability.

    Words go by numbers. A bin's probability is naive Bayes', its share of the texts included.
    """

    def __init__(self, words: NDArray[np.int32], shares: Floats, priors: Floats, means: Floats) -> None:
        self._words = words
        self._shares = shares
        self._priors = priors
        self._means = means

    @classmethod
    def of(
        cls,
        rows: NDArray[np.intp],
        words: NDArray[np.int32],
        bins: NDArray[np.intp],
        worths: Floats,
        most: int,
    ) -> "Worth":
        """Learn from texts: a word and its text's row for every occurrence, a bin below `most` and a worth a row."""
        known, columns = np.unique(words, return_inverse=True)
        width = len(known)
        said = np.bincount(bins[rows] * width + columns, minlength=most * width).reshape(most, width)
        everywhere = said.sum(axis=0) / max(len(words), 1)
        sums = said + SMOOTHING * width * everywhere
        shares = np.log(sums / np.maximum(sums.sum(axis=1, keepdims=True), 1e-9))
        texts = np.bincount(bins, minlength=most)
        means = np.bincount(bins, worths, most) / np.maximum(texts, 1)
        return cls(known, shares, np.log(np.maximum(texts, 1e-9) / max(len(bins), 1)), means)

    def estimates(self, rows: NDArray[np.intp], words: NDArray[np.int32], texts: int) -> Floats:
        """What texts are worth, by their words as in `of`."""
        if not len(self._words):
            return np.full(texts, float((np.exp(self._priors) * self._means).sum()))
        at = np.minimum(np.searchsorted(self._words, words), len(self._words) - 1)
        seen = np.flatnonzero(self._words[at] == words)
        rows, at = rows[seen], at[seen]
        lengths = np.bincount(rows, minlength=texts)
        sharpness = np.minimum(1.0, INDEPENDENT / np.maximum(lengths, 1))
        fits = np.array([np.bincount(rows, shares[at], texts) * sharpness for shares in self._shares])
        fits += self._priors[:, None]
        odds = np.exp(fits - fits.max(axis=0))
        return np.asarray((odds * self._means[:, None]).sum(axis=0) / odds.sum(axis=0))

    def state(self) -> Mapping[str, Any]:
        """All that was learned."""
        return {"words": self._words, "shares": self._shares, "priors": self._priors, "means": self._means}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> "Worth":
        """What gave this state."""
        return cls(state["words"], state["shares"], state["priors"], state["means"])
