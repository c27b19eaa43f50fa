"""HTML from templates: everything is escaped, and a name that is not given is an error."""

import time
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from honeyguide.version import __version__

TEMPLATES = Path(__file__).parent / "templates"
UNITS = ("bytes", "kB", "MB", "GB", "TB")


class Tab(NamedTuple):
    """One entry of a crawl's navigation: the end of its path and what it is called."""

    end: str
    title: str


TABS = (
    Tab("", "Overview"),
    Tab("pages", "Pages"),
    Tab("map", "Map"),
    Tab("search", "Search"),
    Tab("label", "Label"),
    Tab("topic", "Topic"),
)


def template_environment() -> Environment:
    """The templates with what all of them may use."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "thousands": thousands,
        "percent": percent,
        "size": size,
        "duration": duration,
        "moment": moment,
        "shorten": shorten,
        "segment": lambda text: quote(str(text), safe=""),
    }
    environment.globals |= {"version": __version__, "tabs": TABS}
    return environment


def render(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """A page from a template; `crawl` and `crawls` are there for the navigation."""
    environment: Environment = request.app.state.templates
    crawls = request.app.state.crawls
    context.setdefault("crawl", None)
    text = environment.get_template(template).render(
        request=request, crawls=crawls, path=quote(request.scope["path"]), now=time.time(), **context
    )
    return HTMLResponse(text, status_code=status)


def thousands(number: float) -> str:
    """12,345"""
    return f"{number:,.0f}"


def percent(share: float) -> str:
    """12.3 %"""
    # Halves are rounded up, as the scripts of the pages do, so that two screens say the same.
    rounded = Decimal(100 * share).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return f"{rounded}\N{NO-BREAK SPACE}%"


def size(count: float) -> str:
    """1.2 MB"""
    step = 0
    while count >= 1000 and step < len(UNITS) - 1:
        count /= 1000
        step += 1
    return f"{count:,.0f} {UNITS[step]}" if step == 0 else f"{count:,.1f} {UNITS[step]}"


def duration(seconds: float) -> str:
    """2 h 5 min"""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400:,} d {whole % 86400 // 3600} h"


def moment(timestamp: float) -> str:
    """A time in words that sort."""
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d %H:%M UTC")


def shorten(text: str, length: int = 120) -> str:
    """A text of the web cut to a length that a page can bear."""
    text = " ".join(text[: 8 * length].split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
