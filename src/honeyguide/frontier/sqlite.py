"""The frontier in a crawl's database: opened again it goes on where it was.

It counts the table `visits` and writes to `urls` and `hosts` of a connection in autocommit mode, inside whatever
transaction its caller has open, and never begins or commits one itself. After a rollback open a new one.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from honeyguide.frontier.hosts import Host
from honeyguide.frontier.queue import Queue
from honeyguide.frontier.shelf import Entry, Stock
from honeyguide.model import Candidate, Link, UrlState

_STOCK = np.dtype([("row", "u4"), ("hash", "i8"), ("host", "i4"), ("state", "u1"), ("score", "f8")])

_SELECT_STOCK = "SELECT id, hash, host, unicode(state), score FROM urls"
_SELECT = """
SELECT u.id, u.url, s.url, u.anchor, u.context, u.place, u.path, u.origin, u.nofollow,
    u.score, u.depth, u.memo, u.parts
FROM urls u LEFT JOIN urls s ON s.id = u.source
"""
_SELECT_ONE = f"{_SELECT} WHERE u.id = ?"
_SELECT_MANY = f"{_SELECT} WHERE u.id IN (SELECT value FROM json_each(?))"
_INSERT = """
INTO urls (id, hash, url, host, state, score, depth, source, anchor, context, place, path, origin, nofollow,
    memo, parts, reason)
VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
"""
_FIRST = """
    first_parts = CASE WHEN state = 'waiting' AND first_score IS NULL THEN parts ELSE first_parts END,
    first_score = CASE WHEN state = 'waiting' AND first_score IS NULL THEN score ELSE first_score END
"""
_REWRITE = f"""
UPDATE urls SET state = 'waiting', score = ?, depth = ?, source = ?, anchor = ?, context = ?, place = ?, path = ?,
    origin = ?, nofollow = ?, memo = ?, parts = ?, {_FIRST}
WHERE id = ?
"""
_RESCORE = f"UPDATE urls SET score = ?, {_FIRST} WHERE id = ?"
_CLOSE = "UPDATE urls SET state = ?, source = COALESCE(?, source), reason = ? WHERE id = ?"
_ATTEMPT = "UPDATE urls SET attempts = attempts + 1 WHERE id = ? RETURNING attempts"
_REOPENED = "state = 'visited' AND reason IN (SELECT value FROM json_each(?))"
_REOPEN = f"UPDATE urls SET state = 'waiting', attempts = 0, reason = '' WHERE {_REOPENED}"
_FETCHES = "SELECT COUNT(*) FROM visits WHERE status > 0"
_SELECT_HOSTS = "SELECT id, name, domain, visits, relevant, failures, streak, parked FROM hosts ORDER BY id"
_INSERT_HOST = "INSERT INTO hosts (id, name, domain, parked) VALUES (?, ?, ?, ?)"
_SAVE_HOST = "UPDATE hosts SET visits = ?, relevant = ?, failures = ?, streak = ?, parked = ? WHERE id = ?"


class SqliteShelf:
    """Rows in the table `urls`, hosts in the table `hosts`."""

    def __init__(self, connection: sqlite3.Connection, *, chunk: int = 1 << 21) -> None:
        self._connection = connection
        self._chunk = chunk

    def hosts(self) -> Iterator[Host]:
        """The hosts of the crawl."""
        for row in self._connection.execute(_SELECT_HOSTS):
            yield Host(*row)

    def stock(self) -> Iterator[Stock]:
        """The rows of the crawl."""
        found = self._connection.execute(_SELECT_STOCK)
        while len(chunk := np.fromiter(islice(found, self._chunk), _STOCK)):
            yield Stock(*(np.ascontiguousarray(chunk[name]) for name in _STOCK.names or ()))

    def fetches(self) -> int:
        """The answered visits of the crawl."""
        (count,) = self._connection.execute(_FETCHES).fetchone()
        return int(count)

    def add(self, entries: Sequence[Entry]) -> None:
        """Insert rows."""
        rows = [
            (row, key, candidate.link.url, host, state.value, *_columns(candidate, source), reason)
            for row, key, host, source, state, candidate, reason in entries
        ]
        try:
            self._connection.executemany(f"INSERT {_INSERT}", rows)
        except UnicodeEncodeError:  # half a surrogate pair; the rows before it are there already
            self._connection.executemany(f"INSERT OR REPLACE {_INSERT}", map(_cleaned, rows))

    def read(self, rows: Sequence[int]) -> list[Candidate]:
        """Select candidates."""
        if len(rows) == 1:
            return [_candidate_of(self._connection.execute(_SELECT_ONE, rows).fetchone())]
        found = self._connection.execute(_SELECT_MANY, (json.dumps(rows),))
        by_row = {row[0]: _candidate_of(row) for row in found}
        return [by_row[row] for row in rows]

    def rewrite(self, changes: Iterable[tuple[int, int, Candidate]]) -> None:
        """Update all that a candidate is made of."""
        self._connection.executemany(
            _REWRITE, [_cleaned((*_columns(candidate, source), row)) for row, source, candidate in changes]
        )

    def rescore(self, changes: Sequence[tuple[int, float]]) -> None:
        """Update scores."""
        self._connection.executemany(_RESCORE, [(score, row) for row, score in changes])

    def close_row(self, row: int, state: UrlState, *, source: int = 0, reason: str = "") -> None:
        """Update a state."""
        self._connection.execute(_CLOSE, (state.value, source or None, reason, row))

    def count_attempt(self, row: int) -> int:
        """Count an attempt."""
        (attempts,) = self._connection.execute(_ATTEMPT, (row,)).fetchone()
        return int(attempts)

    def reopen(self, reasons: Iterable[str]) -> Iterator[tuple[int, str]]:
        """Update states, after giving out the rows."""
        chosen = (json.dumps(list(reasons)),)
        yield from self._connection.execute(f"SELECT id, url FROM urls WHERE {_REOPENED}", chosen)
        self._connection.execute(_REOPEN, chosen)

    def add_host(self, host: Host) -> None:
        """Insert a host."""
        self._connection.execute(_INSERT_HOST, (host.id, host.name, host.domain, host.parked))

    def save_host(self, host: Host) -> None:
        """Update a host."""
        self._connection.execute(
            _SAVE_HOST, (host.visits, host.relevant, host.failures, host.streak, host.parked, host.id)
        )


class SqliteFrontier(Queue[sqlite3.Connection]):
    """What waits, in a crawl's database (role Frontier)."""

    def _open(self, where: sqlite3.Connection | None) -> SqliteShelf:
        assert where is not None
        return SqliteShelf(where)


def _columns(candidate: Candidate, source: int) -> tuple[Any, ...]:
    (_, _, anchor, context, place, path, origin, nofollow), score, depth, memo, parts = candidate
    return (
        score,
        depth,
        source or None,
        anchor,
        context,
        str(place),
        path,
        str(origin),
        nofollow,
        None if memo is None else _json(memo),
        None if parts is None else _parts_json(tuple(parts.items())),
    )


def _candidate_of(row: tuple[Any, ...]) -> Candidate:
    _, url, source, anchor, context, place, path, origin, nofollow, score, depth, memo, parts = row
    return Candidate(
        Link(url, source or "", anchor, context, place, path, origin, nofollow != 0),
        score,
        depth,
        memo and json.loads(memo),
        parts and json.loads(parts),
    )


def _cleaned(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        value.encode(errors="replace").decode() if isinstance(value, str) else value for value in row
    )


def _plain(value: object) -> object:
    """What strategies put into memos beside plain values: other mappings, and numbers of numpy."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"A memo must be plain JSON values, not {type(value).__name__}.")


_json = json.JSONEncoder(separators=(",", ":"), default=_plain).encode


@lru_cache(maxsize=4096)
def _parts_json(parts: tuple[tuple[str, float], ...]) -> str:
    """Most links of a page have the same parts as their neighbours."""
    return _json(dict(parts))
