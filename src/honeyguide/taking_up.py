"""Taking up a strategy where a crawl stopped, by whatever: it shall choose as if nothing had happened."""

import json
import math
import sqlite3
from collections.abc import Callable, Container, Mapping, Sequence
from itertools import islice
from typing import Any

from honeyguide.errors import ConfigError
from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.loop import SEED_SCORE, as_followed
from honeyguide.model import Candidate, Link, Origin, UrlState, Visit
from honeyguide.roles import Strategy
from honeyguide.store.log import SqliteLog
from honeyguide.store.sqlite import SqliteStore
from honeyguide.urls import url_hash

AT_ONCE = 32
"""Visits that are gone through again in one transaction."""


def take_up_strategy(
    strategy: Strategy,
    use: Mapping[str, Any],
    store: SqliteStore,
    frontier: SqliteFrontier,
    log: SqliteLog,
    connection: sqlite3.Connection,
    warn: Callable[[str], None],
) -> None:
    """Go on with what the strategy had learned; another one than before sees the whole crawl again.

    What the former one noted on links means nothing to the new one, and is taken off; what waits is ordered by the
    new one.
    """
    number, state = store.load_state("strategy") or (0, {})
    is_other = is_another(state, use)
    if is_other:
        connection.execute("UPDATE urls SET memo = NULL")
        number, state = 0, {}
    if "learned" in state:
        try:
            strategy.restore(state["learned"])
        except ConfigError as error:
            warn(f"{error} It goes through the whole crawl again.")
            number, is_other = 0, True
    if not is_other and type(strategy).state is Strategy.state:
        return
    aliases, ordered = _Aliases(connection), set[int]()
    seeds = frozenset(
        url for (url,) in connection.execute("SELECT url FROM urls WHERE origin = ?", (Origin.SEED,))
    )
    # Nothing is being read while the queue is written: others may write in between.
    while batch := list(islice(log.after(number), AT_ONCE)):
        if is_other:
            store.begin()
        for visit in batch:
            found = _see_again(strategy, visit, frontier, aliases, seeds)
            changes = list(strategy.changes())  # if it is the same one, the queue has them already
            if is_other:
                _order_anew(frontier, found, ordered)
                frontier.reorder(changes)
        if is_other:
            store.commit()
        number = batch[-1].number


def _see_again(
    strategy: Strategy, visit: Visit, frontier: SqliteFrontier, aliases: "_Aliases", seeds: Container[str]
) -> list[Candidate]:
    """Let a strategy see a visit, and what of all it leads to does not wait; the candidates that are no seeds, which
    keep their place.
    """
    for url in aliases.of(visit.number):
        strategy.refused(url)
    found = []
    for candidate in list(strategy.expand(as_followed(visit))):
        if candidate.url in seeds:
            strategy.combine(Candidate(Link(candidate.url, origin=Origin.SEED), SEED_SCORE), candidate)
            continue
        found.append(candidate)
        now = frontier.knows(candidate.url)
        is_gone = now not in (UrlState.WAITING, UrlState.VISITED, UrlState.ALIAS)
        if is_gone or aliases.is_known(candidate.url, visit.number):
            strategy.refused(candidate.url)
    return found


def _order_anew(frontier: SqliteFrontier, found: Sequence[Candidate], ordered: set[int]) -> None:
    """Give URLs that wait the scores of candidates; with one that has such a score already a candidate is combined."""
    hashes = [url_hash(candidate.url) for candidate in found]
    again = [one for one, key in zip(found, hashes, strict=True) if key in ordered]
    frontier.reorder(
        (one.url, one.score) for one, key in zip(found, hashes, strict=True) if key not in ordered
    )
    frontier.push(one for one in again if frontier.knows(one.url) is UrlState.WAITING)
    ordered.update(hashes)


class _Aliases:
    """Addresses that turned out to be others of pages, by the number of the visit that showed it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._visits: dict[str, int] = dict(
            connection.execute(
                "SELECT u.url, MIN(v.id) FROM urls u JOIN visits v ON v.url = u.source WHERE u.state = ? GROUP BY u.id",
                (UrlState.ALIAS,),
            )
        )
        self._of: dict[int, list[str]] = {}
        for url, number in self._visits.items():
            self._of.setdefault(number, []).append(url)

    def of(self, number: int) -> Sequence[str]:
        """Those that a visit showed."""
        return self._of.get(number, ())

    def is_known(self, url: str, number: int) -> bool:
        """Whether an address is one of them, as far as a visit and those before it showed."""
        return self._visits.get(url, math.inf) <= number


def is_another(state: Mapping[str, Any], use: Mapping[str, Any]) -> bool:
    """Whether what was saved is of another strategy than this, or of one with other parameters."""
    return "use" in state and state["use"] != json.loads(json.dumps(use))
