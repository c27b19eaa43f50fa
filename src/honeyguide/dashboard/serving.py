"""Serving the application: its own port, the port of the snapshots, and the link that opens it."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from honeyguide.dashboard.access import LOOPBACK, Access, netloc
from honeyguide.dashboard.app import create_app
from honeyguide.dashboard.events import Streams
from honeyguide.dashboard.password import Password
from honeyguide.dashboard.snapshots import create_snapshot_app
from honeyguide.errors import ConfigError

EVERYWHERE = frozenset({"0.0.0.0", "::", ""})
BACKLOG = 128


def serve(
    root: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    password: str = "",
    on_ready: Callable[[str], None] = lambda link: None,
) -> None:
    """Serve a crawl or a folder of crawls until a signal ends it."""
    if host not in LOOPBACK and not password:
        raise ConfigError(
            f"{host or 'That host'} can be reached from other machines, which needs a password: put one into a "
            "file and name it with --password-file, or set HONEYGUIDE_PASSWORD."
        )
    with _listening(host, port) as main, _listening_beside(host, port) as snapshots:
        access = Access(
            password=Password(password) if password else None,
            names=LOOPBACK | {host.lower()} | _own_names(host),
            any_address=host not in LOOPBACK,
            snapshot_port=snapshots.getsockname()[1],
        )
        shown = "127.0.0.1" if host in EVERYWHERE else host
        link = f"http://{netloc(shown)}:{main.getsockname()[1]}/?token={access.token}"
        asyncio.run(_serve(root, access, main, snapshots, lambda: on_ready(link)))


async def _serve(
    root: Path, access: Access, main: socket.socket, snapshots: socket.socket, on_ready: Callable[[], None]
) -> None:
    app = create_app(root, access=access)
    streams: Streams = app.state.streams
    first = _Server(_config(app), on_ready=on_ready, on_exit=streams.close)
    second = _Beside(
        _config(create_snapshot_app(app.state.crawls, access=access, signature=app.state.signature))
    )
    beside = asyncio.create_task(second.serve([snapshots]))
    try:
        await first.serve([main])
    finally:
        second.should_exit = True
        await beside


class _Server(uvicorn.Server):
    """Says when it is ready, and ends what is being watched, which would keep it waiting, when it is to end."""

    def __init__(
        self, config: uvicorn.Config, *, on_ready: Callable[[], None], on_exit: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._on_exit = on_exit

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._on_exit()
        super().handle_exit(sig, frame)


class _Beside(uvicorn.Server):
    """Leaves signals to the server that it stands beside."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        access_log=False,
        log_level=logging.WARNING,
        server_header=False,
        proxy_headers=False,  # an address that a client only says it has would be believed
        ws="none",
        limit_concurrency=256,
        timeout_graceful_shutdown=3,
    )


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"{host} is no address of this machine ({error}).") from error
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
        except OSError as error:
            raise ConfigError(
                f"Port {port} of {host} cannot be used ({error.strerror}); choose another with --port."
            ) from error
        listener.listen(BACKLOG)
        yield listener


def _listening_beside(host: str, port: int) -> AbstractContextManager[socket.socket]:
    """The port after a chosen one, so that whoever forwards ports knows it; any other if that is taken."""
    if port:
        with contextlib.suppress(ConfigError, OverflowError), _listening(host, port + 1):
            return _listening(host, port + 1)
    return _listening(host, 0)


def _own_names(host: str) -> frozenset[str]:
    """What this machine is called, where others may come in."""
    if host in LOOPBACK:
        return frozenset()
    name = socket.gethostname().lower()
    return frozenset({name, f"{name.partition('.')[0]}.local", socket.getfqdn().lower()})
