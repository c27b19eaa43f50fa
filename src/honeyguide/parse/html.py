"""HTML, read with turbohtml: what a page is called, what it says, and where it leads.

The document is parsed once and rendered once. Before rendering, marks are written into it (see `contexts`),
so that main text, anchors and the words around links all come from the one rendering.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import attrgetter

import turbohtml
from turbohtml import Document, Element, Text

from honeyguide.model import Page
from honeyguide.parse.contexts import MAIN, OUTSIDE, MarkedText, closing, instead, opening, without_signs
from honeyguide.parse.head import Declared, Head, read_head, squeeze
from honeyguide.parse.links import Found, body_links, one_for_each
from honeyguide.parse.maintext import best_text, flatten_tables, render, resiliparse_text
from honeyguide.parse.places import BOILERPLATE, CANDIDATES, Block, Surroundings
from honeyguide.urls import WEB_SCHEMES, canonical, canonical_all

_MAX_HEADINGS = 50
_MAX_DECLARED = 200
_MAX_OUTSIDE = 500
_MAX_IMAGES = 5
_MAX_ANCHOR = 400
_DEEPEST = 1_000
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = "div,p,h1,h2,h3,h4,h5,h6,ul,ol,li,section,article,figure,figcaption,header,br"
_EMPTY = frozenset({"area", "iframe", "frame"})
_tag_of = attrgetter("tag")

_SUSPECT = 100_000
_CUT = 50_000
_MOST_UNCLOSED = 500
_formatting = re.compile(r"<(/?)(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)\b", re.IGNORECASE).findall


def read_html(
    markup: str,
    url: str,
    *,
    window: int = 25,
    max_links: int = 2_000,
    max_text: int = 200_000,
    max_markup: int = 3_000_000,
    extractor: str = "turbohtml",
    schemes: Sequence[str] = WEB_SCHEMES,
) -> Page:
    """What the document at an address says; its `language` is the one it declares."""
    markup = without_signs(_bounded(markup, max_markup))
    document = turbohtml.parse(markup, positions=False)
    base_element = document.select_one("base[href]")
    base = (base_element and canonical(base_element.attr("href") or "", url, schemes)) or url
    head = _head(document, url, base, schemes)
    headings = [
        squeeze(heading.text) for tag in _HEADINGS for heading in document.find_all(tag, limit=_MAX_HEADINGS)
    ]

    content = document.main_content() or document.find("main")
    surroundings = Surroundings(
        tag_of=_tag_of, attribute_of=Element.attr, parent_of=_parent_of, content=_line_of(content)
    )
    leading = [
        (address, element, surroundings.of(_parent_of(element)))
        for address, element in _leading(document, base, 4 * max_links, schemes)
        if address is not None and address != url
    ]
    outside = [
        element
        for element in document.select(CANDIDATES)[:_MAX_OUTSIDE]
        if surroundings.of(element)[0] in BOILERPLATE
    ]

    flatten_tables(document)
    # Links first: one that is itself a part of a menu would else have the menu's marks among its words.
    found, anchors = _take_out(leading, 2 * len(markup))
    for element in outside:
        _enclose(element, OUTSIDE)
    if content is not None:
        _enclose(content, MAIN)
    marked = MarkedText(render(document), anchors, window=window)

    main, visible, share = marked.main, marked.visible, marked.share
    if extractor == "resiliparse":
        main = resiliparse_text(markup) or main
        share = len(main) / (len(visible) or 1)
    return Page(
        url=url,
        title=head.title or next(iter(headings), ""),
        text=best_text(main, visible, share=share)[:max_text],
        language=head.language,
        links=one_for_each([*head.links, *body_links(found, marked, url)], max_links),
        canonical=head.canonical,
        description=head.description,
        keywords=head.keywords,
        headings=tuple(filter(None, headings))[:_MAX_HEADINGS],
        noindex=head.directives.noindex,
        nofollow=head.directives.nofollow,
    )


def _bounded(markup: str, limit: int) -> str:
    """Markup cut to a length that is read in good time.

    Every paragraph repeats the formatting that is still open: pages that never close it are cut much shorter.
    """
    markup = markup[:limit]
    if len(markup) > _SUSPECT and markup.count("<") - 2 * markup.count("</") > _MOST_UNCLOSED:
        slashes = _formatting(markup)
        if len(slashes) - 2 * slashes.count("/") > _MOST_UNCLOSED:
            return markup[:_CUT]
    return markup


def _head(document: Document, url: str, base: str, schemes: Sequence[str]) -> Head:
    title = document.find("title")
    root = document.root
    metas = [
        (
            meta.attr("name") or meta.attr("property") or meta.attr("http-equiv") or "",
            meta.attr("content") or "",
        )
        for meta in document.select("meta[content]")[:_MAX_DECLARED]
    ]
    declared = [
        Declared(*(link.attr(name) or "" for name in Declared._fields))
        for link in document.select("link[href]")[:_MAX_DECLARED]
    ]
    language = (root.attr("lang") or root.attr("xml:lang") or "") if root else ""
    return read_head(
        metas,
        declared,
        title=title.text if title else "",
        language=language,
        url=url,
        base=base,
        schemes=schemes,
    )


def _leading(
    document: Document, base: str, limit: int, schemes: Sequence[str]
) -> Iterable[tuple[str | None, Element]]:
    """What leads elsewhere, with its address, in the order of the document."""
    # Asking for several tags at once costs a walk through the document, and few have more than the first.
    several = any(document.find(tag) for tag in _EMPTY)
    elements = document.select("a[href],area[href],iframe[src],frame[src]" if several else "a[href]")[:limit]
    hrefs = [element.attr("href") or element.attr("src") or "" for element in elements]
    return zip(canonical_all(hrefs, base, schemes), elements, strict=True)


def _take_out(
    leading: Iterable[tuple[str, Element, Block]], allowance: int
) -> tuple[list[Found], dict[str, str]]:
    """Read the words of links and put marks in their place, or around them where they are many.

    Links within links would have the same words read again and again; `allowance` bounds what is read.
    """
    found: list[Found] = []
    anchors: dict[str, str] = {}
    for number, (address, element, block) in enumerate(leading):
        name = str(number)
        words = _words_of(element) if allowance > 0 else ""
        allowance -= len(words)
        is_short = len(words) <= _MAX_ANCHOR
        anchor = " ".join(words.split()) if is_short else squeeze(words, _MAX_ANCHOR)
        label = "" if anchor else _label_of(element)
        found.append(Found(address, anchor, label, element.attr("rel") or "", block))
        if element.tag in _EMPTY:
            if element.parent is not None:  # as it is when it stood in a link that has been taken out
                element.insert_before(Text(instead(name)))
        elif is_short and allowance > 0:
            anchors[name] = anchor
            element.text = f"{words[:1].isspace() * ' '}{instead(name)}{words[-1:].isspace() * ' '}"
        else:
            _enclose(element, name)
    return found, anchors


def _words_of(element: Element) -> str:
    """The text of a link, with white space at its ends where it does not run on from what is around it."""
    if len(element) == 1 and isinstance(only := element[0], Text):
        return only.data
    words = element.text
    if words and not words.isspace() and element.select_one(_BLOCKS):
        return f" {render(element)} "
    return words


def _enclose(element: Element, name: str) -> None:
    element.insert(0, Text(opening(name)))
    element.append(Text(closing(name)))


def _label_of(element: Element) -> str:
    """What an element without words of its own is called."""
    for image in element.find_all("img", limit=_MAX_IMAGES):
        alternative = image.attr("alt")
        if alternative and not alternative.isspace():
            return alternative
    return element.attr("alt") or element.attr("title") or element.attr("aria-label") or ""


def _parent_of(element: Element) -> Element | None:
    parent = element.parent
    return parent if isinstance(parent, Element) else None


def _line_of(content: Element | None) -> set[object]:
    """An element and what it stands in."""
    return {content, *islice(content.ancestors, _DEEPEST)} if content is not None else set()
