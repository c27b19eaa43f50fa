"""Running a crawl to its end: the event loop, signals, and the name of its folder."""

import asyncio
import gc
import re
import signal
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from honeyguide.assemble import assembled
from honeyguide.display import Display
from honeyguide.errors import ConfigError
from honeyguide.loop import Crawl
from honeyguide.metrics import serve_metrics
from honeyguide.reading import calm_collector


def run_crawl(
    folder: Path,
    display: Display,
    *,
    metrics: int | None = None,
    refresh: bool = False,
    changes: Mapping[str, Mapping[str, Any]] | None = None,
) -> Crawl:
    """Run the crawl that lies in a folder until it ends or is stopped."""
    often = gc.get_threshold()
    calm_collector()
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner, display:
            return runner.run(_go(folder, display, metrics, refresh, changes or {}))
    finally:  # whoever crawls from a program of their own goes on in the same process
        gc.set_threshold(*often)
        gc.unfreeze()


async def _go(
    folder: Path,
    display: Display,
    metrics: int | None,
    refresh: bool,
    changes: Mapping[str, Mapping[str, Any]],
) -> Crawl:
    async with assembled(
        folder,
        changes=changes,
        refresh=refresh,
        on_visit=display.visit,
        on_pause=lambda sentence: display.say(sentence or "The crawl goes on."),
        warn=display.say,
    ) as crawl:
        server = await _metrics_server(metrics, crawl) if metrics is not None else None
        display.start(crawl)
        stop_on_signals(
            crawl, lambda: display.say("Finishing what is in flight; Ctrl-C again stops at once.")
        )
        try:
            await crawl.run()
        finally:
            if server:
                server.close()
    return crawl


async def _metrics_server(port: int, crawl: Crawl) -> asyncio.Server:
    try:
        return await serve_metrics(port, crawl.samples)
    except OSError as error:
        raise ConfigError(
            f"Port {port} cannot be used for metrics ({error.strerror}); choose another."
        ) from error


def new_event_loop() -> asyncio.AbstractEventLoop:
    """uvloop where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop


def slug(name: str) -> str:
    """A topic's name as a folder's."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "crawl"


def stop_on_signals(crawl: Crawl, on_first: Callable[[], None]) -> None:
    """The first Ctrl-C finishes what is in flight, a second one stops at once."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None
    asked = False

    def ask() -> None:
        nonlocal asked
        if asked:
            task.cancel()
            return
        asked = True
        on_first()
        crawl.stop()

    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, ask)
