"""What waits in the queue of a crawl and what was never queued, counted behind the scenes.

`urls` has no index and may hold ten million rows, so it is read in stretches, each a query of its own that
holds nothing up, and the next scan begins only after nine times what the last one took.
"""

import logging
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from honeyguide.errors import HoneyguideError
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect

LOG = logging.getLogger(__name__)
STRETCH = 200_000
BARS = 24
REST = 9.0
SHORTEST_REST = 1.0
MOST_REASONS = 12
ON_THE_SPOT = 20_000
"""Rows that are counted while somebody waits, which takes some 10 ms."""

COUNTS = "SELECT state, reason, COUNT(*) FROM urls WHERE id > ? AND id <= ? GROUP BY 1, 2"
RANGE = """
SELECT MIN(score), MAX(score) FROM urls WHERE id > ? AND id <= ? AND state = 'waiting' AND score <= ?
"""
HOSTS = "SELECT host, COUNT(*) FROM urls WHERE id > ? AND id <= ? AND state = 'waiting' GROUP BY 1"
SCORES = """
SELECT MIN(MAX(CAST((score - ?) / ? AS INTEGER), 0), ?), COUNT(*) FROM urls
WHERE id > ? AND id <= ? AND state = 'waiting' AND score <= ? GROUP BY 1
"""
ORDINARY = 1e6
"""Links above this score were put first by hand, as seeds are; they would flatten all others."""


@dataclass(frozen=True)
class Queue:
    """The queue of a version of the crawl; `bars` are counts of equally wide ranges of scores from `low` to `high`."""

    version: object
    at: float
    waiting: int = 0
    first: int = 0
    refused: int = 0
    low: float = 0.0
    high: float = 0.0
    bars: tuple[int, ...] = ()
    reasons: tuple[tuple[str, int], ...] = ()
    hosts: Counter[int] = field(default_factory=Counter, repr=False)


class QueueScan:
    """Keeps a crawl's queue counted; starts to count when it is asked, and not more often than it should."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._found: Queue | None = None
        self._seen: object = None
        self._next = 0.0
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def queue(self, version: object) -> Queue | None:
        """The queue as last counted; counted again behind the scenes if `version` says that the crawl changed."""
        with self._lock:
            if self._thread is None and version != self._seen and self._clock() >= self._next:
                self._seen = version
                if self._found is None and self._rows() <= ON_THE_SPOT:
                    self._scan(version)
                else:
                    self._thread = threading.Thread(
                        target=self._work, args=(version,), name="queue scan", daemon=True
                    )
                    self._thread.start()
            return self._found

    def close(self) -> None:
        """Stop counting."""
        self._stop.set()
        if thread := self._thread:
            thread.join(timeout=5)

    def _work(self, version: object) -> None:
        self._scan(version)
        with self._lock:
            self._thread = None

    def _rows(self) -> int:
        connection = connect(self._folder / DATABASE, readonly=True)
        try:
            return int(connection.execute("SELECT COALESCE(MAX(id), 0) FROM urls").fetchone()[0])
        finally:
            connection.close()

    def _scan(self, version: object) -> None:
        began = self._clock()
        try:
            connection = connect(self._folder / DATABASE, readonly=True)
            try:
                found = _count(connection, version, self._stop.is_set)
            finally:
                connection.close()
        except (HoneyguideError, sqlite3.Error) as error:
            LOG.warning("the queue of %s could not be counted: %s", self._folder, error)
            found = None
        self._found = found or self._found
        took = self._clock() - began
        self._next = self._clock() + max(SHORTEST_REST, REST * took)


def _count(connection: sqlite3.Connection, version: object, stopped: Callable[[], bool]) -> Queue | None:
    """Count the whole queue, a stretch at a time; None if it was stopped."""
    last: int = connection.execute("SELECT COALESCE(MAX(id), 0) FROM urls").fetchone()[0]
    stretches = [(start, min(start + STRETCH, last)) for start in range(0, last, STRETCH)]
    states: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    hosts: Counter[int] = Counter()
    for stretch in stretches:
        for state, reason, count in connection.execute(COUNTS, stretch):
            states[state] += count
            if state == "refused":
                reasons[reason] += count
        for host, count in connection.execute(HOSTS, stretch):
            hosts[host] += count
        if stopped():
            return None
    bars, low, high = _bars(connection, stretches)
    waiting = states["waiting"]
    return Queue(
        version=version,
        at=time.time(),
        waiting=waiting,
        first=max(0, waiting - sum(bars)),
        refused=states["refused"],
        low=low,
        high=high,
        bars=bars,
        reasons=tuple(reasons.most_common(MOST_REASONS)),
        hosts=hosts,
    )


def _bars(
    connection: sqlite3.Connection, stretches: list[tuple[int, int]]
) -> tuple[tuple[int, ...], float, float]:
    ranges = [connection.execute(RANGE, (*stretch, ORDINARY)).fetchone() for stretch in stretches]
    found = [(low, high) for low, high in ranges if low is not None]
    if not found:
        return (), 0.0, 0.0
    low, high = min(low for low, _ in found), max(high for _, high in found)
    width = (high - low) / BARS or 1.0
    bars = [0] * BARS
    for stretch in stretches:
        for bar, count in connection.execute(SCORES, (low, width, BARS - 1, *stretch, ORDINARY)):
            bars[bar] += count
    return tuple(bars), low, high
