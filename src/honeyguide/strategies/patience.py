"""How long hosts have given nothing: whatever their links promise, after a while others have their turn."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.strategies.yields import with_room

Numbers = NDArray[np.int32]

PAGES = 20
"""Pages in a row that a host may give for nothing."""


class Patience:
    """Counts the pages that each host gave since the last good one.

    Patience with a host is lost whenever these are as many as `PAGES` and one more for every good page that it gave,
    again and again. There is no end to that, so no site keeps a crawl, whatever its menus say; and where all hosts
    give nothing, they take turns.
    """

    def __init__(self, *, places: int) -> None:
        self._runs = np.zeros(places, np.int32)
        self._good = np.zeros(places, np.int32)
        self._hosts = np.zeros(0, np.int32)

    def arrive(self, number: int, host: int, *, is_good: bool) -> None:
        """Take in a page of a host."""
        self._hosts = with_room(self._hosts, number + 1)
        self._hosts[number] = host
        self._good[host] += is_good
        self._runs[host] = 0 if is_good else self._runs[host] + 1

    def pay(self, page: int) -> None:
        """A page led to good ones, so its host did not give it for nothing."""
        self._runs[self._hosts[page]] = 0

    def lost(self, hosts: Numbers) -> Numbers:
        """How many times patience with some hosts was lost."""
        return np.asarray(self._runs.take(hosts) // (PAGES + self._good.take(hosts)))

    def state(self) -> Mapping[str, Any]:
        """All of it as arrays."""
        used = np.flatnonzero(self._runs | self._good)
        return {
            "used": used,
            "runs": self._runs[used],
            "good": self._good[used],
            "hosts": self._hosts.copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._runs[:] = self._good[:] = 0
        self._runs[state["used"]], self._good[state["used"]] = state["runs"], state["good"]
        self._hosts = state["hosts"].astype(np.int32)
