"""Names of several words, found in a page's words in any form that has the same stems."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from honeyguide.text.tokens import Tokeniser
from honeyguide.text.wordbook import Column, Names, Numbers


class Found(NamedTuple):
    """A name, and the words it takes up."""

    name: str
    start: int
    size: int


class Phrases:
    """Finds thousands of names at once: only where the first two words of one stand is looked any further.

    Names are given by the stems of their words, of which each has two at least; a stop word stands for itself.
    """

    def __init__(self, names: Mapping[tuple[str, ...], str], words: Names, tokeniser: Tokeniser) -> None:
        self._tokeniser = tokeniser
        self._pieces: dict[str, int] = {}
        for key in names:
            for stem in key:
                self._pieces.setdefault(stem, len(self._pieces) + 1)
        self._names = {tuple(self._pieces[stem] for stem in key): name for key, name in names.items()}
        self._longest = max(map(len, self._names), default=0)
        self._base = len(self._pieces) + 1
        self._openings = np.unique([one * self._base + two for one, two, *_ in self._names]).astype(np.int64)
        self._piece = Column(words, self._number, np.int64)

    def find(self, words: Numbers) -> list[Found]:
        """The names in some words, in order, the longest at each place; no word belongs to two."""
        if not self._names or len(words) < 2:
            return []
        pieces = self._piece.of(words)
        pairs = np.flatnonzero((pieces[:-1] > 0) & (pieces[1:] > 0))
        openings = pieces[pairs] * self._base + pieces[pairs + 1]
        # The last opening stands for what is sorted after all of them.
        nearest = np.minimum(np.searchsorted(self._openings, openings), len(self._openings) - 1)
        found: list[Found] = []
        end = 0
        for start in pairs[self._openings[nearest] == openings].tolist():
            run = tuple(pieces[start : start + self._longest].tolist()) if start >= end else ()
            for size in range(len(run), 1, -1):
                name = self._names.get(run[:size])
                if name is not None:
                    found.append(Found(name, start, size))
                    end = start + size
                    break
        return found

    def _number(self, word: str) -> int:
        return self._pieces.get(self._tokeniser.stem(word) or word, 0)
