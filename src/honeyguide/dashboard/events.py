"""The overview as a stream of events: one look at a crawl serves everybody who watches it.

A thread looks at each watched crawl twice a second, and works the figures out only when the database or the
writer's lock has changed, or when time alone changes them. Nobody is sent what is overtaken.
"""

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException

from honeyguide.dashboard.crawls import Crawl, CrawlAtHand
from honeyguide.dashboard.queue_scan import QueueScan
from honeyguide.dashboard.stock import read_overview
from honeyguide.errors import CrawlError, HoneyguideError
from honeyguide.store.folder import DATABASE, is_being_written

LOG = logging.getLogger(__name__)
EVERY = 0.5
REST = 4.0
"""A look that takes long is followed by a pause of so many times as long."""
STALE = 3.0
"""Seconds after which a running crawl's speed is worked out again though nothing was written."""
HEARTBEAT = 15.0
MOST_WATCHERS = 64

pages = APIRouter()
api = APIRouter()


class Streams:
    """Everybody who watches, and the looks at crawls that they share."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watches: dict[Path, _Watch] = {}
        self._scans: dict[Path, QueueScan] = {}
        self._watchers = 0
        self._closed = False

    def scan(self, folder: Path) -> QueueScan:
        """The count of a crawl's queue."""
        with self._lock:
            if folder not in self._scans:
                self._scans[folder] = QueueScan(folder)
            return self._scans[folder]

    async def watch(self, crawl: CrawlAtHand) -> AsyncIterator[str]:
        """The overview of a crawl as JSON, now and whenever it changes; "" when nothing did for a while."""
        watcher = _Watcher(asyncio.get_running_loop())
        scan = self.scan(crawl.folder)
        with self._lock:
            if self._closed or self._watchers >= MOST_WATCHERS:
                raise HTTPException(503, "Too many windows watch this application; close some of them.")
            self._watchers += 1
            watch = self._watches.get(crawl.folder)
            if watch is None:
                watch = self._watches[crawl.folder] = _Watch(crawl, scan)
            watch.add(watcher)
        try:
            while not watcher.ended:
                yield await watcher.next()
        finally:
            with self._lock:
                self._watchers -= 1
                if watch.remove(watcher):
                    self._watches.pop(crawl.folder, None)

    def close(self) -> None:
        """Send everybody home and stop looking."""
        with self._lock:
            self._closed = True
            watches, scans = list(self._watches.values()), list(self._scans.values())
        for watch in watches:
            watch.close()
        for scan in scans:
            scan.close()


class _Watcher:
    """One who watches: knows the newest news only."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._changed = asyncio.Event()
        self._newest = ""
        self.ended = False

    def tell(self, news: str) -> None:
        """Leave the newest news; called by the thread that looks."""
        self._call(lambda: setattr(self, "_newest", news))

    def end(self) -> None:
        self._call(lambda: setattr(self, "ended", True))

    async def next(self) -> str:
        """The newest news that were not taken yet."""
        try:
            await asyncio.wait_for(self._changed.wait(), HEARTBEAT)
        except TimeoutError:
            return ""
        self._changed.clear()
        news, self._newest = self._newest, ""
        return news

    def _call(self, act: Callable[[], None]) -> None:
        def run() -> None:
            act()
            self._changed.set()

        try:
            self._loop.call_soon_threadsafe(run)
        except RuntimeError:  # the loop is gone, and whoever watched with it
            LOG.debug("nobody watches any more")


class _Watch:
    """Looks at one crawl for all who watch it, until none is left."""

    def __init__(self, crawl: CrawlAtHand, scan: QueueScan) -> None:
        self._crawl = crawl
        self._scan = scan
        self._watchers: list[_Watcher] = []
        self._stop = threading.Event()
        self._wanted = threading.Event()
        self._newest = ""
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def add(self, watcher: _Watcher) -> None:
        self._watchers.append(watcher)
        if self._newest:
            watcher.tell(self._newest)
        if not self._thread.ident:
            self._thread.start()

    def remove(self, watcher: _Watcher) -> bool:
        """Whether nobody is left, and the looking ends."""
        self._watchers.remove(watcher)
        if not self._watchers:
            self._stop.set()
        return not self._watchers

    def close(self) -> None:
        self._stop.set()
        for watcher in list(self._watchers):
            watcher.end()

    def _run(self) -> None:
        try:
            with self._crawl.open() as collection:
                self._look(collection.connection)
        except (HoneyguideError, sqlite3.Error, OSError) as error:
            LOG.warning("%s cannot be watched any more: %s", self._crawl.folder, error)
            for watcher in list(self._watchers):
                watcher.end()

    def _look(self, connection: sqlite3.Connection) -> None:
        seen: object = None
        due = 0.0
        while not self._stop.is_set():
            if not (self._crawl.folder / DATABASE).is_file():
                raise CrawlError("it is gone")  # an open file of it would be read on
            running = is_being_written(self._crawl.folder)
            state = connection.execute("PRAGMA data_version").fetchone()[0], running
            began = time.monotonic()
            if state != seen or began >= due:
                overview = read_overview(self._crawl, self._scan)
                due = began + (EVERY if not overview.settled else STALE if running else 60.0)
                seen = state
                self._newest = overview.model_dump_json()
                for watcher in list(self._watchers):
                    watcher.tell(self._newest)
            self._stop.wait(max(EVERY, REST * (time.monotonic() - began)))


def _streams(request: Request) -> Streams:
    streams: Streams = request.app.state.streams
    return streams


Watching = Annotated[Streams, Depends(_streams)]


@api.get(
    "/crawls/{crawl}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Events named `overview`."}},
    summary="Watch a crawl",
)
async def watch(
    crawl: Crawl,
    streams: Watching,
    updates: Annotated[int, Query(ge=0, le=1_000_000, description="End after so many; 0 never ends.")] = 0,
) -> StreamingResponse:
    """The overview, now and whenever it changes, at most twice a second, as server-sent events."""
    news = streams.watch(crawl)
    first = await anext(news)  # so that being one too many is an answer and not a broken stream

    async def lines() -> AsyncIterator[str]:
        sent = 0
        try:
            yield "retry: 2000\n\n"
            yield f"event: overview\ndata: {first}\n\n" if first else ": still here\n\n"
            sent += bool(first)
            if updates and sent >= updates:
                return
            async for newest in news:
                yield f"event: overview\ndata: {newest}\n\n" if newest else ": still here\n\n"
                sent += bool(newest)
                if updates and sent >= updates:
                    return
        finally:
            await news.aclose()  # type: ignore[attr-defined]

    return StreamingResponse(lines(), media_type="text/event-stream")
