"""honeyguide search."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.errors import ConfigError, CrawlError
from honeyguide.search.sort import Sort

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding

    from honeyguide.search.ranking import Ranking
    from honeyguide.search.results import Hit, Request, Results
    from honeyguide.searching import SearchEngine


class Relevant(StrEnum):
    """Which pages to find, as they were judged."""

    YES = "yes"
    NO = "no"


def search(
    folder: Annotated[Path, typer.Argument(help="The crawl's folder.", metavar="DIR")],
    query: Annotated[
        str | None,
        typer.Argument(
            help='Words, "phrases", AND, OR, NOT, title:word, host:name, date:2026-11; none: every page.',
            metavar="QUERY",
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Results on a page.")] = 10,
    page: Annotated[int, typer.Option("--page", min=1, help="Which page of results.")] = 1,
    host: Annotated[
        list[str] | None,
        typer.Option("--host", help="Only this host or domain; may be repeated.", metavar="NAME"),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option("--language", help="Only this language, such as en; may be repeated.", metavar="CODE"),
    ] = None,
    relevant: Annotated[
        Relevant | None, typer.Option("--relevant", help="Only pages that are, or are not, on topic.")
    ] = None,
    sort: Annotated[Sort, typer.Option("--sort", help="What comes first.")] = Sort.SCORE,
    facets: Annotated[
        bool, typer.Option("--facets", help="Also count hosts, languages, months and labels.")
    ] = False,
    like: Annotated[
        str | None, typer.Option("--like", help="Find pages like this one of the collection.", metavar="URL")
    ] = None,
    good: Annotated[
        list[str] | None,
        typer.Option("--good", help="A good answer: find more like it; may be repeated.", metavar="URL"),
    ] = None,
    bad: Annotated[
        list[str] | None,
        typer.Option("--bad", help="A bad answer: find less like it; may be repeated.", metavar="URL"),
    ] = None,
    save: Annotated[
        str | None, typer.Option("--save", help="Keep this search under a name.", metavar="NAME")
    ] = None,
    saved: Annotated[
        str | None,
        typer.Option("--saved", help="Run a search that was kept; list: show them all.", metavar="NAME"),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option("--export", help="Write all results to a .csv or .jsonl file.", metavar="FILE"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite that file if it exists.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The results as one JSON object.")] = False,
    no_update: Annotated[
        bool,
        typer.Option("--no-update", help="Search what is indexed, without what the crawl brought since."),
    ] = False,
) -> None:
    """Search the pages of a crawl, also while it runs.

    Pages that say the words best, are on topic and are linked to by pages on topic come first.
    """
    import json as json_format

    from honeyguide.search.results import Request
    from honeyguide.searching import SearchEngine

    request = Request(
        query=query or "",
        hosts=tuple(host or ()),
        languages=tuple(language or ()),
        relevant=None if relevant is None else relevant is Relevant.YES,
        sort=sort,
        like=like or "",
        good=tuple(good or ()),
        bad=tuple(bad or ()),
        page=page,
        limit=limit,
        facets=facets,
    )
    request.node()
    engine = SearchEngine(folder, refresh=False)
    if saved == "list":
        _list_saved(engine)
        return
    if saved:
        request = _saved_request(engine, saved, request)
    if save:
        engine.saved.put(save, request)
    if not no_update:
        _bring_up_to_date(engine)
    if export is not None:
        _export(engine, request, export, force)
        return
    results = engine.search(request)
    if json:
        typer.echo(json_format.dumps(results.plain(), indent=2, ensure_ascii=False))
    else:
        _show(results, engine.ranking)


def _saved_request(engine: "SearchEngine", name: str, given: "Request") -> "Request":
    from dataclasses import replace

    from honeyguide.search.results import Request

    plain = replace(given, page=1, limit=10, facets=False)
    if plain != Request():
        raise ConfigError("--saved runs a search as it was kept; it takes no other query, filter or order.")
    return replace(engine.saved.get(name), page=given.page, limit=given.limit, facets=given.facets)


def _list_saved(engine: "SearchEngine") -> None:
    from honeyguide.display import printable

    for name, request in engine.saved.all().items():
        typer.echo(f"{name}: {printable(request.query or request.like)}")


def _bring_up_to_date(engine: "SearchEngine") -> None:
    behind = engine.behind()
    if behind >= 1000 and sys.stderr.isatty():
        typer.echo(f"Indexing {behind:,} visits; Ctrl-C keeps what is done.", err=True)
    if not engine.refresh():
        typer.echo("honeyguide: another process is indexing; this is what it has done so far.", err=True)


def _export(engine: "SearchEngine", request: "Request", file: Path, force: bool) -> None:
    if file.exists() and not force:
        raise CrawlError(f"{file} exists; choose another file or overwrite it with --force.")
    try:
        count = engine.export(request, file)
    except OSError as error:
        raise CrawlError(f"{error.filename or file} cannot be used: {error.strerror}.") from error
    typer.echo(f"{count:,} results written to {file}")


def _show(results: "Results", ranking: "Ranking") -> None:
    from rich.console import Console
    from rich.text import Text

    from honeyguide.display import printable

    console = Console(highlight=False)
    if not results.hits:
        console.print(Text("No page answers this." if not results.total else "There are no more results."))
    for hit in results.hits:
        _show_hit(console, hit, ranking)
    if results.hits:
        last = results.hits[-1].rank
        console.print(Text(f"{results.hits[0].rank:,} to {last:,} of {results.total:,} pages", style="dim"))
    for name, counts in results.facets.items():
        if counts:
            listed = "  ".join(f"{printable(value)} {count:,}" for value, count in counts)
            console.print(Text.assemble((f"{name:9}", "dim"), listed))


def _show_hit(console: "Console", hit: "Hit", ranking: "Ranking") -> None:
    from rich.text import Text

    from honeyguide.display import printable

    mark = ("  on topic", "green") if hit.relevant else ("", "")
    title = printable(hit.title) or "(no title)"
    console.print(Text.assemble((f"{hit.rank}. ", "dim"), (title, "bold"), mark))
    console.print(Text(f"   {printable(hit.url)}", style="cyan"), soft_wrap=True)
    if hit.snippet:
        console.print(_snippet(hit, on_terminal=console.is_terminal))
    console.print(
        Text(
            f"   score {hit.score:.2f} = text {hit.text:.2f} x (1 + {ranking.relevance_weight:g} x relevance "
            f"{hit.relevance:.2f} + {ranking.authority_weight:g} x authority {hit.authority:.2f})\n",
            style="dim",
        ),
        soft_wrap=True,
    )


def _snippet(hit: "Hit", *, on_terminal: bool) -> "Padding":
    """The snippet with its words marked: by weight on a terminal, by stars elsewhere."""
    from rich.padding import Padding
    from rich.text import Text

    text = Text()
    for span in hit.snippet:
        star = "*" if span.marked and not on_terminal else ""
        text.append(f"{star}{span.text}{star}", style="bold yellow" if span.marked else "")
    return Padding(text, (0, 0, 0, 3))
