"""honeyguide corpus info, from-crawl, make and background: recorded webs to measure on, and to count words in."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from honeyguide.bench.survey import Survey

app = typer.Typer(no_args_is_help=True)

Archives = Annotated[Path, typer.Argument(help="A folder of WARC files, or one of them.", metavar="DIR")]
Out = Annotated[Path, typer.Argument(help="The folder to write; it must not hold anything.", metavar="OUT")]


@app.command()
def info(
    folder: Archives,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", help="Labels; default: labels.tsv beside the archives.", metavar="FILE"),
    ] = None,
    top: Annotated[int, typer.Option("--top", min=0, help="How many labels to list; 0: all.")] = 50,
    json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
) -> None:
    """Show what a corpus holds: pages, hosts, links, how much of it can be reached, labels."""
    import dataclasses
    import json as json_format

    from honeyguide.bench.corpus import Corpus
    from honeyguide.bench.survey import survey

    with _progress("pages parsed") as on_progress:
        corpus = Corpus.open(folder, labels=labels, on_progress=on_progress)
    figures = survey(corpus)
    if json:
        typer.echo(json_format.dumps(dataclasses.asdict(figures), indent=2, ensure_ascii=False))
    else:
        _show(figures, top)


@app.command(name="from-crawl")
def from_crawl(
    crawl: Annotated[Path, typer.Argument(help="The crawl's folder.", metavar="CRAWL")],
    out: Out,
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            "--labels",
            help="Labels by hand: a labelled sample, or a file of labels; may be repeated. [default: the judge's]",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Make a corpus of a crawl: a copy of its archive, labelled by its judge or by hand."""
    from honeyguide.bench.recording import record_crawl

    by = "hand" if labels else "the crawl's judge"
    recording = record_crawl(crawl, out, labels or ())
    typer.echo(
        f"Wrote {out}: {recording.files:,} WARC {'file' if recording.files == 1 else 'files'}, "
        f"{recording.labels:,} {'page' if recording.labels == 1 else 'pages'} labelled by {by}."
    )


@app.command()
def background(
    folder: Archives,
    out: Annotated[Path, typer.Argument(help="The file to write, such as idf.txt.gz.", metavar="FILE")],
) -> None:
    """Count in how many pages of a corpus each stem occurs: a table of idf for judges to weigh words by."""
    from honeyguide.bench.corpus import Corpus
    from honeyguide.errors import ConfigError
    from honeyguide.text.background import Background
    from honeyguide.text.tokens import Tokeniser

    if out.exists():
        raise ConfigError(f"{out} exists; choose another file.")
    with _progress("pages parsed") as on_progress:
        corpus = Corpus.open(folder, on_progress=on_progress)
    texts = (f"{page.title}\n{page.text}" for page in corpus.pages.values())
    table = Background.from_texts(texts, Tokeniser())
    try:
        table.write(out)
    except OSError as error:
        raise ConfigError(f"{out} cannot be written: {error.strerror}.") from error
    typer.echo(f"Wrote {out}: the weights of {len(table):,} stems in {len(corpus.pages):,} pages.")


@app.command()
def make(
    out: Out,
    pages: Annotated[int, typer.Option("--pages", help="Pages in all.")] = 1000,
    hosts: Annotated[int, typer.Option("--hosts", help="Hosts they lie on.")] = 40,
    topics: Annotated[int, typer.Option("--topics", help="Topics, all of the same size.")] = 10,
    locality: Annotated[
        float, typer.Option("--locality", help="The share of links that stay on their page's topic.")
    ] = 0.7,
    anchor_quality: Annotated[
        float,
        typer.Option("--anchor-quality", help="The share of anchors with words of their target's topic."),
    ] = 0.5,
    hubs: Annotated[float, typer.Option("--hubs", help="The share of pages that are lists of links.")] = 0.02,
    tunnels: Annotated[
        int,
        typer.Option("--tunnels", help="Ways through pages off topic to pages that nothing else leads to."),
    ] = 0,
    traps: Annotated[int, typer.Option("--traps", help="Hosts with a calendar to get lost in.")] = 0,
    duplicates: Annotated[
        float, typer.Option("--duplicates", help="The share of pages that are copies.")
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Another seed, another web.")] = 0,
) -> None:
    """Make a synthetic web of known structure, with labels."""
    from honeyguide.bench.synthetic.corpus import SyntheticWeb, write_corpus

    web = SyntheticWeb(
        pages=pages,
        hosts=hosts,
        topics=topics,
        locality=locality,
        anchor_quality=anchor_quality,
        hubs=hubs,
        tunnels=tunnels,
        traps=traps,
        duplicates=duplicates,
        seed=seed,
    )
    with _progress("pages written") as on_progress:
        count = write_corpus(out, web, on_progress=on_progress)
    typer.echo(f"Wrote {out}: {count:,} pages. Look at it with: honeyguide corpus info {out}")


def _show(figures: "Survey", top: int) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    recorded = figures.recorded
    summary = Table.grid(padding=(0, 2))
    for label, value in (
        (
            "pages",
            f"{figures.pages:,}  ({recorded.get('pages', 0):,} recorded, {figures.unreadable:,} unreadable)",
        ),
        ("redirects", f"{figures.redirects:,} lead to pages  ({recorded.get('redirects', 0):,} recorded)"),
        ("errors", f"{recorded.get('errors', 0):,} recorded"),
        ("hosts", f"{figures.hosts:,}"),
        ("links", f"{figures.links_inside:,} to other pages inside, {figures.links_out:,} lead out"),
        ("linked", f"{figures.pages - figures.unlinked:,} pages are linked to, {figures.unlinked:,} are not"),
        (
            "in reach",
            f"{figures.reach_median:.1%} from a page drawn blindly (median), at most {figures.reach_most:.1%}",
        ),
        ("digest", figures.digest),
    ):
        summary.add_row(Text(label, style="dim"), Text(value))
    console.print(summary)
    if not figures.labels:
        console.print("There are no labels; nothing can be scored without them (give a file with --labels).")
        return
    grouped = any(row.group for row in figures.labels)
    table = Table(title=f"Labels ({len(figures.labels):,})", title_justify="left", box=None, padding=(0, 2))
    for column in ("label", *(["group"] if grouped else []), "pages", "linked to"):
        numeric = column in ("pages", "linked to")
        table.add_column(column, justify="right" if numeric else "left", header_style="dim")
    for row in figures.labels[: top or None]:
        cells = (
            row.label,
            *([row.group] if grouped else []),
            f"{row.pages:,}",
            f"{row.linked / row.pages:.0%}",
        )
        table.add_row(*map(Text, cells))
    console.print(table)
    if figures.strays:
        console.print(f"{figures.strays:,} labels are of URLs that are not in the archives.")


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for people who watch; nothing for files and programs."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # It refreshes when told: a process with a thread for that could not be forked.
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        row = bar.add_task("")

        def show(done: int, total: int) -> None:
            bar.update(row, completed=done, total=total, refresh=True)

        yield show
