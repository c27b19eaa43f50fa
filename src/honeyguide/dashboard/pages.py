"""The screen of pages: a table, its filters, and the same as a file."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, StreamingResponse
from pydantic import BaseModel

from honeyguide.dashboard.columns import Columns, host_names
from honeyguide.dashboard.crawls import Crawl, CrawlAtHand
from honeyguide.dashboard.downloads import attachment
from honeyguide.dashboard.legible import legible
from honeyguide.dashboard.page_table import PageList, PageQuery, csv_lines, find_pages
from honeyguide.dashboard.rendering import render
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect

pages = APIRouter()
api = APIRouter(tags=["pages"])

SHOWN = 50
MOST = 500
SUGGESTED_HOSTS = 50
SUGGESTED_NAMES = 40

COLUMNS: tuple[tuple[str, str, str], ...] = (
    ("relevance", "Relevance", "desc"),
    ("", "Page", ""),
    ("host", "Host", "asc"),
    ("language", "Language", "asc"),
    ("type", "Type", "asc"),
    ("status", "Result", "asc"),
    ("queue_score", "Score", "desc"),
    ("time", "Visited (UTC)", "desc"),
)
"""The columns of the table: what it is sorted by, its heading, and the order it is sorted in first."""


class Named(BaseModel):
    """A name and how many pages have it."""

    name: str
    count: int


class Choices(BaseModel):
    """What the pages of a crawl can be filtered by."""

    languages: list[Named]
    types: list[Named]
    errors: list[Named]
    hosts: list[Named]


@api.get("/crawls/{crawl}/pages")
def list_pages(
    crawl: Crawl,
    query: Annotated[PageQuery, Query()],
    offset: Annotated[int, Query(ge=0, le=1 << 31)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST)] = SHOWN,
) -> PageList:
    """Pages in any order, chosen by what is known of them."""
    return find_pages(crawl, query, offset, limit)


@api.get("/crawls/{crawl}/pages/choices")
def list_choices(crawl: Crawl) -> Choices:
    """The languages, types, failures and best hosts that there are, to choose pages by."""
    return choices_of(crawl, crawl.columns())


@api.get(
    "/crawls/{crawl}/pages.csv",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
def export_pages(crawl: Crawl, query: Annotated[PageQuery, Query()]) -> StreamingResponse:
    """All pages that were chosen, as a table for spreadsheets, in their order."""
    name = f"{crawl.name}-pages.csv"
    return StreamingResponse(
        csv_lines(crawl, query), media_type="text/csv; charset=utf-8", headers=attachment(name)
    )


@pages.get("/crawls/{crawl}/pages")
def pages_screen(request: Request, crawl: Crawl, query: Annotated[PageQuery, Query()]) -> HTMLResponse:
    """The table with its first rows."""
    found = find_pages(crawl, query, 0, SHOWN)
    return render(
        request,
        "pages.html",
        crawl=crawl,
        query=query,
        found=found,
        choices=choices_of(crawl, crawl.columns()),
        filtered=bool(query.as_query().keys() - {"sort", "order"}),
        columns=COLUMNS,
    )


def choices_of(crawl: CrawlAtHand, columns: Columns) -> Choices:
    """What there is to choose by."""
    best = columns.best_hosts(SUGGESTED_HOSTS)
    connection = connect(crawl.folder / DATABASE, readonly=True)
    try:
        names = host_names(connection, (host.host for host in best))
    finally:
        connection.close()
    return Choices(
        languages=_named(columns.counts("language")),
        types=_named(columns.counts("type")),
        errors=_named(columns.counts("error")),
        hosts=[Named(name=names[host.host], count=host.pages) for host in best if host.host in names],
    )


def _named(counts: list[tuple[str, int]]) -> list[Named]:
    return [
        Named(name=name, count=count) for name, count in counts[:SUGGESTED_NAMES] if legible(name) == name
    ]
