"""HTML, read with turbohtml: what a page is called, what it says, and where it leads.

The document is parsed once and rendered once: main text, anchors and the words around links all come from
the one rendering. It tells where in the text the links are (see `spans`). For what it cannot tell of, such
as links within links and preformatted text, marks are written into the document (see `contexts`).
"""

import re
from collections.abc import Sequence
from itertools import islice
from operator import attrgetter

import turbohtml
from turbohtml import Document, Element

from honeyguide.model import Page
from honeyguide.parse.annotating import read_spans
from honeyguide.parse.contexts import without_signs
from honeyguide.parse.head import Declared, Head, read_head, squeeze
from honeyguide.parse.layout import EMPTY, Layout
from honeyguide.parse.links import body_links, one_for_each
from honeyguide.parse.maintext import best_text, flatten_tables, is_plenty, resiliparse_text
from honeyguide.parse.marking import read_marks
from honeyguide.parse.places import BOILERPLATE, Surroundings, speaks_of_boilerplate
from honeyguide.urls import WEB_SCHEMES, canonical, canonical_all

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_MAX_HEADINGS = 50
_MAX_DECLARED = 200
_MAX_OUTSIDE = 500
_DEEPEST = 1_000
# What the renderer finds to be the content and is but a list leaves out too much.
_LISTS = frozenset({"ul", "ol"})
_PARTS = ("nav", "header", "footer", "aside")
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

    layout = _layout(document, url, base, 4 * max_links, schemes)
    allowance = 2 * len(markup)
    text, found = read_spans(layout, window=window, allowance=allowance) or read_marks(
        layout, window=window, allowance=allowance
    )
    main = text.main
    if extractor == "resiliparse":
        main = resiliparse_text(markup) or main
        main = best_text(main, text.visible, share=len(main) / (len(text.visible) or 1))
    elif not is_plenty(main):
        main = best_text(main, text.visible, share=text.share)
    links = body_links(found, text, url)
    return Page(
        url=url,
        title=head.title or next(iter(headings), ""),
        text=main[:max_text],
        language=head.language,
        links=one_for_each((*head.links, *links), max_links) if head.links else tuple(links[:max_links]),
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


def _layout(document: Document, url: str, base: str, limit: int, schemes: Sequence[str]) -> Layout:
    content = document.main_content() or document.find("main")
    elements = _leading(document, limit)
    hrefs = [element.attr("href") or element.attr("src") or "" for element in elements]
    addresses: list[str] = []
    wanted = []
    for number, address in enumerate(canonical_all(hrefs, base, schemes)):
        if address is not None and address != url:
            wanted.append(number)
            addresses.append(address)
    surroundings = Surroundings(
        tag_of=_tag_of, attribute_of=Element.attr, parent_of=_parent_of, content=_line_of(content)
    )
    blocks = surroundings.of_all([_parent_of(elements[number]) for number in wanted])
    outside = _outside(document, surroundings)
    flatten_tables(document)
    if content is not None and content.tag in _LISTS:
        content = None
    return Layout(document, elements, wanted, addresses, blocks, content, outside)


def _leading(document: Document, limit: int) -> list[Element]:
    """What leads elsewhere, in the order of the document."""
    # Asking for several tags at once costs a walk through the document, and few have more than the first.
    several = any(document.find(tag) for tag in EMPTY)
    return document.select("a[href],area[href],iframe[src],frame[src]" if several else "a[href]")[:limit]


def _outside(document: Document, surroundings: Surroundings) -> list[Element]:
    """What is no part of the text proper, among what `CANDIDATES` would select; not what stands in other such."""
    candidates = [part for tag in _PARTS for part in document.find_all(tag, limit=_MAX_OUTSIDE)]
    for attribute in ("class", "id"):
        named = document.select(f"[{attribute}]")
        names = [element.attr(attribute) for element in named]
        speaking = {name for name in set(names) if name and speaks_of_boilerplate(name)}
        candidates += [element for element, name in zip(named, names, strict=True) if name in speaking]
    candidates += document.select("[role]")
    outside: list[Element] = []
    within: set[object] = set()
    for element in candidates[:_MAX_OUTSIDE]:
        if element in within:
            continue
        if element.parent in within:
            within.add(element)
        elif surroundings.of(element)[0] in BOILERPLATE:
            within.add(element)
            outside.append(element)
    return outside


def _parent_of(element: Element) -> Element | None:
    parent = element.parent
    return parent if isinstance(parent, Element) else None


def _line_of(content: Element | None) -> set[object]:
    """An element and what it stands in."""
    return {content, *islice(content.ancestors, _DEEPEST)} if content is not None else set()
