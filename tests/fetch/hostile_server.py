"""Servers on the loopback that behave as badly as the web does: HTTP, HTTP/2 over TLS, DNS, proxies."""

import asyncio
import contextlib
import socket
import ssl
import struct
import subprocess
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self


@dataclass
class Exchange:
    """One request as the server sees it, and the means to answer it."""

    target: str
    headers: dict[str, str]
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def until_client_leaves(self) -> None:
        await self.reader.read()
        self.gone.set()

    def reset(self) -> None:
        """Close with a TCP reset instead of a farewell."""
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.close()


Answer = bytes | Callable[[Exchange], Awaitable[None]]


def answer(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """A well-formed answer; header names are written with underscores."""
    named = {"content_type": "text/html", "content_length": str(len(body)), **headers}
    lines = "".join(f"{name.replace('_', '-').title()}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode("latin-1") + body


class LoopbackServer:
    """A server on a free port that can say what became of its connections."""

    def __init__(self, *, address: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> None:
        self.address = address
        self.port = 0
        self.connections = 0
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._on_connection, self.address, 0, ssl=self._tls, limit=1 << 20, backlog=512
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _on_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            await self.serve(reader, writer)
        except (OSError, EOFError, asyncio.CancelledError):
            pass  # the client went away, or the test is over
        finally:
            self._tasks.discard(task)
            with contextlib.suppress(OSError, RuntimeError):
                writer.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise AssertionError("a kind of server says how it serves")


class HostileServer(LoopbackServer):
    """HTTP/1.1 by hand: a path leads to bytes, sent as they are, or to a function that does its worst."""

    def __init__(
        self,
        routes: Mapping[str, Answer],
        *,
        address: str = "127.0.0.1",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(address=address, tls=tls)
        self.routes = dict(routes)
        self.seen: list[Exchange] = []
        self.asked = asyncio.Event()

    def url(self, path: str, host: str = "site.test", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            request_line, *lines = head.rstrip("\r\n").split("\r\n")
            headers = {
                name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
            }
            exchange = Exchange(request_line.split(" ")[1], headers, reader, writer)
            self.seen.append(exchange)
            self.asked.set()
            act = self.routes.get(exchange.target, answer(b"nothing here", "404 Not Found"))
            if isinstance(act, bytes):
                await exchange.send(act)
            else:
                await act(exchange)
                return


class Http2Server(LoopbackServer):
    """As little HTTP/2 as one page takes; frames and HPACK written by hand."""

    def __init__(self, body: bytes, *, tls: ssl.SSLContext) -> None:
        tls.set_alpn_protocols(["h2"])
        super().__init__(tls=tls)
        self._body = body

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
        writer.write(_frame(4, 0, 0, b""))
        while True:
            head = await reader.readexactly(9)
            kind, flags, stream = head[3], head[4], int.from_bytes(head[5:9])
            await reader.readexactly(int.from_bytes(head[:3]))
            if kind == 4 and not flags & 1:
                writer.write(_frame(4, 1, 0, b""))
            if kind == 1:
                # :status 200 from the static table; content-type (31) as a literal
                fields = b"\x88" + b"\x0f\x10" + bytes([len(b"text/html")]) + b"text/html"
                writer.write(_frame(1, 4, stream, fields))
                writer.write(_frame(0, 1, stream, self._body))


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


class ProxyServer(LoopbackServer):
    """A proxy: answers plain requests itself, opens tunnels to `behind` whatever is asked for."""

    def __init__(self, *, behind: int = 0) -> None:
        super().__init__()
        self.requests: list[str] = []
        self._behind = behind

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.requests.append(head.split("\r\n")[0])
        if not head.startswith("CONNECT"):
            writer.write(answer(b"through the proxy"))
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._behind)
        writer.write(b"HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
        await asyncio.gather(_pipe(reader, far_writer), _pipe(far_reader, writer))


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()


NXDOMAIN, SERVFAIL = 3, 2


class NameServer(asyncio.DatagramProtocol):
    """A DNS server: a name leads to addresses, to an error code, or (None) to silence."""

    def __init__(self, names: Mapping[str, tuple[str, ...] | int | None]) -> None:
        self.names = dict(names)
        self.queries: list[str] = []
        self.asked = asyncio.Event()
        self.spec = ""

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=("127.0.0.1", 0))
        self.spec = f"127.0.0.1:{self._transport.get_extra_info('sockname')[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._transport.close()

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        labels, at = [], 12
        while data[at]:
            labels.append(data[at + 1 : at + 1 + data[at]].decode("ascii"))
            at += 1 + data[at]
        name, kind = ".".join(labels).lower(), int.from_bytes(data[at + 1 : at + 3])
        family = {1: socket.AF_INET, 28: socket.AF_INET6}[kind]
        self.queries.append(f"{name} {family.name}")
        self.asked.set()
        found = self.names.get(name, NXDOMAIN)
        if found is None:
            return
        records = []
        for address in found if isinstance(found, tuple) else ():
            if (":" in address) == (family is socket.AF_INET6):
                packed = socket.inet_pton(family, address)
                records.append(struct.pack(">HHHIH", 0xC00C, kind, 1, 0, len(packed)) + packed)
        code = found if isinstance(found, int) else 0
        header = data[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(records), 0, 0)
        self._transport.sendto(header + data[12 : at + 5] + b"".join(records), addr)


def self_signed(folder: Path, name: str = "site.test") -> tuple[ssl.SSLContext, str]:
    """A server's TLS context and the path of its certificate, which nobody else has signed."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, str(certificate)
