"""The loop, over fakes: what it fetches, what it keeps, and why it stops."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from honeyguide import loop
from honeyguide.budget import Budget
from honeyguide.errors import ErrorKind, FetchError, Refusal
from honeyguide.frontier.memory import MemoryFrontier
from honeyguide.health import Health
from honeyguide.loop import COMMIT_SECONDS, Crawl, Progress
from honeyguide.model import Candidate, Conditions, Link, Page, Response, Verdict, Visit
from honeyguide.roles import Strategy

HOST = "http://web.test/"


class Web:
    """Pages by name, each a list of the names it links to; counts what is asked."""

    def __init__(self, pages: dict[str, list[str] | Exception]) -> None:
        self.pages = pages
        self.asked: list[str] = []
        self.on_fetch: Callable[[str], None] = lambda name: None

    async def fetch(self, url: str, conditions: Conditions | None = None) -> Response:
        name = url.removeprefix(HOST)
        self.asked.append(name)
        self.on_fetch(name)
        await asyncio.sleep(0)
        found = self.pages[name]
        if isinstance(found, Exception):
            raise found
        return Response(url=url, status=200, body=" ".join(found).encode(), raw=b"x" * 10)

    async def close(self) -> None: ...

    async def read(self, response: Response) -> tuple[Page, Verdict]:
        links = tuple(Link(HOST + name, response.url) for name in response.body.decode().split())
        relevant = "good" in response.url
        return Page(response.url, links=links), Verdict(float(relevant), relevant)


class Memory:
    """A store that only remembers."""

    def __init__(self) -> None:
        self.visits: list[Visit] = []
        self.commits = 0

    def save(self, visit: Visit) -> Visit:
        visit = replace(visit, number=len(self.visits) + 1)
        self.visits.append(visit)
        return visit

    def commit(self) -> None:
        self.commits += 1


class Onward(Strategy):
    """Every link, first found first."""

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        links = visit.page.links if visit.page else ()
        return [Candidate(link, 0.0, visit.candidate.depth + 1) for link in links]


class Lessons:
    """Traps that remember what they were taught."""

    def __init__(self) -> None:
        self.learned: list[tuple[str, bool]] = []

    def learn(self, url: str, paid: bool) -> None:
        self.learned.append((url.removeprefix(HOST), paid))


class Plenty:
    """There is always room."""

    def shortage(self) -> str:
        return ""


def make(web: Web, **changes: Any) -> Crawl:
    roles: dict[str, Any] = {
        "fetcher": web,
        "reader": web,
        "frontier": MemoryFrontier(),
        "store": Memory(),
        "strategy": Onward(),
        "refuses": lambda url, depth: "",
        "traps": Lessons(),
        "room": Plenty(),
        "progress": Progress(),
        "budget": Budget(pages=0),
        "workers": 3,
    }
    return Crawl(**(roles | changes))


async def run(web: Web, **changes: Any) -> Crawl:
    crawl = make(web, **changes)
    crawl.sow([HOST + "start"])
    await asyncio.wait_for(crawl.run(), 10)
    return crawl


CHAIN = Web({"start": ["a", "b"], "a": ["c"], "b": ["c"], "c": []}).pages


async def test_every_page_is_visited_once_and_then_the_crawl_is_exhausted() -> None:
    web = Web(dict(CHAIN))
    crawl = await run(web)
    assert sorted(web.asked) == ["a", "b", "c", "start"]
    assert crawl.outcome is Health.EXHAUSTED
    assert crawl.progress.pages == 4
    assert sorted(crawl.traps.learned) == [("a", False), ("b", False), ("c", False), ("start", False)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("pages", [1, 2, 3])
async def test_a_budget_of_pages_is_spent_to_the_page(pages: int) -> None:
    web = Web({"start": [f"p{n}" for n in range(50)], **{f"p{n}": [] for n in range(50)}})
    crawl = await run(web, budget=Budget(pages=pages), workers=16)
    assert len(web.asked) == crawl.progress.pages == pages
    assert crawl.outcome is Health.SPENT


async def test_a_budget_that_is_spent_already_ends_the_crawl_at_once() -> None:
    web = Web({"start": []})
    crawl = await run(web, budget=Budget(pages=5), progress=Progress(pages=5))
    assert crawl.outcome is Health.SPENT
    assert web.asked == []


async def test_refusals_and_dead_links_cost_no_budget() -> None:
    dead: dict[str, list[str] | Exception] = {f"x{n}": FetchError(ErrorKind.DNS) for n in range(9)}
    forbidden: dict[str, list[str] | Exception] = {f"y{n}": Refusal(ErrorKind.ROBOTS, "no") for n in range(9)}
    web = Web({"start": [*dead, *forbidden, "a", "b"], "a": [], "b": [], **dead, **forbidden})
    crawl = await run(web, budget=Budget(pages=3), frontier=MemoryFrontier(park_after=100))
    assert crawl.progress.pages == 3
    assert crawl.progress.errors == {"dns": 9, "robots": 9}


@pytest.mark.parametrize(
    ("budget", "pages"), [(Budget(pages=0, relevant=2), 4), (Budget(pages=0, bytes=25), 3)]
)
async def test_budgets_of_relevant_pages_and_bytes_end_a_crawl(budget: Budget, pages: int) -> None:
    web = Web({"start": ["good1"], "good1": ["x"], "x": ["good2"], "good2": ["y"], "y": []})
    crawl = await run(web, budget=budget, workers=1)
    assert crawl.outcome is Health.SPENT
    assert crawl.progress.pages == pages


async def test_a_budget_of_time_ends_a_crawl_that_waits() -> None:
    web = Web({"start": []})
    never = asyncio.Event()

    async def hang(url: str, conditions: Conditions | None = None) -> Response:
        await never.wait()
        raise AssertionError

    crawl = make(web, budget=Budget(pages=0, seconds=0.05))
    crawl.fetcher.fetch = hang  # type: ignore[method-assign]
    crawl.sow([HOST + "start"])
    stopped = asyncio.Event()
    stop = crawl.stop

    def note(outcome: Health = Health.INTERRUPTED) -> None:
        stop(outcome)
        stopped.set()

    crawl.stop = note  # type: ignore[method-assign]
    task = asyncio.create_task(crawl.run())
    await asyncio.wait_for(stopped.wait(), 10)
    assert crawl.outcome is Health.SPENT
    task.cancel()


async def test_a_passing_failure_is_tried_again_and_recorded_once() -> None:
    web = Web({"start": ["a"], "a": FetchError(ErrorKind.STATUS, transient=True, status=503)})
    tries = 0

    def mend(name: str) -> None:
        nonlocal tries
        if name == "a":
            tries += 1
            if tries == 2:
                web.pages["a"] = []

    web.on_fetch = mend
    left_alone: list[str] = []
    crawl = await run(web, back_off=left_alone.append)
    assert web.asked.count("a") == 2
    assert left_alone == []  # the gate was told when the 503 came
    assert [visit.url.removeprefix(HOST) for visit in crawl.store.visits] == ["start", "a"]  # type: ignore[attr-defined]
    assert crawl.progress.errors == {}


async def test_a_host_that_fails_without_a_word_is_left_alone_for_a_while() -> None:
    web = Web({"start": FetchError(ErrorKind.TIMEOUT, transient=True)})
    left_alone: list[str] = []
    await run(web, frontier=MemoryFrontier(tries=3), back_off=left_alone.append)
    assert web.asked == ["start"] * 3
    assert left_alone == ["web.test"] * 2


async def test_a_lasting_failure_is_a_visit_too() -> None:
    web = Web({"start": FetchError(ErrorKind.STATUS, "404 Not Found", status=404)})
    crawl = await run(web)
    (visit,) = crawl.store.visits  # type: ignore[attr-defined]
    assert (visit.error, visit.status, visit.page) == (ErrorKind.STATUS, 404, None)


async def test_what_robots_refuse_altogether_is_said_so() -> None:
    crawl = await run(Web({"start": Refusal(ErrorKind.ROBOTS, "Disallow: /")}))
    assert crawl.outcome is Health.REFUSED


async def test_a_crawl_whose_hosts_are_all_parked_is_blocked() -> None:
    dead: dict[str, list[str] | Exception] = {f"x{n}": FetchError(ErrorKind.CONNECT) for n in range(9)}
    crawl = await run(Web({"start": list(dead), **dead}), frontier=MemoryFrontier(park_after=3), workers=1)
    assert crawl.outcome is Health.BLOCKED
    assert len(crawl.frontier) == 6


async def test_links_out_of_scope_are_noted_and_not_followed() -> None:
    web = Web({"start": ["a", "b"], "a": []})
    frontier = MemoryFrontier()
    await run(web, frontier=frontier, refuses=lambda url, depth: "not b" if url.endswith("b") else "")
    assert web.asked == ["start", "a"]
    assert frontier.knows(HOST + "b") == "refused"


async def test_a_link_found_again_too_deep_still_waits_and_the_strategy_is_not_told_otherwise() -> None:
    told = list[str]()

    class Listening(Onward):
        def refused(self, url: str) -> None:
            told.append(url.removeprefix(HOST))

    web = Web({"start": ["a", "b"], "a": ["b", "c"], "b": []})
    strategy = Listening()
    frontier = MemoryFrontier(refused=strategy.refused)
    await run(
        web,
        frontier=frontier,
        strategy=strategy,
        workers=1,
        refuses=lambda url, depth: "too deep" if depth > 1 else "",
    )
    assert web.asked == ["start", "a", "b"]
    assert told == ["c"]


async def test_pages_that_ask_not_to_be_followed_are_not() -> None:
    web = Web({"start": ["a"], "a": []})
    read = web.read

    async def closed(response: Response) -> tuple[Page, Verdict]:
        page, verdict = await read(response)
        return replace(page, nofollow=True), verdict

    seen = list[int]()

    class Looking(Onward):
        def expand(self, visit: Visit) -> Iterable[Candidate]:
            seen.append(len(visit.page.links) if visit.page else -1)
            return super().expand(visit)

    web.read = closed  # type: ignore[method-assign]
    await run(web, strategy=Looking())
    assert web.asked == ["start"]
    assert seen == [0], "no strategy takes for waiting what is not followed"


async def test_a_saturated_crawl_stops_itself_when_asked_to() -> None:
    pages: dict[str, list[str] | Exception] = {f"p{n}": [f"p{n + 1}"] for n in range(600)}
    crawl = await run(Web({"start": ["p0"], **pages, "p600": []}), stop_when_saturated=True)
    assert crawl.outcome is Health.SATURATED
    assert crawl.progress.pages == 500


async def test_states_are_saved_more_rarely_as_the_crawl_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "STATE_EVERY", 10)
    store, saved = Memory(), [0]
    pages: dict[str, list[str] | Exception] = {f"p{n}": [f"p{n + 1}"] for n in range(600)}
    web = Web({"start": ["p0"], **pages, "p600": []})
    await run(web, store=store, save_states=lambda: saved.append(len(store.visits)))
    gaps = [after - before for before, after in pairwise(saved)]
    assert gaps[:3] == [10, 10, 10]
    assert gaps == sorted(gaps)
    assert all(gap < 0.05 * at + 2 for gap, at in zip(gaps, saved[1:], strict=True) if gap > 10)
    assert gaps[-1] > 20


async def test_stopping_finishes_what_is_in_flight() -> None:
    web = Web({"start": [f"p{n}" for n in range(50)], **{f"p{n}": [] for n in range(50)}})
    crawl = make(web)
    web.on_fetch = lambda name: crawl.stop() if name == "p3" else None
    crawl.sow([HOST + "start"])
    await asyncio.wait_for(crawl.run(), 10)
    assert crawl.outcome is Health.INTERRUPTED
    assert len(crawl.store.visits) == len(web.asked)  # type: ignore[attr-defined]
    assert 4 <= len(web.asked) < 10


async def test_what_was_absorbed_in_part_is_not_committed() -> None:
    class Broken(Onward):
        """Fails over the second page."""

        def expand(self, visit: Visit) -> Iterable[Candidate]:
            if visit.number == 2:
                raise ZeroDivisionError
            return super().expand(visit)

    web = Web({"start": ["a"], "a": []})
    crawl = make(web, strategy=Broken())
    crawl.sow([HOST + "start"])
    committed = crawl.store.commits  # type: ignore[attr-defined]
    with pytest.raises(ZeroDivisionError):
        await crawl.run()
    await asyncio.sleep(2 * COMMIT_SECONDS)
    assert crawl.store.commits == committed  # type: ignore[attr-defined]


async def test_with_one_worker_the_same_web_gives_the_same_visits() -> None:
    web = {f"p{n}": [f"p{(n * 7 + k) % 40}" for k in range(5)] for n in range(40)}
    orders = []
    for _ in range(2):
        fresh = Web({"start": ["p1"], **web})
        await run(fresh, workers=1)
        orders.append(fresh.asked)
    assert orders[0] == orders[1]
    assert len(orders[0]) == 41


class Backwards(Onward):
    """Keeps a table of what waits, in which what was found last comes first."""

    def __init__(self) -> None:
        self.found: dict[str, float] = {}

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        candidates = [one._replace(parts={"found": 0.0}) for one in super().expand(visit)]
        for candidate in candidates:
            self.found[candidate.url] = float(len(self.found))
        return candidates

    def changes(self) -> Iterable[tuple[str, float]]:
        return self.found.items()

    def explain(self, candidate: Candidate) -> dict[str, float] | None:
        return {"found": candidate.score} if candidate.url in self.found else None


async def test_a_strategy_may_change_the_order_of_what_waits_and_explain_it_when_taken() -> None:
    web = Web({"start": ["b", "c", "d"], "b": [], "c": ["e"], "d": [], "e": []})
    memory = Memory()
    await run(web, strategy=Backwards(), store=memory, workers=1)
    assert web.asked == ["start", "d", "c", "e", "b"]
    assert [visit.candidate.parts for visit in memory.visits] == [
        None, {"found": 2.0}, {"found": 1.0}, {"found": 3.0}, {"found": 0.0}
    ]  # fmt: skip


async def test_a_paused_crawl_finishes_what_is_in_flight_and_starts_nothing_until_it_goes_on() -> None:
    web = Web({"start": [f"p{n}" for n in range(20)], **{f"p{n}": [] for n in range(20)}})
    told: list[str] = []
    crawl = make(web, on_pause=told.append)
    web.on_fetch = lambda name: crawl.pause("Wait.") if len(web.asked) == 4 else None
    crawl.sow([HOST + "start"])
    task = asyncio.create_task(crawl.run())
    async with asyncio.timeout(10):
        while not crawl.paused or len(crawl._idle) < crawl.workers:  # noqa: ASYNC110
            await asyncio.sleep(0)
    crawl.commit()
    seen = len(web.asked)
    assert 4 <= seen < 4 + crawl.workers
    assert len(crawl.store.visits) == seen  # type: ignore[attr-defined]
    for _ in range(100):
        await asyncio.sleep(0)
    assert (len(web.asked), told) == (seen, ["Wait."])
    crawl.go_on()
    assert await asyncio.wait_for(task, 10) is Health.EXHAUSTED
    assert (len(web.asked), told) == (21, ["Wait.", ""])


async def test_a_paused_crawl_can_be_stopped() -> None:
    web = Web({"start": ["a"], "a": []})
    crawl = make(web)
    crawl.sow([HOST + "start"])
    crawl.pause("Wait.")
    task = asyncio.create_task(crawl.run())
    for _ in range(10):
        await asyncio.sleep(0)
    crawl.stop()
    assert await asyncio.wait_for(task, 10) is Health.INTERRUPTED
    assert web.asked == []


async def test_a_crawl_is_looked_at_before_it_starts_and_while_nothing_is_visited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop, "LOOK_EVERY", 0.001)
    web = Web({"start": []})
    crawl = make(web)
    crawl.sow([HOST + "start"])
    crawl.pause("Wait.")
    looks: list[int] = []

    def look() -> None:
        looks.append(len(web.asked))
        if len(looks) == 3:
            crawl.go_on()

    crawl.look = look
    assert await asyncio.wait_for(crawl.run(), 10) is Health.EXHAUSTED
    assert looks[:3] == [0, 0, 0]


async def test_a_look_that_fails_ends_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "LOOK_EVERY", 0.001)
    crawl = make(Web({"start": []}))
    crawl.sow([HOST + "start"])
    crawl.pause("Wait.")
    looks = iter((None, None, ZeroDivisionError()))

    def look() -> None:
        if error := next(looks):
            raise error

    crawl.look = look
    with pytest.raises(ZeroDivisionError):
        await asyncio.wait_for(crawl.run(), 10)


async def test_a_budget_may_be_raised_while_walkers_wait_for_room_in_it() -> None:
    web = Web({"start": [f"p{n}" for n in range(9)], **{f"p{n}": [] for n in range(9)}})
    crawl = make(web, budget=Budget(pages=2))

    def raise_it(name: str) -> None:
        if len(web.asked) == 2:
            crawl.spend(Budget(pages=5))

    web.on_fetch = raise_it
    crawl.sow([HOST + "start"])
    assert await asyncio.wait_for(crawl.run(), 10) is Health.SPENT
    assert len(web.asked) == crawl.progress.pages == 5


async def test_time_may_be_given_and_taken_while_a_crawl_runs() -> None:
    web = Web({"start": []})
    crawl = make(web, budget=Budget(pages=0, seconds=100.0))
    crawl.sow([HOST + "start"])
    crawl.pause("Wait.")
    task = asyncio.create_task(crawl.run())
    await asyncio.sleep(0)
    crawl.spend(Budget(pages=0))
    assert crawl._alarm is None
    crawl.spend(Budget(pages=0, seconds=0.001))
    assert await asyncio.wait_for(task, 10) is Health.SPENT
