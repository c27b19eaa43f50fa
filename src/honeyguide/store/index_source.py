"""A crawl as whoever keeps an index of it reads it: its visits in order, and the links between its pages."""

import sqlite3
from collections.abc import Iterator

from honeyguide.model import Visit
from honeyguide.store.collection import Collection
from honeyguide.urls import url_hash

LINKS = """
SELECT s.hash, p.page, l.anchor
FROM links l CROSS JOIN temp.page_addresses p ON p.address = l.target
    CROSS JOIN visits v ON v.id = l.visit CROSS JOIN urls s ON s.id = v.url
WHERE l.visit <= ? ORDER BY l.rowid
"""


class IndexSource:
    """Reads a collection for an index."""

    def __init__(self, collection: Collection) -> None:
        self._connection = collection.connection
        self._log = collection.log()

    def last(self) -> int:
        """The number of the last visit."""
        return int(self._connection.execute("SELECT COALESCE(MAX(id), 0) FROM visits").fetchone()[0])

    def after(self, number: int) -> Iterator[Visit]:
        """The visits that came after a given one, in order, with their pages read from the archive."""
        return self._log.after(number)

    def links(self, until: int) -> Iterator[tuple[int, int, str]]:
        """The links between visited pages that were seen up to a visit, in order: two URLs' hashes, and the anchor.

        A link to where a page was redirected to is a link to that page.
        """
        self._note_addresses(until)
        yield from self._connection.execute(LINKS, (until,))

    def _note_addresses(self, until: int) -> None:
        """`links` has no index on targets, so it is read once, beside a small table of those that matter."""
        self._connection.execute("DROP TABLE IF EXISTS temp.page_addresses")
        self._connection.execute(
            "CREATE TEMP TABLE page_addresses (address INTEGER PRIMARY KEY, page INTEGER NOT NULL)"
        )
        pages: sqlite3.Cursor = self._connection.execute(
            "SELECT DISTINCT u.hash, u.url, v.final FROM visits v JOIN urls u ON u.id = v.url "
            "WHERE v.id <= ? AND v.error IS NULL AND v.unchanged = 0",
            (until,),
        )
        found = [(tuple(row)) for row in pages]
        insert = "INSERT OR IGNORE INTO temp.page_addresses VALUES (?, ?)"
        self._connection.executemany(insert, ((page, page) for page, _, _ in found))
        self._connection.executemany(
            insert, ((url_hash(final), page) for page, url, final in found if final and final != url)
        )
