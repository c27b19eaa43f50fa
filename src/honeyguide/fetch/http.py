"""The web as a Fetcher: follows redirects hop by hop, asking at each whether it may go on."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Protocol

from ada_url import join_url

from honeyguide.errors import ErrorKind, FetchError
from honeyguide.fetch.client import Client
from honeyguide.model import Conditions, Hop, Response
from honeyguide.urls import canonical

READABLE = (
    "text/html",
    "application/xhtml+xml",
    "text/plain",
    "application/xml",
    "text/xml",
    "application/rss+xml",
    "application/atom+xml",
    "application/gzip",
    "application/x-gzip",
)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})


class Robots(Protocol):
    """Knows what a site allows; raises Refusal or FetchError."""

    async def check(self, url: str) -> None: ...


class HttpFetcher:
    """Gets pages from the web.

    `check_hop` is shown the address asked for and every redirect's target before it is followed, and raises
    Refusal to stop.
    Failures that may pass are raised as transient; trying again is the loop's business.
    """

    def __init__(
        self,
        *,
        client: Client,
        robots: Robots | None = None,
        check_hop: Callable[[str, str], None] | None = None,
        max_redirects: int = 10,
        types: Sequence[str] = READABLE,
    ) -> None:
        self._client = client
        self._robots = robots
        self._check_hop = check_hop
        self._max_redirects = max_redirects
        self._types = tuple(types)

    async def fetch(self, url: str, conditions: Conditions | None = None) -> Response:
        """The page an address leads to; a 304 when conditions were given and still hold.

        Conditions are put to `url` only: what is known of one page says nothing of where it may lead now.
        """
        asked = {url}
        hops: list[Hop] = []
        spelling = url  # what is sent, where that differs from the canonical spelling
        while True:
            if self._robots is not None:
                await self._robots.check(spelling)
            response = await self._client.get(
                spelling, conditions if not hops else None, accept=self._accepts
            )
            location = _location(response) if response.status in _REDIRECTS else ""
            if not location:
                break
            if len(hops) >= self._max_redirects:
                raise FetchError(ErrorKind.REDIRECTS, f"more than {self._max_redirects} redirects")
            target = canonical(location, spelling)
            if target is None:
                raise FetchError(ErrorKind.REDIRECTS, f"to no web address: {location[:200]}")
            hops.append(Hop(url, response.status, target, response.headers))
            if target not in asked:
                if self._check_hop is not None:
                    self._check_hop(hops[0].url, target)
                spelling = target
            else:
                # A server may insist on a spelling of its own (the order of a query, a session's
                # mark) that is the same address to us: it gets its way once.
                spelling = join_url(spelling, location).partition("#")[0]
                if spelling in asked:
                    raise FetchError(ErrorKind.REDIRECTS, f"a loop at {target}")
            url = target
            asked.update((target, spelling))
        if response.status == HTTPStatus.NOT_MODIFIED and conditions is not None and not hops:
            return response
        if not 200 <= response.status < 300:
            raise FetchError(
                ErrorKind.STATUS,
                _title(response.status),
                transient=response.status in _PASSING,
                status=response.status,
            )
        return replace(response, url=url, hops=tuple(hops)) if hops else response

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()

    def _accepts(self, content_type: str) -> bool:
        return not content_type or content_type.lower().startswith(self._types)


def _location(response: Response) -> str:
    """The first Location; browsers read its bytes as UTF-8, so this does."""
    for name, value in response.headers:
        if name.lower() == "location":
            try:
                return value.encode("latin-1").decode("utf-8")
            except UnicodeDecodeError:
                return value
    return ""


def _title(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
