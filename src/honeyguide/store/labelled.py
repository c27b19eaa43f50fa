"""The labels of a crawl as the crawl itself sees them between visits, and the pages they are about."""

import logging
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from honeyguide.model import Example, Page
from honeyguide.store.labels import Decision, decisions, read_labels
from honeyguide.store.log import ReadArchived, archived_page
from honeyguide.store.pages import at_visits


class LabelledPages:
    """Tells when there are new labels, and reads labelled pages from the archive, each of them once.

    Rows belong to the thread of the crawl; pages and examples may be read from rows in any one thread.
    """

    def __init__(
        self, connection: sqlite3.Connection, folder: Path, read: ReadArchived, *, log: logging.Logger
    ) -> None:
        self.connection = connection
        self._folder = folder
        self._read = read
        self._log = log
        self._examples: dict[int, Example] = {}
        self._version = self._data_version()

    def changed(self) -> bool:
        """Whether anybody else has written to the crawl since this was asked last."""
        before, self._version = self._version, self._data_version()
        return before != self._version

    def decisions(self) -> dict[str, Decision]:
        """What people make of the pages they have labelled."""
        return decisions(read_labels(self.connection))

    def rows(self, decided: Mapping[str, Decision]) -> list[sqlite3.Row]:
        """The visits at which the labelled pages were seen."""
        return at_visits(self.connection, (decision.visit for decision in decided.values()))

    def example(self, row: sqlite3.Row) -> Example:
        """The page of a row as an example; without text if it cannot be read."""
        if row["id"] not in self._examples:
            page = self._page(row)
            if page is None:
                return Example("", "", row["address_url"])
            self._examples[row["id"]] = Example(page.text, page.title, row["address_url"])
        return self._examples[row["id"]]

    def pages(self, rows: Iterable[sqlite3.Row]) -> list[Page]:
        """The pages of rows, under the addresses that they were asked for; those that can be read."""
        read = ((row["address_url"], self._page(row)) for row in rows)
        return [replace(page, url=url) for url, page in read if page]

    def _page(self, row: sqlite3.Row) -> Page | None:
        try:
            return archived_page(self._folder, row, self._read)
        except OSError:
            self._log.warning("%s cannot be read from the archive", row["address_url"])
            return None

    def _data_version(self) -> int:
        """Changes whenever another connection has written to the database, and costs next to nothing."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])
