"""honeyguide report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.errors import ConfigError

if TYPE_CHECKING:
    from honeyguide.bench.live import LiveFigures


def report(
    folder: Annotated[
        Path,
        typer.Argument(
            help="A folder that honeyguide bench wrote, or with --labels a crawl's.", metavar="DIR"
        ),
    ],
    labels: Annotated[
        Path | None,
        typer.Option("--labels", help="Labels to score a crawl with: url<TAB>label.", metavar="FILE"),
    ] = None,
    topic: Annotated[
        str, typer.Option("--topic", help="The label to look for where there are several.", metavar="LABEL")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="A crawl's figures as one JSON object.")] = False,
) -> None:
    """Write a bench's report: a page to look at, tables, the figures' data, and each figure for papers.

    Of a crawl, with --labels: show what it found of the labelled pages, and how fast.
    """
    from honeyguide.store.folder import DATABASE

    if (folder / DATABASE).exists():
        if labels is None:
            raise ConfigError(f"{folder} holds a crawl; give labels to score it with: --labels FILE.")
        _report_crawl(folder, labels, topic, json)
        return
    if labels or topic or json:
        raise ConfigError(f"{folder} holds no crawl; --labels, --topic and --json are for the folder of one.")
    from honeyguide.bench.report.writing import write_report

    typer.echo(f"Wrote {write_report(folder)}")


def _report_crawl(folder: Path, labels: Path, topic: str, as_json: bool) -> None:
    import dataclasses
    import json

    from honeyguide.bench.live import measure

    figures = measure(folder, labels, topic)
    if as_json:
        plain = {**dataclasses.asdict(figures), "scores": figures.scores._asdict()}
        typer.echo(json.dumps(plain, indent=2, ensure_ascii=False))
    else:
        _show(figures)


def _show(figures: "LiveFigures") -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    scores = figures.scores
    summary = Table.grid(padding=(0, 2))
    for label, value in (
        ("topic", figures.topic),
        ("fetched", f"{figures.fetched:,} pages on {figures.hosts:,} hosts"),
        ("found", f"{figures.found:,} of {figures.labelled:,} labelled pages"),
        ("efficiency", f"{figures.efficiency:.3f}"),
        (
            "judge's scores",
            f"{scores.low:.3f} [{scores.first_quartile:.3f} {scores.median:.3f} {scores.third_quartile:.3f}] "
            f"{scores.high:.3f}, {len(scores.outliers):,} outliers",
        ),
    ):
        summary.add_row(Text(label, style="dim"), Text(value))
    console.print(summary)
    table = Table(box=None, padding=(0, 2))
    for column in ("after fetches", "harvest", "recall"):
        table.add_column(column, justify="right", header_style="dim")
    for number in figures.harvest:
        table.add_row(f"{number:,}", f"{figures.harvest[number]:.3f}", f"{figures.recall[number]:.3f}")
    console.print(table)
