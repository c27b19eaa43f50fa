"""Pages as bags of numbered words, worked out once per page and shared by everyone who judges it."""

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Example, Page, Topic
from honeyguide.text.background import Background
from honeyguide.text.tokens import Tokeniser
from honeyguide.text.wordbook import Column, Names, Numbers, Wordbook

KNOWN_WORDS = 400_000
"""Different words that are remembered; after that all is forgotten and numbered afresh."""

_BREAKS = np.frombuffer(
    bytes(chr(code) in '.,;:!?()[]{}<>"|/\n\r\t' for code in range(128)) + bytes(128), np.uint8
)


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
        self._parts: dict[str, Numbers] = {}
        self._bags: dict[Weights, Bag] = {}
        self._stem_bags: dict[Weights, Bag] = {}
        self._starts: NDArray[np.int64] | None = None

    @property
    def words(self) -> Numbers:
        """Every word of the main text in order, stop words included."""
        if "text" not in self._parts:
            self._parts["text"], self._starts = self._book.read(self.page.text)
        return self._parts["text"]

    @property
    def starts(self) -> NDArray[np.int64]:
        """The byte of the main text in UTF-8 at which each word starts."""
        _ = self.words
        assert self._starts is not None
        return self._starts

    @property
    def title(self) -> Numbers:
        """The words of the title."""
        if "title" not in self._parts:
            self._parts["title"] = self._book.numbers(self.page.title)
        return self._parts["title"]

    @property
    def headings(self) -> Numbers:
        """The words of all headings."""
        return self._joined("headings")

    @property
    def keywords(self) -> Numbers:
        """The words of <meta name=keywords>."""
        return self._joined("keywords")

    @property
    def breaks(self) -> NDArray[np.bool_]:
        """For every word of the main text, whether punctuation or a new line stands before it."""
        characters = np.frombuffer(self.page.text.encode("utf-8", "replace"), np.uint8)
        before = np.concatenate(([0], np.cumsum(_BREAKS[characters])))
        so_far = before[self.starts]
        broken = np.ones(len(so_far), np.bool_)
        broken[1:] = so_far[1:] != so_far[:-1]
        return broken

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

    def _count(self, weights: Weights, names: Names, *, stems: bool) -> Bag:
        parts = [
            (getattr(self, "words" if part == "text" else part), times)
            for part, times in weights._asdict().items()
            if times > 0
        ]
        found = [(self._book.stem_numbers(words) if stems else words, times) for words, times in parts]
        return self._documents.count(found, names)

    def _joined(self, part: str) -> Numbers:
        if part not in self._parts:
            self._parts[part] = self._book.numbers("\n".join(getattr(self.page, part, ())))
        return self._parts[part]


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
        self.background = background or Background.load()
        self.book = Wordbook(self.tokeniser)
        self.idf = Column(self.book.stems, self.background.idf)
        self._remembered = remembered
        self._latest: dict[int, Document] = {}
        self._sums = np.zeros(1 << 16)
        self._places = np.zeros(1 << 16, np.int64)

    @classmethod
    def of(cls, topic: Topic) -> Self:
        """The machinery for the language of a topic."""
        return cls()

    def read(self, page: Page | Example) -> Document:
        """A page's words; asked again about the same page, the same."""
        document = self._latest.get(id(page))
        if document is not None and document.page is page:
            return document
        if len(self.book.words) > KNOWN_WORDS:
            self.book.forget()
            self._latest.clear()
        if len(self._latest) >= self._remembered:
            self._latest.clear()
        document = self._latest[id(page)] = Document(page, self)
        return document

    def count(self, parts: list[tuple[Numbers, float]], names: Names) -> Bag:
        """How often each number but 0 occurs in arrays of numbers, each array counted so many times."""
        if len(names) > len(self._sums):
            self._sums = np.zeros(2 * len(names))
            self._places = np.zeros(2 * len(names), np.int64)
        every = (
            parts[0][0] if len(parts) == 1 else np.concatenate([numbers for numbers, _ in parts] or [_NONE])
        )
        for numbers, times in parts:
            np.add.at(self._sums, numbers, times)
        # The place of a number's first occurrence is the one written last, going backwards.
        order = np.arange(len(every))
        self._places[every[::-1]] = order[::-1]
        first = every[(self._places[every] == order) & (every > 0)]
        counts = self._sums[first]
        self._sums[every] = 0.0
        return Bag(first, counts)

    def __getstate__(self) -> dict[str, Any]:
        # What is remembered is not worth sending to another process.
        return self.__dict__ | {"_latest": {}, "_sums": np.zeros(1), "_places": np.zeros(1, np.int64)}


_NONE = np.zeros(0, np.int32)
