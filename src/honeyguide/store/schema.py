"""The crawl's database: its tables, its version, and how older versions become this one.

One SQLite file holds everything a crawl knows except the bodies of pages:

    urls      every URL ever seen, with its place in the queue or the reason it is not there
    hosts     every host, and what became of the requests to it
    visits    one row per turn of the loop: fetched, failed, unchanged or duplicate
    links     which visit saw a link to which URL (by the hash that `urls` carries too)
    states    what strategy, judge, traps and politeness had learned, and after which visit
    runs      when the crawl ran and how each run ended
    labels    what people say of pages
    requests  what people ask of the crawl, and its answers
    lessons   what labels and new revisions of the topic have changed, as the crawl found

Others write labels and requests while the crawl runs, and nothing else.

`urls` has no index on purpose: it is only ever appended to and read by id, which stays as fast at ten
million rows as at ten. The frontier keeps the order of the queue and the hashes in memory and reads
them once when it opens. `first_score` and `first_parts` are filled when the score first changes;
until then they are `score` and `parts`. `streak` counts the failures of a host in a row.
"""

import sqlite3
from pathlib import Path

from honeyguide.errors import CrawlError
from honeyguide.model import UrlState as UrlState

VERSION = 3

TABLES = """
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,
    visits INTEGER NOT NULL DEFAULT 0,
    relevant INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    streak INTEGER NOT NULL DEFAULT 0,
    parked TEXT NOT NULL DEFAULT ''
);

CREATE TABLE urls (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL,
    url TEXT NOT NULL,
    host INTEGER NOT NULL REFERENCES hosts(id),
    state TEXT NOT NULL,
    score REAL NOT NULL,
    depth INTEGER NOT NULL,
    source INTEGER REFERENCES urls(id),
    anchor TEXT NOT NULL DEFAULT '',
    context TEXT NOT NULL DEFAULT '',
    place TEXT NOT NULL DEFAULT '',
    path TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL DEFAULT '',
    nofollow INTEGER NOT NULL DEFAULT 0,
    memo TEXT,
    parts TEXT,
    first_score REAL,
    first_parts TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT ''
);

CREATE TABLE visits (
    id INTEGER PRIMARY KEY,
    url INTEGER NOT NULL REFERENCES urls(id),
    at REAL NOT NULL,
    status INTEGER NOT NULL,
    error TEXT,
    detail TEXT NOT NULL DEFAULT '',
    final TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT '',
    content_type TEXT NOT NULL DEFAULT '',
    charset TEXT NOT NULL DEFAULT '',
    length INTEGER NOT NULL DEFAULT 0,
    wire INTEGER NOT NULL DEFAULT 0,
    words INTEGER NOT NULL DEFAULT 0,
    truncated TEXT NOT NULL DEFAULT '',
    noindex INTEGER NOT NULL DEFAULT 0,
    relevance REAL,
    margin REAL,
    relevant INTEGER NOT NULL DEFAULT 0,
    label TEXT NOT NULL DEFAULT '',
    reasons TEXT,
    judge TEXT NOT NULL DEFAULT '',
    queue_score REAL NOT NULL,
    queue_parts TEXT,
    fingerprint INTEGER NOT NULL DEFAULT 0,
    sketch INTEGER NOT NULL DEFAULT 0,
    duplicate_of TEXT NOT NULL DEFAULT '',
    unchanged INTEGER NOT NULL DEFAULT 0,
    etag TEXT NOT NULL DEFAULT '',
    last_modified TEXT NOT NULL DEFAULT '',
    address TEXT NOT NULL DEFAULT '',
    elapsed REAL NOT NULL DEFAULT 0,
    warc TEXT NOT NULL DEFAULT '',
    warc_offset INTEGER NOT NULL DEFAULT 0,
    warc_length INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX visits_url ON visits (url);

CREATE TABLE links (
    visit INTEGER NOT NULL REFERENCES visits(id),
    target INTEGER NOT NULL,
    anchor TEXT NOT NULL,
    place TEXT NOT NULL,
    context TEXT NOT NULL DEFAULT ''
);

CREATE TABLE states (
    role TEXT NOT NULL,
    visit INTEGER NOT NULL,
    state BLOB NOT NULL,
    PRIMARY KEY (role, visit)
) WITHOUT ROWID;

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started REAL NOT NULL,
    ended REAL,
    outcome TEXT NOT NULL DEFAULT 'running'
);
"""
"""The tables as they were at version 1, from where a new database goes the way of every old one."""

MIGRATIONS = {
    1: """
CREATE TABLE labels (
    id INTEGER PRIMARY KEY,
    url INTEGER NOT NULL REFERENCES urls(id),
    visit INTEGER NOT NULL REFERENCES visits(id),
    relevant INTEGER,
    annotator TEXT NOT NULL,
    at REAL NOT NULL
);
""",
    2: """
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    arguments TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    answered REAL,
    answer TEXT NOT NULL DEFAULT '',
    refused INTEGER NOT NULL DEFAULT 0,
    figures TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE lessons (
    id INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL,
    at REAL NOT NULL,
    labels_on INTEGER NOT NULL,
    labels_off INTEGER NOT NULL,
    harvest_before REAL,
    harvest_after REAL,
    moved INTEGER NOT NULL
);
""",
}
"""How a database of version n becomes one of version n + 1."""


def connect(path: Path, *, readonly: bool = False) -> sqlite3.Connection:
    """Open a crawl's database, set it up for crash-safe writing, and bring its schema up to date."""
    mode = "ro" if readonly else "rwc"
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None
        )
        connection.execute("PRAGMA busy_timeout = 5000")
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        if not readonly:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA cache_size = -65536")
            connection.execute("PRAGMA wal_autocheckpoint = 8000")
            connection.execute("PRAGMA temp_store = MEMORY")
            _migrate(connection, version, path)
        elif version > VERSION:
            raise _too_new(path, version)
        elif version == 0:
            raise sqlite3.DatabaseError("it has no tables")
        else:
            connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from error
    return connection


def damaged(path: Path, error: sqlite3.DatabaseError) -> CrawlError:
    """What is wrong with a database, and what to do."""
    return CrawlError(
        f"{path} is damaged or not a crawl's database ({error}); restore it from a copy or start a new crawl."
    )


def _migrate(connection: sqlite3.Connection, version: int, path: Path) -> None:
    if version > VERSION:
        raise _too_new(path, version)
    if version == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Somebody else may have done it in the meantime.
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        later = [MIGRATIONS[step] for step in range(max(1, version), VERSION)]
        for script in later if version else (TABLES, *later):
            for statement in script.split(";"):
                if statement.strip():
                    connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _too_new(path: Path, version: int) -> CrawlError:
    return CrawlError(
        f"{path} was written by a newer Honeyguide (schema {version}, this one knows {VERSION}); upgrade to open it."
    )
