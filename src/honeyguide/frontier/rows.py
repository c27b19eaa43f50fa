"""The truth about every row in nine bytes: its state and its score."""

from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import UrlState

WAITING, VISITED, REFUSED, ALIAS, SOURCE = (ord(state[0]) for state in UrlState)
UNDER_WAY = ord("u")
"""States as kept here: the initial of each."""

_CHUNK = 1 << 20


class Rows:
    """Rows are numbered from 1 on, in the order in which their URLs were first heard of."""

    def __init__(self) -> None:
        self.states = bytearray(1)
        self.scores = array("d", (0.0,))

    def __len__(self) -> int:
        return len(self.states) - 1

    def append(self, state: UrlState, scores: list[float]) -> None:
        """The next rows, all in one state."""
        self.states.extend(state[0].encode() * len(scores))
        self.scores.extend(scores)

    def load(
        self, numbers: NDArray[np.uint32], states: NDArray[np.uint8], scores: NDArray[np.float64]
    ) -> None:
        """Rows as they were stored."""
        missing = max(0, int(numbers.max()) + 1 - len(self.states))
        self.states.extend(bytes(missing))
        self.scores.frombytes(bytes(8 * missing))
        np.frombuffer(self.states, np.uint8)[numbers] = states
        np.frombuffer(self.scores)[numbers] = scores

    def waiting(self) -> Iterator[NDArray[np.int64]]:
        """All rows that wait, a chunk at a time."""
        for start in range(0, len(self.states), _CHUNK):
            chunk = np.frombuffer(bytes(self.states[start : start + _CHUNK]), np.uint8)
            yield np.flatnonzero(chunk == WAITING) + start

    def best(self, count: int) -> list[int]:
        """The best that wait, in order."""
        states, all_scores = np.frombuffer(self.states, np.uint8), np.frombuffer(self.scores)
        rows, scores, least = np.empty(0, np.int64), np.empty(0), -np.inf
        for start in range(0, len(states), _CHUNK):
            part = slice(start, start + _CHUNK)
            more = np.flatnonzero((states[part] == WAITING) & (all_scores[part] >= least)) + start
            rows, scores = np.concatenate((rows, more)), np.concatenate((scores, all_scores[more]))
            if len(rows) > count:
                chosen = choose_best(rows, scores, count)
                rows, scores = rows[chosen], scores[chosen]
                least = scores.min()
        return rows[np.lexsort((rows, -scores))].tolist()  # type: ignore[no-any-return]


def choose_best(rows: NDArray[np.integer], scores: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Where the best rows are: those with the highest scores, and the lowest numbers among equals."""
    if len(rows) <= count:
        return np.arange(len(rows))
    least = np.partition(scores, -count)[-count]
    above = np.flatnonzero(scores > least)
    equal = np.flatnonzero(scores == least)
    missing = count - len(above)
    if len(equal) > missing:
        equal = equal[np.argpartition(rows[equal], missing - 1)[:missing]]
    return np.concatenate((above, equal))
