"""honeyguide status, why and export."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.errors import ConfigError, CrawlError

if TYPE_CHECKING:
    from rich.console import Console

    from honeyguide.store.status import Status
    from honeyguide.store.why import Answer, Scoring

Folder = Annotated[Path, typer.Argument(help="The crawl's folder.", metavar="DIR")]
BARS = " ▁▂▃▄▅▆▇█"


class Format(StrEnum):
    """What a collection can be written as."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    WARC = "warc"


class Only(StrEnum):
    """Which pages to write."""

    RELEVANT = "relevant"


def status(
    folder: Folder,
    json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
    hosts: Annotated[int, typer.Option("--hosts", min=1, help="How many hosts to list.")] = 10,
) -> None:
    """Show how a crawl stands: its health, harvest rate over time, queue, hosts and errors."""
    import dataclasses
    import json as json_format

    from honeyguide.opening import open_collection

    with open_collection(folder) as collection:
        figures = collection.status(top=hosts)
    if json:
        typer.echo(json_format.dumps(dataclasses.asdict(figures) | {"harvest": figures.harvest}, indent=2))
    else:
        _show_status(_console(), figures)


def why(
    folder: Folder,
    url: Annotated[str, typer.Argument(help="The page in question.", metavar="URL")],
    json: Annotated[bool, typer.Option("--json", help="The answer as one JSON object.")] = False,
) -> None:
    """Say how a page was found, how it was scored and judged, or why it was never fetched."""
    import dataclasses
    import json as json_format

    from honeyguide.opening import open_collection
    from honeyguide.urls import canonical

    address = canonical(url)
    if address is None:
        raise ConfigError(f"{url!r} is not a web address.")
    with open_collection(folder) as collection:
        answer = collection.why(address)
    if json:
        typer.echo(json_format.dumps(dataclasses.asdict(answer), indent=2))
    else:
        _show_answer(_console(), answer)


def export(
    folder: Folder,
    format: Annotated[Format, typer.Option("--format", "-f", help="What to write.")] = Format.JSONL,
    only: Annotated[
        Only | None, typer.Option("--only", help="Leave out pages that are not on topic.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The file to write; default: beside the crawl.", metavar="FILE"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
) -> None:
    """Write the collection as JSON lines, CSV, Parquet or WARC."""
    from honeyguide.opening import open_collection
    from honeyguide.store.export import FORMATS

    ending, write = FORMATS[format]
    with open_collection(folder) as collection:
        file = (
            out or folder.resolve().parent / f"{folder.resolve().name}{'-relevant' if only else ''}{ending}"
        )
        if file.exists() and not force:
            raise CrawlError(f"{file} exists; choose another file with --out or overwrite it with --force.")
        try:
            count = write(collection, file, only is Only.RELEVANT)
        except OSError as error:
            raise CrawlError(f"{error.filename or file} cannot be used: {error.strerror}.") from error
    typer.echo(f"{count:,} pages written to {file}")


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def _show_status(console: "Console", figures: "Status") -> None:
    from rich.table import Table
    from rich.text import Text

    console.print(Text.assemble((f"{figures.health}", "bold"), f"  {figures.sentence}"))
    summary = Table.grid(padding=(0, 2))
    for label, value in (
        ("pages", f"{figures.pages:,}  ({figures.visits:,} visits, {figures.duplicates:,} duplicates)"),
        ("on topic", f"{figures.relevant:,}  ({figures.harvest:.1%})"),
        ("waiting", f"{figures.waiting:,} links; {figures.refused:,} refused by scope or as traps"),
        (
            "fetched",
            f"{figures.bytes / 1e6:,.1f} MB in {figures.seconds:,.0f} s from {figures.host_count:,} hosts",
        ),
    ):
        summary.add_row(Text(label, style="dim"), value)
    if figures.pending:
        requests = "request has" if figures.pending == 1 else "requests have"
        summary.add_row(Text("asked", style="dim"), f"{figures.pending:,} {requests} no answer yet")
    if figures.harvest_over_time:
        summary.add_row(Text("harvest", style="dim"), _sparkline(figures))
    console.print(summary)
    _table(
        console,
        "Hosts",
        ("host", "pages", "on topic", "failed", "waiting", "parked"),
        [
            (row.name, row.visits, row.relevant, row.failures, row.waiting, row.parked)
            for row in dict.fromkeys((*figures.hosts, *figures.parked))
        ],
    )
    _table(console, "Failed or refused when visited", ("kind", "visits"), figures.errors)
    _table(console, "Links not queued", ("reason", "links"), figures.refusals)


def _table(
    console: "Console",
    title: str,
    columns: tuple[str, ...],
    rows: "list[tuple[object, ...]] | tuple[tuple[object, ...], ...]",
) -> None:
    from rich.table import Table
    from rich.text import Text

    from honeyguide.display import printable

    if not rows:
        return
    table = Table(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 2))
    for column in columns:
        numeric = isinstance(rows[0][columns.index(column)], int)
        table.add_column(column, justify="right" if numeric else "left", header_style="dim")
    for row in rows:
        table.add_row(*(f"{cell:,}" if isinstance(cell, int) else Text(printable(str(cell))) for cell in row))
    console.print(table)


def _sparkline(figures: "Status") -> str:
    top = max(share for _, share in figures.harvest_over_time) or 1.0
    bars = "".join(BARS[round(share / top * (len(BARS) - 1))] for _, share in figures.harvest_over_time)
    return f"{bars}  (highest {top:.0%}, each bar {figures.harvest_over_time[0][0]} pages)"


def _show_answer(console: "Console", answer: "Answer") -> None:
    from rich.text import Text

    from honeyguide.display import printable

    console.print(Text(answer.url, style="bold"), Text(f"  {answer.state}", style="dim"))
    if answer.reason:
        console.print(Text(f"Not fetched: {answer.reason}"))
    if answer.alias_of:
        console.print(Text(f"Another address of {answer.alias_of}, which redirects here."))
    console.print(Text("\nHow it was found", style="bold"))
    for depth, step in enumerate(answer.path):
        relevance = "" if step.relevance is None else f"  (relevance {step.relevance:.2f})"
        if step.anchor:
            anchor = printable(step.anchor)
            console.print(Text(f"{'   ' * depth}“{anchor}” in the page's {step.place}", style="cyan"))
        console.print(Text(f"{'   ' * depth}{'└─ ' if depth else ''}{step.url}{relevance}"))
    last = answer.path[-1]
    if last.context:
        console.print(Text(f"Words around the link: … {printable(last.context)} …", style="dim"))
    if answer.linked_from > 1:
        console.print(Text(f"{answer.linked_from} visited pages link to it."))
    console.print(Text("\nHow it was scored", style="bold"))
    console.print(Text(f"when queued  {_scoring(answer.queued)}"))
    if answer.taken:
        console.print(Text(f"when taken   {_scoring(answer.taken)}"))
    elif answer.state == "waiting":
        console.print(Text(f"It waits; {answer.ahead:,} links score higher."))
    if answer.visit:
        _show_verdict(console, answer)


def _show_verdict(console: "Console", answer: "Answer") -> None:
    from rich.text import Text

    from honeyguide.display import printable

    visit = answer.visit
    assert visit is not None
    console.print(Text("\nWhat came of it", style="bold"))
    if visit["error"]:
        status = f" (status {visit['status']})" if visit["status"] else ""
        console.print(Text(f"{visit['error']}{status}: {printable(str(visit['detail']))}"))
        return
    if visit["unchanged"]:
        console.print(Text("Not changed since the visit before."))
        return
    opinion = "on topic" if visit["relevant"] else "not on topic"
    label = f" [{visit['label']}]" if visit["label"] else ""
    console.print(Text(f"{opinion}{label}, relevance {visit['relevance']:.3f} by {visit['judge']}"))
    for what, amount in answer.reasons:
        console.print(Text(f"  {amount:+.3f}  {what}"))


def _scoring(scoring: "Scoring") -> str:
    parts = ", ".join(f"{name} {value:.3f}" for name, value in scoring.parts.items())
    return f"{scoring.score:.3f}  ({parts})" if parts else f"{scoring.score:g}"
