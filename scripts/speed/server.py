"""Serves the synthetic web from its own process, as cheaply as Python can.

A page is written the first time it is asked for and kept; half of the pages are sent gzipped to those
who accept it. Run as `python -m speed.server`; prints the port it listens on.
"""

import asyncio
import sys
import zlib
from socket import socket
from typing import cast

import uvloop

from speed.web import ADDRESSES, HOSTS, Web

PORT = 8080

_GZIP = b"\r\nContent-Encoding: gzip"
_HEAD = (
    b"HTTP/1.1 %s\r\nServer: nginx\r\nDate: Sat, 14 Nov 2026 10:00:00 GMT\r\nContent-Type: %s\r\n"
    b"Content-Length: %d%s\r\nLast-Modified: Fri, 13 Nov 2026 08:12:31 GMT\r\nCache-Control: max-age=600\r\n"
    b"Vary: Accept-Encoding\r\nX-Content-Type-Options: nosniff\r\nConnection: keep-alive\r\n\r\n"
)


class Answers:
    """Ready answers, made at the first request."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._kept: dict[tuple[str, str], bytes] = {}

    def to(self, host: str, path: str, gzipped: bool) -> bytes:
        """The answer to a request, head and body."""
        answer = self._kept.get((host, path))
        if answer is None:
            answer = self._kept[host, path] = self._make(host, path, gzipped)
        return answer

    def _make(self, host: str, path: str, gzipped: bool) -> bytes:
        if path == "/robots.txt":
            return _answer(b"200 OK", b"text/plain", self._web.robots(host))
        body = self._web.page(host, path)
        if body is None:
            return _answer(b"404 Not Found", b"text/html", b"<title>Not found</title><p>Not found.")
        # Decided by the address alone, so that both crawlers get the same.
        if gzipped and zlib.crc32(f"{host}{path}".encode()) % 2:
            return _answer(b"200 OK", b"text/html; charset=utf-8", _gzip(body), _GZIP)
        return _answer(b"200 OK", b"text/html; charset=utf-8", body)


def _answer(status: bytes, kind: bytes, body: bytes, encoding: bytes = b"") -> bytes:
    return _HEAD % (status, kind, len(body), encoding) + body


def _gzip(body: bytes) -> bytes:
    squeeze = zlib.compressobj(6, zlib.DEFLATED, 31)
    return squeeze.compress(body) + squeeze.flush()


class Conversation(asyncio.Protocol):
    """One kept-alive connection."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            head, self._received = self._received[:end].decode("latin-1"), self._received[end + 4 :]
            first, *lines = head.split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            host = headers.get("host", "").partition(":")[0]
            gzipped = "gzip" in headers.get("accept-encoding", "")
            self._transport.write(self._answers.to(host, first.split(" ")[1], gzipped))


def free_port() -> int:
    """A port that is free at the first host's address; the same at every run if it can be had."""
    with socket() as probe:
        try:
            probe.bind((ADDRESSES[HOSTS[0]], PORT))
        except OSError:
            probe.bind((ADDRESSES[HOSTS[0]], 0))
        port: int = probe.getsockname()[1]
        return port


async def serve() -> None:
    """Listen at every host's address on one port, until standard input is closed."""
    loop = asyncio.get_running_loop()
    port = free_port()
    answers = Answers(Web(port))
    answers.to(HOSTS[0], "/", False)

    def converse() -> Conversation:
        return Conversation(answers)

    await loop.create_server(converse, list(ADDRESSES.values()), port, backlog=1024)
    print(port, flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    uvloop.run(serve())
