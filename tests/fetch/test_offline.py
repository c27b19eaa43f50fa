"""Recorded webs replayed: archives of every make, redirects, misses, damage."""

import asyncio
import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_archive import block, record, redirect, write

from honeyguide.errors import ConfigError, ErrorKind, FetchError, Refusal
from honeyguide.fetch.archives import Recorded, address_of
from honeyguide.fetch.offline import OfflineFetcher, OfflineWeb
from honeyguide.model import Hop, Response
from honeyguide.store.warc import Archive

A, B, C, D = (f"http://a.test/{name}" for name in "abcd")


def opened(
    folder: Path, *records: bytes, name: str = "some.warc.gz", in_memory: bool | None = None
) -> OfflineWeb:
    return OfflineWeb.open([write(folder / name, records)], in_memory=in_memory)


def fetch(web: OfflineWeb, url: str, **options: object) -> Response:
    return asyncio.run(OfflineFetcher(web, **options).fetch(url))  # type: ignore[arg-type]


def failure(web: OfflineWeb, url: str, **options: object) -> FetchError:
    with pytest.raises(FetchError) as caught:
        fetch(web, url, **options)
    assert not caught.value.transient
    return caught.value


@pytest.mark.parametrize("name", ["x.warc", "x.warc.gz", "x.warc.zst"])
@pytest.mark.parametrize("in_memory", [True, False])
def test_archives_of_every_packing_are_read(tmp_path: Path, name: str, in_memory: bool) -> None:
    bodies = {url: f"<p>{url}".encode() * 50 for url in (A, B, C)}
    web = opened(
        tmp_path, *(record(url, body) for url, body in bodies.items()), name=name, in_memory=in_memory
    )
    assert list(web.urls()) == [A, B, C]
    for url in (C, A, B):
        response = fetch(web, url)
        assert (response.url, response.status, response.body) == (url, 200, bodies[url])
        assert response.header("content-type") == "text/html"
        assert response.fetched_at == 981173106.0


def test_an_archive_compressed_as_a_whole_is_read_into_memory_or_refused_in_words(tmp_path: Path) -> None:
    records = [record(url, url.encode()) for url in (A, B, C)]
    assert fetch(opened(tmp_path, *records, name="whole.warc.gz"), B).body == B.encode()
    with pytest.raises(ConfigError, match="not compressed record by record"):
        opened(tmp_path, *records, name="whole.warc.gz", in_memory=False)


def test_several_archives_are_one_web_and_the_first_answer_stands(tmp_path: Path) -> None:
    first = write(tmp_path / "1.warc.gz", [record(A, b"old"), record(B, b"b")])
    second = write(tmp_path / "2.warc", [record(A, b"new"), record(C, b"c")])
    web = OfflineWeb.open([first, second], in_memory=False)
    assert [fetch(web, url).body for url in (A, B, C)] == [b"old", b"b", b"c"]
    assert len(web) == 3


def test_records_of_other_kinds_are_passed_over(tmp_path: Path) -> None:
    web = opened(
        tmp_path,
        block("warcinfo", "", "application/warc-fields", b"software: x\r\n"),
        block("request", A, "application/http; msgtype=request", b"GET /a HTTP/1.1\r\n\r\n"),
        block("response", A, "application/http; msgtype=response", b"this is not HTTP"),
        record(A, b"page"),
        block("metadata", A, "application/warc-fields", b"via: y\r\n"),
        record(B, b"resource", kind="resource"),
    )
    assert fetch(web, A).body == b"page"
    assert (fetch(web, B).body, fetch(web, B).header("content-type")) == (b"resource", "text/html")


def test_odd_http_heads_are_understood(tmp_path: Path) -> None:
    headers = ["Content-Type: text/html;", " charset=utf-8", "X-Empty:", "nonsense"]
    web = opened(
        tmp_path, record(A, b"\n\nbody", headers=headers, newline="\n"), record(f"<{B}>", b"", status="200")
    )
    response = fetch(web, A)
    assert response.body == b"\n\nbody"
    assert response.header("content-type") == "text/html; charset=utf-8"
    assert fetch(web, B).status == 200


@pytest.mark.parametrize(
    ("stored", "body"),
    [
        (b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n", b"hello world"),
        (b"5\r\nhello\r\n6\r\n wor", b"hello wor"),
        (b"plain after all", b"plain after all"),
        (b"", b""),
    ],
)
def test_chunks_are_put_together_where_there_are_any(tmp_path: Path, stored: bytes, body: bytes) -> None:
    web = opened(tmp_path, record(A, stored, headers=["Transfer-Encoding: chunked"]))
    assert fetch(web, A).body == body


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_no_block_of_an_answer_brings_the_reader_down(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
    for bytes_of_it in (data, head + data, head + b"\r\n" + data):
        path = tmp_path_factory.mktemp("odd") / "x.warc"
        broken = block("response", A, "application/http; msgtype=response", bytes_of_it)
        web = OfflineWeb.open([write(path, [broken, record(B, b"b")])])
        assert fetch(web, B).body == b"b"


def test_content_codings_are_undone_and_the_raw_body_is_kept(tmp_path: Path) -> None:
    raw = gzip.compress(b"<p>page")
    web = opened(tmp_path, record(A, raw, headers=["Content-Encoding: gzip"]))
    assert (fetch(web, A).body, fetch(web, A).raw) == (b"<p>page", raw)


def test_without_bodies_the_archive_is_not_read_again(tmp_path: Path) -> None:
    web = opened(tmp_path, record(A, b"page"), redirect(B, A), in_memory=False)
    (tmp_path / "some.warc.gz").unlink()
    assert fetch(web, B, bodies=False) == Response(A, 200, hops=(Hop(B, 301, A),))


def test_redirects_are_followed_and_told(tmp_path: Path) -> None:
    web = opened(tmp_path, redirect(A, "/b"), redirect(B, "c#part"), record(C, b"page"))
    response = fetch(web, A)
    assert (response.url, response.body) == (C, b"page")
    assert response.hops == (Hop(A, 301, B), Hop(B, 301, C))
    assert (web.final(A), web.final(C), web.final(D)) == (C, C, "")


def test_redirects_that_lead_nowhere_end(tmp_path: Path) -> None:
    web = opened(tmp_path, redirect(A, B), redirect(B, A), redirect(C, "http://elsewhere.test/"), record(D))
    assert failure(web, A).kind is ErrorKind.REDIRECTS
    assert (web.final(A), web.final(C)) == ("", "")
    missed = failure(web, C)
    assert missed.kind is ErrorKind.MISS
    assert "http://elsewhere.test/" in missed.detail


def test_a_long_chain_of_redirects_is_cut(tmp_path: Path) -> None:
    chain = [redirect(f"{A}{n}", f"{A}{n + 1}") for n in range(12)]
    web = opened(tmp_path, *chain, record(f"{A}12"))
    assert failure(web, f"{A}0").kind is ErrorKind.REDIRECTS
    assert len(fetch(web, f"{A}2").hops) == 10


def test_a_redirect_between_spellings_of_one_address_gives_way_to_its_page(tmp_path: Path) -> None:
    spellings = redirect("http://A.test:80/%7ea", "http://a.test/~a"), record("http://a.test/~a", b"page")
    web = opened(tmp_path, *spellings)
    assert fetch(web, "http://a.test/~a").body == b"page"
    assert dict(web.recorded) == {"redirects": 1, "pages": 1}
    alone = opened(tmp_path, redirect(A, A), record(B))
    assert failure(alone, A).status == 301


def test_an_error_gives_way_to_a_page_recorded_later(tmp_path: Path) -> None:
    web = opened(
        tmp_path, record(A, b"busy", status="503 Busy"), record(A, b"page"), record(B, status="404 No")
    )
    assert fetch(web, A).body == b"page"
    error = failure(web, B)
    assert (error.kind, error.status, error.detail) == (ErrorKind.STATUS, 404, "404 Not Found")


def test_what_is_not_recorded_is_a_miss(tmp_path: Path) -> None:
    web = opened(tmp_path, record(A))
    assert failure(web, B).kind is ErrorKind.MISS
    assert (web.status(B), web.record(B)) == (0, None)


def test_pages_outside_the_part_asked_for_are_misses_whatever_redirects_there(tmp_path: Path) -> None:
    web = opened(tmp_path, record(A, b"in"), record(B, b"out"), redirect(C, A), redirect(D, B))
    assert fetch(web, A, within={A}).body == b"in"
    assert fetch(web, C, within={A}).url == A
    assert failure(web, B, within={A}).kind is ErrorKind.MISS
    assert failure(web, D, within={A}).kind is ErrorKind.MISS


def test_a_hop_may_be_refused(tmp_path: Path) -> None:
    web = opened(tmp_path, redirect(A, B), record(B))

    def refuse(source: str, target: str) -> None:
        raise Refusal(ErrorKind.KNOWN, f"{source} {target}")

    with pytest.raises(Refusal) as caught:
        fetch(web, A, check_hop=refuse)
    assert caught.value.detail == f"{A} {B}"
    assert fetch(web, B, check_hop=refuse).url == B


def test_addresses_of_other_schemes_are_answered_as_recorded(tmp_path: Path) -> None:
    ftp, file, gopher = "ftp://Ftp.test/pub/%7Ex", "file://host.test/dir", "gopher://g.test/1"
    web = opened(tmp_path, record(ftp, b"ftp"), record(file, b"file"), record(gopher, b"gopher"))
    assert list(web.urls()) == ["ftp://ftp.test/pub/~x", file, gopher]
    assert fetch(web, address_of(ftp)).body == b"ftp"


def test_our_own_archive_is_replayed(tmp_path: Path) -> None:
    raw = gzip.compress(b"<p>page")
    archive = Archive(tmp_path)
    headers = (("Content-Encoding", "gzip"), ("Content-Type", "text/html"), ("Transfer-Encoding", "chunked"))
    hop = Hop(B, 302, A, (("Location", A), ("Transfer-Encoding", "chunked")))
    archive.write(Response(A, 200, headers, b"<p>page", raw, truncated="length", fetched_at=5.0, hops=(hop,)))
    archive.close()
    response = fetch(OfflineWeb.open([tmp_path / "pages-00001.warc.gz"]), B)
    assert (response.url, response.body, response.raw) == (A, b"<p>page", raw)
    assert (response.truncated, response.fetched_at, response.hops) == ("length", 5.0, (Hop(B, 302, A),))


def test_files_that_are_no_archives_are_said_to_be_none(tmp_path: Path) -> None:
    good = b"".join(gzip.compress(record(url, url.encode() * 100)) for url in (A, B, C))
    damaged = {
        "text": b"hello world\n" * 100,
        "packed text": gzip.compress(b"hello world\n" * 100),
        "overwritten": good[:300] + bytes(40) + good[340:],
        "cut": good[:-40],
        "cut plain": record(A, b"x" * 1000)[:-200],
    }
    for name, data in damaged.items():
        path = tmp_path / f"{name}.warc.gz"
        path.write_bytes(data)
        for in_memory in (True, False):
            with pytest.raises(ConfigError, match=rf"{name}.warc.gz is damaged[^\n]*\.$"):
                OfflineWeb.open([path], in_memory=in_memory)


def test_archives_that_hold_nothing_and_files_that_are_not_there_are_errors_in_words(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no page"):
        opened(tmp_path, name="empty.warc")
    with pytest.raises(ConfigError, match="no page"):
        opened(tmp_path, record(A, status="404 Not Found"))
    with pytest.raises(ConfigError, match="cannot be read"):
        OfflineWeb.open([tmp_path / "missing.warc.gz"])


def test_an_archive_that_changes_while_it_is_open_is_noticed(tmp_path: Path) -> None:
    web = opened(tmp_path, record(A), record(B), in_memory=False)
    write(tmp_path / "some.warc.gz", [])
    with pytest.raises(ConfigError, match="changed"):
        web.record(B)


def test_a_location_in_bare_utf_8_is_understood() -> None:
    location = "/é".encode().decode("latin-1")
    assert Recorded(A, 301, (("Location", location),)).target == "http://a.test/%C3%A9"
    assert Recorded(A, 301, (("Location", "mailto:x@y.test"),)).target == ""
    assert Recorded(A, 200, (("Location", B),)).target == ""
