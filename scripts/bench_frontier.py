"""How fast the frontier is, and how much it takes, as a crawl grows.

Every size runs in a process of its own, from an empty database: URLs of about 70 characters with about 100
bytes of link text, on 100,000 hosts of which the r-th has 1/r of what the first has. Pages of 100 links are
pushed, then pushed again with other scores, then the best are popped and visited, then re-scored 2,000 at a
time, all with a commit after every ten pages or visits. Last, another process opens the database again. Only
the frontier and the commits are timed, not the making of links. Pops must come in falling order.
"""

import argparse
import asyncio
import os
import resource
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.model import Candidate, Link, Response, Visit
from honeyguide.store.schema import connect

HOSTS = 100_000
PAGE = 100
PAGES_PER_COMMIT = 10
FOUND_AGAIN = 200_000
POPPED = 50_000
REVISIONS = 20

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Figures:
    """What one size showed: work per second, bytes per URL, megabytes and seconds."""

    urls: int
    pushed: float
    found_again: float
    popped: float
    rescored: float
    disk: float
    memory: float
    peak: float
    opening: float
    total: float
    waiting: int


HEADINGS = {
    "pushed": "pushes of new URLs /s",
    "found_again": "pushes of waiting URLs /s",
    "popped": "pops and visits /s",
    "rescored": "re-scores /s",
    "disk": "bytes on disk per URL",
    "memory": "bytes of memory per URL",
    "peak": "peak memory, MB",
    "opening": "seconds to open again",
    "total": "seconds in all",
}


class AlwaysDue:
    """Politeness that asks nobody to wait; a host is still asked once at a time."""

    def due(self, host: str) -> float:
        return 0.0

    def subscribe(self, callback: Callable[[str], None]) -> None:
        pass


class Web:
    """Pages of links that are kept nowhere, and the same whenever they are looked at."""

    def __init__(self) -> None:
        self._shares = np.cumsum(1 / np.arange(1, HOSTS + 1))
        self._shares /= self._shares[-1]

    def page(self, number: int) -> list[Candidate]:
        random = np.random.default_rng(number)
        hosts = self._shares.searchsorted(random.random(PAGE)).tolist()
        scores = random.random(PAGE).round(6).tolist()
        source = self._first_url(number // 2) if number else ""
        anchor, context = (
            "what the link says",
            "the words around the link, which tell what it may be about, in short",
        )
        return [
            Candidate(
                Link(self._url(host, number * PAGE + at), source, anchor, context),
                score,
                depth=5,
                parts={"anchor": score},
            )
            for at, (host, score) in enumerate(zip(hosts, scores, strict=True))
        ]

    def _first_url(self, number: int) -> str:
        host = int(self._shares.searchsorted(np.random.default_rng(number).random(PAGE)[0]))
        return self._url(host, number * PAGE)

    @staticmethod
    def _url(host: int, number: int) -> str:
        return f"https://www.site-{host}.example/articles/section/some-words-{number}.html"


class Stopwatch:
    """Adds up the time spent on one thing."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._started = 0.0

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._started


class Bench:
    """One size, from an empty folder to the end."""

    def __init__(self, urls: int, folder: Path) -> None:
        self.pages = urls // PAGE
        self.urls = self.pages * PAGE
        self.web = Web()
        self.database = folder / "crawl.db"
        self.connection: sqlite3.Connection = connect(self.database)
        self.before = resident()
        self.frontier = SqliteFrontier(self.connection, politeness=AlwaysDue(), revise=revised)

    def run(self) -> Figures:
        started = time.perf_counter()
        pushed = self.push()
        memory = resident() - self.before
        found_again = self.push_again()
        popped = asyncio.run(self.pop())
        rescored = self.rescore()
        waiting = len(self.frontier)
        self.connection.close()
        return Figures(
            urls=self.urls,
            pushed=pushed,
            found_again=found_again,
            popped=popped,
            rescored=rescored,
            disk=self.database.stat().st_size / self.urls,
            memory=memory / self.urls,
            peak=peak(),
            opening=0.0,
            total=time.perf_counter() - started,
            waiting=waiting,
        )

    def push(self) -> float:
        watch = Stopwatch()
        for number in range(self.pages):
            page = self.web.page(number)
            with watch:
                self.begin()
                self.frontier.push(page)
                self.commit_every(number)
        with watch:
            self.commit()
        assert len(self.frontier) == self.urls
        return self.urls / watch.seconds

    def push_again(self) -> float:
        """Half of the links come with a better score."""
        watch = Stopwatch()
        count = min(FOUND_AGAIN, self.urls) // PAGE
        for number, which in enumerate(np.random.default_rng(0).integers(0, self.pages, count).tolist()):
            page = [
                one._replace(score=one.score + 0.1 * (at % 2)) for at, one in enumerate(self.web.page(which))
            ]
            with watch:
                self.begin()
                assert self.frontier.push(page) == 0
                self.commit_every(number)
        with watch:
            self.commit()
        return count * PAGE / watch.seconds

    async def pop(self) -> float:
        watch = Stopwatch()
        count = min(POPPED, self.urls)
        last = float("inf")
        for number in range(count):
            with watch:
                one = await self.frontier.pop()
            assert one is not None
            assert one.score <= last
            last = one.score
            visit = Visit(one, Response(one.url, 200), status=200)
            with watch:
                self.begin()
                self.frontier.done(visit)
                self.commit_every(number)
        self.commit()
        return count / watch.seconds

    def rescore(self) -> float:
        watch = Stopwatch()
        count = 0
        for _ in range(REVISIONS):
            with watch:
                self.begin()
                count += self.frontier.rescore(everything=False)
                self.commit()
        return count / watch.seconds

    def begin(self) -> None:
        if not self.connection.in_transaction:
            self.connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("COMMIT")

    def commit_every(self, number: int) -> None:
        if (number + 1) % PAGES_PER_COMMIT == 0:
            self.commit()


def revised(candidates: Sequence[Candidate]) -> list[float]:
    return [one.score * 0.9 for one in candidates]


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def run(urls: int, folder: Path) -> Figures:
    return Bench(urls, folder).run()


def open_again(folder: Path) -> tuple[int, float, float]:
    """How many URLs wait in a database, how long it took to find out, and the memory it took."""
    watch = Stopwatch()
    with watch:
        frontier = SqliteFrontier(connect(folder / "crawl.db"), politeness=AlwaysDue())
    return len(frontier), watch.seconds, peak()


def measure(urls: int, directory: str | None) -> Figures:
    """One size, each of its two lives in a process of its own."""
    with TemporaryDirectory(dir=directory) as folder:
        figures = in_a_process(run, urls, Path(folder))
        waiting, seconds, memory = in_a_process(open_again, Path(folder))
    assert waiting == figures.waiting
    return replace(figures, opening=seconds, total=figures.total + seconds, peak=max(figures.peak, memory))


def in_a_process(work: Callable[..., Result], *arguments: object) -> Result:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        return fresh.submit(work, *arguments).result()


def table_of(results: Sequence[Figures]) -> Table:
    table = Table("", *(f"{one.urls:,} URLs" for one in results), title="The frontier")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, heading in HEADINGS.items():
        table.add_row(heading, *(f"{getattr(one, name):,.0f}" for one in results))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", default="0.1,1,10", help="millions of URLs, separated by commas")
    parser.add_argument("--dir", help="where to put the databases; the largest takes 3 GB")
    arguments = parser.parse_args()
    sizes = [round(float(size) * 1e6) for size in arguments.sizes.split(",")]
    Console().print(table_of([measure(size, arguments.dir) for size in sizes]))


if __name__ == "__main__":
    main()
