"""A topic tried out on pages of the collection before the crawl takes it up: what would become relevant, what not."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from honeyguide.dashboard.background import Job
from honeyguide.dashboard.labelled_topic import read_all
from honeyguide.dashboard.read_pages import ReadPages
from honeyguide.model import Page, Topic
from honeyguide.naming import make_judge
from honeyguide.store.collection import Collection
from honeyguide.store.pages import at_visits

Before = Callable[[sqlite3.Row, Page], bool]
"""Whether a page is relevant as things stand."""


class Tried(NamedTuple):
    """A page whose verdict would change, and its relevance in the trial."""

    visit: int
    url: str
    title: str
    host: str
    relevance: float


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it: how many pages are relevant before and after, which ones changed, and how sure the judge is."""

    pages: int
    before: int
    after: int
    gained: tuple[Tried, ...]
    lost: tuple[Tried, ...]
    margins: Mapping[int, float]


def as_judged(row: sqlite3.Row, _: Page) -> bool:
    """What the crawl said of a page when it visited it."""
    return bool(row["relevant"])


def as_told(judge: Mapping[str, Any], topic: Topic) -> Before:
    """What a judge that is fitted to a topic says of pages."""
    fitted = make_judge(judge, topic)
    return lambda _, page: fitted.assess(page).relevant


def try_out(
    collection: Collection,
    judge: Mapping[str, Any],
    topic: Topic,
    visits: Iterable[int],
    *,
    before: Before,
    pages: ReadPages,
    job: Job,
) -> Trial:
    """Fit a judge to a topic and let it judge pages, beside what was said of them before."""
    fitted = make_judge(judge, topic)
    rows = at_visits(collection.connection, visits)
    gained: list[Tried] = []
    lost: list[Tried] = []
    margins: dict[int, float] = {}
    count = relevant_before = relevant_after = 0
    for row, page in read_all(collection, rows, pages, lambda done: job.step(done, len(rows))):
        verdict, was = fitted.assess(page), before(row, page)
        count += 1
        relevant_before += was
        relevant_after += verdict.relevant
        margins[row["id"]] = verdict.margin
        if verdict.relevant != was:
            tried = Tried(row["id"], row["address_url"], row["title"], row["host"], verdict.score)
            (lost if was else gained).append(tried)
    job.step(len(rows), len(rows))
    return Trial(
        count,
        relevant_before,
        relevant_after,
        tuple(sorted(gained, key=lambda page: -page.relevance)),
        tuple(sorted(lost, key=lambda page: page.relevance)),
        margins,
    )
