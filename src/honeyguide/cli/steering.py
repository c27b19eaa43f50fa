"""honeyguide steer."""

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeyguide.errors import ConfigError, CrawlError

if TYPE_CHECKING:
    from honeyguide.store.requests import Request, RequestBook

POLL = 0.1
"""Seconds between two looks for the answer."""


class What(StrEnum):
    """What a crawl can be asked for."""

    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    BUDGET = "budget"
    SEEDS = "seeds"
    BLOCK = "block"
    UNBLOCK = "unblock"


NEED_A_CRAWL = (What.PAUSE, What.RESUME, What.STOP)
"""What makes no sense unless the crawl runs."""


def steer(
    folder: Annotated[Path, typer.Argument(help="The crawl's folder.", metavar="DIR")],
    what: Annotated[What, typer.Argument(help="What to ask of it.")],
    names: Annotated[
        list[str] | None, typer.Argument(help="The seeds, or the host.", metavar="[URL|HOST]...")
    ] = None,
    pages: Annotated[int | None, typer.Option("--pages", min=0, help="budget: so many pages.")] = None,
    relevant: Annotated[
        int | None, typer.Option("--relevant", min=0, help="budget: so many pages on topic.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", min=0, help="budget: so much time.")] = None,
    size: Annotated[int | None, typer.Option("--bytes", min=0, help="budget: so many bytes.")] = None,
    by: Annotated[
        str | None, typer.Option("--by", help="Who asks; default: your user name.", metavar="NAME")
    ] = None,
    wait: Annotated[
        float, typer.Option("--wait", min=0, help="Seconds to wait for the answer.", metavar="SECONDS")
    ] = 10.0,
) -> None:
    """Ask something of a crawl, also while it runs.

    pause, resume and stop it, change its budget (0 lifts a limit), add seeds, block and unblock a host.
    What is asked while it does not run is done when it is resumed.
    """
    from honeyguide.cli.person import person
    from honeyguide.display import printable
    from honeyguide.store.folder import is_being_written, must_hold_crawl
    from honeyguide.store.requests import RequestBook

    budget = {"pages": pages, "relevant": relevant, "seconds": seconds, "bytes": size}
    arguments = _arguments(
        what, names or [], {part: value for part, value in budget.items() if value is not None}
    )
    must_hold_crawl(folder)
    runs = is_being_written(folder)
    if what in NEED_A_CRAWL and not runs:
        raise CrawlError(f"No crawl runs in {folder}; it goes on with: honeyguide resume {folder}")
    with RequestBook(folder) as book:
        number = book.ask(what, arguments, person(by, "--by"))
        found = _awaited(book, number, wait if runs else 0.0)
    if found.answered is None:
        later = (
            "It is not answered yet; honeyguide status says whether it is waiting still."
            if runs
            else f"It is done when the crawl is resumed: honeyguide resume {folder}"
        )
        typer.echo(f"Request {number}, {what}, is written down. {later}")
    elif found.refused:
        raise CrawlError(found.answer)
    else:
        typer.echo(printable(found.answer))


def _arguments(what: What, names: list[str], budget: dict[str, Any]) -> dict[str, Any]:
    """What a request is about, read off the command line."""
    if what is not What.BUDGET and budget:
        raise ConfigError(f"--{next(iter(budget))} belongs to: honeyguide steer DIR budget.")
    if what is What.SEEDS:
        if not names:
            raise ConfigError("Name the pages to start from: honeyguide steer DIR seeds URL...")
        return {"urls": names}
    if what in (What.BLOCK, What.UNBLOCK):
        if len(names) != 1:
            raise ConfigError(f"Name one host: honeyguide steer DIR {what} HOST.")
        return {"host": names[0]}
    if names:
        raise ConfigError(f"{what} takes no {names[0]!r}.")
    if what is What.BUDGET and not budget:
        raise ConfigError("Say how much: honeyguide steer DIR budget --pages 5000.")
    return budget


def _awaited(book: "RequestBook", number: int, seconds: float) -> "Request":
    """A request with its answer, or without one if the crawl takes longer than that."""
    ends = time.monotonic() + seconds
    found = book.read(number)
    while found.answered is None and time.monotonic() < ends:
        time.sleep(POLL)
        found = book.read(number)
    return found
