"""Pages read from the archive, kept for a while: what is judged or compared again and again is parsed once."""

import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

from honeyguide.errors import CrawlError
from honeyguide.model import Page
from honeyguide.store.collection import Collection

MOST_CHARACTERS = 48_000_000


class ReadPages:
    """The texts of pages that were read last, up to so many characters; their links are not kept."""

    def __init__(self, *, most: int = MOST_CHARACTERS) -> None:
        self._most = most
        self._pages: dict[tuple[Path, int], Page | None] = {}
        self._size = 0
        self._lock = threading.Lock()

    def of(self, collection: Collection, row: sqlite3.Row) -> Page | None:
        """The page of a row that has a visit and where it lies; None if it cannot be read."""
        key = (collection.folder, row["id"])
        with self._lock:
            if key in self._pages:
                page = self._pages[key] = self._pages.pop(key)
                return page
        try:
            page = collection.page_of(row)
        except OSError as error:
            raise CrawlError(f"The archive of {collection.folder} cannot be read: {error}.") from error
        if page is not None:
            page = replace(page, links=())
        with self._lock:
            if key not in self._pages:
                self._pages[key] = page
                self._size += _size(page)
            while self._size > self._most:
                self._size -= _size(self._pages.pop(next(iter(self._pages))))
        return page


def _size(page: Page | None) -> int:
    return 200 + (len(page.text) if page else 0)
