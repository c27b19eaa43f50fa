"""Choosing among the pages of a crawl that are kept: the surest, the least sure, the latest, any."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum

from honeyguide.store.labels import has_labels

NOT_JUDGED = ("language", "rule")
"""Labels of verdicts that were given before the judge was asked."""

READABLE = "v.error IS NULL AND v.unchanged = 0 AND v.noindex = 0 AND v.warc != '' AND v.duplicate_of = ''"
KEPT = f"""
SELECT v.*, u.url AS address_url, h.name AS host
FROM visits v JOIN urls u ON u.id = v.url JOIN hosts h ON h.id = u.host
WHERE {READABLE}
"""
NEWEST = """
AND v.id = (SELECT MAX(w.id) FROM visits w WHERE w.url = v.url AND w.error IS NULL AND w.unchanged = 0)
"""
JUDGED = f"AND v.margin IS NOT NULL AND v.label NOT IN {NOT_JUDGED}"
CHOICE = 10
"""Times as many pages are looked at as are wanted, so that there are some of many hosts among them."""


class Pick(StrEnum):
    """Which pages to show to a person."""

    BORDERLINE = "borderline"
    RANDOM = "random"
    RELEVANT = "relevant"


def pick(
    connection: sqlite3.Connection,
    how: Pick,
    n: int,
    *,
    annotator: str = "",
    margin: Callable[[sqlite3.Row], float] = lambda row: float(row["margin"]),
) -> list[sqlite3.Row]:
    """Up to n pages that this annotator has not labelled or, if nobody is named, that nobody has.

    Borderline pages are those the judge was least sure of, from as many hosts as there are; `margin` may say how
    sure it is by now. The others come in the order of their URL's hash, which is random and the same for
    everybody, so that people meet on pages.
    """
    theirs = "v.url NOT IN (SELECT url FROM labels WHERE ? IN (annotator, ''))"
    new = f"AND {theirs if has_labels(connection) else '? IS NOT NULL'} {NEWEST}"
    if how is Pick.BORDERLINE:
        borderline = f"{JUDGED} {new} ORDER BY ABS(v.margin), v.id LIMIT ?"
        unsure = _rows(connection, borderline, annotator, CHOICE * n)
        return spread(sorted(unsure, key=lambda row: abs(margin(row))), n)
    relevant = "AND v.relevant" if how is Pick.RELEVANT else ""
    return _rows(connection, f"{relevant} {new} ORDER BY u.hash, v.id LIMIT ?", annotator, n)


def surest(
    connection: sqlite3.Connection, n: int, *, relevant: bool, beyond: float, latest: int = 0
) -> list[sqlite3.Row]:
    """Up to n pages that scored at least (or, if not relevant, at most) so much, from as many hosts as there are.

    If `latest` is given, only so many of the last visits are looked at.
    """
    how = (
        "v.relevance >= ? ORDER BY v.relevance DESC" if relevant else "v.relevance <= ? ORDER BY v.relevance"
    )
    return spread(
        _rows(
            connection,
            f"{JUDGED} {'' if latest else NEWEST} AND v.id > ? AND v.relevant = ? AND {how}, v.id LIMIT ?",
            _before_latest(connection, latest),
            relevant,
            beyond,
            CHOICE * n,
        ),
        n,
    )


def latest(connection: sqlite3.Connection, n: int) -> list[sqlite3.Row]:
    """The last n pages that were judged, in order."""
    return _rows(connection, f"{JUDGED} ORDER BY v.id DESC LIMIT ?", n)[::-1]


def recent_numbers(connection: sqlite3.Connection, n: int) -> list[int]:
    """The numbers of the last n visits to pages that are kept, the latest first."""
    rows = connection.execute(f"SELECT v.id FROM visits v WHERE {READABLE} ORDER BY v.id DESC LIMIT ?", (n,))
    return [row[0] for row in rows]


def newest_of(connection: sqlite3.Connection, urls: Iterable[int]) -> list[int]:
    """The numbers of the last visits to pages, given by the numbers of their URLs, that are kept."""
    newest = f"SELECT MAX(v.id) FROM visits v WHERE v.url = ? AND {READABLE}"
    found = (connection.execute(newest, (url,)).fetchone()[0] for url in urls)
    return [number for number in found if number is not None]


def at_visits(connection: sqlite3.Connection, numbers: Iterable[int]) -> list[sqlite3.Row]:
    """The pages as they were at these visits."""
    return [row for number in numbers for row in _rows(connection, "AND v.id = ?", number)]


def spread(rows: Iterable[sqlite3.Row], n: int) -> list[sqlite3.Row]:
    """The first n, taken from each host in turn."""
    turns: Counter[str] = Counter()
    queue: list[tuple[int, int, sqlite3.Row]] = []
    for row in rows:
        turns[row["host"]] += 1
        queue.append((turns[row["host"]], len(queue), row))
    return [row for _, _, row in sorted(queue, key=lambda entry: entry[:2])[:n]]


def _before_latest(connection: sqlite3.Connection, n: int) -> int:
    last = int(connection.execute("SELECT COALESCE(MAX(id), 0) FROM visits").fetchone()[0])
    return last - n if n else 0


def _rows(connection: sqlite3.Connection, condition: str, *values: object) -> list[sqlite3.Row]:
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(f"{KEPT} {condition}", values).fetchall()
