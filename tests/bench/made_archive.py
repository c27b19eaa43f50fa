"""Archives as different tools write them, for tests that read them."""

import gzip
import io
from collections.abc import Sequence
from pathlib import Path

from fastwarc import ZstdWriter


def record(
    url: str,
    body: bytes = b"<title>A page</title><p>Words.",
    *,
    status: str = "200 OK",
    headers: Sequence[str] = ("Content-Type: text/html",),
    kind: str = "response",
    newline: str = "\r\n",
) -> bytes:
    """A record of an answer; of the kind `resource`, the body alone."""
    head = newline.join([f"HTTP/1.1 {status}", *headers, "", ""]).encode("latin-1")
    content_type = "application/http; msgtype=response" if kind == "response" else "text/html"
    return block(kind, url, content_type, head + body if kind == "response" else body)


def redirect(url: str, location: str) -> bytes:
    return record(url, b"", status="301 Moved", headers=[f"Location: {location}"])


def revisit(url: str, profile: str, refers_to: str = "", *, status: str = "200 OK") -> bytes:
    """A record that says a page is as it was, or as another one is."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n".encode()
    more = [f"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/{profile}"]
    more += [f"WARC-Refers-To-Target-URI: {refers_to}"] if refers_to else []
    return block("revisit", url, "application/http; msgtype=response", head, more)


def block(kind: str, url: str, content_type: str, data: bytes, more: Sequence[str] = ()) -> bytes:
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {url}",
        "WARC-Date: 2001-02-03T04:05:06Z",
        "WARC-Record-ID: <urn:uuid:6b9a2b3c-0000-4000-8000-000000000000>",
        *more,
        f"Content-Type: {content_type}",
        f"Content-Length: {len(data)}",
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + data + b"\r\n\r\n"


def write(path: Path, records: Sequence[bytes]) -> Path:
    """Write records as the file's name says; `whole.warc.gz` is compressed in one piece."""
    if path.name.startswith("whole"):
        path.write_bytes(gzip.compress(b"".join(records)))
    elif path.name.endswith(".gz"):
        path.write_bytes(b"".join(map(gzip.compress, records)))
    elif path.name.endswith(".zst"):
        path.write_bytes(b"".join(map(_zstd, records)))
    else:
        path.write_bytes(b"".join(records))
    return path


def _zstd(data: bytes) -> bytes:
    packed = io.BytesIO()
    writer = ZstdWriter(packed)
    writer.write(data)
    writer.close()
    return packed.getvalue()
