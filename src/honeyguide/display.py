"""What a person or a program sees while a crawl runs."""

import json
import sys
import time
from collections import deque
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from honeyguide.loop import Crawl
from honeyguide.model import Visit

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

LAST_PAGES = 6


def printable(text: str) -> str:
    """Text from the web without any character that would steer a terminal or turn the writing around."""
    return "".join(character if character.isprintable() else " " for character in text)


class Display(AbstractContextManager["Display"], Protocol):
    """Shows a crawl as it goes."""

    def start(self, crawl: Crawl) -> None: ...

    def visit(self, visit: Visit) -> None: ...

    def say(self, sentence: str) -> None: ...


class Quiet:
    """Shows nothing but what must be said."""

    def __enter__(self) -> "Quiet":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing was opened."""

    def start(self, crawl: Crawl) -> None:
        """Nothing to show."""

    def visit(self, visit: Visit) -> None:
        """Nothing to show."""

    def say(self, sentence: str) -> None:
        print(f"honeyguide: {printable(sentence)}", file=sys.stderr, flush=True)


class JsonLines(Quiet):
    """One JSON object per event, for programs."""

    def visit(self, visit: Visit) -> None:
        verdict = visit.verdict
        self._emit(
            "visit",
            number=visit.number,
            url=visit.url,
            status=visit.status,
            error=visit.error,
            detail=visit.detail,
            title=visit.page.title if visit.page else "",
            language=visit.page.language if visit.page else "",
            relevant=visit.relevant,
            relevance=round(verdict.score, 6) if verdict else None,
            duplicate_of=visit.duplicate_of,
            unchanged=visit.unchanged,
            queue_score=visit.candidate.score,
            depth=visit.candidate.depth,
        )

    def start(self, crawl: Crawl) -> None:
        self._emit("start", waiting=len(crawl.frontier), pages=crawl.progress.pages)

    def say(self, sentence: str) -> None:
        self._emit("say", text=sentence)

    def end(self, crawl: Crawl, folder: str) -> None:
        """The last line: how the crawl ended."""
        progress = crawl.progress
        self._emit(
            "end",
            health=crawl.outcome,
            pages=progress.pages,
            relevant=progress.relevant,
            harvest=round(progress.harvest, 6),
            waiting=len(crawl.frontier),
            folder=folder,
        )

    def _emit(self, event: str, **fields: object) -> None:
        print(json.dumps({"event": event, "at": round(time.time(), 3), **fields}), flush=True)


class Live:
    """A few lines that follow the crawl, for people."""

    def __init__(self, title: str) -> None:
        from rich.console import Console
        from rich.live import Live as RichLive

        self._title = title
        self._console = Console(stderr=True)
        self._last: deque[Visit] = deque(maxlen=LAST_PAGES)
        self._crawl: Crawl | None = None
        self._started = time.monotonic()
        self._pages_before = 0
        self._said = ""
        self._live = RichLive(
            console=self._console, get_renderable=self._render, refresh_per_second=5, transient=True
        )

    def __enter__(self) -> "Live":
        self._live.__enter__()
        return self

    def __exit__(self, *details: object) -> None:
        self._live.__exit__(None, None, None)

    def start(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._pages_before = crawl.progress.pages

    def visit(self, visit: Visit) -> None:
        self._last.append(visit)

    def say(self, sentence: str) -> None:
        self._said = sentence

    def _render(self) -> "RenderableType":
        from rich.console import Group
        from rich.panel import Panel
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        if self._crawl is None:
            return Text("starting …", style="dim")
        progress, budget = self._crawl.progress, self._crawl.budget
        elapsed = max(time.monotonic() - self._started, 0.001)
        recent = sum(progress.recent) / len(progress.recent) if progress.recent else 0.0
        figures = Table.grid(padding=(0, 3))
        figures.add_row(
            Text.assemble((f"{progress.pages:,}", "bold"), " pages"),
            Text.assemble((f"{progress.relevant:,}", "bold green"), " on topic"),
            Text.assemble((f"{progress.harvest:.0%}", "bold"), f" harvest ({recent:.0%} lately)"),
            Text.assemble((f"{len(self._crawl.frontier):,}", "bold"), " waiting"),
            Text.assemble((f"{(progress.pages - self._pages_before) / elapsed:.1f}", "bold"), " pages/s"),
            Text.assemble((f"{sum(progress.errors.values()):,}", "yellow"), " refused or failed"),
        )
        rows: list[RenderableType] = [figures]
        if budget.pages:
            bar = Table.grid()
            bar.add_row(ProgressBar(total=budget.pages, completed=progress.pages, width=60))
            rows.append(bar)
        rows += [page_line(visit) for visit in self._last]
        if self._said:
            rows.append(Text(self._said, style="yellow"))
        return Panel(Group(*rows), title=Text(self._title), title_align="left")


def page_line(visit: Visit) -> "Text":
    """One visit on one line."""
    from rich.text import Text

    if visit.error:
        mark, style = f"{visit.error}", "dim red"
    elif visit.unchanged:
        mark, style = "unchanged", "dim"
    else:
        mark = f"{visit.verdict.score:.2f}" if visit.verdict else "-"
        style = "green" if visit.relevant else "dim"
    title = visit.page.title if visit.page else visit.detail
    text = Text.assemble((f"{mark:>9.9} ", style), (visit.url, style), "  ", (printable(title[:60]), "dim"))
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
