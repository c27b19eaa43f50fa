"""One crawl over a recorded web: the loop every crawl runs, with nobody to be polite to."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from honeyguide.bench.corpus import Corpus
from honeyguide.bench.memory import peak_mb
from honeyguide.bench.task import Task
from honeyguide.budget import Budget
from honeyguide.errors import ErrorKind, Refusal
from honeyguide.frontier.memory import MemoryFrontier
from honeyguide.loop import Crawl, Progress
from honeyguide.model import Visit
from honeyguide.reading import InlineReader
from honeyguide.roles import Judge, Strategy

REVISE_EVERY = 50
"""Fetches after which a strategy that can is asked for fresh scores (AP: N = 50)."""

REVISE_TOP = 100_000
"""Waiting links it is asked for: in effect all of them."""


class Trace(NamedTuple):
    """What a crawl did: the pages it spent its budget on, in order, and what it cost.

    `fetched` are final URLs, `relevance` the judge's scores of them (0 for what could not be read), `misses`
    the links followed out of the snapshot, `links` those read on the pages. `fit_seconds` are what taking up
    the topic cost, `cpu_seconds` the crawl after it, `peak_mb` the memory that it added to the process.
    """

    fetched: tuple[str, ...]
    relevance: tuple[float, ...]
    misses: int
    links: int
    cpu_seconds: float
    fit_seconds: float
    peak_mb: float


class Notes:
    """Remembers what a replay is asked about afterwards (role Store)."""

    def __init__(self) -> None:
        self.fetched: list[str] = []
        self.relevance: list[float] = []
        self.known: set[str] = set()
        self.misses = 0
        self.links = 0
        self._visits = 0

    def save(self, visit: Visit) -> Visit:
        self._visits += 1
        self.misses += visit.error is ErrorKind.MISS
        self.links += len(visit.page.links) if visit.page else 0
        if visit.status:
            final = visit.response.url if visit.response else visit.url
            self.fetched.append(final)
            self.relevance.append(visit.verdict.score if visit.verdict else 0.0)
            self.known.add(final)
        return replace(visit, number=self._visits)

    def commit(self) -> None:
        """What is in memory needs no committing."""


class _NoTraps:
    def learn(self, url: str, paid: bool) -> None:
        """A snapshot ends by itself."""


class _Endless:
    def shortage(self) -> str:
        """A replay stores nothing on disk."""
        return ""


def replay(corpus: Corpus, task: Task, strategy: Callable[[], Strategy], judge: Callable[[], Judge]) -> Trace:
    """Crawl a task; `strategy` and `judge` are made and fitted here, so that their cost is seen."""
    watch = _Memory()
    started = time.process_time()
    fitted, says = strategy(), judge()
    begun = time.process_time()
    notes = asyncio.run(_crawl(corpus, task, fitted, says))
    ended = time.process_time()
    return Trace(
        tuple(notes.fetched),
        tuple(notes.relevance),
        notes.misses,
        notes.links,
        ended - begun,
        begun - started,
        watch.added(),
    )


async def _crawl(corpus: Corpus, task: Task, strategy: Strategy, judge: Judge) -> Notes:
    frontier = MemoryFrontier(
        combine=strategy.combine,
        revise=strategy.revise,
        refill=strategy.refill,
        refused=strategy.refused,
        parked=strategy.parked,
        revise_every=REVISE_EVERY,
        revise_top=REVISE_TOP,
        park_after=0,
    )
    notes = Notes()

    def check_hop(_: str, target: str) -> None:
        if target in notes.known or frontier.visited(target) or frontier.under_way(target):
            raise Refusal(ErrorKind.KNOWN, target)

    crawl = Crawl(
        fetcher=corpus.fetcher(task.within, check_hop),
        reader=InlineReader(corpus.parser(), judge),
        frontier=frontier,
        store=notes,
        strategy=strategy,
        refuses=lambda url, depth: "",
        traps=_NoTraps(),
        room=_Endless(),
        progress=Progress(),
        budget=Budget(pages=task.budget),
        workers=1,
        clock=lambda: 0.0,
    )
    crawl.sow(task.topic.seeds)
    await crawl.run()
    return notes


class _Memory:
    """How much more memory this process takes at its peak than when this was made."""

    def __init__(self) -> None:
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")  # the system's high-water mark starts afresh
        self._before = peak_mb()

    def added(self) -> float:
        return max(0.0, peak_mb() - self._before)
