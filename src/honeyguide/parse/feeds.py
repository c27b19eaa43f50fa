"""Feeds (RSS, Atom, RDF): what is new, as text and as links.

turbohtml knows no entities but XML's own and fetches nothing, so a feed can neither swell nor reach out;
one that is not well-formed is read as browsers read HTML.
"""

import turbohtml
from turbohtml import Entry, Feed, HTMLParseError

from honeyguide.errors import ErrorKind, ParseError
from honeyguide.model import Link, Origin, Page, Place
from honeyguide.parse.head import squeeze
from honeyguide.parse.links import one_for_each
from honeyguide.parse.maintext import text_of
from honeyguide.urls import canonical_all, words_of

_MAX_ENTRY = 20_000


def read_feed(
    markup: str,
    url: str,
    *,
    window: int = 25,
    max_links: int = 2_000,
    max_text: int = 200_000,
    max_markup: int = 3_000_000,
) -> Page:
    """What a feed is called, what its entries say, and where they lead."""
    feed = _parse(markup[:max_markup])
    if feed is None:
        raise ParseError(ErrorKind.PARSE, "neither RSS nor Atom nor RDF")
    entries = feed.entries[:max_links]
    title = _line(feed.title)
    description = _line(feed.description)
    titles = [_line(entry.title) for entry in entries]
    texts = [_text(entry) for entry in entries]
    hrefs = [feed.link or "", *(entry.link or "" for entry in entries)]
    anchors = [title, *titles]
    sayings = [description, *texts]
    links = [
        _link(address, url, anchor, saying, 2 * window)
        for address, anchor, saying in zip(canonical_all(hrefs, url), anchors, sayings, strict=True)
        if address and address != url
    ]
    parts = (title, description, *(f"{name}\n{text}" for name, text in zip(titles, texts, strict=True)))
    return Page(
        url=url,
        title=title,
        text="\n\n".join(part.strip() for part in parts if part.strip())[:max_text],
        description=description,
        headings=tuple(filter(None, titles))[:50],
        links=one_for_each(links, max_links),
    )


def _parse(markup: str) -> Feed | None:
    """RSS without a version and Atom of another namespace are only known to the lenient parser."""
    try:
        return turbohtml.parse_xml(markup).feed() or turbohtml.parse(markup, positions=False).feed()
    except HTMLParseError:
        return turbohtml.parse(markup, positions=False).feed()


def _link(address: str, url: str, anchor: str, saying: str, words: int) -> Link:
    anchor = anchor or words_of(address)
    context = " ".join((anchor, *saying.split(None, words)[:words]))[: 40 * words]
    return Link(address, url, anchor, context, Place.LIST, "feed", Origin.FEED)


def _text(entry: Entry) -> str:
    content = entry.content if isinstance(entry.content, str) else None
    return text_of((content or entry.summary or "")[:_MAX_ENTRY])


def _line(text: str | None) -> str:
    return squeeze(text_of((text or "")[:2_000]))
