"""Search engines that stay open between two searches, and keep up with their crawls behind the scenes."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from honeyguide.errors import CrawlError, UserError
from honeyguide.search.failures import DamagedIndex
from honeyguide.search.results import Request, Results
from honeyguide.searching import SearchEngine

LEAST_REST = 5.0
REST = 9.0
"""Times as long as it took, updating an index is left alone: it costs a tenth of the time at most."""

LOOK_EVERY = 2.0
"""Seconds between two looks at what is written to an index meanwhile."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """How far an index is behind its crawl, and who is bringing it up to date."""

    pages: int
    behind: int
    updating: bool
    elsewhere: bool
    problem: str


class KeptEngine:
    """The engine of one crawl; any thread may search, one thread at a time updates."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.engine = SearchEngine(folder, refresh=False)
        self._clock = clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._elsewhere = False
        self._problem = ""
        self._next_update = self._next_look = -1.0
        self._seen = self.engine.index.visit

    def search(self, request: Request) -> Results:
        """What is indexed by now that answers a request; never waits for what is not."""
        self.keep_up()
        try:
            return self.engine.index.search(request, ranking=self.engine.ranking)
        except DamagedIndex as error:
            self.engine.index.discard()
            self._next_update = -1.0
            self.keep_up()
            raise CrawlError(
                "The search index was damaged and is being rebuilt; search again soon."
            ) from error

    def keep_up(self) -> None:
        """Take in what the crawl has brought, in a thread, unless that was done a moment ago."""
        now = self._clock()
        with self._lock:
            if self._thread is None and now >= self._next_update and not self._closing.is_set():
                self._thread = threading.Thread(target=self._update, name="index upkeep", daemon=True)
                self._thread.start()
            look = now >= self._next_look
            if look:
                self._next_look = now + LOOK_EVERY
        if look and (visit := self.engine.index.visit) != self._seen:
            self._seen = visit
            self.engine.index.look()

    def state(self) -> IndexState:
        """How the index stands."""
        self.keep_up()
        updating = self._thread is not None
        return IndexState(
            len(self.engine.index), self.engine.behind(), updating, self._elsewhere, self._problem
        )

    def settled(self, seconds: float) -> bool:
        """Wait until the update that is under way has ended; False if it has not."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def close(self) -> None:
        """Stop updating; what is indexed stays."""
        self._closing.set()

    def _update(self) -> None:
        started = self._clock()
        try:
            self._elsewhere = not self.engine.refresh(stop=self._closing.is_set)
            self._problem = ""
        except UserError as error:
            self._problem = str(error)
        finally:
            ended = self._clock()
            self._next_update = ended + max(LEAST_REST, REST * (ended - started))
            self._seen = self.engine.index.visit
            self._thread = None


class Engines:
    """One engine for every crawl that was searched."""

    def __init__(self) -> None:
        self._kept: dict[Path, KeptEngine] = {}
        self._lock = threading.Lock()

    def of(self, folder: Path) -> KeptEngine:
        """The engine of a crawl, opened if it is not yet."""
        with self._lock:
            if folder not in self._kept:
                self._kept[folder] = KeptEngine(folder)
            return self._kept[folder]

    def close(self) -> None:
        """Stop updating indexes."""
        for engine in self._kept.values():
            engine.close()
