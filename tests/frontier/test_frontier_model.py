"""Both frontiers against the simplest thing that could be right: a dict that is sorted for every question."""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ErrorKind
from honeyguide.frontier.memory import MemoryFrontier
from honeyguide.frontier.queue import Queue
from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.model import Candidate, Hop, Link, Response, Visit
from honeyguide.store.schema import connect
from honeyguide.urls import host_of

HOSTS = 3
TRIES = 2


@dataclass
class Known:
    """What the model knows of a URL."""

    state: str
    score: float
    order: int
    attempts: int = 0
    reason: str = ""


class Model:
    """What a frontier should do, written down without a thought of speed."""

    def __init__(self) -> None:
        self.urls: dict[str, Known] = {}
        self.dues: dict[str, float] = {}
        self.now = 0.0

    def meet(self, url: str, state: str, score: float = 0.0) -> None:
        self.urls[url] = Known(state, score, len(self.urls))

    def push(self, url: str, score: float) -> None:
        known = self.urls.get(url)
        if known is None:
            self.meet(url, "waiting", score)
        elif known.state == "waiting":
            known.score = max(known.score, score)

    def ranking(self) -> list[str]:
        waiting = [(-one.score, one.order, url) for url, one in self.urls.items() if one.state == "waiting"]
        return [url for _, _, url in sorted(waiting)]

    def under_way(self) -> list[str]:
        return sorted(url for url, one in self.urls.items() if one.state == "under way")

    def best(self) -> str | None:
        busy = {host_of(url) for url in self.under_way()}
        for url in self.ranking():
            if host_of(url) not in busy and self.dues.get(host_of(url), 0.0) <= self.now:
                return url
        return None

    def alias(self, url: str) -> None:
        if url not in self.urls:
            self.meet(url, "alias")
        elif self.urls[url].state == "waiting":
            self.urls[url].state = "alias"

    def requeue(self) -> None:
        for one in self.urls.values():
            if one.state == "visited" and one.reason != "type":
                one.state, one.attempts = "waiting", 0

    def crash(self) -> None:
        for url in self.under_way():
            self.urls[url].state = "waiting"


class Play:
    """Does the same to a frontier and to the model, and compares them after every move."""

    def __init__(self, make: Callable[..., Queue[Any]]) -> None:
        self._make = make
        self._callbacks: list[Callable[[str], None]] = []
        self._popped: dict[str, Candidate] = {}
        self._factor = 1.0
        self.model = Model()
        self.reopen()

    def due(self, host: str) -> float:
        return self.model.dues.get(host, 0.0)

    def subscribe(self, callback: Callable[[str], None]) -> None:
        self._callbacks.append(callback)

    def reopen(self) -> None:
        self._callbacks.clear()
        self._popped.clear()
        self.model.crash()
        self.frontier = self._make(
            politeness=self,
            revise=self._revise,
            revise_top=3,
            tries=TRIES,
            park_after=0,
            in_memory=1,
            clock=lambda: self.model.now,
            sleep=self._sleep,
        )

    def push(self, links: Sequence[tuple[str, float]]) -> None:
        before = len(self.model.urls)
        for url, score in links:
            self.model.push(url, score)
        new = self.frontier.push(Candidate(Link(url), score) for url, score in links)
        assert new == len(self.model.urls) - before

    def refuse(self, url: str) -> None:
        if url not in self.model.urls:
            self.model.meet(url, "refused")
        self.frontier.refuse(Link(url), "a reason")

    async def pop(self) -> None:
        expected = self.model.best()
        popping = asyncio.create_task(self.frontier.pop())
        for _ in range(5):
            await asyncio.sleep(0)
        if expected is not None:
            one = popping.result()
            assert one is not None
            assert (one.url, one.score) == (expected, self.model.urls[expected].score)
            self.model.urls[expected].state = "under way"
            self._popped[expected] = one
        elif self.model.ranking() or self.model.under_way():
            assert not popping.done()
            popping.cancel()
            await asyncio.gather(popping, return_exceptions=True)
        else:
            assert popping.result() is None

    def done(self, which: int, target: str, error: ErrorKind | None) -> None:
        if not self._popped:
            return
        url = sorted(self._popped)[which % len(self._popped)]
        one = self._popped.pop(url)
        self.model.urls[url].state = "visited"
        self.model.urls[url].reason = error or ""
        if error is None and target:
            self.model.alias(target)
            self.frontier.done(Visit(one, Response(target, 200, hops=(Hop(url, 301, target),)), status=200))
        else:
            self.frontier.done(Visit(one, error=error))

    def retry(self, which: int) -> None:
        if not self._popped:
            return
        url = sorted(self._popped)[which % len(self._popped)]
        known = self.model.urls[url]
        known.attempts += 1
        assert self.frontier.retry(self._popped[url]) == (known.attempts < TRIES)
        if known.attempts < TRIES:
            known.state = "waiting"
            del self._popped[url]

    def rescore(self, factor: float, everything: bool) -> None:
        self._factor = factor
        for url in self.model.ranking()[: None if everything else 3]:
            self.model.urls[url].score *= factor
        self.frontier.rescore(everything=everything)

    def set_due(self, host: int, wait: float) -> None:
        name = f"h{host}.example"
        self.model.dues[name] = self.model.now + wait
        for callback in self._callbacks:
            callback(name)

    def advance(self, seconds: float) -> None:
        self.model.now += seconds

    def requeue(self) -> None:
        self.model.requeue()
        self.frontier.requeue_visited()

    def compare(self) -> None:
        ranking = self.model.ranking()
        assert len(self.frontier) == len(ranking)
        assert [one.url for one in self.frontier.top(4)] == ranking[:4]
        for url, one in self.model.urls.items():
            assert self.frontier.knows(url) == ("waiting" if one.state == "under way" else one.state)
            assert self.frontier.under_way(url) == (one.state == "under way")

    async def drain(self) -> None:
        """What is left comes out whole, in order."""
        self.model.dues = dict.fromkeys(self.model.dues, 0.0)
        for name in self.model.dues:
            for callback in self._callbacks:
                callback(name)
        while self._popped:
            self.done(0, "", None)
        while self.model.ranking():
            await self.pop()
            self.done(0, "", None)
        assert await self.frontier.pop() is None

    def _revise(self, candidates: Sequence[Candidate]) -> list[float]:
        return [one.score * self._factor for one in candidates]

    async def _sleep(self, seconds: float) -> None:
        await asyncio.Event().wait()


def url_of(number: int) -> str:
    return f"https://h{number % HOSTS}.example/{number}"


URLS = st.integers(0, 59).map(url_of)
SCORES = st.integers(-2, 4).map(float)
MOVES = st.one_of(
    st.tuples(st.just("push"), st.lists(st.tuples(URLS, SCORES), max_size=25)),
    st.tuples(st.just("push"), st.lists(st.tuples(URLS, SCORES), max_size=25)),
    st.tuples(st.just("pop")),
    st.tuples(st.just("pop")),
    st.tuples(
        st.just("done"),
        st.integers(0, 2),
        st.one_of(st.just(""), URLS),
        st.sampled_from([None, None, ErrorKind.TYPE, ErrorKind.TIMEOUT]),
    ),
    st.tuples(st.just("retry"), st.integers(0, 2)),
    st.tuples(st.just("refuse"), URLS),
    st.tuples(st.just("rescore"), st.sampled_from([-1.0, 0.0, 0.5, 2.0]), st.booleans()),
    st.tuples(st.just("set_due"), st.integers(0, HOSTS - 1), st.sampled_from([0.0, 1.0, 5.0, math.inf])),
    st.tuples(st.just("advance"), st.sampled_from([0.5, 1.0, 5.0])),
    st.tuples(st.just("requeue")),
)


async def play(make: Callable[..., Queue[Any]], moves: Sequence[tuple[Any, ...]]) -> None:
    game = Play(make)
    for name, *arguments in moves:
        outcome = getattr(game, name)(*arguments)
        if outcome is not None:
            await outcome
        game.compare()
    await game.drain()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(moves=st.lists(MOVES, max_size=40))
def test_the_frontier_in_memory_does_what_the_model_does(moves: list[tuple[Any, ...]]) -> None:
    asyncio.run(play(MemoryFrontier, moves))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(moves=st.lists(st.one_of(MOVES, st.tuples(st.just("reopen"))), max_size=40))
def test_opening_the_database_again_at_any_point_changes_nothing(moves: list[tuple[Any, ...]]) -> None:
    with TemporaryDirectory() as folder:
        connection = connect(Path(folder) / "crawl.db")
        connection.execute("BEGIN")
        asyncio.run(play(lambda **options: SqliteFrontier(connection, **options), moves))
        connection.close()


@pytest.mark.parametrize("per_host", [1, 5, 500])
async def test_a_thousand_urls_come_in_order_however_few_heaps_hold(per_host: int) -> None:
    scores = {
        f"https://h{number % (1000 // per_host)}.example/{number}": number * 7919 % 997
        for number in range(1000)
    }
    frontier = MemoryFrontier(in_memory=1)
    frontier.push(Candidate(Link(url), score) for url, score in scores.items())
    popped = [one.score for _ in range(500) if (one := await frontier.pop()) is not None]
    assert popped == sorted(scores.values(), reverse=True)[:500]
