"""honeyguide fit-guide."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeyguide.errors import ConfigError, CrawlError

if TYPE_CHECKING:
    from honeyguide.strategies.guide_fitting import Fitted


def fit_guide(
    folders: Annotated[
        list[Path], typer.Argument(help="The folders of crawls, whatever their strategy.", metavar="CRAWL...")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file of the weights.", metavar="FILE")] = Path(
        "guide-weights.json"
    ),
    visits: Annotated[
        int, typer.Option("--visits", min=1, help="Visits that are read of each crawl, at the most.")
    ] = 10_000,
) -> None:
    """Fit the weights of the strategy guide to crawls that you have made.

    The crawls are gone through again as they went, from their archives; nothing is fetched. Several crawls on
    different topics are better than one. Then: honeyguide crawl ... --strategy guide:weights=FILE
    """
    from honeyguide.cli.bench import progress
    from honeyguide.refitting import observed, refit, sources

    if not out.absolute().parent.is_dir():
        raise ConfigError(f"{out} cannot be written: there is no folder {out.absolute().parent}.")
    folders = list(dict.fromkeys(folders))
    crawls = []
    for folder in folders:
        with progress("visits") as on_progress:
            crawls.append(observed(folder, visits=visits, on_progress=on_progress))
    with progress("fits") as on_progress:
        fitted = refit(crawls, on_progress)
    _write(out, fitted.table(sources(folders, crawls)))
    _show(fitted, sum(len(crawl.looks) for crawl in crawls), len(folders))
    typer.echo(f"The weights are in {out}; use them with: --strategy guide:weights={out}")


def _write(out: Path, table: dict[str, Any]) -> None:
    unfinished = out.with_name(f"{out.name}.new")
    try:
        unfinished.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        unfinished.replace(out)
    except OSError as error:
        raise CrawlError(f"{out} cannot be written: {error.strerror}.") from error


def _show(fitted: "Fitted", looks: int, crawls: int) -> None:
    from statistics import fmean

    from rich.console import Console
    from rich.table import Table

    from honeyguide.strategies.promises import FEATURES, shipped

    before = shipped().weights / shipped().deviations
    table = Table(box=None, padding=(0, 1))
    table.add_column("feature", header_style="dim")
    for column in ("before", "now"):
        table.add_column(column, header_style="dim", justify="right")
    for name, old, deviation, weight in zip(
        FEATURES, before.tolist(), fitted.weights.deviations, fitted.weights.weights, strict=True
    ):
        table.add_row(name, f"{old * deviation:.3f}", f"{weight:.3f}")
    Console(highlight=False).print(table)
    many = "1 crawl" if crawls == 1 else f"{crawls} crawls"
    typer.echo(f"Fitted at {looks} moments of {many}, with a penalty of {fitted.penalty:g}.")
    if fitted.before:
        old, new = (fmean(values.values()) for values in (fitted.before, fitted.after))
        typer.echo(
            f"On topics that were held back, {new:.3f} of what could be found is found; before, it was {old:.3f}."
        )
    else:
        typer.echo("With a single topic, whether they are better cannot be told.")
