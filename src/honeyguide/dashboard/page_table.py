"""The table of pages: any order and choice of a million visits, a few rows at a time.

Choosing and sorting is done on the columns; only the rows that are shown are read from the database. Words are
looked for in the titles and addresses of the rows in their order, for a fraction of a second: the table says how far
it looked and goes on from there. Whoever looks for words in all pages has the search for it.
"""

import csv
import io
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from honeyguide.dashboard.choosing import Choice, Sort, choose, ordered
from honeyguide.dashboard.columns import Columns
from honeyguide.dashboard.crawls import CrawlAtHand
from honeyguide.dashboard.legible import legible
from honeyguide.dashboard.visit_columns import Rows
from honeyguide.store.export import defused
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect

SCANNED_AT_ONCE = 1000
FIRST_ROWS = 50
PATIENCE = 0.12
"""Seconds that words are looked for before the table is shown as far as it is."""

SHOWN_ROWS = """
SELECT v.id, u.url, h.name, v.title, v.relevance, v.relevant, v.language, v.content_type, v.status,
    COALESCE(v.error, ''), v.detail, v.at, v.queue_score, v.length, v.words, v.duplicate_of != '', v.unchanged, u.depth
FROM visits v JOIN urls u ON u.id = v.url JOIN hosts h ON h.id = u.host
WHERE v.id IN (SELECT value FROM json_each(?))
"""
SAID = """
SELECT v.id, v.title, u.url FROM visits v JOIN urls u ON u.id = v.url
WHERE v.id IN (SELECT value FROM json_each(?))
"""


def _or_nothing(value: Any) -> Any:
    return None if value == "" else value


def _utc(value: datetime | None) -> float | None:
    return None if value is None else (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()


Word = Annotated[Annotated[str, Field(max_length=300)] | None, BeforeValidator(_or_nothing)]
Share = Annotated[
    Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None, BeforeValidator(_or_nothing)
]
Moment = Annotated[datetime | None, BeforeValidator(_or_nothing)]


class PageQuery(BaseModel):
    """Which pages, in which order; an empty value does not matter."""

    model_config = ConfigDict(extra="ignore")

    sort: Sort = "time"
    order: Literal["asc", "desc"] = "desc"
    host: Word = Field(None, description="The name of a host.")
    language: Word = Field(None, description='A language\'s code, or "none".')
    type: Word = Field(None, description='A media type such as text/html, or "none".')
    error: Word = Field(None, description='A kind of failure, "any" of them, or "none".')
    relevant: Literal["", "yes", "no"] = ""
    min_relevance: Share = None
    max_relevance: Share = None
    since: Moment = Field(None, description="A date and time, of UTC unless it says otherwise.")
    until: Moment = None
    text: Word = Field(None, description="Words in the title or the address.")
    every: Literal["", "1"] = Field("", description="1 takes in visits that a later one has replaced.")

    def as_query(self) -> dict[str, str]:
        """What is not as it is by default, for an address."""
        said = self.model_dump(mode="json", exclude_defaults=True)
        return {name: str(value) for name, value in said.items() if value not in (None, "")}


class PageRow(BaseModel):
    """One visit of the table."""

    visit: int
    url: str
    host: str
    title: str
    relevance: float | None
    relevant: bool
    language: str
    type: str
    status: int
    error: str
    detail: str
    at: float
    queue_score: float
    length: int
    words: int
    duplicate: bool
    unchanged: bool
    depth: int


class PageList(BaseModel):
    """Some rows of the table; `next` is the offset to go on from, if there is more."""

    rows: list[PageRow]
    matching: int = Field(description="Visits that fit everything but the words.")
    looked: int = Field(description="How many of them were looked through, when words are asked for.")
    next: int | None
    read: int = Field(description="Visits of the crawl that are read so far.")
    total: int


def find_pages(
    crawl: CrawlAtHand,
    query: PageQuery,
    offset: int,
    limit: int,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> PageList:
    """Rows of the table from an offset on."""
    columns = crawl.columns()
    with _reading(crawl) as connection:
        first = None if query.text else offset + limit
        rows, matching = _chosen(crawl, columns, connection, query, first)
        rows = rows[offset:first]
        if query.text:
            deadline = clock() + PATIENCE
            rows, looked = _saying(connection, columns, rows, query.text, limit, lambda: clock() < deadline)
        else:
            looked = len(rows)
        end = offset + looked
        return PageList(
            rows=list(_read_rows(connection, columns.visit[rows].tolist())),
            matching=matching,
            looked=end if query.text else matching,
            next=end if end < matching and looked else None,
            read=columns.read,
            total=columns.total,
        )


def _chosen(
    crawl: CrawlAtHand,
    columns: Columns,
    connection: sqlite3.Connection,
    query: PageQuery,
    first: int | None,
) -> tuple[Rows, int]:
    """The rows in their order, and how many there are if only the first are wanted."""
    host: int | None = None
    if query.host:
        found = connection.execute(
            "SELECT id FROM hosts WHERE name = ?", (query.host.strip().lower(),)
        ).fetchone()
        host = found[0] if found else -1
    choice = Choice(
        host=host,
        language=query.language,
        type=query.type,
        error=query.error,
        relevant={"yes": True, "no": False}.get(query.relevant),
        min_relevance=query.min_relevance,
        max_relevance=query.max_relevance,
        since=_utc(query.since),
        until=_utc(query.until),
        every=query.every == "1",
    )
    descending = query.order == "desc"
    key = (choice, query.sort, descending)
    if (known := columns.orders.get(key)) is not None:
        return known, len(known)
    rows = choose(columns, choice)
    ranks = crawl.shelf.host_ranks(crawl.folder) if query.sort == "host" else None
    # The first rows come quickly; whoever asks for more will ask for still more.
    at_once = first if first is not None and first <= FIRST_ROWS else None
    in_order = ordered(columns, rows, query.sort, descending=descending, first=at_once, ranks=ranks)
    if at_once is None:
        columns.remember(key, in_order)
    return in_order, len(rows)


def _saying(
    connection: sqlite3.Connection,
    columns: Columns,
    rows: Rows,
    text: str,
    limit: int,
    go_on: Callable[[], bool],
) -> tuple[Rows, int]:
    """The first rows whose title or address has all these words, and how many were looked through."""
    words = text.casefold().split()
    found: list[int] = []
    looked = 0
    while looked < len(rows) and len(found) < limit and (not looked or go_on()):
        some = rows[looked : looked + SCANNED_AT_ONCE]
        visits = columns.visit[some].tolist()
        said = {
            visit: f"{title}\n{url}".casefold()
            for visit, title, url in connection.execute(SAID, (json.dumps(visits),))
        }
        for row, visit in zip(some.tolist(), visits, strict=True):
            looked += 1
            if all(word in said.get(visit, "") for word in words):
                found.append(row)
                if len(found) == limit:
                    break
    return np.array(found, np.intp), looked


def _read_rows(connection: sqlite3.Connection, visits: Sequence[int]) -> Iterator[PageRow]:
    by_visit = {row[0]: row for row in connection.execute(SHOWN_ROWS, (json.dumps(visits),))}
    for visit in visits:
        if row := by_visit.get(visit):
            values = dict(zip(PageRow.model_fields, row, strict=True))
            yield PageRow(
                **values
                | {
                    "title": legible(values["title"], 300),
                    "detail": legible(values["detail"], 300),
                    "language": legible(values["language"], 20),
                    "type": legible(values["type"], 60),
                }
            )


def csv_lines(crawl: CrawlAtHand, query: PageQuery) -> Iterator[str]:
    """All rows of the table as CSV, a thousand at a time."""
    columns = crawl.columns()
    with _reading(crawl) as connection:
        rows, _ = _chosen(crawl, columns, connection, query, None)
    yield _csv([PageRow.model_fields])
    for start in range(0, len(rows), SCANNED_AT_ONCE):
        some = rows[start : start + SCANNED_AT_ONCE]
        # Each part may be asked for by another thread, and a connection belongs to one.
        with _reading(crawl) as connection:
            if query.text:
                some, _ = _saying(connection, columns, some, query.text, len(some), lambda: True)
            text = _csv(map(_cells, _read_rows(connection, columns.visit[some].tolist())))
        yield text


def _cells(row: PageRow) -> Iterator[object]:
    for name, value in row.model_dump().items():
        if name == "at":
            yield datetime.fromtimestamp(value, UTC).isoformat(timespec="seconds")
        else:
            yield "" if value is None else int(value) if isinstance(value, bool) else defused(value)


def _csv(rows: Iterable[Iterable[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


@contextmanager
def _reading(crawl: CrawlAtHand) -> Iterator[sqlite3.Connection]:
    connection = connect(crawl.folder / DATABASE, readonly=True)
    try:
        yield connection
    finally:
        connection.close()
