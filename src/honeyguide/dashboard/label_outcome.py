"""What labels have come to: how far people agree, what the crawl has learned, and what the hand check says."""

import sqlite3
from collections.abc import Hashable

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from honeyguide.dashboard.background import Job, Stage
from honeyguide.dashboard.crawls import Crawl, CrawlAtHand
from honeyguide.dashboard.figures import LessonFigures
from honeyguide.dashboard.hand_check import SPELLED
from honeyguide.dashboard.kept import AtHand, Kept
from honeyguide.dashboard.labelled_topic import with_labels
from honeyguide.dashboard.picking import at_random, borderline, may_be_shown
from honeyguide.dashboard.trial import Trial, as_judged, try_out
from honeyguide.handcheck import agreements
from honeyguide.opening import settings_of
from honeyguide.store.folder import is_being_written
from honeyguide.store.labels import decisions, has_labels, opinions, read_labels
from honeyguide.store.lessons import Lesson, read_lessons

api = APIRouter()

SAMPLED = 300
"""Pages drawn at random on which the labels are tried out."""

LEAST_SURE = 200
"""Pages beside them that are judged anew to find out what to show next."""

LESSONS = 5


class Given(BaseModel):
    """How many pages somebody has labelled, and how."""

    who: str
    labelled: int
    on: int
    off: int
    unsure: int


class Pair(BaseModel):
    """How far two annotators agree on the pages that both have labelled; kappa is null where it is not defined."""

    model_config = ConfigDict(from_attributes=True)

    first: str
    second: str
    pages: int
    raw: float
    kappa: float | None


class Labels(BaseModel):
    """All labels in figures; pages that people are divided on, or unsure of, count for neither side."""

    on: int
    off: int
    annotators: list[Given]
    agreements: list[Pair]


class LessonSeen(LessonFigures):
    """What the crawl has learned, and what that changed, in a sentence too."""

    sentence: str


class Estimate(BaseModel):
    """What the labels would change, tried out on pages drawn at random while the crawl does not run."""

    stage: Stage
    done: int
    total: int
    sentence: str
    pages: int = 0
    before: float | None = None
    after: float | None = None
    gained: int = 0
    lost: int = 0


class Learning(BaseModel):
    """What has come of the labels so far."""

    running: bool
    lessons: list[LessonSeen]
    estimate: Estimate | None


def name_of(crawl: CrawlAtHand) -> Hashable:
    """What the work of trying out labels goes by."""
    return (crawl.folder, "labels")


def count_labels(connection: sqlite3.Connection) -> int:
    """How many labels were ever given and not taken back."""
    if not has_labels(connection):
        return 0
    return int(connection.execute("SELECT COUNT(*) FROM labels").fetchone()[0])


def labelled_visits(connection: sqlite3.Connection) -> list[int]:
    """The visits at which pages were labelled, the first labelled first."""
    if not has_labels(connection):
        return []
    return [
        visit for (visit,) in connection.execute("SELECT visit FROM labels GROUP BY visit ORDER BY MIN(id)")
    ]


@api.get("/crawls/{crawl}/labels", summary="All labels in figures")
def labels(crawl: Crawl) -> Labels:
    """Who has labelled how many pages, and how far people agree."""
    with crawl.open() as collection:
        given = read_labels(collection.connection)
    decided = decisions(given).values()
    on = sum(decision.relevant for decision in decided)
    spelled = {
        who: {url: SPELLED[relevant] for url, relevant in theirs.items()}
        for who, theirs in opinions(given).items()
    }
    return Labels(
        on=on,
        off=len(decided) - on,
        annotators=[_given(who, list(theirs.values())) for who, theirs in opinions(given).items()],
        agreements=[Pair.model_validate(pair) for pair in agreements(spelled)],
    )


@api.get("/crawls/{crawl}/learning", summary="What has come of the labels")
def learning(crawl: Crawl, kept: AtHand) -> Learning:
    """What a running crawl has learned; of one that does not run, what it would learn, which is worked out here."""
    with crawl.open() as collection:
        lessons = read_lessons(collection.connection, limit=LESSONS)
        given = read_labels(collection.connection)
    running = is_being_written(crawl.folder)
    estimate = None
    if given and not running:
        job = kept.background.get(name_of(crawl))
        subject = (hash(tuple(given)), max(kept.topics.numbers(crawl.folder)))
        if job is None or (job.stage is not Stage.RUNNING and job.subject != subject):
            job = kept.background.start(name_of(crawl), subject, lambda job: _tried_out(crawl, kept, job))
        estimate = _estimate(job)
    return Learning(running=running, lessons=[_lesson(lesson) for lesson in lessons], estimate=estimate)


def _tried_out(crawl: CrawlAtHand, kept: Kept, job: Job) -> Trial:
    columns = crawl.columns()
    shown = may_be_shown(columns)
    sampled = at_random(columns, shown, SAMPLED)
    extra = set(borderline(columns, shown, LEAST_SURE)) - set(sampled)
    table = settings_of(crawl.folder)["judge"]
    with crawl.open() as collection:
        told = with_labels(collection, kept.topics.newest(crawl.folder)[1], kept.pages)
        trial = try_out(collection, table, told.topic, sampled, before=as_judged, pages=kept.pages, job=job)
        more = try_out(
            collection, table, told.topic, sorted(extra), before=as_judged, pages=kept.pages, job=job
        )
    return Trial(
        trial.pages, trial.before, trial.after, trial.gained, trial.lost, {**trial.margins, **more.margins}
    )


def _estimate(job: Job) -> Estimate:
    if job.stage is Stage.FAILED:
        return Estimate(stage=job.stage, done=job.done, total=job.total, sentence=job.problem)
    trial: Trial | None = job.result
    if trial is None or not trial.pages:
        sentence = (
            "The judge is being fitted to your labels."
            if trial is None
            else "There are no pages to try it on."
        )
        return Estimate(stage=job.stage, done=job.done, total=job.total, sentence=sentence)
    before, after = trial.before / trial.pages, trial.after / trial.pages
    return Estimate(
        stage=job.stage,
        done=job.done,
        total=job.total,
        sentence=(
            f"Harvest estimate {before:.2f} → {after:.2f} on {trial.pages:,} pages drawn at random: "
            f"{len(trial.gained):,} would become relevant, {len(trial.lost):,} would not be any more. "
            "The queue is re-ordered when the crawl is resumed."
        ),
        pages=trial.pages,
        before=before,
        after=after,
        gained=len(trial.gained),
        lost=len(trial.lost),
    )


def _lesson(lesson: Lesson) -> LessonSeen:
    before, after = lesson.harvest_before, lesson.harvest_after
    harvest = "" if before is None or after is None else f"harvest estimate {before:.2f} → {after:.2f}, "
    sentence = (
        f"From {lesson.labels_on:,} pages on topic and {lesson.labels_off:,} off topic: "
        f"{harvest}{lesson.moved:,} links moved."
    )
    return LessonSeen(**lesson._asdict(), sentence=sentence)


def _given(who: str, said: list[bool | None]) -> Given:
    return Given(
        who=who, labelled=len(said), on=said.count(True), off=said.count(False), unsure=said.count(None)
    )
