"""When a host may be asked: the one place that decides it.

A host is acquired, not a URL. Whoever wants to send a request takes the host's turn, and with it the
turn of the address the host lives at; nobody else gets either until the turn ends and the pause after
it is over. So politeness holds by construction, however many workers there are.

The life of a turn: it queues for the host, waits out the host's pause, queues for the address, waits
out the address's pause, and only then begins. A host that is set back by hours is waited for without
holding its address, which may serve thousands of others.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

_SHORTEST_SLEEP = 0.001
"""Timers are no finer; a sleep shorter than what a clock can tell would be repeated without end."""

_SWEEP_AT = 1024


class _Line:
    """A line in front of a host or an address: one at a time, first come, first served."""

    __slots__ = ("__weakref__", "_lock", "due", "size")

    def __init__(self) -> None:
        self.due = 0.0
        self.size = 0
        self._lock: asyncio.Lock | None = None

    async def __aenter__(self) -> None:
        self.size += 1
        lock = self._lock = self._lock or asyncio.Lock()
        try:
            await lock.acquire()
        except BaseException:
            self._leave()
            raise

    async def __aexit__(self, *_: object) -> None:
        assert self._lock is not None
        self._lock.release()
        self._leave()

    def _leave(self) -> None:
        self.size -= 1
        if not self.size:
            self._lock = None


class _Address(_Line):
    """Also knows the hosts that were said to be not due because of it, and tells when they may be again."""

    __slots__ = ("_tell", "asked_for")

    def __init__(self, tell: Callable[[Iterable[str]], None]) -> None:
        super().__init__()
        self.asked_for: dict[str, None] = {}
        self._tell = tell

    def _leave(self) -> None:
        super()._leave()
        if not self.size and self.asked_for:
            hosts, self.asked_for = self.asked_for, {}
            self._tell(hosts)


class _Host(_Line):
    __slots__ = ("address", "crawl_delay", "ended", "place", "refusals")

    def __init__(self) -> None:
        super().__init__()
        self.ended = -math.inf
        self.crawl_delay = 0.0
        self.refusals = 0
        self.address = ""
        self.place: _Address | None = None


class Politeness:
    """Hands out turns at hosts, spaced by `delay` seconds and by `stretch` times what the last one took.

    Never more than one request at a time goes to a host, nor (with `per_address`) to an address.
    `longest` bounds the stretched pause, `longest_back_off` the doubling after refusals, and
    `longest_wait` what a server may ask for with Retry-After.
    """

    def __init__(
        self,
        *,
        delay: float = 1.0,
        stretch: float = 2.0,
        longest: float = 60.0,
        per_address: bool = True,
        first_back_off: float = 5.0,
        longest_back_off: float = 3600.0,
        longest_wait: float = 86_400.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        if delay < 0 or stretch < 0:
            raise ValueError("delay and stretch cannot be negative")
        self._delay = delay
        self._stretch = stretch
        self._longest = longest
        self._per_address = per_address
        self._first_back_off = first_back_off
        self._longest_back_off = longest_back_off
        self._longest_wait = longest_wait
        self._clock = clock
        self._sleep = sleep
        self._hosts: dict[str, _Host] = {}
        # An address is remembered through the hosts that live there. That is long enough: a host's
        # pause is never shorter than the one it leaves at its address, and outlives it here.
        self._addresses: WeakValueDictionary[str, _Address] = WeakValueDictionary()
        self._subscribers: list[Callable[[str], None]] = []
        self._sweep_at = _SWEEP_AT

    @asynccontextmanager
    async def turn(self, host: str, address: str = "") -> AsyncIterator[None]:
        """Wait for the host and its address to be free and due, and hold both until the context ends."""
        line = self._host(host)
        place = self._address(address if self._per_address else "")
        try:
            async with line:
                while True:
                    await self._until_due(line)
                    async with place:
                        await self._until_due(place)
                        began = self._clock()
                        if line.due > began:
                            continue  # the host was set back while it waited for its address
                        line.address, line.place = address, place
                        try:
                            yield
                        finally:
                            self._rest(line, place, began)
                        return
        finally:
            self._announce(host)

    def due(self, host: str) -> float:
        """When a host may be asked: 0 if nothing is known of it, infinity while it or its address is busy."""
        line = self._hosts.get(host)
        if line is None:
            return 0.0
        if line.size:
            return math.inf
        place = line.place
        if place is None:
            return line.due
        if place.size:
            place.asked_for[host] = None
            return math.inf
        return line.due if line.due > place.due else place.due

    def address_of(self, host: str) -> str:
        """The address at which a host was last asked, or "" when that is not known."""
        line = self._hosts.get(host)
        return line.address if line else ""

    def subscribe(self, callback: Callable[[str], None]) -> None:
        """Have `callback` called with each host whose due time has changed, or is a time again."""
        self._subscribers.append(callback)

    def slow_down(self, host: str, seconds: float) -> None:
        """Leave at least so many seconds between requests to a host, as its robots.txt asks."""
        line = self._host(host)
        line.crawl_delay = min(_sane(seconds), self._longest_wait)
        self._set_back(host, line, line.ended + line.crawl_delay)

    def back_off(self, host: str, seconds: float | None = None) -> None:
        """Leave a host alone that refused: as long as it asked for, or twice as long as the last time."""
        line = self._host(host)
        if seconds is None:
            doubled = self._first_back_off * 2.0 ** min(line.refusals, 64)
            seconds = min(doubled, self._longest_back_off)
        line.refusals += 1
        self._set_back(host, line, self._clock() + min(_sane(seconds), self._longest_wait))

    def succeed(self, host: str) -> None:
        """A host answered as it should: the next back-off is the first again."""
        line = self._hosts.get(host)
        if line is not None:
            line.refusals = 0

    def state(self) -> dict[str, Any]:
        """Crawl-delays and pending back-offs, as seconds from now, for a crawl that is resumed."""
        now = self._clock()
        hosts = self._hosts.items()
        return {
            "crawl_delays": {host: line.crawl_delay for host, line in hosts if line.crawl_delay},
            "back_offs": {
                host: [max(0.0, line.due - now), line.refusals] for host, line in hosts if line.refusals
            },
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up a state that `state` gave."""
        now = self._clock()
        for host, seconds in state.get("crawl_delays", {}).items():
            self.slow_down(host, seconds)
        for host, (seconds, refusals) in state.get("back_offs", {}).items():
            line = self._host(host)
            line.refusals = refusals
            self._set_back(host, line, now + seconds)

    async def _until_due(self, line: _Line) -> None:
        while (wait := line.due - self._clock()) > 0.0:
            await self._sleep(max(wait, _SHORTEST_SLEEP))

    def _rest(self, line: _Host, place: _Address, began: float) -> None:
        ended = self._clock()
        pause = max(self._delay, min(self._stretch * (ended - began), self._longest))
        line.ended = ended
        line.due = max(line.due, ended + max(pause, line.crawl_delay))
        place.due = ended + pause

    def _set_back(self, host: str, line: _Host, until: float) -> None:
        if until > line.due:
            line.due = until
            self._announce(host)

    def _announce(self, host: str) -> None:
        # Where the answer is infinity, asking has put the host among those that its address will tell.
        if self.due(host) < math.inf:
            for callback in self._subscribers:
                callback(host)

    def _announce_all(self, hosts: Iterable[str]) -> None:
        for host in hosts:
            self._announce(host)

    def _address(self, address: str) -> _Address:
        place = self._addresses.get(address) if address else _Address(self._announce_all)
        if place is None:
            place = self._addresses[address] = _Address(self._announce_all)
        return place

    def _host(self, host: str) -> _Host:
        line = self._hosts.get(host)
        if line is None:
            if len(self._hosts) >= self._sweep_at:
                self._sweep()
            line = self._hosts[host] = _Host()
        return line

    def _sweep(self) -> None:
        """Forget hosts of which nothing is known any more than of those never asked."""
        now = self._clock()
        self._hosts = {host: line for host, line in self._hosts.items() if self._tells_something(line, now)}
        self._sweep_at = max(_SWEEP_AT, 2 * len(self._hosts))

    def _tells_something(self, line: _Host, now: float) -> bool:
        until = line.due + self._longest_back_off if line.refusals else line.due
        return line.size > 0 or line.crawl_delay > 0.0 or until > now


def _sane(seconds: float) -> float:
    return seconds if seconds > 0.0 else 0.0
