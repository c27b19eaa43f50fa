"""What a crawl cost: CPU of a process and its children, time, memory; measured alike on both sides."""

import json
import os
import resource
import sys
import time
from pathlib import Path

RUNNING_START = 100
"""Pages before the clock starts, so that imports, first connections, robots.txt and cold caches do not count."""

_TICKS = os.sysconf("SC_CLK_TCK")


class Meter:
    """Told of every page, it starts after the first hundred; `report` ends it."""

    def __init__(self) -> None:
        self.pages = 0
        self._cpu = self._wall = 0.0
        self._children: list[int] = []

    def count(self) -> None:
        """One page is done with."""
        self.pages += 1
        if self.pages == RUNNING_START:
            self._cpu = _cpu()
            self._wall = time.perf_counter()
        elif self.pages % 50 == 0:
            self._children = [_peak_memory(child) for child in _live_children()]

    def report(self) -> None:
        """Print the figures as one line of JSON; children must have ended."""
        wall, cpu = time.perf_counter() - self._wall, _cpu() - self._cpu
        memory = _peak_memory(os.getpid()) + sum(self._children)
        pages = self.pages - RUNNING_START
        json.dump({"pages": pages, "cpu": cpu, "wall": wall, "memory": memory}, sys.stdout)


def _cpu() -> float:
    """Seconds of CPU this process has used, its dead children and its living ones."""
    dead = sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    return dead + sum(map(_cpu_of, _live_children()))


def _cpu_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _peak_memory(process: int) -> int:
    """The most memory a process has held, in kilobytes."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


def _live_children() -> list[int]:
    return [
        int(child)
        for task in Path("/proc/self/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
