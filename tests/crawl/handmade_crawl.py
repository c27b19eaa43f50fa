"""A finished crawl written page by page, for tests that need to know what every verdict is."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from honeyguide.assemble import create
from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.model import Candidate, Link, Page, Response, Topic, Verdict, Visit
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect
from honeyguide.store.sqlite import SqliteStore
from honeyguide.store.warc import Archive


class Made(NamedTuple):
    """One page: where it lies, what the judge said, and what it says itself."""

    url: str
    relevant: bool
    title: str = "A page"
    text: str = "Some words."
    final: str = ""
    fingerprint: int = 0
    noindex: bool = False


def make_crawl(folder: Path, pages: Iterable[Made], **tables: dict[str, Any]) -> Path:
    """Write a crawl of these pages, in this order; tables of its settings may be given."""
    pages = list(pages)
    create(folder, Topic("dengue fever", seeds=("https://seed.example/",)), tables)
    connection = connect(folder / DATABASE)
    frontier = SqliteFrontier(connection)
    store = SqliteStore(connection, Archive(folder), frontier.id_of)
    store.begin()
    frontier.push(Candidate(Link(page.url), 0.5) for page in pages)
    for page in pages:
        store.save(_visit(page))
    store.commit()
    store.close()
    return folder


def _visit(made: Made) -> Visit:
    url = made.final or made.url
    body = f"<html><title>{made.title}</title><body><main><p>{made.text}</p></main></body></html>".encode()
    response = Response(
        url, 200, (("Content-Type", "text/html; charset=utf-8"),), body, body, fetched_at=1_700_000_000.0
    )
    page = Page(url, made.title, made.text, "en", content_type="text/html", fingerprint=made.fingerprint)
    verdict = Verdict(0.9 if made.relevant else 0.1, made.relevant, judge="made@1")
    candidate = Candidate(Link(made.url), 0.5)
    return Visit(
        candidate, response, replace(page, noindex=made.noindex), verdict, status=200, at=1_700_000_000.0
    )
