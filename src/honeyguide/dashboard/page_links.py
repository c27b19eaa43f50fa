"""The links of one page: where it leads to and what was thought of that, and which pages lead to it."""

import json
import sqlite3

from pydantic import BaseModel, Field

from honeyguide.dashboard.legible import legible
from honeyguide.dashboard.links import LinkReader
from honeyguide.urls import url_hash

MOST_OUT = 500
MOST_IN = 200
MOST_COUNTED = 10_000

TARGETS = """
SELECT u.id, u.url, u.state, u.score, u.depth = 0, u.reason, v.id, v.title, v.relevance, v.relevant,
    v.error, v.queue_score
FROM urls u LEFT JOIN visits v
    ON v.id = (SELECT MAX(w.id) FROM visits w WHERE w.url = u.id AND w.unchanged = 0)
WHERE u.id IN (SELECT value FROM json_each(?))
"""
SOURCES = """
SELECT l.rowid, l.anchor, l.place, v.id, u.url, v.title, v.relevance, v.relevant
FROM links l JOIN visits v ON v.id = l.visit JOIN urls u ON u.id = v.url
WHERE l.rowid IN (SELECT value FROM json_each(?)) ORDER BY l.rowid
"""


class LinkOut(BaseModel):
    """A link of the page, and what became of where it leads."""

    url: str
    anchor: str
    place: str
    state: str = Field(description="visited, waiting, refused, alias, or unknown while URLs are being read.")
    reason: str
    score: float | None
    seed: bool
    visit: int | None
    title: str
    relevance: float | None
    relevant: bool
    error: str


class LinkIn(BaseModel):
    """A visited page that links to this one."""

    visit: int
    url: str
    title: str
    anchor: str
    place: str
    relevance: float | None
    relevant: bool


class PageLinks(BaseModel):
    """The links of a page as far as they are read: `read` of `total` rows were looked through."""

    links_out: list[LinkOut]
    links_in: list[LinkIn]
    count_out: int
    count_in: int
    more_in: bool = Field(description="Whether there are more than were counted.")
    read: int
    total: int


def links_of(connection: sqlite3.Connection, links: LinkReader, visit: int, url: int) -> PageLinks:
    """The links of the page that a visit saw at a URL, by their numbers."""
    first, targets = links.out_of(visit)
    row = connection.execute(
        "SELECT u.hash, u.url, v.final FROM visits v JOIN urls u ON u.id = v.url WHERE v.id = ?", (visit,)
    ).fetchone()
    own = {row[0]}
    if row[2] and row[2] != row[1]:
        own.add(url_hash(row[2]))
    rows, visits, _ = links.into(own, most=MOST_COUNTED + 1)
    from_others = rows[visits != visit]
    return PageLinks(
        links_out=_out(connection, links, first, targets[:MOST_OUT].tolist()),
        links_in=_into(connection, (from_others[:MOST_IN] + 1).tolist()),
        count_out=len(targets),
        count_in=min(len(from_others), MOST_COUNTED),
        more_in=len(rows) > MOST_COUNTED,
        read=links.read,
        total=links.total,
    )


def _out(connection: sqlite3.Connection, links: LinkReader, first: int, targets: list[int]) -> list[LinkOut]:
    numbers = links.url_numbers(targets)
    known = {row[0]: row[1:] for row in connection.execute(TARGETS, (json.dumps(list(numbers.values())),))}
    # Rows of the table are counted from 1.
    said = connection.execute(
        "SELECT anchor, place FROM links WHERE rowid > ? AND rowid <= ? ORDER BY rowid",
        (first, first + len(targets)),
    ).fetchall()
    found: list[LinkOut] = []
    for target, (anchor, place) in zip(targets, said, strict=False):
        url, state, score, seed, reason, visit, title, relevance, relevant, error, taken = known.get(
            numbers.get(target, 0), ("", "unknown", None, 0, "", None, "", None, 0, None, None)
        )
        found.append(
            LinkOut(
                url=url,
                anchor=legible(anchor, 200),
                place=place,
                state=state,
                reason=legible(reason, 200),
                score=score if taken is None else taken,
                seed=bool(seed),
                visit=visit,
                title=legible(title or "", 200),
                relevance=relevance,
                relevant=bool(relevant),
                error=error or "",
            )
        )
    return found


def _into(connection: sqlite3.Connection, rows: list[int]) -> list[LinkIn]:
    return [
        LinkIn(
            visit=visit,
            url=url,
            title=legible(title, 200),
            anchor=legible(anchor, 200),
            place=place,
            relevance=relevance,
            relevant=bool(relevant),
        )
        for _, anchor, place, visit, url, title, relevance, relevant in connection.execute(
            SOURCES, (json.dumps(rows),)
        )
    ]
