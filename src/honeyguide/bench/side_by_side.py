"""The same thing done to many items, in several processes."""

import gc
import multiprocessing
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from honeyguide.errors import CrawlError, UserError

Item = TypeVar("Item")
Resource = TypeVar("Resource")


def side_by_side(
    do: Callable[[Resource, Item], None],
    items: Sequence[Item],
    resource: Resource,
    *,
    jobs: int,
    reopen: Callable[[], Resource],
    forks: bool = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin",
) -> Iterator[None]:
    """Do something to each item with a resource that is costly to open; yields as often as one is done.

    Where processes can be forked, every item has a process of its own that shares the resource, so that what
    it costs in time and memory is its own. Elsewhere a few processes open the resource again and share the
    items out. The first that fails ends it all, with a CrawlError.
    """
    context: Any = multiprocessing.get_context("fork" if forks else "spawn")
    opened = (lambda: resource) if forks else reopen
    shares = [[item] for item in items] if forks else [items[n::jobs] for n in range(min(jobs, len(items)))]
    waiting = iter(shares)
    running: dict[Any, Any] = {}
    gc.collect()
    gc.freeze()  # so that the collector does not copy what is shared by touching it
    try:
        while True:
            while len(running) < jobs and (share := next(waiting, None)) is not None:
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(do, share, opened, theirs))
                process.start()
                theirs.close()
                running[ours] = process
            if not running:
                return
            for connection in wait(list(running)):
                sentence = _hear(connection)
                if sentence is None:
                    _bury(running.pop(connection))
                elif sentence:
                    raise CrawlError(sentence)
                else:
                    yield
    finally:
        gc.unfreeze()
        for process in running.values():
            process.terminate()
            process.join()


def _hear(connection: Any) -> str | None:
    """What a process says: nothing of an item that is done, a sentence of one that failed, None at its end."""
    try:
        return str(connection.recv())
    except EOFError:
        connection.close()
        return None


def _bury(process: Any) -> None:
    process.join()
    if process.exitcode:
        raise CrawlError(
            f"A process of the bench died (exit code {process.exitcode}); what was finished is kept, "
            "run the same command again to go on."
        )


def _work(
    do: Callable[[Resource, Item], None],
    share: Sequence[Item],
    opened: Callable[[], Resource],
    report: Connection,
) -> None:
    """Deal with some items and say of each that it is done, or why not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
    try:
        resource = opened()
        for item in share:
            do(resource, item)
            report.send("")
    except UserError as error:
        report.send(str(error))
    except Exception as error:
        traceback.print_exc()
        report.send(f"A crawl of the bench failed: {error!r}; what was finished is kept.")
    finally:
        report.close()
