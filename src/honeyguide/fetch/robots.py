"""Whether a URL may be fetched: each origin's robots.txt, asked for once a day and obeyed (RFC 9309).

What the answer to the request for it means:

    2xx                                 its rules hold
    4xx, or redirects that lead nowhere there are no rules: everything is allowed
    5xx, 429, or no answer              nothing is allowed until it can be read, or `patience` ends
"""

import asyncio
import math
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol
from weakref import WeakValueDictionary

from honeyguide.errors import ErrorKind, FetchError, Refusal
from honeyguide.fetch.robots_rules import Rules
from honeyguide.model import Response
from honeyguide.urls import canonical, host_of, origin_of

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_LASTING = frozenset((ErrorKind.DNS, ErrorKind.TLS))
"""Failures that, unless said to pass, are those of every page there and not of its robots.txt alone."""

_parts_of = re.compile(r"[^:/?#]+://[^/?#]*([^#]*)").match


class Gate(Protocol):
    """Whoever decides when a host may be asked."""

    def slow_down(self, host: str, seconds: float) -> None: ...

    def back_off(self, host: str, seconds: float) -> None: ...


class _Answer(NamedTuple):
    """What an origin's robots.txt came to, until when that stands, and since when it cannot be had."""

    rules: Rules
    until: float
    since: float = math.inf
    trouble: str = ""
    transient: bool = True
    status: int = 0


class Robots:
    """Says which URLs may be fetched; asks an origin for its robots.txt when first needed.

    `get` fetches one URL without following redirects; `memory` bounds, in bytes, how much is remembered.
    """

    def __init__(
        self,
        *,
        get: Callable[[str], Awaitable[Response]],
        gate: Gate,
        product: str,
        ttl: float = 86_400.0,
        retry_after: float = 60.0,
        patience: float = 30 * 86_400.0,
        max_redirects: int = 5,
        limit: int = 500 * 1024,
        max_delay: float = 60.0,
        memory: int = 64 << 20,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._get = get
        self._gate = gate
        self._product = product.lower()
        self._ttl = ttl
        self._retry_after = retry_after
        self._patience = patience
        self._max_redirects = max_redirects
        self._limit = limit
        self._max_delay = max_delay
        self._memory = memory
        self._clock = clock
        self._answers: OrderedDict[str, _Answer] = OrderedDict()
        self._weight = 0
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def check(self, url: str) -> None:
        """Return if the URL may be fetched; else raise Refusal, or FetchError while that cannot be known."""
        target = _target_of(url)
        if target == "/robots.txt":
            return
        origin = origin_of(url)
        answer = self._standing(origin) or await self._learn(origin)
        if answer.trouble:
            raise FetchError(
                ErrorKind.ROBOTS_UNREACHABLE, answer.trouble, transient=answer.transient, status=answer.status
            )
        rule = answer.rules.match(target)
        if rule is not None and not rule.allow:
            raise Refusal(ErrorKind.ROBOTS, rule.text)

    def explain(self, url: str) -> str:
        """The line that decides about a URL, or why it cannot be read; "" when nothing known speaks of it."""
        answer = self._answers.get(origin_of(url))
        if answer is None:
            return ""
        rule = answer.rules.match(_target_of(url))
        return answer.trouble or (rule.text if rule else "")

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """The sitemaps that the URL's origin names, as far as its robots.txt is known."""
        answer = self._answers.get(origin_of(url))
        return answer.rules.sitemaps if answer else ()

    def _standing(self, origin: str) -> _Answer | None:
        answer = self._answers.get(origin)
        if answer is None or answer.until <= self._clock():
            return None
        self._answers.move_to_end(origin)
        return answer

    async def _learn(self, origin: str) -> _Answer:
        """Ask, unless someone is asking already; if that one is cancelled, the next who waits asks."""
        lock = self._asking.get(origin)
        if lock is None:
            lock = self._asking[origin] = asyncio.Lock()
        async with lock:
            answer = self._standing(origin)
            if answer is None:
                answer = await self._ask(origin, self._answers.get(origin))
                self._remember(origin, answer)
        return answer

    async def _ask(self, origin: str, earlier: _Answer | None) -> _Answer:
        asked = self._clock()
        try:
            rules = await self._fetch(origin)
        except FetchError as error:
            now = self._clock()
            since = min(asked, earlier.since) if earlier else asked
            self._gate.back_off(host_of(origin), self._retry_after)
            return _Answer(
                rules=earlier.rules if earlier else Rules(),
                until=now + self._retry_after,
                since=since,
                trouble=str(error) if now - since < self._patience else "",
                transient=error.transient or error.kind not in _LASTING,
                status=error.status,
            )
        if rules.delay or (earlier and earlier.rules.delay):
            self._gate.slow_down(host_of(origin), min(rules.delay, self._max_delay))
        return _Answer(rules, until=self._clock() + self._ttl)

    async def _fetch(self, origin: str) -> Rules:
        url = start = f"{origin}/robots.txt"
        passed: set[str] = set()
        while url not in passed and len(passed) <= self._max_redirects:
            try:
                response = await self._get(url)
            except Refusal:
                if url == start:
                    raise
                break
            passed.add(url)
            status = response.status
            if 200 <= status < 300:
                complete = len(response.body) <= self._limit and not response.truncated
                body = response.body[: self._limit]
                return Rules.read(body, self._product, base=start, complete=complete)
            if status not in range(300, 500) or status == 429:
                raise FetchError(ErrorKind.STATUS, f"{url} answered {status}", transient=True, status=status)
            if status not in _REDIRECTS:
                break
            location = next((value for name, value in response.headers if name.lower() == "location"), "")
            url = canonical(location, url) or url
        return Rules()

    def _remember(self, origin: str, answer: _Answer) -> None:
        old = self._answers.pop(origin, None)
        self._answers[origin] = answer
        self._weight += answer.rules.weight - (old.rules.weight if old else 0)
        while self._weight > self._memory and len(self._answers) > 1:
            self._weight -= self._answers.popitem(last=False)[1].rules.weight


def _target_of(url: str) -> str:
    """The path and query of a URL, which is what rules speak of."""
    parts = _parts_of(url)
    target = parts[1] if parts else ""
    return target if target.startswith("/") else f"/{target}"
