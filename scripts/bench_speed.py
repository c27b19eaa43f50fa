"""Honeyguide beside Scrapy: the whole pipeline on the same web, in one run, in pages per CPU-second.

The web is synthetic and served from a process of its own (see `speed.web`); each crawl is a process that
measures itself from its 100th page to its end, so that start-up and imports count on neither side. On one
core the crawler is bound to one core and the server to another; with readers in processes of their own
everything shares two cores. The sides take turns, and the median of their runs counts.

Scrapy is run twice: as it comes, with its own link extractor, queue and middlewares, and tuned by hand, with
all of these replaced or taken out (see `speed.scrapy_side`). The last line says how many times as many pages
as Scrapy as it comes we get out of a second of CPU.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

SCRIPTS = Path(__file__).parent
PATIENCE = 180.0


class Contestant(NamedTuple):
    """A crawler to run: its name, its module, how it is called, and on how many cores."""

    name: str
    module: str
    options: tuple[str, ...]
    cores: int


SCRAPY = Contestant("Scrapy", "speed.scrapy_side", ("stock",), 1)
TUNED_SCRAPY = Contestant("Scrapy, tuned by hand", "speed.scrapy_side", ("tuned",), 1)
OURS = Contestant("Honeyguide", "speed.ours", ("0",), 1)
ONE_READER = Contestant("Honeyguide + 1 reader", "speed.ours", ("1",), 2)
TWO_READERS = Contestant("Honeyguide + 2 readers", "speed.ours", ("2",), 2)


class Figures(NamedTuple):
    """What a crawl came to."""

    pages: int
    per_cpu_second: float
    per_second: float
    megabytes: float


@contextmanager
def server(cores: list[int]) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The web, served in its own process, and its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "speed.server"],
        cwd=SCRIPTS,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        os.sched_setaffinity(process.pid, cores)
        yield process.stdout.readline().strip(), process
    finally:
        process.stdin.close()
        process.wait(10)


def run(contestant: Contestant, port: str, pages: int, workers: int, cores: list[int]) -> Figures:
    """One crawl in a process and a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-speed-") as folder:
        finished = subprocess.run(
            [
                *(sys.executable, "-m", contestant.module, f"{folder}/crawl", port, str(pages), str(workers)),
                *contestant.options,
            ],
            cwd=SCRIPTS,
            stdout=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )
    cost = json.loads(finished.stdout)
    return Figures(
        cost["pages"], cost["pages"] / cost["cpu"], cost["pages"] / cost["wall"], cost["memory"] / 1024
    )


def compare(
    contestants: Sequence[Contestant], pages: int, repeat: int, workers: int, progress: Console
) -> dict[Contestant, Figures]:
    """The medians of each contestant's runs; they take turns, so that a busy machine disturbs all alike."""
    cores = sorted(os.sched_getaffinity(0))
    crawling, serving = cores[:1], cores[1:2] or cores
    runs: dict[Contestant, list[Figures]] = {contestant: [] for contestant in contestants}
    with server(serving) as (port, process):
        progress.print("warming up: the server writes the pages that will be asked for")
        run(OURS, port, pages, workers, crawling)
        for turn in range(repeat):
            for contestant in contestants:
                alone = contestant.cores == 1
                os.sched_setaffinity(process.pid, serving if alone else cores[:2])
                figures = run(contestant, port, pages, workers, crawling if alone else cores[:2])
                runs[contestant].append(figures)
                progress.print(
                    f"{turn + 1}/{repeat} {contestant.name}: {figures.per_cpu_second:.0f} pages per CPU-second"
                )
    return {
        contestant: Figures(*(median(column) for column in zip(*figures, strict=True)))
        for contestant, figures in runs.items()
    }


def table(results: dict[Contestant, Figures]) -> Table:
    """The figures side by side."""
    table = Table(title="The whole pipeline on pages of 59 KB with 120 links")
    table.add_column("crawler")
    for heading in ("cores", "pages", "pages/CPU-s", "pages/s", "peak memory"):
        table.add_column(heading, justify="right")
    for contestant, figures in results.items():
        table.add_row(
            contestant.name,
            str(contestant.cores),
            f"{figures.pages:.0f}",
            f"{figures.per_cpu_second:.0f}",
            f"{figures.per_second:.0f}",
            f"{figures.megabytes:.0f} MB",
        )
    return table


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=1500, help="pages of each crawl")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each crawler")
    parser.add_argument("--workers", type=int, default=16, help="requests under way at once")
    parser.add_argument("--quick", action="store_true", help="400 pages, once: a look, not a measurement")
    options = parser.parse_args()
    pages, repeat = (400, 1) if options.quick else (options.pages, options.repeat)
    contestants = (SCRAPY, TUNED_SCRAPY, OURS, ONE_READER, TWO_READERS)
    results = compare(contestants, pages, repeat, options.workers, Console(stderr=True))
    Console().print(table(results))
    ours = results[OURS]
    for contestant in (ONE_READER, TWO_READERS):
        times = results[contestant].per_second / ours.per_second
        print(f"{contestant.name}, in wall time over itself on one core: {times:.2f}")
    for contestant, name in ((TUNED_SCRAPY, "scrapy tuned by hand"), (SCRAPY, "scrapy")):
        print(f"ours / {name}: {ours.per_cpu_second / results[contestant].per_cpu_second:.1f}")


if __name__ == "__main__":
    main()
