"""The line in front of each host: a heap of its best rows, and a pile of all others.

A row comes onto the heap if it is not worse than the host's edge, onto the pile otherwise. When the heap is
empty it is filled with the best of the pile; when it is too long its worse part goes to the pile. Both
are lazy: they may name rows that wait no longer, have another score by now, or are named twice; what is not
true of a row any more is skipped on sight.
Only heaps hold Python objects; a row on a pile takes four bytes.
"""

from array import array
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from honeyguide.frontier.hosts import EVERYTHING, Host, Hosts
from honeyguide.frontier.rows import WAITING, Rows, choose_best

Key = tuple[float, int]
"""What rows are ordered by: the score, negated, then the row, so that the first found wins a tie."""

_SMALL = 64


class Lines:
    """Keeps the lines of all hosts in order and their heaps, taken together, below `in_memory` rows."""

    def __init__(self, rows: Rows, hosts: Hosts, *, in_memory: int) -> None:
        self._rows = rows
        self._hosts = hosts
        self._in_memory = in_memory
        self._in_heaps = 0
        self._few = 16
        self._share = 6

    def put(self, host: Host, key: Key) -> bool:
        """Let a row stand in line; whether it is the first now."""
        if key > host.edge:
            if host.pile is None:
                host.pile = array("I")
            host.pile.append(key[1])
            if len(host.pile) > 2 * host.waiting + _SMALL:
                self._tidy(host)
            return False
        heap = host.heap
        heappush(heap, key)
        self._in_heaps += 1
        if len(heap) > 2 * self._few and len(heap) > 2 * self._limit(host):
            self._trim(host)
        self._stay_in_bounds()
        return heap[0] is key

    def move(self, host: Host, row: int, score: float) -> bool:
        """Let a row that stands in line have another score; whether it is the first now."""
        scores = self._rows.scores
        in_heap = (-scores[row], row) <= host.edge
        scores[row] = score
        key = (-score, row)
        return (in_heap or key <= host.edge) and self.put(host, key)

    def load(self, host: Host, rows: NDArray[np.uint32], best: float) -> None:
        """Let many rows stand in line, none of them better than `best`."""
        if host.pile is None:
            host.pile = array("I")
        host.pile.frombytes(rows.tobytes())
        host.edge = min(host.edge, (-best, 0))

    def promise(self, host: Host) -> Key | None:
        """What the first row of a host may be as far as can be told at once; it is no better than that."""
        if host.heap:
            return host.heap[0]
        return host.edge if host.pile else None

    def first(self, host: Host) -> Key | None:
        """The best row that a host really has waiting."""
        states, scores, heap = self._rows.states, self._rows.scores, host.heap
        while heap:
            key = heap[0]
            if states[key[1]] == WAITING and scores[key[1]] == -key[0]:
                return key
            heappop(heap)
            self._in_heaps -= 1
        if not host.pile:
            host.edge = EVERYTHING
            return None
        if len(host.pile) <= min(_SMALL, self._limit(host)):
            self._pile_to_heap(host)
        else:
            self._best_to_heap(host)
        self._in_heaps += len(heap)
        self._stay_in_bounds()
        return heap[0] if heap else None

    def take_first(self, host: Host) -> None:
        """Let the first row leave the line."""
        heappop(host.heap)
        self._in_heaps -= 1

    def _limit(self, host: Host) -> int:
        return max(self._few, host.waiting >> self._share)

    def _pile_to_heap(self, host: Host) -> None:
        states, scores = self._rows.states, self._rows.scores
        host.heap[:] = sorted((-scores[row], row) for row in set(host.pile or ()) if states[row] == WAITING)
        host.pile, host.edge = None, EVERYTHING

    def _tidy(self, host: Host) -> None:
        """Throw out of a pile what does not belong there, left behind by scores that went up and down."""
        rows, scores = self._pile_of(host)
        negated, row = host.edge
        beyond = (-scores > negated) | ((-scores == negated) & (rows > row))
        host.pile = array("I", np.unique(rows[beyond]).tobytes())

    def _pile_of(self, host: Host) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        """The rows of a pile that really wait, and their scores."""
        rows = np.array(host.pile, np.uint32)
        rows = rows[np.frombuffer(self._rows.states, np.uint8)[rows] == WAITING]
        return rows, np.frombuffer(self._rows.scores)[rows]

    def _best_to_heap(self, host: Host) -> None:
        rows, scores = self._pile_of(host)
        chosen = choose_best(rows, scores, self._limit(host))
        host.heap[:] = sorted(zip((-scores[chosen]).tolist(), rows[chosen].tolist(), strict=True))
        if len(host.heap) == len(rows):
            host.pile, host.edge = None, EVERYTHING
        else:
            rest = np.ones(len(rows), bool)
            rest[chosen] = False
            host.pile, host.edge = array("I", rows[rest].tobytes()), host.heap[-1]

    def _trim(self, host: Host) -> None:
        """Move the worse part of a heap to the pile."""
        states, scores = self._rows.states, self._rows.scores
        heap = sorted({key for key in host.heap if states[key[1]] == WAITING and scores[key[1]] == -key[0]})
        limit = self._limit(host)
        if len(heap) > limit:
            host.pile = host.pile or array("I")
            host.pile.extend([row for _, row in heap[limit:]])
            del heap[limit:]
            host.edge = heap[-1]
        self._in_heaps -= len(host.heap) - len(heap)
        host.heap[:] = heap

    def _stay_in_bounds(self) -> None:
        """Make heaps shorter everywhere if there are too many rows in them, until there is room to grow again."""
        if self._in_heaps <= self._in_memory or self._in_heaps <= 4 * len(self._hosts):
            return
        while self._in_heaps > self._in_memory // 2 and (self._few > 1 or self._share < 32):
            self._few = max(1, self._few // 2)
            self._share += 1
            for host in self._hosts:
                if len(host.heap) > self._limit(host):
                    self._trim(host)
