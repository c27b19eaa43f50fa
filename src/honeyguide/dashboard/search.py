"""Search: full text over a collection, with facets, feedback and saved searches."""

import io
import time
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, ConfigDict

from honeyguide.dashboard.crawls import Crawl, CrawlAtHand
from honeyguide.dashboard.downloads import attachment
from honeyguide.dashboard.kept import AtHand, Kept
from honeyguide.dashboard.marked_text import Span
from honeyguide.dashboard.rendering import render
from honeyguide.dashboard.search_query import SearchQuery, narrowings
from honeyguide.errors import UserError
from honeyguide.search.sort import Sort
from honeyguide.searching import write_results

pages = APIRouter()
api = APIRouter(tags=["search"])

SORTS = {
    Sort.SCORE: "Best answer",
    Sort.RELEVANCE: "Most on topic",
    Sort.AUTHORITY: "Most linked to",
    Sort.NEWEST: "Newest",
    Sort.OLDEST: "Oldest",
}
SavedName = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{1,60}$", description="Letters, digits, - and _, at most 60.")
]


class Found(BaseModel):
    """A page that was found: text * (1 + weighted relevance + weighted authority) is its score."""

    model_config = ConfigDict(from_attributes=True)

    rank: int
    visit: int
    url: str
    title: str
    host: str
    language: str
    fetched_at: str
    relevant: bool
    label: str
    score: float
    text: float
    relevance: float
    authority: float
    snippet: list[Span]


class Facet(BaseModel):
    """A value that some of the answers have, and how many."""

    value: str
    count: int


class Answers(BaseModel):
    """One page of answers; `terms` are the words that feedback made of the search, with their weights."""

    total: int
    page: int
    pages: int
    milliseconds: float
    hits: list[Found]
    facets: dict[str, list[Facet]]
    terms: dict[str, float]


class IndexNow(BaseModel):
    """How far the index is behind the crawl, and whether it is being brought up to date here or elsewhere."""

    pages: int
    behind: int
    updating: bool
    elsewhere: bool
    problem: str


class Saved(BaseModel):
    """A search that was given a name."""

    name: str
    search: SearchQuery


class Done(BaseModel):
    """That it was done, in a sentence."""

    sentence: str


Facets = dict[str, tuple[tuple[str, int], ...]]
Asking = Annotated[SearchQuery, Query()]


class ExportQuery(SearchQuery):
    """What to find, and what kind of file to write."""

    ending: Literal["csv", "jsonl"] = "csv"


@api.get("/crawls/{crawl}/search", summary="Search the pages")
def search(crawl: Crawl, kept: AtHand, query: Asking) -> Answers:
    """The pages that answer a search, the best first."""
    return _answers(crawl, kept, query)[0]


@api.get("/crawls/{crawl}/search/index", summary="How far the index is")
def index_now(crawl: Crawl, kept: AtHand) -> IndexNow:
    """How far the index is behind the crawl; asking starts an update if one is due."""
    state = kept.engines.of(crawl.folder).state()
    return IndexNow(
        pages=state.pages,
        behind=state.behind,
        updating=state.updating,
        elsewhere=state.elsewhere,
        problem=state.problem,
    )


@api.get(
    "/crawls/{crawl}/search/export",
    summary="Everything that a search finds, as a file",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}, "application/x-ndjson": {}}, "description": "The file."}},
)
def export(crawl: Crawl, kept: AtHand, query: Annotated[ExportQuery, Query()]) -> Response:
    """All answers in their order, as CSV or JSON lines."""
    engine = kept.engines.of(crawl.folder)
    found = engine.search(query.asked(page=1, limit=0, facets=False))
    stream = io.StringIO(newline="")
    write_results(found, stream, f".{query.ending}")
    kind = "text/csv" if query.ending == "csv" else "application/x-ndjson"
    name = f"{crawl.name}-search.{query.ending}"
    return Response(stream.getvalue(), media_type=kind, headers=attachment(name))


@api.get("/crawls/{crawl}/search/saved", summary="Saved searches")
def saved_searches(crawl: Crawl, kept: AtHand) -> list[Saved]:
    """Every saved search, in the order of their names."""
    everything = kept.engines.of(crawl.folder).engine.saved.all()
    return [Saved(name=name, search=SearchQuery.of(asked)) for name, asked in everything.items()]


@api.put("/crawls/{crawl}/search/saved/{name}", summary="Save a search")
def save(crawl: Crawl, kept: AtHand, name: SavedName, query: SearchQuery) -> Done:
    """Give a search a name, in the place of another of the same name."""
    kept.engines.of(crawl.folder).engine.saved.put(name, query.asked())
    return Done(sentence=f"The search is saved as {name}.")


@api.delete("/crawls/{crawl}/search/saved/{name}", summary="Forget a saved search")
def forget(crawl: Crawl, kept: AtHand, name: SavedName) -> Done:
    """Forget a search."""
    kept.engines.of(crawl.folder).engine.saved.remove(name)
    return Done(sentence=f"The search {name} is forgotten.")


@pages.get("/crawls/{crawl}/search", response_class=HTMLResponse)
def search_page(request: Request, crawl: Crawl, kept: AtHand, query: Asking) -> HTMLResponse:
    """The screen; a search that cannot be read is answered in a sentence."""
    answers: Answers | None = None
    facets: Facets = {}
    problem = ""
    try:
        answers, facets = _answers(crawl, kept, query)
    except UserError as error:
        problem = str(error)
    levels = {level.name for level in kept.topics.newest(crawl.folder)[1].branch}
    return render(
        request,
        "search.html",
        crawl=crawl,
        query=query,
        answers=answers,
        problem=problem,
        sorts=SORTS,
        narrowings=narrowings(query, facets, levels),
        saved=saved_searches(crawl, kept),
        index=index_now(crawl, kept),
    )


def _answers(crawl: CrawlAtHand, kept: Kept, query: SearchQuery) -> tuple[Answers, Facets]:
    started = time.perf_counter()
    results = kept.engines.of(crawl.folder).search(query.asked())
    took = 1000 * (time.perf_counter() - started)
    answers = Answers(
        total=results.total,
        page=query.page,
        pages=results.pages,
        milliseconds=round(took, 2),
        hits=[Found.model_validate(hit) for hit in results.hits],
        facets={
            name: [Facet(value=value, count=count) for value, count in counts]
            for name, counts in results.facets.items()
        },
        terms=results.terms,
    )
    return answers, results.facets
