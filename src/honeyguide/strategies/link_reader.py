"""What links say of the pages behind them: all links of a page read at once."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Link, Page
from honeyguide.strategies.signs import WORDS
from honeyguide.strategies.surroundings import place_in_context
from honeyguide.text.compass import Compass, Floats, toward
from honeyguide.text.documents import Documents
from honeyguide.text.embeddings import SHORT, Embeddings
from honeyguide.text.snippets import LONGEST, SnippetReader, Snippets, size_of
from honeyguide.text.wordbook import Column, Numbers
from honeyguide.urls import words_of

Places = NDArray[np.int64]

WIDTH = 2 * SHORT
"""Numbers that stand for the words of a link: half for its own, half for those around it."""

AROUND = 0.7
"""What the words around a link count beside its own."""

NEAR = 60
"""Characters before and after a link that are near it: some eight words."""

_FAR = 1 << 16
"""More bytes than are read of a text."""


class Told(NamedTuple):
    """What links say, an entry or a row for each.

    `vectors` are the meanings of its own words and, AROUND as long, of those around it; `anchor`, `context` and
    `near` the cosines to the topic of its own words, of all around it, and of those near it; `words` is how much
    its own speak for it, and `rarity` how rare they are. `stems` are all its words, `rows` the links that they
    belong to; `own` are the first of its own words, 0 where there are none; `begins` is where in its context each
    link begins, -1 if it is not there.
    """

    vectors: Floats
    anchor: Floats
    context: Floats
    near: Floats
    words: Floats
    rarity: Floats
    rows: NDArray[np.int64]
    stems: NDArray[np.int64]
    own: NDArray[np.int32]
    begins: Sequence[int]


class Addresses(NamedTuple):
    """What the words of addresses say: their cosines to the topic, and how much they speak for it."""

    nearness: Floats
    words: Floats


class LinkReader:
    """Reads the words of links with a topic in mind. The documents must be nobody else's."""

    def __init__(self, compass: Compass, documents: Documents, embeddings: Embeddings) -> None:
        self._compass = compass
        self._embeddings = embeddings
        self._snippets = SnippetReader(documents)
        self._idf = documents.idf
        self._weight = Column(documents.book.stems, lambda stem: compass.weights.get(stem, 0.0))

    def read(self, links: Sequence[Link], urls: Sequence[str]) -> tuple[Told, Addresses]:
        """What each link says, and what the words in each of some addresses do."""
        count = len(links)
        texts = [link.anchor for link in links]
        texts += [link.context for link in links]
        texts += map(words_of, urls)
        read = self._snippets.read(texts)
        edges = np.searchsorted(read.rows, np.arange(len(texts) + 1))
        begins = [place_in_context(link) for link in links]
        near = _near(links, begins, read)
        vectors = toward(
            self._embeddings.means(
                read.words, np.concatenate((edges[:-1], near[:, 0])), np.concatenate((edges[1:], near[:, 1]))
            ),
            self._compass.middle,
        )
        nearness = np.einsum("ij,j->i", vectors, self._compass.direction)
        own, all_of_links = edges[count], edges[2 * count]
        idf, rows = self._idf.of(read.names[:own]), read.rows[:own]
        told = Told(
            np.concatenate((vectors[:count], AROUND * vectors[count : 2 * count]), axis=1),
            nearness[:count],
            nearness[count : 2 * count],
            nearness[len(texts) :],
            self._words_for(read.names[:own], idf, rows, count),
            np.bincount(rows, idf, count) / np.maximum(np.bincount(rows, minlength=count), 1),
            np.concatenate((read.rows[:own], read.rows[own:all_of_links] - count)),
            read.stems[:all_of_links].astype(np.int64),
            _first(read.rows[:own], read.stems[:own], edges[:-1], count),
            begins,
        )
        names, rows = read.names[all_of_links:], read.rows[all_of_links:] - 2 * count
        return told, Addresses(
            nearness[2 * count : len(texts)], self._words_for(names, self._idf.of(names), rows, len(urls))
        )

    def words(self, link: Link) -> NDArray[np.int64]:
        """The stems of a link and of what is around it, each once."""
        return np.unique(self._snippets.read([link.anchor, link.context]).stems).astype(np.int64)

    def keywords(self, page: Page, most: int) -> NDArray[np.int32]:
        """The stems that say most about what a page begins with, each once."""
        read = self._snippets.read([page.title, page.text])
        names, places, times = np.unique(read.names, return_index=True, return_counts=True)
        worth = self._idf.of(names) * (1 + np.log(times))
        best = np.lexsort((places, -worth))[:most]  # not by name: its number hangs on what was read before
        return np.unique(read.stems[places[best]])

    def _words_for(self, names: Numbers, idf: Floats, rows: Places, count: int) -> Floats:
        """How much the stems of so many texts speak for the topic; `rows` are the texts that they belong to."""
        lengths = np.sqrt(np.bincount(rows, np.square(idf), count))
        words = np.bincount(rows, idf * self._weight.of(names), count)
        return np.asarray(words / np.where(lengths > 0, lengths, 1.0))


def example_links(compass: Compass) -> Mapping[float, Floats]:
    """The vectors of links to the topic's examples, and of links to other texts, by what those are worth."""
    return {
        worth: np.concatenate((shown.names, AROUND * shown.openings), axis=1)
        for worth, shown in ((1.0, compass.examples), (0.0, compass.others))
    }


def _first(rows: Places, stems: NDArray[np.int32], edges: Places, count: int) -> NDArray[np.int32]:
    """The first stems of each text, in rows; the stems come text by text, and start at these edges."""
    found = np.zeros((count, WORDS), np.int32)
    places = np.arange(len(rows)) - edges.take(rows)
    kept = places < WORDS
    found[rows[kept], places[kept]] = stems[kept]
    return found


def _near(links: Sequence[Link], begins: Sequence[int], read: Snippets) -> Places:
    """From which to which stem those in and near each link go; all anchors were read, and then all contexts."""
    spans = np.array(list(map(_span, links, begins)), np.int64).reshape(-1, 3)
    rows = spans[:, :1] * len(links) + np.arange(len(links))[:, None]
    return np.searchsorted(read.rows * _FAR + read.starts, rows * _FAR + spans[:, 1:])


def _span(link: Link, begin: int) -> tuple[int, int, int]:
    """What is near a link: from which to which byte of its context (1), in whole words; if it is not found there,
    all of its anchor (0).
    """
    context = link.context
    end = begin + len(link.anchor)
    if begin < 0 or end > LONGEST:
        return 0, 0, _FAR - 1
    start = context.find(" ", max(0, begin - NEAR), begin) + 1 or begin
    stop = context.rfind(" ", end, end + NEAR)
    stop = end if stop < 0 else stop
    if context.isascii():
        return 1, start, stop
    return 1, size_of(context[:start]), size_of(context[:stop])
