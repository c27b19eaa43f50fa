"""What two crawls have found: the pages of both, and those of one alone, by the hashes of their addresses."""

import json
import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from honeyguide.dashboard.crawls import CrawlAtHand
from honeyguide.dashboard.visit_columns import Columns

Rows = NDArray[np.intp]
Numbers = NDArray[np.int64]

HASHES = "SELECT u.hash FROM visits v JOIN urls u ON u.id = v.url WHERE v.id > ? AND v.id <= ? ORDER BY v.id"
KEPT = 4
"""Pairs of crawls whose overlap is remembered."""


@dataclass(frozen=True, slots=True)
class Side:
    """The pages of one crawl in the order of their addresses' hashes: where each stands in the columns."""

    columns: Columns
    hashes: Numbers
    rows: Rows

    @property
    def relevant(self) -> NDArray[np.bool_]:
        """Which of them were judged on topic."""
        return self.columns.relevant[self.rows]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Places in the two sides: of the pages that both have, in the same order, and of those that only one has."""

    one: Side
    other: Side
    both_one: Rows
    both_other: Rows
    only_one: Rows
    only_other: Rows


def overlap(one: Side, other: Side) -> Overlap:
    """Lay two sides beside each other."""
    _, both_one, both_other = np.intersect1d(
        one.hashes, other.hashes, assume_unique=True, return_indices=True
    )
    return Overlap(
        one,
        other,
        both_one,
        both_other,
        np.setdiff1d(np.arange(len(one.hashes)), both_one, assume_unique=True),
        np.setdiff1d(np.arange(len(other.hashes)), both_other, assume_unique=True),
    )


def side(columns: Columns, hashes: Numbers) -> Side:
    """The pages that a crawl has fetched; `hashes` are those of all its visits."""
    rows = np.flatnonzero(columns.standing & (columns.status > 0) & (columns.error == 0))
    found, first = np.unique(hashes[rows], return_index=True)
    return Side(columns, found, rows[first])


def best_first(side: Side, places: Rows) -> Rows:
    """Places of a side, those on topic first, then by relevance."""
    rows = side.rows[places]
    relevance = np.nan_to_num(side.columns.relevance[rows], nan=-1.0)
    return places[np.lexsort((rows, -relevance, ~side.columns.relevant[rows]))]


class Overlaps:
    """The overlaps that were asked for last; hashes are read once, and then those of new visits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hashes: dict[Path, tuple[str, Numbers]] = {}
        self._found: dict[tuple[Path, Path], Overlap] = {}

    def of(self, one: CrawlAtHand, other: CrawlAtHand) -> Overlap:
        """What two crawls have in common."""
        columns = [crawl.columns() for crawl in (one, other)]
        key = (one.folder, other.folder)
        with self._lock:
            known = self._found.pop(key, None)
            same = known and (known.one.columns, known.other.columns)
            if not known or not same or any(a is not b for a, b in zip(same, columns, strict=True)):
                sides = [
                    side(found, self._hashes_of(crawl, found))
                    for crawl, found in zip((one, other), columns, strict=True)
                ]
                known = overlap(*sides)
            self._found[key] = known
            while len(self._found) > KEPT:
                del self._found[next(iter(self._found))]
        return known

    def _hashes_of(self, crawl: CrawlAtHand, columns: Columns) -> Numbers:
        """The hashes of the addresses of all visits that the columns have."""
        if not columns.read:
            return np.zeros(0, np.int64)
        first, last = f"{columns.at[0]!r} {columns.url[0]}", int(columns.visit[-1])
        beginning, hashes = self._hashes.get(crawl.folder, ("", np.zeros(0, np.int64)))
        if beginning != first or len(hashes) > columns.read:
            hashes = np.zeros(0, np.int64)
        if len(hashes) < columns.read:
            after = int(columns.visit[len(hashes) - 1]) if len(hashes) else 0
            with crawl.open() as collection:
                read = collection.connection.execute(HASHES, (after, last))
                more = np.fromiter((row[0] for row in read), np.int64)
            hashes = np.concatenate((hashes, more))
            self._hashes[crawl.folder] = (first, hashes)
        return hashes


def rows_of(connection: sqlite3.Connection, visits: Sequence[int]) -> dict[int, sqlite3.Row]:
    """Titles and addresses of visits, by their numbers."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    found = cursor.execute(
        "SELECT v.id, v.title, v.relevance, v.relevant, u.url, h.name AS host FROM visits v "
        "JOIN urls u ON u.id = v.url JOIN hosts h ON h.id = u.host "
        "WHERE v.id IN (SELECT value FROM json_each(?))",
        (json.dumps([int(visit) for visit in visits]),),
    )
    return {row["id"]: row for row in found}
