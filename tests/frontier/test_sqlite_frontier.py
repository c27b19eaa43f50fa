import asyncio
import sqlite3
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honeyguide.errors import ErrorKind
from honeyguide.frontier.sqlite import SqliteFrontier, SqliteShelf
from honeyguide.model import Candidate, Hop, Link, Response, Visit
from honeyguide.store.schema import connect
from honeyguide.store.sqlite import SqliteStore
from honeyguide.store.warc import Archive

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = connect(tmp_path / "crawl.db")
    yield opened
    opened.close()


def candidate(url: str, score: float = 0.5, **more: Any) -> Candidate:
    return Candidate(Link(url), score, **more)


def success(one: Candidate) -> Visit:
    return Visit(one, Response(one.url, 200), status=200)


async def pop(frontier: SqliteFrontier) -> Candidate:
    one = await asyncio.wait_for(frontier.pop(), 5)
    assert one is not None
    return one


def column(connection: sqlite3.Connection, sql: str) -> list[Any]:
    return [row[0] for row in connection.execute(sql)]


async def test_what_was_in_flight_at_a_crash_waits_when_opened_again(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection)
    frontier.push([candidate(A, 0.9), candidate(B, 0.1)])
    await pop(frontier)
    again = SqliteFrontier(connection)
    assert len(again) == 2
    assert (await pop(again)).url == A


async def test_popping_writes_nothing(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection)
    frontier.push([candidate(A), candidate(B)])
    before = connection.total_changes
    await pop(frontier)
    assert connection.total_changes == before


async def test_it_writes_into_the_open_transaction_and_never_ends_it(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN")
    frontier = SqliteFrontier(connection)
    frontier.push([candidate(A), candidate(B)])
    frontier.done(success(await pop(frontier)))
    frontier.retry(await pop(frontier))
    frontier.refuse(Link(C), "no")
    assert connection.in_transaction
    connection.execute("ROLLBACK")
    assert column(connection, "SELECT COUNT(*) FROM urls") == [0]
    assert len(SqliteFrontier(connection)) == 0


async def test_attempts_outlive_a_crash(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, tries=2)
    frontier.push([candidate(A)])
    assert frontier.retry(await pop(frontier))
    again = SqliteFrontier(connection, tries=2)
    assert not again.retry(await pop(again))


async def test_failures_in_a_row_and_parked_hosts_outlive_a_crash(connection: sqlite3.Connection) -> None:
    for _ in range(3):
        frontier = SqliteFrontier(connection, park_after=3)
        frontier.push([candidate(f"{A}{number}") for number in range(5)])
        frontier.done(Visit(await pop(frontier), error=ErrorKind.TIMEOUT))
    again = SqliteFrontier(connection, park_after=3)
    assert again.parked() == [("a.example", "failing: 3 times in a row, last: timeout", 2)]
    assert await again.pop() is None


async def test_counters_of_hosts_are_kept(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection)
    frontier.push([candidate("https://www.a.example/1"), candidate("https://www.a.example/2")])
    frontier.done(success(await pop(frontier)))
    frontier.done(Visit(await pop(frontier), error=ErrorKind.STATUS, status=404))
    rows = connection.execute("SELECT name, domain, visits, relevant, failures, streak FROM hosts").fetchall()
    assert rows == [("www.a.example", "a.example", 2, 0, 1, 0)]


async def test_a_cap_counts_what_earlier_runs_visited(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, host_cap=2)
    frontier.push([candidate(f"{A}{number}") for number in range(4)])
    frontier.done(success(await pop(frontier)))
    again = SqliteFrontier(connection, host_cap=2)
    again.done(success(await pop(again)))
    assert await again.pop() is None
    assert column(connection, "SELECT parked FROM hosts") == ["cap: 2 pages"]


async def test_a_cap_may_be_changed_between_runs(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, domain_cap=1)
    frontier.push([candidate(f"{A}{number}") for number in range(4)])
    frontier.done(success(await pop(frontier)))
    assert await frontier.pop() is None
    assert (await pop(SqliteFrontier(connection, domain_cap=2))).url == A + "1"
    assert await SqliteFrontier(connection, host_cap=1).pop() is None
    assert (await pop(SqliteFrontier(connection))).url == A + "1"


async def test_revisions_come_as_if_there_had_been_no_crash(
    connection: sqlite3.Connection, tmp_path: Path
) -> None:
    revised: list[int] = []

    def revise(candidates: Sequence[Candidate]) -> None:
        revised.append(len(candidates))

    for number, status in enumerate((200, 0, 404, 200, 304, 200)):
        frontier = SqliteFrontier(connection, revise=revise, revise_every=2)
        frontier.push([candidate(f"{A}{number}"), candidate(B)])
        one = await pop(frontier)
        visit = Visit(one, status=status)
        SqliteStore(connection, Archive(tmp_path), frontier.id_of).save(visit)
        frontier.done(visit)
    assert len(revised) == 2


async def test_the_first_score_is_kept_when_the_score_changes(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, revise=lambda candidates: [9.0] * len(candidates))
    frontier.push([candidate(A, 0.1, parts={"anchor": 0.1}), candidate(B, 0.2)])
    frontier.push([candidate(A, 0.5, parts={"anchor": 0.5})])
    frontier.push([candidate(A, 0.7, parts={"anchor": 0.7})])
    frontier.rescore(everything=True)
    rows = connection.execute("SELECT score, parts, first_score, first_parts FROM urls").fetchall()
    assert rows == [(9.0, '{"anchor":0.7}', 0.1, '{"anchor":0.1}'), (9.0, None, 0.2, None)]


async def test_a_row_is_rewritten_only_if_something_differs(connection: sqlite3.Connection) -> None:
    for combine in (None, lambda waiting, found: waiting):
        frontier = SqliteFrontier(connection, combine=combine)
        frontier.push([candidate(A)])
        before = connection.total_changes
        frontier.push([candidate(A, 0.4), candidate(A, 0.5)])
        assert connection.total_changes == before


async def test_aliases_name_the_page_they_led_to_as_their_source(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection)
    frontier.push([candidate(A, 0.9), candidate(C, 0.1)])
    hops = (Hop(A, 301, B), Hop(B, 301, C))
    frontier.done(Visit(await pop(frontier), Response(C, 200, hops=hops), status=200))
    rows = connection.execute("SELECT url, state, source FROM urls ORDER BY id").fetchall()
    assert rows == [(A, "visited", None), (C, "alias", 1), (B, "alias", 1)]


async def test_a_refusal_is_stored_with_its_reason(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection)
    frontier.push([candidate(A)])
    frontier.refuse(Link(B, A, "anchor"), "out of scope", 4)
    row = connection.execute("SELECT state, reason, depth, source, anchor FROM urls WHERE id = 2").fetchone()
    assert row == ("refused", "out of scope", 4, 1, "anchor")
    assert SqliteFrontier(connection).knows(B) == "refused"


async def test_broken_characters_do_not_stop_a_crawl(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection)
    links = [Link(A, anchor="fine"), Link(B, anchor="half \ud83d a pair"), Link(C, anchor="nul \0 byte")]
    frontier.push([Candidate(link, 0.5, memo={"text": "\udc00"}) for link in links])
    frontier.push([Candidate(Link(A, anchor="\ud83d"), 0.9)])
    popped = [await pop(frontier) for _ in range(3)]
    assert [one.link.anchor for one in popped] == ["?", "half ? a pair", "nul \0 byte"]
    assert popped[1].memo == {"text": "\udc00"}


async def test_memos_may_hold_what_numpy_makes(connection: sqlite3.Connection) -> None:
    memo = types.MappingProxyType({"margin": np.float32(0.5), "path": [np.int64(3)]})
    frontier = SqliteFrontier(connection)
    frontier.push(
        [Candidate(Link(A), 0.5, memo=memo, parts={"x": np.float64(0.25)}), candidate(B, 0.4, memo={})]
    )
    first, second = await pop(frontier), await pop(frontier)
    assert (first.memo, first.parts) == ({"margin": 0.5, "path": [3]}, {"x": 0.25})
    assert second.memo == {}


async def test_a_candidate_that_cannot_be_stored_leaves_the_frontier_sound(
    connection: sqlite3.Connection,
) -> None:
    frontier = SqliteFrontier(connection)
    with pytest.raises(TypeError, match="plain JSON"):
        frontier.push([candidate(A), candidate(B, memo={"thing": object()})])
    assert len(frontier) == 0
    assert frontier.push([candidate(A), candidate(B)]) == 2
    assert (await pop(frontier)).url == A


class PiecemealFrontier(SqliteFrontier):
    """Reads its rows in many small chunks, as if there were millions."""

    def _open(self, where: sqlite3.Connection | None) -> SqliteShelf:
        assert where is not None
        return SqliteShelf(where, chunk=300)


@pytest.mark.parametrize("in_memory", [1, 1_000_000])
async def test_a_large_crawl_opens_with_everything_in_place(
    connection: sqlite3.Connection, in_memory: int
) -> None:
    urls = [f"https://h{number % 50}.example/{number}" for number in range(3000)]
    connection.execute("BEGIN")
    frontier = SqliteFrontier(connection, in_memory=in_memory)
    frontier.push(candidate(url, (index * 7919) % 1000) for index, url in enumerate(urls))
    for _ in range(500):
        frontier.done(success(await pop(frontier)))
    again = PiecemealFrontier(connection, in_memory=in_memory)
    assert len(again) == 2500
    assert sum(again.visited(url) for url in urls) == 500
    assert [again.id_of(url) for url in urls] == list(range(1, 3001))
    assert again.push(candidate(url, -1.0) for url in urls) == 0
    assert again.hosts_waiting() == frontier.hosts_waiting()
    ours = [(await pop(frontier)).url for _ in range(2500)]
    assert [(await pop(again)).url for _ in range(2500)] == ours
