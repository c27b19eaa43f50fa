"""What a page's head declares: names, summaries, feeds, where it really lives, what robots may do."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from honeyguide.model import Link, Place
from honeyguide.parse.directives import PRODUCT, Directives, read_directives
from honeyguide.urls import WEB_SCHEMES, canonical, words_of

_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
_MAX_LINKS = 50
_MAX_KEYWORDS = 50
_MAX_TITLE = 300
_MAX_DESCRIPTION = 1_000

_refresh = re.compile(
    r"\s*[\d.]+\s*[;,]?\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(.*))", re.IGNORECASE | re.DOTALL
).match


class Declared(NamedTuple):
    """A `<link>` as it stands: what it leads to, and in what sense."""

    rel: str
    type: str
    href: str
    title: str


class Head(NamedTuple):
    """What a head says, made sense of."""

    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    language: str = ""
    canonical: str = ""
    directives: Directives = Directives()
    links: tuple[Link, ...] = ()


def read_head(
    metas: Iterable[tuple[str, str]],
    declared: Iterable[Declared],
    *,
    title: str,
    language: str,
    url: str,
    base: str,
    schemes: Sequence[str] = WEB_SCHEMES,
) -> Head:
    """Make sense of a head: pairs of name and content, links, and what stands elsewhere in the document."""
    contents: dict[str, list[str]] = {}
    for name, content in metas:
        contents.setdefault(name.strip().lower(), []).append(content)

    def first(*names: str, limit: int = _MAX_TITLE) -> str:
        texts = (squeeze(content, limit) for name in names for content in contents.get(name, ()))
        return next(filter(None, texts), "")

    own = ""
    leading = [(refresh_target(content), "") for content in contents.get("refresh", ())]
    for link in declared:
        relations = link.rel.lower().split()
        if "canonical" in relations:
            own = own or canonical(link.href, base, schemes) or ""
        elif "alternate" in relations and link.type.strip().lower().startswith(_FEED_TYPES):
            leading.append((link.href, link.title))
    keywords = (squeeze(word, 100) for word in ",".join(contents.get("keywords", ()))[:10_000].split(","))
    return Head(
        title=squeeze(title, _MAX_TITLE) or first("og:title", "twitter:title", "dc.title"),
        description=first("description", "og:description", "dc.description", limit=_MAX_DESCRIPTION),
        keywords=tuple(filter(None, keywords))[:_MAX_KEYWORDS],
        language=language or first("content-language"),
        canonical=own,
        directives=read_directives(contents.get("robots", []) + contents.get(PRODUCT, [])),
        links=tuple(_links(leading[:_MAX_LINKS], url, base, schemes)),
    )


def squeeze(text: str | None, limit: int = _MAX_TITLE) -> str:
    """A text with its white space squeezed, cut to a sane length."""
    return " ".join(text[: 4 * limit].split())[:limit] if text else ""


def refresh_target(content: str) -> str:
    """The address that a meta refresh leads to, "" when it reloads the page."""
    match = _refresh(content[:4096])
    return (match[1] or match[2] or match[3] or "").strip() if match else ""


def _links(leading: Iterable[tuple[str, str]], url: str, base: str, schemes: Sequence[str]) -> Iterable[Link]:
    for href, title in leading:
        address = canonical(href, base, schemes) if href else None
        if address and address != url:
            label = squeeze(title) or words_of(address)
            yield Link(address, url, label, label, Place.HEAD, "head")
