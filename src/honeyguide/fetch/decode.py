"""Undo content codings without trusting them: bounded output, broken streams read as far as they go."""

from collections.abc import Callable
from typing import Protocol

from brotli import Decompressor as BrotliDecompressor
from brotli import error as BrotliError
from isal import isal_zlib

from honeyguide.errors import ErrorKind, FetchError

_DEEPEST = 3  # codings stacked on one body
_MEMBERS = 16  # gzip members read from one body; each costs a copy of what follows it
_STEP = 1 << 18  # output asked of brotli at once: its limit is soft and its blocks double
_GZIP_MAGIC = b"\x1f\x8b"
_ZLIB, _RAW, _GZIP = 15, -15, 31  # window sizes as zlib spells its three wrappings
_TEXT = bytes(byte for byte in range(256) if byte >= 32 or byte in b"\t\n\r\f\x1b")
_CORRUPT: tuple[type[Exception], ...] = (isal_zlib.error, BrotliError)  # type: ignore[assignment]


def decode(raw: bytes, encoding: str, limit: int) -> tuple[bytes, str]:
    """The body without its content codings, and why it is cut if it is.

    The reasons are those of WARC-Truncated: "length" (more than `limit` came out), "disconnect"
    (the stream ends early), "unspecified" (it breaks). A body that is plain whatever its header
    says is returned as it is; one of which nothing can be read raises FetchError.
    """
    codings = [coding for part in encoding.split(",") if (coding := part.strip().lower()) != ""]
    if len(codings) > _DEEPEST:
        raise FetchError(ErrorKind.ENCODING, f"{len(codings)} stacked codings")
    body, reason = raw, ""
    for coding in reversed(codings):
        if body and coding != "identity":
            body, why = _undo(body, coding, limit)
            reason = reason or why
    if len(body) > limit:
        return body[:limit], "length"
    return body, reason


class _Stream(Protocol):
    """A decompressor that is told how much it may give."""

    @property
    def done(self) -> bool: ...

    def feed(self, data: bytes, room: int) -> bytes: ...


class _Inflate:
    """gzip, zlib or raw deflate; gzip members that follow each other are one body."""

    def __init__(self, wrapping: int) -> None:
        self._wrapping = wrapping
        self._stream = isal_zlib.decompressobj(wrapping)

    @property
    def done(self) -> bool:
        return self._stream.eof

    def feed(self, data: bytes, room: int) -> bytes:
        out = self._stream.decompress(data, room)
        if not self._stream.unused_data:
            return out
        parts, left = [out], room - len(out)
        for _ in range(_MEMBERS):
            rest = self._stream.unused_data
            if self._wrapping != _GZIP or left <= 0 or not rest.startswith(_GZIP_MAGIC):
                break
            self._stream = isal_zlib.decompressobj(_GZIP)
            parts.append(self._stream.decompress(rest, left))
            left -= len(parts[-1])
        return b"".join(parts)


class _Unbrotli:
    """Brotli, whose smallest bombs hold a gigabyte in two kilobytes."""

    def __init__(self) -> None:
        self._stream = BrotliDecompressor()

    @property
    def done(self) -> bool:
        return bool(self._stream.is_finished())

    def feed(self, data: bytes, room: int) -> bytes:
        parts: list[bytes] = []
        while room > 0:
            part = self._stream.process(data, output_buffer_limit=min(room, _STEP))
            parts.append(part)
            room -= len(part)
            data = b""
            if not part or self._stream.is_finished():
                break
        return b"".join(parts)


def _undo(data: bytes, coding: str, limit: int) -> tuple[bytes, str]:
    """One coding undone: the first reading that ends well, else plain text, else the longest reading."""
    best, reason = b"", ""
    for open_stream in _readings(data, coding):
        out, why = _read(open_stream, data, limit)
        if why in ("", "length"):
            return out, why
        if len(out) > len(best):
            best, reason = out, why
    # Only now, since brotli makes something of many plain texts before it stumbles.
    if not data[:512].translate(None, _TEXT):
        return data, ""
    if not best:
        raise FetchError(ErrorKind.ENCODING, f"not readable as {coding[:40]}")
    return best, reason


def _readings(data: bytes, coding: str) -> tuple[Callable[[], _Stream], ...]:
    """The ways a coding's name may be meant, most likely first."""
    if coding in ("gzip", "x-gzip"):
        return (lambda: _Inflate(_GZIP),) if data.startswith(_GZIP_MAGIC) else ()
    if coding == "deflate":
        # The standard says zlib's wrapping; some servers send none.
        return (lambda: _Inflate(_ZLIB), lambda: _Inflate(_RAW))
    return (_Unbrotli,) if coding == "br" else ()


def _read(open_stream: Callable[[], _Stream], data: bytes, limit: int) -> tuple[bytes, str]:
    stream = open_stream()
    try:
        out = stream.feed(data, limit + 1)
    except _CORRUPT:
        return _salvage(open_stream(), data, limit)
    if len(out) > limit:
        return out[:limit], "length"
    return out, "" if stream.done else "disconnect"


def _salvage(stream: _Stream, data: bytes, limit: int) -> tuple[bytes, str]:
    """What a broken stream gives before it breaks; an error costs the output of its own step only."""
    step = max(16, len(data) // 4096)
    parts: list[bytes] = []
    room = limit + 1
    try:
        for start in range(0, len(data), step):
            parts.append(stream.feed(data[start : start + step], room))
            room -= len(parts[-1])
            if room <= 0:
                return b"".join(parts)[:limit], "length"
    except _CORRUPT:
        pass
    return b"".join(parts), "unspecified"
