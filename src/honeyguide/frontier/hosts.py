"""The hosts of a crawl: what became of the requests to each, and which of them are not asked any more."""

import math
from array import array
from collections.abc import Iterator
from enum import IntEnum

from honeyguide.errors import ErrorKind
from honeyguide.model import Visit
from honeyguide.urls import domain_of

_UNREACHABLE = frozenset(
    (
        ErrorKind.DNS,
        ErrorKind.CONNECT,
        ErrorKind.TLS,
        ErrorKind.TIMEOUT,
        ErrorKind.STALLED,
        ErrorKind.PROTOCOL,
        ErrorKind.ROBOTS_UNREACHABLE,
    )
)
_CAP, _FAILING = "cap:", "failing:"
BLOCKED = "blocked:"
"""How the reason begins why a host is parked; only who has blocked one can unblock it."""

EVERYTHING = (math.inf, 1 << 62)


class Turn(IntEnum):
    """What a host waits for."""

    IDLE = 0
    """something to fetch"""
    READY = 1
    """nothing: it may be asked now"""
    LATER = 2
    """its time to come"""
    BUSY = 3
    """a request to end"""
    HELD = 4
    """requests under way to show whether its cap is reached"""
    PARKED = 5
    """somebody to change their mind"""


class Domain:
    """The hosts of one registered domain, counted together against its cap."""

    __slots__ = ("busy", "held", "hosts", "pages")

    def __init__(self) -> None:
        self.hosts: list[Host] = []
        self.held: list[Host] = []
        self.pages = 0
        self.busy = 0


class Host:
    """One host: its counters, its turn, and its part of the queue.

    `heap` has its best waiting rows as (-score, row), all that are not worse than `edge`; `pile` has
    the numbers of the others, in no order.
    """

    __slots__ = (
        "busy",
        "domain",
        "due",
        "edge",
        "failures",
        "group",
        "heap",
        "id",
        "name",
        "pages",
        "parked",
        "pile",
        "relevant",
        "streak",
        "turn",
        "visits",
        "waiting",
    )

    def __init__(
        self,
        id: int,
        name: str,
        domain: str,
        visits: int = 0,
        relevant: int = 0,
        failures: int = 0,
        streak: int = 0,
        parked: str = "",
    ) -> None:
        self.id = id
        self.name = name
        self.domain = domain
        self.visits = visits
        self.relevant = relevant
        self.failures = failures
        self.streak = streak
        self.parked = parked
        self.pages = 0
        self.waiting = 0
        self.busy = 0
        self.turn = Turn.IDLE
        self.due = 0.0
        self.group: Domain | None = None
        self.heap: list[tuple[float, int]] = []
        self.pile: array[int] | None = None
        self.edge: tuple[float, int] = EVERYTHING

    def __lt__(self, other: "Host") -> bool:
        return self.id < other.id


class Hosts:
    """All hosts by name, and the rules that park one: failing again and again, or a cap."""

    def __init__(self, *, park_after: int, host_cap: int, domain_cap: int) -> None:
        self._park_after = park_after
        self._host_cap = host_cap
        self._domain_cap = domain_cap
        self._domains: dict[str, Domain] = {}
        self._last_id = 0
        self.by_name: dict[str, Host] = {}

    def __len__(self) -> int:
        return len(self.by_name)

    def __iter__(self) -> Iterator[Host]:
        return iter(self.by_name.values())

    def meet(self, name: str) -> Host:
        """A host never seen before; it is parked at once if its domain has had its pages."""
        host = Host(self._last_id + 1, name, domain_of(name))
        self.add(host)
        host.parked = self._cap_reached(host)
        return host

    def add(self, host: Host) -> None:
        """Take in a host as it was stored."""
        self.by_name[host.name] = host
        self._last_id = max(self._last_id, host.id)
        if self._domain_cap:
            host.group = self._domains.setdefault(host.domain, Domain())
            host.group.hosts.append(host)

    def count_pages(self, host: Host, pages: int) -> None:
        """Count pages that were visited; negative when they are to be visited again."""
        host.pages += pages
        if host.group:
            host.group.pages += pages

    def review(self, host: Host) -> None:
        """Park for a cap whoever has reached it and nobody else; caps may have changed since it was stored."""
        if not host.parked or host.parked.startswith(_CAP):
            host.parked = self._cap_reached(host)

    def has_room(self, host: Host) -> bool:
        """Whether another request to a host stays within its caps, if all under way succeed."""
        if self._host_cap and host.pages + host.busy >= self._host_cap:
            return False
        group = host.group
        return group is None or group.pages + group.busy < self._domain_cap

    def note(self, visit: Visit, host: Host) -> list[Host]:
        """Count a visit; returns the hosts that are to be parked for it, with `parked` set."""
        host.visits += 1
        host.relevant += visit.relevant
        host.failures += visit.error is not None
        self.count_pages(host, 1)
        if _failed(visit):
            host.streak += 1
        elif visit.error is None or visit.status:
            host.streak = 0
        group = host.group
        full = group.hosts if group and group.pages >= self._domain_cap else [host]
        parked = [other for other in full if not other.parked and self._cap_reached(other)]
        for other in parked:
            other.parked = self._cap_reached(other)
        if self._park_after and host.streak >= self._park_after and not host.parked:
            host.parked = f"{_FAILING} {host.streak} times in a row, last: {describe(visit)}"
            parked.append(host)
        return parked

    def forgive(self) -> list[Host]:
        """Let hosts that were failing, and those below their caps again, have another chance."""
        forgiven = []
        for host in self:
            if host.streak or host.parked.startswith((_CAP, _FAILING)):
                host.streak = 0
                host.parked = "" if host.parked.startswith(_FAILING) else host.parked
                self.review(host)
                forgiven.append(host)
        return forgiven

    def _cap_reached(self, host: Host) -> str:
        if self._host_cap and host.pages >= self._host_cap:
            return f"{_CAP} {self._host_cap} pages"
        if host.group and host.group.pages >= self._domain_cap:
            return f"{_CAP} {self._domain_cap} pages"
        return ""


def describe(visit: Visit) -> str:
    """What went wrong with a visit, in a word or two; nothing if nothing did."""
    if visit.error is None:
        return ""
    return f"status {visit.status}" if visit.error is ErrorKind.STATUS else str(visit.error)


def _failed(visit: Visit) -> bool:
    return visit.error in _UNREACHABLE or visit.status >= 500
