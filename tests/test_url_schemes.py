"""Old webs link to ftp: and file: too; those links survive when asked for, and only then."""

import pytest

from honeyguide.model import Response
from honeyguide.parse.pages import PageParser
from honeyguide.urls import canonical, canonical_all

OLD = ("http", "https", "ftp", "file")


@pytest.mark.parametrize(
    ("href", "base", "expected"),
    [
        ("ftp://User:pw@FTP.test:21/pub/%7ex y", None, "ftp://ftp.test/pub/~x%20y"),
        ("FTP://ftp.test", None, "ftp://ftp.test/"),
        ("../b/./c#part", "ftp://ftp.test/a/d", "ftp://ftp.test/b/c"),
        ("y", "file://host.test/dir/x", "file://host.test/dir/y"),
        ("file:///etc/passwd", None, "file:///etc/passwd"),
        ("http://a.test/x", "ftp://ftp.test/", "http://a.test/x"),
        ("//a.test/x", "ftp://ftp.test/", "ftp://a.test/x"),
        ("mailto:a@b.test", "ftp://ftp.test/", None),
        ("gopher://g.test/1", None, None),
        ("ftp:///x", "http://a.test/", "ftp://x/"),
        ("ftp://..", None, None),
    ],
)
def test_links_of_the_schemes_asked_for_have_one_spelling(
    href: str, base: str | None, expected: str | None
) -> None:
    assert canonical(href, base, OLD) == expected
    if expected:
        assert canonical(expected, None, OLD) == expected
        assert canonical(expected) == (expected if expected.startswith("http") else None)


def test_only_the_schemes_asked_for_are_given() -> None:
    hrefs = ["http://a.test/", "https://a.test/", "ftp://a.test/", "/x"]
    assert canonical_all(hrefs, "http://a.test/") == [
        "http://a.test/",
        "https://a.test/",
        None,
        "http://a.test/x",
    ]
    assert canonical_all(hrefs, "http://a.test/", ["https"]) == [None, "https://a.test/", None, None]
    assert canonical("http://a.test/", None, ["https"]) is None


@pytest.mark.parametrize("adapter", ["turbohtml", "selectolax"])
def test_a_parser_reads_links_of_the_schemes_it_is_told(adapter: str) -> None:
    if adapter == "selectolax":
        pytest.importorskip("selectolax")
    body = b"<base href='ftp://f.test/d/'><a href=x>one</a> <a href=http://a.test/>two</a> <a href=mailto:a@b>no</a>"
    old = Response("ftp://f.test/", 200, (("Content-Type", "text/html"),), body)
    links = PageParser(adapter=adapter, schemes=OLD).parse(old).links
    assert [link.url for link in links] == ["ftp://f.test/d/x", "http://a.test/"]
    assert [link.url for link in PageParser(adapter=adapter).parse(old).links] == ["http://a.test/"]
