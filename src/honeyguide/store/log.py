"""The visits of a crawl, read back: pages are parsed again from the archive, nothing is fetched."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from honeyguide.errors import ErrorKind, PageError
from honeyguide.model import Candidate, Link, Page, Reason, Response, Verdict, Visit
from honeyguide.store.warc import Place, read_record
from honeyguide.urls import url_hash

ReadArchived = Callable[[Response], Page]
"""Makes a page of an archived response, whose body is still as it came over the wire."""

VISITS = """
SELECT v.*, u.url AS address_url, u.depth, u.anchor, u.context, u.place, u.path, u.origin, u.memo, s.url AS source_url
FROM visits v JOIN urls u ON u.id = v.url LEFT JOIN urls s ON s.id = u.source
"""


class SqliteLog:
    """A crawl as training material (role VisitLog)."""

    def __init__(self, connection: sqlite3.Connection, folder: Path, read: ReadArchived) -> None:
        self._connection = connection
        self._folder = folder
        self._read = read

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT COUNT(*) FROM visits").fetchone()[0])

    def __iter__(self) -> Iterator[Visit]:
        return self.after(0)

    def after(self, number: int) -> Iterator[Visit]:
        """The visits that came after a given one, in order."""
        cursor = self._connection.cursor()
        cursor.row_factory = sqlite3.Row
        for row in cursor.execute(f"{VISITS} WHERE v.id > ? ORDER BY v.id", (number,)):
            yield self.visit(row)

    def rows(self, numbers: Iterable[int]) -> list[sqlite3.Row]:
        """The visits with these numbers, in their order, as `visit` reads them; those that are in the log."""
        cursor = self._connection.cursor()
        cursor.row_factory = sqlite3.Row
        one = f"{VISITS} WHERE v.id = ?"
        found = (cursor.execute(one, (number,)).fetchone() for number in numbers)
        return [row for row in found if row is not None]

    def backlinks(self, url: str) -> Iterable[str]:
        """The URLs of the visited pages that link to a URL."""
        rows = self._connection.execute(
            "SELECT DISTINCT u.url FROM links l JOIN visits v ON v.id = l.visit JOIN urls u ON u.id = v.url "
            "WHERE l.target = ?",
            (url_hash(url),),
        )
        return (row[0] for row in rows)

    def visit(self, row: sqlite3.Row) -> Visit:
        """The visit of a row; if its page was archived, in any thread."""
        link = Link(
            url=row["address_url"],
            source=row["source_url"] or "",
            anchor=row["anchor"],
            context=row["context"],
            place=row["place"],
            path=row["path"],
            origin=row["origin"],
        )
        candidate = Candidate(
            link, row["queue_score"], row["depth"], _json(row["memo"]), _json(row["queue_parts"])
        )
        response = archived_response(self._folder, row)
        return Visit(
            candidate,
            response,
            self._page(row, response),
            _verdict(row),
            error=ErrorKind(row["error"]) if row["error"] else None,
            detail=row["detail"],
            status=row["status"],
            duplicate_of=row["duplicate_of"],
            unchanged=bool(row["unchanged"]),
            at=row["at"],
            number=row["id"],
        )

    def _page(self, row: sqlite3.Row, response: Response | None) -> Page | None:
        if row["error"] or row["unchanged"]:
            return None
        if response is None:
            return self._page_without_archive(row)
        try:
            return self._read(response)
        except PageError:
            return None

    def _page_without_archive(self, row: sqlite3.Row) -> Page:
        """A page that asked not to be kept: what the database has of it, which is its links."""
        links = self._connection.execute(
            "SELECT u.url, l.anchor, l.context, l.place FROM links l JOIN urls u ON u.hash = l.target "
            "WHERE l.visit = ? ORDER BY l.rowid",
            (row["id"],),
        )
        return Page(
            url=row["final"] or row["address_url"],
            title=row["title"],
            language=row["language"],
            noindex=True,
            links=tuple(
                Link(url, row["final"], anchor, context, place) for url, anchor, context, place in links
            ),
        )


def archived_response(folder: Path, row: sqlite3.Row) -> Response | None:
    """The response of a visit as it lies in the archive, its body not yet decoded; None if none was kept."""
    if not row["warc"]:
        return None
    _, status, headers, raw = read_record(folder, Place(row["warc"], row["warc_offset"], row["warc_length"]))
    return Response(
        url=row["final"],
        status=status,
        headers=tuple(headers),
        raw=raw,
        truncated=row["truncated"],
        address=row["address"],
        fetched_at=row["at"],
        elapsed=row["elapsed"],
    )


def archived_page(folder: Path, row: sqlite3.Row, read: ReadArchived) -> Page | None:
    """The page of a visit, read again from the archive; None if it was not kept or cannot be read."""
    response = archived_response(folder, row)
    if response is None:
        return None
    try:
        return read(response)
    except PageError:
        return None


def _verdict(row: sqlite3.Row) -> Verdict | None:
    if row["relevance"] is None:
        return None
    return Verdict(
        score=row["relevance"],
        relevant=bool(row["relevant"]),
        margin=row["margin"],
        label=row["label"],
        reasons=tuple(Reason(*reason) for reason in _json(row["reasons"]) or ()),
        judge=row["judge"],
    )


def _json(text: str | None) -> Any:
    return json.loads(text) if text else None
