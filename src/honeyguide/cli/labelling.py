"""honeyguide label and topic grow: people say which pages are on topic, and a crawl says what else might be."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeyguide.cli.person import person
from honeyguide.display import printable
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.store.pages import Pick

if TYPE_CHECKING:
    import sqlite3

    from rich.console import Console

    from honeyguide.growing import Proposal
    from honeyguide.model import Topic
    from honeyguide.store.collection import Collection
    from honeyguide.store.labels import Label


def label(
    folder: Annotated[Path, typer.Argument(help="The crawl's folder.", metavar="DIR")],
    annotator: Annotated[
        str | None, typer.Option("--annotator", help="Who labels; default: your user name.", metavar="NAME")
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="How many pages to show.")] = 20,
    pick: Annotated[
        Pick,
        typer.Option("--pick", help="Those the judge was least sure of, any, or those it found on topic."),
    ] = Pick.BORDERLINE,
) -> None:
    """Say of pages, one key each, whether they are on topic; the crawl learns from it, even while it runs.

    The judge's verdict is not shown. What you say is stored at once; b takes the last answer back.
    """
    import sys

    from honeyguide.assemble import load
    from honeyguide.cli.keys import Keys
    from honeyguide.cli.label_session import Session
    from honeyguide.opening import open_collection
    from honeyguide.store import pages
    from honeyguide.store.folder import is_being_written
    from honeyguide.store.labels import LabelBook, read_labels

    topic, settings = load(folder)
    who = person(annotator, "--annotator")
    console = _console()
    with LabelBook(folder) as book, open_collection(folder) as collection:
        margin = _newest_margin(collection, settings["judge"])
        rows = pages.pick(collection.connection, pick, n, annotator=who, margin=margin)
        if not rows:
            kind = "judged on topic " if pick is Pick.RELEVANT else ""
            raise CrawlError(f"{folder} holds no pages {kind}that {who} has not labelled.")
        _introduce(console, topic, who, len(rows))
        if sys.stdin is None:
            raise CrawlError("There is no input to read answers from.")
        with Keys(sys.stdin) as keys:
            labelled = Session(console, collection, book, keys, topic, who).run(rows)
        labels = read_labels(collection.connection)
    typer.echo(f"{labelled:,} {'page' if labelled == 1 else 'pages'} labelled by {who}.")
    _show_agreement(labels, who)
    if labelled and is_being_written(folder):
        typer.echo("The crawl is running and learns from them as it goes.")
    elif labelled:
        typer.echo(f"The crawl learns from them when it goes on: honeyguide resume {folder}")
    typer.echo(f"More pages: honeyguide label {folder}. What they suggest: honeyguide topic grow {folder}")


def grow(
    folder: Annotated[Path, typer.Argument(help="The crawl's folder.", metavar="CRAWL")],
    terms: Annotated[int, typer.Option("--terms", min=0, help="How many terms to propose.")] = 30,
    examples: Annotated[int, typer.Option("--examples", min=0, help="How many examples to propose.")] = 10,
    borderline: Annotated[
        int, typer.Option("--borderline", min=0, help="How many pages to propose for labelling.")
    ] = 10,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write a topic file to take from; default: print.", metavar="FILE"),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The proposals as one JSON object.")] = False,
) -> None:
    """Propose terms and examples for a topic from what a crawl on it has found, and pages worth labelling."""
    import dataclasses
    import json as json_format

    from honeyguide.assemble import load
    from honeyguide.growing import propose, to_toml
    from honeyguide.opening import open_collection

    topic, _ = load(folder)
    if out is not None and out.exists():
        raise CrawlError(f"{out} exists; choose another file with --out.")
    with open_collection(folder) as collection:
        found = propose(collection, topic, terms=terms, examples=examples, borderline=borderline)
    if out is not None:
        try:
            out.write_text(to_toml(found, folder), encoding="utf-8")
        except OSError as error:
            raise CrawlError(f"{out} cannot be written: {error.strerror}.") from error
    if json:
        typer.echo(json_format.dumps(dataclasses.asdict(found), indent=2))
    elif out is None:
        _show_proposal(_console(), found, folder)
    else:
        typer.echo(f"{len(found.terms)} terms and {len(found.examples)} examples written to {out}")
        typer.echo("Strike out what is wrong, then move the rest into your topic file.")


def _newest_margin(
    collection: "Collection", settings: "Mapping[str, Any]"
) -> "Callable[[sqlite3.Row], float]":
    """How sure the judge is of a page now, if it has learned something since it judged it."""
    from honeyguide.learning import ROLE
    from honeyguide.naming import unfitted_judge
    from honeyguide.store.sqlite import read_state

    def stored(row: "sqlite3.Row") -> float:
        return float(row["margin"])

    saved = read_state(collection.connection, ROLE)
    if saved is None or not saved[1]["revision"]:
        return stored
    try:
        judge = unfitted_judge(settings).restore(saved[1]["judge"])
    except ConfigError:  # the crawl will have another judge when it goes on
        return stored

    def newest(row: "sqlite3.Row") -> float:
        page = collection.page_of(row)
        return judge.assess(page).margin if page else stored(row)

    return newest


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False, markup=False)


def _introduce(console: "Console", topic: "Topic", who: str, n: int) -> None:
    from rich.text import Text

    console.print(Text(f"Which pages are about {printable(topic.name)}? {who} is shown {n}.", style="bold"))
    if topic.description:
        console.print(Text(printable(topic.description)))
    for rule in topic.rules:
        console.print(Text(f"- {printable(rule)}"))


def _show_agreement(labels: "Sequence[Label]", who: str) -> None:
    import math

    from honeyguide.statistics import agreement, cohen_kappa
    from honeyguide.store.labels import opinions

    said = opinions(labels)
    ours = said.pop(who, {})
    for other, theirs in said.items():
        shared = [url for url in ours if url in theirs]
        if not shared:
            continue
        pair = [ours[url] for url in shared], [theirs[url] for url in shared]
        kappa = cohen_kappa(*pair)
        beyond = "" if math.isnan(kappa) else f", kappa {kappa:.2f}"
        typer.echo(
            f"{who} and {printable(other)} agree on {agreement(*pair):.0%} of {len(shared):,} pages{beyond}."
        )


def _show_proposal(console: "Console", found: "Proposal", folder: Path) -> None:
    from rich.table import Table
    from rich.text import Text

    console.print(
        f"From {found.relevant_pages:,} pages on topic beside {found.other_pages:,} others of {folder}:"
    )
    if found.terms:
        table = Table(box=None, padding=(0, 2))
        for column in ("term", "weight", "on topic", "others", "from"):
            numeric = column not in ("term", "from")
            table.add_column(column, header_style="dim", justify="right" if numeric else "left")
        for term in found.terms:
            counts = (f"{term.weight:g}", f"{term.relevant_pages:,}", f"{term.other_pages:,}")
            table.add_row(Text(printable(term.text)), *counts, ", ".join(term.sources))
        console.print(table)
    for heading, pages in (("Examples", found.examples), ("Worth labelling", found.borderline)):
        if pages:
            console.print(Text(f"\n{heading}", style="bold"))
        for page in pages:
            console.print(Text(f"{page.relevance:.2f}  {printable(page.url)}  {printable(page.title)}"))
    console.print(f"\nTo take from it: honeyguide topic grow {folder} --out FILE", soft_wrap=True)
