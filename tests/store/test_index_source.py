"""A crawl as an index reads it."""

from pathlib import Path

from honeyguide.model import Page, Response
from honeyguide.store.collection import Collection
from honeyguide.store.folder import DATABASE
from honeyguide.store.index_source import IndexSource
from honeyguide.store.schema import connect
from honeyguide.urls import url_hash

A, B, C, D = (f"https://{name}.example/" for name in "abcd")
MOVED = "https://moved.example/"


def read(response: Response) -> Page:
    raise AssertionError("nothing is archived here")


def crawl_in(folder: Path) -> Collection:
    """a links to b, to where b was redirected to, to c, which failed, and to d, which waits."""
    with connect(folder / DATABASE) as database:
        database.execute("INSERT INTO hosts (id, name, domain) VALUES (1, 'x', 'x')")
        for number, url in enumerate((A, B, C, D, MOVED), 1):
            database.execute(
                "INSERT INTO urls (id, hash, url, host, state, score, depth) VALUES (?, ?, ?, 1, 'visited', 0, 0)",
                (number, url_hash(url), url),
            )
        for number, (url, final, error) in enumerate(((1, A, None), (2, MOVED, None), (3, "", "dns")), 1):
            database.execute(
                "INSERT INTO visits (id, url, at, status, error, final, queue_score, noindex) "
                "VALUES (?, ?, 0, 200, ?, ?, 0, 1)",
                (number, url, error, final),
            )
        for visit, target, anchor in (
            (1, B, "to b"),
            (1, MOVED, "to where b is"),
            (1, C, "to c"),
            (1, D, "to d"),
            (2, A, "back"),
        ):
            database.execute(
                "INSERT INTO links VALUES (?, ?, ?, 'body', '')", (visit, url_hash(target), anchor)
            )
    database.close()
    return Collection(folder, read)


def test_links_lead_to_pages_that_were_fetched_under_whatever_address(tmp_path: Path) -> None:
    with crawl_in(tmp_path) as collection:
        source = IndexSource(collection)
        a, b = url_hash(A), url_hash(B)
        assert source.last() == 3
        assert list(source.links(3)) == [(a, b, "to b"), (a, b, "to where b is"), (b, a, "back")]
        assert list(source.links(1)) == []
        assert [visit.number for visit in source.after(1)] == [2, 3]
