from typing import Any

import pytest

from honeyguide.errors import ConfigError
from honeyguide.scope import Scope


@pytest.mark.parametrize(
    ("settings", "url", "reason"),
    [
        ({}, "https://example.org/page", ""),
        ({}, "ftp://example.org/page", "scheme ftp not in scope"),
        ({"schemes": ["https"]}, "http://example.org/page", "scheme http not in scope"),
        ({"hosts": ["Example.ORG"]}, "https://example.org/page", ""),
        ({"hosts": ["example.org"]}, "https://example.org:8443/page", ""),
        ({"hosts": ["example.org"]}, "https://www.example.org/page", "host not in scope"),
        ({"hosts": ["bücher.example"]}, "https://xn--bcher-kva.example/", ""),
        ({"domains": ["example.org"]}, "https://example.org/page", ""),
        ({"domains": ["example.org"]}, "https://a.b.example.org/page", ""),
        ({"domains": ["example.org"]}, "https://notexample.org/page", "host not in scope"),
        ({"domains": ["example.org"]}, "https://example.org.evil.net/", "host not in scope"),
        ({"domains": ["example.org"]}, "https://evil.net/?example.org", "host not in scope"),
        ({"prefixes": ["https://example.org/docs/"]}, "https://example.org/docs/a", ""),
        ({"prefixes": ["HTTPS://Example.org"]}, "https://example.org/docs/a", ""),
        ({"prefixes": ["example.org/docs/"]}, "http://example.org/docs/a", ""),
        ({"prefixes": ["example.org/docs/"]}, "https://example.org/docs/a", ""),
        ({"hosts": ["a.net"], "domains": ["b.net"], "prefixes": ["c.net/x"]}, "http://a.net/", ""),
        ({"hosts": ["a.net"], "domains": ["b.net"], "prefixes": ["c.net/x"]}, "http://www.b.net/", ""),
        ({"hosts": ["a.net"], "domains": ["b.net"], "prefixes": ["c.net/x"]}, "http://c.net/xyz", ""),
        (
            {"prefixes": ["https://example.org"]},
            "https://example.org.evil.net/",
            "not under a host, domain or prefix in scope",
        ),
        ({"exclude_hosts": ["example.org"]}, "https://example.org/", "host example.org excluded"),
        ({"exclude_hosts": ["example.org"]}, "https://ads.example.org/", "host ads.example.org excluded"),
        ({"exclude_hosts": ["ads.example.org"]}, "https://example.org/", ""),
        ({"include": ["/wiki/", "/docs/"]}, "https://example.org/docs/a", ""),
        ({"include": ["/wiki/"]}, "https://example.org/docs/a", "matches no pattern to include"),
        ({"exclude": ["/x/", r"[?&]action="]}, "http://a.net/?action=1", r"excluded by pattern [?&]action="),
        (
            {"include": ["/wiki/"], "exclude": ["/wiki/T"]},
            "http://a.net/wiki/T",
            "excluded by pattern /wiki/T",
        ),
    ],
)
def test_a_url_is_in_scope_or_there_is_a_reason(settings: dict[str, Any], url: str, reason: str) -> None:
    assert Scope(**settings).refuses(url) == reason


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("cat.jpg", "file type .jpg"),
        ("CAT.JPG?size=2", "file type .jpg"),
        ("talk.tar.gz", "file type .gz"),
        ("paper.pdf", "file type .pdf"),
        ("page.html", ""),
        ("page.php?file=cat.jpg", ""),
        ("cat.jpg/about", ""),
        ("wiki/File:Cat.jpg", ""),
        ("feed.xml", ""),
        ("v1.2", ""),
        ("", ""),
    ],
)
def test_files_that_are_no_pages_are_left_alone(path: str, reason: str) -> None:
    assert Scope().refuses(f"https://example.org:8080/{path}") == reason


def test_which_types_are_skipped_can_be_said() -> None:
    scope = Scope(skip_types=[".HTML"])
    assert scope.refuses("https://example.org/page.html") == "file type .html"
    assert scope.refuses("https://example.org/cat.jpg") == ""
    assert Scope(skip_types=[]).refuses("https://example.org/cat.jpg") == ""


def test_depth_is_bounded_only_when_a_bound_is_given() -> None:
    assert Scope().refuses("https://example.org/", 10_000) == ""
    assert Scope(max_depth=3).refuses("https://example.org/", 3) == ""
    assert Scope(max_depth=3).refuses("https://example.org/", 4) == "deeper than 3 links"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"exclude": ["("]}, 'The pattern "(" in the scope is not a regular expression: '),
        ({"include": ["[a"]}, 'The pattern "[a" in the scope is not a regular expression: '),
        ({"hosts": "example.org"}, 'The scope\'s hosts must be a list: write hosts = ["example.org"].'),
        ({"hosts": [""]}, '"" in the scope is not a host name'),
        ({"hosts": ["https://example.org"]}, '"https://example.org" in the scope is not a host name'),
        ({"domains": ["*.example.org"]}, '"*.example.org" in the scope is not a host name'),
        ({"exclude_hosts": ["example.org/docs"]}, '"example.org/docs" in the scope is not a host name'),
        ({"prefixes": ["ftp://example.org/"]}, '"ftp://example.org/" in the scope is not a prefix'),
    ],
)
def test_a_setting_that_cannot_be_meant_is_told_in_one_sentence(
    settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        Scope(**settings)
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith(".")


def test_a_compressed_sitemap_is_no_archive() -> None:
    assert Scope().refuses("https://example.org/sitemap.xml.gz") == ""
    assert Scope().refuses("https://example.org/data.gz") == "file type .gz"
