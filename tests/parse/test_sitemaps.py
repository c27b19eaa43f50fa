import gzip
import time
from collections.abc import Iterator

import pytest

from honeyguide.parse.sitemaps import read_sitemap

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def entry(n: int) -> str:
    return f"<url><loc>http://bees.test/{n}</loc><lastmod>2026-01-01</lastmod></url>\n"


def sitemap(count: int) -> bytes:
    return (HEAD + "".join(map(entry, range(count))) + "</urlset>").encode()


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[n : n + size] for n in range(0, len(data), size))


@pytest.mark.parametrize("size", [1, 7, 50, 100_000])
def test_addresses_are_found_however_the_bytes_arrive(size: int) -> None:
    found = list(read_sitemap(pieces(sitemap(40), size)))
    assert found == [(f"http://bees.test/{n}", False) for n in range(40)]


def test_an_index_names_other_sitemaps() -> None:
    index = b"<sitemapindex xmlns='x'><sitemap><loc> http://bees.test/a.xml\n</loc></sitemap></sitemapindex>"
    assert list(read_sitemap([index])) == [("http://bees.test/a.xml", True)]


@pytest.mark.parametrize("size", [3, 1000])
def test_compressed_sitemaps_are_read(size: int) -> None:
    data = gzip.compress(sitemap(20)[:500]) + gzip.compress(sitemap(20)[500:])
    assert len(list(read_sitemap(pieces(data, size)))) == 20


def test_a_damaged_archive_gives_what_it_has() -> None:
    data = gzip.compress(sitemap(5000), mtime=0)
    found = list(read_sitemap([data[: len(data) // 2] + b"\xff" * 500]))
    assert 0 < len(found) < 5000


def test_a_list_of_lines_is_a_sitemap() -> None:
    text = "\ufeffhttp://bees.test/a\r\nnot an address\n\nhttps://bees.test/b".encode()
    for size in (1, 1000):
        assert list(read_sitemap(pieces(text, size))) == [
            ("http://bees.test/a", False),
            ("https://bees.test/b", False),
        ]


def test_escapes_and_cdata_are_undone() -> None:
    data = (
        HEAD
        + "<url><loc>http://bees.test/?a=1&amp;b=2</loc></url><url><loc><![CDATA[http://bees.test/?c&d]]></loc>"
    )
    assert [url for url, _ in read_sitemap([data.encode()])] == [
        "http://bees.test/?a=1&b=2",
        "http://bees.test/?c&d",
    ]


def test_prefixes_are_allowed_but_images_are_not_pages() -> None:
    data = b"<s:urlset><s:url><s:loc>http://bees.test/a</s:loc><image:loc>http://bees.test/i.png</image:loc></s:url>"
    assert list(read_sitemap([data])) == [("http://bees.test/a", False)]


def test_a_sitemap_that_is_not_well_formed_is_read_all_the_same() -> None:
    data = (
        HEAD.encode()
        + b"<url><loc>http://bees.test/a?x=1&y=2</loc></url><broken <url><loc>http://bees.test/b</loc>"
    )
    assert [url for url, _ in read_sitemap([data])] == ["http://bees.test/a?x=1&y=2", "http://bees.test/b"]


def test_a_web_page_in_place_of_a_sitemap_gives_nothing() -> None:
    assert list(read_sitemap([b"<!doctype html><html><a href=http://bees.test/a>a</a>"])) == []
    assert list(read_sitemap([])) == []
    assert list(read_sitemap([b"", b"  "])) == []


def test_the_number_of_addresses_is_capped() -> None:
    assert len(list(read_sitemap([sitemap(100)], limit=10))) == 10


def test_no_more_is_asked_for_than_is_needed() -> None:
    def endless() -> Iterator[bytes]:
        yield HEAD.encode()
        for n in range(10_000_000):
            yield entry(n).encode()

    assert len(list(read_sitemap(endless(), limit=100))) == 100


def test_entities_are_not_expanded() -> None:
    doctype = b'<!DOCTYPE x [<!ENTITY a "http://evil.test/"><!ENTITY b "&a;&a;">]>'
    data = doctype + b"<urlset><url><loc>&b;x</loc></url></urlset>"
    assert list(read_sitemap([data])) == [("&b;x", False)]


def test_a_small_archive_of_a_vast_sitemap_is_cut_off() -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * 30_000_000)
    start = time.process_time()
    assert list(read_sitemap([bomb], max_bytes=1_000_000)) == []
    assert time.process_time() - start < 2


def test_endless_tags_do_not_pile_up() -> None:
    start = time.process_time()
    hostile = (b"<loc>" * 20_000 for _ in range(20))
    assert list(read_sitemap(hostile)) == []
    assert list(read_sitemap([b"<urlset>", b"<loc>" + b"a" * 3_000_000])) == []
    assert time.process_time() - start < 5
