"""What the crawl has learned from people, and what that has changed: one row for each judge it has adopted."""

import sqlite3
from typing import NamedTuple


class Lesson(NamedTuple):
    """A judge was fitted anew: on so many labels; the harvest of the same recent pages before and after; what moved.

    There is no harvest while there are no pages to compare.
    """

    revision: int
    at: float
    labels_on: int
    labels_off: int
    harvest_before: float | None
    harvest_after: float | None
    moved: int


def read_lessons(connection: sqlite3.Connection, *, limit: int = -1) -> list[Lesson]:
    """The lessons, the oldest first; the newest so many, if a limit is given."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'lessons'").fetchone():
        return []
    rows = connection.execute(
        "SELECT revision, at, labels_on, labels_off, harvest_before, harvest_after, moved FROM lessons "
        "ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return [Lesson(*row) for row in rows][::-1]


def write_lesson(connection: sqlite3.Connection, lesson: Lesson) -> None:
    """Add a lesson, inside the transaction of what it changed."""
    connection.execute(
        "INSERT INTO lessons (revision, at, labels_on, labels_off, harvest_before, harvest_after, moved) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        lesson,
    )
