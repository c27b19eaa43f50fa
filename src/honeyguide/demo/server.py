"""The demo web on loopback: one listener for each host's address, all on one port.

    python -m honeyguide.demo.server --port 8470 --log requests.jsonl

prints "ready 8470" once it listens and stops on SIGTERM, or when the pipe on its standard input closes.
Every request becomes a line of JSON in the log, so that what a crawler did can be checked from this side.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from honeyguide.demo.connection import Connection, Prepared, Request, prepared
from honeyguide.demo.resource import Answer
from honeyguide.demo.web import DEAD, PORT, Entry, Web, addresses, build
from honeyguide.errors import ConfigError, ResourceError, UserError

_MOST_PREPARED = 4096
_PORTS_TRIED = 20
_PATIENCE = 30.0
_WRONG_HOST = Answer(421, (("Content-Type", "text/plain"),), b"This host is served at another address.\n")
_WRONG_METHOD = Answer(405, (("Allow", "GET, HEAD"),))


class Server:
    """Answers for every host of a web; knows how often it was asked what, and writes it down."""

    def __init__(
        self, web: Web, *, log: TextIO | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.web = web
        self._log = log
        self._clock = clock
        self._attempts: Counter[tuple[str, str]] = Counter()
        self._prepared: dict[tuple[str, str, str], Prepared] = {}
        self._hosts = {address: host for host, address in web.hosts.items()}
        self._servers: list[asyncio.Server] = []

    async def start(self, sockets: Sequence[socket.socket]) -> None:
        """Listen."""
        loop = asyncio.get_running_loop()
        for each in sockets:
            self._servers.append(await loop.create_server(lambda: Connection(self), sock=each, backlog=512))

    async def close(self) -> None:
        """Stop listening."""
        for server in self._servers:
            server.close()

    def now(self) -> float:
        """The time, as the log has it."""
        return self._clock()

    def host_of(self, named: str, address: str) -> str:
        """Which host a request is for: the one it names, else the one at the address."""
        host = named.rpartition(":")[0] or named
        return host.lower() if host.lower() in self.web.hosts else self._hosts[address]

    def prepare(self, host: str, address: str, request: Request) -> Prepared:
        """The answer to a request; those that never change are kept ready."""
        if request.method not in ("GET", "HEAD"):
            return prepared(_WRONG_METHOD)
        if self.web.hosts[host] != address:
            return prepared(_WRONG_HOST)
        headers = request.headers
        if "if-none-match" in headers or "if-modified-since" in headers:
            return prepared(self._answer(host, request))
        key = host, request.target, headers.get("accept-encoding", "")
        ready = self._prepared.get(key)
        if ready is None:
            ready = prepared(self._answer(host, request))
            if not self.web.is_fickle(host, request.target) and len(self._prepared) < _MOST_PREPARED:
                self._prepared[key] = ready
        return ready

    def record(self, began: float, host: str, address: str, target: str, status: int) -> None:
        """Write a request down; status 0 says that the client left before the answer was out."""
        if self._log is not None:
            line = {
                "began": began,
                "ended": self.now(),
                "host": host,
                "address": address,
                "target": target,
                "status": status,
            }
            self._log.write(json.dumps(line) + "\n")

    def _answer(self, host: str, request: Request) -> Answer:
        attempt = 1
        if self.web.is_fickle(host, request.target):
            self._attempts[host, request.target] += 1
            attempt = self._attempts[host, request.target]
        return self.web.answer(host, request.target, request.headers, attempt)


def shares_address() -> bool:
    """Whether this machine has only one loopback address, as macOS does."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.10.1", 0))
        except OSError:
            return True
    return False


def listen(port: int, wanted: Sequence[str]) -> list[socket.socket]:
    """A socket on the same port of each address; port 0 stands for any that is free on all."""
    for _ in range(_PORTS_TRIED):
        sockets: list[socket.socket] = []
        chosen = port
        try:
            for address in wanted:
                each = socket.socket()
                sockets.append(each)
                each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                each.bind((address, chosen))
                chosen = each.getsockname()[1]
            return sockets
        except OSError as error:
            for each in sockets:
                each.close()
            if port:
                raise ConfigError(
                    f"Port {port} cannot be used ({error.strerror}); choose another or 0 for any."
                ) from error
    raise ResourceError(
        "No port is free on all the addresses of the demo web; close other programs and try again."
    )


class ServedWeb(NamedTuple):
    """A demo web that is being served: `hosts` gives the address to ask for each name."""

    port: int
    hosts: Mapping[str, str]
    seeds: tuple[str, ...]
    manifest: tuple[Entry, ...]
    log: Path | None

    def requests(self) -> list[dict[str, Any]]:
        """What was asked so far: began, ended, host, address, target, status."""
        lines = self.log.read_text().splitlines() if self.log is not None else []
        return [json.loads(line) for line in lines]


@contextlib.contextmanager
def serving(web_seed: int = 7, log: Path | None = None, port: int = 0) -> Iterator[ServedWeb]:
    """Serve the demo web from a process of its own for as long as the context lasts."""
    command = [sys.executable, "-m", "honeyguide.demo.server", "--port", str(port), "--seed", str(web_seed)]
    if log is not None:
        command += ["--log", str(log)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    impatience = threading.Timer(_PATIENCE, process.kill)
    impatience.start()
    try:
        assert process.stdout is not None
        word, _, chosen = process.stdout.readline().partition(" ")
        impatience.cancel()
        if word != "ready":
            raise ResourceError("The demo web's server did not start; its own message says why.")
        web = build(web_seed, int(chosen), shared=shares_address())
        yield ServedWeb(web.port, web.hosts, web.seeds, web.manifest, log)
    finally:
        impatience.cancel()
        _end(process)


def _end(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()


async def _serve(port: int, seed: int, log: TextIO | None) -> None:
    shared = shares_address()
    names = addresses(shared=shared)
    wanted = sorted({address for host, address in names.items() if host not in DEAD})
    sockets = listen(port, wanted)
    chosen: int = sockets[0].getsockname()[1]
    server = Server(build(seed, chosen, shared=shared), log=log)
    await server.start(sockets)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    if stat.S_ISFIFO(os.fstat(0).st_mode):
        threading.Thread(target=_wait_for_end, args=(loop, stop), daemon=True).start()
    print(f"ready {chosen}", flush=True)
    await stop.wait()
    await server.close()


def _wait_for_end(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    while os.read(0, 4096):
        pass
    with contextlib.suppress(RuntimeError):  # the loop may have ended for another reason
        loop.call_soon_threadsafe(stop.set)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(
        prog="honeyguide.demo.server", description="Serve the demo web on loopback."
    )
    parser.add_argument("--port", type=int, default=PORT, help="the port; 0 for any that is free")
    parser.add_argument("--seed", type=int, default=7, help="what the web is made from")
    parser.add_argument("--log", type=Path, help="where to write every request, as lines of JSON")
    options = parser.parse_args(arguments)
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(options.log.open("a", buffering=1)) if options.log else None
        try:
            asyncio.run(_serve(options.port, options.seed, log))
        except UserError as error:
            print(error, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
