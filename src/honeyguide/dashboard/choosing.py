"""Choosing among the visits of a crawl and sorting them, on their columns."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.dashboard.visit_columns import CODED, Columns, Rows

ANY = "any"
NONE = "none"

_LOW = np.uint64(0xFFFFFFFF)

Sort = Literal[
    "number",
    "time",
    "relevance",
    "margin",
    "queue_score",
    "host",
    "language",
    "type",
    "status",
    "length",
    "words",
    "depth",
    "elapsed",
]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which visits are wanted; what is None does not matter.

    `error` is the kind of a failure, "any" of them or "none". `every` takes in visits that a later one of the same URL
    has replaced, and those that found nothing changed.
    """

    host: int | None = None
    language: str | None = None
    type: str | None = None
    error: str | None = None
    label: str | None = None
    relevant: bool | None = None
    min_relevance: float | None = None
    max_relevance: float | None = None
    since: float | None = None
    until: float | None = None
    every: bool = False


def choose(columns: Columns, choice: Choice) -> Rows:
    """The rows of the visits that are wanted, in order."""
    wanted = None if choice.every else columns.standing
    for mask in _masks(columns, choice):
        wanted = mask if wanted is None else wanted & mask
    return np.arange(columns.read) if wanted is None else np.flatnonzero(wanted)


def _masks(columns: Columns, choice: Choice) -> "list[NDArray[np.bool_]]":
    masks: list[NDArray[np.bool_]] = []
    if choice.host is not None:
        masks.append(columns.host == choice.host)
    if choice.relevant is not None:
        masks.append(columns.relevant if choice.relevant else ~columns.relevant)
    # A judge says .3 and means the same .3 that a person typed: both are compared at the columns' precision.
    if choice.min_relevance is not None:
        masks.append(columns.relevance >= np.float32(choice.min_relevance))
    if choice.max_relevance is not None:
        masks.append(columns.relevance <= np.float32(choice.max_relevance))
    if choice.since is not None:
        masks.append(columns.at >= choice.since)
    if choice.until is not None:
        masks.append(columns.at <= choice.until)
    for column in CODED:
        if (name := getattr(choice, column)) is not None:
            masks.append(_named(columns, column, name))
    return masks


def _named(columns: Columns, column: str, name: str) -> NDArray[np.bool_]:
    codes, names = getattr(columns, column), columns.names[column]
    if name in (ANY, NONE):
        return np.asarray((codes > 0) == (name == ANY))
    # A name that no visit has chooses none of them.
    return np.asarray(codes == names.index(name)) if name in names[1:] else np.zeros(columns.read, np.bool_)


def ordered(
    columns: Columns,
    rows: Rows,
    sort: Sort,
    *,
    descending: bool,
    first: int | None = None,
    ranks: NDArray[np.int64] | None = None,
) -> Rows:
    """Rows sorted by a column, equal ones by number, or the first of them; what has no value comes last.

    `ranks` says where each host stands among all by name, which the columns do not know.
    """
    if sort in ("number", "time"):  # visits are numbered as they are made
        return (rows[::-1] if descending else rows)[:first]
    keys = _keys(columns, sort, rows, ranks)
    if descending:
        keys = ~keys
    if (missing := _missing(columns, sort, rows)) is not None:
        keys[missing] = 0xFFFFFFFF
    if first is not None and 0 < first < len(keys):
        among = np.flatnonzero(keys <= np.partition(keys, first - 1)[first - 1])
        keys, rows = keys[among], rows[among]
    # One number per row, with the row in its low half: unique, so every way of sorting gives the same order.
    low = rows.astype(np.uint64)
    packed = keys.astype(np.uint64) << np.uint64(32) | (low ^ _LOW if descending else low)
    packed.sort()
    low = packed[:first] & _LOW
    return (low ^ _LOW if descending else low).astype(np.intp)


def _keys(columns: Columns, sort: str, rows: Rows, ranks: NDArray[np.int64] | None) -> NDArray[np.uint32]:
    if sort == "host" and ranks is not None:
        return ranks[columns.host[rows]].astype(np.uint32)
    if sort in CODED:
        order = np.argsort(np.array(columns.names[sort], dtype=object), kind="stable").argsort()
        return np.asarray(order.astype(np.uint32)[getattr(columns, sort)[rows]])
    return _sortable(getattr(columns, sort)[rows])


def _missing(columns: Columns, sort: str, rows: Rows) -> "NDArray[np.bool_] | None":
    if sort in ("relevance", "margin"):
        return np.asarray(np.isnan(getattr(columns, sort)[rows]))
    return np.asarray(getattr(columns, sort)[rows] == 0) if sort in ("language", "type") else None


def _sortable(values: NDArray[Any]) -> NDArray[np.uint32]:
    """Numbers as unsigned ones of the same order."""
    if values.dtype.kind == "u":
        return values.astype(np.uint32)
    if values.dtype.kind == "i":
        return (values.astype(np.int64) + (1 << 31)).astype(np.uint32)
    bits = np.ascontiguousarray(values + np.float32(0.0), np.float32).view(np.uint32)  # -0 and 0 are one
    return np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31))
