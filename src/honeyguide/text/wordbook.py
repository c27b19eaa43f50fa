"""Words as numbers: texts become arrays, so that whatever is asked of their words is asked of all at once.

A dict look-up for every word of a page is most of the cost of judging it. Here the words of a text are found
and hashed as arrays: with H the running sum of byte_i * B^i modulo 2^64, the hash of a word is the difference
of H at its two ends, times B^-start. A table from hashes to numbers then answers for all words at once; only
a word that is not in its slot is looked at by itself. The words are those of `Tokeniser.tokens`.

A slot is one 64-bit number, so that one access reads it: half of a word's hash above, the word's number below.

Which number a word gets depends on what was read before, so nothing may depend on the order of numbers.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from honeyguide.text.tokens import LONGEST_WORD, Tokeniser, cut

Numbers = NDArray[np.int32]

LONGEST_TEXT = 1 << 17
"""Bytes of a text that are read: a page that has not come to its topic by then is not about it."""

_BASE = 0x9E3779B97F4A7C15
_SLOT_BITS = 20
_HALF = np.uint64(32)
_NOTHING = 0


class Names:
    """Names by number, from 1; number 0 is no name. `generation` changes when all are forgotten."""

    def __init__(self) -> None:
        self.generation = 0
        self.list: list[str] = [""]
        self._numbers: dict[str, int] = {"": _NOTHING}

    def number(self, name: str) -> int:
        """The number of a name, a new one if it has none."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.list)
            self.list.append(name)
        return number

    def forget(self) -> None:
        """Number afresh."""
        self.generation += 1
        self.list = [""]
        self._numbers = {"": _NOTHING}

    def __len__(self) -> int:
        return len(self.list)

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process numbers what it reads itself.
        return Names, ()


class Reading(NamedTuple):
    """The words of a text in order, the byte of it in UTF-8 at which each starts, and the text as it was cut."""

    words: Numbers
    starts: NDArray[np.int64]
    cut: bytes

    def breaks(self) -> NDArray[np.bool_]:
        """For every word, whether punctuation or a new line stands before it, as before the first."""
        # A blank was put before the text, so a word starts one place further right than `starts` says.
        marks = (np.frombuffer(self.cut, np.uint8) == ord("\n")).nonzero()[0]
        broken = np.zeros(len(self.words) + 1, np.bool_)
        broken[np.searchsorted(self.starts, marks)] = True
        broken[0] = True
        return broken[:-1]


class Wordbook:
    """Numbers the words of texts and, beside them, their stems. One per thread; grows with what it reads."""

    def __init__(self, tokeniser: Tokeniser) -> None:
        self._open(tokeniser, Names(), Names())

    def _open(self, tokeniser: Tokeniser, words: Names, stems: Names) -> None:
        self.tokeniser = tokeniser
        self.words = words
        self.stems = stems
        self._stem_numbers = Column(self.words, self._stem_number, np.int32)
        self._powers = _powers(_BASE)
        self._inverse = _powers(pow(_BASE, -1, 1 << 64))
        self._running = np.zeros(LONGEST_TEXT, np.uint64)
        self._slots = np.zeros(1 << _SLOT_BITS, np.uint64)
        self._overflow: dict[int, int] = {}
        self._compounds: list[list[int]] = []
        self.learned = 0
        """How much is remembered: pieces, and the words of those that hold several."""

    def read(self, text: str) -> "Reading":
        """The words of a text, and where they stand."""
        text_bytes = b" " + cut(text[:LONGEST_TEXT])[: LONGEST_TEXT - 2] + b" "
        characters = np.frombuffer(text_bytes, np.uint8)
        spaces = characters <= ord(" ")
        edges = (spaces[1:] != spaces[:-1]).nonzero()[0]
        running = self._running[: len(characters)]
        np.multiply(characters, self._powers[: len(characters)], out=running)
        np.add.accumulate(running, out=running)
        at_edges = running.take(edges)
        before = edges[::2]
        hashes = at_edges[1::2] - at_edges[::2]
        hashes *= self._inverse.take(before)
        found = self._slots.take((hashes >> np.uint64(64 - _SLOT_BITS)).view(np.int64))
        numbers: Numbers = found.astype(np.uint32).view(np.int32)
        elsewhere = ((found >> _HALF) != hashes.astype(np.uint32)).nonzero()[0]
        if elsewhere.size:
            keys = hashes[elsewhere].tolist()
            starts, ends = (before[elsewhere] + 1).tolist(), (edges[1::2][elsewhere] + 1).tolist()
            number_of = {
                key: self._overflow[key] if key in self._overflow else self._learn(key, text_bytes[start:end])
                for key, (start, end) in dict(zip(keys, zip(starts, ends, strict=True), strict=True)).items()
            }
            numbers[elsewhere] = [number_of[key] for key in keys]
        kept = numbers.nonzero()[0]
        return Reading(*self._unfold(numbers.take(kept), before.take(kept)), text_bytes)

    def numbers(self, text: str) -> Numbers:
        """The number of every word in order."""
        return self.read(text).words

    def stem_numbers(self, words: Numbers) -> Numbers:
        """The numbers of the words' stems; 0 for stop words."""
        return self._stem_numbers.of(words)

    def forget(self) -> None:
        """Start afresh, when more words were met than are worth remembering."""
        self.words.forget()
        self.stems.forget()
        self._slots[:] = 0
        self._overflow.clear()
        self._compounds.clear()
        self.learned = 0

    def _learn(self, key: int, piece: bytes) -> int:
        """Number a piece met for the first time; the slot is its own if it is free."""
        self.learned += 1
        if piece.isalpha() and len(piece) <= LONGEST_WORD:  # ASCII letters: most of all pieces
            number = self.words.number(piece.decode())
        elif piece.isdigit():
            number = _NOTHING
        else:
            number = self._several([self.words.number(word) for word in self.tokeniser.words_of(piece)])
        slot = key >> (64 - _SLOT_BITS)
        if self._slots[slot]:
            self._overflow[key] = number
        else:
            self._slots[slot] = (key & 0xFFFFFFFF) << 32 | number & 0xFFFFFFFF
        return number

    def _several(self, numbers: list[int]) -> int:
        """The number of a piece that stands for this many words."""
        if len(numbers) < 2:
            return numbers[0] if numbers else _NOTHING
        self._compounds.append(numbers)
        self.learned += len(numbers)
        return -len(self._compounds)

    def _stem_number(self, word: str) -> int:
        return self.stems.number(self.tokeniser.stem(word))

    def _unfold(self, numbers: Numbers, starts: NDArray[np.int64]) -> tuple[Numbers, NDArray[np.int64]]:
        """Put its words for each piece that non-ASCII punctuation joins; those have numbers below 0."""
        joined = (numbers < 0).nonzero()[0]
        if not joined.size:
            return numbers, starts
        several = [self._compounds[-number - 1] for number in numbers[joined].tolist()]
        times = np.ones(len(numbers), np.int64)
        times[joined] = list(map(len, several))
        unfolded = np.repeat(numbers, times)
        unfolded[unfolded < 0] = list(chain.from_iterable(several))
        return unfolded, np.repeat(starts, times)

    def __getstate__(self) -> tuple[Tokeniser, Names, Names]:
        # The names go along, empty, because columns hold on to them.
        return self.tokeniser, self.words, self.stems

    def __setstate__(self, state: tuple[Tokeniser, Names, Names]) -> None:
        self._open(*state)


class Column:
    """A value for every name, worked out by `value_of` once, when it is first asked for."""

    def __init__(self, names: Names, value_of: Callable[[str], float], dtype: DTypeLike = np.float64) -> None:
        self._names = names
        self._value_of = value_of
        self._generation = names.generation
        self._known = 1
        self._values = np.zeros(1024, dtype)

    def of(self, numbers: Numbers) -> NDArray[Any]:
        """The values of these names; number 0 has the value 0."""
        if self._known != len(self._names) or self._generation != self._names.generation:
            self._catch_up()
        return self._values.take(numbers)

    def _catch_up(self) -> None:
        if self._generation != self._names.generation:
            self._generation = self._names.generation
            self._known = 1
        new = self._names.list[self._known :]
        if len(self._names) > len(self._values):
            longer = np.zeros(2 * len(self._names), self._values.dtype)
            longer[: self._known] = self._values[: self._known]
            self._values = longer
        self._values[self._known : self._known + len(new)] = [self._value_of(name) for name in new]
        self._known += len(new)

    def __reduce__(self) -> tuple[Any, ...]:
        return Column, (self._names, self._value_of, self._values.dtype)


def _powers(base: int) -> NDArray[np.uint64]:
    """1, base, base squared ... modulo 2^64."""
    powers = np.full(LONGEST_TEXT, base, np.uint64)
    powers[0] = 1
    return np.multiply.accumulate(powers)
