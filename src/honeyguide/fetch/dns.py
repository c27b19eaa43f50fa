"""Names to addresses, with a cache, and the guard that keeps a crawl out of private networks.

Whatever a link, a redirect or a name server says, the only addresses that leave this file are
public ones (or those a person allowed); the client connects to nothing else.
"""

import asyncio
import socket
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

import aiodns
import pycares

from honeyguide.errors import ErrorKind, FetchError, PageError, Refusal

# The special-purpose registries of IANA (RFC 6890), multicast and what is not yet given out.
# Spelled out because the answers of `ipaddress` differ between Python's patch releases.
_RESERVED_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
    )
)
_UNICAST_V6 = IPv6Network("2000::/3")
_RESERVED_V6 = (IPv6Network("2001::/23"), IPv6Network("2001:db8::/32"), IPv6Network("3fff::/20"))
_SIX_TO_FOUR = IPv6Network("2002::/16")
_NAT64 = IPv6Network("64:ff9b::/96")

_NO_SUCH_NAME = frozenset(
    {
        pycares.errno.ARES_ENOTFOUND,
        pycares.errno.ARES_ENODATA,
        pycares.errno.ARES_ENONAME,
        pycares.errno.ARES_EBADNAME,
    }
)


def is_public(address: str) -> bool:
    """Whether an address is of the public internet, seen through the ways IPv6 has to wrap IPv4."""
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        if ip in _NAT64:
            ip = IPv4Address(int(ip) & 0xFFFFFFFF)
        elif ip in _SIX_TO_FOUR:
            ip = IPv4Address(int(ip) >> 80 & 0xFFFFFFFF)
        else:
            return ip in _UNICAST_V6 and not any(ip in network for network in _RESERVED_V6)
    return not any(ip in network for network in _RESERVED_V4)


class _Answer(NamedTuple):
    """What is known of a name until it expires: addresses, or the error to raise."""

    addresses: tuple[str, ...]
    error: PageError | None
    expires: float

    def give(self) -> tuple[str, ...]:
        if self.error is not None:
            raise self.error.with_traceback(None)
        return self.addresses


class Resolver:
    """Looks names up once for everyone who asks, and lets no private address out.

    `allow_private` is True, or the host names and addresses that are exempt from the guard.
    """

    def __init__(
        self,
        *,
        hosts: Mapping[str, str] | None = None,
        allow_private: bool | Collection[str] = False,
        ttl: float = 300.0,
        negative_ttl: float = 300.0,
        failure_ttl: float = 10.0,
        timeout: float = 10.0,
        capacity: int = 100_000,
        nameservers: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hosts = hosts or {}
        self._allow_all = allow_private is True
        self._allowed = frozenset() if isinstance(allow_private, bool) else frozenset(allow_private)
        self._ttl = ttl
        self._negative_ttl = negative_ttl
        self._failure_ttl = failure_ttl
        self._timeout = timeout
        self._capacity = capacity
        self._nameservers = nameservers
        self._clock = clock
        self._channel: aiodns.DNSResolver | None = None
        self._cache: dict[str, _Answer] = {}
        self._asked: dict[str, asyncio.Task[_Answer]] = {}

    async def resolve(self, host: str) -> tuple[str, ...]:
        """The addresses a host may be reached at, best first; raises Refusal or FetchError."""
        answer = self._cache.get(host)
        if answer is not None and self._clock() < answer.expires:
            return answer.give()
        known = self.known(host)
        if known:
            return known
        task = self._asked.get(host)
        if task is None:
            task = self._asked[host] = asyncio.create_task(self._look_up(host))
        # Shielded: who gives up waiting must not spoil the answer for the others.
        return (await asyncio.shield(task)).give()

    def known(self, host: str) -> tuple[str, ...]:
        """The addresses of a host that needs no look-up (a literal, a static name); else nothing."""
        address = self._hosts.get(host, host)
        try:
            literal = str(ip_address(address.strip("[]")))
        except ValueError:
            return ()
        return self._guard(host, (literal,))

    async def close(self) -> None:
        """Give up every look-up and let the name servers go."""
        for task in list(self._asked.values()):
            task.cancel()
        if self._channel is not None:
            await self._channel.close()
            self._channel = None

    async def _look_up(self, host: str) -> _Answer:
        try:
            answer = await self._ask(host)
        finally:
            del self._asked[host]
        self._cache.pop(host, None)
        while len(self._cache) >= self._capacity:
            del self._cache[next(iter(self._cache))]
        self._cache[host] = answer
        return answer

    async def _ask(self, host: str) -> _Answer:
        try:
            async with asyncio.timeout(self._timeout):
                result = await self._open().getaddrinfo(host, type=socket.SOCK_STREAM)
            found = tuple(dict.fromkeys(node.addr[0].decode("ascii") for node in result.nodes))
            return _Answer(self._guard(host, found), None, self._clock() + self._ttl)
        except Refusal as refusal:
            return _Answer((), refusal, self._clock() + self._ttl)
        except aiodns.error.DNSError as error:
            code, message = error.args
            transient = code not in _NO_SUCH_NAME
            detail = f"{host}: {message}"
        except TimeoutError:
            transient, detail = True, f"{host}: no answer in {self._timeout:g} s"
        except (UnicodeError, RuntimeError):  # the ways a name that is none is turned down
            transient, detail = False, f"{host[:80]}: not a name"
        life = self._failure_ttl if transient else self._negative_ttl
        return _Answer((), FetchError(ErrorKind.DNS, detail, transient=transient), self._clock() + life)

    def _open(self) -> aiodns.DNSResolver:
        if self._channel is None:
            self._channel = aiodns.DNSResolver(
                nameservers=self._nameservers or None,
                timeout=self._timeout / 3,
                tries=2,
                flags=pycares.ARES_FLAG_EDNS | pycares.ARES_FLAG_NOSEARCH,
            )
        return self._channel

    def _guard(self, host: str, addresses: tuple[str, ...]) -> tuple[str, ...]:
        if self._allow_all or host in self._allowed:
            return addresses
        fit = tuple(address for address in addresses if address in self._allowed or is_public(address))
        if not fit:
            raise Refusal(ErrorKind.PRIVATE, f"{host} is at {', '.join(addresses[:4]) or 'no address'}")
        return fit
