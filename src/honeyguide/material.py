"""What a topic is learned from: the texts of its examples, read from files, from the web, or from a crawl.

Pages are fetched as a crawl fetches them: the same robots.txt, the same pauses, the same name.
"""

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from honeyguide.assemble import make_fetcher, make_reader, resolve_tables
from honeyguide.config import Tables, construct
from honeyguide.errors import ConfigError, ErrorKind, FetchError, PageError, UserError
from honeyguide.fetch.http import HttpFetcher
from honeyguide.frontier.politeness import Politeness
from honeyguide.loop import Reader
from honeyguide.model import Example, Level, Page, Response, Step, Topic, Verdict
from honeyguide.opening import open_collection
from honeyguide.parse.pages import PageParser
from honeyguide.topics.examples import FILE, path_of, untold
from honeyguide.urls import canonical, host_of

MOST_OF_A_CRAWL = 500
"""Pages that an earlier crawl gives, the most relevant first."""

TOLD_EVERY = 10
"""Pages between two words on how far the reading is."""

PATIENCE = 180.0
"""Seconds that an example may take, pauses that its host asks for included, before that host is given up."""

Say = Callable[[str], None]
Found = dict[str, tuple[Example, ...] | str]
"""What became of an address: the examples there, or why there are none."""


def silent(sentence: str) -> None:
    """Tell nobody."""


async def gather(
    topic: Topic,
    settings: Mapping[str, Mapping[str, Any]],
    on_event: Say = silent,
    on_loss: Say | None = None,
) -> Topic:
    """The topic with the texts of all its examples; what could not be had is told to `on_loss` and left out.

    Where nothing is left of the examples, the pages off topic, a level or any other part, that is an error.
    """
    addresses = list(dict.fromkeys(example.url.strip() for example in untold(topic)))
    if not addresses:
        return topic
    if "" in addresses:
        raise ConfigError("An example has neither a text nor an address; give it one of the two.")
    web = sum(_is_web(address) for address in addresses)
    on_event(f"Reading {_counted(len(addresses), 'example')}{f', {web} from the web' if web else ''}.")
    found = await _read_all(addresses, resolve_tables(settings), on_event)
    return _filled(topic, found, on_loss or on_event)


async def _read_all(addresses: Sequence[str], settings: Tables, on_event: Say) -> Found:
    """Read every address: those on the web host by host, many hosts at once."""
    politeness = construct(Politeness, settings["politeness"], name="politeness")
    fetcher, _ = make_fetcher(settings, politeness=politeness)
    reader = make_reader(settings, construct(PageParser, settings["parse"], name="parse"), _Unasked())
    by_host: dict[str, list[str]] = defaultdict(list)
    for address in addresses:
        by_host[host_of(canonical(address) or address) if _is_web(address) else ""].append(address)
    found: Found = {}

    async def read(host: str) -> None:
        gone = ""
        for address in by_host[host]:
            try:
                if gone:
                    found[address] = gone
                elif host:
                    found[address] = await _from_web(address, fetcher, reader)
                else:
                    found[address] = await _from_disk(address, settings["fetch"]["limit"], reader)
            except (PageError, UserError) as error:
                found[address] = str(error).removesuffix(".")
            except TimeoutError:
                found[address] = gone = f"its host kept us waiting for more than {PATIENCE:g} seconds"
            if len(found) % TOLD_EVERY == 0 and len(found) < len(addresses):
                on_event(f"{len(found)} of {len(addresses)} are read.")

    try:
        async with asyncio.TaskGroup() as tasks:
            for host in by_host:
                tasks.create_task(read(host))
    finally:
        await reader.close()
        await fetcher.close()
    return found


async def _from_web(url: str, fetcher: HttpFetcher, reader: Reader) -> tuple[Example, ...]:
    """A page's text; a failure of the network that may pass is given a second chance."""
    address = canonical(url)
    if address is None:
        raise ConfigError("that is not a web address")
    async with asyncio.timeout(PATIENCE):
        try:
            response = await fetcher.fetch(address)
        except FetchError as error:
            if not error.transient or error.kind is ErrorKind.STATUS:
                raise
            response = await fetcher.fetch(address)
    page, _ = await reader.read(response)
    return (_told(page, url),)


async def _from_disk(url: str, limit: int, reader: Reader) -> tuple[Example, ...]:
    """A file's text, or the pages on topic of the crawl in a folder."""
    if "://" in url and not url.startswith(FILE):
        raise ConfigError("that is not a web address")
    path = path_of(url)
    try:
        if path.is_dir():
            return _from_crawl(path)
        with path.open("rb") as file:
            body = file.read(limit)
    except OSError as error:
        raise ConfigError(f"it cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError("that is not the name of a file") from error
    kind = "text/html" if path.suffix.lower() in (".html", ".htm", ".xhtml") else ""
    page, _ = await reader.read(Response(url, 200, (("Content-Type", kind),), body))
    return (_told(page, url),)


def _from_crawl(folder: Path) -> tuple[Example, ...]:
    try:
        with open_collection(folder) as collection:
            rows = [row for row in collection.visits(only_relevant=True) if not row["duplicate_of"]]
            rows.sort(key=lambda row: -row["relevance"])
            examples = [
                Example(text, row["title"] or "", row["address_url"])
                for row in rows[:MOST_OF_A_CRAWL]
                if (text := collection.text_of(row)).strip()
            ]
    except (OSError, sqlite3.DatabaseError) as error:
        raise ConfigError(f"the crawl cannot be read: {error}") from error
    if not examples:
        raise ConfigError("this crawl has no pages on topic")
    return tuple(examples)


def _told(page: Page, url: str) -> Example:
    if not page.text.strip():
        raise ConfigError("there is no text in it")
    return Example(page.text, page.title, url)


def _filled(topic: Topic, found: Found, on_loss: Say) -> Topic:
    def fill(examples: Iterable[Example], what: str) -> tuple[Example, ...]:
        steps = _told_steps([Step(example, True) for example in examples], found, what, on_loss)
        return tuple(step.example for step in steps)

    return replace(
        topic,
        examples=fill(topic.examples, "example"),
        off_topic=fill(topic.off_topic, "example off topic"),
        background=fill(topic.background, "background page"),
        corpus=fill(topic.corpus, "page of the corpus"),
        branch=tuple(
            Level(level.name, fill(level.examples, f"example of the level {level.name}"))
            for level in topic.branch
        ),
        session=tuple(_told_steps(topic.session, found, "page of the session", on_loss)),
    )


def _told_steps(steps: Iterable[Step], found: Found, what: str, on_loss: Say) -> list[Step]:
    """The steps with their texts; those that could not be had are left out, unless no other is left."""
    told: list[Step] = []
    lost: list[str] = []
    for step in steps:
        given = step.example
        there = (given,) if given.text.strip() else found[given.url.strip()]
        if isinstance(there, str):
            lost.append(f"{given.url} ({there})")
            continue
        told += [
            Step(example._replace(title=given.title or example.title, weight=given.weight), step.relevant)
            for example in there
        ]
    if lost and not told:
        more = f", and {len(lost) - 3} more" if len(lost) > 3 else ""
        raise ConfigError(f"No {what} could be read: {'; '.join(lost[:3])}{more}.")
    for page in lost:
        on_loss(f"One {what} is left out: {page}.")
    return told


class _Unasked:
    """Judges nothing: examples are read, not judged."""

    def assess(self, page: Page) -> Verdict:
        return Verdict(0.0, False)


def _is_web(address: str) -> bool:
    return address.startswith(("http://", "https://"))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
