"""A crawl's folder: what lies where in it, and who may write to it.

crawl.db            the database (see schema.py)
pages-*.warc.gz     the archive, with a pages-*.cdxj index beside each file
topic/              the topic, every revision of it (see topics/folder.py)
config.toml         the settings, as resolved
crawl.log           what happened, rotated
resume.log          what a run printed that was started in the browser
writer.lock         held by the one process that writes
search/             the full-text index, which can be rebuilt, and saved searches (see search/upkeep.py)
dashboard/          what the web application worked out, which can be rebuilt (see dashboard/columns.py)
"""

import fcntl
from pathlib import Path
from typing import IO

from honeyguide.errors import CrawlError

DATABASE = "crawl.db"
CONFIG = "config.toml"
LOG = "crawl.log"
LOCK = "writer.lock"
SEARCH = "search"


def create_folder(folder: Path) -> None:
    """Make an empty crawl folder; never touches one that holds something."""
    must_be_free(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrawlError(
            f"{folder} cannot be made ({error.strerror}); choose another one with --out."
        ) from error


def must_be_free(folder: Path) -> None:
    """Raise if a folder holds something, so that no crawl can be made there."""
    if (folder / DATABASE).exists():
        raise CrawlError(
            f"{folder} already holds a crawl; continue it with: honeyguide resume {folder}, "
            "or choose another folder with --out."
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CrawlError(f"{folder} exists and is not an empty folder; choose another one with --out.")


def must_hold_crawl(folder: Path) -> None:
    """Raise unless the folder holds a crawl."""
    if not (folder / DATABASE).is_file():
        raise CrawlError(f"{folder} holds no crawl (there is no {DATABASE} in it).")


class WriterLock:
    """Held while a process writes to a crawl; the system lets go of it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[str] | None = None

    def acquire(self) -> None:
        file = (self._folder / LOCK).open("a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            raise CrawlError(
                f"Another process is writing to {self._folder}; wait for it to end or stop it first."
            ) from error
        self._file = file

    def release(self) -> None:
        if self._file:
            self._file.close()
            self._file = None


def is_being_written(folder: Path) -> bool:
    """Whether some process holds the crawl for writing at this moment."""
    try:
        with (folder / LOCK).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
