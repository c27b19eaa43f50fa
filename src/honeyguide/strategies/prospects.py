"""What is known of every URL that waits, a row for each, in columns: some 330 bytes a URL.

Whatever pages say of a URL is added up as they come, so that all links to it count and none need be kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from honeyguide.graph.seen import Seen
from honeyguide.graph.tape import Tape
from honeyguide.strategies.signs import COUNT, OF_ADDRESS, OF_LINK, Signs
from honeyguide.text.kinds import SENSES
from honeyguide.urls import host_of, url_hash

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

SUMS = ("links", "relevance", "context", "near", "anchor", "rarity", "learned")
"""Figures that are added up over the pages that link to a URL; the first counts those pages."""

LARGEST = {
    "best": "relevance",
    "best_context": "context",
    "anchor_words": "anchor_words",
    "best_learned": "learned",
    "inherited": "inherited",
}
"""Columns that keep the largest of a figure."""

COLUMNS = (*SUMS, *LARGEST, "second", "address", "address_words")
COLUMN = {name: number for number, name in enumerate(COLUMNS)}

PLACES = 1 << 18
"""Hosts and folders that are told apart; more of them share a number now and then."""

_BYTE = 127.0
"""Vectors are kept in bytes: a number from -1 to 1 as so many parts of 1."""

LINKS = 4
"""Links to a URL of which the block is kept: the last ones."""

_ROOM, _SPARE = 1024, 16
"""Rows that there is room for at first; one in so many is spare whenever the table has to grow."""

_SAMPLED = 64
"""One score in so many is looked at to tell which ones are high."""


class Said(NamedTuple):
    """What links say of URLs, an entry or a row for each: figures by name, and vectors."""

    figures: Mapping[str, Floats]
    vectors: Floats


class Prospects:
    """The table. A URL keeps its row after it was visited; `pages` says on which page its best link stands, `signs`
    what that link and the address look like, `kinds` what they name, `blocks` in which blocks of pages the last ones
    stand, and `numbers` which page it turned out to be. `scores` are what URLs were last found to be worth, `queued`
    what the queue goes by. `tried_at` is how many pages had come when a URL was chosen as a way off the topic.
    """

    def __init__(self, *, width: int) -> None:
        self._seen = Seen()
        self._count = 0
        self._addresses = Tape()
        self._ends = np.zeros(0, np.int64)
        self._vectors = np.zeros((0, width), np.int8)
        self.columns = np.zeros((0, len(COLUMNS)), np.float32)
        self.waits = np.zeros(0, np.bool_)
        self.scores = np.zeros(0, np.float32)
        self.queued = np.zeros(0, np.float32)
        self.pages = np.zeros(0, np.int32)
        self.blocks = np.zeros((0, LINKS), np.int32)
        self.numbers = np.zeros(0, np.int32)
        self.hosts = np.zeros(0, np.int32)
        self.folders = np.zeros(0, np.int32)
        self.signs = np.zeros((0, COUNT), np.uint16)
        self.kinds = np.zeros((0, 2 * SENSES), np.int32)
        self.tried_at = np.zeros(0, np.int32)
        self._make_room(_ROOM)

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """What the table takes in memory, room for more included."""
        arrays: int = sum(getattr(self, name).nbytes for name in _ARRAYS)
        return arrays + self._addresses.nbytes + self._seen.nbytes

    def find(self, url: str) -> int | None:
        """The row of a URL, if it has one."""
        row = self._seen.find_one(url_hash(url))
        return row - 1 if row else None

    def rows(self, urls: Sequence[str]) -> Rows:
        """The row of each URL; those never heard of get new ones, and wait."""
        hashes = [url_hash(url) for url in urls]
        found = np.array(self._seen.find(hashes), np.int64)
        unknown = np.flatnonzero(found == 0).tolist()
        if unknown:
            new = {hashes[place]: urls[place] for place in unknown}
            first = self._count + 1
            self._add(list(new.values()))
            self._seen.add(list(new), first)
            numbers = dict(zip(new, range(first, first + len(new)), strict=True))
            found[unknown] = [numbers[hashes[place]] for place in unknown]
        return found - 1

    def urls(self, rows: Rows) -> Iterator[str]:
        """The addresses in some rows, of which there may be a million."""
        for first in range(0, len(rows), _ROOM):
            some = rows[first : first + _ROOM]
            ends = self._ends.take(some).tolist()
            starts = np.where(some > 0, self._ends.take(some - 1), 0).tolist()
            for address in self._addresses.slices(starts, ends):
                yield address.decode("utf-8", "surrogatepass")

    def waiting(self) -> Rows:
        """The rows of all URLs that wait."""
        return np.flatnonzero(self.waits[: self._count])

    def best(self, rows: Rows, most: int) -> Rows:
        """Those among some rows that score highest or that the queue has in front, so many of them; there must be as
        many.
        """
        scores = np.maximum(self.scores[rows], self.queued[rows])
        sample = scores[::_SAMPLED]
        rank = 1 + 2 * most * len(sample) // len(rows)
        if rank < len(sample):  # few of a million are in question, and a sample tells which
            high = np.flatnonzero(scores >= np.partition(sample, -rank)[-rank])
            if len(high) >= most:
                rows, scores = rows[high], scores[high]
        return rows[np.argpartition(scores, -most)[-most:]]

    def name(
        self, rows: Rows, nearness: Floats, words: Floats, *, signs: Signs, kinds: NDArray[np.int32]
    ) -> None:
        """Note what the addresses of some URLs say."""
        self.signs[rows, OF_ADDRESS] = signs
        self.kinds[rows, SENSES:] = kinds
        self.columns[rows, COLUMN["address"]] = nearness
        self.columns[rows, COLUMN["address_words"]] = words

    def is_better(self, rows: Rows, relevance: Floats) -> NDArray[np.bool_]:
        """Whether pages so relevant are the most relevant ones that link to some URLs."""
        return np.asarray((self.columns[rows, 0] == 0) | (relevance > self.columns[rows, COLUMN["best"]]))

    def completed(
        self, rows: Rows, is_given: NDArray[np.bool_], figures: Mapping[str, Floats], vectors: Floats
    ) -> Said:
        """What a page says of some URLs, if figures and vectors of a part are given: of the others what others said."""
        if is_given.all():
            return Said(figures, vectors)
        others = rows[~is_given]
        numbers = self.columns[others, 0].astype(np.float64)
        every = {}
        for name, given in figures.items():
            known = self.columns[others, COLUMN[name]]
            every[name] = _filled(is_given, given, known / numbers if name in SUMS else known)
        return Said(every, _filled(is_given, vectors, self.vectors(others)))

    def hear(
        self,
        rows: Rows,
        figures: Mapping[str, Floats],
        vectors: Floats,
        *,
        page: int,
        blocks: Rows,
        better: NDArray[np.bool_],
        signs: Signs,
        kinds: NDArray[np.int32],
    ) -> None:
        """Add what one page says of some URLs, each named once. `better` says of which its links are the best so far,
        and `signs` are those of these links, `kinds` the kinds of things that they name.
        """
        columns = self.columns[rows].astype(np.float64)
        is_first = columns[:, 0] == 0
        relevance = figures["relevance"]
        best = columns[:, COLUMN["best"]]
        second = np.where(
            is_first, 0.0, np.maximum(columns[:, COLUMN["second"]], np.minimum(best, relevance))
        )
        columns[:, COLUMN["second"]] = second
        for name in SUMS:
            columns[:, COLUMN[name]] += figures[name]
        for name, figure in LARGEST.items():
            at, values = COLUMN[name], figures[figure]
            columns[:, at] = np.where(is_first, values, np.maximum(columns[:, at], values))
        self.columns[rows] = columns
        self.pages[rows[better]] = page
        slots = (columns[:, 0].astype(np.int64) - 1) % LINKS
        self.blocks[rows, slots] = blocks
        self.signs[rows[better], OF_LINK] = signs
        self.kinds[rows[better], :SENSES] = kinds
        means = self._vectors[rows] / _BYTE
        means += (vectors - means) / columns[:, :1]
        self._vectors[rows] = np.rint(means * _BYTE)

    def rejudge(self, page_of: NDArray[np.int32], relevance: Floats, changes: Floats) -> None:
        """Pages are as relevant as this by now, of which so much is new; what earlier links said besides stands.
        `page_of` has the page of every block, and none at its end.
        """
        rows = self.waiting()
        pages = page_of[self.blocks[rows]]
        more = changes[pages]  # of no page the last one, which never changes
        concerned = more.any(axis=1)
        rows, pages, more = rows[concerned], pages[concerned], more[concerned]
        columns = self.columns[rows].astype(np.float64)
        now = np.sort(np.where(pages >= 0, relevance[pages], 0.0), axis=1)
        all_kept = columns[:, 0] <= LINKS
        columns[:, COLUMN["relevance"]] += more.sum(axis=1)
        for name, at in (("best", -1), ("second", -2)):
            column = COLUMN[name]
            columns[:, column] = np.where(all_kept, now[:, at], np.maximum(columns[:, column], now[:, at]))
        self.columns[rows] = columns

    def packed(self, row: int) -> NDArray[np.int8]:
        """The mean of the vectors of the links to a URL, in bytes."""
        vector: NDArray[np.int8] = self._vectors[row]
        return vector

    def vectors(self, rows: Rows) -> NDArray[np.float32]:
        """The mean of the vectors of the links to each of some URLs."""
        return unpacked(self._vectors.take(rows, 0))

    def _add(self, urls: Sequence[str]) -> None:
        encoded = [url.encode("utf-8", "surrogatepass") for url in urls]
        first, count = self._count, self._count + len(encoded)
        if count > len(self._ends):
            self._make_room(max(count, self._count + self._count // _SPARE))
        self._ends[first:count] = len(self._addresses) + np.cumsum([len(url) for url in encoded])
        self._addresses.append(b"".join(encoded))
        places = np.array([places_of(url.rpartition("/")[0]) for url in urls], np.int32)
        self.hosts[first:count], self.folders[first:count] = places.T
        self.waits[first:count] = True
        self._count = count

    def _make_room(self, room: int) -> None:
        for name, unknown in _ARRAYS.items():
            old = getattr(self, name)
            new = np.empty((room, *old.shape[1:]), old.dtype)
            new[: self._count], new[self._count :] = old[: self._count], unknown
            setattr(self, name, new)

    def state(self) -> Mapping[str, Any]:
        """The table as arrays."""
        arrays = {name.strip("_"): getattr(self, name)[: self._count].copy() for name in _ARRAYS}
        arrays["waits"] = arrays["waits"].astype(np.int8)
        return {**arrays, "addresses": np.frombuffer(self._addresses.whole(), np.uint8)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        for name in _ARRAYS:
            setattr(self, name, state[name.strip("_")].astype(getattr(self, name).dtype))
        self._count = len(self._ends)
        self._make_room(max(_ROOM, self._count))
        self._addresses = Tape()
        self._addresses.append(state["addresses"].astype(np.uint8).tobytes())
        self._seen = Seen()
        hashes = np.array([url_hash(url) for url in self.urls(np.arange(self._count))], np.int64)
        if self._count:
            self._seen.load(hashes, np.arange(1, self._count + 1, dtype=np.uint32))


_ARRAYS = {
    "_ends": 0,
    "_vectors": 0,
    "columns": 0,
    "waits": False,
    "scores": 0,
    "queued": 0,
    "pages": -1,
    "blocks": -1,
    "numbers": -1,
    "hosts": 0,
    "folders": 0,
    "signs": 0,
    "kinds": 0,
    "tried_at": 0,
}
"""The columns, and what stands in a row that nothing is known of."""


def unpacked(vectors: NDArray[np.int8]) -> NDArray[np.float32]:
    """Vectors that were kept in bytes."""
    numbers = vectors.astype(np.float32)
    numbers *= np.float32(1 / _BYTE)
    return numbers


def _filled(is_given: NDArray[np.bool_], given: Floats, others: NDArray[np.floating[Any]]) -> Floats:
    """One array of what is given and what is not, in their places."""
    every = np.empty((len(is_given), *given.shape[1:]))
    every[is_given], every[~is_given] = given, others
    return every


def first_of_each(groups: NDArray[np.int32], scores: NDArray[np.floating[Any]], most: int) -> Rows:
    """Where those are that score highest in each group, so many of each, the best of all first."""
    order = np.lexsort((-scores, groups))
    groups = groups[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[most:] = groups[most:] != groups[:-most]
    first = order[is_first]
    found: Rows = first[np.argsort(-scores[first], kind="stable")]
    return found


@lru_cache(maxsize=1 << 14)
def places_of(folder: str) -> tuple[int, int]:
    """The numbers that the host of a folder and the folder itself go by."""
    return _place(host_of(folder)), _place(folder)


def host_number(name: str) -> int:
    """The number that a host goes by."""
    return _place(name)


def _place(name: str) -> int:
    return xxh3_64_intdigest(name.encode("utf-8", "surrogatepass")) % PLACES
