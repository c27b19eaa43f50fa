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
        lengths = np.fromiter((len(text.encode("utf-8", "replace")) for text in cut), np.int64, len(cut))
        ends = np.cumsum(lengths + 1)
        none = np.zeros(0, np.int32)
        found = [Snippets(np.zeros(0, np.intp), np.zeros(0, np.int64), none, none, none)]
        first = 0
        while first < len(cut):
            before = int(ends[first] - lengths[first] - 1)
            last = max(first + 1, int(np.searchsorted(ends, before + _AT_ONCE)))
            reading = self._book.read("\n".join(cut[first:last]))
            names = self._book.stem_numbers(reading.words)
            told = names.nonzero()[0]
            words, names = reading.words.take(told), names.take(told)
            places = reading.starts.take(told) + before
            rows = np.searchsorted(ends, places, "right")
            starts = places - (ends - lengths - 1).take(rows)
            found.append(Snippets(rows, starts, self._number.of(names), words, names))
            first = last
        return Snippets(*map(np.concatenate, zip(*found, strict=True)))

    def read_page(self, page: Page, longest: int) -> Numbers:
        """The stems of a page's title and of so many characters of its text, in their order."""
        self._documents.make_room()
        reading = self._book.read(f"{page.title[:LONGEST]}\n{page.text[:longest]}")
        names = self._book.stem_numbers(reading.words)
        return self._number.of(names.compress(names > 0))


def _number(stem: str) -> int:
    return 1 + crc32(stem.encode()) % (NUMBERS - 1)
