"""Crawling from Python: iterate over visits as they happen, then read the collection."""

import asyncio
import logging
import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from honeyguide.assemble import assembled, create, load, startable
from honeyguide.config import merge, parse_use
from honeyguide.errors import CrawlError
from honeyguide.loop import Crawl
from honeyguide.material import gather
from honeyguide.model import Topic, Visit
from honeyguide.opening import open_collection
from honeyguide.running import new_event_loop, slug
from honeyguide.search.results import Results
from honeyguide.searching import SearchEngine
from honeyguide.store.collection import Collection

LOG = logging.getLogger("honeyguide")
WAITING_VISITS = 1000
"""Visits that may wait for a slow reader before the crawl waits too."""


class Crawling:
    """A crawl under way in a thread of its own, so that a running event loop is no obstacle.

    Iterating starts it; leaving the iteration early stops it, and what was done is kept.
    """

    def __init__(self, folder: Path, *, pages: int | None = None) -> None:
        self.folder = folder
        self._changes = {} if pages is None else {"budget": {"pages": pages}}
        self._visits: queue.Queue[Visit | None] = queue.Queue(WAITING_VISITS)
        self._failure: BaseException | None = None
        self._crawl: Crawl | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def __iter__(self) -> Iterator[Visit]:
        thread = threading.Thread(target=self._run, name="honeyguide", daemon=True)
        thread.start()
        try:
            while (visit := self._visits.get()) is not None:
                yield visit
        finally:
            self.stop()
            while thread.is_alive():
                self._drain()
                thread.join(0.1)
        if self._failure:
            raise self._failure

    def run(self) -> Collection:
        """Crawl to the end and open the collection."""
        for _ in self:
            pass
        return self.collection()

    def stop(self) -> None:
        """Finish what is in flight and stop."""
        if self._crawl and self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._crawl.stop)

    def collection(self) -> Collection:
        """What the crawl has found so far, opened for reading."""
        return open_collection(self.folder)

    def rows(self, *, only_relevant: bool = False, text: bool = True) -> list[dict[str, Any]]:
        """The pages found so far, as plain dictionaries."""
        with self.collection() as collection:
            return list(collection.rows(only_relevant=only_relevant, text=text))

    def search(self, query: str = "", **options: Any) -> Results:
        """The pages found so far that answer a query; the options are those of `SearchEngine.search`."""
        return SearchEngine(self.folder).search(query, **options)

    def _drain(self) -> None:
        try:
            while True:
                self._visits.get_nowait()
        except queue.Empty:
            pass

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=new_event_loop) as runner:
                runner.run(self._go())
        except BaseException as error:
            self._failure = error
        finally:
            self._visits.put(None)

    async def _go(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with assembled(
            self.folder, changes=self._changes, on_visit=self._visits.put, warn=LOG.warning
        ) as crawl:
            self._crawl = crawl
            await crawl.run()


def crawl(
    topic: Topic | str,
    *,
    seeds: Sequence[str] = (),
    out: Path | str | None = None,
    pages: int | None = None,
    strategy: str | None = None,
    judge: str | None = None,
    train: Path | str | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> Crawling:
    """Start a crawl on a topic, or take up the one that `out` already holds, with its own settings.

    Examples that have an address and no text are fetched, or read from their files, before it starts. `train` is
    an earlier crawl, or a folder of web archives, that the strategy learns from.

    >>> for visit in crawl("dengue fever", seeds=["https://example.org/"], pages=100):
    ...     print(visit.url, visit.relevant)
    """
    subject = Topic(topic) if isinstance(topic, str) else topic
    if seeds:
        subject = replace(subject, seeds=(*subject.seeds, *seeds))
    folder = Path(out) if out is not None else Path("crawls") / slug(subject.name)
    if not (folder / "crawl.db").exists():
        named: dict[str, dict[str, Any]] = {}
        if strategy:
            named["strategy"] = parse_use(strategy)
        if judge:
            named["judge"] = parse_use(judge)
        if train is not None:
            named["training"] = {"path": str(train)}
        if pages is not None:
            named["budget"] = {"pages": pages}
        tables = merge(settings or {}, named)
        create(folder, _gathered(startable(folder, subject, tables), tables), tables)
    elif (known := load(folder)[0]).name != subject.name:
        raise CrawlError(
            f"{folder} holds a crawl on {known.name!r}, not on {subject.name!r}; choose another folder."
        )
    return Crawling(folder, pages=pages)


def _gathered(topic: Topic, tables: Mapping[str, Mapping[str, Any]]) -> Topic:
    """The topic with the texts of its examples, gathered in a thread: an event loop may be running in this one."""

    def run() -> Topic:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            return runner.run(gather(topic, tables, LOG.info, LOG.warning))

    with ThreadPoolExecutor(1, thread_name_prefix="honeyguide") as thread:
        return thread.submit(run).result()
