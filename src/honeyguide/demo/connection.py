"""One client's connection: requests in, answers out, with all the delays and drips they ask for."""

import asyncio
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import NamedTuple, Protocol

from honeyguide.demo.resource import Answer
from honeyguide.demo.sites import DEAD

_MOST_HEAD = 64 * 1024
_BAD_REQUEST = Answer(400, ())
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


class Request(NamedTuple):
    """The head of a request; header names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    closes: bool


class Prepared(NamedTuple):
    """An answer and its head as bytes."""

    answer: Answer
    head: bytes


class Desk(Protocol):
    """Whoever knows the answers."""

    def now(self) -> float: ...

    def host_of(self, named: str, address: str) -> str: ...

    def prepare(self, host: str, address: str, request: Request) -> Prepared: ...

    def record(self, began: float, host: str, address: str, target: str, status: int) -> None: ...


class Connection(asyncio.Protocol):
    """One client: requests are answered one after another, each when the one before is done."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._buffer = b""
        self._step: asyncio.TimerHandle | None = None
        self._unfinished: tuple[float, str, str, str, int] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]
        self._address = str(transport.get_extra_info("sockname")[0])

    def connection_lost(self, exc: Exception | None) -> None:
        if self._step is not None:
            self._step.cancel()
        if self._unfinished is not None:
            self._desk.record(*self._unfinished[:-1], status=0)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._take_next()

    def _take_next(self) -> None:
        head, end, rest = self._buffer.partition(b"\r\n\r\n")
        if self._transport.is_closing() or self._unfinished is not None:
            return
        if not end:
            if len(head) > _MOST_HEAD:
                self._transport.close()
            return
        self._buffer = rest
        began = self._desk.now()
        request = _parse(head)
        if request is None:
            self._transport.write(prepared(_BAD_REQUEST).head)
            self._transport.close()
            return
        host = self._desk.host_of(request.headers.get("host", ""), self._address)
        if host in DEAD:
            self._transport.abort()
            return
        ready = self._desk.prepare(host, self._address, request)
        self._unfinished = began, host, self._address, request.target, ready.answer.status
        if ready.answer.delay:
            self._later(ready.answer.delay, lambda: self._send(ready, request))
        else:
            self._send(ready, request)

    def _send(self, ready: Prepared, request: Request) -> None:
        answer = ready.answer
        body = b"" if request.method == "HEAD" else answer.body
        closes = request.closes or answer.cut or request.method not in ("GET", "HEAD")
        if answer.cut:
            body = body[: len(body) // 2]
        if answer.pieces > 1 and body:
            self._transport.write(ready.head)
            self._drip(body, -(-len(body) // answer.pieces), answer.pause, closes)
        else:
            self._finish(ready.head + body, closes)

    def _drip(self, body: bytes, size: int, pause: float, closes: bool) -> None:
        if len(body) > size:
            self._transport.write(body[:size])
            self._later(pause, lambda: self._drip(body[size:], size, pause, closes))
        else:
            self._finish(body, closes)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self._step = asyncio.get_running_loop().call_later(seconds, act)

    def _finish(self, last: bytes, closes: bool) -> None:
        # Written down first: whoever has the whole answer finds it in the log.
        if self._unfinished is not None:
            self._desk.record(*self._unfinished)
            self._unfinished = None
        self._transport.write(last)
        if closes:
            self._transport.close()
        elif self._buffer:
            asyncio.get_running_loop().call_soon(self._take_next)


def _parse(head: bytes) -> Request | None:
    first, *lines = head.decode("latin-1").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3 or not parts[1].startswith("/") or not parts[2].startswith("HTTP/1."):
        return None
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    wishes = headers.get("connection", "").lower()
    closes = wishes == "close" or (parts[2] == "HTTP/1.0" and wishes != "keep-alive")
    return Request(parts[0], parts[1], headers, closes)


def prepared(answer: Answer) -> Prepared:
    """An answer with its head written out."""
    lines = [f"HTTP/1.1 {answer.status} {_PHRASES.get(answer.status, '')}"]
    lines += [f"{name}: {value}" for name, value in answer.headers]
    if answer.status != HTTPStatus.NOT_MODIFIED:
        lines.append(f"Content-Length: {len(answer.body)}")
    return Prepared(answer, ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
