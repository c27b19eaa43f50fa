import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from hostile_server import Answer, Exchange, HostileServer, answer

from honeyguide.errors import ErrorKind, FetchError, Refusal
from honeyguide.fetch.client import Client
from honeyguide.fetch.dns import Resolver
from honeyguide.fetch.http import HttpFetcher, Robots
from honeyguide.model import Conditions, Hop


class OpenGate:
    """Lets everyone through at once."""

    @asynccontextmanager
    async def turn(self, host: str, address: str) -> AsyncIterator[None]:
        yield

    def slow_down(self, host: str, delay: float) -> None: ...

    def back_off(self, host: str, seconds: float | None) -> None: ...

    def succeed(self, host: str) -> None: ...


class StrictRobots:
    """Forbids what holds a word, and remembers what it was asked."""

    def __init__(self, forbidden: str) -> None:
        self.asked: list[str] = []
        self._forbidden = forbidden

    async def check(self, url: str) -> None:
        self.asked.append(url)
        if self._forbidden in url:
            raise Refusal(ErrorKind.ROBOTS, url)


@asynccontextmanager
async def a_fetcher(
    *,
    robots: Robots | None = None,
    check_hop: Callable[[str, str], None] | None = None,
    max_redirects: int = 10,
) -> AsyncIterator[HttpFetcher]:
    hosts = {"site.test": "127.0.0.1", "other.test": "127.0.0.1", "inside.test": "127.0.0.2"}
    resolver = Resolver(hosts=hosts, allow_private=("site.test", "other.test"))
    client = Client(resolver=resolver, gate=OpenGate(), user_agent="Honeyguide/test", timeout=5)
    fetcher = HttpFetcher(client=client, robots=robots, check_hop=check_hop, max_redirects=max_redirects)
    try:
        async with asyncio.timeout(8):
            yield fetcher
    finally:
        await fetcher.close()


def to(location: str, status: str = "302 Found") -> bytes:
    return answer(b"moved", status, location=location)


async def failure(routes: dict[str, Answer], **options: int) -> FetchError:
    async with HostileServer(routes) as server, a_fetcher(**options) as fetcher:  # type: ignore[arg-type]
        with pytest.raises(FetchError) as caught:
            await fetcher.fetch(server.url("/"))
        return caught.value


async def test_a_page_without_redirects_is_the_client_s_answer() -> None:
    async with HostileServer({"/": answer(b"page")}) as server, a_fetcher() as fetcher:
        response = await fetcher.fetch(server.url("/"))
    assert (response.url, response.body, response.hops) == (server.url("/"), b"page", ())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_followed_and_recorded(status: int) -> None:
    routes = {"/": to("/there#part", f"{status} Moved"), "/there": answer(b"page")}
    async with HostileServer(routes) as server, a_fetcher() as fetcher:
        response = await fetcher.fetch(server.url("/"))
    assert (response.url, response.body) == (server.url("/there"), b"page")
    (hop,) = response.hops
    assert hop[:3] == Hop(server.url("/"), status, server.url("/there"))[:3]
    assert ("Location", "/there#part") in hop.headers


async def test_locations_are_joined_hop_by_hop_and_across_hosts() -> None:
    routes = {"/": to("a/b"), "/a/b": to("../c"), "/d": answer(b"page")}
    async with HostileServer(routes) as server, a_fetcher() as fetcher:
        server.routes["/c"] = to(f"//other.test:{server.port}/d")
        response = await fetcher.fetch(server.url("/"))
    assert response.url == server.url("/d", host="other.test")
    assert [hop.target for hop in response.hops] == [
        server.url("/a/b"),
        server.url("/c"),
        server.url("/d", host="other.test"),
    ]
    assert server.seen[-1].headers["host"] == f"other.test:{server.port}"


async def test_a_location_in_bare_utf_8_is_understood() -> None:
    act = "HTTP/1.1 302 Found\r\nLocation: /käfer\r\nContent-Length: 0\r\n\r\n".encode()
    async with (
        HostileServer({"/": act, "/k%C3%A4fer": answer(b"beetle")}) as server,
        a_fetcher() as fetcher,
    ):
        assert (await fetcher.fetch(server.url("/"))).body == b"beetle"


async def test_a_location_said_twice_is_one_location() -> None:
    act = b"HTTP/1.1 302 Found\r\nLocation: /one\r\nLocation: /one\r\nContent-Length: 0\r\n\r\n"
    async with HostileServer({"/": act, "/one": answer(b"1")}) as server, a_fetcher() as fetcher:
        assert (await fetcher.fetch(server.url("/"))).body == b"1"


@pytest.mark.parametrize(
    "routes",
    [
        {"/": to("/")},
        {"/": to("/a"), "/a": to("/")},
        {"/": to("/#elsewhere")},
        {"/": to("/a"), "/a": to("/b"), "/b": to("/a")},
    ],
)
async def test_a_redirect_loop_is_noticed(routes: dict[str, Answer]) -> None:
    error = await failure(routes)
    assert (error.kind, error.transient) == (ErrorKind.REDIRECTS, False)
    assert error.detail.startswith("a loop")


async def test_an_endless_chain_of_redirects_is_left() -> None:
    routes: dict[str, Answer] = {"/": to("/1"), **{f"/{n}": to(f"/{n + 1}") for n in range(50)}}
    async with HostileServer(routes) as server, a_fetcher(max_redirects=3) as fetcher:
        with pytest.raises(FetchError) as caught:
            await fetcher.fetch(server.url("/"))
    assert caught.value.kind is ErrorKind.REDIRECTS
    assert len(server.seen) == 4


async def test_a_chain_as_long_as_allowed_is_followed() -> None:
    routes: dict[str, Answer] = {"/": to("/1"), "/1": to("/2"), "/2": to("/3"), "/3": answer(b"end")}
    async with HostileServer(routes) as server, a_fetcher(max_redirects=3) as fetcher:
        assert len((await fetcher.fetch(server.url("/"))).hops) == 3


async def test_a_server_that_insists_on_its_own_spelling_gets_it_once() -> None:
    routes = {
        "/list?a=1&b=2": to("/list?b=2&a=1"),
        "/list?b=2&a=1": answer(b"sorted my way"),
        "/stubborn?a=1&b=2": to("/stubborn?b=2&a=1"),
        "/stubborn?b=2&a=1": to("/stubborn?a=1&b=2"),
    }
    async with HostileServer(routes) as server, a_fetcher(check_hop=_no_hops) as fetcher:
        response = await fetcher.fetch(server.url("/list?a=1&b=2"))
        assert (response.body, response.url) == (b"sorted my way", server.url("/list?a=1&b=2"))
        with pytest.raises(FetchError) as caught:
            await fetcher.fetch(server.url("/stubborn?a=1&b=2"))
        assert caught.value.kind is ErrorKind.REDIRECTS


def _no_hops(source: str, target: str) -> None:
    raise Refusal(ErrorKind.SCOPE, target)


@pytest.mark.parametrize(
    "location", ["mailto:a@b.test", "javascript:alert(1)", "file:///etc/passwd", "http://"]
)
async def test_a_redirect_out_of_the_web_is_not_followed(location: str) -> None:
    assert (await failure({"/": to(location)})).kind is ErrorKind.REDIRECTS


async def test_a_redirect_that_says_not_where_is_a_failed_status() -> None:
    error = await failure({"/": b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"})
    assert (error.kind, error.status) == (ErrorKind.STATUS, 302)


@pytest.mark.parametrize(
    "target",
    [
        "http://inside.test:{port}/",
        "http://127.0.0.1:{port}/",
        "http://127.1:{port}/",
        "http://[::1]:{port}/",
    ],
)
async def test_a_redirect_into_a_private_network_is_refused(target: str) -> None:
    async with (
        HostileServer({"/": answer(b"secret")}, address="127.0.0.2") as inside,
        HostileServer({}) as server,
        a_fetcher() as fetcher,
    ):
        server.routes["/"] = to(target.format(port=inside.port))
        with pytest.raises(Refusal) as caught:
            await fetcher.fetch(server.url("/"))
    assert caught.value.kind is ErrorKind.PRIVATE
    assert inside.connections == 0


async def test_robots_are_asked_at_every_hop_the_first_included() -> None:
    robots = StrictRobots("forbidden")
    routes = {"/": to("/ok"), "/ok": to("/forbidden"), "/forbidden": answer(b"no")}
    async with HostileServer(routes) as server, a_fetcher(robots=robots) as fetcher:
        for path in ("/", "/forbidden"):
            with pytest.raises(Refusal) as caught:
                await fetcher.fetch(server.url(path))
            assert caught.value.kind is ErrorKind.ROBOTS
    assert robots.asked == [server.url(path) for path in ("/", "/ok", "/forbidden", "/forbidden")]
    assert [exchange.target for exchange in server.seen] == ["/", "/ok"]


async def test_a_hop_may_be_refused_and_the_first_url_is_no_hop() -> None:
    shown: list[tuple[str, str]] = []

    def check_hop(source: str, target: str) -> None:
        shown.append((source, target))
        if target.endswith("/b"):
            raise Refusal(ErrorKind.SCOPE, "left the site")

    routes = {"/": to("/a"), "/a": to("/b"), "/b": answer(b"no")}
    async with HostileServer(routes) as server, a_fetcher(check_hop=check_hop) as fetcher:
        with pytest.raises(Refusal) as caught:
            await fetcher.fetch(server.url("/"))
    assert caught.value.kind is ErrorKind.SCOPE
    assert shown == [(server.url("/"), server.url("/a")), (server.url("/"), server.url("/b"))]
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    "status", [400, 403, 404, 408, 410, 425, 429, 451, 500, 501, 502, 503, 504, 520, 999]
)
async def test_an_error_status_is_a_failure_that_says_whether_it_may_pass(status: int) -> None:
    error = await failure({"/": answer(b"{}", f"{status} Whatever", content_type="application/json")})
    assert (error.kind, error.status) == (ErrorKind.STATUS, status)
    assert error.transient == (status in {408, 425, 429, 500, 502, 503, 504})
    assert error.detail.startswith(str(status))


async def test_a_status_is_told_by_its_proper_name() -> None:
    assert (await failure({})).detail == "404 Not Found"


@pytest.mark.parametrize("status", ["300 Choices", "304 Not Modified", "305 Use Proxy"])
async def test_an_answer_that_is_neither_page_nor_redirect_is_a_failure(status: str) -> None:
    assert (await failure({"/": f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()})).status == int(
        status[:3]
    )


async def test_a_page_that_has_not_changed_is_an_answer_when_that_was_the_question() -> None:
    async def answer_if_changed(exchange: Exchange) -> None:
        known = exchange.headers.get("if-none-match") == '"v1"'
        await exchange.send(b"HTTP/1.1 304 Not Modified\r\n\r\n" if known else answer(b"page", etag='"v1"'))

    async with HostileServer({"/": answer_if_changed}) as server, a_fetcher() as fetcher:
        first = await fetcher.fetch(server.url("/"))
        second = await fetcher.fetch(server.url("/"), Conditions(etag=first.header("etag")))
    assert (first.status, second.status, second.body) == (200, 304, b"")


async def test_conditions_are_not_put_to_another_address() -> None:
    routes = {"/": to("/there"), "/there": answer(b"page")}
    async with HostileServer(routes) as server, a_fetcher() as fetcher:
        await fetcher.fetch(server.url("/"), Conditions(etag='"v1"'))
    assert ["if-none-match" in exchange.headers for exchange in server.seen] == [True, False]


async def test_not_changed_is_no_answer_from_an_address_that_was_not_asked_for_changes() -> None:
    routes = {"/": to("/there"), "/there": b"HTTP/1.1 304 Not Modified\r\n\r\n"}
    async with HostileServer(routes) as server, a_fetcher() as fetcher:
        with pytest.raises(FetchError) as caught:
            await fetcher.fetch(server.url("/"), Conditions(etag='"v1"'))
    assert caught.value.status == 304


@pytest.mark.parametrize(
    "content_type",
    [
        "text/html",
        "TEXT/HTML; charset=utf-8",
        "application/xhtml+xml",
        "text/plain",
        "application/rss+xml",
        "application/atom+xml;type=feed",
        "text/xml",
        "application/xml",
        "",
    ],
)
async def test_readable_types_are_read(content_type: str) -> None:
    act = answer(b"page", content_type=content_type)
    async with HostileServer({"/": act}) as server, a_fetcher() as fetcher:
        assert (await fetcher.fetch(server.url("/"))).body == b"page"


@pytest.mark.parametrize(
    "content_type", ["image/png", "application/pdf", "video/mp4", "text/css", "nonsense"]
)
async def test_other_types_are_refused(content_type: str) -> None:
    act = answer(b"page", content_type=content_type)
    async with HostileServer({"/": act}) as server, a_fetcher() as fetcher:
        with pytest.raises(Refusal) as caught:
            await fetcher.fetch(server.url("/"))
    assert (caught.value.kind, caught.value.detail) == (ErrorKind.TYPE, content_type)
