"""Pages made to stall or swell a parser are read, or refused, in little time and memory."""

import random
import time
from collections.abc import Callable

import pytest

from honeyguide.errors import ParseError
from honeyguide.model import Page, Response
from honeyguide.parse.pages import PageParser

PATIENCE = 5.0
"""Seconds of CPU, some ten times what the slowest of these pages takes."""


def misnested() -> str:
    chooser = random.Random(5)
    return "".join(chooser.choice(["<b>", "<i>", "</b>", "</i>", "<p>", "x"]) for _ in range(13_000))


PAGES: dict[str, Callable[[], str]] = {
    "38 KB of nested formatting": lambda: "<b><i>" * 6_300 + "x",
    "38 KB of misnested formatting": misnested,
    "formatting that is never closed": lambda: "".join(f"<font color={n}><p>x" for n in range(100_000)),
    "100 000 nested blocks": lambda: "<div>" * 100_000 + "deep <a href=x>link</a>",
    "links in links": lambda: (
        "".join(f"<a href=x{n}><table><tr><td>" for n in range(20_000)) + "word " * 100_000
    ),
    "lists in lists": lambda: "<ul><li>" * 20_000 + "x",
    "tables in tables": lambda: "<table><tr><td>" * 5_000 + "x",
    "menus in menus": lambda: "<div class=menu>" * 50_000 + "<a href=x>x</a>" * 5_000,
    "a million links": lambda: "<a href=x>l</a>" * 1_000_000,
    "different links": lambda: "".join(f"<a href=/p{n}>l{n}</a> " for n in range(150_000)),
    "links in scripts without spaces": lambda: "".join(
        f"中文网页<a href=/{n}>链接</a>" for n in range(60_000)
    ),
    "links among giant words": lambda: "".join(f"{'a' * 20_000}<a href=p{n}>x</a>" for n in range(140)),
    "a link around everything": lambda: "<a href=/x>" + "word " * 400_000,
    "entities": lambda: "&amp;" * 500_000,
    "broken entities": lambda: "&notit;&ampx" * 200_000,
    "zeros": lambda: "<p>\0a\0</p>" * 150_000,
    "attributes of megabytes": lambda: (
        f'<a href="{"x" * 1_500_000}">l</a><a title="{"y " * 500_000}" href=z></a>'
    ),
    "200 000 attributes": lambda: "<div " + " ".join(f"a{n}=1" for n in range(200_000)) + ">x</div>",
    "a long list of classes": lambda: f'<div class="{"menu- " * 300_000}"><a href=x>x</a></div>',
    "columns a renderer would pad to gigabytes": lambda: (
        "<article>"
        + f"<p>{'A sentence, with commas, of some length. ' * 20}</p>" * 5
        + f"<table><tr><td>{'w ' * 100_000}<td>b</tr>{'<tr><td>x<td>y</tr>' * 20_000}</table></article>"
    ),
    "cells that span everything": lambda: "<table><tr>" + "<td colspan=65534 rowspan=65534>x</td>" * 2_000,
    "indented lines": lambda: "<blockquote>" * 400 + "a<br>" * 300_000,
    "unclosed tags": lambda: "<a href=" * 300_000,
    "unclosed comments": lambda: "<!--" * 400_000,
    "angle brackets": lambda: "<" * 1_500_000,
    "scripts": lambda: "<script>" * 200_000,
    "templates": lambda: "<template>" * 20_000 + "<a href=q>x",
    "headings": lambda: "<h1>x</h1>" * 150_000,
    "metadata": lambda: "<meta name=robots content=noindex>" * 80_000,
    "feeds": lambda: "<link rel=alternate type=application/rss+xml href=x>" * 50_000,
    "images": lambda: "<a href=q>" + '<img alt=" ">' * 150_000 + "</a>",
    "frames": lambda: "<iframe src=x></iframe>" * 80_000,
    "spaces": lambda: " " * 2_500_000 + "x",
    "one word": lambda: "a" * 2_500_000,
    "marks of our own": lambda: "".join(f"&#1;{n}(&#2;" for n in range(100_000)) + "<a href=x>y</a>",
    "entries of a feed": lambda: (
        '<rss version="2.0"><channel>'
        + "<item><title>t</title><link>/x</link><description>&lt;p&gt;hi</description></item>" * 25_000
    ),
    "nested entries of a feed": lambda: '<rss version="2.0"><channel>' + "<item>" * 300_000,
}


def read(parser: PageParser, markup: str, content_type: str = "text/html") -> Page | None:
    response = Response(
        url="http://hostile.test/",
        status=200,
        headers=(("content-type", content_type),),
        body=markup.encode(),
    )
    start = time.process_time()
    try:
        page = parser.parse(response)
    except ParseError:
        page = None
    assert time.process_time() - start < PATIENCE
    return page


@pytest.mark.parametrize("name", PAGES)
def test_a_hostile_page_is_read_in_good_time(name: str) -> None:
    page = read(PageParser(), PAGES[name]())
    assert page is not None
    assert len(page.links) <= 2_000
    assert len(page.text) <= 200_000
    assert sum(len(link.anchor) + len(link.context) + len(link.path) for link in page.links) < 6_000_000


@pytest.mark.parametrize("name", PAGES)
def test_a_hostile_page_stalls_neither_the_second_adapter_nor_the_second_extractor(name: str) -> None:
    read(PageParser(adapter="selectolax", extractor="resiliparse"), PAGES[name]())


@pytest.mark.parametrize("markup", ["http://a.test/x " * 100_000, "http://" * 200_000, "x" * 2_000_000])
def test_hostile_text_is_read_in_good_time(markup: str) -> None:
    assert read(PageParser(), markup, "text/plain") is not None


def test_links_are_still_found_at_the_bottom_of_a_deep_page() -> None:
    page = read(PageParser(), PAGES["100 000 nested blocks"]())
    assert page is not None
    assert [(link.url, link.context) for link in page.links] == [("http://hostile.test/x", "deep link")]


def test_padding_does_not_swell_the_text() -> None:
    page = read(PageParser(), PAGES["columns a renderer would pad to gigabytes"]())
    assert page is not None
    assert page.text.count("A sentence") == 100
