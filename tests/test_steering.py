"""A crawl of the demo web that people steer while it runs, and between its runs."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from demo_crawl import demo_settings

from honeyguide import assemble
from honeyguide.assemble import assembled, create, load
from honeyguide.config import merge
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.errors import Refusal
from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.health import Health
from honeyguide.loop import Crawl
from honeyguide.model import Candidate, Topic, Verdict, Visit
from honeyguide.opening import open_collection
from honeyguide.roles import Strategy
from honeyguide.scope import Scope
from honeyguide.store.labels import LabelBook
from honeyguide.store.lessons import Lesson, read_lessons
from honeyguide.store.requests import Request, RequestBook, read_requests
from honeyguide.store.schema import connect
from honeyguide.store.sqlite import read_state
from honeyguide.store.status import Status
from honeyguide.topics.folder import history, read_topic, write_revision
from honeyguide.urls import host_of


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with serving() as web:
        yield web


@pytest.fixture(autouse=True)
def _by_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(assemble.JUDGES, "by-example", "example_judge:ByExample")


@pytest.fixture
def folder(web: ServedWeb, tmp_path: Path) -> Path:
    return new_crawl(web, tmp_path / "crawl")


def new_crawl(web: ServedWeb, folder: Path, *, pages: int = 400, **tables: Any) -> Path:
    settings = demo_settings(web, strategy="best-first", pages=pages, delay=0.1)
    settings |= {"judge": {"use": "by-example"}, "reading": {"processes": 0}}
    create(folder, Topic("dengue fever", seeds=web.seeds), merge(settings, tables))
    return folder


class Running:
    """A crawl that runs, and somebody who asks things of it."""

    def __init__(self, folder: Path, crawl: Crawl) -> None:
        self.folder = folder
        self.crawl = crawl
        self.visits: list[Visit] = []
        self.said: list[str] = []
        self.news = asyncio.Event()
        self.task = asyncio.create_task(crawl.run())

    async def visited(self, n: int) -> None:
        """Until there are so many visits."""
        async with asyncio.timeout(30):
            while len(self.visits) < n:
                self.news.clear()
                await self.news.wait()

    async def ask(self, kind: str, **arguments: Any) -> Request:
        """What comes of a request."""
        return await asyncio.to_thread(ask, self.folder, kind, arguments, 30.0)

    async def lesson(self, number: int = 1) -> Lesson:
        """What the crawl has learned, as soon as it has."""
        return await asyncio.to_thread(await_lesson, self.folder, number, 30.0)

    async def label(self, wanted: dict[int, bool]) -> None:
        """Say of visits whether they are on topic."""
        urls = {visit.number: visit.url for visit in self.visits}

        def write() -> None:
            with LabelBook(self.folder) as book:
                for number, relevant in wanted.items():
                    book.write(urls[number], number, relevant, "ada")

        await asyncio.to_thread(write)

    async def idle(self) -> None:
        """Until nothing is in flight in a crawl that is paused."""
        async with asyncio.timeout(30):
            while len(self.crawl._idle) < self.crawl.workers:
                await self.ask("pause")
        self.crawl.commit()

    async def end(self) -> Health:
        async with asyncio.timeout(60):
            return await self.task


@asynccontextmanager
async def running(folder: Path, **options: Any) -> AsyncIterator[Running]:
    seen: list[Running] = []

    def note(visit: Visit) -> None:
        seen[0].visits.append(visit)
        seen[0].news.set()

    def say(sentence: str) -> None:
        if seen:
            seen[0].said.append(sentence)

    async with assembled(folder, on_visit=note, on_pause=say, warn=say, **options) as crawl:
        at = Running(folder, crawl)
        seen.append(at)
        try:
            yield at
        finally:
            crawl.stop()
            await at.end()


def write(folder: Path, kind: str, **arguments: Any) -> int:
    """Ask, and do not wait for an answer."""
    with RequestBook(folder) as book:
        return book.ask(kind, arguments, "ada")


def ask(folder: Path, kind: str, arguments: dict[str, Any], patience: float) -> Request:
    import time

    ends = time.monotonic() + patience
    with RequestBook(folder) as book:
        number = book.ask(kind, arguments, "ada")
        while time.monotonic() < ends:
            if (found := book.read(number)).answered is not None:
                return found
            time.sleep(0.02)
    raise AssertionError(f"{kind} was not answered")


def await_lesson(folder: Path, number: int, patience: float) -> Lesson:
    import time

    ends = time.monotonic() + patience
    reader = connect(folder / "crawl.db", readonly=True)
    try:
        while time.monotonic() < ends:
            if len(found := read_lessons(reader)) >= number:
                return found[number - 1]
            time.sleep(0.02)
    finally:
        reader.close()
    raise AssertionError("nothing was learned")


def answers(folder: Path) -> list[Request]:
    with open_collection(folder) as collection:
        return read_requests(collection.connection)


def status(folder: Path) -> Status:
    with open_collection(folder) as collection:
        return collection.status()


async def test_a_paused_crawl_fetches_nothing_until_it_is_resumed(folder: Path) -> None:
    async with running(folder) as at:
        await at.visited(5)
        paused = await at.ask("pause")
        assert (paused.refused, paused.answer) == (
            False,
            "The crawl is paused; what was in flight is finished and kept.",
        )
        assert (await at.ask("pause")).answer == "The crawl was paused already."
        found = status(folder)
        assert found.health is Health.PAUSED
        assert found.sentence == "ada has paused the crawl; it goes on when somebody asks for it."
        await at.idle()
        seen = len(at.visits)
        await at.ask("pause")
        assert len(at.visits) == seen
        assert (await at.ask("resume")).answer == "The crawl goes on."
        assert status(folder).health is Health.RUNNING
        await at.visited(seen + 5)
        assert (await at.ask("resume")).answer == "The crawl is not paused."
        assert at.said == ["ada has paused the crawl.", ""]


async def test_a_stopped_crawl_says_who_has_stopped_it_and_can_be_resumed(folder: Path) -> None:
    async with running(folder) as at:
        await at.visited(5)
        await at.ask("pause")
        stopped = await at.ask("stop")
        assert stopped.answer == "The crawl has stopped; it can be resumed."
        assert await at.end() is Health.INTERRUPTED
        assert at.said[-1] == "ada has stopped the crawl; what is in flight is finished."
    found = status(folder)
    assert (found.health, found.sentence) == (
        Health.INTERRUPTED,
        "ada has stopped the crawl before its end; it can be resumed.",
    )
    async with running(folder) as at:
        await at.visited(3)


async def test_a_budget_is_changed_while_it_is_spent_and_remembered(web: ServedWeb, tmp_path: Path) -> None:
    folder = new_crawl(web, tmp_path / "crawl", pages=0)
    async with running(folder) as at:
        await at.visited(2)
        await at.ask("pause")
        await at.idle()
        pages = at.crawl.progress.pages + 20
        found = await at.ask("budget", pages=pages, seconds=3000)
        assert found.answer == f"The crawl may spend {pages} pages, 3,000 seconds."
        assert found.figures == {"pages": pages, "relevant": 0, "seconds": 3000, "bytes": 0}
        await at.ask("resume")
        assert await at.end() is Health.SPENT
        assert at.crawl.progress.pages == pages
    assert load(folder)[1]["budget"] == {"pages": pages, "relevant": 0, "seconds": 3000.0, "bytes": 0}
    write(folder, "budget", pages=pages + 10)
    async with running(folder) as at:
        assert await at.end() is Health.SPENT
        assert at.crawl.progress.pages == pages + 10
        assert len(at.visits) >= 10
    write(folder, "budget", pages=pages + 15)
    async with running(folder, changes={"budget": {"pages": pages + 12}}) as at:
        assert await at.end() is Health.SPENT
        assert at.crawl.progress.pages == pages + 12
    assert answers(folder)[-1].refused


async def test_a_budget_below_what_was_spent_ends_the_crawl(folder: Path) -> None:
    async with running(folder) as at:
        await at.visited(8)
        found = await at.ask("budget", pages=1)
        assert found.answer == "The crawl may spend 1 page. That is spent already, so it ends."
        assert await at.end() is Health.SPENT


async def test_seeds_are_added_and_those_that_cannot_be_are_counted(web: ServedWeb, tmp_path: Path) -> None:
    first = web.seeds[0]
    folder = new_crawl(web, tmp_path / "crawl", scope={"exclude": ["/forbidden"]})
    topic = replace(read_topic(folder), seeds=(first,))
    write_revision(folder, topic)
    async with running(folder) as at:
        await at.visited(1)
        await at.ask("pause")
        await at.ask("block", host="blocked.example")
        fresh = f"http://{host_of(first)}/never-heard-of"
        found = await at.ask(
            "seeds",
            urls=[fresh, fresh, first, "no address", f"{first}forbidden", "http://blocked.example/"],
        )
        assert found.answer == (
            "1 seed is new, 1 was known already, 3 were refused (not a web address: 1; "
            "excluded by pattern /forbidden: 1; host blocked.example is blocked: 1)."
        )
        assert (found.figures, found.refused) == ({"new": 1, "known": 1, "refused": 3}, False)
        assert (await at.ask("seeds", urls=["ftp://x.example/"])).refused
        await at.ask("resume")
        async with asyncio.timeout(20):
            while fresh not in {visit.url for visit in at.visits}:
                await at.visited(len(at.visits) + 1)


async def test_a_blocked_host_is_left_alone_over_runs_until_it_is_unblocked(folder: Path) -> None:
    async with running(folder) as at:
        await at.visited(20)
        await at.ask("pause")
        await at.idle()
        hosts = [host for host, waiting in at.crawl.frontier.hosts_waiting() if waiting > 5]  # type: ignore[attr-defined]
        host = hosts[0]
        found = await at.ask("block", host=f" HTTP://{host.upper()}/some/page")
        assert found.answer.startswith(f"{host} is blocked; ")
        assert found.figures["waiting"] > 0
        assert (await at.ask("block", host=host)).answer == f"{host} was blocked already."
        assert (await at.ask("block", host="not a host")).refused
        seen = len(at.visits)
        await at.ask("resume")
        await at.visited(seen + 20)
        assert host not in {host_of(visit.url) for visit in at.visits[seen:]}
    (row,) = (row for row in status(folder).parked if row.name == host)
    assert row.parked == "blocked: ada asked for it"
    async with running(folder) as at:
        await at.visited(15)
        await at.ask("pause")
        assert host not in {host_of(visit.url) for visit in at.visits}
        assert (await at.ask("unblock", host="other.example")).refused
        found = await at.ask("unblock", host=host)
        assert found.answer == (
            f"{host} is no longer blocked; {found.figures['waiting']} links there may be followed again."
        )
        await at.ask("resume")
        async with asyncio.timeout(20):
            while host not in {host_of(visit.url) for visit in at.visits}:
                await at.visited(len(at.visits) + 1)


def test_redirects_to_a_blocked_host_are_not_followed(folder: Path) -> None:
    database = connect(folder / "crawl.db")
    frontier = SqliteFrontier(database)
    assemble._check_hop(Scope(), frontier, "http://a.example/", "http://b.example/")
    frontier.block("b.example", "ada asked for it")
    with pytest.raises(Refusal, match="its host is blocked"):
        assemble._check_hop(Scope(), frontier, "http://a.example/", "http://b.example/")
    database.close()


async def test_what_was_asked_while_nothing_ran_is_done_at_the_next_start_unless_it_is_out_of_date(
    web: ServedWeb, tmp_path: Path
) -> None:
    folder = new_crawl(web, tmp_path / "crawl", pages=10)
    host = host_of(web.seeds[0])
    for kind, arguments in (("pause", {}), ("stop", {}), ("block", {"host": host}), ("resume", {})):
        write(folder, kind, **arguments)
    assert status(folder).pending == 4
    async with running(folder) as at:
        await at.end()
        assert host not in {host_of(visit.url) for visit in at.visits}
    assert [(found.kind, found.refused) for found in answers(folder)] == [
        ("pause", True),
        ("stop", True),
        ("block", False),
        ("resume", False),
    ]
    assert status(folder).pending == 0


async def test_rows_that_make_no_sense_are_refused_and_the_crawl_goes_on(folder: Path) -> None:
    with sqlite3.connect(folder / "crawl.db") as database:
        for kind, arguments in (("dance", "{}"), ("block", "{"), ("seeds", '{"urls": [1]}'), ("topic", "[]")):
            database.execute(
                "INSERT INTO requests (at, kind, arguments, asked_by) VALUES (1, ?, ?, 'x')",
                (kind, arguments),
            )
    database.close()
    async with running(folder) as at:
        await at.visited(3)
    assert [(found.refused, bool(found.answer)) for found in answers(folder)] == [(True, True)] * 4


async def test_a_request_that_fails_is_refused_and_the_crawl_goes_on(folder: Path) -> None:
    async with running(folder) as at:
        await at.visited(1)

        def broken(name: str) -> bool:
            if name == "a.example":  # fetches on their way to other hosts ask too
                raise ZeroDivisionError
            return False

        at.crawl.frontier.is_blocked = broken  # type: ignore[attr-defined]
        found = await at.ask("block", host="a.example")
        assert (found.refused, found.answer) == (True, "Something went wrong; crawl.log says what.")
        del at.crawl.frontier.is_blocked  # type: ignore[attr-defined]
        await at.visited(len(at.visits) + 3)
    assert "ZeroDivisionError" in (folder / "crawl.log").read_text()


async def test_requests_are_undone_with_the_transaction_they_were_in(folder: Path) -> None:
    async with running(folder) as at:
        await at.visited(3)
        await at.ask("pause")
        await at.idle()
        commit = at.crawl.store.commit

        def fail() -> None:
            raise sqlite3.OperationalError("killed")

        at.crawl.store.commit = fail  # type: ignore[method-assign]
        number = await asyncio.to_thread(write, folder, "block", host="a.example")
        with pytest.raises(sqlite3.OperationalError):
            await at.end()
        at.task = asyncio.create_task(asyncio.sleep(0))  # type: ignore[arg-type]
        at.crawl.store.connection.execute("ROLLBACK")  # type: ignore[attr-defined]
        at.crawl.store.commit = commit  # type: ignore[method-assign]
    left = answers(folder)[-1]
    assert (left.number, left.answered) == (number, None)
    assert "a.example" not in {row.name for row in status(folder).parked}
    async with running(folder) as at:
        await at.visited(1)
    assert answers(folder)[-1].answer == "a.example is blocked; 0 links that wait there stay where they are."


async def test_a_label_changes_the_order_of_what_waits_within_seconds(folder: Path) -> None:
    async with running(folder) as at:
        await at.visited(30)
        await at.ask("pause")
        await at.idle()
        good, bad = spread_of(at)
        order = [one.url for one in at.crawl.frontier.top(400)]  # type: ignore[attr-defined]
        await at.label({good: False, bad: True})
        lesson = await at.lesson()
        assert (lesson.revision, lesson.labels_on, lesson.labels_off) == (1, 1, 1)
        assert lesson.moved > 0
        assert lesson.harvest_before is not None
        assert lesson.harvest_after is not None
        assert lesson.harvest_before != lesson.harvest_after
        after = [one.url for one in at.crawl.frontier.top(400)]  # type: ignore[attr-defined]
        assert after != order
        assert set(after) == set(order)
        scores = stored_scores(folder)
        assert all(scores[one.url] == one.score for one in at.crawl.frontier.top(50))  # type: ignore[attr-defined]
        await at.label({good: True})
        assert (await at.lesson(2)).moved > 0
        await at.idle()
        seen = len(at.visits)
        await at.ask("resume")
        await at.visited(seen + 5)
        assert revisions_of(at.visits[seen:]) == {"r2"}


def spread_of(at: Running) -> tuple[int, int]:
    """A visit that was judged on topic and one that was not, both with links of their own."""
    judged = [
        (visit.verdict.score, visit.number)
        for visit in at.visits
        if visit.page and len(visit.page.links) > 3 and visit.verdict and "by-" in visit.verdict.judge
    ]
    return max(judged)[1], min(judged)[1]


def revisions_of(visits: Iterable[Visit]) -> set[str]:
    """Which revisions of the judge have judged."""
    return {visit.verdict.judge.split()[-1] for visit in visits if visit.verdict and visit.verdict.judge}


def stored_scores(folder: Path) -> dict[str, float]:
    reader = connect(folder / "crawl.db", readonly=True)
    try:
        return dict(reader.execute("SELECT url, score FROM urls WHERE state = 'waiting'"))
    finally:
        reader.close()


async def test_a_new_revision_of_the_topic_is_adopted_with_its_seeds_and_what_changed_is_told(
    web: ServedWeb, folder: Path
) -> None:
    seed = f"http://{host_of(web.seeds[0])}/new-seed"
    async with running(folder) as at:
        await at.visited(25)
        await at.ask("pause")
        _, bad = spread_of(at)
        await at.label({bad: True})
        await at.lesson()
        topic = replace(read_topic(folder), name="cooking recipes", seeds=(*web.seeds, seed))
        number = write_revision(folder, topic, "another topic")
        found = await at.ask("topic", revision=number)
        assert not found.refused
        assert found.answer.startswith("The crawl goes by revision 2 of the topic. Harvest estimate ")
        assert found.figures["revision"] == 2
        assert (found.figures["labels_on"], found.figures["labels_off"]) == (1, 0)
        assert found.figures["moved"] > 0
        assert at.crawl.frontier.knows(seed) is not None  # type: ignore[attr-defined]
        assert (await at.ask("topic", revision=2)).answer == "The crawl goes by revision 2 of the topic."
        assert (await at.ask("topic", revision=1)).answer == "Revision 1 has been replaced by revision 2."
        assert (await at.ask("topic", revision=9)).answer == "There is no revision 9 of the topic."
        await at.ask("resume")
        await at.visited(len(at.visits) + 3)
    async with running(folder) as at:  # nothing is learned again
        await at.visited(3)
        assert revisions_of(at.visits) == {"r2"}


async def test_a_revision_that_no_judge_can_be_fitted_to_is_refused_and_does_not_stay_the_newest(
    folder: Path,
) -> None:
    async with running(folder) as at:
        await at.visited(3)
        await at.ask("pause")
        first = read_topic(folder)
        unfit = replace(first, keywords=("unfit",))
        visit = next(visit for visit in at.visits if visit.page)
        await at.label({visit.number: False})
        await at.lesson()
        number = write_revision(folder, unfit)
        found = await at.ask("topic", revision=number)
        assert (found.refused, found.answer) == (
            True,
            "Revision 2 of the topic cannot be used: Off-topic examples are too much for this judge.",
        )
        await at.ask("resume")
        await at.visited(len(at.visits) + 2)
    assert read_topic(folder) == first
    assert history(folder)[-1].note.startswith("Revision 2 could not be used: Off-topic")


class Telling(Strategy):
    """Keeps what it thinks of pages: links of a page are worth what the page is."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Verdict]] = []
        self.links: dict[str, list[str]] = {}
        self.fresh: dict[str, float] = {}

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.verdict is None:
            return ()
        score = visit.verdict.score
        self.links[visit.url] = [link.url for link in visit.page.links]
        return [Candidate(link, score, parts={"page": score}) for link in visit.page.links]

    def rejudged(self, verdicts: Iterable[tuple[str, Verdict]]) -> None:
        for url, verdict in verdicts:
            self.told.append((url, verdict))
            self.fresh |= dict.fromkeys(self.links[url], 5.0 + verdict.score)

    def changes(self) -> Iterable[tuple[str, float]]:
        fresh, self.fresh = self.fresh, {}
        return fresh.items()

    def state(self) -> dict[str, Any]:
        return {"told": len(self.told)}


async def test_a_strategy_that_keeps_pages_is_told_what_they_are_worth_by_now(
    web: ServedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(assemble.STRATEGIES, "telling", "test_steering:Telling")
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    folder = new_crawl(web, tmp_path / "crawl", strategy={"use": "telling"})
    async with running(folder) as at:
        await at.visited(15)
        await at.ask("pause")
        good, bad = spread_of(at)
        await at.label({good: False, bad: True})
        lesson = await at.lesson()
        strategy = at.crawl.strategy
        urls = {visit.number: visit.url for visit in at.visits}
        told = dict(strategy.told)  # type: ignore[attr-defined]
        assert {urls[good], urls[bad]} <= set(told) <= set(urls.values())
        assert {verdict.judge.split()[-1] for verdict in told.values()} == {"r1"}
        assert lesson.moved > 0
        assert all(one.score > 5 for one in at.crawl.frontier.top(5))  # type: ignore[attr-defined]
        reader = connect(folder / "crawl.db", readonly=True)
        assert (read_state(reader, "strategy") or (0, {}))[1]["learned"] == {"told": len(told)}
        reader.close()
