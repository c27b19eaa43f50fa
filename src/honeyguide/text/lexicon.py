"""How long pages measure up against a few stems: many words counted as arrays instead of one by one.

The length of a page's vector needs every word of the page, and a dict look-up for each is most of the cost
of judging it. Here the words of a text are found and hashed as arrays: with H the running sum of byte_i *
B^i modulo 2^64, the hash of a word is the difference of H at its two ends, times B^-start. A table from
hashes to numbers of stems then answers for all words at once; only a word that is not in its slot is looked
at by itself. The result is the same as with `Tokeniser.counts`.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.background import Background
from honeyguide.text.tokens import Tokeniser, cut

LONGEST_TEXT = 1 << 17
"""Bytes of a text that are read: a page that has not come to its topic by then is not about it."""

_BASE = 0x9E3779B97F4A7C15
_SLOT_BITS = 19
_KNOWN_WORDS = 200_000
_NOTHING = 0


class Lexicon:
    """Counts some stems in texts and tells how long the texts' tf-idf vectors are. One per thread."""

    def __init__(self, stems: Sequence[str], *, background: Background, tokeniser: Tokeniser) -> None:
        self._wanted = tuple(stems)
        self._background = background
        self._tokeniser = tokeniser
        self._powers = _powers(_BASE)
        self._inverse = _powers(pow(_BASE, -1, 1 << 64))
        self._hashes = np.zeros(1 << _SLOT_BITS, np.uint64)
        self._values = np.zeros(1 << _SLOT_BITS, np.int32)
        self._sums = np.zeros(1 << 16)
        self._squares = np.zeros(1 << 16)
        self._overflow: dict[int, int] = {}
        self._compounds: list[list[int]] = []
        self._stems: dict[str, int] = {}
        self._forget()

    def measure(self, texts: Iterable[tuple[str, float]]) -> tuple[NDArray[np.float64], float]:
        """How often each wanted stem occurs in texts, each counted so many times, and the vector's length."""
        if self._words > _KNOWN_WORDS:
            self._forget()
        parts = [(self._numbers(text), times) for text, times in texts if times > 0]
        for numbers, times in parts:
            np.add.at(self._sums, numbers, float(times))
        counts = self._sums[1 : len(self._wanted) + 1].copy()
        # Each occurrence adds its stem's sum, so a stem that occurs n times adds n * n without a second list.
        # Not with @, for which BLAS would wake threads that cost more than the product.
        square = sum(
            times * float((self._sums[numbers] * self._squares[numbers]).sum()) for numbers, times in parts
        )
        for numbers, _ in parts:
            self._sums[numbers] = 0.0
        return counts, square**0.5

    def _numbers(self, text: str) -> NDArray[np.int32]:
        """The number of every word's stem; a stop word has number 0, whose weight is 0."""
        text_bytes = b" " + cut(text[:LONGEST_TEXT])[: LONGEST_TEXT - 2] + b" "
        characters = np.frombuffer(text_bytes, np.uint8)
        spaces = characters == ord(" ")
        edges = np.flatnonzero(spaces[1:] != spaces[:-1])
        before, last = edges[::2], edges[1::2]
        running = np.cumsum(characters * self._powers[: len(characters)])
        hashes = (running[last] - running[before]) * self._inverse[before]
        slots = (hashes >> np.uint64(64 - _SLOT_BITS)).astype(np.intp)
        numbers: NDArray[np.int32] = self._values[slots]
        elsewhere = np.flatnonzero(self._hashes[slots] != hashes)
        if elsewhere.size:
            keys = hashes[elsewhere].tolist()
            spans = zip((before[elsewhere] + 1).tolist(), (last[elsewhere] + 1).tolist(), strict=True)
            number_of = {
                key: self._overflow[key] if key in self._overflow else self._learn(key, text_bytes[start:end])
                for key, (start, end) in dict(zip(keys, spans, strict=True)).items()
            }
            numbers[elsewhere] = [number_of[key] for key in keys]
        return self._unfold(numbers)

    def _learn(self, key: int, piece: bytes) -> int:
        """Number a word met for the first time; the slot is its own if it is free."""
        several = [self._number(stem) for stem in self._tokeniser.stems_of(piece).split()]
        if len(several) > 1:
            self._compounds.append(several)
            number = -len(self._compounds)
        else:
            number = several[0] if several else _NOTHING
        slot = key >> (64 - _SLOT_BITS)
        if self._hashes[slot]:
            self._overflow[key] = number
        else:
            self._hashes[slot] = key
            self._values[slot] = number
        self._words += 1
        return number

    def _number(self, stem: str) -> int:
        number = self._stems.get(stem)
        if number is None:
            number = self._stems[stem] = len(self._stems) + 1
            if number == len(self._squares):
                self._squares = np.concatenate((self._squares, np.zeros(number)))
                self._sums = np.zeros(2 * number)
            self._squares[number] = self._background.idf(stem) ** 2
        return number

    def _unfold(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Put its words for each piece that non-ASCII punctuation joins; those have numbers below 0."""
        joined = numbers < 0
        if not joined.any():
            return numbers
        words = [word for number in numbers[joined].tolist() for word in self._compounds[-number - 1]]
        return np.concatenate((numbers[~joined], np.array(words, np.int32)))

    def _forget(self) -> None:
        """Start afresh with the wanted stems, which keep their numbers."""
        self._hashes[:] = 0
        self._values[:] = _NOTHING
        self._overflow.clear()
        self._compounds.clear()
        self._stems.clear()
        self._words = 0
        for stem in self._wanted:
            self._number(stem)

    def __reduce__(self) -> tuple[object, ...]:
        # What is remembered is not worth sending to another process.
        return _again, (self._wanted, self._background, self._tokeniser)


def _again(stems: Sequence[str], background: Background, tokeniser: Tokeniser) -> Lexicon:
    return Lexicon(stems, background=background, tokeniser=tokeniser)


def _powers(base: int) -> NDArray[np.uint64]:
    """1, base, base squared ... modulo 2^64."""
    powers = np.full(LONGEST_TEXT, base, np.uint64)
    powers[0] = 1
    return np.multiply.accumulate(powers)
