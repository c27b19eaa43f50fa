"""Whose turn it is: the best waiting row among the hosts that may be asked now.

    ready      a heap of hosts that may be asked, each with what its first row may be; an entry that promises
               more than the host has is corrected on sight, and none promises less
    later      a heap of hosts by the time from which they may be asked

A host stands in neither while a request to it is under way, while it has nothing waiting or is parked.
"""

import math
from collections.abc import Callable
from heapq import heapify, heappop, heappush, heapreplace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from honeyguide.frontier.hosts import Host, Hosts, Turn
from honeyguide.frontier.lines import Key, Lines
from honeyguide.frontier.rows import UNDER_WAY, WAITING, Rows

_SLACK = 8


class Dues(Protocol):
    """Says from when on a host may be asked."""

    def due(self, host: str) -> float:
        """The time on the clock, infinity while a request is under way."""
        ...

    def subscribe(self, callback: Callable[[str], None]) -> None:
        """Have `callback` called with each host whose due time has changed."""
        ...


class Schedule:
    """Orders the waiting rows of all hosts; without `dues` every host may be asked at any time, and often. `parked` is
    told of hosts that are parked, and of those that are so no more.
    """

    def __init__(
        self,
        rows: Rows,
        hosts: Hosts,
        *,
        dues: Dues | None,
        parked: Callable[[str, bool], None],
        in_memory: int,
        clock: Callable[[], float],
    ) -> None:
        self._rows = rows
        self._hosts = hosts
        self._lines = Lines(rows, hosts, in_memory=in_memory)
        self._dues = dues
        self._parked = parked
        self._clock = clock
        self._ready: list[tuple[float, int, Host]] = []
        self._later: list[tuple[float, Host]] = []
        self.floor = -math.inf
        """What scores less is left to wait."""
        self.waiting = 0
        self.usable = 0
        """Rows waiting at hosts that are not parked."""
        self.under_way = 0

    def add(self, host: Host, row: int) -> None:
        """A row that is marked as waiting stands in line from now on."""
        host.waiting += 1
        self.waiting += 1
        if not host.parked:
            self.usable += 1
        key = (-self._rows.scores[row], row)
        is_first = self._lines.put(host, key)
        if host.turn is Turn.IDLE:
            self.place(host)
        elif is_first and host.turn is Turn.READY:
            self._push_ready(key, host)

    def add_again(self, host: Host, row: int) -> None:
        """A row that has a past waits once more."""
        self._rows.states[row] = WAITING
        self.add(host, row)

    def move(self, host: Host, row: int, score: float) -> None:
        """A waiting row gets another score."""
        if self._lines.move(host, row, score) and host.turn is Turn.READY:
            self._push_ready((-score, row), host)

    def drop(self, host: Host, row: int, state: int) -> None:
        """A row waits no longer."""
        self._rows.states[row] = state
        host.waiting -= 1
        self.waiting -= 1
        if not host.parked:
            self.usable -= 1

    def load(self, host: Host, rows: NDArray[np.uint32], best: float) -> None:
        """Rows of a host that were stored as waiting, and their best score; `start` is to follow."""
        self._lines.load(host, rows, best)
        host.waiting += len(rows)

    def start(self, host: Host) -> None:
        """All rows of a host are loaded."""
        self.waiting += host.waiting
        if not host.parked:
            self.usable += host.waiting
        self.place(host)

    def take(self) -> tuple[Host, int] | None:
        """The best row of a host that may be asked now; it is under way until `release`."""
        if self._later:
            self._rouse()
        ready = self._ready
        while ready:
            negated, row, host = ready[0]
            if host.turn is not Turn.READY:
                heappop(ready)
                continue
            first = self._lines.first(host)
            if first is None:
                heappop(ready)
                host.turn = Turn.IDLE
            elif first != (negated, row):
                heapreplace(ready, (*first, host))
            elif -negated < self.floor:
                return None
            elif self._dues is not None and self._dues.due(host.name) > self._clock():
                heappop(ready)
                self.place(host)
            elif not self._hosts.has_room(host):
                heappop(ready)
                self._hold(host)
            else:
                heappop(ready)
                self._begin(host, row)
                return host, row
        return None

    def is_worth_waiting(self) -> bool:
        """Whether anything at a host that is not parked may be handed out some time."""
        if self.floor == -math.inf:
            return self.usable > 0
        firsts = (self._lines.first(host) for host in self._hosts if host.waiting and not host.parked)
        return any(first is not None and -first[0] >= self.floor for first in firsts)

    def release(self, host: Host) -> None:
        """A row of this host is under way no longer."""
        self.under_way -= 1
        host.busy -= 1
        self.place(host)
        if host.group is not None:
            host.group.busy -= 1
            held, host.group.held = host.group.held, []
            for other in held:
                self.place(other)

    def place(self, host: Host) -> None:
        """Find out what a host waits for, and put it where it will be found."""
        if host.parked:
            self._set_aside(host)
        elif self._dues is None:
            self._announce(host)
        elif host.busy:
            host.turn = Turn.BUSY
        elif not host.waiting:
            host.turn = Turn.IDLE
        else:
            host.due = self._dues.due(host.name)
            if host.due <= self._clock():
                self._announce(host)
            else:
                host.turn = Turn.LATER
                self._postpone(host)

    def park(self, host: Host) -> None:
        """Let a host be, whose `parked` has just been set."""
        self.usable -= host.waiting
        self._set_aside(host)

    def unpark(self, host: Host) -> None:
        """Take up a host again, whose `parked` has just been cleared."""
        self.usable += host.waiting
        self._parked(host.name, False)
        self.place(host)

    def heed(self, name: str) -> bool:
        """A host's due time has changed; whether that matters to anybody."""
        host = self._hosts.by_name.get(name)
        if host is None or host.turn not in (Turn.READY, Turn.LATER):
            return False
        self.place(host)
        return True

    def next_due(self) -> float:
        """When the next host may be asked; infinity if that hangs on something else than time."""
        while self._later:
            due, host = self._later[0]
            if host.turn is Turn.LATER and host.due == due:
                return due
            heappop(self._later)
        return math.inf

    def _set_aside(self, host: Host) -> None:
        if host.turn is not Turn.PARKED:
            host.turn = Turn.PARKED
            self._parked(host.name, True)

    def _begin(self, host: Host, row: int) -> None:
        self._lines.take_first(host)
        self.drop(host, row, UNDER_WAY)
        self.under_way += 1
        host.busy += 1
        if host.group is not None:
            host.group.busy += 1
        self.place(host)

    def _hold(self, host: Host) -> None:
        host.turn = Turn.HELD
        if host.group is not None:
            host.group.held.append(host)

    def _rouse(self) -> None:
        """Hosts whose time has come are ready."""
        now = self._clock()
        while self._later and self._later[0][0] <= now:
            due, host = heappop(self._later)
            if host.turn is Turn.LATER and host.due == due:
                self.place(host)

    def _announce(self, host: Host) -> None:
        promise = self._lines.promise(host)
        if promise is None:
            host.turn = Turn.IDLE
        else:
            host.turn = Turn.READY
            self._push_ready(promise, host)

    def _push_ready(self, key: Key, host: Host) -> None:
        heappush(self._ready, (*key, host))
        if len(self._ready) > 2 * len(self._hosts) + _SLACK:
            lines = self._lines
            self._ready[:] = [
                (*promise, other)
                for other in self._hosts
                if other.turn is Turn.READY and (promise := lines.promise(other)) is not None
            ]
            heapify(self._ready)

    def _postpone(self, host: Host) -> None:
        if host.due == math.inf:
            return  # whoever keeps it will tell when it is free
        heappush(self._later, (host.due, host))
        if len(self._later) > 2 * len(self._hosts) + _SLACK:
            self._later[:] = [
                (other.due, other)
                for other in self._hosts
                if other.turn is Turn.LATER and other.due < math.inf
            ]
            heapify(self._later)
