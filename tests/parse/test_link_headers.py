from honeyguide.model import Link, Origin, Place
from honeyguide.parse.headers import read_link_headers

URL = "http://bees.test/page"


def found(*lines: str) -> dict[str, str]:
    return {link.url: link.anchor for link in read_link_headers(lines, URL).links}


def test_a_link_header_becomes_a_link() -> None:
    (link,) = read_link_headers(['</page/2>; rel="next"; title="More bees"'], URL).links
    assert link == Link(
        "http://bees.test/page/2",
        URL,
        "More bees",
        "More bees",
        Place.HEAD,
        "",
        Origin.HEADER,
        nofollow=False,
    )


def test_several_links_may_stand_in_one_header_and_in_several() -> None:
    assert list(found('<a>; rel=prev, <b> ; rel="start next"', "<c>;rel=last")) == [
        "http://bees.test/a",
        "http://bees.test/b",
        "http://bees.test/c",
    ]


def test_commas_and_semicolons_in_quotes_and_addresses_are_no_separators() -> None:
    line = '<a,b;c>; rel="next"; title="x, <y>; \\"z\\"", <d>; rel=prev'
    assert found(line) == {"http://bees.test/a,b;c": 'x, <y>; "z"', "http://bees.test/d": "d"} or list(
        found(line)
    ) == [
        "http://bees.test/a,b;c",
        "http://bees.test/d",
    ]


def test_relations_that_lead_to_no_page_are_left_out() -> None:
    lines = (
        "</style.css>; rel=stylesheet",
        "</font>; rel=preload; as=font",
        "</api>; rel=alternate; type=application/json",
        "<https://api.test/>; rel=https://api.w.org/",
        "<no-relation>",
    )
    assert found(*lines) == {}


def test_a_feed_may_be_announced_in_a_header() -> None:
    assert list(found('</feed>; rel=alternate; type="application/rss+xml"')) == ["http://bees.test/feed"]


def test_the_canonical_address_is_told_apart() -> None:
    headers = read_link_headers(["</own>; rel=canonical, </other>; rel=canonical"], URL)
    assert headers.canonical == "http://bees.test/own"
    assert headers.links == ()


def test_a_link_about_another_page_is_not_ours() -> None:
    assert found('</x>; rel=next; anchor="/elsewhere"') == {}


def test_hostile_headers_are_read_in_no_time() -> None:
    for line in (
        "<" * 200_000,
        "<a>" * 100_000,
        "<a>; rel=" + '"' * 100_000,
        "<a>" + "; x" * 50_000,
        "<a>" + " ;" * 90_000,
    ):
        assert len(read_link_headers([line] * 20, URL).links) <= 100
