import asyncio
import gzip
import shutil
import socket
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import brotli
import pytest
from hostile_server import (
    Answer,
    Exchange,
    HostileServer,
    Http2Server,
    NameServer,
    ProxyServer,
    answer,
    self_signed,
)

from honeyguide.errors import ErrorKind, FetchError, PageError, Refusal
from honeyguide.fetch.client import Client, _check_address
from honeyguide.fetch.dns import Resolver
from honeyguide.model import Conditions, Response

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl to make certificates")


class OpenGate:
    """Lets everyone through at once and remembers who came."""

    def __init__(self) -> None:
        self.turns: list[tuple[str, str]] = []
        self.inside = 0
        self.backed_off: list[tuple[str, float | None]] = []
        self.succeeded: list[str] = []

    @asynccontextmanager
    async def turn(self, host: str, address: str) -> AsyncIterator[None]:
        self.turns.append((host, address))
        self.inside += 1
        try:
            yield
        finally:
            self.inside -= 1

    def slow_down(self, host: str, delay: float) -> None:
        raise AssertionError("the client reads no robots.txt")

    def back_off(self, host: str, seconds: float | None) -> None:
        assert self.inside
        self.backed_off.append((host, seconds))

    def succeed(self, host: str) -> None:
        self.succeeded.append(host)


class FixedResolver(Resolver):
    """Says the same of every host, whatever its name spells."""

    def __init__(self, *addresses: str) -> None:
        super().__init__()
        self._addresses = addresses

    async def resolve(self, host: str) -> tuple[str, ...]:
        return self._addresses


@asynccontextmanager
async def a_client(gate: OpenGate | None = None, **options: Any) -> AsyncIterator[Client]:
    hosts = {"site.test": "127.0.0.1", "other.test": "127.0.0.1"}
    options.setdefault("resolver", Resolver(hosts=hosts, allow_private=True))
    options.setdefault("timeout", 5.0)
    client = Client(gate=gate or OpenGate(), user_agent="Honeyguide/test", **options)
    try:
        async with asyncio.timeout(8):
            yield client
    finally:
        await client.close()


async def get(act: Answer, **options: Any) -> Response:
    """What a fresh client makes of one answer."""
    async with HostileServer({"/": act}) as server, a_client(**options) as client:
        return await client.get(server.url("/"))


async def failure(act: Answer, **options: Any) -> FetchError:
    with pytest.raises(FetchError) as caught:
        await get(act, **options)
    return caught.value


# What a request and its answer look like


async def test_an_answer_is_kept_as_it_came() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Twice: one\r\nx-name:\xe9\r\nX-Twice:  two \r\n"
    times = iter([10.0, 12.5])
    async with (
        HostileServer({"/": head + b"Content-Length: 5\r\n\r\nhello"}) as server,
        a_client(clock=lambda: next(times), wall_clock=lambda: 1234.5) as client,
    ):
        url = server.url("/")
        assert await client.get(url) == Response(
            url=url,
            status=200,
            headers=(
                ("Content-Type", "text/html"),
                ("X-Twice", "one"),
                ("x-name", "é"),
                ("X-Twice", "two"),
                ("Content-Length", "5"),
            ),
            body=b"hello",
            raw=b"hello",
            address="127.0.0.1",
            protocol="HTTP/1.1",
            fetched_at=1234.5,
            elapsed=2.5,
        )


async def test_a_request_says_who_asks_and_carries_no_cookies() -> None:
    act = answer(b"x", set_cookie="visitor=42; Path=/")
    async with HostileServer({"/": act}) as server, a_client(headers={"X-More": "yes"}) as client:
        for _ in range(2):
            await client.get(server.url("/"))
        sent = server.seen[1].headers
    assert sent["user-agent"] == "Honeyguide/test"
    assert sent["accept-encoding"] == "gzip, br, deflate"
    assert sent["host"] == f"site.test:{server.port}"
    assert sent["x-more"] == "yes"
    assert "cookie" not in sent
    assert "if-none-match" not in sent


async def test_conditions_are_sent_and_forgotten_by_the_next_request() -> None:
    act = b'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'
    async with HostileServer({"/": act}) as server, a_client() as client:
        known = Conditions(etag='"a"', last_modified="Tue, 01 Sep 2026 00:00:00 GMT")
        response = await client.get(server.url("/"), known)
        await client.get(server.url("/"))
    assert (response.status, response.body) == (304, b"")
    assert server.seen[0].headers["if-none-match"] == '"a"'
    assert server.seen[0].headers["if-modified-since"] == "Tue, 01 Sep 2026 00:00:00 GMT"
    assert "if-none-match" not in server.seen[1].headers


@pytest.mark.parametrize("etag", ['"a"\r\nX-Evil: yes', '"a"\nX-Evil: yes', '"\x00"', '"\u20ac"'])
async def test_conditions_cannot_smuggle_headers(etag: str) -> None:
    async with HostileServer({"/": answer(b"x")}) as server, a_client() as client:
        await client.get(server.url("/"), Conditions(etag=etag))
    assert "x-evil" not in server.seen[0].headers
    assert "if-none-match" not in server.seen[0].headers


async def test_redirects_and_errors_are_answers_like_others() -> None:
    routes = {"/": answer(b"gone", "302 Found", location="/there"), "/there": answer(b"no")}
    async with HostileServer(routes) as server, a_client() as client:
        response = await client.get(server.url("/"))
        missing = await client.get(server.url("/missing"))
    assert (response.status, response.header("location"), len(server.seen)) == (302, "/there", 2)
    assert (missing.status, missing.body) == (404, b"nothing here")


async def test_interim_answers_are_skipped() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </x.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    response = await get(early + answer(b"late"))
    assert (response.status, response.body, response.header("link")) == (200, b"late", "")


async def test_folded_headers_and_trailers_do_no_harm() -> None:
    act = (
        b"HTTP/1.1 200 OK\r\nX-Long: one\r\n two\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5\r\nhello\r\n0\r\nX-Trailer: yes\r\n\r\n"
    )
    response = await get(act)
    assert (response.body, response.header("x-long"), response.header("x-trailer")) == (
        b"hello",
        "one two",
        "",
    )


# Content codings

PAGE = b"<p>" + b"The honeyguide leads to the hive. " * 200


@pytest.mark.parametrize(
    ("coding", "wire"),
    [
        ("gzip", gzip.compress(PAGE, mtime=0)),
        ("br", brotli.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)[2:-4]),
    ],
    ids=["gzip", "br", "deflate", "raw deflate"],
)
async def test_the_body_is_decoded_and_the_wire_kept(coding: str, wire: bytes) -> None:
    response = await get(answer(wire, content_encoding=coding))
    assert (response.body, response.raw, response.truncated) == (PAGE, wire, "")


async def test_a_bomb_is_cut() -> None:
    wire = gzip.compress(bytes(20_000_000))
    response = await get(answer(wire, content_encoding="gzip"), limit=100_000)
    assert (len(response.body), response.raw, response.truncated) == (100_000, wire, "length")


async def test_garbage_said_to_be_gzip_is_a_failure() -> None:
    error = await failure(answer(bytes(range(256)), content_encoding="gzip"))
    assert (error.kind, error.transient) == (ErrorKind.ENCODING, False)


# Bodies that lie about themselves


async def test_an_endless_body_is_cut_at_the_limit() -> None:
    async def pour(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            await exchange.send(b"x" * 50_000)

    response = await get(pour, limit=120_001)
    assert (len(response.body), len(response.raw), response.truncated) == (120_001, 120_001, "length")


async def test_a_body_of_exactly_the_limit_is_whole() -> None:
    response = await get(answer(b"x" * 1000), limit=1000)
    assert (len(response.body), response.truncated) == (1000, "")


async def test_of_an_error_page_only_the_beginning_is_read() -> None:
    response = await get(answer(b"x" * 200_000, "500 Oops"))
    assert (response.status, len(response.body), response.truncated) == (500, 65_536, "length")


async def test_a_limit_may_be_set_for_one_request() -> None:
    async with HostileServer({"/": answer(b"x" * 1000)}) as server, a_client() as client:
        assert len((await client.get(server.url("/"), limit=10)).body) == 10
        assert len((await client.get(server.url("/"))).body) == 1000


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\nhello",
    ],
)
async def test_a_body_that_breaks_off_is_kept_and_marked(head: bytes) -> None:
    async def break_off(exchange: Exchange) -> None:
        await exchange.send(head)

    response = await get(break_off)
    assert (response.body, response.truncated) == (b"hello", "disconnect")


async def test_a_reset_in_the_middle_keeps_what_came() -> None:
    came = asyncio.Event()

    async def reset(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nhello")
        await came.wait()
        exchange.reset()

    def look(content_type: str) -> bool:
        asyncio.get_running_loop().call_later(0.05, came.set)
        return True

    async with HostileServer({"/": reset}) as server, a_client() as client:
        response = await client.get(server.url("/"), accept=look)
    assert (response.body, response.truncated) == (b"hello", "disconnect")


async def test_a_promised_body_that_never_begins_is_a_passing_failure() -> None:
    async def promise(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")

    error = await failure(promise)
    assert (error.kind, error.transient) == (ErrorKind.PROTOCOL, True)


async def test_what_follows_a_short_content_length_is_not_read_as_the_next_answer() -> None:
    act = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" + answer(b"smuggled")
    async with HostileServer({"/": act, "/next": answer(b"next")}) as server, a_client() as client:
        first = await client.get(server.url("/"))
        second = await client.get(server.url("/next"))
    assert (first.body, second.body) == (b"hello", b"next")


@pytest.mark.parametrize("length", ["-5", "5, 6", "5\r\nContent-Length: 6", "banana", ""])
async def test_an_impossible_content_length_is_a_protocol_failure(length: str) -> None:
    error = await failure(f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\nhello".encode())
    assert (error.kind, error.transient) == (ErrorKind.PROTOCOL, False)


async def test_a_content_length_beyond_all_numbers_is_ignored() -> None:
    async def boast(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhello")

    assert (await get(boast)).body == b"hello"


# Headers


@pytest.mark.parametrize("line", [b"X-Filler: " + b"y" * 500 + b"\r\n", b"a:\r\n", b"Link: z" * 5000])
async def test_endless_headers_are_cut_off(line: bytes) -> None:
    async def pour(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\n")
        while True:
            await exchange.send(line * 10)

    error = await failure(pour)
    assert (error.kind, error.transient) == (ErrorKind.HEADERS, False)


@pytest.mark.parametrize(("line", "most"), [(b"X-Filler: " + b"y" * 988 + b"\r\n", 64), (b"a:\r\n", 498)])
async def test_headers_are_bounded_in_bytes_and_in_number(line: bytes, most: int) -> None:
    head, end = b"HTTP/1.1 200 OK\r\n", b"Content-Length: 0\r\n\r\n"
    assert len((await get(head + line * most + end)).headers) == most + 1
    assert (await failure(head + line * (most + 3) + end)).kind is ErrorKind.HEADERS


async def test_endless_interim_answers_are_cut_off() -> None:
    async def pour(exchange: Exchange) -> None:
        while True:
            await exchange.send(b"HTTP/1.1 103 Early Hints\r\nLink: </x.css>\r\n\r\n" * 50)

    assert (await failure(pour)).kind is ErrorKind.HEADERS


async def test_endless_trailers_are_cut_off() -> None:
    async def pour(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n")
        while True:
            await exchange.send(b"X-Filler: yes\r\n" * 100)

    with pytest.raises(FetchError):
        await get(pour)


# Servers that do not speak HTTP


@pytest.mark.parametrize(
    "garbage",
    [
        b"<html>HTTP/0.9 had no headers</html>",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 banana\r\n\r\nhello",
        b"HTTP/1.1\r\n\r\nhello",
        b"HTTP/9.9 200 OK\r\n\r\nhello",
        b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09",
        b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nX-Nul: \x00\r\n\r\nhello",
        b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello",
    ],
)
async def test_what_is_not_http_is_a_protocol_failure(garbage: bytes) -> None:
    async def babble(exchange: Exchange) -> None:
        await exchange.send(garbage)

    error = await failure(babble)
    assert (error.kind, error.transient) == (ErrorKind.PROTOCOL, False)


async def test_an_empty_reply_is_a_passing_failure() -> None:
    async def leave(exchange: Exchange) -> None:
        return

    error = await failure(leave)
    assert (error.kind, error.transient) == (ErrorKind.PROTOCOL, True)


async def test_a_reset_before_the_answer_is_a_passing_failure() -> None:
    async def slam(exchange: Exchange) -> None:
        exchange.reset()

    error = await failure(slam)
    assert error.kind in (ErrorKind.CONNECT, ErrorKind.PROTOCOL)
    assert error.transient


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://site.test/x", "gopher://site.test:70/_x"])
async def test_only_the_web_s_protocols_are_spoken(url: str) -> None:
    async with a_client() as client:
        with pytest.raises(PageError):
            await client.get(url)


async def test_credentials_in_a_url_are_not_sent() -> None:
    async with (
        HostileServer({"/": answer(b"x")}) as server,
        a_client(resolver=FixedResolver("127.0.0.1")) as client,
    ):
        with pytest.raises(PageError):
            await client.get(f"http://user:word@site.test:{server.port}/")
    assert not server.seen


# Servers that take their time


async def test_a_slow_drip_is_ended_by_the_total_time_out() -> None:
    async def drip(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            await exchange.send(b"drop")
            await asyncio.sleep(0.02)

    error = await failure(drip, timeout=0.3)
    assert (error.kind, error.transient) == (ErrorKind.TIMEOUT, True)


async def test_a_slow_drip_of_headers_is_ended_by_the_total_time_out() -> None:
    async def drip(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\n")
        while True:
            await exchange.send(b"a: b\r\n")
            await asyncio.sleep(0.02)

    assert (await failure(drip, timeout=0.3)).kind is ErrorKind.TIMEOUT


@pytest.mark.parametrize("beginning", [b"", b"HTTP/1.1 200 OK\r\nConte", b"HTTP/1.1 200 OK\r\n\r\nhello"])
async def test_a_server_that_falls_silent_is_stalled(beginning: bytes) -> None:
    async def fall_silent(exchange: Exchange) -> None:
        await exchange.send(beginning)
        await exchange.until_client_leaves()

    error = await failure(fall_silent, stall_timeout=0.2)
    assert (error.kind, error.transient) == (ErrorKind.STALLED, True)


async def test_each_of_many_servers_that_fall_silent_is_stalled() -> None:
    async def fall_silent(exchange: Exchange) -> None:
        await exchange.until_client_leaves()

    async with (
        HostileServer({"/": fall_silent, "/next": answer(b"next")}) as server,
        a_client(stall_timeout=0.2) as client,
    ):
        outcomes = await asyncio.gather(
            *(client.get(server.url("/")) for _ in range(20)), return_exceptions=True
        )
        kinds = {error.kind for error in outcomes if isinstance(error, FetchError)}
        assert (len(outcomes), kinds) == (20, {ErrorKind.STALLED})
        assert (await client.get(server.url("/next"))).body == b"next"


async def test_a_body_that_begins_late_and_comes_fast_enough_is_not_stalled() -> None:
    async def trickle(exchange: Exchange) -> None:
        await asyncio.sleep(0.25)
        await exchange.send(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(25):
            await exchange.send(b"x" * 100)
            await asyncio.sleep(0.02)

    assert len((await get(trickle, stall_timeout=0.4, stall_speed=500)).body) == 2500
    assert (await failure(trickle, stall_timeout=0.4, stall_speed=50_000)).kind is ErrorKind.STALLED


async def test_a_server_that_takes_no_connections_is_given_up() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(4)]
        for sock in waiting:
            sock.setblocking(False)
            sock.connect_ex(("127.0.0.1", port))
        async with a_client(connect_timeout=0.3) as client:
            with pytest.raises(FetchError) as caught:
                await client.get(f"http://site.test:{port}/")
        for sock in waiting:
            sock.close()
    assert (caught.value.kind, caught.value.transient) == (ErrorKind.CONNECT, True)


async def test_a_closed_port_is_a_passing_failure() -> None:
    async with HostileServer({}) as server:
        port = server.port
    async with a_client() as client:
        with pytest.raises(FetchError) as caught:
            await client.get(f"http://site.test:{port}/")
    assert (caught.value.kind, caught.value.transient) == (ErrorKind.CONNECT, True)


# Types


async def test_an_unwanted_type_is_left_before_its_body_is_sent() -> None:
    left = asyncio.Event()

    async def film(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 1000000\r\n\r\n")
        await exchange.until_client_leaves()
        left.set()

    asked: list[str] = []

    def accept(content_type: str) -> bool:
        asked.append(content_type)
        return False

    async with HostileServer({"/": film}) as server, a_client() as client:
        with pytest.raises(Refusal) as caught:
            await client.get(server.url("/"), accept=accept)
        await left.wait()
    assert (caught.value.kind, caught.value.detail) == (ErrorKind.TYPE, "video/mp4")
    assert asked == ["video/mp4"]


async def test_types_of_unsuccessful_answers_are_not_asked_about() -> None:
    act = answer(b"{}", "404 Not Found", content_type="application/json")
    async with HostileServer({"/": act}) as server, a_client() as client:
        assert (await client.get(server.url("/"), accept=lambda _: False)).status == 404


async def test_an_error_in_the_acceptance_is_not_swallowed() -> None:
    def accept(content_type: str) -> bool:
        raise LookupError(content_type)

    async with HostileServer({"/": answer(b"x")}) as server, a_client() as client:
        with pytest.raises(LookupError):
            await client.get(server.url("/"), accept=accept)


# Hosts that want to be left alone


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("99999999999999999999", 3600.0),
        ("Thu, 01 Jan 2026 00:02:00 GMT", 120.0),
        ("Thu, 01 Jan 2026 00:02:00", 120.0),
        ("Wed, 31 Dec 2025 23:00:00 GMT", 0.0),
        ("Fri, 01 Jan 2027 00:00:00 GMT", 3600.0),
        ("soon", None),
        ("-5", None),
        ("", None),
        ("Thu, 99 Foo 99999 99:99:99 GMT", None),
    ],
)
async def test_retry_after_is_passed_to_the_gate(value: str, seconds: float | None) -> None:
    gate = OpenGate()
    act = answer(b"busy", "503 Service Unavailable", retry_after=value)
    response = await get(act, gate=gate, wall_clock=lambda: 1_767_225_600.0)
    assert response.status == 503
    assert gate.backed_off == [("site.test", seconds)]


@pytest.mark.parametrize(("status", "told"), [("429 Slow Down", 1), ("500 Oops", 0), ("200 OK", 0)])
async def test_only_the_statuses_that_ask_for_it_make_the_gate_back_off(status: str, told: int) -> None:
    gate = OpenGate()
    await get(answer(b"x", status, retry_after="5"), gate=gate)
    assert len(gate.backed_off) == told
    assert len(gate.succeeded) == (status == "200 OK")


# Addresses


async def test_every_request_passes_the_gate_with_host_and_address() -> None:
    gate = OpenGate()
    async with HostileServer({"/": answer(b"x")}) as server, a_client(gate) as client:
        await client.get(server.url("/"))
        await client.get(server.url("/", host="127.0.0.1"))
    assert gate.turns == [("site.test", "127.0.0.1"), ("127.0.0.1", "127.0.0.1")]
    assert gate.inside == 0


async def test_a_private_address_is_refused_before_the_gate_and_any_connection() -> None:
    gate = OpenGate()
    async with (
        HostileServer({"/": answer(b"x")}) as server,
        a_client(gate, resolver=Resolver(hosts={"site.test": "127.0.0.1"})) as client,
    ):
        for host in ("site.test", "127.0.0.1"):
            with pytest.raises(Refusal) as caught:
                await client.get(server.url("/", host=host))
            assert caught.value.kind is ErrorKind.PRIVATE
    assert server.connections == 0
    assert gate.turns == []


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "localhost"])
async def test_curl_goes_to_the_address_it_is_given_whatever_the_url_spells(host: str) -> None:
    async with (
        HostileServer({"/": answer(b"wrong")}) as server,
        a_client(resolver=FixedResolver("127.0.0.3"), connect_timeout=0.5) as client,
    ):
        with pytest.raises(FetchError) as caught:
            await client.get(f"http://{host}:{server.port}/")
    assert caught.value.kind is ErrorKind.CONNECT
    assert server.connections == 0


def test_a_connection_to_another_address_than_asked_for_is_refused() -> None:
    _check_address("2606:4700::1", "2606:4700:0:0::1")
    for used in ("127.0.0.1", ""):
        with pytest.raises(Refusal) as caught:
            _check_address(used, "8.8.8.8")
        assert caught.value.kind is ErrorKind.PRIVATE


async def test_a_kept_connection_is_not_used_for_another_address() -> None:
    clock = [0.0]
    async with (
        NameServer({"moving.test": ("127.0.0.1",)}) as names,
        HostileServer({"/": answer(b"old")}) as server,
    ):
        resolver = Resolver(nameservers=(names.spec,), allow_private=True, ttl=10, clock=lambda: clock[0])
        async with a_client(resolver=resolver, connect_timeout=0.5) as client:
            assert (await client.get(server.url("/", host="moving.test"))).body == b"old"
            names.names["moving.test"] = ("127.0.0.3",)
            clock[0] += 11
            with pytest.raises(FetchError):
                await client.get(server.url("/", host="moving.test"))


async def test_when_the_first_address_is_dead_the_second_is_tried() -> None:
    gate = OpenGate()
    async with (
        HostileServer({"/": answer(b"alive")}) as server,
        a_client(gate, resolver=FixedResolver("127.0.0.3", "127.0.0.1", "127.0.0.4")) as client,
    ):
        response = await client.get(server.url("/"))
    assert (response.body, response.address) == (b"alive", "127.0.0.1")
    assert [address for _, address in gate.turns] == ["127.0.0.3", "127.0.0.1"]


async def test_the_environment_s_proxies_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ProxyServer() as proxy, HostileServer({"/": answer(b"direct")}) as server:
        for name in ("http_proxy", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        async with a_client() as client:
            assert (await client.get(server.url("/"))).body == b"direct"
    assert proxy.requests == []


async def test_a_proxy_is_asked_by_name_and_literals_stay_guarded() -> None:
    async with (
        ProxyServer() as proxy,
        a_client(resolver=Resolver(), proxy=f"http://127.0.0.1:{proxy.port}") as client,
    ):
        response = await client.get("http://nowhere.test/page")
        with pytest.raises(Refusal):
            await client.get("http://10.0.0.1/page")
    assert (response.body, response.address) == (b"through the proxy", "")
    assert proxy.requests == ["GET http://nowhere.test/page HTTP/1.1"]


# Connections


async def test_a_connection_is_used_again() -> None:
    async with HostileServer({"/": answer(b"x")}) as server, a_client() as client:
        for _ in range(5):
            await client.get(server.url("/"))
        assert server.connections == 1
        await client.get(server.url("/", host="other.test"))
        assert server.connections == 2


async def test_many_requests_at_once_do_not_mix() -> None:
    routes: Mapping[str, Answer] = {f"/{n}": answer(b"page %d" % n) for n in range(200)}
    async with HostileServer(routes) as server, a_client() as client:
        responses = await asyncio.gather(*(client.get(server.url(f"/{n}")) for n in range(200)))
    assert [response.body for response in responses] == [b"page %d" % n for n in range(200)]


async def test_a_cancelled_request_lets_go_of_its_connection_and_its_turn() -> None:
    left = asyncio.Event()

    async def hold(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\n\r\nhello")
        await exchange.until_client_leaves()
        left.set()

    gate = OpenGate()
    async with (
        HostileServer({"/": hold, "/next": answer(b"next")}) as server,
        a_client(gate) as client,
    ):
        for _ in range(3):
            left.clear()
            server.asked.clear()
            task = asyncio.create_task(client.get(server.url("/")))
            await server.asked.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await left.wait()
            assert gate.inside == 0
            assert (await client.get(server.url("/next"))).body == b"next"


async def test_closing_ends_what_is_under_way_and_may_be_done_twice() -> None:
    async def hold(exchange: Exchange) -> None:
        await exchange.until_client_leaves()

    async with HostileServer({"/": hold}) as server, a_client() as client:
        task = asyncio.create_task(client.get(server.url("/")))
        await server.asked.wait()
        await client.close()
        with pytest.raises(asyncio.CancelledError):
            await task
        await client.close()


# TLS


@needs_openssl
async def test_a_certificate_nobody_signed_is_a_lasting_failure(tmp_path: Path) -> None:
    tls, _ = self_signed(tmp_path)
    async with HostileServer({"/": answer(b"secret")}, tls=tls) as server, a_client() as client:
        with pytest.raises(FetchError) as caught:
            await client.get(server.url("/", scheme="https"))
    assert (caught.value.kind, caught.value.transient) == (ErrorKind.TLS, False)
    assert not server.seen


@needs_openssl
async def test_a_certificate_counts_for_its_own_name_only(tmp_path: Path) -> None:
    tls, certificate = self_signed(tmp_path)
    async with (
        HostileServer({"/": answer(b"secret")}, tls=tls) as server,
        a_client(ca_bundle=certificate) as client,
    ):
        assert (await client.get(server.url("/", scheme="https"))).body == b"secret"
        with pytest.raises(FetchError) as caught:
            await client.get(server.url("/", host="other.test", scheme="https"))
    assert caught.value.kind is ErrorKind.TLS


async def test_plain_text_where_tls_is_due_is_a_tls_failure() -> None:
    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.site.test ESMTP\r\n")
        await reader.read()
        writer.close()

    server = await asyncio.start_server(babble, "127.0.0.1", 0)
    async with server, a_client() as client:
        with pytest.raises(FetchError) as caught:
            await client.get(f"https://site.test:{server.sockets[0].getsockname()[1]}/")
    assert caught.value.kind is ErrorKind.TLS


@needs_openssl
async def test_http_2_is_spoken_where_the_server_offers_it(tmp_path: Path) -> None:
    tls, certificate = self_signed(tmp_path)
    async with Http2Server(b"frames", tls=tls) as server, a_client(ca_bundle=certificate) as client:
        for _ in range(2):
            response = await client.get(f"https://site.test:{server.port}/", accept="text/html".__eq__)
            assert (response.protocol, response.status, response.body) == ("HTTP/2", 200, b"frames")
            assert response.headers == (("content-type", "text/html"),)
    assert server.connections == 1


@needs_openssl
async def test_the_headers_of_a_proxy_s_tunnel_are_not_the_server_s(tmp_path: Path) -> None:
    tls, certificate = self_signed(tmp_path)
    async with (
        HostileServer({"/": answer(b"secret")}, tls=tls) as server,
        ProxyServer(behind=server.port) as proxy,
        a_client(ca_bundle=certificate, proxy=f"http://127.0.0.1:{proxy.port}") as client,
    ):
        response = await client.get("https://site.test/")
    assert (response.body, response.header("x-proxy")) == (b"secret", "")
    assert proxy.requests == ["CONNECT site.test:443 HTTP/1.1"]
