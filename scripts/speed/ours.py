"""Honeyguide's side of the comparison: a crawl as its command line would run it, without the display.

Robots rules are obeyed and there are no pauses between requests. Run as
`python -m speed.ours FOLDER PORT PAGES WORKERS READERS`; with no readers everything is one process.
"""

import asyncio
import sys
from pathlib import Path

from honeyguide.assemble import assembled, create
from honeyguide.model import Visit
from honeyguide.running import new_event_loop
from speed.measure import Meter
from speed.task import topic
from speed.web import ADDRESSES


async def crawl(folder: Path, meter: Meter) -> None:
    """Run the crawl in a folder to its end."""

    def visited(visit: Visit) -> None:
        if visit.error:
            raise RuntimeError(f"{visit.url}: {visit.error} {visit.detail}")
        meter.count()

    async with assembled(folder, on_visit=visited) as crawl:
        await crawl.run()


def main(folder: str, port: str, pages: str, workers: str, readers: str) -> None:
    """Make a crawl, run it, print what it cost."""
    create(
        Path(folder),
        topic(int(port)),
        {
            "dns": {"hosts": ADDRESSES, "allow_private": True},
            "politeness": {"delay": 0.0, "stretch": 0.0},
            "strategy": {"use": "best-first"},
            "judge": {"use": "cosine"},
            "budget": {"pages": int(pages)},
            "crawl": {"workers": int(workers)},
            "reading": {"processes": int(readers)},
        },
    )
    meter = Meter()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(crawl(Path(folder), meter))
    meter.report()


if __name__ == "__main__":
    main(*sys.argv[1:])
