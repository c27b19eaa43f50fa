"""A topic as people's labels have made it, for whoever fits a judge to it beside the crawl."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from honeyguide.dashboard.read_pages import ReadPages
from honeyguide.learning import Labelled, revised
from honeyguide.model import Example, Page, Topic
from honeyguide.store.collection import Collection
from honeyguide.store.labels import decisions, read_labels
from honeyguide.store.pages import at_visits


class Told(NamedTuple):
    """A topic with labelled pages among its examples, and how many were labelled on topic and off."""

    topic: Topic
    on: int
    off: int


def with_labels(collection: Collection, topic: Topic, pages: ReadPages) -> Told:
    """The topic as the crawl has it once it has learned all labels."""
    decided = decisions(read_labels(collection.connection))
    rows = at_visits(collection.connection, (decision.visit for decision in decided.values()))
    labelled = [
        Labelled(Example(page.text, page.title, row["address_url"]), decided[row["address_url"]].relevant)
        for row in rows
        if (page := pages.of(collection, row))
    ]
    on = sum(decision.relevant for decision in decided.values())
    return Told(revised(topic, labelled), on, len(decided) - on)


def read_all(
    collection: Collection,
    rows: Iterable[sqlite3.Row],
    pages: ReadPages,
    step: Callable[[int], None] = lambda done: None,
) -> Iterator[tuple[sqlite3.Row, Page]]:
    """The pages of rows that can be read and say something; `step` is told how many were tried."""
    for done, row in enumerate(rows):
        step(done)
        page = pages.of(collection, row)
        if page is not None and page.text.strip():
            yield row, page
