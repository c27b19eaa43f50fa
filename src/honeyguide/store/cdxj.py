"""The index other tools use to find a page in the archive: one sorted .cdxj beside each WARC file."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from honeyguide.urls import host_of

_without_www = re.compile(r"^www\d*\.").sub
RECORDS = WarcRecordType.response | WarcRecordType.revisit


def write_indexes(folder: Path) -> None:
    """Index every archive file that has grown since its index was written."""
    for warc in sorted(folder.glob("pages-*.warc.gz")):
        index = warc.with_name(warc.name.removesuffix(".warc.gz") + ".cdxj")
        if index.exists() and index.stat().st_mtime_ns >= warc.stat().st_mtime_ns:
            continue
        index.write_text("".join(sorted(lines(warc))), encoding="utf-8")


def lines(warc: Path) -> Iterator[str]:
    """One CDXJ line per archived answer."""
    size = warc.stat().st_size
    pending: tuple[int, str, dict[str, str]] | None = None
    with warc.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.any_type):
            if pending:
                yield _line(*pending, end=record.stream_pos)
            pending = None
            if record.record_type & RECORDS:
                url = record.headers["WARC-Target-URI"]
                stamp = "".join(filter(str.isdigit, record.headers["WARC-Date"]))[:14]
                pending = (
                    record.stream_pos,
                    f"{surt(url)} {stamp}",
                    {
                        "url": url,
                        "mime": _mime(record),
                        "status": str(record.http_headers.status_code if record.http_headers else ""),
                        "digest": (record.headers.get("WARC-Payload-Digest") or "").removeprefix("sha1:"),
                        "filename": warc.name,
                    },
                )
        if pending:
            yield _line(*pending, end=size)


def surt(url: str) -> str:
    """The key that archive readers look a URL up by: http://www.example.org/A/ -> org,example)/a."""
    host = host_of(url)
    rest = url.split("://", 1)[1]
    path, mark, query = (rest[rest.find("/") :] if "/" in rest else "/").partition("?")
    path = (path.removesuffix("/") or "/") + mark + query
    port = rest.split("/", 1)[0][len(host) :]
    labels = _without_www("", host).split(".")
    numeric = labels[-1].isdigit() or host.startswith("[")
    name = host if numeric else ",".join(reversed(labels))
    return f"{name}{port}){path}".lower()


def _mime(record: WarcRecord) -> str:
    if record.record_type == WarcRecordType.revisit:
        return "warc/revisit"
    return (record.http_content_type or "unk").strip()


def _line(offset: int, key: str, fields: dict[str, str], end: int) -> str:
    return f"{key} {json.dumps(fields | {'length': str(end - offset), 'offset': str(offset)})}\n"
