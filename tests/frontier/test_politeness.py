import asyncio
import gc
import heapq
import json
import math
import tracemalloc
from collections.abc import Coroutine, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.frontier.politeness import Politeness


class FakeTime:
    """A clock that moves only when everybody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self.slept = 0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept += 1
        future = asyncio.get_running_loop().create_future()
        heapq.heappush(self.sleepers, (self.now + seconds, self.slept, future))
        await future

    async def settle(self) -> None:
        for _ in range(25):
            await asyncio.sleep(0)

    async def pass_until(self, moment: float) -> None:
        """Let time pass up to a moment, waking whoever slept until then, one moment after the other."""
        await self.settle()
        while self.sleepers and self.sleepers[0][0] <= moment:
            self.now = max(self.now, self.sleepers[0][0])
            while self.sleepers and self.sleepers[0][0] <= self.now:
                future = heapq.heappop(self.sleepers)[2]
                if not future.done():
                    future.set_result(None)
            await self.settle()
        self.now = max(self.now, moment)

    async def run(self, *work: Coroutine[Any, Any, Any]) -> list[Any]:
        """Run all to their end, however long it takes by this clock."""
        tasks = [asyncio.ensure_future(each) for each in work]
        await self.settle()
        while self.sleepers:
            await self.pass_until(self.sleepers[0][0])
        assert all(task.done() for task in tasks), "somebody waits for a turn that never comes"
        return await asyncio.gather(*tasks, return_exceptions=True)


class Turn(NamedTuple):
    host: str
    address: str
    began: float
    ended: float


class Crawler:
    """Takes turns and writes down when it had them."""

    def __init__(self, **options: Any) -> None:
        self.time = FakeTime()
        self.politeness = Politeness(clock=self.time.clock, sleep=self.time.sleep, **options)
        self.turns: list[Turn] = []
        self.told: list[tuple[float, str]] = []
        self.politeness.subscribe(lambda host: self.told.append((self.time.now, host)))

    async def ask(self, host: str, address: str = "", *, lasting: float = 0.0, after: float = 0.0) -> None:
        if after:
            await self.time.sleep(after)
        async with self.politeness.turn(host, address):
            began = self.time.now
            try:
                if lasting:
                    await self.time.sleep(lasting)
            finally:
                self.turns.append(Turn(host, address, began, self.time.now))

    def began(self) -> list[float]:
        return [turn.began for turn in self.turns]


async def test_a_host_is_never_asked_sooner_than_its_delay() -> None:
    crawler = Crawler(delay=3.0)
    await crawler.time.run(*(crawler.ask("a.example", "1.1.1.1") for _ in range(4)))
    assert crawler.began() == [100.0, 103.0, 106.0, 109.0]


async def test_the_delay_counts_from_the_end_of_a_turn() -> None:
    crawler = Crawler(delay=3.0, stretch=0.0)
    await crawler.time.run(*(crawler.ask("a.example", lasting=10.0) for _ in range(2)))
    assert crawler.began() == [100.0, 113.0]


async def test_different_hosts_at_different_addresses_do_not_wait_for_each_other() -> None:
    crawler = Crawler(delay=3.0)
    await crawler.time.run(crawler.ask("a.example", "1.1.1.1"), crawler.ask("b.example", "2.2.2.2"))
    assert crawler.began() == [100.0, 100.0]


async def test_hosts_that_share_an_address_share_its_delay() -> None:
    crawler = Crawler(delay=3.0)
    await crawler.time.run(*(crawler.ask(f"{name}.example", "1.1.1.1") for name in "abc"))
    assert crawler.began() == [100.0, 103.0, 106.0]


async def test_addresses_do_not_matter_when_told_so() -> None:
    crawler = Crawler(delay=3.0, per_address=False)
    await crawler.time.run(*(crawler.ask(f"{name}.example", "1.1.1.1") for name in "abc"))
    assert crawler.began() == [100.0, 100.0, 100.0]
    assert crawler.politeness.address_of("a.example") == "1.1.1.1"


async def test_a_slow_server_gets_a_pause_in_proportion() -> None:
    crawler = Crawler(delay=1.0, stretch=2.0)
    await crawler.time.run(*(crawler.ask("a.example", lasting=10.0) for _ in range(2)))
    assert crawler.began() == [100.0, 130.0]


async def test_the_pause_in_proportion_has_a_longest() -> None:
    crawler = Crawler(delay=1.0, stretch=2.0, longest=5.0)
    await crawler.time.run(*(crawler.ask("a.example", "1.1.1.1", lasting=10.0) for _ in range(2)))
    assert crawler.began() == [100.0, 115.0]


async def test_a_crawl_delay_holds_for_the_host_and_not_for_its_address() -> None:
    crawler = Crawler(delay=1.0)
    crawler.politeness.slow_down("a.example", 20.0)
    await crawler.time.run(
        crawler.ask("a.example", "1.1.1.1"),
        crawler.ask("a.example", "1.1.1.1"),
        crawler.ask("b.example", "1.1.1.1"),
    )
    assert [(turn.host, turn.began) for turn in crawler.turns] == [
        ("a.example", 100.0),
        ("b.example", 101.0),
        ("a.example", 120.0),
    ]


async def test_a_crawl_delay_learned_from_robots_txt_counts_from_the_request_for_robots_txt() -> None:
    crawler = Crawler(delay=1.0)
    await crawler.time.run(crawler.ask("a.example"))
    crawler.politeness.slow_down("a.example", 20.0)
    assert crawler.politeness.due("a.example") == 120.0


async def test_a_crawl_delay_shorter_than_the_delay_changes_nothing() -> None:
    crawler = Crawler(delay=5.0)
    crawler.politeness.slow_down("a.example", 0.5)
    await crawler.time.run(crawler.ask("a.example"), crawler.ask("a.example"))
    assert crawler.began() == [100.0, 105.0]


@pytest.mark.parametrize("seconds", [-5.0, math.nan, math.inf])
async def test_a_senseless_crawl_delay_or_retry_after_does_no_harm(seconds: float) -> None:
    crawler = Crawler(delay=1.0, longest_wait=1000.0)
    crawler.politeness.slow_down("a.example", seconds)
    crawler.politeness.back_off("a.example", seconds)
    await crawler.time.run(crawler.ask("a.example"), crawler.ask("a.example"))
    assert crawler.turns[-1].began <= 100.0 + 2 * 1000.0


async def test_waiters_are_served_in_the_order_in_which_they_came() -> None:
    crawler = Crawler(delay=1.0)
    await crawler.time.run(
        *(crawler.ask("a.example", "1.1.1.1", lasting=0.5, after=number / 100) for number in range(1, 9)),
        *(crawler.ask(f"{number}.example", "2.2.2.2", after=number / 100) for number in range(1, 9)),
    )
    shared = [turn.host for turn in crawler.turns if turn.address == "2.2.2.2"]
    assert shared == [f"{number}.example" for number in range(1, 9)]
    assert len(crawler.turns) == 16


async def test_waiting_sleeps_once_and_not_again_and_again() -> None:
    crawler = Crawler(delay=50.0)
    await crawler.time.run(*(crawler.ask("a.example", "1.1.1.1") for _ in range(5)))
    assert crawler.time.slept <= 2 * 4


async def test_a_waiter_that_is_cancelled_holds_nobody_up() -> None:
    crawler = Crawler(delay=1.0)
    first = asyncio.ensure_future(crawler.ask("a.example", "1.1.1.1", lasting=5.0))
    second = asyncio.ensure_future(crawler.ask("a.example", "1.1.1.1"))
    third = asyncio.ensure_future(crawler.ask("b.example", "1.1.1.1"))
    await crawler.time.pass_until(102.0)
    second.cancel()
    await crawler.time.run()
    assert first.done()
    assert third.done()
    assert [turn.host for turn in crawler.turns] == ["a.example", "b.example"]
    assert crawler.politeness.due("a.example") < math.inf


async def test_a_waiter_cancelled_in_its_pause_holds_nobody_up() -> None:
    crawler = Crawler(delay=10.0)
    await crawler.time.run(crawler.ask("a.example", "1.1.1.1"))
    paused = asyncio.ensure_future(crawler.ask("a.example", "1.1.1.1"))
    await crawler.time.pass_until(105.0)
    assert crawler.politeness.due("a.example") == math.inf
    paused.cancel()
    await crawler.time.settle()
    assert crawler.politeness.due("a.example") == 110.0
    assert crawler.told[-1] == (105.0, "a.example")
    await crawler.time.run(crawler.ask("a.example", "1.1.1.1"))
    assert crawler.turns[-1].began == 110.0


async def test_a_turn_that_fails_or_is_cancelled_is_followed_by_its_pause_all_the_same() -> None:
    crawler = Crawler(delay=1.0, stretch=0.0)
    under_way = asyncio.ensure_future(crawler.ask("a.example", "1.1.1.1", lasting=50.0))
    await crawler.time.pass_until(104.0)
    under_way.cancel()
    await crawler.time.settle()
    assert crawler.politeness.due("a.example") == 105.0
    with pytest.raises(ZeroDivisionError):
        async with crawler.politeness.turn("b.example", "2.2.2.2"):
            raise ZeroDivisionError
    assert crawler.politeness.due("b.example") == 105.0


def test_a_host_never_asked_is_due_at_once() -> None:
    assert Politeness().due("a.example") == 0.0
    assert Politeness().address_of("a.example") == ""


async def test_a_host_is_not_due_while_it_is_asked_or_waited_for() -> None:
    crawler = Crawler(delay=1.0, stretch=0.0)
    tasks = [asyncio.ensure_future(crawler.ask("a.example", "1.1.1.1", lasting=5.0)) for _ in range(2)]
    for moment in (100.0, 104.0, 105.5, 108.0):
        await crawler.time.pass_until(moment)
        assert crawler.politeness.due("a.example") == math.inf
    await crawler.time.pass_until(111.0)
    assert all(task.done() for task in tasks)
    assert crawler.politeness.due("a.example") == 112.0
    assert crawler.politeness.address_of("a.example") == "1.1.1.1"


async def test_a_host_is_not_due_while_its_address_is_asked_for_another_host() -> None:
    crawler = Crawler(delay=1.0, stretch=0.0)
    await crawler.time.run(crawler.ask("a.example", "1.1.1.1"))
    task = asyncio.ensure_future(crawler.ask("b.example", "1.1.1.1", lasting=10.0))
    await crawler.time.pass_until(105.0)
    assert crawler.politeness.due("a.example") == math.inf
    await crawler.time.pass_until(112.0)
    assert task.done()
    assert crawler.politeness.due("a.example") == 112.0


async def test_the_subscriber_learns_when_a_host_and_those_at_its_address_may_be_asked_again() -> None:
    crawler = Crawler(delay=1.0, stretch=0.0)
    for host in ("a.example", "b.example", "c.example"):
        await crawler.time.run(crawler.ask(host, "1.1.1.1"))
    start = crawler.time.now
    crawler.told.clear()
    task = asyncio.ensure_future(crawler.ask("b.example", "1.1.1.1", lasting=10.0))
    await crawler.time.pass_until(start + 5.0)
    assert crawler.politeness.due("c.example") == math.inf
    assert crawler.politeness.due("a.example") == math.inf
    assert crawler.told == []
    await crawler.time.run()
    await task
    assert {host for _, host in crawler.told} == {"a.example", "b.example", "c.example"}


async def test_the_subscriber_is_not_told_while_others_still_wait_at_the_address() -> None:
    crawler = Crawler(delay=1.0, stretch=0.0)
    await crawler.time.run(
        crawler.ask("a.example", "1.1.1.1", lasting=1.0), crawler.ask("b.example", "1.1.1.1", lasting=1.0)
    )
    assert crawler.told == [(103.0, "a.example"), (103.0, "b.example")]


async def test_a_back_off_leaves_the_host_alone_for_as_long_as_it_asked() -> None:
    crawler = Crawler(delay=1.0)
    crawler.politeness.back_off("a.example", 120.0)
    assert crawler.politeness.due("a.example") == 220.0
    assert crawler.told == [(100.0, "a.example")]
    await crawler.time.run(crawler.ask("a.example"))
    assert crawler.began() == [220.0]


async def test_a_back_off_never_brings_a_host_forward() -> None:
    crawler = Crawler(delay=1.0)
    crawler.politeness.back_off("a.example", 120.0)
    crawler.politeness.back_off("a.example", 3.0)
    assert crawler.politeness.due("a.example") == 220.0


async def test_without_a_retry_after_each_back_off_is_twice_the_last_up_to_a_bound() -> None:
    politeness = Politeness(clock=lambda: 0.0, first_back_off=5.0, longest_back_off=60.0)
    waits = []
    for _ in range(6):
        politeness.back_off("a.example")
        waits.append(politeness.due("a.example"))
    assert waits == [5.0, 10.0, 20.0, 40.0, 60.0, 60.0]


def test_a_thousand_back_offs_in_a_row_are_still_bounded() -> None:
    politeness = Politeness(clock=lambda: 0.0, longest_back_off=60.0)
    for _ in range(2000):
        politeness.back_off("a.example")
    assert politeness.due("a.example") == 60.0


def test_a_success_starts_the_back_off_anew() -> None:
    now = 0.0
    politeness = Politeness(clock=lambda: now, first_back_off=5.0)
    politeness.back_off("a.example")
    politeness.back_off("a.example")
    now = 1000.0
    politeness.succeed("a.example")
    politeness.succeed("never.heard.of.example")
    politeness.back_off("a.example")
    assert politeness.due("a.example") == 1005.0


def test_a_server_may_not_send_us_away_for_years() -> None:
    politeness = Politeness(clock=lambda: 0.0, longest_wait=86_400.0)
    politeness.back_off("a.example", 1e12)
    assert politeness.due("a.example") == 86_400.0


async def test_a_back_off_during_the_turn_outlasts_its_end() -> None:
    crawler = Crawler(delay=1.0)
    async with crawler.politeness.turn("a.example", "1.1.1.1"):
        crawler.politeness.back_off("a.example", 300.0)
        assert crawler.told == []
    assert crawler.politeness.due("a.example") == 400.0
    assert crawler.told == [(100.0, "a.example")]


async def test_a_host_set_back_does_not_hold_up_its_address() -> None:
    crawler = Crawler(delay=1.0)
    crawler.politeness.back_off("a.example", 1000.0)
    await crawler.time.run(
        crawler.ask("a.example", "1.1.1.1"), crawler.ask("b.example", "1.1.1.1", after=5.0)
    )
    assert [(turn.host, turn.began) for turn in crawler.turns] == [
        ("b.example", 105.0),
        ("a.example", 1100.0),
    ]


async def test_a_host_set_back_while_it_waits_for_its_address_steps_out_of_the_line() -> None:
    crawler = Crawler(delay=1.0, stretch=0.0)
    await crawler.time.run(crawler.ask("c.example", "1.1.1.1"))
    tasks = [
        asyncio.ensure_future(crawler.ask(host, "1.1.1.1", lasting=lasting))
        for host, lasting in (("b.example", 10.0), ("a.example", 0.0))
    ]
    await crawler.time.pass_until(105.0)
    assert crawler.politeness.due("c.example") == math.inf
    crawler.politeness.back_off("a.example", 1000.0)
    await crawler.time.pass_until(200.0)
    assert tasks[0].done()
    assert not tasks[1].done()
    assert (112.0, "c.example") in crawler.told
    assert crawler.politeness.due("c.example") < 200.0
    await crawler.time.run()
    assert crawler.turns[-1] == Turn("a.example", "1.1.1.1", 1105.0, 1105.0)


async def test_the_state_is_plain_json_and_a_resumed_crawl_honours_it() -> None:
    now = 50.0
    politeness = Politeness(clock=lambda: now)
    politeness.slow_down("slow.example", 12.0)
    politeness.back_off("away.example", 600.0)
    politeness.back_off("often.example")
    politeness.back_off("often.example")
    now = 150.0
    state = json.loads(json.dumps(politeness.state()))

    crawler = Crawler(delay=1.0, first_back_off=5.0)
    crawler.politeness.restore(state)
    assert crawler.politeness.due("away.example") == 100.0 + 500.0
    assert crawler.politeness.due("often.example") <= 100.0
    crawler.politeness.back_off("often.example")
    assert crawler.politeness.due("often.example") == 100.0 + 20.0
    await crawler.time.run(crawler.ask("slow.example"), crawler.ask("slow.example"))
    assert crawler.began() == [100.0, 112.0]


def test_an_empty_state_restores_nothing() -> None:
    politeness = Politeness(clock=lambda: 0.0)
    politeness.restore({})
    assert politeness.state() == {"crawl_delays": {}, "back_offs": {}}


async def test_a_host_of_which_nothing_is_left_to_know_is_forgotten_and_others_are_not() -> None:
    crawler = Crawler(delay=1.0)
    crawler.politeness.slow_down("slow.example", 5.0)
    crawler.politeness.back_off("away.example", 80_000.0)
    for number in range(3000):
        async with crawler.politeness.turn(f"{number}.example", f"address {number}"):
            pass
        crawler.time.now += 1.0
    remembered = sum(crawler.politeness.address_of(f"{number}.example") != "" for number in range(3000))
    assert remembered < 1500
    assert crawler.politeness.due("away.example") == 80_100.0
    assert "slow.example" in crawler.politeness.state()["crawl_delays"]


async def test_a_hundred_thousand_hosts_take_a_few_hundred_bytes_each() -> None:
    hosts, addresses = ([f"{kind}{number}" for number in range(20_000)] for kind in ("host", "address"))
    politeness = Politeness(delay=1e6)
    gc.collect()
    tracemalloc.start()
    for host, address in zip(hosts, addresses, strict=True):
        async with politeness.turn(host, address):
            pass
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken / len(hosts) < 900


class Errand(NamedTuple):
    host: int
    address: int
    after: float
    lasting: float
    cancelled: float | None


errands = st.lists(
    st.builds(
        Errand,
        host=st.integers(0, 3),
        address=st.integers(0, 2),
        after=st.sampled_from((0.0, 0.3, 1.0, 2.7, 9.0)),
        lasting=st.sampled_from((0.0, 0.1, 0.6, 3.0, 20.0)),
        cancelled=st.sampled_from((None, None, None, 0.2, 1.0, 4.1, 15.0)),
    ),
    max_size=14,
)
set_backs = st.lists(
    st.tuples(st.sampled_from((0.1, 1.5, 6.0)), st.integers(0, 3), st.sampled_from((None, 0.0, 2.0, 30.0))),
    max_size=3,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    errands=errands,
    delays=st.lists(st.sampled_from((0.0, 0.5, 4.0)), min_size=4, max_size=4),
    backs=set_backs,
)
def test_no_two_turns_of_a_host_or_an_address_overlap_or_come_sooner_than_allowed(
    errands: list[Errand], delays: list[float], backs: list[tuple[float, int, float | None]]
) -> None:
    crawler = Crawler(delay=1.0, stretch=2.0, longest=10.0)
    for number, seconds in enumerate(delays):
        crawler.politeness.slow_down(str(number), seconds)
    barred: list[tuple[str, float, float]] = []

    async def errand(each: Errand) -> None:
        task = asyncio.ensure_future(
            crawler.ask(str(each.host), f"at {each.address}", lasting=each.lasting, after=each.after)
        )
        if each.cancelled is not None:
            await crawler.time.sleep(each.cancelled)
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def set_back(after: float, host: int, seconds: float | None) -> None:
        await crawler.time.sleep(after)
        crawler.politeness.back_off(str(host), seconds)
        barred.append((str(host), crawler.time.now, crawler.time.now + (5.0 if seconds is None else seconds)))

    asyncio.run(crawler.time.run(*map(errand, errands), *(set_back(*back) for back in backs)))

    def pause(turn: Turn) -> float:
        return max(1.0, min(2.0 * (turn.ended - turn.began), 10.0))

    def in_order(turns: Iterable[Turn]) -> list[Turn]:
        return sorted(turns, key=lambda turn: (turn.began, turn.ended))

    for host in {turn.host for turn in crawler.turns}:
        mine = in_order(turn for turn in crawler.turns if turn.host == host)
        for earlier, later in pairwise(mine):
            assert later.began >= earlier.ended + max(pause(earlier), delays[int(host)]) - 1e-9
        for barred_host, since, until in barred:
            if barred_host == host:
                assert not any(since < turn.began < until - 1e-9 for turn in mine)
        assert crawler.politeness.due(host) < math.inf
    for address in {turn.address for turn in crawler.turns}:
        there = in_order(turn for turn in crawler.turns if turn.address == address)
        for earlier, later in pairwise(there):
            assert later.began >= earlier.ended + pause(earlier) - 1e-9
    finished = sum(each.cancelled is None for each in errands)
    assert len(crawler.turns) >= finished
