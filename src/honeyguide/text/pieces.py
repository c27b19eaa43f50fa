"""Texts cut into pieces, and the pieces hashed, as arrays: the first step of whatever is asked of a text's words.

With H the running sum of byte_i * B^i modulo 2^64, the hash of a piece is the difference of H at its two ends,
times B^-start, so that all are worked out at once. The pieces are those of `text.tokens.pieces`.
"""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.tokens import cut

Numbers = NDArray[np.int32]

LONGEST_TEXT = 1 << 17
"""Bytes of a text that are read: a page that has not come to its topic by then is not about it."""

_BASE = 0x9E3779B97F4A7C15


class Pieces(NamedTuple):
    """The pieces of a text in order: their hashes, the bytes of it in UTF-8 at which they start and end, and the
    text as it was cut, with a blank before and after.
    """

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    cut: bytes

    def spelt(self, which: NDArray[np.intp]) -> list[bytes]:
        """Some of the pieces, letter by letter."""
        text = self.cut
        ends = zip((self.starts.take(which) + 1).tolist(), (self.ends.take(which) + 1).tolist(), strict=True)
        return [text[start:end] for start, end in ends]


class Cutter:
    """Cuts texts into pieces. One per thread."""

    def __init__(self) -> None:
        self._powers = _powers(_BASE)
        self._inverse = _powers(pow(_BASE, -1, 1 << 64))
        self._running = np.zeros(LONGEST_TEXT, np.uint64)

    def cut(self, text: str) -> Pieces:
        """The pieces of a text."""
        text_bytes = b" " + cut(text[:LONGEST_TEXT])[: LONGEST_TEXT - 2] + b" "
        characters = np.frombuffer(text_bytes, np.uint8)
        spaces = characters <= ord(" ")
        edges = (spaces[1:] != spaces[:-1]).nonzero()[0]
        running = self._running[: len(characters)]
        running[:] = characters
        running *= self._powers[: len(characters)]
        np.add.accumulate(running, out=running)
        at_edges = running.take(edges)
        starts = edges[::2]
        hashes = at_edges[1::2] - at_edges[::2]
        hashes *= self._inverse.take(starts)
        return Pieces(hashes, starts, edges[1::2], text_bytes)

    def __reduce__(self) -> tuple[type["Cutter"], tuple[()]]:
        return Cutter, ()


def _powers(base: int) -> NDArray[np.uint64]:
    """1, base, base squared ... modulo 2^64."""
    powers = np.full(LONGEST_TEXT, base, np.uint64)
    powers[0] = 1
    return np.multiply.accumulate(powers)


def words_in(
    numbers: Numbers, starts: NDArray[np.int64], several: Sequence[Sequence[int]]
) -> tuple[Numbers, NDArray[np.int64]]:
    """The numbers of words by those of pieces, and where they start.

    A piece of number 0 is no word; one of a number n below 0 holds those of `several[-n - 1]`, which punctuation
    beyond ASCII joins.
    """
    kept = (numbers != 0).nonzero()[0]
    numbers, starts = numbers.take(kept), starts.take(kept)
    joined = (numbers < 0).nonzero()[0]
    if not joined.size:
        return numbers, starts
    words = [several[-number - 1] for number in numbers.take(joined).tolist()]
    times = np.ones(len(numbers), np.int64)
    times[joined] = list(map(len, words))
    unfolded = numbers.repeat(times)
    unfolded[unfolded < 0] = list(chain.from_iterable(words))
    return unfolded, starts.repeat(times)
