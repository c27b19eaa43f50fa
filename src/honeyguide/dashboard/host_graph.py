"""Which hosts link to which: the links between visited pages, summed up by host, behind the scenes and kept.

A link counts when the page it is on is the newest visit of its URL, and the page it leads to was visited too. All
links are looked through whenever many have come, half a second for each million and less.
"""

import logging
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from honeyguide.dashboard.cache import Cache
from honeyguide.dashboard.links import LinkReader
from honeyguide.dashboard.visit_columns import Columns

LOG = logging.getLogger(__name__)

FILE = "host-links.npz"
CHUNK = 1 << 20
ON_THE_SPOT = 400_000
"""Links that are summed up while somebody waits."""

GROWN = 1.05
PAUSE = 20
"""Times as long as it took to sum them up pass before links are summed up again."""

MOST_PICTURES = 8

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Drawn = tuple[Floats, Floats, list[tuple[int, int, int]]]
"""Places and radii of hosts, and the links that are drawn."""


@dataclass(frozen=True)
class HostLinks:
    """How many links lead from one host to another; `links` is how many were looked through."""

    sources: Ints
    targets: Ints
    counts: Ints
    links: int

    @classmethod
    def none(cls) -> "HostLinks":
        """Before any was looked at."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, nothing, nothing, 0)


class HostGraph:
    """Keeps the links between the hosts of one crawl."""

    def __init__(self, cache: Cache | None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = cache.folder / FILE if cache else None
        self._clock = clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._now = self._load()
        self._pictures: dict[Hashable, Drawn] = {}
        self._not_before = -np.inf

    def at_hand(self, columns: Columns, links: LinkReader) -> HostLinks:
        """The newest there is; if much has come since, it is summed up anew, behind the scenes if that takes long."""
        with self._lock:
            count = links.count
            grown = count > GROWN * self._now.links or (count and not self._now.links)
            if self._thread is None and grown and self._clock() >= self._not_before:
                if count <= ON_THE_SPOT:
                    self._sum_up(columns, links)
                else:
                    self._thread = threading.Thread(
                        target=self._behind_the_scenes, args=(columns, links), name="hosts", daemon=True
                    )
                    self._thread.start()
        return self._now

    def picture(self, key: Hashable, draw: Callable[[], Drawn]) -> Drawn:
        """What was drawn last for a key, or else is drawn now."""
        with self._lock:
            if key in self._pictures:
                return self._pictures[key]
        drawn = draw()
        with self._lock:
            self._pictures[key] = drawn
            while len(self._pictures) > MOST_PICTURES:
                del self._pictures[next(iter(self._pictures))]
        return drawn

    @property
    def working(self) -> bool:
        """Whether links are being summed up."""
        return self._thread is not None

    def _behind_the_scenes(self, columns: Columns, links: LinkReader) -> None:
        try:
            self._sum_up(columns, links)
        except (OSError, ValueError) as error:
            LOG.warning("the links between hosts could not be summed up: %s", error)
        finally:
            self._thread = None

    def _sum_up(self, columns: Columns, links: LinkReader) -> None:
        started = self._clock()
        self._now = sum_up(columns, links)
        self._not_before = self._clock() + PAUSE * (self._clock() - started)
        self._save()

    def _load(self) -> HostLinks:
        if self._file is None:
            return HostLinks.none()
        try:
            with np.load(self._file, allow_pickle=False) as arrays:
                return HostLinks(arrays["sources"], arrays["targets"], arrays["counts"], int(arrays["links"]))
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return HostLinks.none()

    def _save(self) -> None:
        if self._file is None:
            return
        try:
            draft = Path(f"{self._file}.draft")
            with draft.open("wb") as stream:
                np.savez(
                    stream,
                    sources=self._now.sources,
                    targets=self._now.targets,
                    counts=self._now.counts,
                    links=np.int64(self._now.links),
                )
            draft.replace(self._file)
        except OSError as error:
            LOG.info("the links between hosts are not kept: %s", error)


def sum_up(columns: Columns, links: LinkReader) -> HostLinks:
    """How many links lead from each host to each other one."""
    visits, targets = links.rows()
    hashes = links.hashes
    known = columns.standing & (columns.url < len(hashes))
    keys, hosts = hashes[columns.url[known]], columns.host[known].astype(np.int64)
    order = keys.argsort()
    keys, hosts = keys[order], hosts[order]
    if not len(keys) or not len(visits):
        return HostLinks(*(np.zeros(0, np.int64),) * 3, len(visits))
    host_of = np.full(int(columns.visit[-1]) + 1, -1, np.int64)
    host_of[columns.visit[columns.standing]] = columns.host[columns.standing]
    size = int(columns.host.max()) + 1
    sums = _Sums()
    for start in range(0, len(targets), CHUNK):
        chunk = targets[start : start + CHUNK]
        numbers = visits[start : start + CHUNK]
        sources = host_of[np.where(numbers < len(host_of), numbers, 0)]
        by_target = chunk.argsort()  # looking up sorted keys in sorted keys keeps the processor's cache warm
        sources, chunk = sources[by_target], chunk[by_target]
        places = np.minimum(keys.searchsorted(chunk), len(keys) - 1)
        leads = hosts[places]
        between = (keys[places] == chunk) & (sources >= 0) & (sources != leads)
        sums.add(sources[between] * size + leads[between])
    pairs, counts = sums.total()
    return HostLinks(pairs // size, pairs % size, counts, len(targets))


class _Sums:
    """Counts numbers that come in many portions."""

    def __init__(self) -> None:
        self._numbers: list[Ints] = [np.zeros(0, np.int64)]
        self._counts: list[Ints] = [np.zeros(0, np.int64)]

    def add(self, numbers: Ints) -> None:
        some, times = np.unique(numbers, return_counts=True)
        self._numbers.append(some)
        self._counts.append(times)
        if sum(map(len, self._numbers)) > 2 * len(self._numbers[0]) + 8 * CHUNK:
            self.total()

    def total(self) -> tuple[Ints, Ints]:
        """Every number once, and how often it came."""
        numbers, counts = np.concatenate(self._numbers), np.concatenate(self._counts)
        order = numbers.argsort(kind="stable")
        numbers, counts = numbers[order], counts[order]
        starts = np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1))
        self._numbers = [numbers[starts]]
        self._counts = [np.add.reduceat(counts, starts) if len(starts) else counts]
        return self._numbers[0], self._counts[0]
