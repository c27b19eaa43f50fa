"""Interest ratios (Aggarwal, Al-Garawi & Yu 2001): how much likelier something seen makes a relevant page."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.snippets import NUMBERS

Floats = NDArray[np.float64]
Words = NDArray[np.int32]

DOUBT = 1.0
"""Sightings without any effect that every word is presumed to have had."""


def log_ratio(relevant: Floats, seen: Floats, share: float, doubt: float) -> Floats:
    """log I = log P(C | E) / P(C), from the pages seen with E and the relevant ones among them; `share` is P(C)."""
    if not 0 < share < 1:
        return np.zeros(len(seen))
    return np.asarray(np.log((relevant + doubt * share) / (seen + doubt) / share))


class Interest:
    """Words that were seen before pages were fetched, and how many of those pages were relevant."""

    def __init__(self) -> None:
        self._seen = np.zeros(NUMBERS)
        self._relevant = np.zeros(NUMBERS)

    def note(self, words: Words, relevant: float) -> None:
        """These words, each once, told of a page that was relevant, not, or so much."""
        self._seen[words] += 1
        self._relevant[words] += relevant

    def logs(self, share: float, significance: float) -> Floats:
        """log I(C, w) = log P(C | w) / P(C) for every word, 0 if it is no more than chance explains.

        `share` is P(C). A word counts if the pages it told of deviate by so many standard deviations.
        """
        logs = np.zeros(NUMBERS)
        if not 0 < share < 1:
            return logs
        known = np.flatnonzero(self._seen)
        seen, relevant = self._seen[known], self._relevant[known]
        deviation = np.abs(relevant - seen * share) / np.sqrt(seen * share * (1 - share))
        logs[known] = np.where(deviation >= significance, log_ratio(relevant, seen, share, DOUBT), 0.0)
        return logs

    def state(self) -> Mapping[str, Any]:
        """The words seen, and their counts."""
        known = np.flatnonzero(self._seen)
        return {"words": known, "seen": self._seen[known], "relevant": self._relevant[known]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._seen, self._relevant = np.zeros(NUMBERS), np.zeros(NUMBERS)
        self._seen[state["words"]] = state["seen"]
        self._relevant[state["words"]] = state["relevant"]
