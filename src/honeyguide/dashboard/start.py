"""The beginning: the crawls that there are, or the one there is."""

import sqlite3

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel

from honeyguide.dashboard.crawls import AllCrawls, CrawlAtHand
from honeyguide.dashboard.rendering import render
from honeyguide.errors import HoneyguideError
from honeyguide.store.folder import is_being_written
from honeyguide.store.status import read_health

pages = APIRouter()
api = APIRouter()


class Summary(BaseModel):
    """A crawl in one line."""

    name: str
    path: str
    health: str
    sentence: str
    running: bool
    pages: int
    relevant: int
    harvest: float
    last_visit: float | None


@api.get("/crawls", summary="All crawls")
def listed(crawls: AllCrawls) -> list[Summary]:
    """Every crawl of the folder that the application is opened over, in the order of their names."""
    return [_summary(crawl) for crawl in crawls.all()]


@pages.get("/")
def page(request: Request, crawls: AllCrawls) -> Response:
    """The list of crawls; a single crawl opens at once."""
    if single := crawls.single:
        return RedirectResponse(single.path, status_code=307)
    return render(request, "crawls.html", listed=listed(crawls))


def _summary(crawl: CrawlAtHand) -> Summary:
    """A crawl that cannot be read says so in its line; the others are not hurt."""
    try:
        sums = crawl.columns().sums
        with crawl.open() as collection:
            health, sentence = read_health(collection.connection, crawl.folder, sums.pages)
            last = collection.connection.execute("SELECT at FROM visits ORDER BY id DESC LIMIT 1").fetchone()
    except (HoneyguideError, sqlite3.Error, OSError) as error:
        return Summary(
            name=crawl.name,
            path=crawl.path,
            health="unreadable",
            sentence=str(error),
            running=False,
            pages=0,
            relevant=0,
            harvest=0.0,
            last_visit=None,
        )
    return Summary(
        name=crawl.name,
        path=crawl.path,
        health=health,
        sentence=sentence,
        running=is_being_written(crawl.folder),
        pages=sums.pages,
        relevant=sums.relevant,
        harvest=sums.relevant / sums.pages if sums.pages else 0.0,
        last_visit=last[0] if last else None,
    )
