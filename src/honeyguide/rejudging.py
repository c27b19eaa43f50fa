"""Judging anew: a judge that has learned looks again at pages whose links still wait.

A label ought to change where the crawl goes next, not only what it says of pages that come. So the pages whose
links wait are read again from the archive, as many as time allows, and the strategy is told what they are worth
by now.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from honeyguide.errors import PageError
from honeyguide.judges.assessing import assessed
from honeyguide.model import Candidate, Verdict, Visit
from honeyguide.roles import Judge, Strategy
from honeyguide.store.log import SqliteLog
from honeyguide.store.pages import newest_of, recent_numbers

SAMPLE = 100
"""Recent pages on which the harvest of two judges is compared."""

LOOK_AT = 2000
"""Links from the top of the queue whose pages are judged anew."""


class Rejudged(NamedTuple):
    """A visit, and the verdict on its page by now."""

    visit: Visit
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Review:
    """What has changed: the pages judged anew, and the shares of the same recent pages that count as on topic."""

    rejudged: tuple[Rejudged, ...] = ()
    harvest_before: float | None = None
    harvest_after: float | None = None
    seconds: float = 0.0


class Retrospect:
    """Chooses pages to judge anew and reads them: labelled ones, the latest, and those behind the top of the queue.

    `rows` belongs to the thread of the crawl; `review` may run in any one thread.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: SqliteLog,
        *,
        top: Callable[[int], Sequence[Candidate]],
        id_of: Callable[[str], int | None],
        most: int = 500,
        seconds: float = 2.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connection = connection
        self._log = log
        self._top = top
        self._id_of = id_of
        self._most = most
        self._seconds = seconds
        self._clock = clock

    def rows(self, labelled: Iterable[int]) -> list[sqlite3.Row]:
        """The visits to look at again, those that matter most first."""
        numbers = dict.fromkeys(recent_numbers(self._connection, SAMPLE))
        numbers |= dict.fromkeys(labelled)
        sources = dict.fromkeys(one.link.source for one in self._top(LOOK_AT) if one.link.source)
        pages = (number for url in sources if (number := self._id_of(url)) is not None)
        numbers |= dict.fromkeys(newest_of(self._connection, islice(pages, self._most)))
        numbers |= dict.fromkeys(recent_numbers(self._connection, self._most))
        return self._log.rows(islice(numbers, self._most))

    def review(self, rows: Sequence[sqlite3.Row], before: Judge | None, after: Judge) -> Review:
        """Judge the pages of these rows by another judge, for as long as there is time; without the one from before
        harvests are not compared.
        """
        started = self._clock()
        sample: list[tuple[bool, bool]] = []
        rejudged: list[Rejudged] = []
        for visit in self._visits(rows):
            if self._clock() - started > self._seconds:
                break
            assert visit.page is not None
            verdict = assessed(after, visit.page)
            if before is not None and len(sample) < SAMPLE:
                sample.append((before.assess(visit.page).relevant, verdict.relevant))
            rejudged.append(Rejudged(visit, verdict))
        return Review(
            tuple(rejudged),
            harvest_before=sum(old for old, _ in sample) / len(sample) if sample else None,
            harvest_after=sum(new for _, new in sample) / len(sample) if sample else None,
            seconds=self._clock() - started,
        )

    def _visits(self, rows: Iterable[sqlite3.Row]) -> Iterator[Visit]:
        for row in rows:
            try:
                visit = self._log.visit(row)
            except (PageError, OSError, ValueError):
                continue
            if visit.page is not None and visit.error is None:
                yield visit


def inherits(strategy: Strategy) -> bool:
    """Whether what a strategy says of links hangs on their page alone, so that `expand` says what they are now."""
    made = type(strategy)
    return (
        made.rejudged is Strategy.rejudged
        and made.state is Strategy.state
        and made.combine is Strategy.combine
        and made.revise is Strategy.revise
    )


def inherited(
    strategy: Strategy,
    rejudged: Iterable[Rejudged],
    standing: Callable[[Sequence[str]], Sequence[Candidate | None]],
) -> Iterator[tuple[str, float]]:
    """Fresh scores of waiting links for a strategy that `inherits`. A link that stands where it does because of a page
    that is not judged anew stays there if that is better.
    """
    fresh: dict[str, float] = {}
    pages: set[str] = set()
    for visit, verdict in rejudged:
        pages.add(visit.url)
        if visit.page:
            pages.add(visit.page.url)
        for candidate in strategy.expand(replace(visit, verdict=verdict)):
            fresh[candidate.url] = max(candidate.score, fresh.get(candidate.url, candidate.score))
    for (url, score), waiting in zip(fresh.items(), standing(list(fresh)), strict=True):
        if waiting is not None:
            yield url, score if waiting.link.source in pages else max(waiting.score, score)
