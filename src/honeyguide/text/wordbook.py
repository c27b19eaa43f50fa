"""Words as numbers: texts become arrays, so that whatever is asked of their words is asked of all at once.

A dict look-up for every word of a page is most of the cost of judging it. Here a table from the hashes of words,
which `text.pieces` gives, to numbers answers for all words at once; only a word that is not in its slot is looked
at by itself. The words are those of `Tokeniser.tokens`.

Every page says words that no page said before, and one of those costs more than a hundred that are known. So the
new words of a page are learned together, and nothing is worked out about them before somebody asks for it.

A slot is one 64-bit number, so that one access reads it: half of a word's hash above, the word's number below.

Which number a word gets depends on what was read before, so nothing may depend on the order of numbers.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from honeyguide.text.pieces import LONGEST_TEXT as LONGEST_TEXT
from honeyguide.text.pieces import Cutter, Pieces, words_in
from honeyguide.text.pieces import Numbers as Numbers
from honeyguide.text.tokens import LONGEST_WORD, Tokeniser

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

    def numbers(self, names: list[str]) -> list[int]:
        """The numbers of many names at once."""
        known = self._numbers
        before = len(known)
        numbers = [known.setdefault(name, len(known)) for name in names]
        new = [name for name, number in zip(names, numbers, strict=True) if number >= before]
        self.list += dict.fromkeys(new)
        return numbers

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
        self.cutter = Cutter()
        self.words = words
        self.stems = stems
        self._stem_numbers = Column(self.words, dtype=np.int32, values_of=self._numbers_of_stems)
        self._slots = np.zeros(1 << _SLOT_BITS, np.uint64)
        self._overflow: dict[int, int] = {}
        self._compounds: list[list[int]] = []
        self.learned = 0
        """How much is remembered: pieces, and the words of those that hold several."""

    def read(self, text: str) -> "Reading":
        """The words of a text, and where they stand."""
        return self.number(self.cutter.cut(text))

    def number(self, pieces: Pieces) -> "Reading":
        """The words that pieces of a text stand for, and where they stand."""
        hashes = pieces.hashes
        found = self._slots.take((hashes >> np.uint64(64 - _SLOT_BITS)).view(np.int64))
        numbers: Numbers = found.astype(np.uint32).view(np.int32)
        elsewhere = ((found >> _HALF) != hashes.astype(np.uint32)).nonzero()[0]
        if elsewhere.size:
            spelt = pieces.spelt(elsewhere)
            numbers[elsewhere] = self._look_up(hashes.take(elsewhere).tolist(), spelt)
        return Reading(*words_in(numbers, pieces.starts, self._compounds), pieces.cut)

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

    def _look_up(self, keys: list[int], spelt: list[bytes]) -> list[int]:
        """The numbers of pieces that are not in their slots."""
        elsewhere = self._overflow
        new = {key: piece for key, piece in zip(keys, spelt, strict=True) if key not in elsewhere}
        if not new:
            return [elsewhere[key] for key in keys]
        learned = self._learn(new)
        return [learned[key] if key in learned else elsewhere[key] for key in keys]

    def _learn(self, pieces: dict[int, bytes]) -> dict[int, int]:
        """Number pieces met for the first time; each takes its slot if that is free."""
        self.learned += len(pieces)
        words: dict[int, str] = {}
        numbers: dict[int, int] = {}
        for key, piece in pieces.items():
            if piece.isalpha() and len(piece) <= LONGEST_WORD:  # ASCII letters: most of all pieces
                words[key] = piece.decode()
            elif piece.isdigit():
                numbers[key] = _NOTHING
            else:
                numbers[key] = self._several(self.words.numbers(self.tokeniser.words_of(piece)))
        numbers.update(zip(words, self.words.numbers(list(words.values())), strict=True))
        slots = self._slots.data
        for key, number in numbers.items():
            slot = key >> (64 - _SLOT_BITS)
            if slots[slot]:
                self._overflow[key] = number
            else:
                slots[slot] = (key & 0xFFFFFFFF) << 32 | number & 0xFFFFFFFF
        return numbers

    def _several(self, numbers: list[int]) -> int:
        """The number of a piece that stands for this many words."""
        if len(numbers) < 2:
            return numbers[0] if numbers else _NOTHING
        self._compounds.append(numbers)
        self.learned += len(numbers)
        return -len(self._compounds)

    def _numbers_of_stems(self, words: list[str]) -> list[int]:
        return self.stems.numbers(self.tokeniser.stem_all(words))

    def __getstate__(self) -> tuple[Tokeniser, Names, Names]:
        # The names go along, empty, because columns hold on to them.
        return self.tokeniser, self.words, self.stems

    def __setstate__(self, state: tuple[Tokeniser, Names, Names]) -> None:
        self._open(*state)


class Column:
    """A value for every name, worked out once, when it is first asked for.

    `value_of` gives that of a name, or `values_of` those of many names, where that is cheaper.
    """

    def __init__(
        self,
        names: Names,
        value_of: Callable[[str], float] = float,
        dtype: DTypeLike = np.float64,
        *,
        values_of: Callable[[list[str]], Iterable[float]] | None = None,
    ) -> None:
        self._names = names
        self._values_of = values_of or partial(map, value_of)
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
        self._values[self._known : self._known + len(new)] = list(self._values_of(new))
        self._known += len(new)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Column, values_of=self._values_of), (self._names, float, self._values.dtype)
