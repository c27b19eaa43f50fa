"""How a crawl stands, read from its database."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honeyguide.health import SENTENCES, Health
from honeyguide.store.folder import is_being_written
from honeyguide.store.requests import Kind, has_requests, read_requests

SATURATION_WINDOW = 500
WINDOWS = 20
STANDING = "id IN (SELECT MAX(id) FROM visits WHERE unchanged = 0 GROUP BY url)"
"""The newest visit of every URL that brought something: a page seen again counts once."""
SECONDS = """
SELECT COALESCE(SUM(COALESCE(ended, (SELECT MAX(at) FROM visits WHERE at >= started), started) - started), 0) FROM runs
"""
"""How long all runs took; one that was killed lasted until its last visit."""


@dataclass(frozen=True, slots=True)
class HostRow:
    """What became of the requests to one host."""

    name: str
    visits: int
    relevant: int
    failures: int
    waiting: int
    parked: str


@dataclass(frozen=True, slots=True)
class Status:
    """A crawl in figures."""

    health: Health
    sentence: str
    visits: int
    pages: int
    relevant: int
    duplicates: int
    waiting: int
    refused: int
    bytes: int
    seconds: float
    harvest_over_time: tuple[tuple[int, float], ...]
    hosts: tuple[HostRow, ...]
    host_count: int
    errors: tuple[tuple[str, int], ...]
    refusals: tuple[tuple[str, int], ...]
    parked: tuple[HostRow, ...]
    pending: int = 0
    """Requests that the crawl has not answered yet."""

    @property
    def harvest(self) -> float:
        return self.relevant / self.pages if self.pages else 0.0


def read_status(connection: sqlite3.Connection, folder: Path, *, top: int = 10) -> Status:
    """The figures of a crawl, whether it runs or not."""

    def one(sql: str) -> tuple[Any, ...]:
        row: tuple[Any, ...] = connection.execute(sql).fetchone()
        return row

    visits, pages, relevant, duplicates, size = one(
        "SELECT (SELECT COUNT(*) FROM visits), SUM(status > 0), SUM(relevant), SUM(duplicate_of != '' AND status > 0), "
        f"(SELECT SUM(wire) FROM visits) FROM visits WHERE {STANDING}"
    )
    waiting, refused = one("SELECT SUM(state = 'waiting'), SUM(state = 'refused') FROM urls")
    hosts = _hosts(connection, top, "h.visits > 0 ORDER BY h.relevant DESC, h.visits DESC")
    health, sentence = read_health(connection, folder, pages or 0)
    return Status(
        health=health,
        sentence=sentence,
        visits=visits,
        pages=pages or 0,
        relevant=relevant or 0,
        duplicates=duplicates or 0,
        waiting=waiting or 0,
        refused=refused or 0,
        bytes=size or 0,
        seconds=one(SECONDS)[0],
        harvest_over_time=_harvest(connection, pages or 0),
        hosts=hosts,
        host_count=one("SELECT COUNT(*) FROM hosts WHERE visits > 0")[0],
        errors=tuple(
            connection.execute(
                "SELECT CASE WHEN error = 'status' THEN 'status ' || status ELSE error END AS kind, COUNT(*) "
                "FROM visits WHERE error IS NOT NULL GROUP BY kind ORDER BY COUNT(*) DESC, kind"
            )
        ),
        refusals=tuple(
            connection.execute(
                "SELECT reason, COUNT(*) FROM urls WHERE state = 'refused' "
                "GROUP BY reason ORDER BY COUNT(*) DESC, reason LIMIT ?",
                (top,),
            )
        ),
        parked=_hosts(connection, top, "h.parked != '' ORDER BY h.name"),
        pending=len(read_requests(connection, pending=True)),
    )


def _hosts(connection: sqlite3.Connection, top: int, condition: str) -> tuple[HostRow, ...]:
    rows = connection.execute(
        "SELECT h.name, h.visits, h.relevant, h.failures, COALESCE(w.waiting, 0), h.parked FROM hosts h "
        "LEFT JOIN (SELECT host, COUNT(*) AS waiting FROM urls WHERE state = 'waiting' GROUP BY host) w "
        f"ON w.host = h.id WHERE {condition} LIMIT ?",
        (top,),
    )
    return tuple(HostRow(*row) for row in rows)


def _harvest(connection: sqlite3.Connection, pages: int) -> tuple[tuple[int, float], ...]:
    """The share of relevant pages in up to twenty stretches of the crawl, with the page each ends at."""
    if not pages:
        return ()
    size = max(1, -(-pages // WINDOWS))
    rows = connection.execute(
        "SELECT (n - 1) / ?, MAX(n), AVG(relevant) FROM "
        "(SELECT relevant, ROW_NUMBER() OVER (ORDER BY id) AS n FROM visits "
        f"WHERE status > 0 AND {STANDING}) GROUP BY 1 ORDER BY 1",
        (size,),
    )
    return tuple((end, share) for _, end, share in rows)


def read_health(connection: sqlite3.Connection, folder: Path, pages: int) -> tuple[Health, str]:
    """How a crawl is doing, in one word and in a sentence."""
    row = connection.execute("SELECT outcome, started FROM runs ORDER BY id DESC LIMIT 1").fetchone()
    outcome, started = (Health(row[0]), row[1]) if row else (Health.INTERRUPTED, 0.0)
    if outcome in (Health.RUNNING, Health.PAUSED) and not is_being_written(folder):
        outcome = Health.INTERRUPTED
    sentence = _asked_for(connection, outcome, started) or SENTENCES[outcome]
    recent = connection.execute(
        "SELECT SUM(relevant) FROM "
        "(SELECT relevant FROM visits WHERE status > 0 AND unchanged = 0 ORDER BY id DESC LIMIT ?)",
        (SATURATION_WINDOW,),
    ).fetchone()[0]
    if (
        pages >= SATURATION_WINDOW
        and not recent
        and outcome in (Health.RUNNING, Health.SPENT, Health.INTERRUPTED)
    ):
        sentence += f" It is saturated: the last {SATURATION_WINDOW} pages brought nothing on topic."
    return outcome, sentence


def _asked_for(connection: sqlite3.Connection, outcome: Health, started: float) -> str:
    """Who has paused or stopped the crawl, in a sentence; "" if nobody has."""
    asked = {Health.PAUSED: (Kind.PAUSE, Kind.RESUME), Health.INTERRUPTED: (Kind.STOP, Kind.STOP)}.get(
        outcome
    )
    if asked is None or not has_requests(connection):
        return ""
    row = connection.execute(
        "SELECT kind, asked_by FROM requests WHERE kind IN (?, ?) AND answered >= ? AND NOT refused "
        "ORDER BY id DESC LIMIT 1",
        (*asked, started),
    ).fetchone()
    if row is None or row[0] != asked[0]:
        return ""
    who = row[1] or "Somebody"
    if outcome is Health.PAUSED:
        return f"{who} has paused the crawl; it goes on when somebody asks for it."
    return f"{who} has stopped the crawl before its end; it can be resumed."
