"""The demonstration: one focused crawl and one breadth-first crawl of the same small web."""

import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from honeyguide.assemble import create
from honeyguide.config import to_toml
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.display import Live, Quiet
from honeyguide.errors import ConfigError, ErrorKind
from honeyguide.health import Health
from honeyguide.model import Topic
from honeyguide.opening import open_collection
from honeyguide.running import run_crawl
from honeyguide.store.status import Status

TOPIC = "dengue fever"
MEANINGS = {
    ErrorKind.ROBOTS: "robots.txt says no",
    ErrorKind.ROBOTS_UNREACHABLE: "robots.txt could not be had, so nothing may be asked",
    ErrorKind.PRIVATE: "leads into a private network",
    ErrorKind.TYPE: "not a page (PDF, picture, archive, …)",
    ErrorKind.REDIRECTS: "redirects in a circle",
    ErrorKind.CONNECT: "the host is down",
    ErrorKind.KNOWN: "redirects to a page that was fetched already",
    ErrorKind.TIMEOUT: "took too long",
}


def serve_demo(port: int, file: Path) -> None:
    """Serve the web until Ctrl-C, with a topic file that says where its hosts are."""
    with serving(port=port) as web:
        tables = {"topic": {"name": TOPIC, "seeds": web.seeds}} | settings_for(web)
        write_topic(file, to_toml(tables))
        print(f"Serving {len(web.hosts)} hosts; in another terminal: honeyguide crawl {file}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            file.unlink(missing_ok=True)


def write_topic(file: Path, text: str) -> None:
    """Write a topic file; one that says the same was left by a server that was killed, another one is kept."""
    is_left = file.is_file() and file.read_bytes() == text.encode()
    if file.exists() and not is_left:
        raise ConfigError(f"{file} exists and is not overwritten; serve the web from another folder.")
    file.write_text(text, encoding="utf-8")


def run_demo(pages: int, out: Path | None, port: int = 0) -> None:
    """Serve the web, crawl it twice, and show what came of it."""
    console = Console(highlight=False)
    folder = out or _free_folder(Path("crawls") / "demo")
    with (
        tempfile.TemporaryDirectory(prefix="honeyguide-demo-") as scratch,
        serving(port=port) as web,
    ):
        console.print(
            f"A web of {len(web.manifest)} known pages on {len(web.hosts)} hosts is being served on this machine.\n"
            f"Two crawls look for [bold]{TOPIC}[/] in it, {pages} pages each.\n"
        )
        focused, seconds = _crawl(web, folder, "guide", pages)
        plain, _ = _crawl(web, Path(scratch) / "breadth-first", "breadth-first", pages)
    if Health.INTERRUPTED in (focused.health, plain.health):
        console.print("Stopped early; the figures below are of what was fetched until then.\n")
    _show(console, focused, plain, seconds)
    _show_refusals(console, focused)
    console.print(_next_steps(folder))


def settings_for(web: ServedWeb) -> dict[str, dict[str, Any]]:
    """Settings that reach the demo web and nothing else, as fast as it likes to be asked."""
    return {
        "dns": {"hosts": web.hosts, "allow_private": list(web.hosts)},
        "crawl": {"workers": 1},
        "politeness": {"delay": 0.02, "first_back_off": 0.2},
        "robots": {"retry_after": 1.0},
        "fetch": {"timeout": 10.0, "connect_timeout": 2.0},
    }


def _crawl(web: ServedWeb, folder: Path, strategy: str, pages: int) -> tuple[Status, float]:
    settings = settings_for(web) | {"strategy": {"use": strategy}, "budget": {"pages": pages}}
    create(folder, Topic(TOPIC, seeds=web.seeds), settings)
    started = time.monotonic()
    run_crawl(folder, Live(f"{TOPIC}, {strategy}") if sys.stderr.isatty() else Quiet())
    with open_collection(folder) as collection:
        return collection.status(top=50), time.monotonic() - started


def _show(console: Console, focused: Status, plain: Status, seconds: float) -> None:
    table = Table(box=None, padding=(0, 2))
    for column in ("", "guide", "breadth-first"):
        table.add_column(column, justify="left" if not column else "right", header_style="bold")
    table.add_row("pages fetched", f"{focused.pages:,}", f"{plain.pages:,}")
    table.add_row("on topic", f"{focused.relevant:,}", f"{plain.relevant:,}")
    table.add_row("harvest rate", f"{focused.harvest:.1%}", f"{plain.harvest:.1%}")
    table.add_row("duplicates recognised", f"{focused.duplicates:,}", f"{plain.duplicates:,}")
    table.add_row("hosts reached", f"{focused.host_count:,}", f"{plain.host_count:,}")
    console.print(table)
    if plain.harvest:
        console.print(
            f"\nGuide found [bold]{focused.harvest / plain.harvest:.1f} times[/] as much per page; "
            f"its crawl took {seconds:.0f} s.\n"
        )


def _show_refusals(console: Console, status: Status) -> None:
    table = Table(
        title="What was refused or failed, and why", title_justify="left", title_style="bold", box=None
    )
    table.add_column("what", header_style="dim")
    table.add_column("times", justify="right", header_style="dim")
    table.add_column("because", header_style="dim")
    for kind, count in status.errors:
        table.add_row(Text(kind), str(count), MEANINGS.get(ErrorKind(kind.split()[0]), "the server's answer"))
    for reason, count in status.refusals:
        table.add_row("not queued", str(count), Text(reason))
    for row in status.parked:
        table.add_row("host parked", str(row.waiting), Text(f"{row.name}: {row.parked}"))
    console.print(table)


def _next_steps(folder: Path) -> str:
    return (
        f"\nThe collection lies in [bold]{folder}[/]. Try next:\n"
        f"  honeyguide status {folder}\n"
        f"  honeyguide why {folder} URL\n"
        f"  honeyguide search {folder} 'vaccine OR mosquito'\n"
        f"  honeyguide export {folder} --format jsonl --only relevant\n"
        f"  honeyguide crawl 'your topic' --seed https://…\n"
        f"\nOr look at all of it in a browser:\n"
        f"  honeyguide serve {folder}\n"
    )


def _free_folder(wanted: Path) -> Path:
    folder, number = wanted, 1
    while folder.exists():
        number += 1
        folder = wanted.with_name(f"{wanted.name}-{number}")
    return folder
