"""The overview: how a crawl stands, live while it runs."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from honeyguide.dashboard.crawls import Crawl
from honeyguide.dashboard.events import Watching
from honeyguide.dashboard.figures import Overview
from honeyguide.dashboard.kept import AtHand
from honeyguide.dashboard.rendering import render
from honeyguide.dashboard.stock import read_overview
from honeyguide.errors import UserError

pages = APIRouter()
api = APIRouter()


@api.get("/crawls/{crawl}", summary="A crawl in figures")
def overview(crawl: Crawl, streams: Watching) -> Overview:
    """Everything that the overview shows, as it stands."""
    return read_overview(crawl, streams.scan(crawl.folder))


@pages.get("/crawls/{crawl}")
def without_slash(crawl: Crawl) -> Response:
    """The overview's address ends in a slash."""
    return RedirectResponse(crawl.path, status_code=307)


@pages.get("/crawls/{crawl}/")
def page(request: Request, crawl: Crawl, streams: Watching, kept: AtHand) -> Response:
    """The overview."""
    try:
        topic = kept.topics.newest(crawl.folder)[1].name
    except UserError:  # a crawl whose topic is lost can still be looked at
        topic = crawl.name
    figures = overview(crawl, streams)
    return render(request, "overview.html", crawl=crawl, figures=figures, topic=topic)
