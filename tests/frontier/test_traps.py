import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.frontier.traps import Traps


def visit(traps: Traps, pattern: str, times: int, *, paid: bool = False, start: int = 1) -> None:
    for number in range(start, start + times):
        traps.learn(pattern.format(number), paid)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://example.org/", ""),
        ("https://example.org/x/x/", ""),
        ("https://example.org/a/b/a/b/c", ""),
        ("https://example.org/x/x/x", "trap: path repeats itself"),
        ("https://example.org/a/b/a/b/a/b/", "trap: path repeats itself"),
        ("https://example.org/in/a/b/c/a/b/c/a/b/c", "trap: path repeats itself"),
        ("https://example.org/about/a/about/b/about/c/d/about", "trap: path repeats itself"),
        ("https://example.org/a///////b", "trap: path repeats itself"),
        ("https://example.org/content/1/1/1", ""),
        ("https://example.org/?next=/x/x/x/x", ""),
        ("https://example.org/" + "/".join("abcdefghijklmno") + "/", ""),
        ("https://example.org/" + "/".join("abcdefghijklmnop"), "trap: path of more than 15 segments"),
        ("https://example.org/?" + "&".join(f"p{i}=1" for i in range(15)), ""),
        (
            "https://example.org/?" + "&".join(f"p{i}=1" for i in range(16)),
            "trap: more than 15 query parameters",
        ),
        ("https://example.org/?q=" + "x" * 510, ""),
        ("https://example.org/?q=" + "x" * 511, "trap: query of more than 512 characters"),
        ("https://example.org/?f=a&f=b&f=c&f=d", ""),
        ("https://example.org/?f=a&f=a&f=a&g=b", "trap: query repeats itself"),
        ("https://example.org/?back=%252Flogin", ""),
        ("https://example.org/?back=%252Flogin%253Fback%253D%25252Flogin", "trap: query wrapped in itself"),
    ],
)
def test_some_traps_show_in_the_url(url: str, reason: str) -> None:
    assert Traps().refuses(url) == reason


def test_a_shape_is_cut_off_when_its_patience_is_used_up_and_not_before() -> None:
    traps = Traps(patience=30)
    visit(traps, "https://example.org/list/{}", 29)
    assert traps.refuses("https://example.org/list/99") == ""
    visit(traps, "https://example.org/list/{}", 1)
    assert traps.refuses("https://example.org/list/99") == (
        "trap: 30 visits without yield to example.org/list/{n}"
    )
    assert traps.refuses("https://example.org/list/plain") == ""
    assert traps.refuses("https://example.org/other/99") == ""
    assert traps.refuses("https://other.org/list/99") == ""


def test_a_shape_that_paid_within_its_patience_is_never_cut() -> None:
    traps = Traps(patience=30)
    for _ in range(20):
        visit(traps, "https://example.org/list/{}", 29)
        visit(traps, "https://example.org/list/{}", 1, paid=True)
        assert traps.refuses("https://example.org/list/7") == ""


def test_a_visit_that_pays_opens_its_shape_again() -> None:
    traps = Traps(patience=3)
    visit(traps, "https://example.org/list/{}", 5)
    assert traps.refuses("https://example.org/list/7")
    visit(traps, "https://example.org/list/{}", 1, paid=True)
    assert traps.refuses("https://example.org/list/7") == ""
    assert traps._cut == {}


@pytest.mark.parametrize(
    ("visited", "asked"),
    [
        ("https://example.org/p?page={}", "https://example.org/p?page=99"),
        ("https://example.org/item{}.html", "https://example.org/item99.html"),
        ("https://example.org/s/9f86d08188{:04d}/cart", "https://example.org/s/0123456789abcdef/cart"),
        ("https://example.org/s/kT9x{:04d}dGhpcyBp-Q_z/cart", "https://example.org/s/Zm9vYmFy77YmF6/cart"),
        (
            "https://example.org/u/123e4567-e89b-12d3-a456-42661417{:04d}",
            "https://example.org/u/9b2e4567-0-1",
        ),
        ("https://example.org/p?q=word{}", "https://example.org/p?q=other"),
        ("https://example.org/%C3%A9kT9x{:04d}dGhpcyBp", "https://example.org/%C3%A9Zm9vYmFy77YmF6"),
        ("https://example.org/caf%C3%A9/{}", "https://example.org/caf%C3%A9/99"),
        ("https://example.org/caf%C3%A9{}", "https://example.org/caf%C3%A999"),
    ],
)
def test_urls_that_differ_in_what_can_be_counted_have_one_shape(visited: str, asked: str) -> None:
    traps = Traps(patience=30)
    visit(traps, visited, 30)
    assert traps.refuses(asked).startswith("trap: 30 visits without yield")


@pytest.mark.parametrize(
    ("visited", "asked"),
    [
        ("https://example.org/p?view=calendar&id={}", "https://example.org/p?view=article&id=1"),
        ("https://example.org/2026/11/15/post-{}", "https://example.org/2026/11/15/about-cats"),
        ("https://example.org/%E4%B8%AD{}", "https://example.org/%E5%9B%BD1"),
        ("https://example.org/%D0%91{}", "https://example.org/%D0%921"),
        ("https://example.org/p?id={}", "https://example.org/p?q=1"),
    ],
)
def test_urls_that_differ_in_words_have_shapes_of_their_own(visited: str, asked: str) -> None:
    traps = Traps(patience=30)
    visit(traps, visited, 30)
    assert traps.refuses(visited.format(99))
    assert traps.refuses(asked) == ""


@pytest.mark.parametrize(
    "pattern",
    [
        "https://example.org/events/2026/{}/",
        "https://example.org/events/2026/11/{}",
        "https://example.org/events/2026-{:02d}",
        "https://example.org/events/2026-11-{:02d}/index.html",
        "https://example.org/events/{:02d}.11.2026",
        "https://example.org/events/202611{:02d}/month",
        "https://example.org/events?month={}",
        "https://example.org/events?from=2026-11-{:02d}T00:00",
        "https://example.org/events?at=2026%2F11%2F{}",
        "https://example.org/events?start_date={}",
    ],
)
def test_calendars_get_less_patience(pattern: str) -> None:
    traps = Traps(patience=30, calendar_patience=8)
    visit(traps, pattern, 7)
    assert traps.refuses(pattern.format(9)) == ""
    visit(traps, pattern, 1)
    assert traps.refuses(pattern.format(9)).startswith("trap: 8 visits without yield")


@pytest.mark.parametrize(
    "pattern",
    [
        "https://example.org/2026/11/15/article-{}.html",
        "https://example.org/2026/11/15/{}/story",
        "https://example.org/article/2005{:02d}",
    ],
)
def test_a_date_in_an_article_s_address_makes_no_calendar(pattern: str) -> None:
    traps = Traps(patience=30, calendar_patience=8)
    visit(traps, pattern, 12)
    assert traps.refuses(pattern.format(9)) == ""


def test_a_path_of_plain_words_is_never_cut() -> None:
    traps = Traps(patience=3)
    for _ in range(10):
        traps.learn("https://example.org/about", False)
    assert traps.refuses("https://example.org/about") == ""
    assert traps.state() == {"misses": []}


def test_memory_is_bounded_and_what_was_met_last_is_remembered() -> None:
    traps = Traps(patience=2, max_shapes=3)
    visit(traps, "https://a.org/{}", 2)
    visit(traps, "https://b.org/{}", 2)
    visit(traps, "https://c.org/{}", 2)
    assert traps.refuses("https://a.org/7")
    visit(traps, "https://d.org/{}", 2)
    assert traps.refuses("https://a.org/7")
    assert traps.refuses("https://b.org/7") == ""
    assert traps.refuses("https://c.org/7")
    assert traps.refuses("https://d.org/7")
    for number in range(1000):
        visit(traps, f"https://h{number}.org/{{}}", 2)
    assert len(traps.state()["misses"]) == len(traps._cut) == 3


def test_settings_that_shrank_hold_for_a_restored_state() -> None:
    traps = Traps(patience=2)
    for host in "abc":
        visit(traps, f"https://{host}.org/{{}}", 2)
    smaller = Traps(patience=2, max_shapes=2)
    smaller.restore(traps.state())
    assert [bool(smaller.refuses(f"https://{host}.org/7")) for host in "abc"] == [False, True, True]


visits = st.lists(
    st.tuples(
        st.sampled_from(
            ["https://a.org/{}", "https://a.org/x?p={}", "https://b.org/2026/{}", "https://b.org/w"]
        ),
        st.integers(1, 12),
        st.sampled_from([False, False, False, True]),
    ),
    max_size=60,
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(visits, visits)
def test_a_resumed_crawl_cuts_the_same(
    before: list[tuple[str, int, bool]], after: list[tuple[str, int, bool]]
) -> None:
    traps = Traps(patience=4, calendar_patience=2, max_shapes=2)
    for pattern, number, paid in before:
        traps.learn(pattern.format(number), paid)
    resumed = Traps(patience=4, calendar_patience=2, max_shapes=2)
    resumed.restore(json.loads(json.dumps(traps.state())))
    for pattern, number, paid in after:
        url = pattern.format(number)
        assert resumed.refuses(url) == traps.refuses(url)
        traps.learn(url, paid)
        resumed.learn(url, paid)
    assert resumed.state() == traps.state()


@pytest.mark.parametrize("url", ["ftp://h/1", "file:///x/1", "http://h", "http://[::1]:80/1?"])
def test_any_address_can_be_asked_and_learned(url: str) -> None:
    traps = Traps(patience=1)
    traps.learn(url, False)
    traps.refuses(url)
