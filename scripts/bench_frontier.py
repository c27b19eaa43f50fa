"""How fast the frontier is, and how much it takes, as the crawl grows.

Every size runs in a process of its own on an empty disk: URLs of about 70 characters with about 100 bytes of
link text on 100,000 hosts, the r-th host having 1/r of what the first has. Pages of 100 links are pushed, found
again and popped, with a commit after every ten pages pushed and every visit, as in a crawl.
"""

import argparse
import asyncio
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.model import Candidate, Link, Response, Visit
from honeyguide.store.schema import connect

HOSTS = 100_000
PAGE = 100
PAGES_PER_COMMIT = 10
AGAIN = 200_000
RESCORED = 100_000
POPPED = 50_000


@dataclass(frozen=True, slots=True)
class Figures:
    """What one size showed."""

    urls: int
    pushes: float
    again: float
    rescores: float
    pops: float
    disk: float
    memory: float
    peak: float
    opening: float
    seconds: float


class AlwaysDue:
    """Politeness that never asks anybody to wait, but lets each host be asked once at a time."""

    def due(self, host: str) -> float:
        return 0.0

    def subscribe(self, callback: Callable[[str], None]) -> None:
        pass


class Web:
    """Pages of links, the same every time they are asked for, kept nowhere."""

    def __init__(self) -> None:
        self._shares = np.cumsum(1 / np.arange(1, HOSTS + 1))
        self._shares /= self._shares[-1]

    def page(self, number: int) -> list[Candidate]:
        random = np.random.default_rng(number)
        hosts = self._shares.searchsorted(random.random(PAGE)).tolist()
        scores = random.random(PAGE).round(6).tolist()
        source = self._url(self._first_host(number // 2), number // 2 * PAGE) if number else ""
        return [
            Candidate(
                Link(
                    self._url(host, number * PAGE + at),
                    source,
                    "what the link says",
                    "the words around it, to tell what it is about, which are not many in this bench",
                ),
                score,
                5,
                None,
                {"anchor": score},
            )
            for at, (host, score) in enumerate(zip(hosts, scores, strict=True))
        ]

    def _first_host(self, number: int) -> int:
        return int(self._shares.searchsorted(np.random.default_rng(number).random(PAGE)[0]))

    @staticmethod
    def _url(host: int, number: int) -> str:
        return f"https://www.site-{host}.example/articles/section/a-title-of-words-{number}.html"


class Stopwatch:
    """Adds up the time spent on one thing."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._started


def measure(urls: int, folder: Path) -> Figures:
    """Run one size from an empty folder to the end."""
    started = time.perf_counter()
    database = folder / "crawl.db"
    connection = connect(database)
    web = Web()
    before = resident()

    def revised(candidates: Sequence[Candidate]) -> list[float]:
        return [one.score * 0.9 + 0.05 for one in candidates]

    frontier = SqliteFrontier(connection, politeness=AlwaysDue(), revise=revised, revise_top=min(RESCORED, urls))
    pages = urls // PAGE
    pushing = Stopwatch()
    for number in range(pages):
        page = web.page(number)
        with pushing:
            begin(connection)
            frontier.push(page)
            if (number + 1) % PAGES_PER_COMMIT == 0:
                connection.execute("COMMIT")
    memory = resident() - before
    commit(connection)
    assert len(frontier) == urls

    finding = Stopwatch()
    for number in np.random.default_rng(0).integers(0, pages, min(AGAIN, urls) // PAGE).tolist():
        page = [one._replace(score=one.score + 0.1 * (at % 2)) for at, one in enumerate(web.page(number))]
        with finding:
            begin(connection)
            frontier.push(page)
            commit(connection)
    assert len(frontier) == urls

    rescoring = Stopwatch()
    with rescoring:
        begin(connection)
        rescored = frontier.rescore(everything=False)
        commit(connection)

    popping = Stopwatch()
    with popping:
        popped = asyncio.run(pop(frontier, connection, min(POPPED, urls)))
    assert len(frontier) == urls - popped

    disk = database.stat().st_size
    opening = Stopwatch()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    del frontier
    with opening:
        again = SqliteFrontier(connection, politeness=AlwaysDue())
    assert len(again) == urls - popped
    peak = max(peak, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    connection.close()
    return Figures(
        urls=urls,
        pushes=urls / pushing.seconds,
        again=min(AGAIN, urls) / finding.seconds,
        rescores=rescored / rescoring.seconds,
        pops=popped / popping.seconds,
        disk=disk / urls,
        memory=memory / urls,
        peak=peak,
        opening=opening.seconds,
        seconds=time.perf_counter() - started,
    )


async def pop(frontier: SqliteFrontier, connection: object, count: int) -> int:
    """Pop and visit; with every host due the scores may only fall."""
    last = float("inf")
    for number in range(count):
        candidate = await frontier.pop()
        assert candidate is not None
        assert candidate.score <= last
        last = candidate.score
        begin(connection)
        frontier.done(Visit(candidate, Response(candidate.url, 200), status=200))
        if (number + 1) % PAGES_PER_COMMIT == 0:
            commit(connection)
    commit(connection)
    return count


def begin(connection) -> None:
    if not connection.in_transaction:
        connection.execute("BEGIN IMMEDIATE")


def commit(connection) -> None:
    if connection.in_transaction:
        connection.execute("COMMIT")


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    import sys

    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as d:
        print(measure(int(float(sys.argv[1]) * 1e6), Path(d)))
