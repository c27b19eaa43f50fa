"""Label: one page at a time, chosen where a label teaches most; what people say is written at once."""

import getpass
import sqlite3
from collections.abc import Sequence
from enum import StrEnum
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import AfterValidator, BaseModel, Field

from honeyguide.dashboard import hand_check_api, label_outcome
from honeyguide.dashboard.background import Job, Stage
from honeyguide.dashboard.crawls import Crawl, CrawlAtHand, NotFound
from honeyguide.dashboard.hand_check import default_size, read_sample
from honeyguide.dashboard.kept import AtHand, Kept
from honeyguide.dashboard.labelled_topic import read_all
from honeyguide.dashboard.marked_text import Span, spans
from honeyguide.dashboard.picking import borderline, by_turns, unlike, unseen
from honeyguide.dashboard.rendering import render
from honeyguide.dashboard.trial import Trial
from honeyguide.search.passages import shown
from honeyguide.store.collection import Collection
from honeyguide.store.labels import LabelBook, has_labels
from honeyguide.store.pages import at_visits
from honeyguide.text.documents import Documents
from honeyguide.text.showing import TopicWords, pieces_of

pages = APIRouter()
api = APIRouter(tags=["label"])
api.include_router(label_outcome.api)
api.include_router(hand_check_api.api)

POOL = 200
"""Pages among which those are chosen that are unlike each other."""

PATIENCE = 1.5
"""Seconds to wait for that choice before others are shown meanwhile."""

MOST_PIECES = 6
LONGEST_TITLE = 400


class Mode(StrEnum):
    """How pages are chosen."""

    TEACHES = "teaches"
    DIVERSE = "diverse"
    CHECK = "check"


def _name(text: str) -> str:
    name = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    if not name:
        raise ValueError("an annotator needs a name")
    return name


Annotator = Annotated[
    str, Field(min_length=1, max_length=100, description="Who labels."), AfterValidator(_name)
]
Number = Annotated[int, Field(ge=1, le=2**53)]


class PageToLabel(BaseModel):
    """A page as a person is shown it; the verdict is not told."""

    visit: int
    url: str
    host: str
    title: list[Span]
    language: str
    words: int
    pieces: list[list[Span]]
    """The text, the first piece first; the others are shown when more is asked for."""


class NextQuery(BaseModel):
    """Whose turn it is, and which pages are at hand already."""

    mode: Mode = Mode.TEACHES
    annotator: Annotator
    count: Annotated[int, Field(ge=1, le=20)] = 5
    skip: Annotated[list[Number], Field(max_length=500)] = []


class NewLabel(BaseModel):
    """What somebody says of a page; `relevant` is null when they are unsure."""

    visit: Number
    relevant: bool | None
    annotator: Annotator


class Written(BaseModel):
    """The number of a label, to take it back by."""

    number: int


class Withdrawn(BaseModel):
    """That a label was taken back."""

    number: int
    visit: int


@api.get("/crawls/{crawl}/label/next", summary="Pages to label")
def next_pages(crawl: Crawl, kept: AtHand, query: Annotated[NextQuery, Query()]) -> list[PageToLabel]:
    """The pages that this annotator should look at next."""
    with crawl.open() as collection:
        visits = _chosen(crawl, kept, collection, query)
        topic = kept.topics.newest(crawl.folder)[1]
        words = TopicWords(topic)
        rows = at_visits(collection.connection, visits)
        return [_shown(collection, kept, row, words) for row in rows[: query.count]]


@api.post("/crawls/{crawl}/labels", summary="Label a page", status_code=201)
def write_label(crawl: Crawl, kept: AtHand, label: NewLabel) -> Written:
    """Write down what somebody says of a page; the crawl learns from it, even while it runs."""
    with crawl.open() as collection:
        rows = at_visits(collection.connection, [label.visit])
    if not rows:
        raise NotFound("This crawl keeps no page of this visit.")
    with LabelBook(crawl.folder) as book:
        number = book.write(rows[0]["address_url"], label.visit, label.relevant, label.annotator)
    return Written(number=number)


@api.delete("/crawls/{crawl}/labels/{number}", summary="Take a label back")
def withdraw(crawl: Crawl, number: Annotated[int, Path(ge=1, le=2**53)]) -> Withdrawn:
    """Take a label back, as if it had never been given."""
    with crawl.open() as collection:
        found = (
            collection.connection.execute("SELECT visit FROM labels WHERE id = ?", (number,)).fetchone()
            if has_labels(collection.connection)
            else None
        )
    if found is None:
        raise NotFound("There is no label of this number.")
    with LabelBook(crawl.folder) as book:
        book.withdraw(number)
    return Withdrawn(number=number, visit=found[0])


@pages.get("/crawls/{crawl}/label", response_class=HTMLResponse)
def label_page(request: Request, crawl: Crawl, kept: AtHand) -> HTMLResponse:
    """The screen."""
    topic = kept.topics.newest(crawl.folder)[1]
    return render(
        request,
        "label.html",
        crawl=crawl,
        topic=topic,
        annotator=_usual_name(),
        sample=read_sample(crawl.folder),
        size=default_size(),
    )


def _chosen(crawl: CrawlAtHand, kept: Kept, collection: Collection, query: NextQuery) -> Sequence[int]:
    connection = collection.connection
    labelled = _labelled_urls(connection, query.annotator)
    skip = set(query.skip)
    if query.mode is Mode.CHECK:
        sample = read_sample(crawl.folder)
        waiting = [visit for visit in (sample.visits if sample else ()) if visit not in skip]
        done = _visits_labelled(connection, waiting, labelled)
        return [visit for visit in waiting if visit not in done][: 2 * query.count]
    columns = crawl.columns()
    wanted = unseen(columns, labelled, skip)
    if query.mode is Mode.DIVERSE:
        job = _unlike_each_other(crawl, kept)
        if job.wait(PATIENCE) and job.stage is Stage.DONE:
            rows = ((visit, columns.row_of(visit)) for visit in job.result)
            if chosen := [visit for visit, row in rows if row is not None and wanted[row]]:
                return chosen[: 2 * query.count]
        return by_turns(columns, wanted, 2 * query.count)
    learned = kept.background.get(label_outcome.name_of(crawl))
    trial: Trial | None = learned.result if learned else None
    return borderline(columns, wanted, 2 * query.count, trial.margins if trial else None)


def _unlike_each_other(crawl: CrawlAtHand, kept: Kept) -> Job:
    """Pages that are unlike each other and those labelled before, worked out anew every twenty labels."""
    columns = crawl.columns()
    with crawl.open() as collection:
        labels = label_outcome.count_labels(collection.connection)
    subject = (columns.read // 500, labels // 20)

    def work(job: Job) -> list[int]:
        with crawl.open() as collection:
            labelled = label_outcome.labelled_visits(collection.connection)
            pool = by_turns(columns, unseen(columns, (), labelled), POOL, seed=labels)
            rows = at_visits(collection.connection, (*pool, *labelled[-POOL:]))
            read = list(read_all(collection, rows, kept.pages, lambda done: job.step(done, len(rows))))
        told = set(labelled)
        new = [(row["id"], page) for row, page in read if row["id"] not in told]
        seen = [page for row, page in read if row["id"] in told]
        topic = kept.topics.newest(crawl.folder)[1]
        order = unlike([page for _, page in new], seen, Documents.of(topic))
        return [new[place][0] for place in order]

    return kept.background.start((crawl.folder, "unlike"), subject, work)


def _labelled_urls(connection: sqlite3.Connection, annotator: str) -> set[int]:
    if not has_labels(connection):
        return set()
    return {url for (url,) in connection.execute("SELECT url FROM labels WHERE annotator = ?", (annotator,))}


def _visits_labelled(connection: sqlite3.Connection, visits: Sequence[int], urls: set[int]) -> set[int]:
    if not urls:
        return set()
    ask = "SELECT url FROM visits WHERE id = ?"
    found = ((visit, connection.execute(ask, (visit,)).fetchone()) for visit in visits)
    return {visit for visit, row in found if row is None or row[0] in urls}


def _shown(collection: Collection, kept: Kept, row: sqlite3.Row, words: TopicWords) -> PageToLabel:
    page = kept.pages.of(collection, row)
    pieces = islice(pieces_of(page.text if page else ""), MOST_PIECES)
    return PageToLabel(
        visit=row["id"],
        url=row["address_url"],
        host=row["host"],
        title=_marked(shown(row["title"][:LONGEST_TITLE]).strip(), words),
        language=row["language"],
        words=row["words"],
        pieces=[_marked(piece, words) for piece in pieces],
    )


def _marked(text: str, words: TopicWords) -> list[Span]:
    return spans(text, words.places(text))


def _usual_name() -> str:
    try:
        return _name(getpass.getuser())
    except (OSError, KeyError, ValueError):
        return "me"
