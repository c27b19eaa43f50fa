"""honeyguide bench."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.errors import ConfigError

if TYPE_CHECKING:
    from honeyguide.bench.corpus import Corpus
    from honeyguide.bench.task import Task

STRATEGIES = "best-first,best-first:by=anchor,best-first:by=page"
HIDDEN = (
    "setting",
    "topics",
    "near_topic",
    "harvest_100",
    "harvest_300",
    "harvest_1000",
    "mean_precision_low",
    "mean_precision_high",
    "similarity",
    "peak_mb",
    "cpu_us_per_link",
)
"""Columns of the summary that a screen has no room for."""


def bench(
    corpus: Annotated[
        Path, typer.Argument(help="A folder with a recorded web and its labels.", metavar="CORPUS")
    ],
    protocol: Annotated[
        str, typer.Option("--protocol", help="W, K, or a protocol file (.toml).", metavar="W|K|FILE")
    ] = "W",
    setting: Annotated[
        str, typer.Option("--setting", help="Settings of the protocol, such as near,far. [default: its own]")
    ] = "",
    strategies: Annotated[
        list[str] | None,
        typer.Option(
            "--strategies",
            help="What to compare: NAME or NAME:key=value,key=value, several with commas, or all; may be "
            f"repeated. [default: {STRATEGIES}]",
        ),
    ] = None,
    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judges",
            help="Judges, written like strategies; may be repeated. [default: what suits each strategy, mostly blend]",
        ),
    ] = None,
    topics: Annotated[
        list[str] | None,
        typer.Option("--topics", help="Topics, with commas between; may be repeated. [default: all]"),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", help="A file of labels in place of the corpus's own.", metavar="FILE"),
    ] = None,
    pages: Annotated[
        int | None, typer.Option("--pages", min=0, help="Fetches per crawl (0: until nothing is left).")
    ] = None,
    examples: Annotated[
        int | None, typer.Option("--examples", min=0, help="Examples that a crawl is given.")
    ] = None,
    no_references: Annotated[
        bool,
        typer.Option(
            "--no-references",
            help="Leave out omniscient, true-labels, random and breadth-first unless asked for.",
        ),
    ] = False,
    train: Annotated[
        Path | None,
        typer.Option(
            "--train",
            help="An earlier crawl, or web archives, that strategies learn from before they start.",
            metavar="CRAWL|CORPUS",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Crawls at a time. [default: one per processor]")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of the results.", metavar="DIR")
    ] = None,
) -> None:
    """Compare strategies on a recorded web, with labels that no crawl sees.

    Two strategies that cheat, random and breadth-first are in the table as well, unless told not to. Stopped and
    started again with the same --out, it goes on where it was.
    """
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(threads, "1")  # crawls run side by side; and sums come out alike on any machine
    from honeyguide.bench.experiment import BESIDE, contenders, run, trained_with
    from honeyguide.bench.report.writing import write_report

    told, tasks_of = protocol_of(protocol)
    opened = open_corpus(corpus, labels or told)
    tasks = tasks_of(
        opened,
        settings=parts([setting]) or None,
        topics=parts(topics or ()) or None,
        pages=pages,
        examples=examples,
    )
    if train is not None:
        tasks = trained_with(train, tasks)
    entrants = contenders(
        split_uses(strategies or [STRATEGIES]),
        split_uses(judges or ()),
        beside=() if no_references else BESIDE,
    )
    folder = out or Path("benches") / f"{corpus.resolve().name}-{Path(protocol).stem}"
    with progress("crawls") as on_progress:
        run(opened, tasks, entrants, folder, jobs=jobs or os.cpu_count() or 1, on_progress=on_progress)
    write_report(folder)
    _show(folder)


Tasks = Callable[..., "list[Task]"]


def protocol_of(text: str) -> tuple[Path | None, Tasks]:
    """The labels a protocol brings, if it does, and its tasks."""
    from honeyguide.bench import protocol_k, protocol_w
    from honeyguide.bench.protocol_file import read_protocol

    if text.endswith(".toml"):
        file = read_protocol(Path(text))
        return file.labels, file.tasks
    known: dict[str, Tasks] = {"W": protocol_w.tasks, "K": protocol_k.tasks}
    if text.upper() not in known:
        raise ConfigError(f"{text!r} is no protocol; there are W, K, and files that end in .toml.")
    return None, known[text.upper()]


def open_corpus(folder: Path, labels: Path | None) -> "Corpus":
    """A corpus that has labels."""
    from honeyguide.bench.corpus import Corpus

    corpus = Corpus.open(folder, labels=labels)
    if not corpus.labels:
        raise ConfigError(f"{folder} has no labels to score with; give them with --labels FILE.")
    return corpus


def split_uses(texts: Iterable[str]) -> list[str]:
    """Names with parameters, several to a text: a comma before `key=value` goes on with the parameters."""
    uses: list[str] = []
    for part in (part.strip() for text in texts for part in text.split(",")):
        name, equals, _ = part.partition("=")
        if uses and equals and ":" not in name:
            uses[-1] += f",{part}"
        elif part:
            uses.append(part)
    return list(dict.fromkeys(uses))


def parts(texts: Iterable[str]) -> list[str]:
    """Texts with commas between, apart."""
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for people who watch; a line now and then for files and programs."""
    if not sys.stderr.isatty():
        yield lines_of_progress(lambda line: typer.echo(line, err=True), what=what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # It refreshes when told: a thread of its own would be forked with the rest.
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        row = bar.add_task("")

        def show(done: int, of: int) -> None:
            bar.update(row, completed=done, total=of, refresh=True)

        yield show


def lines_of_progress(
    say: Callable[[str], None],
    *,
    what: str = "crawls",
    every: float = 30.0,
    clock: Callable[[], float] = time.monotonic,
) -> Callable[[int, int], None]:
    """Says how far a bench is, but not more often than so many seconds, nor before they are over."""
    last = clock()

    def show(done: int, of: int) -> None:
        nonlocal last
        if clock() - last >= every:
            last = clock()
            say(f"{done:,} of {of:,} {what}")

    return show


def _show(folder: Path) -> None:
    """The summary on the screen, and where the rest is."""
    import csv

    from rich.console import Console
    from rich.table import Table

    with (folder / "summary.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    console = Console(highlight=False)
    console.width = max(console.width, 110)
    columns = [key for key in rows[0] if key not in HIDDEN and any(row[key] for row in rows)]
    if len({row["judge"] for row in rows}) == 1:
        columns.remove("judge")
    for setting in dict.fromkeys(row["setting"] for row in rows):
        table = Table(box=None, padding=(0, 1), title=setting, title_justify="left")
        for key in columns:
            words = key.replace("_", " ")
            widest = max(map(len, words.split()))
            table.add_column(words, header_style="dim", no_wrap=key == "strategy", min_width=widest)
        for row in rows:
            if row["setting"] == setting:
                table.add_row(*(_short(row[key]) for key in columns))
        console.print(table)
    typer.echo(f"Tables, logs and the report lie in {folder}. Open {folder / 'report.html'}")


def _short(text: str) -> str:
    try:
        number = float(text)
    except ValueError:
        return text
    return f"{number:.3f}" if abs(number) < 1 else f"{number:.1f}"
