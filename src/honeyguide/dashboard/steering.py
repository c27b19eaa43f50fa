"""Steering a crawl: what people ask of it becomes a row that it reads, and a crawl that ended is started again.

Nothing here runs a crawl: a new process does, which goes on when this one ends.
"""

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.dashboard.crawls import Crawl
from honeyguide.dashboard.figures import RequestFigures
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.store.folder import is_being_written
from honeyguide.store.requests import MOST_SEEDS, RequestBook, read_requests
from honeyguide.topics.seeds import valid_seed
from honeyguide.urls import canonical, host_of

BY = "dashboard"
OUTPUT = "resume.log"
PATIENCE = 10.0
"""Seconds to wait for a crawl to begin, or to say why it cannot."""

pages = APIRouter()
api = APIRouter()


class _Asking(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Plain(_Asking):
    """Pause, resume or stop."""

    kind: Literal["pause", "resume", "stop"]


class NewBudget(_Asking):
    """New limits; 0 lifts one."""

    kind: Literal["budget"]
    pages: int | None = Field(default=None, ge=0, le=10**15)
    relevant: int | None = Field(default=None, ge=0, le=10**15)
    seconds: float | None = Field(default=None, ge=0, le=1e15)
    bytes: int | None = Field(default=None, ge=0, le=10**15)


class MoreSeeds(_Asking):
    """More pages to start from."""

    kind: Literal["seeds"]
    urls: list[Annotated[str, Field(min_length=1, max_length=4096)]] = Field(
        min_length=1, max_length=MOST_SEEDS
    )


class HostRule(_Asking):
    """A host that is not to be asked any more, or that may be asked again."""

    kind: Literal["block", "unblock"]
    host: str = Field(min_length=1, max_length=255)


Asked = Annotated[Plain | NewBudget | MoreSeeds | HostRule, Field(discriminator="kind")]


class Number(BaseModel):
    """The number of a request, under which its answer is found."""

    number: int


class Started(BaseModel):
    """A crawl that was started again."""

    sentence: str


@api.get("/crawls/{crawl}/requests", summary="What was asked of a crawl")
def requests(crawl: Crawl) -> list[RequestFigures]:
    """Every request with its answer, the oldest first."""
    with crawl.open() as collection:
        return [
            RequestFigures.model_validate(r, from_attributes=True)
            for r in read_requests(collection.connection)
        ]


@api.post("/crawls/{crawl}/requests", status_code=202, summary="Ask something of a crawl")
def ask(crawl: Crawl, asked: Asked) -> Number:
    """The crawl carries it out between two visits; one that does not run finds it when it is started again."""
    if isinstance(asked, MoreSeeds):
        for url in asked.urls:
            valid_seed(url)
    if isinstance(asked, HostRule) and not is_host(asked.host):
        raise ConfigError(f"{asked.host!r} is not the name of a host, such as www.example.org.")
    arguments = asked.model_dump(exclude={"kind"}, exclude_none=True)
    with RequestBook(crawl.folder) as book:
        return Number(number=book.ask(asked.kind, arguments, BY))


@api.post("/crawls/{crawl}/start", status_code=202, summary="Start a crawl again")
def start(crawl: Crawl) -> Started:
    """Continue a crawl that has ended, in a process of its own."""
    if is_being_written(crawl.folder):
        raise CrawlError("The crawl is running.")
    resume(crawl.folder)
    return Started(sentence="The crawl goes on.")


def is_host(text: str) -> bool:
    """Whether a text names a host, by its name or by any address on it."""
    url = canonical(text.strip() if "://" in text else f"http://{text.strip()}/")
    return url is not None and bool(host_of(url))


def resume(
    folder: Path,
    *,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Start a process that continues the crawl; raises with its own words if it ends before it began."""
    output = folder / OUTPUT
    with output.open("ab") as log:
        began = log.tell()
        process = subprocess.Popen(
            [sys.executable, "-m", "honeyguide", "resume", str(folder.resolve())],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    # Somebody must take note of its end, or it stays in the table of processes as long as this one runs.
    threading.Thread(target=process.wait, name="wait for a crawl", daemon=True).start()
    until = clock() + patience
    while clock() < until and not is_being_written(folder):
        if process.poll() is not None:
            if process.returncode:
                raise CrawlError(_last_words(output, began))
            return
        sleep(0.05)


def _last_words(output: Path, began: int) -> str:
    with output.open("rb") as log:
        log.seek(began)
        lines = log.read(1 << 16).decode("utf-8", "replace").strip().splitlines()
    said = lines[-1].removeprefix("honeyguide: ").strip() if lines else ""
    said = re.sub("; raise it with: .*", "; raise it first.", said)  # there is a button for that here
    return said[:500] or f"The crawl could not be started; {output} may say why."
