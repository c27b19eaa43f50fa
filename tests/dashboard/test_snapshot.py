"""Snapshots are inert whatever is in them, and made in bounded time."""

import html.parser
import re
import sqlite3
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.dashboard.columns import ColumnShelf
from honeyguide.dashboard.crawls import CrawlAtHand, NotFound
from honeyguide.dashboard.snapshot import ATTRIBUTES, TAGS, inert, inert_html
from honeyguide.store.folder import DATABASE

BASE = "https://h.example/folder/page.html"
ALLOWED = {"dir", "lang", "title", "alt", "start", "reversed", "colspan", "rowspan", "scope"}

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)' onclick='alert(1)'>x</a>",
    "<a href=' java\nscript:alert(1)'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<iframe src=https://evil.example></iframe><iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=https://evil.example></object><embed src=https://evil.example>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'><base href=https://evil.example>",
    "<link rel=stylesheet href=https://evil.example/x.css><style>@import url(https://evil.example)</style>",
    "<p style='background:url(https://evil.example)' class=x id=y>text</p>",
    "<svg onload=alert(1)><script>alert(1)</script><image href=https://evil.example /></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    "<form action=https://evil.example><input autofocus onfocus=alert(1)><button formaction=//evil.example>Go</button>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<video src=https://evil.example poster=https://evil.example><source src=x></video><audio src=x autoplay>",
    "<img srcset='https://evil.example 2x' alt='<img src=x onerror=alert(1)>'><picture><source srcset=x></picture>",
    "<template><script>alert(1)</script></template><textarea><script>alert(1)</script></textarea>",
    "<table background=https://evil.example><td background=https://evil.example>x",
    "<body onload=alert(1) background=https://evil.example><p>unclosed <b>tags",
    "<!--><script>alert(1)</script>--><![CDATA[<script>alert(1)</script>]]>",
    "<xmp><script>alert(1)</script></xmp><plaintext><script>alert(1)</script>",
    "<img alt='<a href=' src=x><a href=/x title='\"><script>alert(1)</script>'>x</a>",
]


class Reading(html.parser.HTMLParser):
    """Notes every tag and attribute of a document's body."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, attrs))


def must_be_inert(document: str) -> None:
    head, _, body = document.partition("</head>")
    assert head.count("<style>") == 1
    reading = Reading()
    reading.feed(body)
    for tag, attributes in reading.seen:
        assert tag in TAGS | {"body"}, tag
        assert {name for name, _ in attributes} <= ALLOWED, (tag, attributes)
    assert not re.search(r"<[^>]*\s(?:href|src|style|on\w+)\s*=", re.sub(r'"[^"]*"', '""', body))


@pytest.mark.parametrize("markup", HOSTILE)
def test_nothing_is_left_that_runs_fetches_or_leads_away(markup: str) -> None:
    must_be_inert(inert(markup.encode(), "text/html", BASE))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from(HOSTILE) | st.text("<>/='\"! abscriptvgm-", max_size=30), max_size=6).map(
        "".join
    )
)
def test_mixtures_of_hostile_markup_are_inert_too(markup: str) -> None:
    must_be_inert(inert(markup.encode(), "text/html", BASE))


def test_what_a_page_says_is_left_and_links_tell_where_they_led() -> None:
    body = b"<h1>Dengue</h1><p>A <b>fever</b>. <a href='../other?a=1&b=2'>more</a></p><img alt='a mosquito' src=x>"
    document = inert(body, "text/html", BASE)
    assert "<h1>Dengue</h1><p>A <b>fever</b>. " in document
    assert '<a title="https://h.example/other?a=1&amp;b=2">more</a>' in document
    assert '<img alt="a mosquito">' in document


def test_bytes_are_read_in_their_own_encoding() -> None:
    assert "Fièvre" in inert("Fièvre".encode("windows-1252"), "text/html; charset=windows-1252", BASE)
    assert "лихорадка" in inert("<p>лихорадка".encode(), "text/html", BASE)
    assert "\0" not in inert(b"<p>a\0b", "text/html", BASE)


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 200_000,
        "<a " + " ".join(f"x{number}=1" for number in range(100_000)) + ">text",
        "<b><p>" * 100_000,
        "<a><b><i><u><p>" * 60_000,
        "<table><tr><td>" * 60_000,
        "<a x='>' " + "y " * 100_000 + ">text",
        "<" * 1_000_000,
        "<p>text" * 200_000,
    ],
)
def test_monstrous_pages_are_made_inert_in_bounded_time(markup: str) -> None:
    started = time.process_time()
    must_be_inert(inert(markup.encode(), "text/html", BASE)[:100_000] + ">")
    assert time.process_time() - started < 5


def test_attributes_that_are_allowed_cannot_fetch() -> None:
    assert {name for names in ATTRIBUTES.values() for name in names} - {"href"} <= ALLOWED


@pytest.fixture
def crawl(crawls_folder: Path) -> CrawlAtHand:
    return CrawlAtHand("dengue", crawls_folder / "dengue", ColumnShelf())


def change(crawl: CrawlAtHand, sql: str) -> None:
    with sqlite3.connect(crawl.folder / DATABASE) as connection:
        connection.execute(sql)


def test_archived_pages_are_shown_by_what_they_are(crawl: CrawlAtHand) -> None:
    with crawl.open() as collection:
        (visit,) = collection.connection.execute(
            "SELECT MIN(id) FROM visits WHERE relevant AND content_type = 'text/html'"
        ).fetchone()
    must_be_inert(inert_html(crawl, visit))
    assert "engue" in inert_html(crawl, visit)
    change(crawl, f"UPDATE visits SET content_type = 'text/plain' WHERE id = {visit}")
    assert "&lt;p&gt;" in inert_html(crawl, visit)
    change(crawl, f"UPDATE visits SET content_type = 'application/x-<b>' WHERE id = {visit}")
    assert "application/x-&lt;b&gt;" in inert_html(crawl, visit)


def test_what_was_not_kept_or_is_gone_is_said_in_a_sentence(crawl: CrawlAtHand) -> None:
    change(crawl, "UPDATE visits SET warc = '' WHERE id = 2")
    with pytest.raises(NotFound, match="was not kept"):
        inert_html(crawl, 2)
    with pytest.raises(NotFound, match="no such visit"):
        inert_html(crawl, 99_999)
    for file in crawl.folder.glob("*.warc.gz"):
        file.unlink()
    with pytest.raises(NotFound, match="cannot be read"):
        inert_html(crawl, 1)
