"""Writing to the database of a crawl that may be running: by somebody other than the crawl, who waits for a moment."""

import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from honeyguide.errors import CrawlError
from honeyguide.store.folder import DATABASE, must_hold_crawl
from honeyguide.store.schema import connect

PATIENCE = 30.0
"""Seconds to wait for a crawl that is writing to let somebody else write."""

RETRY = 0.002
"""Seconds between two tries: a busy crawl leaves moments only, which SQLite's own waiting would sleep through."""


class PatientWriter:
    """A crawl's database, opened to add a row now and then beside the crawl itself."""

    def __init__(
        self,
        folder: Path,
        *,
        patience: float = PATIENCE,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        must_hold_crawl(folder)
        self._folder = folder
        self._patience = patience
        self._sleep = sleep
        self.connection = connect(folder / DATABASE)
        self.connection.execute("PRAGMA busy_timeout = 0")
        # Only the crawl moves the log into the database, after its archive is on disk.
        self.connection.execute("PRAGMA wal_autocheckpoint = 0")

    def write(self, statement: str, values: Sequence[object]) -> int:
        """Execute one statement as soon as the crawl lets it; returns the number of the row that it added."""
        for _ in range(max(1, round(self._patience / RETRY))):
            try:
                return self.connection.execute(statement, values).lastrowid or 0
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise
                self._sleep(RETRY)
        raise CrawlError(
            f"The crawl in {self._folder} has let nobody write for {self._patience:g} s; try again in a while."
        )

    def close(self) -> None:
        """Let go of the database."""
        self.connection.close()
