"""How long hosts have given nothing: whatever their links promise, after a while others have their turn."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.strategies.yields import with_room

Numbers = NDArray[np.int32]

PAGES = 20
"""Pages in a row that a host may give for nothing."""


class Patience:
    """Counts the pages that each host gave since the last good one, or since one of its pages led to a good one, and
    how often it answered that there is none.

    Patience with a host is lost whenever these are as many as `PAGES` and one more for every good page that it gave,
    again and again. There is no end to that, so no site keeps a crawl, whatever its menus say; and where all hosts
    give nothing, they take turns.
    """

    def __init__(self, *, places: int) -> None:
        self._runs = np.zeros(places, np.int32)
        self._good = np.zeros(places, np.int32)
        self._paid = np.zeros(places, np.int32)
        self._missing = np.zeros(places, np.int32)
        self._hosts = np.zeros(0, np.int32)
        self._is_good = np.zeros(0, np.bool_)
        self._count = 0

    def arrive(self, host: int, *, is_good: bool, way: Sequence[int] = ()) -> None:
        """Take in a page of a host, and the pages on the way to it by number."""
        number = self._count
        self._count += 1
        self._hosts = with_room(self._hosts, self._count)
        self._is_good = with_room(self._is_good, self._count)
        self._hosts[number], self._is_good[number] = host, is_good
        self._good[host] += is_good
        self._runs[host] += 1
        if is_good:
            fruitful = self._hosts[[number, *way]]
            self._runs[fruitful], self._paid[fruitful], self._missing[fruitful] = 0, self._count, 0

    def miss(self, host: int) -> None:
        """Take in that a host answered, and gave no page that was new."""
        self._missing[host] += 1

    def rejudge(self, is_good: Mapping[int, bool]) -> None:
        """Some pages, by number, are good or not after all."""
        self._is_good[list(is_good)] = list(is_good.values())
        self._recount()

    def lost(self, hosts: Numbers) -> Numbers:
        """How many times patience with some hosts was lost."""
        runs = self._runs.take(hosts) + self._missing.take(hosts)
        return np.asarray(runs // (PAGES + self._good.take(hosts)))

    def _recount(self) -> None:
        """Work out, from all pages, how many good ones every host gave, and how many since the last."""
        places = len(self._runs)
        hosts, is_good = self._hosts[: self._count], self._is_good[: self._count]
        numbers = np.arange(1, self._count + 1, dtype=np.int32)
        since = self._paid.copy()
        np.maximum.at(since, hosts[is_good], numbers[is_good])
        self._good[:] = np.bincount(hosts[is_good], minlength=places)
        self._runs[:] = np.bincount(hosts[numbers > since.take(hosts)], minlength=places)

    def state(self) -> Mapping[str, Any]:
        """All of it as arrays."""
        paid, missing = np.flatnonzero(self._paid), np.flatnonzero(self._missing)
        return {
            "hosts": self._hosts[: self._count].copy(),
            "good": self._is_good[: self._count].astype(np.int8),
            "paid": paid,
            "paid_at": self._paid[paid],
            "missing": missing,
            "missing_of": self._missing[missing],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._hosts = state["hosts"].astype(np.int32)
        self._is_good = state["good"].astype(np.bool_)
        self._count = len(self._hosts)
        self._paid[:] = self._missing[:] = 0
        self._paid[state["paid"]] = state["paid_at"]
        self._missing[state["missing"]] = state["missing_of"]
        self._recount()
