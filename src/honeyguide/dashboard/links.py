"""The links of a crawl, found from either end.

The crawl's table of links has no index, and its table of URLs none on their hashes: a crawl only ever appends. The
application therefore keeps three plain files of numbers in its cache, appended to as the crawl grows, and looks
through them from end to end: a tenth of a second for ten million links, without sorting anything.

    urls.hashes      the hash of every URL, at the place of its number
    links.targets    the hash of the URL that a link leads to, at the place of its row
    links.visits     the number of the visit that saw it
"""

import logging
import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.dashboard.cache import Cache
from honeyguide.errors import HoneyguideError
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect

LOG = logging.getLogger(__name__)

BATCH = 100_000
ON_THE_SPOT = 30_000
CHUNK = 1 << 21
"""Numbers that are compared at once."""

_BITS = 16

Numbers = NDArray[np.int64]


class LinkReader:
    """Reads the links of one crawl, on the spot or in a thread of its own."""

    def __init__(self, folder: Path, cache: Cache | None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        place = cache.folder if cache else None
        self._hashes = _NumberFile(place and place / "urls.hashes", np.int64)
        self._targets = _NumberFile(place and place / "links.targets", np.int64)
        self._visits = _NumberFile(place and place / "links.visits", np.int32)
        self._total = 0
        self._checked = cache is None

    @property
    def read(self) -> int:
        """How many URLs and links are read, of `total`."""
        return len(self._hashes) + self.count

    @property
    def total(self) -> int:
        return max(self._total, self.read)

    @property
    def complete(self) -> bool:
        return self.read >= self._total

    @property
    def count(self) -> int:
        """How many links are read."""
        return min(len(self._targets), len(self._visits))

    @property
    def hashes(self) -> Numbers:
        """The hash of every URL, the first one's at 1."""
        return self._hashes.numbers()

    def rows(self) -> tuple[NDArray[np.int32], Numbers]:
        """The visit and the target's hash of every link, in the order of the crawl."""
        count = self.count
        return self._visits.numbers()[:count], self._targets.numbers()[:count]

    def look(self) -> None:
        """Read what is new: a little at once, much behind the scenes."""
        with self._lock:
            if self._thread is not None:
                return
            connection = connect(self._folder / DATABASE, readonly=True)
            try:
                if not self._checked:
                    self._check(connection)
                    self._checked = True
                self._total = _last(connection, "urls") + 1 + _last(connection, "links")
                if self._total - self.read > ON_THE_SPOT:
                    self._thread = threading.Thread(target=self._read_on, name="links", daemon=True)
                    self._thread.start()
                else:
                    self._read(connection)
            finally:
                connection.close()

    def close(self) -> None:
        """Stop reading."""
        self._stop.set()
        if thread := self._thread:
            thread.join(timeout=10)

    def url_numbers(self, hashes: Iterable[int]) -> dict[int, int]:
        """The numbers of the URLs with these hashes, as far as they are known."""
        found, wanted = search(self.hashes, hashes)
        return dict(zip(wanted.tolist(), found.tolist(), strict=True))

    def out_of(self, visit: int) -> tuple[int, Numbers]:
        """The first row of a visit's links, and the hashes they lead to."""
        visits, targets = self.rows()
        first, end = visits.searchsorted(np.array([visit, visit + 1], np.int32)).tolist()
        return first, targets[first:end]

    def into(self, hashes: Iterable[int], *, most: int) -> tuple[Numbers, Numbers, Numbers]:
        """The rows of the first links that lead to URLs with these hashes, their visits and their targets."""
        visits, targets = self.rows()
        rows, found = search(targets, hashes, most=most)
        return rows, visits[rows].astype(np.int64), found

    def _check(self, connection: sqlite3.Connection) -> None:
        """Start anew if the last numbers are not those of the crawl, as after a loss of power."""
        number, row = len(self._hashes) - 1, self.count
        known = connection.execute("SELECT hash FROM urls WHERE id = ?", (number,)).fetchone()
        if number > 0 and known != (int(self.hashes[number]),):
            self._hashes.clear()
        visits, targets = self.rows()
        link = connection.execute("SELECT visit, target FROM links WHERE rowid = ?", (row,)).fetchone()
        if row and link != (int(visits[-1]), int(targets[-1])):
            self._targets.clear()
            self._visits.clear()

    def _read_on(self) -> None:
        try:
            connection = connect(self._folder / DATABASE, readonly=True)
            try:
                self._read(connection)
            finally:
                connection.close()
        except (sqlite3.Error, OSError, HoneyguideError) as error:
            LOG.warning("the links of %s could not be read on: %s", self._folder, error)
        finally:
            self._thread = None

    def _read(self, connection: sqlite3.Connection) -> None:
        last = _last(connection, "urls")
        while len(self._hashes) <= last and not self._stop.is_set():
            first = len(self._hashes)
            self._hashes.append(*_span(connection, "urls", ("hash",), first, min(first + BATCH, last + 1)))
        last = _last(connection, "links")
        self._targets.cut(self.count)
        self._visits.cut(self.count)
        while self.count < last and not self._stop.is_set():
            first = self.count + 1  # rows are counted from 1
            targets, visits = _span(
                connection, "links", ("target", "visit"), first, min(first + BATCH, last + 1)
            )
            self._targets.append(targets)
            self._visits.append(visits)


def search(numbers: Numbers, wanted: Iterable[int], *, most: int = 1 << 62) -> tuple[Numbers, Numbers]:
    """The places of the first numbers that are among those wanted, and which they are.

    A table of 65,536 bits, by the low bits of a number, leaves few to look for exactly; hashes are spread evenly.
    """
    keys = np.unique(np.fromiter(wanted, np.int64))
    table = np.zeros(1 << _BITS, np.bool_)
    table[keys & ((1 << _BITS) - 1)] = True
    places: list[Numbers] = []
    left = most
    for start in range(0, len(numbers) if len(keys) else 0, CHUNK):
        chunk = numbers[start : start + CHUNK]
        # The low 16 bits of a little-endian number are the first of its four parts.
        perhaps = np.flatnonzero(table[np.ascontiguousarray(chunk).view(np.uint16)[::4]])
        at = np.minimum(keys.searchsorted(chunk[perhaps]), len(keys) - 1)
        found = perhaps[keys[at] == chunk[perhaps]][:left] + start
        places.append(found)
        left -= len(found)
        if left <= 0:
            break
    all_places = np.concatenate(places) if places else np.zeros(0, np.int64)
    return all_places, numbers[all_places]


def _last(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT COALESCE(MAX(rowid), 0) FROM {table}").fetchone()[0])


def _span(
    connection: sqlite3.Connection, table: str, columns: tuple[str, ...], first: int, end: int
) -> list[Numbers]:
    """Columns of the rows from `first` up to `end`, 0 where there is no row.

    SQLite joins them to a text each, which numpy reads ten times as fast as one makes a million tuples.
    """
    joined = ", ".join(f"group_concat({column})" for column in ("rowid", *columns))
    texts = connection.execute(
        f"SELECT {joined} FROM {table} WHERE rowid >= ? AND rowid < ?", (first, end)
    ).fetchone()
    rows, *values = (np.fromstring(text or "", np.int64, sep=",") for text in texts)
    placed = []
    for column in values:
        array = np.zeros(end - first, np.int64)
        array[rows - first] = column
        placed.append(array)
    return placed


class _NumberFile:
    """A file of numbers that is appended to; without a path, numbers in memory."""

    def __init__(self, path: Path | None, kind: Any) -> None:
        self._path = path
        self._kind = np.dtype(kind)
        self._numbers: NDArray[Any] = np.zeros(0, self._kind)
        self._map()

    def __len__(self) -> int:
        return len(self._numbers)

    def numbers(self) -> NDArray[Any]:
        return self._numbers

    def append(self, numbers: Numbers) -> None:
        if self._path is None:
            self._numbers = np.concatenate((self._numbers, numbers.astype(self._kind)))
            return
        with self._path.open("ab") as stream:
            stream.write(numbers.astype(self._kind).tobytes())
        self._map()

    def cut(self, count: int) -> None:
        """Drop what comes after so many numbers: another file ends there."""
        if count < len(self):
            self._numbers = self._numbers[:count]
            if self._path is not None:
                with self._path.open("r+b") as stream:
                    stream.truncate(count * self._kind.itemsize)

    def clear(self) -> None:
        self.cut(0)

    def _map(self) -> None:
        if self._path is None or not self._path.exists():
            return
        whole = self._path.stat().st_size // self._kind.itemsize
        if self._path.stat().st_size % self._kind.itemsize:
            with self._path.open("r+b") as stream:
                stream.truncate(whole * self._kind.itemsize)
        if whole:
            self._numbers = np.memmap(self._path, self._kind, mode="r", shape=(whole,))
