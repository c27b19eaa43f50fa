"""The loop: take the most promising link whose host may be asked now, go and look, judge, remember, go on.

Several walkers run the same few lines side by side. Only `fetch`, `read` and `pop` wait, and `absorb` is
one visit at a time, so there are no locks. The loop knows roles, never an implementation.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from honeyguide.budget import Budget
from honeyguide.errors import ErrorKind, FetchError, PageError
from honeyguide.health import Health
from honeyguide.model import (
    EXACT_DUPLICATE,
    Candidate,
    Conditions,
    Link,
    Origin,
    Page,
    Response,
    Verdict,
    Visit,
)
from honeyguide.roles import Fetcher, Frontier, Store, Strategy
from honeyguide.urls import host_of

STATE_EVERY = 500
STATE_GROWTH = 0.05
"""Visits between two savings of what strategy and traps have learned: so many at least, and so large a share
of all visits, because what there is to save grows with them.
"""


COMMIT_VISITS = 32
COMMIT_SECONDS = 0.1
"""Visits share a transaction until there are so many, or for so long; until then they count as in flight."""

LOOK_EVERY = 0.5
"""Seconds between two looks at what people ask, also while nothing is visited."""

SEED_SCORE = 1e9
"""Seeds come first whatever a strategy's scores look like."""


class Reader(Protocol):
    """Parses and judges, here or in another process."""

    async def read(self, response: Response) -> tuple[Page, Verdict]: ...

    async def close(self) -> None: ...


class Filter(Protocol):
    """Says why a URL should not be queued, or nothing."""

    def __call__(self, url: str, depth: int) -> str: ...


class Traps(Protocol):
    """Learns which kinds of URL never pay."""

    def learn(self, url: str, paid: bool) -> None: ...


class Room(Protocol):
    """Watches disk and memory."""

    def shortage(self) -> str: ...


@dataclass(slots=True)
class Progress:
    """What has happened so far, over all runs of the crawl."""

    visits: int = 0
    pages: int = 0
    revisited: int = 0
    relevant: int = 0
    bytes: int = 0
    seconds: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)
    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=500))

    def count(self, visit: Visit) -> None:
        """Add one visit; only what a server answered, and not with "unchanged", counts as a page."""
        self.visits += 1
        if visit.error:
            self.errors[visit.error] += 1
        if visit.unchanged:
            self.revisited += 1
        elif visit.status:
            self.pages += 1
            self.recent.append(visit.relevant)
        self.relevant += visit.relevant
        self.bytes += len(visit.response.raw) if visit.response else 0

    @property
    def answered(self) -> int:
        """What counts against the budget of pages."""
        return self.pages + self.revisited

    @property
    def harvest(self) -> float:
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def saturated(self) -> bool:
        """The last pages, as many as are remembered, brought nothing."""
        return len(self.recent) == self.recent.maxlen and not any(self.recent)


class Crawl:
    """One crawl over its roles; `run` goes until the budget is spent or nothing is left."""

    def __init__(
        self,
        *,
        fetcher: Fetcher,
        reader: Reader,
        frontier: Frontier,
        store: Store,
        strategy: Strategy,
        refuses: Filter,
        traps: Traps,
        room: Room,
        progress: Progress,
        budget: Budget,
        workers: int = 16,
        stop_when_saturated: bool = False,
        obey_nofollow: bool = False,
        sitemaps: bool = False,
        sitemaps_of: Callable[[str], Iterable[str]] = lambda url: (),
        conditions: Callable[[str], Conditions | None] = lambda url: None,
        back_off: Callable[[str], None] = lambda host: None,
        on_visit: Callable[[Visit], None] = lambda visit: None,
        on_pause: Callable[[str], None] = lambda sentence: None,
        save_states: Callable[[], None] = lambda: None,
        before_commit: Callable[[], None] = lambda: None,
        look: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if workers < 1:
            raise ValueError(f"workers must be at least 1, not {workers}")
        self.fetcher = fetcher
        self.reader = reader
        self.frontier = frontier
        self.store = store
        self.strategy = strategy
        self.refuses = refuses
        self.traps = traps
        self.room = room
        self.progress = progress
        self.budget = budget
        self.workers = workers
        self.stop_when_saturated = stop_when_saturated
        self.obey_nofollow = obey_nofollow
        self.sitemaps = sitemaps
        self.sitemaps_of = sitemaps_of
        self.conditions = conditions
        self.back_off = back_off
        self.on_visit = on_visit
        self.on_pause = on_pause
        self.save_states = save_states
        self.before_commit = before_commit
        self.look = look
        self.clock = clock
        self.outcome = Health.RUNNING
        self.refreshing = False
        self.paused = ""
        self._started = 0.0
        self._seconds_before = progress.seconds
        self._states_saved = progress.visits
        self._under_way = 0
        self._absorbed: list[Visit] = []
        self._commit_timer: asyncio.TimerHandle | None = None
        self._failure: Exception | None = None
        self._short = False
        self._alarm: asyncio.TimerHandle | None = None
        self._idle: set[asyncio.Task[None]] = set()
        self._room_for_one = asyncio.Event()

    async def visit(self, candidate: Candidate) -> Visit:
        """Go and look; touches nothing that is shared."""
        at = self.clock()
        response: Response | None = None
        try:
            response = await self.fetcher.fetch(candidate.url, self.conditions(candidate.url))
            if response.status == 304:
                return Visit(candidate, response, status=304, unchanged=True, at=at)
            page, verdict = await self.reader.read(response)
        except PageError as error:
            status = response.status if response else _answered(error)
            known = error.detail if error.kind is ErrorKind.KNOWN else ""
            return Visit(
                candidate,
                response,
                error=error.kind,
                detail=error.detail,
                status=status,
                duplicate_of=known,
                transient=isinstance(error, FetchError) and error.transient,
                at=at,
            )
        return Visit(candidate, response, page, verdict, status=response.status, at=at)

    def absorb(self, visit: Visit) -> None:
        """Remember a visit, learn from it, queue what it leads to: all of it or nothing."""
        if visit.transient and self.frontier.retry(visit.candidate):
            if not _asked_to_wait(visit):
                self.back_off(host_of(visit.url))
            self._commit_soon()
            return
        visit = self.store.save(visit)
        self.frontier.done(visit)
        self.frontier.push(self.admissible(self.strategy.expand(as_followed(visit))))
        self.frontier.reorder(self.strategy.changes())
        if self.sitemaps and visit.status:
            self.frontier.push(self.admissible(_starting_points(self.sitemaps_of(visit.url), Origin.SITEMAP)))
        if visit.page:
            self.traps.learn(visit.url, visit.relevant)
        self.progress.count(visit)
        self.progress.seconds = self._seconds_before + self.clock() - self._started
        if visit.number - self._states_saved >= max(STATE_EVERY, STATE_GROWTH * visit.number):
            self.save_states()
            self._states_saved = visit.number
        self._absorbed.append(visit)
        self._commit_soon()

    def commit(self) -> None:
        """Make what was absorbed durable, then tell of it."""
        if self._commit_timer:
            self._commit_timer.cancel()
            self._commit_timer = None
        self.before_commit()
        self.store.commit()
        told, self._absorbed = self._absorbed, []
        for visit in told:
            self.on_visit(visit)

    def _commit_soon(self) -> None:
        """Let visits that end within a moment of each other share one transaction."""
        if len(self._absorbed) >= COMMIT_VISITS:
            self.commit()
        elif self._commit_timer is None:
            loop = asyncio.get_running_loop()
            self._commit_timer = loop.call_later(COMMIT_SECONDS, self._commit_late)

    def _commit_late(self) -> None:
        """Commit from the event loop's side, where nobody else would see an error."""
        self._commit_timer = None
        try:
            self.commit()
        except Exception as error:
            self._failure = error
            self.stop()

    def admissible(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """The candidates that scope and traps let through; the others are noted with the reason."""
        for candidate in candidates:
            reason = self.refuses(candidate.url, candidate.depth)
            if not reason and self.obey_nofollow and candidate.link.nofollow:
                reason = "the link is marked nofollow"
            if reason:
                self.frontier.refuse(candidate.link, reason, candidate.depth)
            else:
                yield candidate

    def sow(self, urls: Iterable[str]) -> int:
        """Queue the seeds, before everything else."""
        new = self.plant(urls)
        self.store.commit()
        return new

    def plant(self, urls: Iterable[str]) -> int:
        """Queue seeds in the transaction that is open; returns how many are new."""
        return self.frontier.push(self.admissible(_starting_points(urls, Origin.SEED)))

    async def run(self) -> Health:
        """Walk until there is nothing left to do, and say why it ended."""
        self._started = self.clock()
        self.look()
        self._settle()
        self._set_alarm()
        walkers = [asyncio.create_task(self._walk()) for _ in range(self.workers)]
        looking = asyncio.create_task(self._keep_looking())
        try:
            await asyncio.gather(*walkers)
        except asyncio.CancelledError:
            self.commit()
            raise
        finally:
            for timer in (self._commit_timer, self._alarm):
                if timer:  # what was absorbed in part must not be committed
                    timer.cancel()
            for task in (*walkers, looking):
                task.cancel()
            await asyncio.gather(*walkers, looking, return_exceptions=True)
        if self._failure:
            raise self._failure
        self.commit()
        if self.outcome is Health.RUNNING:
            self.outcome = self._diagnose()
        return self.outcome

    def stop(self, outcome: Health = Health.INTERRUPTED) -> None:
        """Start nothing new; what is in flight is finished and kept."""
        if self.outcome is Health.RUNNING:
            self.outcome = outcome
        self._room_for_one.set()
        for walker in list(self._idle):
            walker.cancel()

    def pause(self, sentence: str) -> None:
        """Start nothing new until `go_on`; what is in flight is finished and kept."""
        self.paused = sentence
        self.frontier.hold()
        self.on_pause(sentence)

    def go_on(self) -> None:
        """Take up a crawl that was paused."""
        self.paused = ""
        self.frontier.let_go()
        self.on_pause(self.room.shortage())

    def spend(self, budget: Budget) -> None:
        """Let another budget count from now on; the crawl ends if that is spent already."""
        self.budget = budget
        self._set_alarm()
        self._room_for_one.set()
        self._settle()

    def samples(self) -> list[tuple[str, dict[str, str], float]]:
        """The counters of the moment, for whoever watches."""
        progress = self.progress
        return [
            ("honeyguide_visits_total", {}, progress.visits),
            ("honeyguide_pages_total", {}, progress.pages),
            ("honeyguide_relevant_pages_total", {}, progress.relevant),
            ("honeyguide_bytes_total", {}, progress.bytes),
            *(("honeyguide_errors_total", {"kind": kind}, n) for kind, n in progress.errors.items()),
            ("honeyguide_queue_length", {}, len(self.frontier)),
            ("honeyguide_harvest_rate", {}, progress.harvest),
        ]

    async def _walk(self) -> None:
        try:
            while (candidate := await self._next()) is not None:
                try:
                    visit = await self.visit(candidate)
                finally:
                    self._release()
                self.absorb(visit)
                self._settle()
        except asyncio.CancelledError:
            if self.outcome is Health.RUNNING:
                raise

    async def _next(self) -> Candidate | None:
        """The next candidate, once there is room, budget and one whose host is due."""
        task = asyncio.current_task()
        assert task is not None
        self._idle.add(task)
        try:
            while self.outcome is Health.RUNNING:
                if sentence := self.room.shortage():
                    await self._pause(sentence)
                elif self.budget.pages and self.progress.answered + self._under_way >= self.budget.pages:
                    self._room_for_one.clear()
                    await self._room_for_one.wait()
                else:
                    return await self._take()
            return None
        finally:
            self._idle.discard(task)

    async def _take(self) -> Candidate | None:
        """A candidate, with its page of the budget set aside until its visit has ended."""
        self._under_way += 1
        candidate = None
        try:
            candidate = await self.frontier.pop()
        finally:
            if candidate is None:
                self._release()
        if candidate is None:
            return None
        return candidate._replace(parts=self.strategy.explain(candidate) or candidate.parts)

    def _release(self) -> None:
        self._under_way -= 1
        self._room_for_one.set()

    async def _pause(self, sentence: str) -> None:
        first = not self._short
        if first:
            self._short = True
            self.on_pause(sentence)
        while self.room.shortage():  # noqa: ASYNC110 - no event tells of free disk or memory
            await asyncio.sleep(1.0)
        if first:
            self._short = False
            self.on_pause(self.paused)

    async def _keep_looking(self) -> None:
        """See what people ask for as long as the crawl runs, whether anything is visited or not."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                self.look()
            except Exception as error:
                self._failure = error
                self.stop()
                return

    def _set_alarm(self) -> None:
        """End the crawl when its time is over."""
        if self._alarm:
            self._alarm.cancel()
        self._alarm = None
        if self.budget.seconds and self._started:
            left = self.budget.seconds - self._seconds_before - (self.clock() - self._started)
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(max(0.0, left), self.stop, Health.SPENT)

    def _settle(self) -> None:
        """Stop when a budget is spent, or when the crawl has stopped paying and was asked to notice."""
        spent, budget = self.progress, self.budget
        if (
            (budget.pages and spent.answered >= budget.pages)
            or (budget.relevant and spent.relevant >= budget.relevant)
            or (budget.seconds and spent.seconds >= budget.seconds)
            or (budget.bytes and spent.bytes >= budget.bytes)
        ):
            self.stop(Health.SPENT)
        elif self.stop_when_saturated and spent.saturated:
            self.stop(Health.SATURATED)

    def _diagnose(self) -> Health:
        """Why nothing more can be fetched."""
        if self.refreshing:
            return Health.SPENT
        if len(self.frontier):
            return Health.BLOCKED
        refused = self.progress.errors[ErrorKind.ROBOTS] + self.progress.errors[ErrorKind.ROBOTS_UNREACHABLE]
        if refused and not self.progress.pages:
            return Health.REFUSED
        return Health.BLOCKED if not self.progress.pages else Health.EXHAUSTED


def _answered(error: PageError) -> int:
    """The status a server gave for the page itself; what it said to robots.txt is another matter."""
    return error.status if isinstance(error, FetchError) and error.kind is ErrorKind.STATUS else 0


def _asked_to_wait(visit: Visit) -> bool:
    """Whether the host has said when to come back, so that politeness knows already."""
    return visit.status in (429, 503) or visit.error is ErrorKind.ROBOTS_UNREACHABLE


def _starting_points(urls: Iterable[str], origin: Origin) -> Iterator[Candidate]:
    return (Candidate(Link(url, origin=origin), score=SEED_SCORE) for url in urls)


def as_followed(visit: Visit) -> Visit:
    """A visit as a strategy sees it: without links if its page asks robots not to follow them, or if this host has
    shown the exact text before.

    The links of a mirror lead elsewhere than those of its original; those of a second URL on the same
    host lead to the same pages, or into a trap.
    """
    page = visit.page
    if page is None:
        return visit
    again = visit.verdict is not None and visit.verdict.label == EXACT_DUPLICATE
    if page.nofollow or (again and host_of(visit.duplicate_of) == host_of(visit.url)):
        return replace(visit, page=replace(page, links=()))
    return visit
