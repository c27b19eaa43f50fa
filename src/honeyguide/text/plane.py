"""A plane between two kinds of short texts, learned by a linear support vector machine."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.snippets import NUMBERS, Snippets

Floats = NDArray[np.float64]


class Plane:
    """The weight of every stem, and on which side of 0 a text lies by them and how far.

    A text counts by which stems it has, as a vector of length 1.
    """

    def __init__(self, stems: NDArray[np.int32], weights: Floats, bias: float) -> None:
        self._stems = stems
        self._weights = weights
        self._bias = bias
        self._weight_of = np.zeros(NUMBERS)
        self._weight_of[stems] = weights

    @classmethod
    def between(cls, texts: Snippets, is_good: NDArray[np.bool_]) -> "Plane":
        """Learn from texts of both kinds, which count alike however many there are of each."""
        from scipy.sparse import csr_array
        from sklearn.svm import LinearSVC

        rows, stems, values = _table(texts)
        known, columns = np.unique(stems, return_inverse=True)
        places = rows.astype(np.int32), columns.astype(np.int32)
        table = csr_array((values, places), shape=(len(is_good), len(known)))
        machine = LinearSVC(dual=True, class_weight="balanced", random_state=0)
        with warnings.catch_warnings():
            # It may not come to rest; where it has got to then is good enough.
            warnings.simplefilter("ignore")
            machine.fit(table, is_good)
        return cls(known.astype(np.int32), machine.coef_[0].copy(), float(machine.intercept_[0]))

    def margins(self, texts: Snippets, count: int) -> Floats:
        """How far so many texts lie on the good side; of one without words, what is usual."""
        rows, stems, values = _table(texts)
        sums = np.bincount(rows, self._weight_of.take(stems) * values, count)
        return np.asarray(sums + self._bias, np.float64)

    def state(self) -> Mapping[str, Any]:
        """All that was learned."""
        return {"stems": self._stems, "weights": self._weights, "bias": self._bias}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> "Plane":
        """The plane that gave this state."""
        return cls(state["stems"], state["weights"], state["bias"])


def _table(texts: Snippets) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Every stem of every text once, with what it is worth there."""
    pairs = np.unique(texts.rows * np.int64(NUMBERS) + texts.stems)
    rows, stems = pairs // NUMBERS, pairs % NUMBERS
    return rows, stems, 1 / np.sqrt(np.bincount(rows).take(rows))
