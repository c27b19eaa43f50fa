"""The screen of one page: its text and snapshot, the verdict on it, why the crawl went there, and its links."""

import getpass
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse

from honeyguide.dashboard.crawls import Crawl, NotFound
from honeyguide.dashboard.page_links import PageLinks, links_of
from honeyguide.dashboard.page_view import PageView, read_page
from honeyguide.dashboard.rendering import render
from honeyguide.dashboard.snapshots import snapshot_url
from honeyguide.dashboard.why import picture_of
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect

pages = APIRouter()
api = APIRouter(tags=["pages"])

VisitNumber = Annotated[int, Path(ge=1, le=(1 << 31) - 1, description="The number of a visit.")]


@api.get("/crawls/{crawl}/pages/{visit}")
def read(crawl: Crawl, visit: VisitNumber) -> PageView:
    """A page as it was at a visit: verdict, reasons, text, and the way from a seed."""
    with crawl.open() as collection:
        return read_page(collection, visit)


@api.get("/crawls/{crawl}/pages/{visit}/links")
def read_links(crawl: Crawl, visit: VisitNumber) -> PageLinks:
    """The links of a page in both directions, as far as the links of the crawl are read."""
    connection = connect(crawl.folder / DATABASE, readonly=True)
    try:
        found = connection.execute("SELECT url FROM visits WHERE id = ?", (visit,)).fetchone()
        if found is None:
            raise NotFound("There is no such visit in this crawl.")
        return links_of(connection, crawl.shelf.links(crawl.folder), visit, found[0])
    finally:
        connection.close()


@pages.get("/crawls/{crawl}/pages/{visit}")
def page_screen(request: Request, crawl: Crawl, visit: VisitNumber) -> HTMLResponse:
    """One page; its links follow when they are asked for."""
    with crawl.open() as collection:
        found = read_page(collection, visit)
    largest = max((abs(reason.amount) for reason in found.verdict.reasons), default=0) if found.verdict else 0
    return render(
        request,
        "page.html",
        crawl=crawl,
        page=found,
        picture=picture_of(found.way),
        largest=largest or 1,
        snapshot=snapshot_url(request, crawl.name, visit) if found.kept else "",
        annotator=_user(),
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "me"
