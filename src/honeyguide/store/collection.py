"""A crawl opened for reading: its status, its pages as rows, and the answer to why."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from honeyguide.model import Page
from honeyguide.store.folder import DATABASE, must_hold_crawl
from honeyguide.store.log import ReadArchived, SqliteLog, archived_page
from honeyguide.store.schema import connect
from honeyguide.store.status import Status, read_status
from honeyguide.store.why import Answer, explain

PAGES = """
SELECT v.*, u.url AS address_url, u.depth, u.anchor, s.url AS source_url
FROM visits v JOIN urls u ON u.id = v.url LEFT JOIN urls s ON s.id = u.source
WHERE v.error IS NULL AND v.unchanged = 0 AND v.noindex = 0 AND v.relevant >= ?
AND v.id = (SELECT MAX(w.id) FROM visits w WHERE w.url = v.url AND w.error IS NULL AND w.unchanged = 0)
ORDER BY v.id
"""
COLUMNS = (
    "url",
    "final_url",
    "title",
    "relevant",
    "relevance",
    "label",
    "language",
    "fetched_at",
    "status",
    "content_type",
    "charset",
    "words",
    "depth",
    "found_on",
    "anchor",
    "queue_score",
    "duplicate_of",
    "warc",
    "warc_offset",
    "text",
)


class Collection:
    """Reads one crawl; may be open while the crawl runs."""

    def __init__(self, folder: Path, read: ReadArchived) -> None:
        must_hold_crawl(folder)
        self.folder = folder
        self._read = read
        self.connection = connect(folder / DATABASE, readonly=True)

    def __enter__(self) -> "Collection":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def status(self, *, top: int = 10) -> Status:
        return read_status(self.connection, self.folder, top=top)

    def why(self, url: str) -> Answer:
        return explain(self.connection, url)

    def log(self) -> SqliteLog:
        return SqliteLog(self.connection, self.folder, self._read)

    def visits(self, *, only_relevant: bool = False) -> Iterator[sqlite3.Row]:
        """The newest good visit of every page that may be kept, in the order of the crawl."""
        cursor = self.connection.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(PAGES, (int(only_relevant),))

    def rows(self, *, only_relevant: bool = False, text: bool = True) -> Iterator[dict[str, Any]]:
        """One plain dictionary per page."""
        for row in self.visits(only_relevant=only_relevant):
            yield {
                "url": row["address_url"],
                "final_url": row["final"],
                "title": row["title"],
                "relevant": bool(row["relevant"]),
                "relevance": row["relevance"],
                "label": row["label"],
                "language": row["language"],
                "fetched_at": datetime.fromtimestamp(row["at"], UTC).isoformat(timespec="seconds"),
                "status": row["status"],
                "content_type": row["content_type"],
                "charset": row["charset"],
                "words": row["words"],
                "depth": row["depth"],
                "found_on": row["source_url"] or "",
                "anchor": row["anchor"],
                "queue_score": row["queue_score"],
                "duplicate_of": row["duplicate_of"],
                "warc": row["warc"],
                "warc_offset": row["warc_offset"],
            } | ({"text": self.text_of(row)} if text else {})

    def text_of(self, row: sqlite3.Row) -> str:
        """The main text of one of `visits`, read from the archive; empty if it was not kept or cannot be read."""
        page = self.page_of(row)
        return page.text if page else ""

    def page_of(self, row: sqlite3.Row) -> Page | None:
        """The page of one of `visits`, read from the archive; None if it was not kept or cannot be read."""
        return archived_page(self.folder, row, self._read)
