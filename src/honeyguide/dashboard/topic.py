"""Topic: what the crawl is about, edited, tried out, applied and undone."""

from collections.abc import Callable, Hashable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.dashboard import topic_preview
from honeyguide.dashboard.background import Job, Stage
from honeyguide.dashboard.crawls import Crawl, CrawlAtHand, NotFound
from honeyguide.dashboard.kept import AtHand, Kept
from honeyguide.dashboard.rendering import render
from honeyguide.dashboard.topic_edit import TopicEdit, TopicSeen, seen
from honeyguide.dashboard.topic_preview import edited_topic
from honeyguide.explaining import Explanation, explain
from honeyguide.growing import Proposal, propose
from honeyguide.model import Topic
from honeyguide.naming import make_judge
from honeyguide.opening import settings_of
from honeyguide.store.folder import is_being_written
from honeyguide.store.requests import Kind, RequestBook
from honeyguide.topics.folder import history, write_revision

pages = APIRouter()
api = APIRouter(tags=["topic"])
api.include_router(topic_preview.api)

Note = Annotated[str, Field(max_length=300)]
By = Annotated[str, Field(max_length=100)]


class RevisionSeen(BaseModel):
    """One revision of the topic, when it was written, and what was noted on it."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    at: float
    note: str


class EditApplied(BaseModel):
    """An edit to apply, and what to note on it."""

    edit: TopicEdit
    note: Note = ""
    by: By = ""


class Restoring(BaseModel):
    """Who goes back to an earlier revision."""

    by: By = ""


class Applied(BaseModel):
    """The new revision; a running crawl was asked to go by it, in the request of this number."""

    revision: int
    request: int | None
    sentence: str


class TermProposed(BaseModel):
    """A term that pages on topic say and others do not."""

    model_config = ConfigDict(from_attributes=True)

    text: str
    weight: float
    relevant_pages: int
    other_pages: int
    sources: list[str]


class PageProposed(BaseModel):
    """A page that might be an example, or is worth a person's look."""

    model_config = ConfigDict(from_attributes=True)

    url: str
    title: str
    relevance: float


class Suggestions(BaseModel):
    """What the topic might gain from what the crawl has found; worked out behind the scenes."""

    stage: Stage
    problem: str
    relevant_pages: int = 0
    other_pages: int = 0
    terms: list[TermProposed] = []
    examples: list[PageProposed] = []
    borderline: list[PageProposed] = []


class WordExplained(BaseModel):
    """A word of the name and keywords, the share of texts that say it, and how many meanings it has."""

    model_config = ConfigDict(from_attributes=True)

    word: str
    share: float
    senses: int


class LookedFor(BaseModel):
    """What the judge looks for, and how much it counts."""

    what: str
    amount: float


class GapSeen(BaseModel):
    """What the topic does not say, and what that means."""

    model_config = ConfigDict(from_attributes=True)

    what: str
    meaning: str


class Explained(BaseModel):
    """The topic explained; worked out behind the scenes."""

    stage: Stage
    problem: str
    words: list[WordExplained] = []
    ambiguities: list[str] = []
    gaps: list[GapSeen] = []
    looks_for: list[LookedFor] = []
    grown_keywords: list[str] = []


@api.get("/crawls/{crawl}/topic", summary="The topic")
def topic_now(crawl: Crawl, kept: AtHand) -> TopicSeen:
    """The newest revision of the topic."""
    number, topic = kept.topics.newest(crawl.folder)
    return seen(topic, number, _judge(crawl)["use"])


@api.get("/crawls/{crawl}/topic/revisions", summary="Every revision of the topic")
def topic_history(crawl: Crawl) -> list[RevisionSeen]:
    """Every revision, the newest first."""
    return [RevisionSeen.model_validate(revision) for revision in reversed(history(crawl.folder))]


@api.get("/crawls/{crawl}/topic/revisions/{number}", summary="One revision of the topic")
def topic_then(crawl: Crawl, kept: AtHand, number: Annotated[int, Path(ge=1, le=2**31)]) -> TopicSeen:
    """The topic as it was."""
    return seen(_revision(crawl, kept, number), number, _judge(crawl)["use"])


@api.post("/crawls/{crawl}/topic/revisions", summary="Apply an edit", status_code=201)
def apply(crawl: Crawl, kept: AtHand, asked: EditApplied) -> Applied:
    """Write the edited topic as a new revision, and ask the crawl to go by it if it runs."""
    topic = edited_topic(crawl, kept, asked.edit)
    if topic == kept.topics.newest(crawl.folder)[1]:
        return Applied(revision=asked.edit.revision, request=None, sentence="Nothing was changed.")
    make_judge(_judge(crawl), topic)  # what no judge can be fitted to is refused in its own words
    return _apply(crawl, topic, asked.note or "edited in the web application", asked.by)


@api.post(
    "/crawls/{crawl}/topic/revisions/{number}/restore", summary="Go back to a revision", status_code=201
)
def restore(
    crawl: Crawl, kept: AtHand, number: Annotated[int, Path(ge=1, le=2**31)], asked: Restoring
) -> Applied:
    """Write an earlier revision again as the newest one, which undoes what came after it."""
    return _apply(crawl, _revision(crawl, kept, number), f"as in revision {number}", asked.by)


@api.get("/crawls/{crawl}/topic/suggestions", summary="What the topic might gain")
def suggestions(crawl: Crawl, kept: AtHand) -> Suggestions:
    """Terms and examples that the crawl has found; asking begins to work them out."""

    def work(_: Job) -> Proposal:
        with crawl.open() as collection:
            return propose(collection, topic, terms=40, examples=15, borderline=10)

    number, topic = kept.topics.newest(crawl.folder)
    job = _worked_out(crawl, kept, "suggestions", (number, crawl.columns().read // 200), work)
    found: Proposal | None = job.result
    if found is None:
        return Suggestions(stage=job.stage, problem=job.problem)
    return Suggestions(
        stage=job.stage,
        problem="",
        relevant_pages=found.relevant_pages,
        other_pages=found.other_pages,
        terms=[TermProposed.model_validate(term) for term in found.terms],
        examples=[PageProposed.model_validate(page) for page in found.examples],
        borderline=[PageProposed.model_validate(page) for page in found.borderline],
    )


@api.get("/crawls/{crawl}/topic/explanation", summary="The topic explained")
def explanation(crawl: Crawl, kept: AtHand) -> Explained:
    """What is ambiguous in the topic, what is missing, and what the judge looks for."""
    number, topic = kept.topics.newest(crawl.folder)
    table = _judge(crawl)
    job = _worked_out(crawl, kept, "explanation", number, lambda _: explain(topic, [table]))
    found: Explanation | None = job.result
    if found is None:
        return Explained(stage=job.stage, problem=job.problem)
    return Explained(
        stage=job.stage,
        problem="",
        words=[WordExplained.model_validate(word) for word in found.words],
        ambiguities=list(found.ambiguities),
        gaps=[GapSeen.model_validate(gap) for gap in found.gaps],
        looks_for=[
            LookedFor(what=what, amount=amount)
            for opinion in found.opinions
            for what, amount in opinion.terms[:40]
        ],
        grown_keywords=list(found.grown_keywords),
    )


@pages.get("/crawls/{crawl}/topic", response_class=HTMLResponse)
def topic_page(request: Request, crawl: Crawl, kept: AtHand) -> HTMLResponse:
    """The screen."""
    number, topic = kept.topics.newest(crawl.folder)
    return render(request, "topic.html", crawl=crawl, topic=topic, revision=number)


def _judge(crawl: CrawlAtHand) -> dict[str, Any]:
    return settings_of(crawl.folder)["judge"]


def _revision(crawl: CrawlAtHand, kept: Kept, number: int) -> Topic:
    if number not in kept.topics.numbers(crawl.folder):
        raise NotFound(f"There is no revision {number} of the topic.")
    return kept.topics.of(crawl.folder, number)


def _apply(crawl: CrawlAtHand, topic: Topic, note: str, by: str) -> Applied:
    number = write_revision(crawl.folder, topic, note)
    if not is_being_written(crawl.folder):
        sentence = f"Revision {number} is written; it counts when the crawl is resumed."
        return Applied(revision=number, request=None, sentence=sentence)
    with RequestBook(crawl.folder) as book:
        asked = book.ask(Kind.TOPIC, {"revision": number}, by or "web application")
    sentence = f"Revision {number} is written, and the crawl is asked to go by it."
    return Applied(revision=number, request=asked, sentence=sentence)


def _worked_out(
    crawl: CrawlAtHand, kept: Kept, what: str, subject: Hashable, work: Callable[[Job], Any]
) -> Job:
    """Work that takes a moment; it is begun once for a subject, also if it failed."""
    name = (crawl.folder, what)
    job = kept.background.get(name)
    if job is not None and job.subject == subject:
        return job
    return kept.background.start(name, subject, work)
