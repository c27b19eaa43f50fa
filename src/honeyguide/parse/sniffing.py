"""What a body is, whatever its header says."""

import re
from enum import Enum


class Kind(Enum):
    """What a body can be read as."""

    HTML = "html"
    FEED = "feed"
    SITEMAP = "sitemap"
    PLAIN = "plain"
    OTHER = "other"


_PAGES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
_TEXTS = frozenset({"text/plain", "text/markdown"})
_UNTOLD = frozenset({"", "unknown/unknown", "application/unknown", "*/*"})
_OPAQUE = "application/octet-stream"

_ROOTS = {
    "rss": Kind.FEED,
    "feed": Kind.FEED,
    "rdf": Kind.FEED,
    "urlset": Kind.SITEMAP,
    "sitemapindex": Kind.SITEMAP,
}

_START = 4_096
_BINARY_STARTS = (
    b"%PDF-", b"%!PS", b"{\\rtf", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"OggS",
    b"\x7fELF", b"\xd0\xcf\x11\xe0", b"7z\xbc\xaf", b"Rar!\x1a", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd",
    b"\x1aE\xdf\xa3", b"wOFF", b"wOF2",
)  # fmt: skip
_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\f\r\x1b"))
_FEWEST_LETTERS = 10
"""Where one byte in so many is a control character, it is no text."""

_first_element = re.compile(
    r"(?:[\s\ufeff]++|<\?[^>]*+>|<!--(?:[^-]++|-(?!->))*+-->|<!(?!doctype\s+html)[^>\[]*+(?:\[[^\]]*+\]\s*+)?>)*+"
    r"<(!doctype\s+html|(?:[\w.-]+:)?[\w.-]+)",
    re.IGNORECASE,
).match
_HTML_TAGS = (
    "html|head|title|meta|link|base|body|script|style|div|p|a|h[1-6]|table|center|font|b|i|br|hr|ul|ol|dl|pre"
    "|img|span|section|article|main|nav|header|form|iframe|frameset|noscript|blockquote|address|em|strong"
)
_is_html_tag = re.compile(rf"!doctype\s+html|{_HTML_TAGS}", re.IGNORECASE).fullmatch
_html_tag = re.compile(rf"<(?:{_HTML_TAGS})[\s/>]", re.IGNORECASE).search


def sniff(body: bytes, text: str, media_type: str) -> Kind:
    """What to read a body as, given its text and the media type it was sent with."""
    told_nothing = media_type in _UNTOLD or media_type == _OPAQUE
    is_xml = media_type.endswith(("/xml", "+xml"))
    if not (told_nothing or is_xml or media_type in _PAGES or media_type in _TEXTS):
        return Kind.OTHER
    if body.startswith(_BINARY_STARTS):
        return Kind.OTHER
    first = _first_element(text[:_START])
    root = first[1].lower() if first else ""
    if kind := _ROOTS.get(root.rpartition(":")[2]):
        return kind
    if media_type in _PAGES:
        return Kind.HTML if _html_tag(text[:_START]) or not _is_binary(body, text) else Kind.OTHER
    if _is_html_tag(root):
        return Kind.HTML
    if is_xml or media_type == _OPAQUE or _is_binary(body, text):
        return Kind.OTHER
    return Kind.PLAIN


def media_type_of(content_type: str) -> str:
    """The media type that a Content-Type header names, "" when it names none."""
    return content_type.partition(";")[0].partition(",")[0].strip().lower()


def _is_binary(body: bytes, text: str) -> bool:
    """Whether there are control characters where text would have words."""
    start = body[:_START]
    if 2 * len(text) <= len(body) + 2:
        start = text[:_START].encode("utf-8", "replace")  # UTF-16, where half of the bytes may be zeros
    return (len(start) - len(start.translate(None, _CONTROLS))) * _FEWEST_LETTERS > len(start)
