"""honeyguide crawl, resume and demo."""

import asyncio
import math
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeyguide.errors import ConfigError, CrawlError

if TYPE_CHECKING:
    from honeyguide.config import Tables
    from honeyguide.loop import Crawl
    from honeyguide.model import Topic

Pages = Annotated[
    int | None, typer.Option("--pages", min=0, help="Stop after this many pages (0: no limit).")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON line per event instead of live progress.")]
Set = Annotated[
    list[str] | None, typer.Option("--set", help="Any setting, as table.key=value; may be repeated.")
]
Metrics = Annotated[
    int | None, typer.Option("--metrics", metavar="PORT", help="Serve Prometheus counters on 127.0.0.1:PORT.")
]


def crawl(
    topic: Annotated[str, typer.Argument(help="A few words, or a topic file (.toml).", metavar="TOPIC")],
    seed: Annotated[
        list[str] | None,
        typer.Option("--seed", "-s", help="A page to start from; may be repeated.", metavar="URL"),
    ] = None,
    seeds_from: Annotated[
        list[Path] | None,
        typer.Option("--seeds-from", help="Seeds from a list of URLs, a WARC, or another crawl's folder."),
    ] = None,
    keyword: Annotated[
        list[str] | None,
        typer.Option("--keyword", "-k", help="A word or phrase of the topic; may be repeated."),
    ] = None,
    example: Annotated[
        list[str] | None,
        typer.Option("--example", "-e", help="A page on the topic; may be repeated.", metavar="URL|FILE"),
    ] = None,
    off_topic: Annotated[
        list[str] | None,
        typer.Option(
            "--off-topic", help="A page that looks on topic and is not; may be repeated.", metavar="URL|FILE"
        ),
    ] = None,
    vocabulary: Annotated[
        Path | None, typer.Option("--vocabulary", help="Weighted terms, one on a line.", metavar="FILE")
    ] = None,
    branch: Annotated[
        Path | None,
        typer.Option("--branch", help="A branch of a web directory, as folders in folders.", metavar="DIR"),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(
            "--language", help="A language of the topic, such as en; may be repeated.", metavar="CODE"
        ),
    ] = None,
    pages: Pages = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of the crawl.", metavar="DIR")
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", help="How links are ordered: NAME or NAME:key=value, or a preset."),
    ] = None,
    judge: Annotated[
        str | None, typer.Option("--judge", help="How pages are judged: NAME or NAME:key=value.")
    ] = None,
    train: Annotated[
        Path | None,
        typer.Option(
            "--train",
            help="An earlier crawl, or web archives, that the strategy learns from before it starts.",
            metavar="CRAWL|CORPUS",
        ),
    ] = None,
    diverse: Annotated[
        bool, typer.Option("--diverse", help="Spread over many hosts (strategy guide).")
    ] = False,
    set_: Set = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also fetch from private and loopback addresses.")
    ] = False,
    contact: Annotated[
        str | None, typer.Option("--contact", help="Mail or web page for webmasters; remembered.")
    ] = None,
    json: Json = False,
    metrics: Metrics = None,
) -> None:
    """Crawl a topic into a new folder.

    Ctrl-C finishes what is in flight and saves; a second one stops at once; both can be resumed.
    Cookies and logins are not supported.
    """
    from honeyguide.assemble import create, iterate_seeds, startable
    from honeyguide.cli.contact import known_contact
    from honeyguide.config import Tables, merge, parse_assignment, parse_use
    from honeyguide.model import Topic
    from honeyguide.running import slug
    from honeyguide.topics.branch import read_branch
    from honeyguide.topics.examples import read_examples
    from honeyguide.topics.toml import read_topic_file
    from honeyguide.topics.vocabulary import read_vocabulary

    file = Path(topic)
    tables: Tables = {}
    if topic.endswith(".toml") or (file.suffix and os.path.isfile(file)):
        subject, tables = read_topic_file(file)
        named = [("training", "path")]
        if tables.get("strategy", {}).get("use") == "guide":
            named.append(("strategy", "weights"))
        for table, key in named:
            path = tables.get(table, {}).get(key)
            if path and isinstance(path, str):
                tables[table][key] = str(file.parent / Path(path).expanduser())
    else:
        subject = Topic(topic.strip())
    if not subject.name:
        raise ConfigError("The topic is empty; name it in a few words.")
    subject = replace(
        subject,
        seeds=(*subject.seeds, *(seed or ()), *iterate_seeds(seeds_from or ())),
        keywords=(*subject.keywords, *(keyword or ())),
        languages=(*subject.languages, *(language or ())),
        examples=(*subject.examples, *read_examples(example or (), Path(), "--example")),
        off_topic=(*subject.off_topic, *read_examples(off_topic or (), Path(), "--off-topic")),
        vocabulary=(*subject.vocabulary, *(read_vocabulary(vocabulary) if vocabulary else ())),
        branch=read_branch(branch, "--branch") if branch else subject.branch,
    )
    given: Tables = {}
    if strategy:
        given["strategy"] = parse_use(strategy)
    if diverse:
        given["strategy"] = {"diverse": 1.0} | given.get("strategy", {})
    if judge:
        given["judge"] = parse_use(judge)
    if train is not None:
        given["training"] = {"path": str(train)}
    if pages is not None:
        given["budget"] = {"pages": pages}
    if allow_private:
        given["dns"] = {"allow_private": True}
    tables = merge(tables, given, *map(parse_assignment, set_ or ()))
    public = tables.get("dns", {}).get("allow_private", False) is False
    if contact is not None or "contact" not in tables.get("fetch", {}):
        tables = merge(tables, {"fetch": {"contact": known_contact(contact, public=public)}})
    folder = out or Path("crawls") / slug(subject.name)
    subject = _gathered(startable(folder, subject, tables), tables, json=json)
    create(folder, subject, tables)
    run(folder, title=subject.name, json=json, metrics=metrics)


def resume(
    folder: Annotated[Path, typer.Argument(help="The crawl's folder.", metavar="DIR")],
    pages: Pages = None,
    refresh: Annotated[
        bool,
        typer.Option("--refresh", help="Visit every page again; unchanged ones are not downloaded."),
    ] = False,
    set_: Set = None,
    json: Json = False,
    metrics: Metrics = None,
) -> None:
    """Continue a crawl where it stopped, or visit its pages again.

    What --pages and --set change is stored with the crawl.
    """
    from honeyguide.assemble import load
    from honeyguide.config import merge, parse_assignment

    topic, settings = load(folder)
    raised = {"budget": {"pages": pages}} if pages is not None else {}
    changes = merge(raised, *map(parse_assignment, set_ or ()))
    if not refresh:
        _check_budget(folder, settings["budget"], changes.get("budget", {}))
    run(folder, title=topic.name, json=json, metrics=metrics, refresh=refresh, changes=changes)


def demo(
    pages: Annotated[
        int, typer.Option("--pages", min=20, help="Pages each of the two crawls may fetch.")
    ] = 150,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to keep the collection.", metavar="DIR")
    ] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Only serve the web and write a topic file for it.")
    ] = False,
    port: Annotated[int, typer.Option("--port", help="Port to serve on; 0 for any that is free.")] = 0,
) -> None:
    """Crawl a small bundled web, served on this machine, and compare with breadth-first."""
    from honeyguide.demo.run import run_demo, serve_demo

    if serve:
        serve_demo(port, Path("dengue.toml"))
    else:
        run_demo(pages, out, port)


def run(
    folder: Path,
    *,
    title: str,
    json: bool = False,
    metrics: int | None = None,
    refresh: bool = False,
    changes: dict[str, dict[str, Any]] | None = None,
) -> None:
    """Run a crawl that lies in a folder, showing it in the way that suits whoever looks."""
    from honeyguide.display import JsonLines, Live, Quiet
    from honeyguide.running import run_crawl

    display = JsonLines() if json else Live(title) if sys.stderr.isatty() else Quiet()
    try:
        done = run_crawl(folder, display, metrics=metrics, refresh=refresh, changes=changes)
    except asyncio.CancelledError:
        typer.echo(f"honeyguide: stopped at once; continue with: honeyguide resume {folder}", err=True)
        raise typer.Exit(130) from None
    if isinstance(display, JsonLines):
        display.end(done, str(folder))
    else:
        _summarise(done, folder)
    _check_seeds(done, folder)


def _gathered(topic: "Topic", tables: "Tables", *, json: bool) -> "Topic":
    from honeyguide.display import JsonLines, Quiet
    from honeyguide.material import gather
    from honeyguide.running import new_event_loop

    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(gather(topic, tables, (JsonLines() if json else Quiet()).say))


def _check_budget(folder: Path, budget: dict[str, Any], given: dict[str, Any]) -> None:
    """Raise if the budget is spent: as it stands, as it was asked to be since, and as it is given now."""
    from honeyguide.opening import open_collection
    from honeyguide.store.requests import Kind, problem, read_requests

    budget = budget | given

    with open_collection(folder) as collection:
        status = collection.status(top=0)
        asked = read_requests(collection.connection, pending=True)
    for request in asked:
        if request.kind == Kind.BUDGET and not problem(request.kind, request.arguments):
            budget = budget | {key: request.arguments[key] for key in request.arguments if key not in given}
    spent = {
        "pages": status.pages,
        "relevant": status.relevant,
        "seconds": status.seconds,
        "bytes": status.bytes,
    }
    for name, used in spent.items():
        limit = budget[name]
        if limit and used >= limit:
            more = 2 * math.ceil(used)
            option = f"--pages {more}" if name == "pages" else f"--set budget.{name}={more}"
            raise CrawlError(
                f"The budget of {limit:g} {name} is spent; raise it with: honeyguide resume {folder} {option}"
            )


def _check_seeds(crawl: "Crawl", folder: Path) -> None:
    """A crawl that never got a page has told nobody why yet."""
    from honeyguide.opening import open_collection

    if crawl.progress.answered or not crawl.progress.visits:
        return
    with open_collection(folder) as collection:
        failures = [
            f"{url} ({error}{': ' + detail if detail else ''})"
            for url, error, detail in collection.connection.execute(
                "SELECT u.url, v.error, v.detail FROM visits v JOIN urls u ON u.id = v.url LIMIT 3"
            )
        ]
    raise CrawlError(f"No page could be fetched from the seeds: {'; '.join(failures)}.")


def _summarise(crawl: "Crawl", folder: Path) -> None:
    from honeyguide.health import SENTENCES

    progress = crawl.progress
    if progress.revisited:
        typer.echo(f"{progress.revisited:,} pages have not changed since they were last visited.")
    typer.echo(
        f"{progress.pages:,} pages, {progress.relevant:,} on topic ({progress.harvest:.1%}), "
        f"{len(crawl.frontier):,} links waiting. {crawl.outcome}: {SENTENCES[crawl.outcome]}"
    )
    typer.echo(f"The collection lies in {folder}. Next: honeyguide status {folder}")
