"""Waiting without polling: whoever waits sleeps until something changes or a time has come."""

import asyncio
import math
from collections import deque
from collections.abc import Awaitable, Callable


class Doorbell:
    """Wakes those who wait one at a time, in the order they came; whoever is woken decides whether to ring on."""

    def __init__(self, *, clock: Callable[[], float], sleep: Callable[[float], Awaitable[object]]) -> None:
        self._clock = clock
        self._sleep = sleep
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._alarm: asyncio.Task[None] | None = None
        self._alarm_at = math.inf

    def ring(self) -> None:
        """Wake one of those who wait."""
        while self._waiting:
            one = self._waiting.popleft()
            if not one.done():
                one.set_result(None)
                return

    async def wait(self, until: float = math.inf) -> None:
        """Return when the bell rings, or when the clock shows `until`."""
        one: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(one)
        self._set_alarm(until)
        try:
            await one
        except asyncio.CancelledError:
            if not one.cancelled():
                self.ring()  # it was meant for someone who can still act on it
            elif one in self._waiting:
                self._waiting.remove(one)
            raise
        finally:
            if not self._waiting:
                self._cancel_alarm()

    def _set_alarm(self, until: float) -> None:
        if until < self._alarm_at:
            self._cancel_alarm()
            self._alarm_at = until
            self._alarm = asyncio.create_task(self._ring_at(until))

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._alarm_at = None, math.inf

    async def _ring_at(self, until: float) -> None:
        await self._sleep(max(0.0, until - self._clock()))
        self._alarm, self._alarm_at = None, math.inf
        self.ring()
