"""What people ask of a crawl: written by anybody at any time, carried out by the crawl between visits.

A crawl that does not run finds the requests when it is resumed. It answers each in a sentence, in the same
transaction as what it did, so that nothing is done twice.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from honeyguide.errors import CrawlError
from honeyguide.store.patience import PATIENCE, PatientWriter

MOST_SEEDS = 10_000
"""Seeds in one request."""


class Kind(StrEnum):
    """What can be asked."""

    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    BUDGET = "budget"
    """pages, relevant, seconds or bytes: the new ceilings; 0 lifts one"""
    SEEDS = "seeds"
    """urls"""
    BLOCK = "block"
    """host"""
    UNBLOCK = "unblock"
    """host"""
    TOPIC = "topic"
    """revision: the number of a revision that lies in the crawl's folder"""


CEILINGS: Mapping[str, type] = {"pages": int, "relevant": int, "seconds": float, "bytes": int}
"""The parts of a budget, and the kind of number that each is."""


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks of a crawl and, once it is carried out or refused, the answer."""

    number: int
    at: float
    kind: str
    arguments: Mapping[str, Any]
    by: str
    answered: float | None = None
    answer: str = ""
    refused: bool = False
    figures: Mapping[str, Any] = field(default_factory=dict)


def has_requests(connection: sqlite3.Connection) -> bool:
    """Whether there is a place for requests, which a crawl that an older version has made may lack."""
    return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'requests'").fetchone())


def read_requests(
    connection: sqlite3.Connection, *, after: int = 0, pending: bool = False, limit: int = -1
) -> list[Request]:
    """The requests, the oldest first: those after a number, only those without an answer, so many at most."""
    if not has_requests(connection):
        return []
    rows = connection.execute(
        "SELECT id, at, kind, arguments, asked_by, answered, answer, refused, figures FROM requests "
        "WHERE id > ? AND (answered IS NULL OR NOT ?) ORDER BY id LIMIT ?",
        (after, pending, limit),
    )
    return [
        Request(number, at, kind, _table(arguments), by, answered, answer, bool(refused), _table(figures))
        for number, at, kind, arguments, by, answered, answer, refused, figures in rows
    ]


def problem(kind: str, arguments: Mapping[str, Any]) -> str:
    """Why something cannot be asked, in a sentence; "" when it can."""
    if kind not in set(Kind):
        return f"A crawl cannot be asked to {kind!r}; it can be asked for: {', '.join(Kind)}."
    if kind in (Kind.BLOCK, Kind.UNBLOCK):
        return _problem_with_host(arguments)
    if kind == Kind.SEEDS:
        return _problem_with_seeds(arguments)
    if kind == Kind.BUDGET:
        return _problem_with_budget(arguments)
    if kind == Kind.TOPIC:
        number = arguments.get("revision")
        whole = set(arguments) == {"revision"} and type(number) is int and number > 0
        return "" if whole else "A new topic is asked for by the number of its revision."
    return f"{kind} takes no {', '.join(arguments)}." if arguments else ""


def answer(
    connection: sqlite3.Connection,
    number: int,
    sentence: str,
    *,
    at: float,
    refused: bool = False,
    figures: Mapping[str, Any] | None = None,
) -> None:
    """Write down what came of a request, inside the transaction of what was done."""
    connection.execute(
        "UPDATE requests SET answered = ?, answer = ?, refused = ?, figures = ? WHERE id = ?",
        (at, sentence, refused, json.dumps(dict(figures or {})), number),
    )


class RequestBook:
    """A crawl's requests opened for writing, by somebody other than the crawl."""

    def __init__(
        self,
        folder: Path,
        *,
        clock: Callable[[], float] = time.time,
        patience: float = PATIENCE,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clock = clock
        self._writer = PatientWriter(folder, patience=patience, sleep=sleep)

    def __enter__(self) -> "RequestBook":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, kind: str, arguments: Mapping[str, Any] | None = None, by: str = "") -> int:
        """Ask something of the crawl; returns the number of the request."""
        arguments = dict(arguments or {})
        if sentence := problem(kind, arguments):
            raise CrawlError(sentence)
        return self._writer.write(
            "INSERT INTO requests (at, kind, arguments, asked_by) VALUES (?, ?, ?, ?)",
            (self._clock(), str(kind), json.dumps(arguments), by[:200]),
        )

    def read(self, number: int) -> Request:
        """A request as it stands."""
        found = read_requests(self._writer.connection, after=number - 1, limit=1)
        if not found or found[0].number != number:
            raise CrawlError(f"There is no request {number}.")
        return found[0]

    def close(self) -> None:
        """Let go of the database."""
        self._writer.close()


def _problem_with_host(arguments: Mapping[str, Any]) -> str:
    host = arguments.get("host")
    named = set(arguments) == {"host"} and isinstance(host, str) and 0 < len(host) <= 255
    return "" if named else "A host is blocked by its name, for example www.example.org."


def _problem_with_seeds(arguments: Mapping[str, Any]) -> str:
    urls = arguments.get("urls")
    if set(arguments) != {"urls"} or not isinstance(urls, list | tuple) or not urls:
        return "Seeds are given as a list of web addresses."
    if not all(isinstance(url, str) for url in urls):
        return "Every seed must be a web address."
    return "" if len(urls) <= MOST_SEEDS else f"At most {MOST_SEEDS:,} seeds can be added at once."


def _problem_with_budget(arguments: Mapping[str, Any]) -> str:
    if not arguments or set(arguments) - set(CEILINGS):
        return f"A budget has these parts: {', '.join(CEILINGS)}."
    for part, value in arguments.items():
        allowed = (int, float) if CEILINGS[part] is float else (int,)
        if type(value) not in allowed or not 0 <= value < 1e18:
            return f"The budget of {part} must be a number that is not negative."
    return ""


def _table(text: str) -> dict[str, Any]:
    """A mapping as it was written; what somebody else wrote in its place counts as empty."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
