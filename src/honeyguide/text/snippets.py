"""Many short texts, such as the anchors of a page's links, read as one: a call for each would cost far more.

A stem goes by a number worked out from its letters alone, so that what was learned about numbers in one crawl
holds in the next and needs no list of words beside it. Two stems may share a number; there are so many numbers
that it hardly ever matters.
"""

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Page
from honeyguide.text.documents import Documents
from honeyguide.text.pieces import Numbers
from honeyguide.text.wordbook import LONGEST_TEXT, Column

NUMBERS = 1 << 18
"""How many numbers there are; 0 is no stem."""

LONGEST = 1000
"""Characters of a short text that are read."""

_AT_ONCE = LONGEST_TEXT - 4 * LONGEST - 2


class Snippets(NamedTuple):
    """The stems of some texts in order, stop words left out: which text each is of, where it starts, its number.

    `starts` are bytes of UTF-8 from the beginning of the text that the stem is of. `words` and `names` are what
    the wordbook calls the word and its stem.
    """

    rows: NDArray[np.intp]
    starts: NDArray[np.int64]
    stems: Numbers
    words: Numbers
    names: Numbers


class SnippetReader:
    """Reads short texts, a hundred or a thousand at a time.

    Nobody else may keep numbers of the documents' words: when there are too many words, all are forgotten.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._book = documents.book
        self._number = Column(documents.book.stems, _number, np.int32)

    def read(self, texts: Sequence[str]) -> Snippets:
        """The stems of all the texts, in their order."""
        self._documents.make_room()
        cut = [text[:LONGEST] for text in texts]
        ends = np.cumsum([size_of(text) + 1 for text in cut], dtype=np.int64)
        if not len(cut) or ends[-1] <= _AT_ONCE:
            return self._read(cut, ends, 0)
        found = []
        first = before = 0
        while first < len(cut):
            last = max(first + 1, int(np.searchsorted(ends, before + _AT_ONCE)))
            found.append(self._read(cut[first:last], ends[first:last] - before, first))
            first, before = last, int(ends[last - 1])
        return Snippets(*map(np.concatenate, zip(*found, strict=True)))

    def _read(self, texts: Sequence[str], ends: NDArray[np.int64], first: int) -> Snippets:
        """The stems of texts that are short together and end there once joined; the first has this number."""
        reading = self._book.read("\n".join(texts))
        names = self._book.stem_numbers(reading.words)
        told = names.nonzero()[0]
        words, names, places = reading.words.take(told), names.take(told), reading.starts.take(told)
        counts = places.searchsorted(ends)
        counts[1:] -= counts[:-1].copy()
        rows = np.repeat(np.arange(first, first + len(texts)), counts)
        begins = np.zeros(len(texts), np.int64)
        begins[1:] = ends[:-1]
        starts = places - np.repeat(begins, counts)
        return Snippets(rows, starts, self._number.of(names), words, names)

    def read_page(self, page: Page, longest: int) -> Numbers:
        """The stems of a page's title and of so many characters of its text, in their order."""
        self._documents.make_room()
        reading = self._book.read(f"{page.title[:LONGEST]}\n{page.text[:longest]}")
        names = self._book.stem_numbers(reading.words)
        return self._number.of(names.compress(names > 0))


def size_of(text: str) -> int:
    """How many bytes of UTF-8 a text takes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _number(stem: str) -> int:
    return 1 + crc32(stem.encode()) % (NUMBERS - 1)
