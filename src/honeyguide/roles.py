"""The roles: small protocols that the loop is written against.

Only `fetch` and `pop` wait for anything. A strategy needs `expand` alone; the other methods of
`Strategy` are optional and the defaults here are what a strategy without them gets.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from honeyguide.model import Candidate, Conditions, Link, Page, Response, Topic, Verdict, Visit


class Fetcher(Protocol):
    """Goes and gets; raises FetchError or Refusal."""

    async def fetch(self, url: str, conditions: Conditions | None = None) -> Response: ...

    async def close(self) -> None: ...


class Parser(Protocol):
    """Reads a response; raises ParseError."""

    def parse(self, response: Response) -> Page: ...


class Judge(Protocol):
    """Says how relevant a page is."""

    def assess(self, page: Page) -> Verdict: ...


class VisitLog(Protocol):
    """What a crawl has seen, in order, as training material and for questions."""

    def __iter__(self) -> Iterator[Visit]: ...

    def __len__(self) -> int: ...

    def backlinks(self, url: str) -> Iterable[str]: ...


class Strategy(ABC):
    """Says where a visit leads. Subclass it and write `expand`; a strategy belongs to one crawl.

    `needs` are the parts of a topic (examples, background, ...) that are worked out for it where they are missing.
    """

    needs: tuple[str, ...] = ()

    def fit(self, topic: Topic, log: VisitLog | None) -> "Strategy":
        """Learn from the topic and, if there is one, an earlier crawl."""
        return self

    @abstractmethod
    def expand(self, visit: Visit) -> Iterable[Candidate]:
        """The candidates that a visit leads to; sees failures too, which lead nowhere."""

    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        """A URL found again while it waits: which of the two stands."""
        return found if found.score > waiting.score else waiting

    def revise(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        """Fresh scores for waiting candidates, or None when scores never change."""
        return None

    def changes(self) -> Iterable[tuple[str, float]]:
        """URLs that the strategy scores differently by now; asked after every visit.

        For strategies that keep a table of what waits, as `revise` is for those that keep none.
        """
        return ()

    def rejudged(self, verdicts: Iterable[tuple[str, Verdict]]) -> None:  # noqa: B027 - see honeyguide.rejudging
        """Pages visited earlier, by their URLs, as the judge sees them now that it has learned more.

        For strategies that keep what they think of pages; `changes` is asked next. Where a strategy has
        neither this nor a state nor a way of its own to combine, `expand` is asked what it says now.
        """

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        """What the score of a candidate that is taken now was made of; None if its own parts say so.

        A strategy that can say it at any time need not give its candidates parts.
        """
        return None

    def refused(self, url: str) -> None:  # noqa: B027 - most strategies need not know
        """A URL does not wait: it is out of scope or a trap, was visited, or is another name of a page that was."""

    def parked(self, host: str, is_parked: bool) -> None:  # noqa: B027 - most strategies need not know
        """What waits on a host is not handed out any more, or again: it failed too often, has had its pages, or was
        blocked.
        """

    def refill(self) -> Iterable[Candidate]:
        """What the strategy held back; asked before an empty queue ends the crawl."""
        return ()

    def state(self) -> Mapping[str, Any]:
        """What it has learned, as plain JSON values and numpy arrays."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:  # noqa: B027 - a strategy without state has nothing to do
        """Take up a state that `state` gave."""


class Frontier(Protocol):
    """Keeps what waits and hands out the best candidate whose host may be asked now."""

    def push(self, candidates: Iterable[Candidate]) -> int:
        """Queue what is new, combine what waits already, forget what was visited; returns the number new."""
        ...

    async def pop(self) -> Candidate | None:
        """The best candidate whose host is due, waiting for one if need be.

        None when nothing waits and nothing is under way.
        """
        ...

    def done(self, visit: Visit) -> None:
        """The candidate was visited, for good or ill."""
        ...

    def reorder(self, changes: Iterable[tuple[str, float]]) -> int:
        """Give URLs that wait other scores, and forget the others; returns how many moved."""
        ...

    def hold(self) -> None:
        """Hand out nothing until `let_go`; whoever pops waits."""
        ...

    def let_go(self) -> None:
        """Hand out again."""
        ...

    def retry(self, candidate: Candidate) -> bool:
        """Queue a candidate that failed for a passing reason again; False when it has had its tries."""
        ...

    def refuse(self, link: Link, reason: str, depth: int = 0) -> None:
        """Note why a link is not queued, unless its URL waits already; it is never queued later."""
        ...

    def __len__(self) -> int: ...


class Store(Protocol):
    """Remembers visits. `save` and the frontier's changes become durable together at `commit`."""

    def save(self, visit: Visit) -> Visit:
        """Write a visit; returns it with its number, and marked if its text was seen before."""
        ...

    def commit(self) -> None: ...
