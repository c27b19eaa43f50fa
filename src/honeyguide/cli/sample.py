"""honeyguide sample draw, report and recall: what people say of a crawl, and how much it missed."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.errors import ConfigError, CrawlError

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from honeyguide.bench.recapture import Recapture
    from honeyguide.handcheck import Count, JudgeCheck, Report
    from honeyguide.statistics import Share

app = typer.Typer(no_args_is_help=True)
Folder = Annotated[Path, typer.Argument(help="The crawl's folder.", metavar="DIR")]
Json = Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")]


class Which(StrEnum):
    """Which pages to draw from."""

    ALL = "all"
    RELEVANT = "relevant"


@app.command()
def draw(
    folder: Folder,
    n: Annotated[
        int | None, typer.Option("--n", min=1, help="How many pages; default: what the margin needs.")
    ] = None,
    margin: Annotated[
        float,
        typer.Option(
            "--margin", min=0.001, max=0.5, help="How far off the share may be, at 95 %; .05 needs 385 pages."
        ),
    ] = 0.05,
    seed: Annotated[int, typer.Option("--seed", help="Another seed, another sample.")] = 0,
    only: Annotated[
        Which, typer.Option("--only", help="Draw from all kept pages, or from those judged on topic.")
    ] = Which.ALL,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The file to write; default: beside the crawl.", metavar="FILE"),
    ] = None,
) -> None:
    """Draw pages at random for people to label; the judge's verdict is not shown."""
    from honeyguide.bench import sample
    from honeyguide.opening import open_collection
    from honeyguide.statistics import sample_size

    file = out or _default_file(folder)
    with open_collection(folder) as collection:
        drawn, population = sample.draw(
            collection, n or sample_size(margin), seed=seed, only_relevant=only is Which.RELEVANT
        )
    if not drawn:
        kind = "pages judged on topic" if only is Which.RELEVANT else "pages"
        raise CrawlError(f"{folder} holds no {kind} to draw from.")
    sample.write_sample(file, drawn)
    typer.echo(f"{len(drawn):,} of {population:,} pages written to {file}")
    typer.echo("Write yes, no or unsure into the column label, then run: ", nl=False)
    typer.echo(f"honeyguide sample report {folder}{f' {file}' if out else ''}")


@app.command()
def report(
    folder: Folder,
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="The labelled files; default: the one beside the crawl.", metavar="FILE"),
    ] = None,
    json: Json = False,
) -> None:
    """Say what a labelled sample shows: the share on topic, how people agree, how the judge compares."""
    from honeyguide import handcheck
    from honeyguide.bench import sample
    from honeyguide.opening import open_collection

    with open_collection(folder) as collection:
        judged = sample.verdicts(collection)
    figures = handcheck.report(sample.read_opinions(files or [_default_file(folder)]), judged)
    if json:
        _echo_json(figures)
    else:
        _show_report(figures)


@app.command()
def recall(
    first: Annotated[Path, typer.Argument(help="A crawl's folder.", metavar="CRAWL1")],
    second: Annotated[Path, typer.Argument(help="Another one's, of the same topic.", metavar="CRAWL2")],
    json: Json = False,
) -> None:
    """Estimate from the overlap of two crawls how many relevant pages there are, and each one's recall."""
    from honeyguide.bench.recapture import recapture, relevant_pages
    from honeyguide.opening import open_collection

    if first.resolve() == second.resolve():
        raise ConfigError(f"{first} was given twice; recall is estimated from two different crawls.")
    found = []
    for folder in (first, second):
        with open_collection(folder) as collection:
            found.append(relevant_pages(collection))
        if not found[-1]:
            raise CrawlError(f"{folder} holds no relevant pages, so nothing can be estimated from it.")
    figures = recapture(*found)
    if json:
        _echo_json(figures)
    else:
        _show_recall(figures, first, second)


def _default_file(folder: Path) -> Path:
    whole = folder.resolve()
    return whole.parent / f"{whole.name}-sample.csv"


def _echo_json(figures: "Report | Recapture") -> None:
    import dataclasses
    import json

    typer.echo(json.dumps(dataclasses.asdict(figures), indent=2, ensure_ascii=False))


def _show_report(figures: "Report") -> None:
    people, judge = figures.people, figures.judge
    unsure = f", {people.unsure:,} of them unsure" if people.unsure else ""
    typer.echo(f"{people.labelled:,} of {figures.drawn:,} drawn pages are labelled{unsure}.")
    if figures.strangers:
        typer.echo(f"{figures.strangers:,} of them are not in the crawl; the judge is not compared on those.")
    counts = _table("who", "labelled", "yes", "no", "unsure", "on topic", "95 % interval")
    several = len(figures.annotators) > 1
    for count in (*figures.annotators, people) if several else (people,):
        counts.add_row(*_count_cells(count))
    _print(counts)
    if figures.agreements:
        agreements = _table("annotators", "pages", "agree", "kappa")
        for pair in figures.agreements:
            kappa = "–" if pair.kappa is None else f"{pair.kappa:.2f}"
            agreements.add_row(
                _plain(f"{pair.first} and {pair.second}"), f"{pair.pages:,}", f"{pair.raw:.1%}", kappa
            )
        _print(agreements)
    if judge:
        _show_judge(judge)


def _show_judge(judge: "JudgeCheck") -> None:
    table = _table("the judge", "", "95 % interval")
    kappa = judge.agreement.kappa
    for name, value, interval in (
        (f"on topic, of all {judge.pages:,} pages", f"{judge.harvest:.1%}", ""),
        (f"on topic, of the {judge.labelled_pages:,} people are sure of", f"{judge.share:.1%}", ""),
        ("agrees with people", f"{judge.agreement.raw:.1%}", "" if kappa is None else f"kappa {kappa:.2f}"),
        ("precision", *_share_cells(judge.precision)),
        ("recall", *_share_cells(judge.recall)),
    ):
        table.add_row(name, value, interval)
    _print(table)
    if judge.recall is None and judge.share == 1.0:
        typer.echo("The judge called all of these pages on topic, so they do not show what it missed.")


def _show_recall(figures: "Recapture", first: Path, second: Path) -> None:
    table = _table("crawl", "relevant", "recall", "95 % interval")
    union = figures.first + figures.second - figures.both
    for name, found, share in (
        (str(first), figures.first, figures.first_recall),
        (str(second), figures.second, figures.second_recall),
        ("together", union, figures.joint_recall),
    ):
        table.add_row(_plain(name), f"{found:,}", *_share_cells(share))
    _print(table)
    typer.echo(
        f"{figures.both:,} relevant pages are in both, so there are about {figures.total:,.0f} "
        f"({figures.low:,.0f} to {figures.high:,.0f} at 95 %)."
    )
    if not figures.both:
        typer.echo("Without a page in both, there may be any number more.")
    typer.echo("Crawls that share seeds or a strategy miss the same pages; then there are more than this.")


def _count_cells(count: "Count") -> "tuple[Text | str, ...]":
    numbers = (count.labelled, count.yes, count.no, count.unsure)
    return (_plain(count.who), *(f"{number:,}" for number in numbers), *_share_cells(count.precision))


def _share_cells(share: "Share | None") -> tuple[str, str]:
    return (f"{share.value:.1%}", f"{share.low:.1%} to {share.high:.1%}") if share else ("–", "")


def _plain(text: str) -> "Text":
    """Text that is not taken for markup, whoever wrote it."""
    from rich.text import Text

    return Text(text)


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, padding=(0, 2))
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", header_style="dim")
    return table


def _print(table: "Table") -> None:
    from rich.console import Console

    Console(highlight=False).print(table)
