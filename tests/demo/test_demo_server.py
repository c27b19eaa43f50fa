import asyncio
import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import brotli
import pytest

from honeyguide.demo import server as server_module
from honeyguide.demo.server import ServedWeb, Server, listen, serving, shares_address
from honeyguide.demo.web import DEAD, NAMES, Entry, addresses, build
from honeyguide.errors import ConfigError
from honeyguide.urls import host_of, origin_of

TIMEOUT = 10.0
pytestmark = pytest.mark.skipif(shares_address(), reason="needs more than one loopback address")


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes
    complete: bool
    seconds: float
    first_byte: float


class Client:
    """One kept connection."""

    def __init__(self, address: str, port: int) -> None:
        self.socket = socket.create_connection((address, port), TIMEOUT)
        self.stream = self.socket.makefile("rb")

    def ask(self, host: str, target: str, method: str = "GET", **headers: str) -> Reply:
        lines = [f"{method} {target} HTTP/1.1", f"Host: {host}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        began = time.monotonic()
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return self.read(began, bodiless=method == "HEAD")

    def read(self, began: float = 0.0, *, bodiless: bool = False) -> Reply:
        status = int(self.stream.readline().split()[1])
        first_byte = time.monotonic()
        headers = {}
        while line := self.stream.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        length = 0 if bodiless else int(headers.get("content-length", "0"))
        body = self.stream.read(length)
        ended = time.monotonic()
        return Reply(status, headers, body, len(body) == length, ended - began, first_byte - began)

    def close(self) -> None:
        self.stream.close()
        self.socket.close()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedWeb]:
    with serving(log=tmp_path_factory.mktemp("demo") / "requests.jsonl") as served:
        yield served


def ask(web: ServedWeb, url: str, method: str = "GET", **headers: str) -> Reply:
    host = host_of(url)
    client = Client(web.hosts[host], web.port)
    try:
        return client.ask(f"{host}:{web.port}", url[len(origin_of(url)) :], method, **headers)
    finally:
        client.close()


def of_kind(web: ServedWeb, kind: str) -> list[Entry]:
    found = [entry for entry in web.manifest if entry.kind == kind]
    assert found
    return found


def test_every_living_host_answers_at_its_own_address(web: ServedWeb) -> None:
    assert len(set(web.hosts.values())) == len(NAMES)
    for host in set(web.hosts) - DEAD:
        reply = ask(web, f"http://{host}:{web.port}/")
        assert reply.status == 200
        assert reply.headers["content-type"].startswith("text/html")


def test_nobody_listens_for_the_dead_host(web: ServedWeb) -> None:
    (dead,) = DEAD
    with pytest.raises(ConnectionRefusedError):
        Client(web.hosts[dead], web.port)


def test_a_connection_is_kept_and_serves_requests_in_turn(web: ServedWeb) -> None:
    client = Client(web.hosts["dengue-watch.test"], web.port)
    bodies = [client.ask("dengue-watch.test", target).body for target in ("/", "/stories/", "/")]
    assert bodies[0] == bodies[2] != bodies[1]
    client.socket.sendall(
        b"".join(b"GET %s HTTP/1.1\r\nHost: dengue-watch.test\r\n\r\n" % t for t in (b"/", b"/stories/"))
    )
    assert [client.read().body, client.read().body] == bodies[:2]
    client.ask("dengue-watch.test", "/", Connection="close")
    assert client.stream.read() == b""
    client.close()


def test_a_host_is_not_served_at_the_address_of_another(web: ServedWeb) -> None:
    client = Client(web.hosts["dengue-watch.test"], web.port)
    assert client.ask("goal-kick.test", "/").status == 421
    assert b"Dengue Watch" in client.ask(web.hosts["dengue-watch.test"], "/").body
    client.close()


def test_a_head_request_gets_no_body_and_other_methods_get_nothing(web: ServedWeb) -> None:
    assert ask(web, web.seeds[0], "HEAD").body == b""
    assert ask(web, web.seeds[0], "POST").status == 405


def test_nonsense_is_answered_with_400(web: ServedWeb) -> None:
    client = Client(web.hosts["dengue-watch.test"], web.port)
    client.socket.sendall(b"HELLO\r\n\r\n")
    assert client.read().status == 400
    assert client.stream.read() == b""
    client.close()


def test_a_head_without_end_is_not_listened_to(web: ServedWeb) -> None:
    client = Client(web.hosts["dengue-watch.test"], web.port)
    with pytest.raises(OSError, match=r"reset|Broken"):
        client.socket.sendall(b"x" * 64_000_000)
    client.close()


def test_a_known_page_is_answered_with_304(web: ServedWeb) -> None:
    first = ask(web, web.seeds[0])
    again = ask(web, web.seeds[0], If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert ask(web, web.seeds[0], If_Modified_Since=first.headers["last-modified"]).status == 304


@pytest.mark.parametrize(
    ("kind", "coding", "undo"),
    [
        ("encoded-gzip", "gzip", gzip.decompress),
        ("encoded-br", "br", brotli.decompress),
        ("encoded-deflate", "deflate", zlib.decompress),
        ("encoded-deflate-raw", "deflate", lambda body: zlib.decompress(body, wbits=-15)),
        ("encoded-lying", "gzip", bytes),
    ],
)
def test_bodies_are_coded_as_they_say_but_for_liars(web: ServedWeb, kind, coding, undo) -> None:  # type: ignore[no-untyped-def]
    (entry,) = of_kind(web, kind)
    plain = ask(web, entry.url)
    coded = ask(web, entry.url, Accept_Encoding="gzip, br, deflate")
    assert coded.headers["content-encoding"] == coding
    assert undo(coded.body) == plain.body


def test_busy_pages_ask_for_patience_once_whoever_asks(web: ServedWeb) -> None:
    for kind, status in (("retry-503", 503), ("retry-429", 429)):
        entry = of_kind(web, kind)[0]
        first, second, third = (ask(web, entry.url) for _ in range(3))
        assert (first.status, first.headers["retry-after"]) == (status, "1")
        assert (second.status, third.status) == (200, 200)


def test_a_robots_file_fails_once(web: ServedWeb) -> None:
    url = f"http://brass-band.test:{web.port}/robots.txt"
    assert [ask(web, url).status for _ in range(3)] == [500, 200, 200]


def test_the_slow_host_takes_its_time(web: ServedWeb) -> None:
    reply = ask(web, of_kind(web, "slow")[0].url)
    assert reply.status == 200
    assert reply.first_byte >= 0.15


def test_a_dripping_page_arrives_whole_in_the_end(web: ServedWeb) -> None:
    (entry,) = of_kind(web, "drip")
    reply = ask(web, entry.url)
    assert reply.complete
    assert reply.seconds - reply.first_byte > 1.0


def test_a_page_is_cut_off_in_the_middle(web: ServedWeb) -> None:
    reply = ask(web, of_kind(web, "cut-off")[0].url)
    assert reply.status == 200
    assert reply.body
    assert not reply.complete


def test_addresses_with_spaces_and_letters_outside_ascii_are_served(web: ServedWeb) -> None:
    for kind in ("space-path", "unicode-path"):
        (entry,) = of_kind(web, kind)
        assert "%" in entry.url
        assert ask(web, entry.url).status == 200


def test_every_request_is_written_down(web: ServedWeb) -> None:
    target = "/?asked=by-the-test"
    before = time.time()
    ask(web, f"http://river-institute.test:{web.port}{target}")
    (line,) = [line for line in web.requests() if line["target"] == target]
    assert line["host"] == "river-institute.test"
    assert line["address"] == web.hosts["river-institute.test"]
    assert line["status"] == 200
    assert before - 0.1 <= line["began"] <= line["ended"] - 0.14 <= time.time()


def test_a_client_that_leaves_early_is_written_down_with_status_0(web: ServedWeb) -> None:
    (entry,) = of_kind(web, "drip")
    target = entry.url[len(origin_of(entry.url)) :] + "?left=early"
    client = Client(web.hosts["river-institute.test"], web.port)
    client.socket.sendall(f"GET {target} HTTP/1.1\r\nHost: river-institute.test\r\n\r\n".encode())
    client.close()
    deadline = time.monotonic() + TIMEOUT
    lines: list[dict[str, object]] = []
    while not lines and time.monotonic() < deadline:
        lines = [line for line in web.requests() if line["target"] == target]
    assert [line["status"] for line in lines] == [0]


def test_the_server_is_gone_after_its_context() -> None:
    with serving() as served:
        address = served.hosts["dengue-watch.test"]
        Client(address, served.port).close()
        assert served.requests() == []
    with pytest.raises(ConnectionRefusedError):
        Client(address, served.port)


def test_the_server_stops_on_sigterm_and_says_its_port(tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    command = [sys.executable, "-m", server_module.__name__, "--port", "0", "--log", str(log)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        guard = threading.Timer(TIMEOUT, process.kill)
        guard.start()
        assert process.stdout is not None
        word, port = process.stdout.readline().split()
        assert word == "ready"
        client = Client(addresses()["dengue-watch.test"], int(port))
        assert client.ask("dengue-watch.test", "/").status == 200
        client.close()
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0
        guard.cancel()
    assert json.loads(log.read_text())["target"] == "/"


async def test_hosts_are_told_apart_by_name_where_all_share_an_address() -> None:
    sockets = listen(0, ["127.0.0.1"])
    port = sockets[0].getsockname()[1]
    server = Server(build(port=port, shared=True))
    await server.start(sockets)
    pages = []
    for host in ("dengue-watch.test", "goal-kick.test", *DEAD):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET / HTTP/1.0\r\nHost: {host}:{port}\r\n\r\n".encode())
        try:
            pages.append(await asyncio.wait_for(reader.read(), TIMEOUT))
        except ConnectionResetError:
            pages.append(b"")
        writer.close()
    await server.close()
    assert b"<title>Dengue Watch" in pages[0]
    assert b"<title>Goal Kick" in pages[1]
    assert pages[2] == b""


def test_a_port_in_use_is_refused_in_a_sentence(web: ServedWeb) -> None:
    with pytest.raises(ConfigError, match=f"Port {web.port} cannot be used"):
        listen(web.port, sorted(set(web.hosts.values())))


def test_any_port_means_one_that_is_free_on_all_addresses() -> None:
    sockets = listen(0, ["127.0.10.1", "127.0.10.2"])
    try:
        assert len({each.getsockname()[1] for each in sockets}) == 1
    finally:
        for each in sockets:
            each.close()
