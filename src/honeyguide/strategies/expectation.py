"""Ridge regression that is taught link by link: what the words of a link promise, by what others led to."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Expectation:
    """Fits a linear function of vectors to what they were worth; corrections of an earlier worth are welcome."""

    def __init__(self, *, width: int, penalty: float) -> None:
        self._products = np.eye(width + 1) * penalty
        self._worths = np.zeros(width + 1)
        self.weights: Floats = np.zeros(width + 1)

    def learn(self, vectors: Floats, worth: float, times: float = 1.0) -> None:
        """Take in vectors that were worth so much, each counted so often."""
        rows = _with_one(vectors)
        self._products += np.einsum("ij,ik->jk", times * rows, rows)
        self._worths += times * worth * rows.sum(axis=0)

    def correct(self, vector: Floats, change: float) -> None:
        """A vector learned before was worth so much more."""
        self._worths += change * _with_one(vector[None])[0]

    def settle(self) -> None:
        """Work out the function anew."""
        self.weights = np.linalg.solve(self._products, self._worths).astype(np.float64)

    def of(self, vectors: NDArray[np.float32]) -> Floats:
        """What vectors are worth."""
        return np.asarray(
            np.einsum("ij,j->i", vectors, self.weights[:-1].astype(np.float32)) + self.weights[-1]
        )

    def state(self) -> Mapping[str, Any]:
        """All it was taught, and what it made of it when it last settled."""
        return {"products": self._products, "worths": self._worths, "weights": self.weights}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._products = state["products"].astype(np.float64)
        self._worths = state["worths"].astype(np.float64)
        self.weights = state["weights"].astype(np.float64)


def _with_one(vectors: Floats) -> Floats:
    return np.concatenate((vectors, np.ones((len(vectors), 1))), axis=1)
