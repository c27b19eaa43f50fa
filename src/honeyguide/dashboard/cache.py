"""Where the application keeps what it has worked out of a crawl and can work out again: CRAWL/dashboard/.

Each crawl has its own folder in there, named after its first visit, so that a database that was replaced is never
taken for the old one. One process at a time may write there; any other, or one that may not write to the crawl at
all, keeps its things in a temporary folder.
"""

import fcntl
import hashlib
import re
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

FOLDER = "dashboard"
VERSION = 1
"""Of everything that is kept there; what another version wrote is thrown away."""

_is_ours = re.compile(r"[0-9a-f]{16}").fullmatch


def identity_of(connection: sqlite3.Connection) -> str:
    """A name that only this crawl has; empty while it has no visits."""
    first = connection.execute("SELECT id, url, at FROM visits ORDER BY id LIMIT 1").fetchone()
    return hashlib.sha256(repr((VERSION, *first)).encode()).hexdigest()[:16] if first else ""


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder to write to until it is closed; `kept` says whether it will be there next time."""

    folder: Path
    _held: "IO[bytes] | TemporaryDirectory[str]"

    @property
    def kept(self) -> bool:
        return not isinstance(self._held, TemporaryDirectory)

    def close(self) -> None:
        """Let go of it."""
        if isinstance(self._held, TemporaryDirectory):
            self._held.cleanup()
        else:
            self._held.close()


def open_cache(crawl: Path, identity: str) -> Cache:
    """The folder for what is worked out of a crawl."""
    folder = crawl / FOLDER / identity
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise
    except OSError:
        temporary = TemporaryDirectory(prefix="honeyguide-", ignore_cleanup_errors=True)
        return Cache(Path(temporary.name), temporary)
    for other in folder.parent.iterdir():
        if other != folder and _is_ours(other.name) and not other.is_symlink():
            shutil.rmtree(other, ignore_errors=True)
    return Cache(folder, lock)
