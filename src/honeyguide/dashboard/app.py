"""The application: every screen's pages and its part of the API, behind one guard.

A screen is a module with two routers: `pages` (HTML, at the addresses people see) and `api` (JSON, all of it
below /api: a route "/crawls/{crawl}/pages" of it answers at /api/crawls/{crawl}/pages).
"""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from anyio import CapacityLimiter
from fastapi import Depends, FastAPI
from fastapi.security import HTTPBearer
from fastapi.staticfiles import StaticFiles

from honeyguide.dashboard import (
    compare,
    events,
    label,
    map,
    overview,
    page,
    pages,
    reference,
    reports,
    search,
    sign_in,
    start,
    steering,
    topic,
)
from honeyguide.dashboard.access import Access, Guard
from honeyguide.dashboard.columns import ColumnShelf
from honeyguide.dashboard.crawls import Crawls
from honeyguide.dashboard.failures import PROBLEMS, say_failures
from honeyguide.dashboard.kept import Kept
from honeyguide.dashboard.password import Attempts
from honeyguide.dashboard.rendering import template_environment
from honeyguide.dashboard.snapshots import Signature
from honeyguide.version import __version__

SCREENS = (
    sign_in,
    start,
    overview,
    events,
    steering,
    pages,
    page,
    map,
    search,
    label,
    topic,
    compare,
    reports,
)
STATIC = Path(__file__).parent / "static"


def create_app(root: Path, *, access: Access) -> FastAPI:
    """The application over a crawl or a folder of crawls."""
    shelf, streams = ColumnShelf(), events.Streams()
    kept = Kept()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        streams.close()
        kept.close()
        shelf.close()

    app = FastAPI(
        title="Honeyguide",
        version=__version__,
        description="Everything that the pages of the web application do.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        separate_input_output_schemas=False,
    )
    app.state.access = access
    app.state.crawls = Crawls(root, shelf=shelf)
    app.state.attempts = Attempts(clock=time.monotonic)
    app.state.password_checks = CapacityLimiter(sign_in.MOST_CHECKS)
    app.state.kept = kept
    app.state.signature = Signature()
    app.state.templates = template_environment()
    app.state.streams = streams
    say_failures(app)
    bearer = Depends(HTTPBearer(auto_error=False))  # the guard checks it; here it is only written down
    for screen in SCREENS:
        app.include_router(screen.api, prefix="/api", responses=PROBLEMS, dependencies=[bearer])
        app.include_router(screen.pages, include_in_schema=False)
    app.include_router(reference.pages, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(Guard, access=access)
    return app
