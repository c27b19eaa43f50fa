from random import Random

import ada_url
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from honeyguide.urls import (
    MAX_URL_LENGTH,
    canonical,
    canonical_all,
    domain_of,
    host_of,
    name_in,
    origin_of,
    url_hash,
    words_of,
)

BASE = "https://example.org/a/b/page.html?old=1#there"

quick = settings(max_examples=300, deadline=None, derandomize=True)

PARTS = """
    http:// https:// // HTTP: www. a.com b.co.uk xn-- é . .. / ../ ./ % %2 %2e %41 %35 35 %25 %2F %c3%a9 ? & =
    # sid utm_x a b 1 abc123def456 ;jsessionid= ;sid= /(S(ab)) (S( ; + \\ | [ ] ^ { } ' " @ : :80 :443 [::1]
    127.1 0x7f ~ - _ ! $ ( ) * , < > ß 。 \ud800 \u200d
"""
bits = st.sampled_from([*PARTS.split(), " ", "\t", "\n", "\x00"])
hrefs = st.one_of(
    st.lists(bits, max_size=9).map("".join),
    st.lists(bits, max_size=9).map(lambda parts: "http://a.com" + "".join(parts)),
    st.text(max_size=40),
)
bases = st.sampled_from(
    [
        "http://a.com/",
        BASE,
        "http://u:p@a.com:8080/;jsessionid=3/x/",
        "http://a.com/%7ex/(S(q))/y//z",
        "http://[::1]:81/x",
        "ftp://a.com/x",
        "mailto:x",
        "no base",
        "",
    ]
)
words = st.text("abcxyz0_-.%2F", max_size=6)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.ORG/Path", "http://example.org/Path"),
        ("http://example.org", "http://example.org/"),
        ("http://example.org:80/", "http://example.org/"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("http://example.org./", "http://example.org/"),
        ("http://user:secret@example.org/", "http://example.org/"),
        ("http://example.org/a/./b/../c", "http://example.org/a/c"),
        ("http://example.org/a/%2e%2E/c", "http://example.org/c"),
        ("http://example.org/a//b", "http://example.org/a//b"),
        ("http://example.org/#top", "http://example.org/"),
        ("http://example.org/#!/route", "http://example.org/"),
        ("http://example.org/a #b", "http://example.org/a%20"),
        ("http://example.org/?", "http://example.org/"),
        ("http://example.org/?&&", "http://example.org/"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::0:1]:80/", "http://[::1]/"),
        ("  http://example.org/a\n/b\t ", "http://example.org/a/b"),
        ("http:\\\\example.org\\a", "http://example.org/a"),
        ("http://example.org/\ud800", "http://example.org/%EF%BF%BD"),
    ],
)
def test_an_address_has_one_spelling(url: str, expected: str) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/%7Eme/%61%2D%2e%5F", "/~me/a-._"),
        ("/caf%c3%a9", "/caf%C3%A9"),
        ("/café", "/caf%C3%A9"),
        ("/a%2fb%3fc%23d%2Be%3b", "/a%2Fb%3Fc%23d%2Be%3B"),
        ("/a+b", "/a+b"),
        ("/wp/%25/%25C3%2581ed.htm", "/wp/%25/%25C3%2581ed.htm"),
        ("/%2541", "/%2541"),
        ("/100%", "/100%25"),
        ("/100%zz", "/100%25zz"),
        ("/%2%35", "/%2525"),
        ("/a|b[c]^", "/a%7Cb%5Bc%5D%5E"),
        ("/it's(ok)!*,=:@$&", "/it's(ok)!*,=:@$&"),
        ("/?q=a|b&r[]=1", "/?q=a%7Cb&r%5B%5D=1"),
        ("/?q='x'+%20%2B", "/?q=%27x%27+%20%2B"),
    ],
)
def test_escapes_have_one_spelling_and_keep_their_meaning(url: str, expected: str) -> None:
    assert canonical("http://example.org" + url) == "http://example.org" + expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("b=2&a=1", "?a=1&b=2"),
        ("b=2&a=2&b=1&a=1", "?a=2&a=1&b=2&b=1"),
        ("a&a=&b", "?a&a=&b"),
        ("utm_source=x&utm_campaign=y", ""),
        ("id=1&gclid=a&fbclid=b&msclkid=c&mc_cid=d&UTM_Term=e", "?id=1"),
        ("PHPSESSID=9f86d0&x=1", "?x=1"),
        ("%50HPSESSID=9f86d0&x=1", "?x=1"),
        ("jsessionid=1&ASPSESSIONIDQABC=2&CFID=3&CFTOKEN=4&x=1", "?x=1"),
        ("sid=9f86d081884c7d659a2feaa0c55ad015", ""),
        ("session_id=123e4567-e89b-12d3-a456-426614174000", ""),
        ("sid=1234&x=1", "?sid=1234&x=1"),
        ("sid=02/11/15/1234", "?sid=02/11/15/1234"),
        ("inside=9f86d081884c7d659a2feaa0c55ad015", "?inside=9f86d081884c7d659a2feaa0c55ad015"),
    ],
)
def test_parameters_are_ordered_and_visitors_marks_are_dropped(query: str, expected: str) -> None:
    assert canonical("http://example.org/p?" + query) == "http://example.org/p" + expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/shop;jsessionid=9F86D0?x=1", "/shop?x=1"),
        ("/shop;JSESSIONID=9F86D0;v=2/cart", "/shop;v=2/cart"),
        ("/(S(lit3py55t21z5v55vlm25s55))/order.aspx", "/order.aspx"),
        ("/wiki/Mercury_(planet)", "/wiki/Mercury_(planet)"),
        ("/a/..;jsessionid=1/b", "/b"),
    ],
)
def test_session_ids_in_the_path_are_dropped(path: str, expected: str) -> None:
    assert canonical("http://example.org" + path) == "http://example.org" + expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "page.html",
        "/page.html",
        "//example.org/",
        "mailto:a@example.org",
        "javascript:void(0)",
        "java\nscript:void(0)",
        "data:text/html,x",
        "ftp://example.org/",
        "file:///etc/passwd",
        "http://",
        "http:///",
        "http://?x",
        "http://a b/",
        "http://exa%00mple.org/",
        "http://1.2.3.999/",
        "http://[::1/",
        "http://a..b/",
        "http://../",
        f"http://{'a' * 64}.org/",
        f"http://{'a.' * 127}org/",
        "http://example.org:99999/",
        "data:" + "x" * 1_000_000,
        "http://example.org/#" + "x" * 1_000_000,
    ],
)
def test_what_is_no_web_address_is_none(url: str) -> None:
    assert canonical(url) is None


def test_an_address_may_be_as_long_as_the_limit_and_no_longer() -> None:
    longest = "http://example.org/".ljust(MAX_URL_LENGTH, "x")
    assert canonical(longest) == longest
    assert canonical(longest + "x") is None
    assert canonical(longest.replace("xx", "é")) is None
    assert canonical(longest + "?utm_source=mail") == longest


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("next.html", "https://example.org/a/b/next.html"),
        ("./next.html", "https://example.org/a/b/next.html"),
        ("../next.html", "https://example.org/a/next.html"),
        ("../../../next.html", "https://example.org/next.html"),
        ("..", "https://example.org/a/"),
        ("../", "https://example.org/a/"),
        ("/top", "https://example.org/top"),
        ("//other.org/x", "https://other.org/x"),
        ("?new=1", "https://example.org/a/b/page.html?new=1"),
        ("", "https://example.org/a/b/page.html?old=1"),
        ("#here", "https://example.org/a/b/page.html?old=1"),
        ("wiki/Talk:Cats", "https://example.org/a/b/wiki/Talk:Cats"),
        ("httpd.html", "https://example.org/a/b/httpd.html"),
        ("https:other.html", "https://example.org/a/b/other.html"),
        ("http://other.org", "http://other.org/"),
        ("mailto:me@example.org", None),
    ],
)
def test_links_are_resolved_against_their_page(href: str, expected: str | None) -> None:
    assert canonical(href, BASE) == expected
    assert canonical_all([href, "/x", href], BASE) == [expected, "https://example.org/x", expected]


@pytest.mark.parametrize("steps", ["../", "../../", "../../../"])
def test_no_number_of_steps_up_leaves_the_host(steps: str) -> None:
    assert canonical(steps + "other.org/x", "http://example.org/a") == "http://example.org/other.org/x"


def test_a_session_segment_of_the_base_still_counts_as_a_folder() -> None:
    assert canonical("../c", "http://example.org/r/(S(tok))/a/b") == "http://example.org/r/c"


@pytest.mark.parametrize("base", ["", "no base", "mailto:x", "http://a b/", "x" * 100_000])
def test_whole_addresses_need_no_sound_base(base: str) -> None:
    assert canonical_all(["http://example.org/", "page.html"], base) == ["http://example.org/", None]


@quick
@given(hrefs, bases)
@example("http://a.com/.;jsessionid=1/x", "")
@example("http://a.com/(S(a));jsessionid=1/x", "")
@example("http://a.com/%%34%31", "")
def test_canonical_never_raises_and_says_the_same_of_its_own_words(href: str, base: str) -> None:
    url = canonical(href, base)
    if url is not None:
        assert canonical(url) == url
        assert ada_url.normalize_url(url) == url
        assert url.isascii()


@quick
@given(hrefs, st.sampled_from(["http://a.com/", BASE, "http://a.com/%7ex/(S(q))/y//z"]))
def test_a_link_leads_where_the_standard_says(href: str, base: str) -> None:
    """Whichever shortcut resolved it, the result is that of parsing first and tidying afterwards."""
    try:
        parsed = ada_url.join_url(base, href)
    except ValueError:
        return
    assert canonical(href, base) == canonical(parsed)


@quick
@given(st.dictionaries(words.filter(bool), words, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_parameters_does_not_matter(parameters: dict[str, str], random: Random) -> None:
    pairs = [f"{name}={value}" for name, value in parameters.items()]
    names = {canonical(f"http://a.com/?{name}") for name in parameters}
    if len(names) < len(parameters):
        return  # two spellings of one name: their order is meant
    shuffled = list(pairs)
    random.shuffle(shuffled)
    assert canonical("http://a.com/?" + "&".join(pairs)) == canonical("http://a.com/?" + "&".join(shuffled))


@quick
@given(hrefs, bases)
@example("http://[::1]:8080/", "")
@example("http://127.1:8080", "")
def test_host_and_origin_agree_with_the_parser(href: str, base: str) -> None:
    url = canonical(href, base)
    if url is not None:
        parsed = ada_url.URL(url)
        assert host_of(url) == parsed.hostname
        assert origin_of(url) == parsed.origin


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.org", "example.org"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("co.uk", "co.uk"),
        ("someone.github.io", "someone.github.io"),
        ("wiki.unknown.test", "unknown.test"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("www.xn--bcher-kva.de", "xn--bcher-kva.de"),
        ("", ""),
    ],
)
def test_a_host_belongs_to_its_registered_domain(host: str, domain: str) -> None:
    assert domain_of(host) == domain


def test_a_hash_is_stable_and_fits_a_signed_64_bit_integer() -> None:
    assert url_hash("") == 0x2D06800538D394C2
    assert url_hash("http://example.org/") == -5242817029757127295
    hashes = [url_hash(f"http://example.org/{number}") for number in range(1000)]
    assert len(set(hashes)) == 1000
    assert min(hashes) < 0 < max(hashes)
    assert all(-(2**63) <= value < 2**63 for value in hashes)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/", ""),
        ("https://example.org/index.html", ""),
        ("https://example.org/solar-power/heat_pumps.html?utm=x", "solar power heat pumps"),
        ("https://example.org/2026/11/15/Solar%20Power-101.php", "Solar Power"),
        ("https://example.org/caf%C3%A9/%E4%B8%AD%E5%9B%BD", "café 中国"),
        ("https://example.org/%E0%A4%B9%E0%A4%BF%E0%A4%A8%E0%A5%8D%E0%A4%A6%E0%A5%80", "हिन्दी"),
        ("https://example.org/wp/a/%25C3%2581ed%25C3%25A1n.htm", "wp Áedán"),
        ("https://example.org/%FF%FEbroken", "broken"),
        ("https://example.org/v1.2/notes", "notes"),
    ],
)
def test_words_are_read_off_a_path(url: str, expected: str) -> None:
    assert words_of(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/people/Marie_Curie.html", "Marie Curie"),
        ("https://example.org/wiki/Washington,_D.C.", "Washington, D.C."),
        ("https://example.org/wp/a/%25C3%2581ed%25C3%25A1n.htm?print=1", "Áedán"),
        ("https://example.org/people/marie-curie", ""),
        ("https://example.org/People/", ""),
        ("https://example.org", ""),
        ("https://example.org/_Draft_", ""),
        ("https://example.org/wiki/Category:Birds", "Birds"),
        ("https://example.org/wiki/User_talk:Ada_Lovelace", "Ada Lovelace"),
        ("https://example.org/wiki/Alien:_Covenant", "Alien: Covenant"),
        ("https://example.org/Default.aspx", ""),
        ("https://example.org/Index.html", ""),
        ("https://example.org/wiki/Main_Page", ""),
        ("https://example.org/wiki/Category:Home", ""),
        ("https://example.org/wiki/Home_front", "Home front"),
    ],
)
def test_a_name_is_read_off_the_last_part_of_a_path_if_it_is_written_as_one(url: str, expected: str) -> None:
    assert name_in(url) == expected
