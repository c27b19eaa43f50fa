"""Every URL has a row: which one, on which host, found on which page, in which state, with what score.

The shelf has it all; the hashes, states, scores and lines in memory are what it takes to decide without
reading there. The ledger writes to both at once, the shelf first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.frontier.hosts import Host, Hosts
from honeyguide.frontier.rows import VISITED, WAITING, Rows
from honeyguide.frontier.schedule import Schedule
from honeyguide.frontier.shelf import Entry, Shelf
from honeyguide.graph.seen import Seen
from honeyguide.model import Candidate, Link, UrlState
from honeyguide.urls import host_of, url_hash

_STATES = {ord(state[0]): state for state in UrlState if state is not UrlState.SOURCE}


class Ledger:
    """Finds rows, makes them, and changes what is written in them."""

    def __init__(self, shelf: Shelf, rows: Rows, hosts: Hosts, schedule: Schedule) -> None:
        self._shelf = shelf
        self._rows = rows
        self._hosts = hosts
        self._schedule = schedule
        self._seen = Seen()

    def take_up(self) -> None:
        """Go on from what lies on the shelf."""
        by_id: dict[int, Host] = {}
        for host in self._shelf.hosts():
            self._hosts.add(host)
            by_id[host.id] = host
        for stock in self._shelf.stock():
            self._seen.load(stock.hashes, stock.rows)
            self._rows.load(stock.rows, stock.states, stock.scores)
            visited, counts = np.unique(stock.hosts[stock.states == VISITED], return_counts=True)
            for number, count in zip(visited.tolist(), counts.tolist(), strict=True):
                self._hosts.count_pages(by_id[number], count)
            waiting = stock.states == WAITING
            for number, rows, best in _by_host(
                stock.hosts[waiting], stock.rows[waiting], stock.scores[waiting]
            ):
                self._schedule.load(by_id[number], rows, best)
        for host in self._hosts:
            self._hosts.review(host)
            self._schedule.start(host)

    def find(self, url: str) -> int:
        """The row of a URL, 0 if it has none."""
        return self._seen.find_one(url_hash(url))

    def find_all(self, hashes: Sequence[int]) -> list[int]:
        """The rows of URLs by their hashes, 0 for those that have none."""
        return self._seen.find(hashes)

    def state_of(self, url: str) -> UrlState | None:
        """What has become of a URL; None if it is unknown or under way."""
        return _STATES.get(self._rows.states[self.find(url)])

    def host(self, name: str) -> Host:
        """The host of this name, which need not have been met before."""
        host = self._hosts.by_name.get(name)
        if host is None:
            host = self._hosts.meet(name)
            self._shelf.add_host(host)
            self._schedule.place(host)
        return host

    def queue(self, fresh: Mapping[int, Candidate], sources: Mapping[str, int]) -> None:
        """Let URLs wait that were never seen, given by their hashes."""
        first = len(self._rows) + 1
        add = self._schedule.add
        for row, host in enumerate(self._insert(fresh, sources, UrlState.WAITING), first):
            add(host, row)

    def queue_source(self, row: int, candidate: Candidate, source: int) -> None:
        """Let a URL wait that was known as the source of links only."""
        self._shelf.rewrite([(row, source, candidate)])
        self._rows.scores[row] = candidate.score
        self._schedule.add_again(self.host(host_of(candidate.url)), row)

    def rewrite(self, changed: Mapping[int, Candidate]) -> None:
        """Replace candidates that wait."""
        sources = self.source_rows(changed.values())
        self._shelf.rewrite([(row, sources[one.link.source], one) for row, one in changed.items()])
        for row, one in changed.items():
            self._schedule.move(self.host(host_of(one.url)), row, one.score)

    def rescore(self, changed: Sequence[tuple[int, str, float]]) -> None:
        """Give waiting rows other scores."""
        self._shelf.rescore([(row, score) for row, _, score in changed])
        for row, url, score in changed:
            self._schedule.move(self.host(host_of(url)), row, score)

    def note(self, candidate: Candidate, state: UrlState, reason: str = "") -> int:
        """Write down what has become of a URL that is not to wait (any more); returns its row."""
        sources = self.source_rows([candidate])
        row = self.find(candidate.url)
        if not row:
            self._insert({url_hash(candidate.url): candidate}, sources, state, reason)
            return len(self._rows)
        self._shelf.close_row(row, state, source=sources[candidate.link.source], reason=reason)
        if self._rows.states[row] == WAITING:
            self._schedule.drop(self.host(host_of(candidate.url)), row, ord(state[0]))
        self._rows.states[row] = ord(state[0])
        return row

    def source_rows(self, candidates: Iterable[Candidate]) -> dict[str, int]:
        """The rows of the pages that links were found on; a page never heard of gets one."""
        rows = {"": 0}
        for candidate in candidates:
            source = candidate.link.source
            if source not in rows:
                row = self.find(source)
                if not row:
                    self._insert({url_hash(source): Candidate(Link(source), 0.0)}, rows, UrlState.SOURCE)
                    row = len(self._rows)
                rows[source] = row
        return rows

    def _insert(
        self, fresh: Mapping[int, Candidate], sources: Mapping[str, int], state: UrlState, reason: str = ""
    ) -> list[Host]:
        """Give URLs that were never seen the next rows; returns their hosts."""
        first = len(self._rows) + 1
        hosts = [self.host(host_of(one.link.url)) for one in fresh.values()]
        self._shelf.add(
            [
                Entry(row, key, host.id, sources[one.link.source], state, one, reason)
                for row, (host, (key, one)) in enumerate(zip(hosts, fresh.items(), strict=True), first)
            ]
        )
        self._seen.add(list(fresh), first)
        self._rows.append(state, [one.score for one in fresh.values()])
        return hosts


def _by_host(
    hosts: NDArray[np.int32], rows: NDArray[np.uint32], scores: NDArray[np.float64]
) -> Iterator[tuple[int, NDArray[np.uint32], float]]:
    """Each host with its rows and the best of their scores."""
    if not len(rows):
        return
    order = hosts.argsort(kind="stable")
    hosts, rows = hosts[order], rows[order]
    starts = np.flatnonzero(np.diff(hosts, prepend=-1))
    best = np.maximum.reduceat(scores[order], starts).tolist()
    ends = [*starts[1:].tolist(), len(rows)]
    for number, start, end, score in zip(hosts[starts].tolist(), starts.tolist(), ends, best, strict=True):
        yield number, rows[start:end], score
