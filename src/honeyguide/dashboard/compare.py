"""Compare: two crawls side by side, what each found and what both did."""

import sqlite3
from enum import StrEnum
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from honeyguide.dashboard.crawls import AllCrawls, CrawlAtHand, Crawls
from honeyguide.dashboard.kept import AtHand
from honeyguide.dashboard.overlap import Overlap, Side, best_first, rows_of
from honeyguide.dashboard.rendering import render
from honeyguide.errors import ConfigError
from honeyguide.statistics import chapman

pages = APIRouter()
api = APIRouter(tags=["compare"])

POINTS = 300
ON_A_PAGE = 50
LONGEST_TITLE = 300

Name = Annotated[str, Field(min_length=1, max_length=255)]


class FoundBy(StrEnum):
    """Which pages to list: those that both crawls have found, or one of them alone."""

    BOTH = "both"
    ONE = "one"
    OTHER = "other"


class CompareQuery(BaseModel):
    """The names of two crawls."""

    one: Name
    other: Name


class ListQuery(CompareQuery):
    """Which pages to list."""

    which: FoundBy = FoundBy.BOTH
    page: Annotated[int, Field(ge=1, le=1_000_000)] = 1


class SideSeen(BaseModel):
    """One crawl in figures; `only` are pages that the other has not found."""

    name: str
    path: str
    read: int
    total: int
    pages: int
    relevant: int
    harvest: float
    hosts: int
    seconds: float
    only: int
    only_relevant: int


class Curves(BaseModel):
    """The share of pages on topic and their number over the pages fetched; null where a crawl was over."""

    pages: list[int]
    harvest: list[list[float | None]]
    found: list[list[float | None]]


class Estimated(BaseModel):
    """How many pages on topic there may be, from what both crawls found, and between what and what at 95 %."""

    total: float
    low: float
    high: float


class Comparison(BaseModel):
    """Two crawls side by side."""

    sides: list[SideSeen]
    both: int
    both_relevant: int
    agree: float | None
    """The share of the pages of both on which the verdicts are the same."""
    estimate: Estimated | None
    curves: Curves


class PageSeen(BaseModel):
    """A page, where each crawl has it, and what each made of it."""

    url: str
    title: str
    host: str
    visits: list[int | None]
    relevance: list[float | None]
    relevant: list[bool | None]


class Listed(BaseModel):
    """One page of a list, those on topic first."""

    total: int
    page: int
    pages: int
    rows: list[PageSeen]


@api.get("/compare", summary="Two crawls side by side")
def compare(crawls: AllCrawls, kept: AtHand, query: Annotated[CompareQuery, Query()]) -> Comparison:
    """Figures, curves, and what both crawls have found."""
    one, other = _two(crawls, query)
    found = kept.overlaps.of(one, other)
    both_relevant = found.one.relevant[found.both_one] & found.other.relevant[found.both_other]
    same = found.one.relevant[found.both_one] == found.other.relevant[found.both_other]
    return Comparison(
        sides=[_side(one, found.one, found.only_one), _side(other, found.other, found.only_other)],
        both=len(found.both_one),
        both_relevant=int(both_relevant.sum()),
        agree=float(same.mean()) if len(same) else None,
        estimate=_estimate(found, int(both_relevant.sum())),
        curves=_curves(found),
    )


@api.get("/compare/pages", summary="The pages of both crawls, or of one alone")
def compare_pages(crawls: AllCrawls, kept: AtHand, query: Annotated[ListQuery, Query()]) -> Listed:
    """Pages that both crawls have found, or one alone; those on topic first."""
    two = _two(crawls, query)
    found = kept.overlaps.of(*two)
    sides = (found.one, found.other)
    if query.which is FoundBy.BOTH:
        order = best_first(found.one, found.both_one)
        partner = found.both_other[np.searchsorted(found.both_one, order)]
        places: list[NDArray[np.intp] | None] = [order, partner]
    elif query.which is FoundBy.ONE:
        places = [best_first(found.one, found.only_one), None]
    else:
        places = [None, best_first(found.other, found.only_other)]
    total = max(len(listed) for listed in places if listed is not None)
    part = slice((query.page - 1) * ON_A_PAGE, query.page * ON_A_PAGE)
    visits = [
        None if listed is None else side.columns.visit[side.rows[listed[part]]].tolist()
        for side, listed in zip(sides, places, strict=True)
    ]
    return Listed(total=total, page=query.page, pages=max(1, -(-total // ON_A_PAGE)), rows=_rows(two, visits))


@pages.get("/compare", response_class=HTMLResponse)
def compare_page(request: Request, crawls: AllCrawls, one: str = "", other: str = "") -> HTMLResponse:
    """The screen."""
    names = [crawl.name for crawl in crawls.all()]
    for name in filter(None, (one, other)):
        crawls.get(name)
    one = one or next((name for name in names if name != other), "")
    other = other if other != one else ""
    other = other or next((name for name in names if name != one), "")
    return render(request, "compare.html", names=names, one=one, other=other)


def _two(crawls: Crawls, query: CompareQuery) -> tuple[CrawlAtHand, CrawlAtHand]:
    if query.one == query.other:
        raise ConfigError("A crawl is compared with another one; choose two.")
    return crawls.get(query.one), crawls.get(query.other)


def _side(crawl: CrawlAtHand, side: Side, only: NDArray[np.intp]) -> SideSeen:
    columns = side.columns
    sums = columns.sums
    seconds = float(columns.at.max() - columns.at.min()) if columns.read else 0.0
    return SideSeen(
        name=crawl.name,
        path=crawl.path,
        read=columns.read,
        total=columns.total,
        pages=sums.pages,
        relevant=sums.relevant,
        harvest=sums.relevant / sums.pages if sums.pages else 0.0,
        hosts=len(np.unique(columns.host[side.rows])),
        seconds=seconds,
        only=len(only),
        only_relevant=int(side.relevant[only].sum()),
    )


def _estimate(found: Overlap, both: int) -> Estimated | None:
    if not both:
        return None
    estimate = chapman(int(found.one.relevant.sum()), int(found.other.relevant.sum()), both)
    return Estimated(total=estimate.total, low=estimate.low, high=estimate.high)


def _curves(found: Overlap) -> Curves:
    curves = [side.columns.curve(points=POINTS) for side in (found.one, found.other)]
    longest = max((int(curve.pages[-1]) for curve in curves if len(curve.pages)), default=0)
    steps = np.linspace(1, max(1, longest), min(POINTS, max(1, longest))).round()
    grid = np.unique(steps.astype(np.int64))[:longest]
    harvest: list[list[float | None]] = []
    number: list[list[float | None]] = []
    for curve in curves:
        if not len(curve.pages):
            harvest.append([None] * len(grid))
            number.append([None] * len(grid))
            continue
        share = np.interp(grid, curve.pages, curve.overall)
        over = grid > curve.pages[-1]
        harvest.append(_known(share, over))
        number.append(_known(share * grid, over))
    return Curves(pages=grid.tolist(), harvest=harvest, found=number)


def _known(values: NDArray[np.float64], over: NDArray[np.bool_]) -> list[float | None]:
    return [
        None if ended else round(value, 4)
        for value, ended in zip(values.tolist(), over.tolist(), strict=True)
    ]


def _rows(two: tuple[CrawlAtHand, CrawlAtHand], visits: list[list[int] | None]) -> list[PageSeen]:
    read: list[list[sqlite3.Row] | None] = []
    for crawl, wanted in zip(two, visits, strict=True):
        if wanted is None:
            read.append(None)
            continue
        with crawl.open() as collection:
            known = rows_of(collection.connection, wanted)
        read.append([known[visit] for visit in wanted])
    count = max(len(rows) for rows in read if rows is not None)
    seen = []
    for at in range(count):
        pair = [rows[at] if rows is not None else None for rows in read]
        shown = next(row for row in pair if row is not None)
        seen.append(
            PageSeen(
                url=shown["url"],
                title=shown["title"][:LONGEST_TITLE],
                host=shown["host"],
                visits=[row["id"] if row is not None else None for row in pair],
                relevance=[row["relevance"] if row is not None else None for row in pair],
                relevant=[bool(row["relevant"]) if row is not None else None for row in pair],
            )
        )
    return seen
