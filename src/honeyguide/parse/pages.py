"""The parser: from a response to a page, whatever the response turns out to be."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec

from honeyguide.errors import ConfigError, ErrorKind, ParseError
from honeyguide.model import Link, Origin, Page, Place, Response
from honeyguide.parse.charset import decode
from honeyguide.parse.feeds import read_feed
from honeyguide.parse.fingerprint import fingerprint_and_sketch
from honeyguide.parse.headers import header_lines, read_link_headers, read_robots_tag
from honeyguide.parse.html import read_html
from honeyguide.parse.language import language_of
from honeyguide.parse.links import one_for_each
from honeyguide.parse.plain import read_plain
from honeyguide.parse.sitemaps import read_sitemap
from honeyguide.parse.sniffing import Kind, media_type_of, sniff
from honeyguide.urls import WEB_SCHEMES, canonical_all, words_of

ADAPTERS = ("turbohtml", "selectolax")
EXTRACTORS = ("turbohtml", "resiliparse")

GZIP_MAGIC = b"\x1f\x8b"

_MEDIA_TYPES = {
    Kind.HTML: "text/html",
    Kind.FEED: "application/xml",
    Kind.SITEMAP: "application/xml",
    Kind.PLAIN: "text/plain",
}
_ENOUGH_TEXT = 80
"""With fewer characters of text, title and description help to tell the language."""


class PageParser:
    """Reads responses: HTML, feeds, sitemaps and plain text."""

    def __init__(
        self,
        *,
        adapter: str = "turbohtml",
        extractor: str = "turbohtml",
        window: int = 25,
        max_links: int = 2_000,
        max_text: int = 200_000,
        max_markup: int = 3_000_000,
        schemes: Sequence[str] = WEB_SCHEMES,
    ) -> None:
        if adapter not in ADAPTERS:
            raise ConfigError(f"There is no HTML adapter {adapter!r}; choose one of {', '.join(ADAPTERS)}.")
        if extractor not in EXTRACTORS:
            raise ConfigError(
                f"There is no text extractor {extractor!r}; choose one of {', '.join(EXTRACTORS)}."
            )
        if adapter == "selectolax" and find_spec("selectolax") is None:
            raise ConfigError(
                "The selectolax adapter needs a library that is not installed; "
                "install it with: pip install 'honeyguide[selectolax]'"
            )
        self.adapter = adapter
        self.extractor = extractor
        self.window = window
        self.max_links = max_links
        self.max_text = max_text
        self.max_markup = max_markup
        self.schemes = tuple(schemes)

    def parse(self, response: Response) -> Page:
        """The page that a response holds; raises ParseError when it holds none."""
        try:
            content_type = response.header("content-type")
            body = response.body[: 4 * self.max_markup]
            if body.startswith(GZIP_MAGIC):
                page = _read_sitemap(body, response.url, self.max_links)
                return self._finish(page, response, Kind.SITEMAP, "UTF-8")
            text, charset = decode(body, content_type)
            media_type = media_type_of(content_type)
            kind = sniff(body, text, media_type)
            if kind is Kind.OTHER:
                raise ParseError(ErrorKind.TYPE, media_type or "binary data")
            return self._finish(self._read(kind, text, response.url), response, kind, charset)
        except ParseError:
            raise
        except Exception as error:  # whatever a page provokes concerns that page only
            raise ParseError(ErrorKind.PARSE, f"{type(error).__name__}: {error}"[:200]) from error

    def _read(self, kind: Kind, text: str, url: str) -> Page:
        if kind is Kind.HTML:
            return self._read_html()(
                text,
                url,
                window=self.window,
                max_links=self.max_links,
                max_text=self.max_text,
                max_markup=self.max_markup,
                extractor=self.extractor,
                schemes=self.schemes,
            )
        if kind is Kind.SITEMAP:
            return _read_sitemap(text.encode("utf-8", "replace"), url, self.max_links)
        if kind is Kind.FEED:
            return read_feed(
                text,
                url,
                window=self.window,
                max_links=self.max_links,
                max_text=self.max_text,
                max_markup=self.max_markup,
            )
        return read_plain(text, url, window=self.window, max_links=self.max_links, max_text=self.max_text)

    def _read_html(self) -> Callable[..., Page]:
        """The adapter's function; the library behind the other adapter need not be installed."""
        if self.adapter == "selectolax":
            from honeyguide.parse.selectolax_html import read_html as read_with_selectolax

            return read_with_selectolax
        return read_html

    def _finish(self, page: Page, response: Response, kind: Kind, charset: str) -> Page:
        """Add what headers say and what is computed from the text."""
        announced = read_link_headers(header_lines(response.headers, "link"), response.url)
        directives = read_robots_tag(header_lines(response.headers, "x-robots-tag"))
        sample = page.text
        if len(sample) < _ENOUGH_TEXT:
            sample = f"{page.title}. {page.description} {sample}"
        fingerprint, sketch = fingerprint_and_sketch(page.text)
        return replace(
            page,
            language=language_of(sample, page.language or response.header("content-language")),
            links=one_for_each((*announced.links, *page.links), self.max_links)
            if announced.links
            else page.links,
            canonical=page.canonical or announced.canonical,
            content_type=_MEDIA_TYPES[kind],
            charset=charset,
            noindex=page.noindex or directives.noindex,
            nofollow=page.nofollow or directives.nofollow,
            fingerprint=fingerprint,
            sketch=sketch,
        )


def _read_sitemap(body: bytes, url: str, limit: int) -> Page:
    """A sitemap that was fetched as a page: nothing but links. What is compressed and no sitemap has none."""
    found = [address for address, _ in read_sitemap([body], limit=limit)]
    if not found and body.startswith(GZIP_MAGIC):
        raise ParseError(ErrorKind.TYPE, "a compressed file that is no sitemap")
    links = []
    for address in canonical_all(found, url):
        if address and address != url:
            words = words_of(address)
            links.append(Link(address, url, words, words, Place.LIST, "", Origin.SITEMAP))
    return Page(url=url, links=one_for_each(links, limit))
