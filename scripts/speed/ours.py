"""Honeyguide's side of the comparison: a crawl as its command line would run it, without the display.

Robots rules are obeyed and there are no pauses between requests. Run as
`python -m speed.ours FOLDER PORT PAGES WORKERS READERS`; with no readers everything is one process.
"""

import sys
from pathlib import Path

from honeyguide.assemble import create
from honeyguide.display import Quiet
from honeyguide.model import Visit
from honeyguide.running import run_crawl
from speed.measure import Meter
from speed.task import topic
from speed.web import ADDRESSES


class Counting(Quiet):
    """Tells the meter of every visit, and of none that failed."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def visit(self, visit: Visit) -> None:
        """Count a page."""
        if visit.error:
            raise RuntimeError(f"{visit.url}: {visit.error} {visit.detail}")
        self._meter.count()


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
    run_crawl(Path(folder), Counting(meter))
    meter.report()


if __name__ == "__main__":
    main(*sys.argv[1:])
