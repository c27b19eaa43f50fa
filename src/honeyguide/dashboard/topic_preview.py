"""An edit of the topic, tried out on pages of the collection before it is applied."""

from collections.abc import Hashable
from enum import StrEnum
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from honeyguide.dashboard.background import Job, Stage
from honeyguide.dashboard.crawls import Crawl, CrawlAtHand, NotFound
from honeyguide.dashboard.kept import AtHand, Kept
from honeyguide.dashboard.labelled_topic import with_labels
from honeyguide.dashboard.picking import at_random, borderline, may_be_shown
from honeyguide.dashboard.topic_edit import TopicEdit, edited
from honeyguide.dashboard.topic_pages import page_finder
from honeyguide.dashboard.trial import Trial, Tried, as_told, try_out
from honeyguide.errors import ConfigError
from honeyguide.model import Topic
from honeyguide.opening import settings_of

api = APIRouter()

MOST = 2000
"""Pages that an edit is tried out on."""

LISTED = 200


class TriedOn(StrEnum):
    """Which pages an edit is tried out on, if there are more than can be: any, or those nobody is sure of."""

    RANDOM = "random"
    UNSURE = "unsure"


class PreviewAsked(BaseModel):
    """An edit, and which pages to try it out on."""

    edit: TopicEdit
    which: TriedOn = TriedOn.RANDOM


class PageChanged(BaseModel):
    """A page whose verdict would change, and the relevance it would have."""

    visit: int
    url: str
    title: str
    host: str
    relevance: float


class Preview(BaseModel):
    """How far the trial is and, when it is done, what would become relevant and what would not be any more."""

    stage: Stage
    done: int
    total: int
    sentence: str
    pages: int = 0
    population: int = 0
    before: int = 0
    after: int = 0
    gained: int = 0
    lost: int = 0
    would_become_relevant: list[PageChanged] = []
    would_not: list[PageChanged] = []


def edited_topic(crawl: CrawlAtHand, kept: Kept, edit: TopicEdit) -> Topic:
    """The newest revision with an edit of it; an edit of an older one is refused."""
    number, topic = kept.topics.newest(crawl.folder)
    if edit.revision != number:
        raise ConfigError(
            f"The topic has changed meanwhile: you edited revision {edit.revision}, and there is revision {number}. "
            "Reload the page to see it."
        )
    with crawl.open() as collection:
        return edited(topic, edit, page_finder(crawl, kept, collection))


@api.post("/crawls/{crawl}/topic/preview", summary="Try an edit out", status_code=202)
def begin(crawl: Crawl, kept: AtHand, asked: PreviewAsked) -> Preview:
    """Begin to try an edit out; whatever was being tried out before is given up."""
    topic = edited_topic(crawl, kept, asked.edit)
    columns = crawl.columns()
    shown = may_be_shown(columns)
    chosen = (
        at_random(columns, shown, MOST) if asked.which is TriedOn.RANDOM else borderline(columns, shown, MOST)
    )
    population = int(shown.sum())
    present = kept.topics.newest(crawl.folder)[1]
    table = settings_of(crawl.folder)["judge"]

    def work(job: Job) -> tuple[Trial, int, TriedOn]:
        job.step(0, len(chosen))
        with crawl.open() as collection:
            before = as_told(table, with_labels(collection, present, kept.pages).topic)
            after = with_labels(collection, topic, kept.pages).topic
            job.step(0, len(chosen))
            trial = try_out(collection, table, after, chosen, before=before, pages=kept.pages, job=job)
        return trial, population, asked.which

    subject = (asked.edit.model_dump_json(), asked.which, columns.read)
    return _seen(kept.background.start(_name(crawl), subject, work))


@api.get("/crawls/{crawl}/topic/preview", summary="How far the trial is")
def look(crawl: Crawl, kept: AtHand) -> Preview:
    """How far the trial is and, when it is done, what it says."""
    job = kept.background.get(_name(crawl))
    if job is None:
        raise NotFound("Nothing is being tried out.")
    return _seen(job)


@api.delete("/crawls/{crawl}/topic/preview", summary="Give the trial up")
def give_up(crawl: Crawl, kept: AtHand) -> Preview:
    """Give the trial up."""
    kept.background.cancel(_name(crawl))
    return look(crawl, kept)


def _name(crawl: CrawlAtHand) -> Hashable:
    return (crawl.folder, "preview")


def _seen(job: Job) -> Preview:
    progress: dict[str, Any] = {"stage": job.stage, "done": job.done, "total": job.total}
    if job.stage is not Stage.DONE:
        return Preview(**progress, sentence=job.problem)
    trial, population, which = job.result
    return Preview(
        **progress,
        sentence=_sentence(trial, population, which),
        pages=trial.pages,
        population=population,
        before=trial.before,
        after=trial.after,
        gained=len(trial.gained),
        lost=len(trial.lost),
        would_become_relevant=[_changed(page) for page in trial.gained[:LISTED]],
        would_not=[_changed(page) for page in trial.lost[:LISTED]],
    )


def _sentence(trial: Trial, population: int, which: TriedOn) -> str:
    if trial.pages >= population:
        told = f"Of all {trial.pages:,} pages"
    elif which is TriedOn.RANDOM:
        told = f"Of {trial.pages:,} pages drawn at random from {population:,}"
    else:
        told = f"Of the {trial.pages:,} pages that the judge is least sure of, from {population:,}"
    return (
        f"{told}, {len(trial.gained):,} would become relevant and {len(trial.lost):,} would not be any more."
    )


def _changed(page: Tried) -> PageChanged:
    return PageChanged(**page._asdict() | {"title": page.title[:300]})
