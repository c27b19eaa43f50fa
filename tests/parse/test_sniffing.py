import time

import pytest

from honeyguide.parse.sniffing import Kind, media_type_of, sniff


def kind(text: str, media_type: str) -> Kind:
    return sniff(text.encode("utf-8", "replace"), text, media_type)


@pytest.mark.parametrize(
    ("text", "media_type", "wanted"),
    [
        ("<p>bees", "text/html", Kind.HTML),
        ("", "text/html", Kind.HTML),
        ("no tags at all", "text/html", Kind.HTML),
        ("<?xml version='1.0'?><html xmlns='x'>", "application/xhtml+xml", Kind.HTML),
        ("<?xml version='1.0'?><!DOCTYPE html><html>", "application/xml", Kind.HTML),
        ("no tags at all", "text/plain", Kind.PLAIN),
        ("a < b and <b> is bold", "text/plain", Kind.PLAIN),
        ("# bees", "text/markdown", Kind.PLAIN),
        ("  <!-- x --><!DOCTYPE HTML><p>bees", "text/plain", Kind.HTML),
        ("\n<html><p>bees", "text/plain", Kind.HTML),
        ("<?xml version='1.0'?><!-- x --><rss version='2.0'>", "text/xml", Kind.FEED),
        ("<?xml version='1.0'?><feed xmlns='x'>", "text/html", Kind.FEED),
        ("<rdf:RDF xmlns:rdf='x'>", "application/rdf+xml", Kind.FEED),
        ("<rss>", "text/plain", Kind.FEED),
        ("<rss>", "application/octet-stream", Kind.FEED),
        ("<urlset xmlns='x'>", "text/xml", Kind.SITEMAP),
        ("<s:sitemapindex xmlns:s='x'>", "application/xml", Kind.SITEMAP),
        ("<svg xmlns='x'>", "image/svg+xml", Kind.OTHER),
        ("<catalogue>", "text/xml", Kind.OTHER),
        ("<html>", "application/octet-stream", Kind.HTML),
        ("just words", "application/octet-stream", Kind.OTHER),
        ("just words", "", Kind.PLAIN),
        ("<!doctype html>", "", Kind.HTML),
        ("<html>", "image/png", Kind.OTHER),
        ("{}", "application/json", Kind.OTHER),
        ("p {}", "text/css", Kind.OTHER),
        ("%PDF-1.4 <html>", "text/html", Kind.OTHER),
        ("\0\1\2\3words" * 50, "text/html", Kind.OTHER),
        ("\0\1\2\3words" * 50, "text/plain", Kind.OTHER),
        ("<p>\0\1\2\3words" * 50, "text/html", Kind.HTML),
    ],
)
def test_a_body_is_read_as_what_it_is(text: str, media_type: str, wanted: Kind) -> None:
    assert kind(text, media_type) is wanted


@pytest.mark.parametrize(
    "start",
    [b"\x89PNG\r\n", b"GIF89a", b"\xff\xd8\xff\xe0", b"PK\x03\x04", b"\x1f\x8b\x08", b"%PDF-1.7", b"\x7fELF"],
)
def test_pictures_and_archives_are_no_pages_whatever_the_header_says(start: bytes) -> None:
    body = start + bytes(range(256))
    assert sniff(body, body.decode("latin-1"), "text/html") is Kind.OTHER


def test_text_of_two_bytes_a_letter_is_no_binary() -> None:
    text = "Honey bees make honey. " * 20
    assert sniff(text.encode("utf-16-le"), text, "text/plain") is Kind.PLAIN


def test_the_media_type_is_what_stands_before_the_parameters() -> None:
    assert media_type_of(" Text/HTML ; charset=utf-8") == "text/html"
    assert media_type_of("text/html, text/html") == "text/html"
    assert media_type_of("") == ""


def test_endless_prologues_are_sniffed_in_no_time() -> None:
    start = time.process_time()
    for text in (
        "<!-- " * 100_000,
        "<?x" * 100_000,
        "<!x[" * 100_000,
        "<!---->" * 100_000,
        " " * 500_000,
        "<a:" * 99_999,
    ):
        for media_type in ("text/html", "text/plain", "text/xml"):
            kind(text, media_type)
    assert time.process_time() - start < 5
