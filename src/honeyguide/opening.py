"""Opening a crawl that others have made, to read it: its topic, settings, pages and search index."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from honeyguide.config import Tables, construct, merge, pick
from honeyguide.errors import CrawlError
from honeyguide.fetch.decode import decode
from honeyguide.model import Page, Response
from honeyguide.naming import DEFAULTS
from honeyguide.parse.pages import PageParser
from honeyguide.roles import Parser
from honeyguide.search.index import Index
from honeyguide.search.ranking import Ranking
from honeyguide.store.collection import Collection
from honeyguide.store.folder import CONFIG, SEARCH, must_hold_crawl
from honeyguide.store.index_source import IndexSource
from honeyguide.topics.toml import read_tables


def settings_of(folder: Path) -> Tables:
    """The settings a crawl was made with, as they are written down."""
    must_hold_crawl(folder)
    if not (folder / CONFIG).is_file():
        raise CrawlError(f"{folder} is no whole crawl: {CONFIG} is missing; restore it from a copy.")
    return merge(DEFAULTS, read_tables(folder / CONFIG))


def open_collection(folder: Path) -> Collection:
    """A crawl opened for reading."""
    parse = settings_of(folder).get("parse", {})
    parser = construct(PageParser, pick(PageParser, parse), name="parse")
    return Collection(folder, reads_archived(parser))


def open_index(folder: Path, *, log: logging.Logger | None = None) -> Index:
    """The search index of a crawl as it stands; `update_index` brings it up to date."""
    must_hold_crawl(folder)
    return Index.open(folder / SEARCH, log=log)


def update_index(index: Index, folder: Path, *, stop: Callable[[], bool] = lambda: False) -> bool:
    """Index what a crawl has brought since last time; False if another process is at it, or it was stopped."""
    with open_collection(folder) as collection:
        return index.update(IndexSource(collection), stop=stop)


def make_ranking(folder: Path) -> Ranking:
    """How the settings of a crawl say that search results are ordered."""
    table = settings_of(folder).get("search", {})
    ranking: Ranking = construct(Ranking, pick(Ranking, table), name="search")
    return ranking


def reads_archived(parser: Parser) -> Callable[[Response], Page]:
    """How pages of an archive are read with a parser."""

    def read(response: Response) -> Page:
        return parser.parse(decoded(response))

    return read


def decoded(response: Response) -> Response:
    """A response of an archive with its body as it was before it was compressed for the way."""
    body, _ = decode(response.raw, response.header("content-encoding"), 1 << 26)
    return replace(response, body=body)
