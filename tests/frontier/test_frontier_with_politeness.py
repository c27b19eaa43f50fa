import asyncio
from collections import defaultdict
from itertools import pairwise

from honeyguide.frontier.memory import MemoryFrontier
from honeyguide.frontier.politeness import Politeness
from honeyguide.model import Candidate, Link, Response, Visit
from honeyguide.urls import host_of

DELAY = 2.0
TAKES = 0.25


class VirtualTime:
    """Time that jumps to whenever the next sleeper wants to be woken."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, sleeper))
        await sleeper

    async def run(self, tasks: list[asyncio.Task[None]]) -> None:
        """Let time pass until all are done; fails if everybody waits for nothing."""
        while True:
            for _ in range(50):
                await asyncio.sleep(0)
            if all(task.done() for task in tasks):
                return
            self._sleepers = [(at, sleeper) for at, sleeper in self._sleepers if not sleeper.done()]
            assert self._sleepers, "everybody waits and nothing will ever happen"
            self.now, sleeper = min(self._sleepers, key=lambda pair: pair[0])
            sleeper.set_result(None)


async def test_walkers_keep_hosts_busy_and_never_ask_one_too_soon() -> None:
    time = VirtualTime()
    politeness = Politeness(delay=DELAY, stretch=0.0, clock=time, sleep=time.sleep)
    frontier = MemoryFrontier(politeness=politeness, clock=time, sleep=time.sleep)
    urls = [f"https://h{number % 8}.example/{number}" for number in range(80)]
    frontier.push(Candidate(Link(url), number % 5) for number, url in enumerate(urls))
    asked: dict[str, list[float]] = defaultdict(list)

    async def walk() -> None:
        while (one := await frontier.pop()) is not None:
            host = host_of(one.url)
            async with politeness.turn(host, f"192.0.2.{int(host[1]) // 2}"):
                asked[host].append(time.now)
                await time.sleep(TAKES)
            frontier.done(Visit(one, Response(one.url, 200), status=200))

    started = time.now
    tasks = [asyncio.create_task(walk()) for _ in range(12)]
    await time.run(tasks)
    for task in tasks:
        task.result()
    assert sum(map(len, asked.values())) == 80
    for times in asked.values():
        assert all(later - earlier >= TAKES + DELAY for earlier, later in pairwise(times))
    # Four addresses with twenty pages each, one after the other, take this long; no walker slept in.
    assert time.now - started <= 20 * (TAKES + DELAY) + 1.0
