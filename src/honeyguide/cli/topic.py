"""honeyguide topic show and import-odp."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeyguide.errors import ConfigError

if TYPE_CHECKING:
    from honeyguide.config import Tables
    from honeyguide.model import Topic

SEEDS = 20
"""Pages of an imported branch that a crawl starts from."""

app = typer.Typer(no_args_is_help=True)


@app.callback()
def topic() -> None:
    """Look at a topic and make more of it."""


@app.command()
def show(
    topic: Annotated[
        str, typer.Argument(help="A topic file (.toml), a crawl's folder, or a few words.", metavar="TOPIC")
    ],
    judge: Annotated[
        str,
        typer.Option(
            "--judge", help="Show what this judge makes of it: NAME or NAME:key=value. [default: all]"
        ),
    ] = "",
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Fetch the examples that are addresses so far.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="All of it as one JSON object.")] = False,
) -> None:
    """Explain a topic: what it says, what each judge looks for, what is ambiguous, what is missing."""
    from honeyguide.cli.explanation import plain, show_explanation
    from honeyguide.config import parse_use
    from honeyguide.explaining import explain
    from honeyguide.naming import unfitted_judge

    if judge:
        unfitted_judge(parse_use(judge))
    subject, tables = _read(topic)
    subject = _with_texts(subject, tables, fetch=fetch)
    judges = [parse_use(judge)] if judge else _judges(tables.get("judge", {}))
    explanation = explain(subject, judges)
    if json:
        import json as json_format

        typer.echo(json_format.dumps(plain(explanation), indent=2))
    else:
        show_explanation(explanation, terms=40 if judge else 8)


@app.command("import-odp")
def import_odp(
    dump: Annotated[
        Path,
        typer.Argument(help="content.rdf.u8 of ODP, DMOZ or Curlie, plain or gzipped.", metavar="DUMP"),
    ],
    branch: Annotated[
        str, typer.Argument(help="A category, such as Top/Science/Biology/Bioinformatics.", metavar="BRANCH")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The topic file to write; default: named after it.", metavar="FILE"),
    ] = None,
    per_level: Annotated[
        int, typer.Option("--per-level", min=1, help="Examples to keep of each level.")
    ] = 50,
    below: Annotated[
        bool, typer.Option("--below", help="Count the pages of its sub-categories as the branch's own.")
    ] = False,
) -> None:
    """Make a topic of a branch of a web directory: its own pages, and those of every level above."""
    from honeyguide.cli.bench import progress
    from honeyguide.config import quoted
    from honeyguide.display import printable
    from honeyguide.topics.odp import levels_to_toml, read_branch

    file = out or Path(f"{branch.rstrip('/').rpartition('/')[2].lower().replace('_', '-')}.toml")
    if file.exists():
        raise ConfigError(f"{file} exists; choose another file with --out.")
    with progress("bytes") as show_progress:
        levels = read_branch(dump, branch, per_level=per_level, below=below, progress=show_progress)
    name = levels[0].name.replace("_", " ")
    seeds = [example.url for example in levels[0].examples[:SEEDS] if example.url.startswith("http")]
    head = (
        f"# Imported from {printable(dump.name)}, branch {printable(branch)}\n\n"
        f"[topic]\nname = {quoted(name)}\nseeds = {quoted(seeds)}\n\n"
    )
    try:
        file.write_text(head + levels_to_toml(levels), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}.") from error
    for number, level in enumerate(levels, 1):
        typer.echo(f"level {number}  {len(level.examples):>4} examples  {level.name}")
    typer.echo(f"Wrote {file}; the crawl starts from {len(seeds)} of its pages: honeyguide crawl {file}")


def _read(text: str) -> "tuple[Topic, Tables]":
    """The topic that a text names, and the settings that come with it."""
    from honeyguide.model import Topic
    from honeyguide.store.folder import CONFIG, must_hold_crawl
    from honeyguide.topics.folder import read_topic
    from honeyguide.topics.toml import read_tables, read_topic_file

    if not text.strip():
        raise ConfigError("The topic is empty; name it in a few words.")
    path = Path(text)
    if os.path.isdir(path):
        must_hold_crawl(path)
        return read_topic(path), read_tables(path / CONFIG)
    if text.endswith(".toml") or (path.suffix and os.path.isfile(path)):
        return read_topic_file(path)
    return Topic(text.strip()), {}


def _with_texts(topic: "Topic", tables: "Tables", *, fetch: bool) -> "Topic":
    """The topic with the texts of its examples, if they are all on this machine or may be fetched."""
    from honeyguide.topics.examples import untold

    addresses = [example.url for example in untold(topic)]
    on_web = any(not address.startswith("file://") for address in addresses)
    if not addresses or (on_web and not fetch):
        return topic
    from honeyguide.cli.contact import known_contact
    from honeyguide.config import merge
    from honeyguide.display import Quiet
    from honeyguide.material import gather
    from honeyguide.running import new_event_loop

    if on_web and "contact" not in tables.get("fetch", {}):
        public = not tables.get("dns", {}).get("allow_private", False)
        tables = merge(tables, {"fetch": {"contact": known_contact(None, public=public)}})
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(gather(topic, tables, on_loss=Quiet().say))


def _judges(chosen: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All judges that are quick; the one that the topic's settings name has its parameters."""
    from honeyguide.cli.judges import SLOW
    from honeyguide.naming import JUDGES, names

    known = sorted(set(names(JUDGES, "judges")) - set(SLOW))
    return [chosen if chosen.get("use") == name else {"use": name} for name in known]
