"""What people say of pages: written by whoever labels, also while the crawl runs, and read by the crawl.

An annotator may say another thing later, and then that counts. Where several have labelled a page, most of
those who are sure decide; where they are divided, nobody has.
"""

import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from honeyguide.errors import CrawlError
from honeyguide.store.patience import PATIENCE, PatientWriter


class Label(NamedTuple):
    """What somebody says of a page: on topic or not, or None when unsure."""

    url: str
    visit: int
    relevant: bool | None
    annotator: str
    at: float


class Decision(NamedTuple):
    """What people make of a page, and the visit they saw it at."""

    relevant: bool
    visit: int


def has_labels(connection: sqlite3.Connection) -> bool:
    """Whether there is a place for labels, which a crawl that an older version has made may lack."""
    return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'labels'").fetchone())


def read_labels(connection: sqlite3.Connection) -> list[Label]:
    """All labels, the oldest first."""
    if not has_labels(connection):
        return []
    rows = connection.execute(
        "SELECT u.url, l.visit, l.relevant, l.annotator, l.at FROM labels l "
        "JOIN urls u ON u.id = l.url ORDER BY l.id"
    )
    return [
        Label(url, visit, None if relevant is None else bool(relevant), annotator, at)
        for url, visit, relevant, annotator, at in rows
    ]


def opinions(labels: Iterable[Label]) -> dict[str, dict[str, bool | None]]:
    """What each annotator says of each URL, as they said last."""
    said: defaultdict[str, dict[str, bool | None]] = defaultdict(dict)
    for label in labels:
        said[label.annotator][label.url] = label.relevant
    return dict(said)


def decisions(labels: Iterable[Label]) -> dict[str, Decision]:
    """What most of those who are sure say of each URL, in the order of the URLs."""
    labels = list(labels)
    votes: defaultdict[str, int] = defaultdict(int)
    for theirs in opinions(labels).values():
        for url, relevant in theirs.items():
            votes[url] += 0 if relevant is None else 1 if relevant else -1
    seen = {label.url: label.visit for label in labels}
    return {url: Decision(vote > 0, seen[url]) for url, vote in sorted(votes.items()) if vote}


class LabelBook:
    """A crawl's labels opened for writing, by somebody other than the crawl."""

    def __init__(
        self,
        folder: Path,
        *,
        clock: Callable[[], float] = time.time,
        patience: float = PATIENCE,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._writer = PatientWriter(folder, patience=patience, sleep=sleep)

    def __enter__(self) -> "LabelBook":
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def write(self, url: str, visit: int, relevant: bool | None, annotator: str) -> int:
        """Add a label; returns its number."""
        found = self._writer.connection.execute(
            "SELECT u.id FROM visits v JOIN urls u ON u.id = v.url WHERE v.id = ? AND u.url = ?", (visit, url)
        ).fetchone()
        if found is None:
            raise CrawlError(f"{self._folder} has not seen {url} at visit {visit}, so it cannot be labelled.")
        return self._writer.write(
            "INSERT INTO labels (url, visit, relevant, annotator, at) VALUES (?, ?, ?, ?, ?)",
            (found[0], visit, relevant, annotator, self._clock()),
        )

    def withdraw(self, number: int) -> None:
        """Take a label back."""
        self._writer.write("DELETE FROM labels WHERE id = ?", (number,))
