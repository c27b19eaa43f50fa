"""Notices transfers of which nothing more comes.

Curl has a minimum speed of its own, but does not look at a silent transfer while it has several.
"""

import asyncio
from typing import Any

from honeyguide.errors import ErrorKind, FetchError
from honeyguide.fetch.transfer import Transfer


class StallWatch:
    """Ends a transfer with an error when it stays below a speed for a time.

    It looks twice in that time, so that an answer which begins late has time to show its speed.
    """

    __slots__ = ("_before", "_future", "_speed", "_timeout", "_timer", "_transfer", "_was_slow")

    def __init__(
        self, transfer: Transfer, future: asyncio.Future[Any], *, speed: float, timeout: float
    ) -> None:
        self._transfer = transfer
        self._future = future
        self._speed = speed
        self._timeout = timeout
        self._before = 0
        self._was_slow = False
        self._timer = future.get_loop().call_later(timeout / 2, self._look)

    def stop(self) -> None:
        """The transfer is over."""
        self._timer.cancel()

    def _look(self) -> None:
        received = self._transfer.received
        is_slow = received - self._before < self._speed * self._timeout / 2
        if is_slow and self._was_slow:
            if not self._future.done():
                detail = f"under {self._speed:g} bytes a second for {self._timeout:g} s"
                self._future.set_exception(FetchError(ErrorKind.STALLED, detail, transient=True))
            return
        self._before, self._was_slow = received, is_slow
        self._timer = self._future.get_loop().call_later(self._timeout / 2, self._look)
