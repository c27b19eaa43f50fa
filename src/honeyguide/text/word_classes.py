"""Words by what is wanted of them, found by their hashes: words that nobody wants are never numbered or named.

A page says some dozen words that no page said before, and hardly any of them is wanted. What a piece of a text
comes to is kept in a table of two slots for each hash. A piece that finds both taken takes the second, so some are
worked out again; all that is lost is the time. So it is when the table is forgotten for a larger one.
"""

import sys
from collections.abc import Iterable
from itertools import chain, islice
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.booleans import Pattern
from honeyguide.text.pieces import Numbers, Pieces
from honeyguide.text.tokens import LONGEST_WORD, Tokeniser, without_quotes

_FEWEST_BITS, _MOST_BITS = 14, 20
"""A table of slots starts small, for a process may hold many, and grows fourfold whenever a quarter is taken."""

_HALF = np.uint64(32)
_LOW, _HIGH = (0, 1) if sys.byteorder == "little" else (1, 0)
_MOST_JOINED = 100_000
UNWANTED, NOTHING = 0, -1


class Classified(NamedTuple):
    """What each piece of a text comes to, the byte at which it starts, and the text as it was cut.

    That is the class of a word that is wanted, or UNWANTED; NOTHING for a piece that is no word, as a number is;
    and a number below for several words in one piece of which none is wanted.
    """

    classes: Numbers
    starts: NDArray[np.int64]
    cut: bytes

    def parted(self, border: int) -> tuple["Classified", "Classified"]:
        """The pieces before a byte of the text, and those after it."""
        first = int(self.starts.searchsorted(border))
        before = Classified(self.classes[:first], self.starts[:first], self.cut)
        return before, Classified(self.classes[first:], self.starts[first:], self.cut)

    def broken(self, before: int, at: int) -> bool:
        """Whether punctuation or a new line stands between two pieces."""
        return self.cut.find(b"\n", self.starts[before] + 1, self.starts[at] + 1) >= 0


class WordClasses:
    """Words by what they fit. A word that fits one pattern is of that pattern's class, numbered from 1; a word
    that fits beginnings, and perhaps a stem too, is of a class for just these patterns, numbered after those.
    """

    def __init__(self, wanted: Iterable[Pattern], tokeniser: Tokeniser) -> None:
        self.number_of = {pattern: 1 + at for at, pattern in enumerate(dict.fromkeys(wanted))}
        self.single = len(self.number_of)
        self._of_stem, self._of_word, self._of_beginning = map(self._of_kind, ("stem", "word", "beginning"))
        self._stop_words = np.array(list(self._of_word.values()), np.int32)
        self._lengths = sorted(set(map(len, self._of_beginning)))
        self._several: list[tuple[int, ...]] = []
        self._class_of: dict[tuple[int, ...], int] = {}
        self._tokeniser = tokeniser
        self._begins = self._beginnings() if tokeniser.language == "english" else None
        self._bits = _FEWEST_BITS
        self._forget()

    def patterns(self, number: int) -> tuple[int, ...]:
        """The patterns that a class of words fits."""
        return (number,) if number <= self.single else self._several[number - self.single - 1]

    def read(self, pieces: Pieces) -> Classified:
        """The words of a text by class."""
        if 4 * self._kept > len(self._slots) and self._bits < _MOST_BITS:
            self._bits += 2
            self._forget()
        elif len(self._joined) > _MOST_JOINED:
            self._forget()
        at = (pieces.hashes >> np.uint64(64 - self._bits)).view(np.int64)
        checks = pieces.hashes.view(np.uint32)[_LOW::2]
        found = self._slots.take(at)
        codes: Numbers = found.view(np.int32)[_LOW::2].copy()
        missed = (found.view(np.uint32)[_HIGH::2] != checks).nonzero()[0]
        if missed.size:
            beside = self._slots.take(at.take(missed) ^ 1)
            codes[missed] = beside.view(np.int32)[_LOW::2]
            new = missed.take((beside.view(np.uint32)[_HIGH::2] != checks[missed]).nonzero()[0])
            if new.size:
                learned = np.array(self._learn(pieces.spelt(new)), np.int32)
                codes[new] = learned
                self._keep(at.take(new), checks[new], learned)
        read = Classified(codes, pieces.starts, pieces.cut)
        if codes.size and codes.min() < NOTHING:
            joined = codes[codes < NOTHING].tolist()
            if any(map(any, map(self._held, joined))):
                return self._unfolded(read)
        return read

    def count(self, words: Classified) -> int:
        """How many words a text has."""
        classes = words.classes
        number = int(np.count_nonzero(classes >= UNWANTED))
        return number + sum(len(self._held(code)) for code in classes[classes < NOTHING].tolist())

    def only_words(self, read: Classified) -> Classified:
        """A text without pieces that are no word, and each word by itself."""
        read = self._unfolded(read)
        words = (read.classes != NOTHING).nonzero()[0]
        return Classified(read.classes.take(words), read.starts.take(words), read.cut)

    def _unfolded(self, read: Classified) -> Classified:
        """A text with each word of pieces that hold several by itself."""
        joined = (read.classes < NOTHING).nonzero()[0]
        held = [self._held(code) for code in read.classes.take(joined).tolist()]
        times = np.ones(len(read.classes), np.int64)
        times[joined] = list(map(len, held))
        classes = read.classes.repeat(times)
        classes[classes < NOTHING] = list(chain.from_iterable(held))
        return Classified(classes, read.starts.repeat(times), read.cut)

    def _held(self, code: int) -> tuple[int, ...]:
        return self._joined[NOTHING - 1 - code]

    def backed(self, title: Classified, text: Classified) -> NDArray[np.intp] | None:
        """Where the wanted words of a title are whose stems the text says too; None if classes cannot tell.

        They cannot if words of one stem may begin differently. Stop words, which a phrase may hold, are anybody's.
        """
        if self._lengths:
            return None
        wanted = (title.classes > 0).nonzero()[0]
        classes = title.classes.take(wanted)
        is_backed = (classes[:, None] == text.classes).any(axis=1)
        return wanted.compress(is_backed | np.isin(classes, self._stop_words))

    def _learn(self, spelt: list[bytes]) -> list[int]:
        """What pieces come to that are in no slot."""
        begins, words = self._begins, {}
        code_of, several = dict.fromkeys(spelt, UNWANTED), {}
        for piece in code_of:
            bare = piece if piece.isalpha() else without_quotes(piece)
            if bare.isalpha() and len(piece) <= LONGEST_WORD:  # ASCII letters, as most pieces are
                if begins is None or bare[:3] in begins:
                    words[piece] = bare.decode()
            elif piece[:2].isdigit() and piece.isalnum():
                code_of[piece] = NOTHING
            else:
                held = self._tokeniser.words_of(piece)
                if len(held) != 1 or self._may_be_wanted(held[0]):
                    several[piece] = held
        codes = iter(self._codes([*words.values(), *chain.from_iterable(several.values())]))
        code_of.update(zip(words, codes, strict=False))
        for piece, its_words in several.items():
            code_of[piece] = self._code(tuple(islice(codes, len(its_words))))
        return [code_of[piece] for piece in spelt]

    def _keep(self, at: NDArray[np.int64], checks: NDArray[np.uint32], codes: Numbers) -> None:
        """Remember what pieces come to: in their slots, or in those beside where they are taken."""
        at ^= self._slots.take(at) != 0
        self._slots[at] = checks.astype(np.uint64) << _HALF | codes.view(np.uint32)
        self._kept += len(at)

    def _forget(self) -> None:
        """Start with an empty table."""
        self._slots = np.zeros(1 << self._bits, np.uint64)
        self._kept = 0
        self._joined: list[tuple[int, ...]] = []
        self._code_of: dict[tuple[int, ...], int] = {}

    def _code(self, codes: tuple[int, ...]) -> int:
        """What a piece comes to that holds these words."""
        if len(codes) < 2:
            return codes[0] if codes else NOTHING
        if codes not in self._code_of:
            self._joined.append(codes)
            self._code_of[codes] = NOTHING - len(self._joined)
        return self._code_of[codes]

    def _codes(self, words: list[str]) -> list[int]:
        """What words come to."""
        of_stem, of_word = self._of_stem, self._of_word
        stems = zip(words, self._tokeniser.stem_all(words), strict=True)
        classes = [
            of_stem.get(stem, UNWANTED) if stem else of_word.get(word, UNWANTED) for word, stem in stems
        ]
        return list(map(self._with_beginnings, classes, words)) if self._lengths else classes

    def _with_beginnings(self, own: int, word: str) -> int:
        """The class of a word that may fit beginnings beside a pattern of its own."""
        beginnings = tuple(
            self._of_beginning[word[:length]]
            for length in self._lengths
            if length <= len(word) and word[:length] in self._of_beginning
        )
        if not beginnings:
            return own
        several = (own, *beginnings) if own else beginnings
        if several not in self._class_of:
            self._several.append(several)
            self._class_of[several] = self.single + len(self._several)
        return self._class_of[several]

    def _may_be_wanted(self, word: str) -> bool:
        begins, letters = self._begins, word[:3].encode()
        return (
            begins is None or letters in begins or word[:1].encode() in begins or word[:2].encode() in begins
        )

    def _beginnings(self) -> frozenset[bytes]:
        """What words of ASCII letters begin with that may be wanted: three letters, or all there are, so that most
        others need no stemming. Any other begins with one, two or three characters of these.

        The English stemmer leaves a stem's letters but its last as the word has them, and turns dying into die.
        """
        kept = {stem[: len(stem) - (2 if stem.endswith("ie") else 1)] or stem[:1] for stem in self._of_stem}
        begins = {text[:3] for text in (*kept, *self._of_word, *self._of_beginning)}
        for length in (1, 2):
            short = [text for text in begins if len(text) == length]
            begins.update(text + letter for text in short for letter in ascii_lowercase)
        return frozenset(text.encode() for text in begins)

    def _of_kind(self, kind: str) -> dict[str, int]:
        return {pattern.text: number for pattern, number in self.number_of.items() if pattern.kind == kind}

    def __reduce__(self) -> tuple[type["WordClasses"], tuple[list[Pattern], Tokeniser]]:
        # Another process finds out itself what the pieces come to that it meets.
        return WordClasses, (list(self.number_of), self._tokeniser)
