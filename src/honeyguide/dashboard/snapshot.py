"""Archived pages made inert: what a page says and how it is built, and nothing that runs, fetches or leads away.

Only elements that structure text are left, with hardly an attribute. Scripts, styles, frames, forms, pictures that
would be fetched, vector graphics and formulas are gone; a link says where it led and goes nowhere. The frame around
it is sandboxed and lies on another origin whose policy allows nothing either: each of the three would be enough.
"""

import html
import re
import sqlite3

import nh3
import turbohtml
from turbohtml import TokenType

from honeyguide.dashboard.crawls import CrawlAtHand, NotFound
from honeyguide.dashboard.legible import legible, legible_text
from honeyguide.errors import PageError
from honeyguide.opening import decoded
from honeyguide.parse.charset import decode
from honeyguide.store.log import archived_response
from honeyguide.urls import canonical

MOST_CHARACTERS = 1_000_000
MOST_DEPTH = 1000
MOST_ATTRIBUTES = 10_000_000
"""The squares of the numbers of attributes of all tags together."""

MARKUP = frozenset({"text/html", "application/xhtml+xml", "application/xml", "text/xml"})


def _named(tags: str) -> frozenset[str]:
    return frozenset(tags.split())


TAGS = _named(
    "a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt "
    "em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q rp rt ruby s "
    "samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr"
)
GONE_WITH_CONTENT = _named(
    "script style noscript template iframe frame frameset object embed applet svg math title textarea select option "
    "audio video canvas map noembed noframes xmp plaintext"
)
RAW = _named("script style textarea title noscript iframe noembed noframes xmp")
NOT_NESTED = _named(
    "area base br col embed hr img input link meta param source track wbr p li dd dt option td th tr"
)
"""Elements that have no content, or end where the next one begins."""

ATTRIBUTES = {
    "*": {"dir", "lang"},
    "a": {"href"},
    "img": {"alt"},
    "ol": {"start", "reversed"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 1.2rem; max-width: 60rem; overflow-wrap: break-word; }
a[title] { color: #b45309; text-decoration: underline dotted; cursor: help; }
img { font-style: italic; opacity: .7; }
table { border-collapse: collapse; } td, th { border: 1px solid #8884; padding: .2rem .5rem; vertical-align: top; }
pre { white-space: pre-wrap; } ul:empty, p:empty, div:empty { display: none; }
@media (prefers-color-scheme: dark) { body { background: #1e2024; color: #e8e6e1; } a[title] { color: #f2b33d; } }
"""

_links = re.compile(r'<a href="').sub


def inert_html(crawl: CrawlAtHand, visit: int) -> str:
    """The archived page of a visit as a document that does nothing."""
    with crawl.open() as collection:
        cursor = collection.connection.cursor()
        cursor.row_factory = sqlite3.Row
        row = cursor.execute("SELECT * FROM visits WHERE id = ?", (visit,)).fetchone()
        if row is None:
            raise NotFound("There is no such visit in this crawl.")
        try:
            response = archived_response(collection.folder, row)
        except OSError as error:
            raise NotFound(f"The archive of this page cannot be read ({error.strerror}).") from error
        if response is None:
            raise NotFound("This page was not kept, so there is no snapshot of it.")
        try:
            body = decoded(response).body
        except PageError:
            return document("<p>The archived page cannot be decompressed.</p>")
        content_type = (
            row["content_type"] or response.header("content-type").partition(";")[0].strip().lower()
        )
        if content_type in MARKUP or not content_type:
            return inert(body, response.header("content-type"), response.url)
        if content_type.startswith("text/"):
            return document(f"<pre>{_escaped(decode(body, response.header('content-type'))[0])}</pre>")
        page = collection.page_of(row)
        text = page.text if page else ""
    kind = html.escape(legible(content_type, 80))
    if not text:
        return document(f"<p>A file of the type {kind}, {len(body):,} bytes; it cannot be shown as text.</p>")
    return document(f"<p>The text of a file of the type {kind}:</p><pre>{_escaped(text)}</pre>")


def inert(body: bytes, content_type: str, base: str) -> str:
    """Markup as it was fetched from `base`, made inert; never fails."""
    text = decode(body[: 4 * MOST_CHARACTERS], content_type)[0][:MOST_CHARACTERS].replace("\0", "")
    if _is_monstrous(text):
        return document(f"<pre>{_escaped(_words(text))}</pre>")

    def keep(tag: str, attribute: str, value: str) -> str | None:
        if (tag, attribute) == ("a", "href"):
            return canonical(value, base)
        return legible(value, 300) if attribute == "alt" else value[:50]

    clean = nh3.clean(
        text,
        tags=set(TAGS),
        clean_content_tags=set(GONE_WITH_CONTENT),
        attributes=ATTRIBUTES,
        attribute_filter=keep,
        strip_comments=True,
        link_rel=None,
        url_schemes={"http", "https"},
    )
    # What is left of links says where they led, and leads nowhere.
    return document(_links('<a title="', clean))


def document(body: str) -> str:
    """A whole document around markup that is inert already."""
    head = f'<meta charset="utf-8"><title>Snapshot</title><style>{STYLE}</style>'
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


def _escaped(text: str) -> str:
    return html.escape(legible_text(text, MOST_CHARACTERS))


def _is_monstrous(text: str) -> bool:
    """Whether a parser would take the square of its size: one tag with endless attributes, or endless nesting."""
    depth = attributes = 0
    for token in turbohtml.tokenize(text):
        if token.type == TokenType.START_TAG:
            attributes += len(token.attrs or ()) ** 2
            depth += token.tag not in NOT_NESTED
        elif token.type == TokenType.END_TAG and token.tag not in NOT_NESTED:
            depth = max(0, depth - 1)
        if depth > MOST_DEPTH or attributes > MOST_ATTRIBUTES:
            return True
    return False


def _words(text: str) -> str:
    """The text between the tags, without that of what is never shown."""
    said: list[str] = []
    within = ""
    for token in turbohtml.tokenize(text):
        if within:
            within = "" if token.type == TokenType.END_TAG and token.tag == within else within
        elif token.type == TokenType.START_TAG and token.tag in RAW:
            within = token.tag or ""
        elif token.type == TokenType.TEXT:
            said.append(token.data or "")
    return " ".join(said)
