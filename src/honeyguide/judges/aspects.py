"""Sides from which a page can be seen: each turns it into a vector of length 1, and learns a direction there.

An aspect is shown the texts of a topic one after the other, says how alike each two of them are, is told how
much each text pulls (`ridge`), and from then on measures pages: how far they lie in the direction of the pull.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.documents import Bag, Document, Documents
from honeyguide.text.embeddings import SHORT, SIZE, Embeddings
from honeyguide.text.wordbook import Column, Numbers

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

OPENING = 100
"""Words of the main text that tell, after the title, what a page is about."""

OPENING_OF_MEANING = 80
TOLD_AT_LEAST = 2
"""Texts that must say a word before anything is learned from it."""

_NAMED = 3


class Seen(NamedTuple):
    """How far a page lies in an aspect's direction, and the words that put it there."""

    value: float
    words: tuple[str, ...]


class Aspect(Protocol):
    """One side of a page."""

    def show(self, document: Document, *, query: bool) -> None:
        """Take up one text to learn from; every word of a query is worth knowing."""
        ...

    def kernel(self, usual: Mask) -> Floats:
        """How alike each two of the texts shown are; the usual ones are what most pages are like."""
        ...

    def settle(self, pulls: Floats) -> Floats:
        """Learn the direction, and forget the texts; the values of the texts themselves."""
        ...

    def look(self, document: Document) -> Seen | None:
        """Measure a page; None if it has nothing to see from this side."""
        ...

    def state(self) -> Mapping[str, Any]: ...

    def restore(self, state: Mapping[str, Any]) -> None: ...


class Words:
    """The words that a page says: all of it, its title and first words, or only the words without a topic.

    A word counts by the logarithm of its number and not by how rare it is: with a background to compare with,
    that told topics apart much better. The words without a topic tell a home page from a course's.
    """

    def __init__(self, documents: Documents, of: Literal["page", "opening", "style"]) -> None:
        self._documents = documents
        self._of = of
        self._names = documents.book.words if of == "style" else documents.book.stems
        self._texts: list[_Text] = []
        self._take({})

    def show(self, document: Document, *, query: bool) -> None:
        bag = self._bag(document)
        self._texts.append(_Text(self._names.list, bag, TOLD_AT_LEAST if query else 1))

    def kernel(self, usual: Mask) -> Floats:
        from scipy.sparse import csr_array

        names, columns = _numbered(self._texts)
        lengths = [len(text.bag.numbers) for text in self._texts]
        times = np.repeat([text.times for text in self._texts], lengths)
        rows = np.repeat(np.arange(len(self._texts)), lengths)
        kept = np.bincount(columns, times, len(names))[columns] >= TOLD_AT_LEAST
        rows, columns = rows[kept], columns[kept]
        values = 1 + np.log(np.concatenate([text.bag.counts for text in self._texts])[kept])
        squares = np.bincount(rows, np.square(values), len(self._texts))
        self._named = names
        self._table = csr_array(
            (values / np.sqrt(squares)[rows], (rows, columns)), shape=(len(self._texts), len(names))
        )
        alike: Floats = (self._table @ self._table.T).toarray()
        return alike

    def settle(self, pulls: Floats) -> Floats:
        weights = self._table.T @ pulls
        values: Floats = self._table @ weights
        known = dict.fromkeys(self._table.indices.tolist())
        self._take({self._named[column]: float(weights[column]) for column in known})
        self._texts, self._named, self._table = [], [], None
        return values

    def look(self, document: Document) -> Seen | None:
        bag = self._bag(document)
        weights = self._weight.of(bag.numbers)
        known = np.flatnonzero(weights == weights)
        if not known.size:
            return None
        counts = 1 + np.log(bag.counts.take(known))
        amounts = weights.take(known) * counts / np.sqrt(np.square(counts).sum())
        value = float(amounts.sum())
        return Seen(value, self._spelt(document, bag.numbers.take(known[furthest(amounts, value)])))

    def weights(self) -> Mapping[str, float]:
        """How much each stem, or word without a topic, speaks for a page."""
        return self._weights

    def state(self) -> Mapping[str, Any]:
        return {"names": list(self._weights), "weights": np.array(list(self._weights.values()))}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._take(dict(zip(state["names"], state["weights"].tolist(), strict=True)))

    def _take(self, weights: dict[str, float]) -> None:
        self._weights = weights
        self._weight = Column(self._names, self._weight_of)

    def _weight_of(self, name: str) -> float:
        return self._weights.get(name, np.nan)

    def _bag(self, document: Document) -> Bag:
        if self._of == "page":
            return document.stems()
        book = self._documents.book
        if self._of == "opening":
            parts = ((document.title, 2.0), (document.words[:OPENING], 1.0))
            return self._documents.count(
                [(book.stem_numbers(words), times) for words, times in parts], book.stems
            )
        words = document.bag()
        stopped = np.flatnonzero(book.stem_numbers(words.numbers) == 0)
        return Bag(words.numbers.take(stopped), words.counts.take(stopped))

    def _spelt(self, document: Document, numbers: Numbers) -> tuple[str, ...]:
        """Names as the page spells them: for a stem the first word that has it."""
        book = self._documents.book
        if self._of != "style":
            words = document.bag().numbers
            stems = book.stem_numbers(words)
            numbers = words[[int(np.argmax(stems == number)) for number in numbers.tolist()]]
        return tuple(book.words.list[number] for number in numbers.tolist())


class _Text(NamedTuple):
    """The words of a text by number, the names that the numbers stood for, and how many texts it is worth."""

    names: list[str]
    bag: Bag
    times: int


def _numbered(texts: list[_Text]) -> tuple[list[str], NDArray[np.intp]]:
    """The different names of texts in the order in which they first occur, and the place of each text's."""
    place_of: dict[str, int] = {}
    found = []
    # The wordbook may have started afresh between two texts; the names before are another list then.
    for _, group in groupby(texts, key=lambda text: id(text.names)):
        alike = list(group)
        numbers, first, which = np.unique(
            np.concatenate([text.bag.numbers for text in alike]), return_index=True, return_inverse=True
        )
        order = np.argsort(first)
        names = alike[0].names
        places = np.zeros(len(numbers), np.intp)
        places[order] = [
            place_of.setdefault(names[number], len(place_of)) for number in numbers[order].tolist()
        ]
        found.append(places[which])
    return list(place_of), np.concatenate(found)


class Meaning:
    """What a page's words mean: the mean of their vectors, less that of the background.

    It tells a page that speaks of the same with other words. A word counts by the root of its number, in the
    title and first words by its logarithm. How long a page's vector is, is told from its first numbers.
    """

    def __init__(self, documents: Documents, embeddings: Embeddings, of: Literal["page", "opening"]) -> None:
        self._documents = documents
        self._embeddings = embeddings
        self._of = of
        self._texts: list[Floats] = []
        self._middle = np.zeros(SIZE)
        self._take(self._middle, np.zeros(SIZE), 1.0)

    def show(self, document: Document, *, query: bool) -> None:
        self._texts.append(self._embeddings.mean(*self._bag(document)))

    def kernel(self, usual: Mask) -> Floats:
        table = np.array(self._texts)
        worded = np.any(table != 0, axis=1)
        self._middle = table[usual & worded].mean(axis=0) if (usual & worded).any() else self._middle
        table = np.where(worded[:, None], table - self._middle, 0.0)
        lengths = np.sqrt(np.square(table).sum(axis=1))
        short = np.sqrt(np.square(table[:, :SHORT]).sum(axis=1))
        self._stretch = float(lengths.sum() / (short.sum() or 1.0))
        self._table = table / np.where(lengths > 0, lengths, 1.0)[:, None]
        alike: Floats = self._table @ self._table.T
        return alike

    def settle(self, pulls: Floats) -> Floats:
        direction = self._table.T @ pulls
        values: Floats = self._table @ direction
        self._texts, self._table = [], np.zeros((0, SIZE))
        self._take(self._middle, direction, self._stretch)
        return values

    def look(self, document: Document) -> Seen | None:
        words, counts = self._bag(document)
        if not len(words):
            return None
        away = self._embeddings.mean(words, counts, short=True) - self._middle[:SHORT]
        length = self._stretch * float(np.sqrt(np.square(away).sum()))
        if length <= 0:
            return None
        amounts = counts * (self._along.of(words) - self._level) / (length * counts.sum())
        value = float(amounts.sum())
        names = self._documents.book.words.list
        return Seen(value, tuple(names[words[at]] for at in furthest(amounts, value)))

    def state(self) -> Mapping[str, Any]:
        return {"middle": self._middle, "direction": self._direction, "stretch": self._stretch}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._take(state["middle"], state["direction"], state["stretch"])

    def _take(self, middle: Floats, direction: Floats, stretch: float) -> None:
        self._middle, self._direction, self._stretch = middle, direction, stretch
        self._level = float((middle * direction).sum())
        self._along = self._embeddings.along(direction)

    def _bag(self, document: Document) -> tuple[Numbers, Floats]:
        if self._of == "page":
            bag = document.bag()
            return bag.numbers, np.sqrt(bag.counts)
        parts = [(document.title, 1.0), (document.words[:OPENING_OF_MEANING], 1.0)]
        bag = self._documents.count(parts, self._documents.book.words)
        return bag.numbers, 1 + np.log(bag.counts)


def furthest(amounts: Floats, value: float) -> list[int]:
    """Where the amounts are that drive the value where it is, the largest first."""
    pulling = amounts if value >= 0 else -amounts
    chosen = np.arange(len(pulling))
    if len(pulling) > _NAMED:
        chosen = np.argpartition(pulling, -_NAMED)[-_NAMED:]
    chosen = chosen[np.argsort(-pulling.take(chosen), kind="stable")]
    return [at for at in chosen.tolist() if pulling[at] > 0]
