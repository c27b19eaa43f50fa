"""Why a crawl went to a page, or did not."""

import json
import sqlite3
from dataclasses import dataclass

from honeyguide.errors import CrawlError
from honeyguide.store.schema import UrlState
from honeyguide.urls import url_hash

MAX_STEPS = 1000


@dataclass(frozen=True, slots=True)
class Step:
    """One link on the path from a seed."""

    url: str
    anchor: str
    context: str
    place: str
    origin: str
    relevance: float | None


@dataclass(frozen=True, slots=True)
class Scoring:
    """A score and the parts it was made of."""

    score: float
    parts: dict[str, float]


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything a crawl knows about one URL."""

    url: str
    state: UrlState
    reason: str
    alias_of: str
    depth: int
    path: tuple[Step, ...]
    queued: Scoring
    taken: Scoring | None
    visit: dict[str, object] | None
    reasons: tuple[tuple[str, float], ...]
    linked_from: int
    ahead: int


def explain(connection: sqlite3.Connection, url: str) -> Answer:
    """How a URL was found, what was thought of it, and what came of it."""
    connection.row_factory = sqlite3.Row
    row = connection.execute("SELECT * FROM urls WHERE hash = ? AND url = ?", (url_hash(url), url)).fetchone()
    if row is None:
        raise CrawlError(f"The crawl has never seen a link to {url}.")
    visit = connection.execute(
        "SELECT * FROM visits WHERE url = ? ORDER BY id DESC LIMIT 1", (row["id"],)
    ).fetchone()
    state = UrlState(row["state"])
    path = _path(connection, row)
    first = row["first_score"] is not None
    return Answer(
        url=url,
        state=state,
        reason=row["reason"] or _host_reason(connection, row),
        alias_of=path[-2].url if state is UrlState.ALIAS and len(path) > 1 else "",
        depth=row["depth"],
        path=path,
        queued=Scoring(
            row["first_score"] if first else row["score"],
            _parts(row["first_parts"] if first else row["parts"]),
        ),
        taken=Scoring(visit["queue_score"], _parts(visit["queue_parts"])) if visit else None,
        visit=dict(visit) if visit else None,
        reasons=tuple((what, amount) for what, amount in json.loads(visit["reasons"]))
        if visit and visit["reasons"]
        else (),
        linked_from=connection.execute(
            "SELECT COUNT(DISTINCT visit) FROM links WHERE target = ?", (row["hash"],)
        ).fetchone()[0],
        ahead=connection.execute(
            "SELECT COUNT(*) FROM urls WHERE state = 'waiting' AND score > ?", (row["score"],)
        ).fetchone()[0],
    )


def _path(connection: sqlite3.Connection, row: sqlite3.Row) -> tuple[Step, ...]:
    """The links that led here, from the seed on."""
    steps: list[Step] = []
    seen: set[int] = set()
    current: sqlite3.Row | None = row
    while current is not None and current["id"] not in seen and len(steps) < MAX_STEPS:
        seen.add(current["id"])
        visit = connection.execute(
            "SELECT relevance FROM visits WHERE url = ? ORDER BY id DESC LIMIT 1", (current["id"],)
        ).fetchone()
        steps.append(
            Step(
                current["url"],
                current["anchor"],
                current["context"],
                current["place"],
                current["origin"],
                visit["relevance"] if visit else None,
            )
        )
        current = connection.execute("SELECT * FROM urls WHERE id = ?", (current["source"],)).fetchone()
    return tuple(reversed(steps))


def _host_reason(connection: sqlite3.Connection, row: sqlite3.Row) -> str:
    parked = connection.execute("SELECT parked FROM hosts WHERE id = ?", (row["host"],)).fetchone()
    return (
        f"its host is parked: {parked[0]}"
        if parked and parked[0] and row["state"] == UrlState.WAITING
        else ""
    )


def _parts(text: str | None) -> dict[str, float]:
    return json.loads(text) if text else {}
