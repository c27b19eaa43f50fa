"""The visits of a crawl as arrays, one entry per visit in the order of their numbers: filtered, sorted, summed up.

A page that was visited again counts once: `standing` marks the newest visit of every URL that brought something,
as `store.status.STANDING` does. Text from a small set (language, type, error, label) is a code; `names` says what the
codes stand for, and code 0 stands for none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

TYPES: dict[str, str] = {
    "visit": "i4",
    "url": "i4",
    "host": "i4",
    "at": "f8",
    "status": "u2",
    "error": "u2",
    "relevance": "f4",
    "margin": "f4",
    "queue_score": "f4",
    "relevant": "?",
    "language": "u2",
    "type": "u2",
    "label": "u2",
    "length": "u4",
    "wire": "u4",
    "words": "u4",
    "depth": "u2",
    "elapsed": "f4",
    "duplicate": "?",
    "unchanged": "?",
    "kept": "?",
    "standing": "?",
}
"""What each column is made of: 62 bytes a visit."""

CODED = ("error", "language", "type", "label")
MOST_ORDERS = 4

Rows = NDArray[np.intp]


class Sums(NamedTuple):
    """A crawl in figures, as `store.status` has them."""

    visits: int
    pages: int
    relevant: int
    duplicates: int
    failures: int
    bytes: int


class HostSum(NamedTuple):
    """What became of the visits to one host, by its number in the table of hosts."""

    host: int
    pages: int
    relevant: int
    failures: int


class Curve(NamedTuple):
    """The share of pages on topic over the pages fetched: since the start, and among the last ones."""

    pages: NDArray[np.int64]
    overall: NDArray[np.float64]
    recent: NDArray[np.float64]


@dataclass(frozen=True)
class Columns:
    """The visits as far as they are read; `total` is how many there were when last looked."""

    total: int
    names: Mapping[str, tuple[str, ...]]
    visit: NDArray[np.int32]
    url: NDArray[np.int32]
    host: NDArray[np.int32]
    at: NDArray[np.float64]
    status: NDArray[np.uint16]
    error: NDArray[np.uint16]
    relevance: NDArray[np.float32]
    margin: NDArray[np.float32]
    queue_score: NDArray[np.float32]
    relevant: NDArray[np.bool_]
    language: NDArray[np.uint16]
    type: NDArray[np.uint16]
    label: NDArray[np.uint16]
    length: NDArray[np.uint32]
    wire: NDArray[np.uint32]
    words: NDArray[np.uint32]
    depth: NDArray[np.uint16]
    elapsed: NDArray[np.float32]
    duplicate: NDArray[np.bool_]
    unchanged: NDArray[np.bool_]
    kept: NDArray[np.bool_]
    standing: NDArray[np.bool_]

    @classmethod
    def of(
        cls, arrays: Mapping[str, NDArray[Any]], names: Mapping[str, tuple[str, ...]], total: int
    ) -> "Columns":
        """Columns made of arrays by name."""
        return cls(total, names, **{name: arrays[name] for name in TYPES})

    @property
    def read(self) -> int:
        """How many visits are read."""
        return len(self.visit)

    @property
    def last(self) -> int:
        """The number of the last visit that is read."""
        return int(self.visit[-1]) if self.read else 0

    @property
    def complete(self) -> bool:
        return self.read >= self.total

    def row_of(self, visit: int) -> int | None:
        """Where a visit stands in the arrays; None if it is not read or does not exist."""
        row = int(self.visit.searchsorted(visit))
        return row if row < self.read and self.visit[row] == visit else None

    @cached_property
    def sums(self) -> Sums:
        answered = self.standing & (self.status > 0)
        return Sums(
            visits=self.read,
            pages=int(np.count_nonzero(answered)),
            relevant=int(np.count_nonzero(self.standing & self.relevant)),
            duplicates=int(np.count_nonzero(answered & self.duplicate)),
            failures=int(np.count_nonzero(self.error)),
            bytes=int(self.wire.sum(dtype=np.int64)),
        )

    @cached_property
    def errors(self) -> list[tuple[str, int]]:
        """Failed visits by kind, the most frequent first; answers with an error's status by that."""
        failed = np.flatnonzero(self.error)
        codes = self.error[failed].astype(np.int64)
        status = np.array([name == "status" for name in self.names["error"]], np.bool_)[codes]
        keys, counts = np.unique(codes << 16 | self.status[failed] * status, return_counts=True)
        named = (
            (
                f"status {key & 0xFFFF}" if (kind := self.names["error"][key >> 16]) == "status" else kind,
                count,
            )
            for key, count in zip(keys.tolist(), counts.tolist(), strict=True)
        )
        return sorted(named, key=lambda item: (-item[1], item[0]))

    def counts(self, column: Literal["language", "type", "label", "error"]) -> list[tuple[str, int]]:
        """How many standing visits have each name, the most frequent first; those without one are left out."""
        counts = np.bincount(getattr(self, column)[self.standing], minlength=len(self.names[column])).tolist()
        named = [
            (name, count) for name, count in zip(self.names[column], counts, strict=True) if name and count
        ]
        return sorted(named, key=lambda item: (-item[1], item[0]))

    @cached_property
    def host_sums(self) -> NDArray[np.int64]:
        """By the number of a host: its pages, those on topic, and its failed visits."""
        answered = self.standing & (self.status > 0)
        size = int(self.host.max(initial=-1)) + 1
        chosen = (answered, self.standing & self.relevant, self.error > 0)
        return np.stack([np.bincount(self.host[mask], minlength=size) for mask in chosen], axis=1)

    def best_hosts(self, top: int) -> list[HostSum]:
        """The hosts with the most pages on topic, then with the most pages."""
        pages, relevant, failures = self.host_sums.T
        seen = np.flatnonzero(pages + failures)
        order = seen[np.lexsort((seen, -pages[seen], -relevant[seen]))][:top]
        return [HostSum(int(host), *map(int, self.host_sums[host])) for host in order]

    def curve(self, *, points: int = 400, window: int = 500) -> Curve:
        """The harvest rate at up to so many points, beside that of the last `window` pages at each."""
        relevant = self.relevant[self.standing & (self.status > 0)]
        count = len(relevant)
        sums = np.concatenate((np.zeros(1, np.int64), np.cumsum(relevant, dtype=np.int64)))
        ends = (
            np.unique(np.linspace(1, count, min(points, count)).round().astype(np.int64))
            if count
            else sums[:0]
        )
        before = np.maximum(ends - window, 0)
        return Curve(
            ends, sums[ends] / np.maximum(ends, 1), (sums[ends] - sums[before]) / np.maximum(ends - before, 1)
        )

    def speed(self, now: float, *, seconds: float = 60.0) -> float:
        """Answered visits per second of late."""
        tail = slice(max(0, self.read - 100_000), None)
        return float(np.count_nonzero((self.at[tail] > now - seconds) & (self.status[tail] > 0)) / seconds)

    @cached_property
    def orders(self) -> "dict[object, Rows]":
        """Orders that were asked for, for whoever goes on in one; `remember` adds to it."""
        return {}

    def remember(self, key: object, rows: Rows) -> None:
        """Keep an order, and drop the oldest if there are many."""
        self.orders[key] = rows
        while len(self.orders) > MOST_ORDERS:
            self.orders.pop(next(iter(self.orders)), None)
