"""The life of a URL in the frontier.

A link is pushed. If nobody has seen its URL it gets the next row on the shelf and *waits* in its host's queue.
If it waits already, the strategy says which of the two stands; if it was visited, refused or turned out
to be another name of a visited page, it is forgotten. `pop` hands out the best that waits among the hosts
that may be asked now; it is *under way*, which only memory knows: after a crash it simply waits still.
`done` makes it *visited*, and what redirected to or from it an *alias*; `retry` lets it wait again.
Where a redirect leads is not handed out while the redirect is being followed.
A host that keeps failing, has had its pages or was blocked is parked: its URLs wait, but are not handed out.
While the queue is held nothing is handed out at all.

Nothing here knows where rows are kept; that is the shelf's business.
"""

import asyncio
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar

from honeyguide.errors import ErrorKind
from honeyguide.frontier.doorbell import Doorbell
from honeyguide.frontier.hosts import BLOCKED, Host, Hosts, describe
from honeyguide.frontier.intake import Intake, as_score
from honeyguide.frontier.ledger import Ledger
from honeyguide.frontier.redirects import Redirects
from honeyguide.frontier.rows import UNDER_WAY, VISITED, WAITING, Rows
from honeyguide.frontier.schedule import Dues, Schedule
from honeyguide.frontier.shelf import Shelf
from honeyguide.model import Candidate, Link, UrlState, Visit
from honeyguide.roles import Strategy
from honeyguide.urls import host_of, url_hash

_BATCH = 1000
_PASSING = (
    "",
    ErrorKind.DNS,
    ErrorKind.CONNECT,
    ErrorKind.TLS,
    ErrorKind.TIMEOUT,
    ErrorKind.STALLED,
    ErrorKind.PROTOCOL,
    ErrorKind.ROBOTS_UNREACHABLE,
    ErrorKind.WORKER,
    *(f"status {status}" for status in (408, 425, 429, *range(500, 600))),
)
"""How visits end that may end better another time; everything else is for good."""

Where = TypeVar("Where")


class Queue(ABC, Generic[Where]):
    """Keeps what waits and hands out the best whose host may be asked (role Frontier).

    `combine`, `revise` and `refill` are the strategy's: which of two candidates for a URL stands; fresh
    scores, asked for the best `revise_top` every `revise_every` fetches; and what was held back, asked for
    before an empty queue ends the crawl. So are `refused`, told of URLs that do not wait though the strategy may
    think so, and `parked`, told of hosts that are not asked any more (True) or again (False). Without `politeness`
    hosts may be asked at any time, side by side.
    """

    def __init__(
        self,
        where: Where | None = None,
        *,
        politeness: Dues | None = None,
        combine: Callable[[Candidate, Candidate], Candidate] | None = None,
        revise: Callable[[Sequence[Candidate]], Sequence[float] | None] | None = None,
        refill: Callable[[], Iterable[Candidate]] | None = None,
        refused: Callable[[str], None] = lambda url: None,
        parked: Callable[[str, bool], None] = lambda host, is_parked: None,
        revise_every: int = 50,
        revise_top: int = 2000,
        tries: int = 3,
        park_after: int = 5,
        host_cap: int = 0,
        domain_cap: int = 0,
        in_memory: int = 1_000_000,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        is_default = getattr(revise, "__func__", None) is Strategy.revise
        self._revise = None if is_default else revise
        self._refill = refill
        self._refused = refused
        self._revise_every = revise_every
        self._revise_top = revise_top
        self._tries = tries
        self._hosts = Hosts(park_after=park_after, host_cap=host_cap, domain_cap=domain_cap)
        self._rows = Rows()
        self._schedule = Schedule(
            self._rows, self._hosts, dues=politeness, parked=parked, in_memory=in_memory, clock=clock
        )
        self._bell = Doorbell(clock=clock, sleep=sleep)
        self._under_way: dict[str, tuple[int, Host]] = {}
        self._redirects = Redirects()
        self._refilled = False
        self._held = False
        self._shelf = self._open(where)
        self._fetches = self._shelf.fetches()
        self._ledger = Ledger(self._shelf, self._rows, self._hosts, self._schedule)
        self._ledger.take_up()
        self._intake = Intake(self._ledger, self._shelf, self._rows, combine=combine, refused=refused)
        if politeness is not None:
            politeness.subscribe(self._heed)

    @abstractmethod
    def _open(self, where: Where | None) -> Shelf: ...

    def __len__(self) -> int:
        """How many URLs wait, at parked hosts too; what is under way does not."""
        return self._schedule.waiting

    def push(self, candidates: Iterable[Candidate]) -> int:
        """Queue what is new, combine what waits already, forget what was visited; returns the number new."""
        more = iter(candidates)
        new = 0
        while batch := list(islice(more, _BATCH)):
            new += self._intake.take_in(batch)
        self._bell.ring()
        return new

    async def pop(self) -> Candidate | None:
        """The best candidate whose host is due, waiting for one if need be; None when that is vain."""
        while True:
            taken = None if self._held else self._schedule.take()
            if taken is not None:
                self._refilled = False
                self._bell.ring()
                if (candidate := self._begin(*taken)) is not None:
                    return candidate
                continue
            if self._held:
                await self._bell.wait()
            elif self._schedule.under_way or self._schedule.is_worth_waiting():
                await self._bell.wait(self._schedule.next_due())
            elif not self._ask_for_more():
                self._bell.ring()
                return None

    def done(self, visit: Visit) -> None:
        """The candidate was visited, for good or ill."""
        taken = self._under_way.pop(visit.url, None)
        self._end_redirects(visit.url)
        if taken is None:
            self._ledger.note(visit.candidate, UrlState.VISITED, describe(visit))
            host = self._ledger.host(host_of(visit.url))
        else:
            row, host = taken
            self._shelf.close_row(row, UrlState.VISITED, reason=describe(visit))
            self._rows.states[row] = VISITED
        self._note_aliases(visit)
        for other in self._hosts.note(visit, host):
            self._schedule.park(other)
            self._shelf.save_host(other)
        self._shelf.save_host(host)
        if taken is not None:
            self._schedule.release(host)
        if visit.status > 0:  # a miss costs nothing and brings nothing new to score by
            self._fetches += 1
            if self._revise_every and self._fetches % self._revise_every == 0:
                self.rescore(everything=False)
        self._bell.ring()

    def retry(self, candidate: Candidate) -> bool:
        """Queue a candidate that failed for a passing reason again; False when it has had its tries."""
        row, host = self._under_way[candidate.url]
        if self._shelf.count_attempt(row) >= self._tries:
            return False
        del self._under_way[candidate.url]
        self._end_redirects(candidate.url)
        self._schedule.add_again(host, row)
        self._schedule.release(host)
        self._bell.ring()
        return True

    def refuse(self, link: Link, reason: str, depth: int = 0) -> None:
        """Note why a URL is not queued, unless it is known; one that waits goes on waiting."""
        state = self.knows(link.url)
        if state is None:
            self._ledger.note(Candidate(link, 0.0, depth), UrlState.REFUSED, reason)
        if state is not UrlState.WAITING:
            self._refused(link.url)

    def id_of(self, url: str) -> int | None:
        """The number of a URL's row, if it has one."""
        return self._ledger.find(url) or None

    def knows(self, url: str) -> UrlState | None:
        """What has become of a URL; while it is under way it counts as waiting."""
        return UrlState.WAITING if url in self._under_way else self._ledger.state_of(url)

    def visited(self, url: str) -> bool:
        """Whether a URL was visited."""
        return self._rows.states[self._ledger.find(url)] == VISITED

    def under_way(self, url: str) -> bool:
        """Whether a URL was handed out and has not come back, or one that was is redirected to it."""
        return url in self._under_way or url in self._redirects

    def redirected(self, source: str, target: str) -> None:
        """A URL under way is being followed to another, which is not handed out until that has ended."""
        self._redirects.follow(source, target)

    def standing(self, urls: Sequence[str]) -> list[Candidate | None]:
        """URLs as they wait; None for those that do not."""
        states = self._rows.states
        rows = self._ledger.find_all([url_hash(url) for url in urls])
        waiting = [row for row in rows if states[row] == WAITING]
        found = dict(zip(waiting, self._shelf.read(waiting), strict=True))
        return [found.get(row) for row in rows]

    def top(self, count: int) -> list[Candidate]:
        """The best that wait, over all hosts, due or not."""
        return self._shelf.read(self._rows.best(count)) if count > 0 else []

    def hosts_waiting(self) -> list[tuple[str, int]]:
        """The hosts with something waiting that are not parked, and how much; most first."""
        usable = [(host.name, host.waiting) for host in self._hosts if host.waiting and not host.parked]
        return sorted(usable, key=lambda pair: (-pair[1], pair[0]))

    def parked(self) -> list[tuple[str, str, int]]:
        """The parked hosts, why, and how much waits there."""
        return sorted((host.name, host.parked, host.waiting) for host in self._hosts if host.parked)

    def hold(self) -> None:
        """Hand out nothing until `let_go`; whoever pops waits, even if nothing is left."""
        self._held = True

    def let_go(self) -> None:
        """Hand out again."""
        self._held = False
        self._bell.ring()

    def block(self, name: str, why: str) -> int:
        """Park a host until it is unblocked, whoever opens the frontier; returns how many URLs wait there."""
        self.park(name, f"{BLOCKED} {why}")
        return self._ledger.host(name).waiting

    def is_blocked(self, name: str) -> bool:
        """Whether somebody has blocked a host."""
        host = self._hosts.by_name.get(name)
        return host is not None and host.parked.startswith(BLOCKED)

    def park(self, name: str, reason: str) -> None:
        """Hand out nothing of a host until it is unparked."""
        host = self._ledger.host(name)
        if not host.parked:
            self._schedule.park(host)
        host.parked = reason
        self._shelf.save_host(host)
        self._bell.ring()  # there may be nothing left that is worth waiting for

    def unpark(self, name: str) -> int:
        """Hand out a host's URLs again, unless it has had its pages; returns how many there are."""
        host = self._hosts.by_name.get(name)
        if host is None or not host.parked:
            return 0
        host.parked, host.streak = "", 0
        self._hosts.review(host)
        self._shelf.save_host(host)
        if host.parked:
            return 0
        self._schedule.unpark(host)
        self._bell.ring()
        return host.waiting

    def rescore(self, *, everything: bool) -> int:
        """Ask the strategy for fresh scores, of the best or of all that waits; returns how many changed."""
        if self._revise is None:
            return 0
        count = 0
        for rows in self._all_waiting() if everything else [self._rows.best(self._revise_top)]:
            candidates = self._shelf.read(rows)
            scores = self._revise(candidates) if rows else ()
            if scores is None:
                break
            changed = [
                (row, one.url, number)
                for row, one, score in zip(rows, candidates, scores, strict=True)
                if (number := as_score(score)) != one.score
            ]
            self._ledger.rescore(changed)
            count += len(changed)
        self._bell.ring()
        return count

    def reorder(self, changes: Iterable[tuple[str, float]]) -> int:
        """Give URLs that wait other scores, and forget the others; returns how many moved."""
        more = iter(changes)
        count = 0
        while batch := list(dict(islice(more, _BATCH)).items()):
            rows = self._ledger.find_all([url_hash(url) for url, _ in batch])
            changed = [
                (row, url, number)
                for row, (url, score) in zip(rows, batch, strict=True)
                if self._rows.states[row] == WAITING and (number := as_score(score)) != self._rows.scores[row]
            ]
            self._ledger.rescore(changed)
            count += len(changed)
        if count:
            self._bell.ring()
        return count

    def requeue_visited(self, score: float | None = None) -> int:
        """Let every page wait again that was visited and is not wrong for good; returns how many.

        With a score, these pages get it, and nothing that scores less is handed out any more.
        """
        reopened = []
        self._schedule.floor = -math.inf if score is None else score
        for row, url in self._shelf.reopen(_PASSING):
            host = self._ledger.host(host_of(url))
            self._hosts.count_pages(host, -1)
            self._schedule.add_again(host, row)
            reopened.append((row, url))
        if score is not None:
            self._ledger.rescore([(row, url, score) for row, url in reopened])
        self.forgive()
        return len(reopened)

    def forgive(self) -> None:
        """Give hosts that were failing another chance."""
        parked = [host for host in self._hosts if host.parked]
        for host in self._hosts.forgive():
            self._shelf.save_host(host)
        for host in parked:
            if not host.parked:
                self._schedule.unpark(host)
        self._bell.ring()

    def _note_aliases(self, visit: Visit) -> None:
        """What a redirect led through, and where it ended, need not be visited again."""
        if visit.response is None or (visit.response.url == visit.url and not visit.response.hops):
            return
        passed = [url for hop in visit.response.hops for url in (hop.url, hop.target)]
        for url in dict.fromkeys((*passed, visit.response.url)):
            if not self.under_way(url) and self.knows(url) in (None, UrlState.WAITING):
                alias = Candidate(Link(url, visit.url), 0.0, visit.candidate.depth)
                self._ledger.note(alias, UrlState.ALIAS)
                self._refused(url)

    def _begin(self, host: Host, row: int) -> Candidate | None:
        (candidate,) = self._shelf.read((row,))
        if candidate.url in self._redirects:
            self._redirects.hold(candidate.url, host, row)
            self._schedule.release(host)
            return None
        self._under_way[candidate.url] = row, host
        return candidate

    def _end_redirects(self, source: str) -> None:
        for host, row in self._redirects.end(source):
            if self._rows.states[row] == UNDER_WAY:
                self._schedule.add_again(host, row)

    def _all_waiting(self) -> Iterator[list[int]]:
        for rows in self._rows.waiting():
            for at in range(0, len(rows), _BATCH):
                yield rows[at : at + _BATCH].tolist()

    def _ask_for_more(self) -> bool:
        """Whether the strategy had held something back; it is asked once each time the queue is empty."""
        if self._refill is None or self._refilled:
            return False
        self._refilled = True
        self.push(self._refill())
        return self._schedule.usable > 0

    def _heed(self, host: str) -> None:
        if self._schedule.heed(host):
            self._bell.ring()
