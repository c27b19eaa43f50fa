"""Where the frontier keeps what it knows about URLs and hosts, and what it asks of such a place."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from honeyguide.frontier.hosts import Host
from honeyguide.model import Candidate, UrlState


class Entry(NamedTuple):
    """One URL as it is first put on the shelf."""

    row: int
    hash: int
    host: int
    source: int
    state: UrlState
    candidate: Candidate
    reason: str = ""


class Stock(NamedTuple):
    """Rows as they lie on the shelf: numbers, hashes, hosts, states (their initials) and scores."""

    rows: NDArray[np.uint32]
    hashes: NDArray[np.int64]
    hosts: NDArray[np.int32]
    states: NDArray[np.uint8]
    scores: NDArray[np.float64]


class Shelf(Protocol):
    """Keeps rows and hosts; every change is written at once, in whatever transaction is open."""

    def hosts(self) -> Iterator[Host]:
        """The hosts put here earlier."""
        ...

    def stock(self) -> Iterator[Stock]:
        """Everything put here earlier, a chunk at a time."""
        ...

    def fetches(self) -> int:
        """How many visits servers have answered so far."""
        ...

    def add(self, entries: Sequence[Entry]) -> None:
        """Put new rows here."""
        ...

    def read(self, rows: Sequence[int]) -> list[Candidate]:
        """The candidates in these rows, in the order asked for."""
        ...

    def rewrite(self, changes: Iterable[tuple[int, int, Candidate]]) -> None:
        """Replace the candidates in rows, each given with the row of its source; the rows wait from now on."""
        ...

    def rescore(self, changes: Sequence[tuple[int, float]]) -> None:
        """Give rows other scores."""
        ...

    def close_row(self, row: int, state: UrlState, *, source: int = 0, reason: str = "") -> None:
        """Take a row out of the queue; a source replaces the one it had."""
        ...

    def count_attempt(self, row: int) -> int:
        """One more failed attempt at a row; returns how many there were."""
        ...

    def reopen(self, reasons: Iterable[str]) -> Iterator[tuple[int, str]]:
        """Let visited rows wait again that were closed for one of these reasons; gives their rows and URLs."""
        ...

    def add_host(self, host: Host) -> None:
        """Put a new host here."""
        ...

    def save_host(self, host: Host) -> None:
        """Write a host's counters."""
        ...
