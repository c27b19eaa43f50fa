"""The crawl on disk: a database of visits and links, and the archive of bodies beside it.

`save` writes the archive first, then the visit and its links into the open transaction; the frontier
writes its changes into the same one; `commit` makes them durable together.
"""

import errno
import io
import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ResourceError
from honeyguide.model import (
    EXACT_DUPLICATE,
    NEAR_DUPLICATE,
    Conditions,
    Page,
    Reason,
    Response,
    Verdict,
    Visit,
)
from honeyguide.store.duplicates import Duplicates
from honeyguide.store.warc import Archive, Place
from honeyguide.urls import url_hash

CHECKPOINT_EVERY = 50
"""Commits between two moves of the write-ahead log into the database file."""

SAVE_VISIT = """
INSERT INTO visits (id, url, at, status, error, detail, final, title, language, content_type, charset, length,
    wire, words, truncated, noindex, relevance, margin, relevant, label, reasons, judge, queue_score, queue_parts,
    fingerprint, sketch, duplicate_of, unchanged, etag, last_modified, address, elapsed,
    warc, warc_offset, warc_length)
VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
"""
NOWHERE = Place("", 0, 0)

PART = 1 << 28
"""Bytes of a state that a row holds at the most: SQLite takes no thousand million, and a large crawl learns more."""


class SqliteStore:
    """Remembers the visits of one crawl (role Store)."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        archive: Archive,
        id_of: Callable[[str], int | None],
        *,
        near_duplicates: int = 3,
    ) -> None:
        self.connection = connection
        self.archive = archive
        self._id_of = id_of
        self._duplicates = Duplicates(distance=near_duplicates)
        self._commits = 0
        # SQLite would move its log into the database before the archive is known to be on disk.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        self._visits = self._recall()

    def _recall(self) -> int:
        """Take up what earlier runs left: duplicates, the archive's end, the last visit's number."""
        rows = self.connection.execute(
            "SELECT id, fingerprint, sketch FROM visits WHERE duplicate_of = '' AND (fingerprint OR sketch)"
        )
        for number, fingerprint, sketch in rows:
            self._duplicates.add(number, fingerprint, sketch)
        committed = self.connection.execute(
            "SELECT warc, warc_offset + warc_length FROM visits WHERE warc != '' ORDER BY id DESC LIMIT 1"
        ).fetchone()
        self.archive.resume(committed)
        return int(self.connection.execute("SELECT COALESCE(MAX(id), 0) FROM visits").fetchone()[0])

    def __len__(self) -> int:
        return self._visits

    def begin(self) -> None:
        """Open the transaction that one visit's changes share, unless one is open."""
        if not self.connection.in_transaction:
            self.connection.execute("BEGIN IMMEDIATE")

    def save(self, visit: Visit) -> Visit:
        """Write a visit; returns it with its number, and as a duplicate if its text is known."""
        try:
            self.begin()
            visit = self._recognise(replace(visit, number=self._visits + 1))
            kept = visit.response is not None and not (visit.page and visit.page.noindex)
            place = self.archive.write(visit.response) if kept and visit.response else NOWHERE
            self.connection.execute(SAVE_VISIT, self._row(visit, place))
            if visit.page:
                self._save_links(visit.number, visit.page)
        except (OSError, sqlite3.OperationalError) as error:
            raise out_of_room(error, self.archive.folder) from error
        self._visits = visit.number
        return visit

    def commit(self) -> None:
        """Make everything since `begin` durable, all or nothing."""
        try:
            if self.connection.in_transaction:
                self.connection.execute("COMMIT")
            self._commits += 1
            if self._commits % CHECKPOINT_EVERY == 0:
                self.archive.sync()
                self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except (OSError, sqlite3.OperationalError) as error:
            raise out_of_room(error, self.archive.folder) from error

    def conditions(self, url: str) -> Conditions | None:
        """What the last good answer for a URL said about its version."""
        row = self.connection.execute(
            "SELECT etag, last_modified FROM visits WHERE url = ? AND error IS NULL AND unchanged = 0 "
            "ORDER BY id DESC LIMIT 1",
            (self._id_of(url),),
        ).fetchone()
        return Conditions(*row) if row and any(row) else None

    def save_state(self, role: str, state: Mapping[str, Any]) -> None:
        """Keep what a role has learned up to the last visit; only the newest is needed."""
        self.begin()
        self.connection.execute("DELETE FROM states WHERE role = ? OR role GLOB ? || ' [0-9]*'", (role, role))
        packed = pack(state)
        for number, start in enumerate(range(0, len(packed), PART), 1):
            part = packed[start : start + PART]
            self.connection.execute(
                "INSERT INTO states VALUES (?, ?, ?)", (_part_of(role, number), self._visits, part)
            )

    def load_state(self, role: str) -> tuple[int, dict[str, Any]] | None:
        """The newest state of a role and the number of the visit it was taken after."""
        return read_state(self.connection, role)

    def close(self) -> None:
        """Undo what was not committed and let go of the files."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
        self.archive.close()
        self.connection.close()

    def _recognise(self, visit: Visit) -> Visit:
        page = visit.page
        if page is None:
            return visit
        found = self._duplicates.find(page.fingerprint, page.sketch)
        if found is None:
            self._duplicates.add(visit.number, page.fingerprint, page.sketch)
            return visit
        number, exact = found
        (url,) = self.connection.execute(
            "SELECT u.url FROM visits v JOIN urls u ON u.id = v.url WHERE v.id = ?", (number,)
        ).fetchone()
        if url == visit.url:
            return visit
        label = EXACT_DUPLICATE if exact else NEAR_DUPLICATE
        verdict = Verdict(0.0, False, label=label, reasons=(Reason(f"{label} of {url}", 0.0),))
        return replace(visit, verdict=verdict, duplicate_of=url)

    def _row(self, visit: Visit, place: Place) -> tuple[Any, ...]:
        candidate, response, page, verdict = visit.candidate, visit.response, visit.page, visit.verdict
        return (
            visit.number,
            self._id_of(visit.url),
            visit.at,
            visit.status,
            visit.error,
            visit.detail[:1000],
            response.url if response else "",
            *_page_columns(page, response),
            *_verdict_columns(verdict),
            candidate.score,
            json.dumps(candidate.parts) if candidate.parts else None,
            page.fingerprint if page else 0,
            page.sketch if page else 0,
            visit.duplicate_of,
            visit.unchanged,
            response.header("etag")[:500] if response else "",
            response.header("last-modified")[:100] if response else "",
            response.address if response else "",
            response.elapsed if response else 0.0,
            *place,
        )

    def _save_links(self, number: int, page: Page) -> None:
        """Contexts lie in the archived page; only a page that may not be archived needs them here."""
        self.connection.executemany(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?)",
            [
                (number, url_hash(link.url), link.anchor, link.place, link.context if page.noindex else "")
                for link in page.links
            ],
        )


def _page_columns(page: Page | None, response: Response | None) -> tuple[Any, ...]:
    length = len(response.body) if response else 0
    wire = len(response.raw) if response else 0
    truncated = response.truncated if response else ""
    if page is None:
        return ("", "", "", "", length, wire, 0, truncated, 0)
    words = page.text.count(" ") + 1 if page.text else 0
    return (
        page.title[:500],
        page.language,
        page.content_type,
        page.charset,
        length,
        wire,
        words,
        truncated,
        page.noindex,
    )


def _verdict_columns(verdict: Verdict | None) -> tuple[Any, ...]:
    if verdict is None:
        return (None, None, 0, "", None, "")
    reasons = json.dumps(verdict.reasons) if verdict.reasons else None
    return (verdict.score, verdict.margin, verdict.relevant, verdict.label, reasons, verdict.judge)


def read_state(connection: sqlite3.Connection, role: str) -> tuple[int, dict[str, Any]] | None:
    """The newest state of a role and the number of the visit it was taken after."""
    parts: list[bytes] = []
    select, visit = "SELECT visit, state FROM states WHERE role = ?", 0
    while row := connection.execute(select, (_part_of(role, len(parts) + 1),)).fetchone():
        visit, part = row
        parts.append(part)
    return (visit, unpack(b"".join(parts))) if parts else None


def _part_of(role: str, number: int) -> str:
    """What the parts of a role's state are called: "strategy", "strategy 2", "strategy 3"."""
    return role if number == 1 else f"{role} {number}"


def pack(state: Mapping[str, Any]) -> memoryview:
    """A state as bytes: JSON, with numpy arrays beside it, each named by the way to it; never pickle."""
    arrays: dict[str, NDArray[Any]] = {}
    plain = json.dumps(_without_arrays(state, (), arrays))
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{"": np.frombuffer(plain.encode(), np.uint8)}, **arrays)
    return buffer.getbuffer()


def unpack(data: bytes) -> dict[str, Any]:
    """The state that `pack` made into bytes."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        state: dict[str, Any] = json.loads(arrays[""].tobytes())
        for name in filter(None, arrays.files):
            # Crawls of an older version name an array by its key alone.
            *way, last = json.loads(name) if name.startswith("[") else (name,)
            place: Any = state
            for step in way:
                place = place[step]
            place[last] = arrays[name]
    return state


def _without_arrays(value: Any, way: tuple[str | int, ...], arrays: dict[str, NDArray[Any]]) -> Any:
    if isinstance(value, np.ndarray):
        arrays[json.dumps(way)] = value
        return None
    if isinstance(value, Mapping):
        return {key: _without_arrays(inner, (*way, str(key)), arrays) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_arrays(inner, (*way, number), arrays) for number, inner in enumerate(value)]
    return value


def out_of_room(error: OSError | sqlite3.OperationalError, folder: Path) -> Exception:
    """A full disk as a sentence; any other error as it is."""
    full = (isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)) or (
        isinstance(error, sqlite3.OperationalError) and ("full" in str(error) or "disk I/O" in str(error))
    )
    if not full:
        return error
    return ResourceError(
        f"The disk under {folder} is full; the crawl is saved up to its last page. "
        f"Free some space and run: honeyguide resume {folder}"
    )
