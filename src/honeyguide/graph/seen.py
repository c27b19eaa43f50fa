"""Every URL ever seen, as 64-bit hashes in twelve bytes each, with the number of its row.

New hashes gather in a dict; when it is full it becomes a sorted run, and runs of similar size are merged,
so that a look-up goes through a handful of arrays and an insertion is copied a logarithmic number of
times. Ten million URLs collide with a probability of three in a million.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class _Run(NamedTuple):
    hashes: NDArray[np.int64]
    rows: NDArray[np.uint32]


class Seen:
    """A map from hashes to row numbers (from 1 on) that only grows."""

    def __init__(self, *, buffer: int = 65_536) -> None:
        self._buffer = buffer
        self._new: dict[int, int] = {}
        self._runs: list[_Run] = []

    def __len__(self) -> int:
        return len(self._new) + sum(len(run.hashes) for run in self._runs)

    @property
    def nbytes(self) -> int:
        """What the sorted runs take."""
        return sum(run.hashes.nbytes + run.rows.nbytes for run in self._runs)

    @property
    def runs(self) -> int:
        """How many sorted runs a look-up goes through."""
        return len(self._runs)

    def find(self, hashes: Sequence[int]) -> list[int]:
        """The row of each hash, 0 for those never seen."""
        find_new = self._new.get
        rows = [find_new(key, 0) for key in hashes]
        if not self._runs:
            return rows
        wanted = np.array(hashes, np.int64)
        found = np.array(rows, np.uint32)
        for run in self._runs:
            at = run.hashes.searchsorted(wanted)
            at[at == len(run.hashes)] = 0
            hits = run.hashes[at] == wanted
            found[hits] = run.rows[at[hits]]
        return found.tolist()  # type: ignore[no-any-return]

    def find_one(self, key: int) -> int:
        """The row of one hash, 0 when never seen."""
        if row := self._new.get(key):
            return row
        wanted = np.int64(key)
        for run in self._runs:
            at = run.hashes.searchsorted(wanted)
            if at < len(run.hashes) and run.hashes[at] == wanted:
                return int(run.rows[at])
        return 0

    def add(self, hashes: Sequence[int], first_row: int) -> None:
        """Remember hashes that are new, in consecutive rows."""
        self._new.update(zip(hashes, range(first_row, first_row + len(hashes)), strict=True))
        if len(self._new) >= self._buffer:
            new, self._new = self._new, {}
            self.load(
                np.fromiter(new.keys(), np.int64, len(new)), np.fromiter(new.values(), np.uint32, len(new))
            )

    def load(self, hashes: NDArray[np.int64], rows: NDArray[np.uint32]) -> None:
        """Remember many hashes at once."""
        order = hashes.argsort()
        self._runs.append(_Run(hashes[order], rows[order]))
        while len(self._runs) > 1 and len(self._runs[-2].hashes) <= 2 * len(self._runs[-1].hashes):
            last = self._runs.pop()
            self._runs.append(_merge(self._runs.pop(), last))


def _merge(one: _Run, other: _Run) -> _Run:
    size = len(one.hashes) + len(other.hashes)
    places = one.hashes.searchsorted(other.hashes)
    places += np.arange(len(places))
    kept = np.ones(size, bool)
    kept[places] = False
    hashes, rows = np.empty(size, np.int64), np.empty(size, np.uint32)
    hashes[kept], hashes[places] = one.hashes, other.hashes
    rows[kept], rows[places] = one.rows, other.rows
    return _Run(hashes, rows)
