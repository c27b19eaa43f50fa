"""A synthetic web written down as a corpus: WARC files with labels beside them, as a recorded web is."""

import errno
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path
from typing import BinaryIO

from isal import igzip

from honeyguide.bench.synthetic.web import SyntheticWeb
from honeyguide.errors import ConfigError, ResourceError
from honeyguide.store.warc import payload_digest

__all__ = ["SyntheticWeb", "write_corpus"]

FILE_SIZE = 1_000_000_000
_DATE = "2000-01-01T00:00:00Z"
_LEVEL = 2
_TELL_EVERY = 500


def write_corpus(
    folder: Path, web: SyntheticWeb, *, on_progress: Callable[[int, int], None] | None = None
) -> int:
    """Write a web into a new folder and return its number of pages; `on_progress` is told done and total.

    The labels get their name when all is written: a folder without labels.tsv is not a corpus yet.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder} exists and is not empty; a synthetic web needs a new folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / "labels.tsv.part"
        _write_pages(folder, web, on_progress or (lambda done, total: None))
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            file.write("url\ttopic\n")
            file.writelines(f"{label.url}\t{label.label}\n" for label in web.labels())
        unfinished.rename(folder / "labels.tsv")
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ResourceError(
                f"The disk is full; remove {folder} and make the web elsewhere or smaller."
            ) from error
        raise ConfigError(f"{folder} cannot be written: {error.strerror}.") from error
    return web.pages


def _write_pages(folder: Path, web: SyntheticWeb, tell: Callable[[int, int], None]) -> None:
    file: BinaryIO | None = None
    files = 0
    try:
        for page in range(web.pages):
            if file is None or file.tell() >= FILE_SIZE:
                if file is not None:
                    file.close()
                files += 1
                file = (folder / f"pages-{files:05}.warc.gz").open("wb")
                file.write(_member(_info()))
            file.write(_member(_response(web.url(page), web.html(page).encode())))
            if (page + 1) % _TELL_EVERY == 0:
                tell(page + 1, web.pages)
        tell(web.pages, web.pages)
    finally:
        if file is not None:
            file.close()


def _info() -> bytes:
    return _record("warcinfo", "", "application/warc-fields", b"format: WARC File Format 1.1\r\n")


def _response(url: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    target = f"WARC-Target-URI: {url}\r\nWARC-Payload-Digest: {payload_digest(body)}\r\n"
    return _record("response", target, "application/http; msgtype=response", head.encode() + body)


def _record(kind: str, headers: str, content_type: str, block: bytes) -> bytes:
    """A WARC record whose identifier follows from what it says: the same web makes the same files."""
    identifier = sha1(headers.encode() + block, usedforsecurity=False).hexdigest()
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:sha1:{identifier}>\r\nWARC-Date: {_DATE}\r\n"
        f"{headers}Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def _member(record: bytes) -> bytes:
    compressed: bytes = igzip.compress(record, _LEVEL, mtime=0)
    return compressed
