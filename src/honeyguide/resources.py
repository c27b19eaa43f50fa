"""Disk and memory: whether there is enough of both to go on."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
MEGABYTE = 1_000_000


def free_disk(folder: Path) -> int:
    """Bytes free on the disk under a folder."""
    return shutil.disk_usage(folder).free


def free_memory(_: Path) -> int:
    """Bytes of memory the system can still give; where it does not say, as much as anyone could want."""
    try:
        for line in MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 1 << 62


class Room:
    """Looks at disk and memory now and then; says in a sentence what is short."""

    def __init__(
        self,
        folder: Path,
        *,
        min_disk_mb: int = 200,
        min_memory_mb: int = 200,
        every: float = 1.0,
        disk: Callable[[Path], int] = free_disk,
        memory: Callable[[Path], int] = free_memory,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._watched = (
            ("disk space", min_disk_mb * MEGABYTE, disk),
            ("memory", min_memory_mb * MEGABYTE, memory),
        )
        self._every = every
        self._clock = clock
        self._looked = float("-inf")
        self._sentence = ""

    def shortage(self) -> str:
        """What there is too little of, or nothing."""
        now = self._clock()
        if now - self._looked >= self._every:
            self._looked = now
            self._sentence = self._look()
        return self._sentence

    def _look(self) -> str:
        for what, least, free in self._watched:
            left = free(self._folder)
            if left < least:
                return (
                    f"Only {left // MEGABYTE} MB of {what} left ({least // MEGABYTE} MB wanted): "
                    "the crawl waits until there is more, or stop it and resume it later."
                )
        return ""
