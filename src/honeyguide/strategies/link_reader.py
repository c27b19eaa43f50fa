"""What links say of the pages behind them: all links of a page read at once."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Link
from honeyguide.text.compass import Compass, Floats, toward
from honeyguide.text.documents import Documents
from honeyguide.text.embeddings import SHORT, Embeddings
from honeyguide.text.snippets import SnippetReader, Snippets
from honeyguide.text.wordbook import Column

WIDTH = 2 * SHORT
"""Numbers that stand for the words of a link: half for its own, half for those around it."""

AROUND = 0.7
"""What the words around a link count beside its own."""


class Told(NamedTuple):
    """What links say, an entry or a row for each.

    `vectors` are the meanings of its own words and, AROUND as long, of those around it. `anchor` and
    `context` are their cosines to the topic; `words` and `words_around` how much their words speak for it, and
    `query` how much its own words are the query's. `stems` are all its words with the number of their link.
    """

    vectors: Floats
    anchor: Floats
    context: Floats
    words: Floats
    words_around: Floats
    query: Floats
    rows: NDArray[np.int64]
    stems: NDArray[np.int64]


class LinkReader:
    """Reads the words of links with a topic in mind. The documents must be nobody else's."""

    def __init__(self, compass: Compass, documents: Documents, embeddings: Embeddings) -> None:
        self._compass = compass
        self._embeddings = embeddings
        self._snippets = SnippetReader(documents)
        self._idf = documents.idf
        stems = documents.book.stems
        self._weight = Column(stems, lambda stem: compass.weights.get(stem, 0.0))
        self._query = Column(stems, lambda stem: compass.query.get(stem, 0.0))

    def read(self, links: Sequence[Link]) -> Told:
        """What each link says."""
        count = len(links)
        read = self._snippets.read([*(link.anchor for link in links), *(link.context for link in links)])
        vectors = toward(self._means(read, 2 * count), self._compass.middle)
        near = np.einsum("ij,j->i", vectors, self._compass.direction)
        idf = self._idf.of(read.names)
        lengths = np.sqrt(np.bincount(read.rows, np.square(idf), 2 * count))
        lengths[lengths == 0] = 1.0
        words = np.bincount(read.rows, idf * self._weight.of(read.names), 2 * count) / lengths
        query = np.bincount(read.rows, idf * self._query.of(read.names), 2 * count) / lengths
        return Told(
            np.concatenate((vectors[:count], AROUND * vectors[count:]), axis=1),
            near[:count],
            near[count:],
            words[:count],
            words[count:],
            query[:count],
            (read.rows % max(count, 1)).astype(np.int64),
            read.stems.astype(np.int64),
        )

    def _means(self, read: Snippets, count: int) -> Floats:
        """The mean vector of each text's words, its first SHORT numbers."""
        found = np.zeros((count, SHORT))
        if len(read.words):
            first = np.flatnonzero(np.diff(read.rows, prepend=-1))
            sums = np.add.reduceat(self._embeddings.short(read.words), first)
            found[read.rows[first]] = sums / np.diff(first, append=len(read.rows))[:, None]
        return found


def example_links(compass: Compass) -> Mapping[float, Floats]:
    """The vectors of links to the topic's examples, and of links to other texts, by what those are worth."""
    return {
        worth: np.concatenate((shown.names, AROUND * shown.openings), axis=1)
        for worth, shown in ((1.0, compass.examples), (0.0, compass.others))
    }
