"""Sitemaps, read as they arrive: XML or plain lists, compressed or not.

Tags are looked for, not parsed: half of the sitemaps on the web are not well-formed, and what has no
document type cannot be made to expand entities.
"""

import codecs
import html
import re
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice

LIMIT = 50_000
"""The most addresses that the protocol allows in one sitemap."""
MAX_BYTES = 52_428_800
"""The largest sitemap that the protocol allows, uncompressed."""

_STEP = 65_536
_LONGEST = 8_192

_root = re.compile(r"<(?:[\w.-]{1,40}:)?(urlset|sitemapindex)\b").search
_addresses = re.compile(
    r"<(?:(?!image:|video:|news:)[\w.-]{1,40}:)?loc(?:\s[^<>]{0,200})?>\s*([^<]{0,4096}|<!\[CDATA\[[^<]{0,4096}\]\]>\s*)</"
).finditer


def read_sitemap(
    chunks: Iterable[bytes], *, limit: int = LIMIT, max_bytes: int = MAX_BYTES
) -> Iterator[tuple[str, bool]]:
    """The addresses in a sitemap, each with whether it is that of another sitemap."""
    return islice(_read(_texts(_inflate(chunks), max_bytes)), limit)


def _read(texts: Iterator[str]) -> Iterator[tuple[str, bool]]:
    start = ""
    for text in texts:
        start = (start + text).lstrip("\ufeff \t\r\n")
        if start:
            break
    if start.startswith("<"):
        yield from _read_xml(start, texts)
    else:
        yield from _read_lines(start, texts)


def _read_xml(buffer: str, texts: Iterator[str]) -> Iterator[tuple[str, bool]]:
    root = None
    while True:
        root = root or _root(buffer)
        done = 0
        for match in _addresses(buffer):
            done = match.end()
            address = html.unescape(match[1].removeprefix("<![CDATA[").rstrip().removesuffix("]]>")).strip()
            if address:
                yield address, root is not None and root[1] == "sitemapindex"
        more = next(texts, None)
        if more is None:
            return
        buffer = buffer[max(done, len(buffer) - _LONGEST) :] + more


def _read_lines(buffer: str, texts: Iterator[str]) -> Iterator[tuple[str, bool]]:
    while True:
        *lines, rest = buffer.split("\n")
        more = next(texts, None)
        if more is None:
            lines.append(rest)
        for line in lines:
            address = line.strip()
            if address.startswith(("http://", "https://")):
                yield address, False
        if more is None:
            return
        buffer = rest[-_LONGEST:] + more


def _texts(chunks: Iterable[bytes], max_bytes: int) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for chunk in chunks:
        yield decoder.decode(chunk[:max_bytes])
        max_bytes -= len(chunk)
        if max_bytes <= 0:
            return


def _inflate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Undo gzip if it is gzip, in steps that stay small; damaged data ends where the damage is."""
    inflater = None
    started = False
    for chunk in chunks:
        data = chunk
        if not started and data:
            started = True
            if data.startswith(b"\x1f"):
                inflater = zlib.decompressobj(31)
        if inflater is None:
            yield data
            continue
        try:
            while data:
                yield inflater.decompress(data, _STEP)
                data = inflater.unconsumed_tail
                if inflater.eof:
                    data = inflater.unused_data
                    inflater = zlib.decompressobj(31)
        except zlib.error:
            return
