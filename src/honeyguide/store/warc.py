"""The archive: bodies as fetched, in WARC/1.1, one gzip member per record.

A record is written before the visit that names it is committed, and a file is cut back to the last
committed record when a crawl is resumed, so archive and database never disagree.
"""

import base64
import errno
import hashlib
import os
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from isal import igzip, igzip_lib

from honeyguide.errors import CrawlError
from honeyguide.model import Hop, Response
from honeyguide.version import __version__

MEMBER_LEVEL = 1
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
REFRAMED = frozenset({"transfer-encoding", "connection", "keep-alive"})


_DAMAGED: tuple[type[Exception], ...] = (igzip_lib.IsalError, EOFError, ValueError, IndexError)  # type: ignore[assignment]


class Place(NamedTuple):
    """Where in the archive a record lies."""

    file: str
    offset: int
    length: int


class Archive:
    """Appends records to pages-NNNNN.warc.gz, a new file whenever one is full."""

    def __init__(self, folder: Path, *, file_size: int = 1_000_000_000) -> None:
        self.folder = folder
        self.file_size = file_size
        self._file: FileIO | None = None
        self._name = ""
        self._offset = 0

    def resume(self, committed: tuple[str, int] | None) -> None:
        """Cut the archive back to the end of the last committed record."""
        name, end = committed or ("", 0)
        for path in sorted(self.folder.glob("pages-*.warc.gz")):
            if path.name > name:
                path.unlink()
        if not name:
            return
        path = self.folder / name
        size = path.stat().st_size if path.exists() else 0
        if size < end:
            raise CrawlError(
                f"{path} is shorter ({size} bytes) than the database says ({end}); restore it from a copy."
            )
        os.truncate(path, end)
        self._open(name)

    def write(self, response: Response) -> Place:
        """Append what a server answered, redirects first, and hand it to the operating system."""
        self._start_file_if_needed()
        for hop in response.hops:
            self._append(_hop_record(hop, response))
        return self._append(_response_record(response))

    def sync(self) -> None:
        """Make what was written survive a power cut."""
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        if self._file is not None:
            self.sync()
            self._file.close()
            self._file = None

    def _start_file_if_needed(self) -> None:
        if self._file is not None and self._offset < self.file_size:
            return
        number = int(self._name[6:11]) + 1 if self._name else 1
        self.close()
        self._open(f"pages-{number:05}.warc.gz")
        if self._offset == 0:
            self._write(info_member(self._name))

    def _open(self, name: str) -> None:
        self._name = name
        self._file = (self.folder / name).open("ab", buffering=0)
        self._offset = self._file.tell()

    def _append(self, record: bytes) -> Place:
        return self._write(_member(record))

    def _write(self, member: bytes) -> Place:
        assert self._file is not None
        if self._file.write(member) != len(member):
            self._file.truncate(self._offset)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        place = Place(self._name, self._offset, len(member))
        self._offset += len(member)
        return place


def read_member(folder: Path, place: Place) -> bytes:
    """The bytes of one record as they lie in the archive, still compressed."""
    with (folder / place.file).open("rb") as file:
        file.seek(place.offset)
        return file.read(place.length)


def read_record(folder: Path, place: Place) -> tuple[dict[str, str], int, list[tuple[str, str]], bytes]:
    """One archived response: its WARC headers, HTTP status, HTTP headers and body as fetched."""
    try:
        data = igzip.decompress(read_member(folder, place))
        warc_head, _, block = data.partition(b"\r\n\r\n")
        warc_headers = dict(_header_lines(warc_head.split(b"\r\n")[1:]))
        http_head, _, body = block.partition(b"\r\n\r\n")
        lines = http_head.split(b"\r\n")
        status = int(lines[0].split()[1])
    except _DAMAGED as error:
        raise OSError(f"the record at byte {place.offset} of {place.file} is damaged") from error
    return warc_headers, status, list(_header_lines(lines[1:])), body[:-4]


def _header_lines(lines: list[bytes]) -> Iterator[tuple[str, str]]:
    for line in lines:
        name, _, value = line.decode("latin-1").partition(":")
        yield name.strip(), value.strip()


def _record(kind: str, headers: list[tuple[str, str]], block: bytes, at: float) -> bytes:
    stamp = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    head = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid4()}>",
        f"WARC-Date: {stamp}",
        *(f"{name}: {value}" for name, value in headers),
        f"Content-Length: {len(block)}",
        "\r\n",
    ]
    return "\r\n".join(head).encode() + block + b"\r\n\r\n"


def _member(record: bytes) -> bytes:
    compressed: bytes = igzip.compress(record, MEMBER_LEVEL, mtime=0)
    return compressed


def info_member(name: str) -> bytes:
    """The record that opens every file, compressed."""
    fields = f"software: honeyguide/{__version__}\r\nformat: WARC File Format 1.1\r\n".encode()
    headers = [("WARC-Filename", name), ("Content-Type", "application/warc-fields")]
    return _member(_record("warcinfo", headers, fields, datetime.now(UTC).timestamp()))


def _response_record(response: Response) -> bytes:
    unchanged = response.status == 304
    headers = [
        ("WARC-Target-URI", response.url),
        ("Content-Type", "application/http; msgtype=response"),
        ("WARC-Payload-Digest", payload_digest(response.raw)),
    ]
    if response.address:
        headers.append(("WARC-IP-Address", response.address))
    if response.truncated:
        headers.append(("WARC-Truncated", response.truncated))
    if unchanged:
        headers.append(("WARC-Profile", NOT_MODIFIED))
    block = _http_head(response.status, response.headers, len(response.raw)) + response.raw
    return _record("revisit" if unchanged else "response", headers, block, response.fetched_at)


def _hop_record(hop: Hop, response: Response) -> bytes:
    headers = [("WARC-Target-URI", hop.url), ("Content-Type", "application/http; msgtype=response")]
    return _record("response", headers, _http_head(hop.status, hop.headers, 0), response.fetched_at)


def _http_head(status: int, headers: tuple[tuple[str, str], ...], length: int) -> bytes:
    """The HTTP head of an archived answer, with framing that fits the bytes stored after it."""
    lines = [f"HTTP/1.1 {status} {_reason(status)}"]
    for name, value in headers:
        lower = name.lower()
        if lower in REFRAMED or (lower == "content-length" and value != str(length)):
            name = f"X-Archive-Orig-{name}"
        lines.append(f"{name}: {value}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _reason(status: int) -> str:
    return {200: "OK", 301: "Moved Permanently", 302: "Found", 304: "Not Modified"}.get(status, "Status")


def payload_digest(payload: bytes) -> str:
    """The digest of a body in the form WARC and CDXJ use."""
    return "sha1:" + base64.b32encode(hashlib.sha1(payload, usedforsecurity=False).digest()).decode()
