"""Web archives (WARC), whoever made them: their answers in a row, or one by its place in the file.

Records are taken as they lie there: an HTTP head with any line ends, a body still in chunks or not.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecordType

from honeyguide.errors import ConfigError
from honeyguide.urls import canonical

SCHEMES = ("http", "https", "ftp", "file")
"""The schemes of addresses that archives hold."""

ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LONGEST_HEAD = 1 << 18
_PAGES = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.revisit
_SAME_BODY = "identical-payload-digest"
_end_of_head = re.compile(rb"\r?\n\r?\n").search
_status_of = re.compile(rb"HTTP/[\d.]+\s+(\d{3})\b").match
_size_of_chunk = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\n]{0,1024})?\r?\n").match


class Recorded(NamedTuple):
    """An answer as it was archived; the body has its content codings, not its chunks.

    `same_as` names the address that was answered with the same body, where that was not archived twice.
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    raw: bytes = b""
    truncated: str = ""
    at: float = 0.0
    same_as: str = ""

    @property
    def target(self) -> str:
        """Where a redirect leads, "" when it is none or leads to no address."""
        location = self.header("location") if self.status in _REDIRECTS else ""
        return canonical(_as_browsers_read(location), self.url, SCHEMES) or "" if location else ""

    def header(self, name: str) -> str:
        """The first value of a header; `name` in lower case."""
        return next((value for key, value in self.headers if key.lower() == name), "")


def address_of(url: str) -> str:
    """What an address is known by: its one spelling, or its own where there is no such thing."""
    return canonical(url, None, SCHEMES) or url


def is_archive(path: Path) -> bool:
    """Whether a path is that of a web archive, by its name."""
    return path.name.endswith(ENDINGS) and path.is_file()


def find_archives(folder: Path) -> list[Path]:
    """The WARC files of a folder, in the order of their names."""
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise ConfigError(f"There is no folder {folder}.")
    archives = sorted(filter(is_archive, folder.iterdir()))
    if not archives:
        raise ConfigError(
            f"{folder} holds no web archive: there is no file in it that ends in .warc or .warc.gz."
        )
    return archives


def read_answers(path: Path) -> Iterator[tuple[int, Recorded]]:
    """Every answer in a file, with its place; raises ConfigError where the file is no archive or damaged."""
    with _open(path) as file:
        yield from _answers(file, path)


def read_answer(path: Path, place: int) -> Recorded:
    """The answer at a place that `read_answers` gave."""
    with _open(path) as file:
        file.seek(place)
        for _, answer in _answers(file, path):
            return answer
    raise ConfigError(f"{path} has changed since it was opened; open it again.")


def _open(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error


def _answers(file: IO[bytes], path: Path) -> Iterator[tuple[int, Recorded]]:
    try:
        for record in ArchiveIterator(file, record_types=_PAGES, parse_http=False):
            length, block = record.content_length, record.reader.read()
            if len(block) < length:
                raise ConfigError(f"{path} is damaged: it ends in the middle of a record.")
            answer = _answer(record, block)
            if answer is not None:
                yield record.stream_pos, answer
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} is damaged or no web archive (WARC): {error}.") from error


def _answer(record: Any, block: bytes) -> Recorded | None:
    """What a record holds; None when it is no answer that makes sense."""
    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
    truncated = record.headers.get("WARC-Truncated") or ""
    at = record.record_date.timestamp() if record.record_date else 0.0
    if not url:
        return None
    same_as = ""
    if record.record_type == WarcRecordType.revisit:
        if not (record.headers.get("WARC-Profile") or "").rstrip("/ ").endswith(_SAME_BODY):
            return None  # not modified: the answer before it is the page
        same_as = (record.headers.get("WARC-Refers-To-Target-URI") or url).strip("<> ")
    elif not record.is_http:
        content_type = record.headers.get("Content-Type") or ""
        return Recorded(url, 200, (("Content-Type", content_type),), block, truncated, at)
    status = _status_of(block)
    if status is None:
        return None
    end = _end_of_head(block, 0, _LONGEST_HEAD)
    head, body = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    headers = tuple(_headers(head))
    if any(key.lower() == "transfer-encoding" and "chunked" in value.lower() for key, value in headers):
        body = _without_chunks(body)
    return Recorded(url, int(status[1]), headers, b"" if same_as else body, truncated, at, same_as)


def _headers(head: bytes) -> Iterator[tuple[str, str]]:
    name, value = "", ""
    for line in head.decode("latin-1").split("\n")[1:]:
        if line[:1] in (" ", "\t"):
            value = f"{value} {line.strip()}"
            continue
        if name:
            yield name, value
        name, _, value = (part.strip() for part in line.partition(":"))
    if name:
        yield name, value


def _without_chunks(body: bytes) -> bytes:
    """A chunked body put together; some tools do so themselves and leave the header that says it is chunked."""
    parts: list[bytes] = []
    at = 0
    while size := _size_of_chunk(body, at):
        length = int(size[1], 16)
        if length == 0:
            return b"".join(parts)
        parts.append(body[size.end() : size.end() + length])
        at = size.end() + length
        at += 2 if body[at : at + 2] == b"\r\n" else 1
    return b"".join(parts) or body


def _as_browsers_read(location: str) -> str:
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location
