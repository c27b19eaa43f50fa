import asyncio
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ErrorKind, FetchError, PageError, Refusal
from honeyguide.fetch.robots import Robots
from honeyguide.fetch.robots_rules import Rules
from honeyguide.model import Response

ROBOTS_TXT = "http://a.example/robots.txt"


class Web:
    """Servers that answer with what they were given, when they are let; also the gate and the clock."""

    def __init__(self, body: bytes = b"", status: int = 200) -> None:
        self.body = body
        self.status = status
        self.error: Exception | None = None
        self.truncated = ""
        self.open = asyncio.Event()
        self.open.set()
        self.asked: list[str] = []
        self.slowed: list[tuple[str, float]] = []
        self.left_alone: list[tuple[str, float]] = []
        self.now = 0.0

    async def get(self, url: str) -> Response:
        self.asked.append(url)
        await self.open.wait()
        if self.error is not None:
            raise self.error
        return Response(url, self.status, body=self.body, truncated=self.truncated)

    def slow_down(self, host: str, seconds: float) -> None:
        self.slowed.append((host, seconds))

    def back_off(self, host: str, seconds: float) -> None:
        self.left_alone.append((host, seconds))

    def clock(self) -> float:
        return self.now


def robots_of(
    web: Web,
    *,
    ttl: float = 86_400.0,
    retry_after: float = 600.0,
    max_delay: float = 60.0,
    memory: int = 64 << 20,
) -> Robots:
    return Robots(
        get=web.get,
        gate=web,
        product="honeyguide",
        clock=web.clock,
        ttl=ttl,
        retry_after=retry_after,
        max_delay=max_delay,
        memory=memory,
    )


async def is_allowed(robots: Robots, url: str) -> bool:
    try:
        await robots.check(url)
    except PageError:
        return False
    return True


async def test_checks_of_one_origin_at_once_share_one_request() -> None:
    web = Web(b"User-agent: *\nDisallow: /odd/\n")
    robots = robots_of(web)
    web.open.clear()
    paths = [f"/{'odd' if number % 2 else 'even'}/{number}" for number in range(20)]
    checks = [asyncio.ensure_future(is_allowed(robots, f"http://a.example{path}")) for path in paths]
    await asyncio.sleep(0)
    web.open.set()
    assert await asyncio.gather(*checks) == [path.startswith("/even") for path in paths]
    assert web.asked == [ROBOTS_TXT]


async def test_checks_of_different_origins_do_not_wait_for_each_other() -> None:
    web = Web()
    robots = robots_of(web)
    web.open.clear()
    checks = [asyncio.ensure_future(robots.check(f"http://{name}.example/")) for name in "abc"]
    await asyncio.sleep(0)
    assert len(web.asked) == 3
    web.open.set()
    await asyncio.gather(*checks)


async def test_when_the_one_who_asks_is_cancelled_the_next_who_waits_asks() -> None:
    web = Web(b"User-agent: *\nDisallow: /private\n")
    robots = robots_of(web)
    web.open.clear()
    first, second, third = (
        asyncio.ensure_future(is_allowed(robots, f"http://a.example/{path}"))
        for path in ("x", "private", "y")
    )
    await asyncio.sleep(0)
    first.cancel()
    web.open.set()
    assert list(await asyncio.gather(second, third)) == [False, True]
    assert web.asked == [ROBOTS_TXT, ROBOTS_TXT]


async def test_robots_txt_itself_is_checked_without_asking() -> None:
    web = Web(status=503)
    await robots_of(web).check(ROBOTS_TXT)
    assert web.asked == []


async def test_an_unreachable_robots_txt_is_asked_for_again_after_a_while_and_not_before() -> None:
    web = Web(status=503)
    robots = robots_of(web, retry_after=600.0)
    assert not await is_allowed(robots, "http://a.example/")
    web.status = 200
    web.now = 599.0
    assert not await is_allowed(robots, "http://a.example/")
    assert len(web.asked) == 1
    web.now = 600.0
    assert await is_allowed(robots, "http://a.example/")
    assert len(web.asked) == 2


async def test_every_failure_is_an_error_of_its_own() -> None:
    web = Web(status=500)
    robots = robots_of(web)
    caught = []
    for _ in range(2):
        with pytest.raises(FetchError) as info:
            await robots.check("http://a.example/")
        caught.append(info.value)
    assert caught[0] is not caught[1]
    assert str(caught[0]) == f"robots-unreachable: status: {ROBOTS_TXT} answered 500"
    assert robots.explain("http://a.example/") == caught[0].detail


@pytest.mark.parametrize("kind", [ErrorKind.DNS, ErrorKind.TLS])
async def test_a_failure_that_will_not_pass_is_not_said_to_pass(kind: ErrorKind) -> None:
    web = Web()
    web.error = FetchError(kind, "no such thing")
    with pytest.raises(FetchError) as caught:
        await robots_of(web).check("http://a.example/")
    assert not caught.value.transient
    assert caught.value.kind == ErrorKind.ROBOTS_UNREACHABLE


async def test_a_success_after_a_failure_starts_the_patience_anew() -> None:
    web = Web(status=503)
    robots = Robots(
        get=web.get,
        gate=web,
        product="honeyguide",
        clock=web.clock,
        ttl=10.0,
        retry_after=10.0,
        patience=100.0,
    )
    for status, moment, expected in ((503, 0, 0), (200, 60, 1), (503, 90, 0), (503, 189, 0), (503, 200, 1)):
        web.status, web.now = status, float(moment)
        assert await is_allowed(robots, "http://a.example/") is bool(expected), moment


async def test_an_address_that_may_not_be_asked_is_refused_for_that_reason() -> None:
    web = Web()
    web.error = Refusal(ErrorKind.PRIVATE, "10.0.0.1")
    with pytest.raises(Refusal) as caught:
        await robots_of(web).check("http://a.example/")
    assert caught.value.kind == ErrorKind.PRIVATE


async def test_a_redirect_to_where_we_may_not_go_leaves_no_rules() -> None:
    async def get(url: str) -> Response:
        if "intranet" in url:
            raise Refusal(ErrorKind.PRIVATE, url)
        return Response(url, 301, (("location", "http://intranet.example/robots.txt"),))

    assert await is_allowed(Robots(get=get, gate=Web(), product="honeyguide"), "http://a.example/")


async def test_of_several_locations_the_first_is_followed() -> None:
    async def get(url: str) -> Response:
        if url == ROBOTS_TXT:
            return Response(url, 301, (("Location", "/r.txt"), ("location", "/r.txt")))
        return Response(url, 200 if url.endswith("/r.txt") else 404, body=b"User-agent: *\nDisallow: /\n")

    assert not await is_allowed(Robots(get=get, gate=Web(), product="honeyguide"), "http://a.example/")


@pytest.mark.parametrize("status", [300, 304, 305])
async def test_an_answer_that_is_no_answer_leaves_no_rules(status: int) -> None:
    assert await is_allowed(robots_of(Web(status=status)), "http://a.example/")


@pytest.mark.parametrize("status", [0, 100, 600, 999])
async def test_a_status_that_does_not_exist_counts_as_a_failure_of_the_server(status: int) -> None:
    assert not await is_allowed(robots_of(Web(status=status)), "http://a.example/")


async def test_a_crawl_delay_is_told_to_the_gate_once_per_reading() -> None:
    web = Web(b"User-agent: *\nCrawl-delay: 2.5\nDisallow: /a\n")
    robots = robots_of(web, ttl=100.0)
    for _ in range(5):
        await robots.check("http://a.example:8080/")
    assert web.slowed == [("a.example", 2.5)]


async def test_a_crawl_delay_has_a_longest() -> None:
    web = Web(b"User-agent: *\nCrawl-delay: 86400\n")
    await robots_of(web, max_delay=60.0).check("http://a.example/")
    assert web.slowed == [("a.example", 60.0)]


async def test_only_the_crawl_delay_of_our_own_group_counts() -> None:
    web = Web(b"User-agent: *\nCrawl-delay: 9\n\nUser-agent: honeyguide\nDisallow: /a\n")
    await robots_of(web).check("http://a.example/")
    assert web.slowed == []


async def test_a_crawl_delay_that_is_gone_is_lifted() -> None:
    web = Web(b"User-agent: *\nCrawl-delay: 9\n")
    robots = robots_of(web, ttl=100.0)
    await robots.check("http://a.example/")
    web.body, web.now = b"", 100.0
    await robots.check("http://a.example/")
    assert web.slowed == [("a.example", 9.0), ("a.example", 0.0)]


@pytest.mark.parametrize("value", [b"soon", b"-3", b"nan", b"inf", b"", b"0", b"1e999"])
async def test_a_senseless_crawl_delay_is_none(value: bytes) -> None:
    web = Web(b"User-agent: *\nCrawl-delay: " + value + b"\nDisallow: /a\n")
    assert not await is_allowed(robots_of(web), "http://a.example/a")
    assert web.slowed == []


async def test_sitemaps_are_remembered_wherever_they_stand_and_made_whole() -> None:
    web = Web(
        b"Sitemap: https://cdn.example/one.xml\nUser-agent: x\nDisallow: /\nSitemap: /two.xml\n"
        b"Sitemap:\nSitemap: mailto:me\nsitemap: /two.xml\nSitemap: /caf\xc3\xa9.xml\n"
    )
    robots = robots_of(web)
    assert robots.sitemaps("http://a.example/page") == ()
    await robots.check("http://a.example/")
    assert robots.sitemaps("http://a.example/page") == (
        "https://cdn.example/one.xml",
        "http://a.example/two.xml",
        "http://a.example/caf%C3%A9.xml",
    )
    assert robots.sitemaps("http://b.example/page") == ()


async def test_the_rule_that_decides_can_be_explained() -> None:
    robots = robots_of(Web("User-agent: *\nDisallow: /privé # no\nallow:/privé/open$\n".encode()))
    assert robots.explain("http://a.example/x") == ""
    await robots.check("http://a.example/")
    assert robots.explain("http://a.example/priv%C3%A9/x") == "Disallow: /privé"
    assert robots.explain("http://a.example/priv%C3%A9/open") == "Allow: /privé/open$"
    assert robots.explain("http://a.example/x") == ""
    with pytest.raises(Refusal) as caught:
        await robots.check("http://a.example/priv%C3%A9/x")
    assert caught.value.kind == ErrorKind.ROBOTS
    assert caught.value.detail == "Disallow: /privé"


async def test_an_explanation_of_a_huge_rule_is_short() -> None:
    web = Web(b"User-agent: *\nDisallow: /" + b"*" * 100_000 + b"\n")
    with pytest.raises(Refusal) as caught:
        await robots_of(web).check("http://a.example/")
    assert len(caught.value.detail) < 300


async def test_what_is_remembered_is_bounded_and_what_was_used_last_stays() -> None:
    web = Web(b"User-agent: *\n" + b"Disallow: /some/path\n" * 100)
    robots = robots_of(web, memory=500_000)
    for number in range(50):
        await robots.check("http://often.example/")
        await robots.check(f"http://{number}.example/")
    assert web.asked.count("http://often.example/robots.txt") == 1
    await robots.check("http://49.example/")
    assert len(web.asked) == 51
    await robots.check("http://0.example/")
    assert len(web.asked) == 52


async def test_one_origin_is_remembered_however_large() -> None:
    web = Web(b"User-agent: *\n" + b"Disallow: /some/path\n" * 1000)
    robots = robots_of(web, memory=1)
    await robots.check("http://a.example/")
    await robots.check("http://a.example/")
    assert len(web.asked) == 1


async def test_of_a_body_that_was_cut_on_the_way_the_last_line_is_not_trusted() -> None:
    web = Web(b"User-agent: *\nDisallow: /a\nDisallow: /")
    web.truncated = "length"
    robots = robots_of(web)
    assert await is_allowed(robots, "http://a.example/b")
    assert not await is_allowed(robots, "http://a.example/a")


async def test_a_url_without_a_path_is_matched_as_its_root() -> None:
    robots = robots_of(Web(b"User-agent: *\nDisallow: /$\n"))
    assert not await is_allowed(robots, "http://a.example")
    assert not await is_allowed(robots, "http://a.example/#fragment")


def test_a_misspelt_disallow_is_still_a_wish() -> None:
    assert Rules.read(b"useragent: *\ndisalow: /a\n", "honeyguide").match("/a") is not None


def test_a_crawler_named_like_everybody_else_does_not_confuse_groups() -> None:
    rules = Rules.read(b"User-agent: *\nUser-agent: *\nUser-agent: honeyguide\nDisallow: /a\n", "honeyguide")
    assert rules.match("/a") is not None


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    body=st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.sampled_from(
                [
                    b"User-agent: *",
                    b"Disallow: /",
                    b"Allow:/%zz",
                    b"Crawl-delay: 1",
                    b"Sitemap: http://[",
                    b"\xff\xfe",
                ]
            ),
        ),
        max_size=8,
    ).map(b"\n".join),
    path=st.text(max_size=20).map("/{}".format),
)
def test_no_bytes_and_no_path_break_the_reader(body: bytes, path: str) -> None:
    Rules.read(body, "honeyguide", base=ROBOTS_TXT).match(path)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(
    pattern=st.text("ab/*?$", max_size=8).map("/{}".format),
    path=st.text("ab/?$", max_size=10).map("/{}".format),
)
def test_wildcards_match_what_the_same_regular_expression_matches(pattern: str, path: str) -> None:
    body = pattern.removesuffix("$")
    expression = ".*".join(map(re.escape, body.split("*"))) + (r"\Z" if pattern.endswith("$") else "")
    rules = Rules.read(f"User-agent: *\nDisallow: {pattern}\n".encode(), "honeyguide")
    assert (rules.match(path) is not None) == (re.match(expression, path) is not None)


@pytest.mark.parametrize(
    "line",
    [
        b"Disallow: /" + b"*a" * 250_000 + b"b",
        b"Disallow: /*" + b"a*" * 1000 + b"$",
        b"Disallow: /" + b"%41" * 160_000,
        b"Disallow: /" + b"a" * 500_000,
        b"\x00" * 500_000,
        b"User-agent: " + b"-" * 500_000 + b"1",
        b"Disallow: /*a*b\n" * 32_000,
        b"Sitemap: " + b"/" * 480_000,
        b"Sitemap: /x\n" * 40_000,
        b"User-agent: *\n" * 36_000,
        b"\r" * 500_000,
    ],
    ids=lambda line: line[:16].decode("latin-1") + str(len(line)),
)
def test_a_hostile_file_costs_little_time(line: bytes) -> None:
    started = time.process_time()
    rules = Rules.read(b"User-agent: *\n" + line, "honeyguide", base=ROBOTS_TXT)
    rules.match("/" + "a" * 2000)
    assert time.process_time() - started < 3.0


async def test_a_host_whose_rules_cannot_be_read_is_left_alone_until_they_are_asked_for_again() -> None:
    web = Web()
    web.status = 503
    with pytest.raises(FetchError):
        await robots_of(web, retry_after=7.0).check("https://example.org/page")
    assert web.left_alone == [("example.org", 7.0)]
