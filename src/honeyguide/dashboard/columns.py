"""The visits of every crawl as arrays, read behind the scenes and kept in CRAWL/dashboard/.

    shelf = ColumnShelf()                        one for the application; close() when it ends
    columns = shelf.columns(folder)              at once: as far as the visits are read (see visit_columns.Columns)
    columns.read, columns.total, columns.complete
    columns.sums                                 visits, pages, relevant, duplicates, failures, bytes
    columns.errors                               [(kind, count)], the most frequent first
    columns.best_hosts(top)                      [HostSum(host number, pages, relevant, failures)]
    columns.curve(points=400, window=500)        Curve(pages, overall, recent): three arrays
    columns.speed(now)                           answered visits per second in the last minute
    columns.counts("language")                   [(name, count)]; also of "type", "label", "error"
    choosing.choose, choosing.ordered            rows of a table
    host_names(connection, numbers)              {number: name}

A call looks for new visits at most twice a second. A few are read on the spot; many are read by a thread, and the
columns grow from call to call. Arrays are never changed once they are given out.
"""

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from honeyguide.dashboard.cache import Cache, identity_of, open_cache
from honeyguide.dashboard.growing_columns import GrowingColumns
from honeyguide.dashboard.host_graph import HostGraph
from honeyguide.dashboard.links import LinkReader
from honeyguide.dashboard.visit_columns import Columns as Columns
from honeyguide.errors import HoneyguideError
from honeyguide.store.folder import DATABASE, must_hold_crawl
from honeyguide.store.schema import connect

LOG = logging.getLogger(__name__)

FILE = "visits.columns"
BATCH = 20_000
ON_THE_SPOT = 4_000
"""Visits that are read while somebody waits, which takes some 20 ms."""

LOOK_EVERY = 0.5
SAVE_AFTER = 20_000

READ = """
SELECT v.id, v.url, COALESCE(u.host, 0), v.at, MIN(MAX(v.status, 0), 65535), COALESCE(v.error, ''), v.relevance,
    v.margin, v.queue_score, v.relevant, v.language, v.content_type, v.label, MIN(v.length, 4294967295),
    MIN(v.wire, 4294967295), MIN(v.words, 4294967295), MIN(COALESCE(u.depth, 0), 65535), v.elapsed,
    v.duplicate_of != '', v.unchanged, v.warc != '', NOT v.unchanged,
    CASE WHEN v.unchanged THEN NULL ELSE
        (SELECT MAX(w.id) FROM visits w WHERE w.url = v.url AND w.id < v.id AND w.unchanged = 0) END
FROM visits v LEFT JOIN urls u ON u.id = v.url WHERE v.id > ? ORDER BY v.id LIMIT ?
"""
"""The columns in their order, and the visit that this one replaces."""


def host_names(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, str]:
    """What hosts are called."""
    rows = connection.execute(
        "SELECT id, name FROM hosts WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps([int(number) for number in numbers]),),
    )
    return dict(rows)


class ColumnShelf:
    """What was worked out of every crawl that was looked at."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._readers: dict[Path, _Reader] = {}

    def columns(self, folder: Path) -> Columns:
        """The visits of a crawl, as far as they are read."""
        return self._reader(folder).columns()

    def host_ranks(self, folder: Path) -> NDArray[np.int64]:
        """By the number of a host, where its name stands among those of all hosts visited."""
        return self._reader(folder).host_ranks()

    def links(self, folder: Path) -> LinkReader:
        """The links of a crawl, as far as they are read; more are read if there are more."""
        return self._reader(folder).links()

    def host_graph(self, folder: Path) -> HostGraph:
        """The links between the hosts of a crawl."""
        return self._reader(folder).host_graph()

    def close(self) -> None:
        """Stop reading, and keep what is read."""
        with self._lock:
            readers, self._readers = self._readers, {}
        for reader in readers.values():
            reader.close()

    def _reader(self, folder: Path) -> "_Reader":
        with self._lock:
            if folder not in self._readers:
                self._readers[folder] = _Reader(folder, clock=self._clock)
            return self._readers[folder]


class _Reader:
    """Reads one crawl, on the spot or in a thread of its own."""

    def __init__(self, folder: Path, *, clock: Callable[[], float]) -> None:
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._cache: Cache | None = None
        self._identity = ""
        self._links: LinkReader | None = None
        self._host_graph: HostGraph | None = None
        self._growing = GrowingColumns()
        self._now = self._growing.columns(0)
        self._ranks = np.zeros(0, np.int64)
        self._looked = -np.inf
        self._saved = 0

    def columns(self) -> Columns:
        # Whoever finds the reader at work takes what it has; nobody waits for a million visits.
        if self._lock.acquire(blocking=not self._now.read):
            try:
                if self._thread is None and self._clock() - self._looked >= LOOK_EVERY:
                    self._look()
                    self._looked = self._clock()
            finally:
                self._lock.release()
        return self._now

    def host_ranks(self) -> NDArray[np.int64]:
        size = int(self._now.host.max(initial=-1)) + 1
        if len(self._ranks) != size:
            ranks = np.zeros(size, np.int64)
            connection = connect(self._folder / DATABASE, readonly=True)
            try:
                named = connection.execute("SELECT id FROM hosts WHERE id < ? ORDER BY name", (size,))
                order = np.fromiter((number for (number,) in named), np.int64)
            finally:
                connection.close()
            ranks[order] = np.arange(len(order))
            self._ranks = ranks
        return self._ranks

    def links(self) -> LinkReader:
        self.columns()
        with self._lock:
            if self._links is None:
                self._links = LinkReader(self._folder, self._cache)
            links = self._links
        links.look()
        return links

    def host_graph(self) -> HostGraph:
        self.columns()
        with self._lock:
            if self._host_graph is None:
                self._host_graph = HostGraph(self._cache)
            return self._host_graph

    def close(self) -> None:
        self._stop.set()
        if thread := self._thread:
            thread.join(timeout=10)
        if self._links is not None:
            self._links.close()
        if self._cache is not None:
            if self._thread is None:
                self._save(after=1000)
            self._cache.close()

    def _look(self) -> None:
        must_hold_crawl(self._folder)
        connection = connect(self._folder / DATABASE, readonly=True)
        try:
            self._settle(connection)
            last: int = connection.execute("SELECT COALESCE(MAX(id), 0) FROM visits").fetchone()[0]
            missing = last - self._growing.last
            if 0 < missing <= ON_THE_SPOT:
                self._growing.take(connection.execute(READ, (self._growing.last, ON_THE_SPOT)).fetchall())
            if missing > ON_THE_SPOT:
                self._thread = threading.Thread(target=self._read_on, name="columns", daemon=True)
            if missing > 0 or not self._now.complete:
                self._now = self._growing.columns(max(0, last - self._growing.last))
        finally:
            connection.close()
        if self._thread:
            self._thread.start()
        else:
            self._save(after=max(SAVE_AFTER, self._saved // 10))

    def _settle(self, connection: sqlite3.Connection) -> None:
        """Start from what is kept of this very crawl, or from nothing if it is another one by now."""
        identity = identity_of(connection)
        if identity == self._identity and self._growing.belongs(connection):
            return
        if self._cache is not None:
            self._cache.close()
        if self._links is not None:
            self._links.close()
        self._links = self._host_graph = None
        self._ranks = np.zeros(0, np.int64)
        self._identity, self._cache = identity, open_cache(self._folder, identity) if identity else None
        self._growing = (self._cache and GrowingColumns.load(self._cache.folder / FILE)) or GrowingColumns()
        if not self._growing.belongs(connection):
            self._growing = GrowingColumns()
        self._saved = self._growing.count
        self._now = self._growing.columns(0)

    def _read_on(self) -> None:
        try:
            connection = connect(self._folder / DATABASE, readonly=True)
            try:
                cursor = connection.cursor()
                while not self._stop.is_set():
                    rows = cursor.execute(READ, (self._growing.last, BATCH)).fetchall()
                    if not rows:
                        break
                    self._growing.take(rows)
                    last = cursor.execute("SELECT MAX(id) FROM visits").fetchone()[0]
                    self._now = self._growing.columns(last - self._growing.last)
            finally:
                connection.close()
            self._save(after=1)
        except (sqlite3.Error, OSError, HoneyguideError) as error:
            LOG.warning("the visits of %s could not be read on: %s", self._folder, error)
        finally:
            self._thread = None

    def _save(self, *, after: int) -> None:
        if self._cache is None or not self._cache.kept or self._growing.count < self._saved + after:
            return
        try:
            self._growing.save(self._cache.folder / FILE)
            self._saved = self._growing.count
        except OSError as error:
            LOG.info("what was read of %s is not kept: %s", self._folder, error)
