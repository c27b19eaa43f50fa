"""Pages as bags of numbered words, worked out once per page and shared by everyone who judges it."""

from collections.abc import Sized
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Example, Page, Topic
from honeyguide.text.background import Background
from honeyguide.text.pieces import Pieces
from honeyguide.text.tokens import Tokeniser
from honeyguide.text.wordbook import Column, Numbers, Reading, Wordbook

KNOWN_WORDS = 400_000
"""Different words, numbers and other pieces that are remembered; after that all are forgotten."""

LONGEST_TITLE = 1000
"""Characters of a title up to which it is read in one go with the main text."""

TITLE_WORDS = 100
"""Words of a title that count."""


class Bag(NamedTuple):
    """Different words in the order in which they first occur, and how often each does."""

    numbers: Numbers
    counts: NDArray[np.float64]


class Weights(NamedTuple):
    """How many times a word counts in each part of a page."""

    title: float = 1.0
    headings: float = 0.0
    keywords: float = 0.0
    text: float = 1.0


class Document:
    """A page's words. Everything is worked out when first asked for; arrays are shared: do not change them."""

    def __init__(self, page: Page | Example, documents: "Documents") -> None:
        self.page = page
        self._book = documents.book
        self._documents = documents
        self._parts: dict[str, Part] = {}
        self._bags: dict[Weights, Bag] = {}
        self._stem_bags: dict[Weights, Bag] = {}

    @property
    def words(self) -> Numbers:
        """Every word of the main text in order, stop words included."""
        return self.part("text").words

    @property
    def starts(self) -> NDArray[np.int64]:
        """The byte of the main text in UTF-8 at which each word starts."""
        return self.part("text").starts

    @property
    def title(self) -> Numbers:
        """The stop words of the title, and those of its words that the main text says too, if it says anything.

        A title often carries the name of its site, which may name a topic that the page is not about.
        """
        return self.part("title").words

    @property
    def headings(self) -> Numbers:
        """The words of all headings."""
        return self.part("headings").words

    @property
    def keywords(self) -> Numbers:
        """The words of <meta name=keywords>."""
        return self.part("keywords").words

    @property
    def breaks(self) -> NDArray[np.bool_]:
        """For every word of the main text, whether punctuation or a new line stands before it."""
        return self.part("text").breaks

    def part(self, name: str) -> "Part":
        """The words of the "title", "headings", "keywords" or "text"."""
        if name not in self._parts:
            if name in ("title", "text") and (both := self.cut_title_and_text()):
                self._read_title_and_text(*both)
            else:
                reading = self._book.number(self.cut(name))
                which = self._backed(reading.words, self.words) if name == "title" else slice(None)
                self._parts[name] = Part(reading, which)
        return self._parts[name]

    def text_of(self, part: str) -> str:
        """What a part of the page says, word for word."""
        found = getattr(self.page, part, ())
        return found if isinstance(found, str) else "\n".join(found)

    def cut(self, part: str) -> Pieces:
        """The pieces of one part of the page."""
        return self._book.cutter.cut(self.text_of(part))

    def cut_title_and_text(self) -> tuple[Pieces, int] | None:
        """The pieces of title and main text and the byte at which the text starts; None for an endless title.

        A call of its own would cost as much for ten words of a title as for some hundred of the text.
        """
        return self._documents.cut(self.page) if len(self.page.title) <= LONGEST_TITLE else None

    def _read_title_and_text(self, pieces: Pieces, border: int) -> None:
        reading = self._book.number(pieces)
        first = int(np.searchsorted(reading.starts, border))
        self._parts["title"] = Part(reading, self._backed(reading.words[:first], reading.words[first:]))
        self._parts["text"] = Part(reading, slice(first, None), border)

    def _backed(self, title: Numbers, text: Numbers) -> NDArray[np.intp]:
        """Where the words of a title are that are stop words or that the text says too; all if it says nothing."""
        if not len(text):
            return np.arange(min(len(title), TITLE_WORDS))
        stems, said = self._book.stem_numbers(title[:TITLE_WORDS]), self._book.stem_numbers(text)
        return np.flatnonzero((stems == 0) | (stems[:, None] == said).any(axis=1))

    def bag(self, weights: Weights = Weights()) -> Bag:  # noqa: B008 - an immutable value
        """The different words of the page, those of each part counted so many times; stop words included."""
        if weights not in self._bags:
            self._bags[weights] = self._count(weights, self._book.words, stems=False)
        return self._bags[weights]

    def stems(self, weights: Weights = Weights()) -> Bag:  # noqa: B008 - an immutable value
        """The different stems of the page, those of each part counted so many times; stop words left out."""
        if weights not in self._stem_bags:
            self._stem_bags[weights] = self._count(weights, self._book.stems, stems=True)
        return self._stem_bags[weights]

    def _count(self, weights: Weights, names: Sized, *, stems: bool) -> Bag:
        parts = [(self.part(part).words, times) for part, times in weights._asdict().items() if times > 0]
        found = [(self._book.stem_numbers(words) if stems else words, times) for words, times in parts]
        return self._documents.count(found, names)


class Part:
    """The words of one part of a page: those of a reading, or some of them."""

    def __init__(
        self, reading: Reading, which: slice | NDArray[np.intp] = slice(None), border: int = 0
    ) -> None:
        self.words = reading.words[which]
        self.starts = reading.starts[which] - border if border else reading.starts[which]
        self.which = which
        self._reading = reading

    @cached_property
    def breaks(self) -> NDArray[np.bool_]:
        """For every word, whether punctuation, a new line or a word left out stands before it."""
        breaks = self._reading.breaks()[self.which]
        if not isinstance(self.which, slice):
            breaks[1:] |= np.diff(self.which) > 1
        return breaks


class Documents:
    """The text machinery of a topic: one wordbook, the weights of words, and the page read last."""

    def __init__(
        self,
        *,
        tokeniser: Tokeniser | None = None,
        background: Background | None = None,
        remembered: int = 1,
    ) -> None:
        self.tokeniser = tokeniser or Tokeniser()
        self.background = Background.load() if background is None else background
        self.book = Wordbook(self.tokeniser)
        self.idf = Column(self.book.stems, self.background.idf)
        self._remembered = remembered
        self._latest: dict[int, Document] = {}
        self._cut: tuple[Page | Example, Pieces, int] | None = None
        self._places = np.zeros(1 << 16, np.int32)

    @classmethod
    def of(cls, topic: Topic) -> Self:
        """The machinery for the language of a topic."""
        return cls()

    def read(self, page: Page | Example) -> Document:
        """A page's words; asked again about the same page, the same."""
        document = self._latest.get(id(page))
        if document is not None and document.page is page:
            return document
        self.make_room()
        if len(self._latest) >= self._remembered:
            self._latest.clear()
        document = self._latest[id(page)] = Document(page, self)
        return document

    def make_room(self) -> None:
        """Forget all words if there are too many of them, and with them what was read by their numbers."""
        if self.book.learned > KNOWN_WORDS:
            self.book.forget()
            self._latest.clear()

    def close(self) -> None:
        """Let go of the pages, which hold on to the machinery: their memory is free at once."""
        self._latest.clear()
        self._cut = None

    def cut(self, page: Page | Example) -> tuple[Pieces, int]:
        """The pieces of a page's title and main text, and the byte at which the text starts.

        Those of the page cut last are kept, for judges that see it one after another.
        """
        if self._cut is None or self._cut[0] is not page:
            border = len(page.title.encode("utf-8", "replace")) + 1
            self._cut = page, self.book.cutter.cut(f"{page.title}\n{page.text}"), border
        return self._cut[1:]

    def count(self, parts: list[tuple[Numbers, float]], names: Sized) -> Bag:
        """How often each number but 0 occurs in arrays of numbers, each array counted so many times."""
        if len(names) > len(self._places):
            self._places = np.zeros(2 * len(names), np.int32)
        every = (
            parts[0][0] if len(parts) == 1 else np.concatenate([numbers for numbers, _ in parts] or [_NONE])
        )
        # The place of a number's first occurrence is the one written last, going backwards.
        order = np.arange(len(every), dtype=np.int32)
        self._places[every[::-1]] = order[::-1]
        first = self._places.take(every)
        times = np.repeat(
            np.array([times for _, times in parts], np.float64),
            np.array([len(numbers) for numbers, _ in parts], np.int64),
        )
        sums = np.bincount(first, times, len(every)).astype(np.float64, copy=False)
        kept = ((first == order) & (every > 0)).nonzero()[0]
        return Bag(every.take(kept), sums.take(kept))

    def __getstate__(self) -> dict[str, Any]:
        # What is remembered is not worth sending to another process.
        return self.__dict__ | {"_latest": {}, "_cut": None, "_places": np.zeros(1, np.int32)}


_NONE = np.zeros(0, np.int32)
