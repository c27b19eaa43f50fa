"""The frontier in memory, for the bench, for tests and for crawls that need not survive."""

from collections.abc import Iterable, Iterator, Sequence

from honeyguide.frontier.hosts import Host
from honeyguide.frontier.queue import Queue
from honeyguide.frontier.shelf import Entry, Stock
from honeyguide.model import Candidate, Link, UrlState


class MemoryShelf:
    """Rows in a list; nothing is there when it is opened."""

    def __init__(self) -> None:
        self._candidates = [Candidate(Link(""), 0.0)]
        self._attempts: dict[int, int] = {}
        self._visited: dict[int, str] = {}

    def hosts(self) -> Iterator[Host]:
        """No hosts."""
        return iter(())

    def stock(self) -> Iterator[Stock]:
        """No rows."""
        return iter(())

    def fetches(self) -> int:
        """No visits."""
        return 0

    def add(self, entries: Sequence[Entry]) -> None:
        """Put new rows here; they come in order."""
        self._candidates.extend([entry.candidate for entry in entries])

    def read(self, rows: Sequence[int]) -> list[Candidate]:
        """The candidates in these rows."""
        return [self._candidates[row] for row in rows]

    def rewrite(self, changes: Iterable[tuple[int, int, Candidate]]) -> None:
        """Replace candidates."""
        for row, _, candidate in changes:
            self._candidates[row] = candidate

    def rescore(self, changes: Sequence[tuple[int, float]]) -> None:
        """Give rows other scores."""
        for row, score in changes:
            self._candidates[row] = self._candidates[row]._replace(score=score)

    def close_row(self, row: int, state: UrlState, *, source: int = 0, reason: str = "") -> None:
        """Take a row out of the queue."""
        if state is UrlState.VISITED:
            self._visited[row] = reason

    def count_attempt(self, row: int) -> int:
        """One more failed attempt at a row."""
        self._attempts[row] = self._attempts.get(row, 0) + 1
        return self._attempts[row]

    def reopen(self, reasons: Iterable[str]) -> Iterator[tuple[int, str]]:
        """Let visited rows wait again."""
        passing = set(reasons)
        for row in sorted(row for row, reason in self._visited.items() if reason in passing):
            del self._visited[row]
            self._attempts.pop(row, None)
            yield row, self._candidates[row].url

    def add_host(self, host: Host) -> None:
        """Hosts need no place of their own."""

    def save_host(self, host: Host) -> None:
        """Nor do their counters."""


class MemoryFrontier(Queue[None]):
    """What waits, in memory (role Frontier)."""

    def _open(self, where: None) -> MemoryShelf:
        return MemoryShelf()
