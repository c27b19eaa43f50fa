"""One HTTP request: resolved, guarded, timed, bounded. Redirects are for whoever asks."""

import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Protocol

import certifi
import pycurl

from honeyguide.errors import ErrorKind, FetchError, Refusal
from honeyguide.fetch.decode import decode
from honeyguide.fetch.dns import Resolver
from honeyguide.fetch.stall import StallWatch
from honeyguide.fetch.transfer import Transfer
from honeyguide.model import Conditions, Response
from honeyguide.urls import host_of

_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1"
_TRY_LATER = (429, 503)
_ADDRESSES_TRIED = 2

# Where systems keep their certificate authorities; libcurl knows only the place it was built for.
_CA_FILES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)

# Options that pycurl has no names for.
_SUPPRESS_CONNECT_HEADERS = 265
_DISALLOW_USERNAME_IN_URL = 278


class Gate(Protocol):
    """Keeps requests to one host apart."""

    def turn(self, host: str, address: str, /) -> AbstractAsyncContextManager[None]:
        """Wait for the host's turn, and hold it while the request lasts; the address is "" if unknown."""
        ...

    def slow_down(self, host: str, delay: float, /) -> None:
        """The host asks for this much time between requests."""
        ...

    def back_off(self, host: str, seconds: float | None, /) -> None:
        """The host wants to be left alone, for so long if it says."""
        ...

    def succeed(self, host: str, /) -> None:
        """The host answers as it should again."""
        ...


class Client:
    """Makes requests over kept connections, to the addresses its resolver gives and no others.

    With a proxy it is the proxy that looks names up: only literal addresses are guarded then.
    """

    def __init__(
        self,
        *,
        resolver: Resolver,
        gate: Gate,
        user_agent: str,
        headers: Mapping[str, str] | None = None,
        proxy: str = "",
        ca_bundle: str = "",
        limit: int = 5_000_000,
        connect_timeout: float = 10.0,
        timeout: float = 60.0,
        stall_timeout: float = 20.0,
        stall_speed: float = 100.0,
        connections: int = 256,
        longest_retry_after: float = 3600.0,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._resolver = resolver
        self._gate = gate
        self._proxied = bool(proxy)
        self._limit = limit
        self._stall_timeout = stall_timeout
        self._stall_speed = stall_speed
        self._longest_retry_after = longest_retry_after
        self._clock = clock
        self._wall_clock = wall_clock
        sent = {
            "User-Agent": user_agent,
            "Accept": _ACCEPT,
            "Accept-Encoding": "gzip, br, deflate",
            **(headers or {}),
        }
        self._headers = tuple(f"{name}: {value}".encode("latin-1") for name, value in sent.items())
        self._options: dict[int, Any] = {
            pycurl.NOSIGNAL: 1,
            pycurl.PROTOCOLS: pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS,
            pycurl.HTTP_VERSION: pycurl.CURL_HTTP_VERSION_2TLS,
            pycurl.HTTP09_ALLOWED: 0,
            pycurl.PATH_AS_IS: 1,
            _DISALLOW_USERNAME_IN_URL: 1,
            _SUPPRESS_CONNECT_HEADERS: 1,
            pycurl.CAINFO: ca_bundle or find_ca_bundle(),
            pycurl.CONNECTTIMEOUT_MS: round(connect_timeout * 1000),
            pycurl.TIMEOUT_MS: round(timeout * 1000),
            pycurl.BUFFERSIZE: 128 * 1024,
            # Said even when empty: unsaid, curl takes them from the environment.
            pycurl.PROXY: proxy,
            pycurl.NOPROXY: "",
        }
        self._idle: list[Transfer] = []
        self._multi = pycurl.AsyncCurlMulti()
        self._multi.setopt(pycurl.M_MAXCONNECTS, connections)

    async def get(
        self,
        url: str,
        conditions: Conditions | None = None,
        *,
        accept: Callable[[str], bool] | None = None,
        limit: int | None = None,
    ) -> Response:
        """One answer, of any status; raises FetchError when there is none, Refusal when it is unwanted.

        A successful answer's content type is shown to `accept` before its body is read.
        Of other answers at most 64 KiB are read.
        """
        host = host_of(url)
        if self._proxied:
            addresses = self._resolver.known(host) or ("",)
        else:
            addresses = (await self._resolver.resolve(host))[:_ADDRESSES_TRIED]
        headers = self._headers if conditions is None else (*self._headers, *_conditional(conditions))
        size = self._limit if limit is None else limit
        for address in addresses[:-1]:
            try:
                return await self._ask(url, host, address, headers, accept, size)
            except FetchError as error:
                if error.kind is not ErrorKind.CONNECT:
                    raise
        return await self._ask(url, host, addresses[-1], headers, accept, size)

    async def close(self) -> None:
        """Give up what is under way and close every connection, and the resolver."""
        await self._multi.aclose()
        while self._idle:
            self._idle.pop().close()
        await self._resolver.close()

    async def _ask(
        self,
        url: str,
        host: str,
        address: str,
        headers: Sequence[bytes],
        accept: Callable[[str], bool] | None,
        limit: int,
    ) -> Response:
        async with self._gate.turn(host, address):
            transfer = self._idle.pop() if self._idle else Transfer(self._options)
            try:
                transfer.begin(
                    url,
                    address="" if self._proxied else address,
                    headers=headers,
                    accept=accept,
                    limit=limit,
                )
                fetched_at = self._wall_clock()
                started = self._clock()
                future = self._multi.add_handle(transfer.curl)
                watch = StallWatch(transfer, future, speed=self._stall_speed, timeout=self._stall_timeout)
                try:
                    await future
                except pycurl.error as error:
                    failure = transfer.settle(*error.args)
                    if failure is not None:
                        raise failure from None
                finally:
                    watch.stop()
                elapsed = self._clock() - started
                if not self._proxied:
                    _check_address(transfer.curl.getinfo(pycurl.PRIMARY_IP), address)
                status, protocol = transfer.status, transfer.protocol
                received, raw = transfer.headers, transfer.raw
                truncated, limit = transfer.truncated, transfer.limit
            finally:
                self._put_back(transfer)
            if status in _TRY_LATER:
                asked = _retry_after(_value(received, "retry-after"), fetched_at)
                self._gate.back_off(host, None if asked is None else min(asked, self._longest_retry_after))
            elif status < 500:
                self._gate.succeed(host)
        # The host's turn is over: reading what it sent takes none of its time.
        body, reason = decode(raw, _value(received, "content-encoding"), limit)
        return Response(
            url=url,
            status=status,
            headers=received,
            body=body,
            raw=raw,
            truncated=truncated or reason,
            address="" if self._proxied else address,
            protocol=protocol,
            fetched_at=fetched_at,
            elapsed=elapsed,
        )

    def _put_back(self, transfer: Transfer) -> None:
        if self._multi.closed:
            transfer.close()
        else:
            transfer.finish()
            self._idle.append(transfer)


def find_ca_bundle() -> str:
    """The system's certificate authorities, or those of certifi where the system has none."""
    named = ssl.get_default_verify_paths().cafile
    places = (named, *_CA_FILES) if named else _CA_FILES
    return next((place for place in places if Path(place).is_file()), certifi.where())


def _conditional(conditions: Conditions) -> list[bytes]:
    """The headers that ask for news only; what a server once sent is not sent back unless it is tame."""
    asked = (("If-None-Match", conditions.etag), ("If-Modified-Since", conditions.last_modified))
    return [
        f"{name}: {value}".encode("latin-1")
        for name, value in asked
        if value and all(" " <= char <= "~" or "\xa0" <= char <= "\xff" for char in value)
    ]


def _value(headers: Sequence[tuple[str, str]], wanted: str) -> str:
    return ", ".join(value for name, value in headers if name.lower() == wanted)


def _check_address(used: str, wanted: str) -> None:
    """Curl was told where to go; that it went there is checked all the same."""
    if used != wanted and (not used or ip_address(used) != ip_address(wanted)):
        raise Refusal(ErrorKind.PRIVATE, f"connected to {used or 'nothing'} instead of {wanted}")


def _retry_after(value: str, now: float) -> float | None:
    """The seconds a Retry-After header asks for, as a number or as a date; None when it says neither."""
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        date = parsedate_to_datetime(value)
        return max(0.0, date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
