"""The archive is read back by tools that others made."""

import io
import random
import resource
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from isal import igzip
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from honeyguide.errors import CrawlError
from honeyguide.model import Hop, Response
from honeyguide.store.cdxj import surt, write_indexes
from honeyguide.store.warc import Archive, read_record

BODY = b"<html><title>x</title>" + b"body " * 100


def answer(url: str = "http://example.org/a", **changes: object) -> Response:
    fields: dict[str, object] = {
        "url": url,
        "status": 200,
        "headers": (("Content-Type", "text/html"), ("Transfer-Encoding", "chunked"), ("X-Odd", "caf\xe9")),
        "body": BODY,
        "raw": BODY,
        "address": "192.0.2.1",
        "fetched_at": 1_700_000_000.0,
    }
    return Response(**(fields | changes))  # type: ignore[arg-type]


def test_warcio_and_fastwarc_read_what_was_written(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    hop = Hop("http://example.org/old", 301, "http://example.org/a", (("Location", "/a"),))
    archive.write(answer(hops=(hop,)))
    archive.write(answer("http://example.org/b", truncated="length"))
    archive.close()
    file = tmp_path / "pages-00001.warc.gz"

    with file.open("rb") as stream:
        records = [
            (
                record.rec_type,
                record.rec_headers.get_header("WARC-Target-URI"),
                record.http_headers.get_statuscode() if record.http_headers else None,
                record.content_stream().read(),
            )
            for record in WarcioIterator(stream, check_digests="raise")
        ]
    assert [kind for kind, *_ in records] == ["warcinfo", "response", "response", "response"]
    assert records[1][1:] == ("http://example.org/old", "301", b"")
    assert records[2][1:] == ("http://example.org/a", "200", BODY)

    with file.open("rb") as stream:
        seen = [(record.headers["WARC-Type"], record.reader.read()) for record in FastIterator(stream)]
    assert seen[2] == ("response", BODY)


def test_compressed_bodies_stay_as_they_came(tmp_path: Path) -> None:
    raw = igzip.compress(BODY)
    archive = Archive(tmp_path)
    place = archive.write(
        answer(raw=raw, headers=(("Content-Encoding", "gzip"), ("Content-Length", str(len(raw)))))
    )
    _, status, headers, stored = read_record(tmp_path, place)
    assert (status, stored) == (200, raw)
    assert dict(headers)["Content-Length"] == str(len(raw))
    with (tmp_path / place.file).open("rb") as stream:
        bodies = [record.content_stream().read() for record in WarcioIterator(stream)]
    assert bodies[-1] == BODY


def test_an_unchanged_page_is_a_revisit_record(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.write(answer(status=304, raw=b"", body=b""))
    archive.close()
    with (tmp_path / "pages-00001.warc.gz").open("rb") as stream:
        assert [record.rec_type for record in WarcioIterator(stream)] == ["warcinfo", "revisit"]


def test_resuming_cuts_off_what_was_not_committed(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    kept = archive.write(answer())
    archive.write(answer("http://example.org/lost"))
    archive.close()
    with (tmp_path / kept.file).open("ab") as file:
        file.write(b"half a rec")

    again = Archive(tmp_path)
    again.resume((kept.file, kept.offset + kept.length))
    again.write(answer("http://example.org/next"))
    again.close()
    with (tmp_path / kept.file).open("rb") as stream:
        urls = [record.rec_headers.get_header("WARC-Target-URI") for record in WarcioIterator(stream)]
    assert urls == [None, "http://example.org/a", "http://example.org/next"]


def test_an_archive_shorter_than_the_database_says_is_an_error_in_words(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    place = archive.write(answer())
    archive.close()
    with pytest.raises(CrawlError, match="shorter"):
        Archive(tmp_path).resume((place.file, place.offset + place.length + 1))


def test_a_record_that_finds_no_room_leaves_no_half_of_itself(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    archive.resume(None)
    place = archive.write(answer())
    end = place.offset + place.length
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (end + 100, usual[1]))
    try:
        with pytest.raises(OSError, match="No space left"):
            archive.write(answer("http://example.org/b", raw=random.Random(7).randbytes(5000)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert (tmp_path / place.file).stat().st_size == end
    again = archive.write(answer("http://example.org/c"))
    archive.close()
    assert again.offset == end
    write_indexes(tmp_path)
    with (tmp_path / place.file).open("rb") as stream:
        assert sum(record.rec_type == "response" for record in WarcioIterator(stream)) == 2


def test_a_full_file_is_followed_by_another(tmp_path: Path) -> None:
    archive = Archive(tmp_path, file_size=500)
    places = [archive.write(answer(f"http://example.org/{n}")) for n in range(3)]
    archive.close()
    assert [place.file for place in places] == [f"pages-0000{n}.warc.gz" for n in (1, 2, 3)]


def test_the_index_points_at_each_record(tmp_path: Path) -> None:
    import json

    archive = Archive(tmp_path)
    for name in ("b", "a"):
        archive.write(answer(f"http://www.example.org/{name}"))
    archive.close()
    write_indexes(tmp_path)
    lines = (tmp_path / "pages-00001.cdxj").read_text().splitlines()
    assert [line.split()[0] for line in lines] == ["org,example)/a", "org,example)/b"]
    data = (tmp_path / "pages-00001.warc.gz").read_bytes()
    for line in lines:
        fields = json.loads(line.split(" ", 2)[2])
        start, length = int(fields["offset"]), int(fields["length"])
        (record,) = WarcioIterator(io.BytesIO(data[start : start + length]))
        assert record.rec_headers.get_header("WARC-Target-URI") == fields["url"]


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.example.org/A?b=C", "org,example)/a?b=c"),
        ("https://sub.example.co.uk:8080/", "uk,co,example,sub:8080)/"),
        ("http://127.0.0.1/x", "127.0.0.1)/x"),
        ("http://www2.example.org/a/", "org,example)/a"),
        ("http://example.org/a/?b=1", "org,example)/a?b=1"),
    ],
)
def test_urls_sort_by_reversed_host(url: str, key: str) -> None:
    assert surt(url) == key
