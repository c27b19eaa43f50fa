"""What any frontier must do, to be run on one's own: subclass it and say how to make one."""

import asyncio
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from honeyguide.errors import ErrorKind
from honeyguide.model import Candidate, Hop, Link, Origin, Place, Response, Verdict, Visit


class ManualClock:
    """A clock that stands still until it is told to go on, and wakes who slept long enough."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, sleeper))
        await sleeper

    async def advance(self, seconds: float) -> None:
        self.now += seconds
        for at, sleeper in self._sleepers:
            if at <= self.now and not sleeper.done():
                sleeper.set_result(None)
        await settle()

    @property
    def pending(self) -> list[float]:
        """When those who sleep will be woken."""
        return [at for at, sleeper in self._sleepers if not sleeper.done()]


class Turns:
    """Politeness that does as it is told."""

    def __init__(self) -> None:
        self.dues: dict[str, float] = {}
        self._callbacks: list[Callable[[str], None]] = []

    def due(self, host: str) -> float:
        return self.dues.get(host, 0.0)

    def subscribe(self, callback: Callable[[str], None]) -> None:
        self._callbacks.append(callback)

    def set(self, host: str, due: float) -> None:
        self.dues[host] = due
        for callback in self._callbacks:
            callback(host)


async def settle() -> None:
    """Let every task go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


def candidate(url: str, score: Any = 0.5, **more: Any) -> Candidate:
    return Candidate(Link(url), score, **more)


def success(one: Candidate, *, relevant: bool = False) -> Visit:
    response = Response(one.url, 200)
    return Visit(one, response, verdict=Verdict(1.0, relevant), status=200)


def failure(one: Candidate, kind: ErrorKind = ErrorKind.CONNECT, status: int = 0) -> Visit:
    return Visit(one, error=kind, status=status)


async def pop_now(frontier: Any) -> Candidate:
    """A candidate that is there to be had without waiting."""
    one: Candidate | None = await asyncio.wait_for(frontier.pop(), 5)
    assert one is not None
    return one


async def drain(frontier: Any) -> list[str]:
    """Pop and visit until the end."""
    urls = []
    while (one := await asyncio.wait_for(frontier.pop(), 5)) is not None:
        urls.append(one.url)
        frontier.done(success(one))
    return urls


A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"


class FrontierContract:
    """Every test makes its frontier with `make`, which takes the options of all frontiers."""

    @pytest.fixture
    def make(self) -> Callable[..., Any]:
        raise pytest.UsageError("A frontier's tests say how to make it.")

    # --- order

    async def test_the_best_score_comes_first(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A, 0.2), candidate(B, 0.9), candidate(C, 0.5)])
        assert await drain(frontier) == [B, C, A]

    async def test_among_equals_the_one_found_first_comes_first(self, make: Callable[..., Any]) -> None:
        frontier = make()
        urls = [f"https://{name}.example/" for name in "qwertyuiop"]
        for url in urls:
            frontier.push([candidate(url, 0.5)])
        assert await drain(frontier) == urls

    async def test_a_long_line_at_one_host_stays_in_order(self, make: Callable[..., Any]) -> None:
        frontier = make(in_memory=10)
        scores = [(number * 7919) % 1009 for number in range(1000)]
        frontier.push(candidate(f"{A}{number}", score) for number, score in enumerate(scores))
        popped = [int(url.removeprefix(A)) for url in await drain(frontier)]
        assert popped == sorted(range(1000), key=lambda number: (-scores[number], number))

    async def test_a_score_that_is_not_a_number_comes_last(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A, math.nan), candidate(B, -1e300), candidate(C, np.float32(0.5))])
        assert await drain(frontier) == [C, B, A]

    async def test_a_popped_candidate_is_the_one_that_was_pushed(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A)])
        frontier.done(success(await pop_now(frontier)))
        link = Link(B, A, "ein Anker ☂", "words around", Place.LIST, "html/body/ul", Origin.FEED, True)
        pushed = Candidate(link, 0.25, 7, {"path": [1, 2], "x": None}, {"anchor": 0.125, "page": 0.125})
        frontier.push([pushed])
        assert await pop_now(frontier) == pushed

    # --- what is known already

    async def test_push_returns_how_many_were_new(self, make: Callable[..., Any]) -> None:
        frontier = make()
        assert frontier.push([candidate(A), candidate(B), candidate(A)]) == 2
        assert frontier.push([candidate(B), candidate(C)]) == 1
        assert frontier.push([]) == 0
        assert len(frontier) == 3

    async def test_a_url_found_again_keeps_the_better_score(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A, 0.4), candidate(B, 0.5), candidate(C, 0.6)])
        frontier.push([candidate(A, 0.7), candidate(C, 0.1)])
        assert [one.score for one in frontier.top(3)] == [0.7, 0.6, 0.5]
        assert await drain(frontier) == [A, C, B]

    async def test_of_equal_scores_the_waiting_link_stands(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([Candidate(Link(A, anchor="first"), 0.5)])
        frontier.push([Candidate(Link(A, anchor="second"), 0.5)])
        assert (await pop_now(frontier)).link.anchor == "first"

    async def test_a_url_found_twice_on_one_page_is_combined_too(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([Candidate(Link(A, anchor="menu"), 0.1), Candidate(Link(A, anchor="text"), 0.8)])
        assert (await pop_now(frontier)).link.anchor == "text"

    async def test_the_strategy_says_how_to_combine(self, make: Callable[..., Any]) -> None:
        def add(waiting: Candidate, found: Candidate) -> Candidate:
            count = (waiting.memo or {"seen": 1})["seen"] + 1
            return waiting._replace(score=waiting.score + found.score, memo={"seen": count})

        frontier = make(combine=add)
        frontier.push([candidate(A, 0.3), candidate(B, 0.5)])
        frontier.push([candidate(A, 0.1), candidate(A, 0.2)])
        one = await pop_now(frontier)
        assert (one.url, one.memo) == (A, {"seen": 3})
        assert one.score == pytest.approx(0.6)

    async def test_what_was_visited_is_not_queued_again(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A)])
        frontier.done(success(await pop_now(frontier)))
        assert frontier.push([candidate(A, 9.0)]) == 0
        assert await frontier.pop() is None
        assert frontier.visited(A)
        assert not frontier.visited(B)

    async def test_what_is_under_way_is_not_queued_again(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A)])
        one = await pop_now(frontier)
        assert frontier.push([candidate(A, 9.0)]) == 0
        assert frontier.under_way(A)
        frontier.done(success(one))
        assert not frontier.under_way(A)
        assert await frontier.pop() is None

    async def test_a_refused_url_is_remembered_and_never_queued(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.refuse(Link(A, anchor="x"), "out of scope", 3)
        frontier.refuse(Link(A), "again")
        assert frontier.knows(A) == "refused"
        assert frontier.push([candidate(A)]) == 0
        assert await frontier.pop() is None

    async def test_refusing_what_is_known_changes_nothing(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A)])
        frontier.refuse(Link(A), "too late")
        assert frontier.knows(A) == "waiting"
        assert (await pop_now(frontier)).url == A

    async def test_whoever_proposes_what_does_not_wait_is_told(self, make: Callable[..., Any]) -> None:
        refused = list[str]()
        frontier = make(refused=refused.append)
        frontier.push([candidate(A), candidate(B), candidate(C)])
        frontier.refuse(Link(B), "deeper than before")
        one = await pop_now(frontier)
        frontier.push([candidate(A), candidate(B)])
        assert not refused, "they wait or are under way"
        frontier.done(Visit(one, Response(C, 200, hops=(Hop(A, 301, C),)), status=200))
        assert refused == [C], "it is another name of what was visited"
        refused.clear()
        frontier.push([candidate(one.url), candidate(C), candidate(B)])
        assert refused == [A, C]
        frontier.refuse(Link("https://d.example/"), "out of scope")
        frontier.push([candidate("https://d.example/")])
        assert refused[2:] == ["https://d.example/"] * 2

    async def test_hosts_that_are_parked_and_those_that_are_no_more_are_told_of(
        self, make: Callable[..., Any]
    ) -> None:
        told = list[tuple[str, bool]]()
        frontier = make(parked=lambda host, is_parked: told.append((host, is_parked)), host_cap=1)
        frontier.push([candidate(A), candidate(A + "2"), candidate(B)])
        frontier.park("b.example", "no reason")
        frontier.park("b.example", "another")
        assert told == [("b.example", True)]
        frontier.done(success(await pop_now(frontier)))
        assert told[1:] == [("a.example", True)]
        assert frontier.unpark("a.example") == 0, "it has had its pages"
        frontier.unpark("b.example")
        assert told[2:] == [("b.example", False)]

    async def test_knows_says_what_has_become_of_a_url(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A)])
        assert (frontier.knows(A), frontier.knows(B)) == ("waiting", None)
        one = await pop_now(frontier)
        assert frontier.knows(A) == "waiting"
        frontier.done(success(one))
        assert frontier.knows(A) == "visited"
        assert frontier.id_of(A) == 1
        assert frontier.id_of(B) is None

    async def test_a_page_known_only_as_a_source_can_still_be_visited(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([Candidate(Link(B, source=A), 0.5)])
        assert frontier.knows(A) is None
        assert len(frontier) == 1
        assert frontier.push([candidate(A, 0.9), candidate(A, 0.8)]) == 1
        assert await drain(frontier) == [A, B]

    async def test_a_source_may_come_in_the_same_push_as_its_links(self, make: Callable[..., Any]) -> None:
        frontier = make()
        assert frontier.push([Candidate(Link(B, source=A), 0.5), candidate(A, 0.9)]) == 2
        frontier.done(success(await pop_now(frontier)))
        assert (await pop_now(frontier)).link.source == A

    async def test_a_visit_nobody_asked_for_is_remembered(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(B)])
        frontier.done(success(candidate(A)))
        frontier.done(success(candidate(B)))
        assert frontier.visited(A)
        assert frontier.visited(B)
        assert await frontier.pop() is None

    # --- waiting

    async def test_pop_waits_for_what_is_under_way_to_lead_somewhere(self, make: Callable[..., Any]) -> None:
        frontier = make(politeness=Turns())
        frontier.push([candidate(A)])
        one = await pop_now(frontier)
        waiting = asyncio.create_task(frontier.pop())
        await settle()
        assert not waiting.done()
        frontier.push([candidate(B)])
        await settle()
        assert waiting.result().url == B
        frontier.done(success(one))

    async def test_everybody_hears_of_the_end(self, make: Callable[..., Any]) -> None:
        frontier = make(politeness=Turns())
        frontier.push([candidate(A)])
        one = await pop_now(frontier)
        waiting = [asyncio.create_task(frontier.pop()) for _ in range(5)]
        await settle()
        assert not any(task.done() for task in waiting)
        frontier.done(success(one))
        assert await asyncio.wait_for(asyncio.gather(*waiting), 5) == [None] * 5

    async def test_one_push_serves_all_who_wait(self, make: Callable[..., Any]) -> None:
        frontier = make(politeness=Turns())
        frontier.push([candidate("https://first.example/")])
        await pop_now(frontier)
        waiting = [asyncio.create_task(frontier.pop()) for _ in range(5)]
        await settle()
        frontier.push([candidate(A), candidate(B), candidate(C)])
        await settle()
        assert [task.result().url for task in waiting if task.done()] == [A, B, C]
        for task in waiting:
            task.cancel()

    async def test_the_end_is_not_for_ever(self, make: Callable[..., Any]) -> None:
        frontier = make()
        assert await frontier.pop() is None
        frontier.push([candidate(A)])
        assert (await pop_now(frontier)).url == A

    async def test_a_host_is_asked_once_at_a_time(self, make: Callable[..., Any]) -> None:
        frontier = make(politeness=Turns())
        frontier.push([candidate(A, 0.9), candidate(A + "2", 0.8), candidate(B, 0.1)])
        first = await pop_now(frontier)
        assert (await pop_now(frontier)).url == B
        waiting = asyncio.create_task(frontier.pop())
        await settle()
        assert not waiting.done()
        frontier.done(success(first))
        await settle()
        assert waiting.result().url == A + "2"

    async def test_without_politeness_hosts_are_asked_side_by_side(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A, 0.9), candidate(A + "2", 0.8), candidate(B, 0.85)])
        assert [(await pop_now(frontier)).url for _ in range(3)] == [A, B, A + "2"]

    async def test_a_host_is_not_asked_before_it_is_due(self, make: Callable[..., Any]) -> None:
        clock, turns = ManualClock(), Turns()
        turns.dues["a.example"] = 10.0
        frontier = make(politeness=turns, clock=clock, sleep=clock.sleep)
        frontier.push([candidate(A, 0.9), candidate(B, 0.1)])
        frontier.done(success(await pop_now(frontier)))
        waiting = asyncio.create_task(frontier.pop())
        await clock.advance(9.9)
        assert not waiting.done()
        await clock.advance(0.2)
        assert waiting.result().url == A

    async def test_nobody_sleeps_longer_than_the_next_host_takes(self, make: Callable[..., Any]) -> None:
        clock, turns = ManualClock(), Turns()
        turns.dues = {"a.example": 30.0, "b.example": 20.0}
        frontier = make(politeness=turns, clock=clock, sleep=clock.sleep)
        frontier.push([candidate(A), candidate(B)])
        tasks = [asyncio.create_task(frontier.pop()) for _ in range(3)]
        await settle()
        assert clock.pending == [20.0]
        turns.set("a.example", 5.0)
        await clock.advance(5.0)
        assert sorted(task.result().url for task in tasks if task.done()) == [A]
        await clock.advance(15.0)
        assert sorted(task.result().url for task in tasks if task.done()) == [A, B]
        for task in tasks:
            task.cancel()

    async def test_a_host_in_use_by_others_is_waited_for(self, make: Callable[..., Any]) -> None:
        clock, turns = ManualClock(), Turns()
        turns.dues["a.example"] = math.inf
        frontier = make(politeness=turns, clock=clock, sleep=clock.sleep)
        frontier.push([candidate(A)])
        waiting = asyncio.create_task(frontier.pop())
        await clock.advance(1000.0)
        assert not waiting.done()
        turns.set("a.example", 1001.0)
        await settle()
        assert not waiting.done()
        await clock.advance(1.0)
        assert waiting.result().url == A

    async def test_a_host_set_back_after_it_was_ready_is_not_asked(self, make: Callable[..., Any]) -> None:
        clock, turns = ManualClock(), Turns()
        frontier = make(politeness=turns, clock=clock, sleep=clock.sleep)
        frontier.push([candidate(A, 0.9), candidate(B, 0.1)])
        turns.dues["a.example"] = 10.0  # told to nobody
        assert (await pop_now(frontier)).url == B

    async def test_a_cancelled_pop_takes_nothing_with_it(self, make: Callable[..., Any]) -> None:
        turns = Turns()
        frontier = make(politeness=turns)
        frontier.push([candidate(A)])
        first = await pop_now(frontier)
        waiting = [asyncio.create_task(frontier.pop()) for _ in range(3)]
        await settle()
        frontier.push([candidate(B)])
        waiting[0].cancel()  # the one that was just woken
        await settle()
        assert waiting[1].result().url == B
        waiting[2].cancel()
        await settle()
        frontier.done(success(first))
        assert frontier.under_way(B)

    async def test_many_walkers_get_each_url_once(self, make: Callable[..., Any]) -> None:
        frontier = make(politeness=Turns())
        urls = [f"https://h{number % 7}.example/{number}" for number in range(300)]
        frontier.push(candidate(url, hash(url) % 10) for url in urls[:50])
        later = iter(urls[50:])
        visited: list[str] = []

        async def walk() -> None:
            while (one := await frontier.pop()) is not None:
                await asyncio.sleep(0)
                visited.append(one.url)
                frontier.done(success(one))
                frontier.push([candidate(url) for _, url in zip(range(2), later, strict=False)])

        await asyncio.wait_for(asyncio.gather(*(walk() for _ in range(10))), 20)
        assert sorted(visited) == sorted(urls)

    # --- failing, trying again, parking

    async def test_a_retried_candidate_waits_again_with_its_score(self, make: Callable[..., Any]) -> None:
        frontier = make(politeness=Turns())
        frontier.push([candidate(A, 0.5), candidate(B, 0.9), candidate(C, 0.1)])
        one = await pop_now(frontier)
        assert frontier.retry(one)
        assert len(frontier) == 3
        assert await drain(frontier) == [B, A, C]

    async def test_a_candidate_has_so_many_tries(self, make: Callable[..., Any]) -> None:
        frontier = make(tries=3)
        frontier.push([candidate(A)])
        assert frontier.retry(await pop_now(frontier))
        assert frontier.retry(await pop_now(frontier))
        one = await pop_now(frontier)
        assert not frontier.retry(one)
        assert frontier.under_way(A)
        frontier.done(failure(one))
        assert await frontier.pop() is None

    @pytest.mark.parametrize(
        ("kind", "status"),
        [
            (ErrorKind.DNS, 0),
            (ErrorKind.CONNECT, 0),
            (ErrorKind.TLS, 0),
            (ErrorKind.TIMEOUT, 0),
            (ErrorKind.STALLED, 0),
            (ErrorKind.PROTOCOL, 0),
            (ErrorKind.ROBOTS_UNREACHABLE, 0),
            (ErrorKind.STATUS, 503),
        ],
    )
    async def test_a_host_that_keeps_failing_is_parked(
        self, make: Callable[..., Any], kind: ErrorKind, status: int
    ) -> None:
        frontier = make(park_after=3)
        frontier.push([candidate(f"{A}{number}") for number in range(5)])
        for _ in range(3):
            frontier.done(failure(await pop_now(frontier), kind, status))
        ((host, reason, waiting),) = frontier.parked()
        assert (host, waiting) == ("a.example", 2)
        assert "3 times in a row" in reason
        assert await frontier.pop() is None
        assert len(frontier) == 2
        assert frontier.hosts_waiting() == []

    async def test_an_answer_of_any_kind_breaks_the_row(self, make: Callable[..., Any]) -> None:
        frontier = make(park_after=2)
        frontier.push([candidate(f"{A}{number}") for number in range(9)])
        for answer in (success, lambda one: failure(one, ErrorKind.STATUS, 404)):
            frontier.done(failure(await pop_now(frontier)))
            frontier.done(answer(await pop_now(frontier)))
        frontier.done(failure(await pop_now(frontier)))
        assert frontier.parked() == []

    async def test_what_was_never_asked_neither_makes_nor_breaks_the_row(
        self, make: Callable[..., Any]
    ) -> None:
        frontier = make(park_after=2)
        frontier.push([candidate(f"{A}{number}") for number in range(9)])
        frontier.done(failure(await pop_now(frontier)))
        frontier.done(failure(await pop_now(frontier), ErrorKind.ROBOTS))
        assert frontier.parked() == []
        frontier.done(failure(await pop_now(frontier)))
        assert len(frontier.parked()) == 1

    async def test_a_host_that_has_had_its_pages_is_parked(self, make: Callable[..., Any]) -> None:
        frontier = make(host_cap=2)
        frontier.push([candidate(f"{A}{number}") for number in range(5)])
        assert len(await drain(frontier)) == 2
        assert frontier.parked() == [("a.example", "cap: 2 pages", 3)]

    async def test_a_domain_never_gets_more_than_its_cap(self, make: Callable[..., Any]) -> None:
        frontier = make(domain_cap=2, politeness=Turns())
        hosts = ["https://x.a.example/", "https://y.a.example/", "https://z.a.example/"]
        frontier.push([candidate(f"{host}{number}") for host in hosts for number in range(2)])
        first, second = await pop_now(frontier), await pop_now(frontier)
        waiting = asyncio.create_task(frontier.pop())
        await settle()
        assert not waiting.done()
        assert frontier.retry(first)
        await settle()
        assert waiting.done()
        frontier.done(success(second))
        frontier.done(success(waiting.result()))
        assert await frontier.pop() is None
        assert {reason for _, reason, _ in frontier.parked()} == {"cap: 2 pages"}
        frontier.push([candidate("https://new.a.example/")])
        assert await frontier.pop() is None

    async def test_room_under_a_cap_is_given_to_another_host_of_the_domain(
        self, make: Callable[..., Any]
    ) -> None:
        turns = Turns()
        frontier = make(domain_cap=1, politeness=turns)
        frontier.push([candidate("https://x.a.example/", 0.9), candidate("https://y.a.example/", 0.1)])
        one = await pop_now(frontier)
        waiting = asyncio.create_task(frontier.pop())
        await settle()
        turns.dues["x.a.example"] = math.inf
        assert frontier.retry(one)
        await settle()
        assert waiting.result().url == "https://y.a.example/"

    async def test_a_host_can_be_parked_and_unparked_by_hand(self, make: Callable[..., Any]) -> None:
        frontier = make(politeness=Turns())
        frontier.push([candidate(A), candidate(B, 0.1)])
        frontier.park("a.example", "blocked")
        assert frontier.parked() == [("a.example", "blocked", 1)]
        one = await pop_now(frontier)
        assert one.url == B
        waiting = asyncio.create_task(frontier.pop())
        await settle()
        frontier.unpark("a.example")
        await settle()
        assert waiting.result().url == A

    async def test_a_blocked_host_waits_until_it_is_unblocked(self, make: Callable[..., Any]) -> None:
        frontier = make(park_after=1)
        frontier.push([candidate(A), candidate(A + "2"), candidate(B, 0.1)])
        assert frontier.block("a.example", "ada asked for it") == 2
        assert frontier.block("c.example", "ada asked for it") == 0
        frontier.push([candidate(A + "3"), candidate(C)])
        assert frontier.parked() == [
            ("a.example", "blocked: ada asked for it", 3),
            ("c.example", "blocked: ada asked for it", 1),
        ]
        assert [frontier.is_blocked(name) for name in ("a.example", "b.example", "d.example")] == [
            True,
            False,
            False,
        ]
        assert await drain(frontier) == [B]
        frontier.forgive()
        assert frontier.is_blocked("a.example")
        assert [frontier.unpark(name) for name in ("a.example", "d.example")] == [3, 0]
        assert await drain(frontier) == [A, A + "2", A + "3"]

    async def test_who_waits_for_a_host_that_is_blocked_waits_in_vain_no_longer(
        self, make: Callable[..., Any]
    ) -> None:
        turns = Turns()
        turns.dues["a.example"] = math.inf
        frontier = make(politeness=turns)
        frontier.push([candidate(A)])
        waiting = asyncio.create_task(frontier.pop())
        await settle()
        assert not waiting.done()
        frontier.block("a.example", "x")
        await settle()
        assert waiting.result() is None

    async def test_while_it_is_held_nothing_is_handed_out(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A), candidate(B, 0.1)])
        first = await pop_now(frontier)
        frontier.hold()
        waiting = [asyncio.create_task(frontier.pop()) for _ in range(3)]
        frontier.done(success(first))
        await settle()
        assert not any(task.done() for task in waiting)
        frontier.let_go()
        await settle()
        (taken,) = (task.result() for task in waiting if task.done())
        assert taken.url == B
        frontier.hold()
        frontier.done(success(taken))
        await settle()
        assert sum(task.done() for task in waiting) == 1
        frontier.let_go()
        await settle()
        assert [task.result() for task in waiting].count(None) == 2

    async def test_urls_are_told_of_as_they_wait(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A, 0.5), candidate(B, 0.9)])
        frontier.done(success(await pop_now(frontier)))
        frontier.reorder([(A, 0.25)])
        assert frontier.standing([B, A, C]) == [None, candidate(A, 0.25), None]
        assert frontier.standing([]) == []

    async def test_a_capped_host_is_not_unparked(self, make: Callable[..., Any]) -> None:
        frontier = make(host_cap=1)
        frontier.push([candidate(A), candidate(A + "2")])
        await drain(frontier)
        frontier.unpark("a.example")
        assert await asyncio.wait_for(frontier.pop(), 5) is None

    # --- redirects

    async def test_what_a_redirect_led_through_is_not_fetched_again(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A, 0.9), candidate(C, 0.1)])
        one = await pop_now(frontier)
        hops = (Hop(A, 301, B), Hop(B, 302, C))
        frontier.done(Visit(one, Response(C, 200, hops=hops), status=200))
        assert [frontier.knows(url) for url in (A, B, C)] == ["visited", "alias", "alias"]
        assert len(frontier) == 0
        assert frontier.push([candidate(B), candidate(C)]) == 0
        assert await frontier.pop() is None

    async def test_a_redirect_does_not_touch_what_is_under_way(self, make: Callable[..., Any]) -> None:
        frontier = make()
        frontier.push([candidate(A, 0.9), candidate(B, 0.8)])
        one, other = await pop_now(frontier), await pop_now(frontier)
        frontier.done(Visit(one, Response(B, 200, hops=(Hop(A, 301, B),)), status=200))
        assert frontier.knows(B) == "waiting"
        frontier.done(success(other))
        assert frontier.knows(B) == "visited"

    async def test_where_a_redirect_leads_is_not_handed_out_before_it_has_ended(
        self, make: Callable[..., Any]
    ) -> None:
        frontier = make(politeness=Turns())
        frontier.push([candidate(A, 0.9), candidate(B, 0.5)])
        one = await pop_now(frontier)
        frontier.redirected(A, B)
        frontier.redirected(A, C)
        frontier.push([candidate(C, 0.7)])
        assert all(map(frontier.under_way, (A, B, C)))
        waiting = asyncio.create_task(frontier.pop())
        await settle()
        assert not waiting.done()
        frontier.done(Visit(one, Response(C, 200, hops=(Hop(A, 301, B), Hop(B, 301, C))), status=200))
        assert await asyncio.wait_for(waiting, 5) is None
        assert [frontier.knows(url) for url in (A, B, C)] == ["visited", "alias", "alias"]
        assert len(frontier) == 0

    @pytest.mark.parametrize("again", [True, False])
    async def test_where_a_failed_redirect_led_is_handed_out_after_all(
        self, make: Callable[..., Any], again: bool
    ) -> None:
        frontier = make(politeness=Turns())
        frontier.push([candidate(A, 0.1), candidate(B, 0.05)])
        one = await pop_now(frontier)
        frontier.redirected(A, B)
        waiting = asyncio.create_task(frontier.pop())
        await settle()
        assert (waiting.done(), len(frontier)) == (False, 0)
        if again:
            assert frontier.retry(one)
        else:
            frontier.done(failure(one))
        assert (await asyncio.wait_for(waiting, 5)).url == (A if again else B)
        assert len(frontier) == (1 if again else 0)

    async def test_others_are_handed_out_while_a_redirect_is_followed(self, make: Callable[..., Any]) -> None:
        frontier = make(politeness=Turns())
        frontier.push([candidate(A, 0.9), candidate(B, 0.5), candidate(B + "2", 0.3)])
        await pop_now(frontier)
        frontier.redirected(A, B)
        assert (await pop_now(frontier)).url == B + "2"

    async def test_links_of_a_page_reached_by_redirect_keep_their_source(
        self, make: Callable[..., Any]
    ) -> None:
        frontier = make()
        frontier.push([candidate(A)])
        frontier.done(Visit(await pop_now(frontier), Response(B, 200, hops=(Hop(A, 301, B),)), status=200))
        frontier.push([Candidate(Link(C, source=B), 0.5)])
        assert (await pop_now(frontier)).link.source == B

    # --- looking and revising

    async def test_top_shows_the_best_that_wait_wherever_they_are(self, make: Callable[..., Any]) -> None:
        turns = Turns()
        turns.dues["a.example"] = math.inf
        frontier = make(politeness=turns, in_memory=4)
        frontier.push([candidate(f"{A}{number}", number) for number in range(100)])
        frontier.push([candidate(B, 98.5)])
        assert [one.score for one in frontier.top(3)] == [99, 98.5, 98]
        assert (await pop_now(frontier)).url == B
        assert [one.score for one in frontier.top(3)] == [99, 98, 97]
        assert frontier.top(0) == []
        assert len(frontier.top(1000)) == 100
        assert frontier.hosts_waiting() == [("a.example", 100)]

    async def test_the_top_is_revised_every_so_many_fetches(self, make: Callable[..., Any]) -> None:
        asked: list[list[str]] = []

        def revise(candidates: Sequence[Candidate]) -> list[float]:
            asked.append([one.url for one in candidates])
            return [-one.score for one in candidates]

        frontier = make(revise=revise, revise_every=2, revise_top=2)
        frontier.push([candidate(f"{A}{number}", 10 - number) for number in range(6)])
        popped = []
        for _ in range(3):
            one = await pop_now(frontier)
            popped.append(one.url)
            frontier.done(success(one))
        assert asked == [[A + "2", A + "3"]]
        assert popped == [A + "0", A + "1", A + "4"]

    async def test_what_was_never_answered_does_not_count_towards_a_revision(
        self, make: Callable[..., Any]
    ) -> None:
        asked: list[int] = []

        def revise(candidates: Sequence[Candidate]) -> None:
            asked.append(len(candidates))

        frontier = make(revise=revise, revise_every=2, park_after=0)
        frontier.push([candidate(f"{A}{number}") for number in range(9)])
        for answered in (True, False, False, True, False):
            one = await pop_now(frontier)
            frontier.done(success(one) if answered else Visit(one, error=ErrorKind.MISS))
        assert asked == [5]

    async def test_what_a_strategy_scores_differently_moves_and_nothing_else(
        self, make: Callable[..., Any]
    ) -> None:
        frontier = make()
        frontier.push([candidate("https://a.test/1", 0.9), candidate("https://b.test/2", 0.5)])
        frontier.push([candidate("https://c.test/3", 0.1)])
        first = await frontier.pop()
        changes = [("https://c.test/3", 0.7), (first.url, 5.0), ("https://never.test/", 9.0)]
        assert frontier.reorder(changes) == 1
        assert frontier.reorder(changes) == 0
        assert frontier.reorder([("https://c.test/3", 0.0), ("https://c.test/3", 0.7)]) == 0
        assert [(await frontier.pop()).url, (await frontier.pop()).url] == [
            "https://c.test/3",
            "https://b.test/2",
        ]

    async def test_the_whole_queue_can_be_revised(self, make: Callable[..., Any]) -> None:
        def revise(candidates: Sequence[Candidate]) -> list[float]:
            return [float(one.url.removeprefix(A)) for one in candidates]

        frontier = make(revise=revise, in_memory=4)
        frontier.push([candidate(f"{A}{number}") for number in range(2500)])
        assert frontier.rescore(everything=True) == 2500
        assert frontier.rescore(everything=True) == 0
        assert await drain(frontier) == [f"{A}{number}" for number in reversed(range(2500))]

    async def test_scores_that_never_change_are_left_alone(self, make: Callable[..., Any]) -> None:
        frontier = make(revise=lambda candidates: None)
        frontier.push([candidate(A)])
        assert frontier.rescore(everything=True) == 0
        assert frontier.rescore(everything=False) == 0
        assert make().rescore(everything=True) == 0

    async def test_what_was_held_back_is_asked_for_once_per_emptiness(self, make: Callable[..., Any]) -> None:
        held = [[candidate(A)], [candidate(A)], [candidate(B)], []]
        asked = 0

        def refill() -> list[Candidate]:
            nonlocal asked
            asked += 1
            return held.pop(0)

        frontier = make(refill=refill)
        one = await pop_now(frontier)
        frontier.done(success(one))
        assert [await frontier.pop() for _ in range(3)] == [None, None, None]
        assert asked == 2
        frontier.push([candidate(C)])
        assert await drain(frontier) == [C, B]
        assert asked == 4

    # --- once more

    async def test_visited_pages_can_be_queued_again(self, make: Callable[..., Any]) -> None:
        frontier = make(tries=2)
        frontier.push([candidate(A, 0.5), candidate(B, 0.6), candidate(C, 0.7)])
        frontier.refuse(Link("https://d.example/"), "no")
        frontier.done(failure(await pop_now(frontier), ErrorKind.STATUS, 404))
        frontier.done(failure(await pop_now(frontier), ErrorKind.TIMEOUT))
        assert frontier.retry(await pop_now(frontier))
        frontier.done(success(await pop_now(frontier)))
        assert frontier.requeue_visited() == 2
        assert len(frontier) == 2
        one, other = await pop_now(frontier), await pop_now(frontier)
        assert (frontier.retry(one), frontier.retry(other)) == (True, True)
        assert await drain(frontier) == [B, A]

    async def test_pages_queued_again_with_a_score_are_all_that_is_handed_out(
        self, make: Callable[..., Any]
    ) -> None:
        frontier = make()
        frontier.push([candidate(A, 0.5), candidate(B, 0.1)])
        frontier.done(success(await pop_now(frontier)))
        frontier.push([candidate(C, 0.9)])
        assert frontier.requeue_visited(5.0) == 1
        assert await drain(frontier) == [A]
        assert len(frontier) == 2

    async def test_a_failing_host_gets_another_chance(self, make: Callable[..., Any]) -> None:
        frontier = make(park_after=1)
        frontier.push([candidate(A), candidate(A + "2")])
        frontier.done(failure(await pop_now(frontier)))
        assert [host for host, _, _ in frontier.parked()] == ["a.example"]
        frontier.forgive()
        assert frontier.parked() == []
        assert await drain(frontier) == [A + "2"]

    async def test_failures_of_the_last_round_are_forgiven(self, make: Callable[..., Any]) -> None:
        frontier = make(park_after=2)
        frontier.push([candidate(A), candidate(A + "2"), candidate(A + "3")])
        frontier.done(failure(await pop_now(frontier)))
        frontier.requeue_visited()
        frontier.done(failure(await pop_now(frontier)))
        assert frontier.parked() == []

    async def test_a_second_round_starts_with_fresh_caps_and_hopes(self, make: Callable[..., Any]) -> None:
        frontier = make(host_cap=2, park_after=1)
        frontier.push([candidate(f"{A}{number}", 0.9) for number in range(3)])
        frontier.push([candidate(B, 0.8), candidate(C, 0.7)])
        frontier.done(success(await pop_now(frontier)))
        frontier.done(success(await pop_now(frontier)))
        frontier.done(failure(await pop_now(frontier)))
        frontier.park("c.example", "blocked")
        assert [host for host, _, _ in frontier.parked()] == ["a.example", "b.example", "c.example"]
        assert frontier.requeue_visited() == 3
        assert [host for host, _, _ in frontier.parked()] == ["c.example"]
        assert await drain(frontier) == [A + "0", A + "1", B]
