"""HTML, read with selectolax: the second adapter, doing what `html` does should turbohtml ever fail us.

lexbor, which is inside, takes minutes over some small pages; what is not tame is refused.
"""

from collections.abc import Sequence

from selectolax.lexbor import LexborHTMLParser, LexborNode

from honeyguide.errors import ErrorKind, ParseError
from honeyguide.model import Page
from honeyguide.parse.contexts import MAIN, OUTSIDE, MarkedText, closing, opening, without_signs
from honeyguide.parse.head import Declared, Head, read_head, squeeze
from honeyguide.parse.links import Found, body_links, one_for_each
from honeyguide.parse.maintext import MOST_TAME, best_text, is_tame, resiliparse_text
from honeyguide.parse.places import BOILERPLATE, CANDIDATES, Block, Surroundings
from honeyguide.urls import WEB_SCHEMES, canonical, canonical_all

_MAX_HEADINGS = 50
_MAX_DECLARED = 200
_MAX_OUTSIDE = 500
_MAX_IMAGES = 5
_MAX_ANCHOR = 400
_DEEPEST = 1_000
_INVISIBLE = ["head", "script", "style", "template", "iframe", "frame", "object"]
_BLOCKS = (
    "address,article,aside,blockquote,br,caption,center,dd,div,dl,dt,fieldset,figcaption,figure,footer,form,h1,h2,h3,"
    "h4,h5,h6,header,hr,li,main,menu,nav,ol,option,p,pre,section,table,td,th,tr,ul"
)
_CONTENT = "main,[role=main],article"


def read_html(
    markup: str,
    url: str,
    *,
    window: int = 25,
    max_links: int = 2_000,
    max_text: int = 200_000,
    max_markup: int = 3_000_000,
    extractor: str = "resiliparse",
    schemes: Sequence[str] = WEB_SCHEMES,
) -> Page:
    """What the document at an address says; its `language` is the one it declares."""
    markup = without_signs(markup[: min(max_markup, MOST_TAME)]).replace("\0", "")
    if not is_tame(markup):
        raise ParseError(ErrorKind.PARSE, "nested too deep for this adapter")
    document = LexborHTMLParser(markup)
    base_element = document.css_first("base[href]")
    base = (base_element and canonical(_attribute_of(base_element, "href") or "", url, schemes)) or url
    head = _head(document, url, base, schemes)
    headings = [
        squeeze(found.text()) for level in range(1, 7) for found in document.css(f"h{level}")[:_MAX_HEADINGS]
    ]

    content = document.css_first(_CONTENT)
    surroundings = Surroundings(
        tag_of=_tag_of, attribute_of=_attribute_of, parent_of=_parent_of, content=_line_of(content)
    )
    elements = document.css("a[href],area[href],iframe[src],frame[src]")[: 4 * max_links]
    hrefs = [_attribute_of(node, "href") or _attribute_of(node, "src") or "" for node in elements]
    leading = [
        (address, node, surroundings.of(_parent_of(node)))
        for address, node in zip(canonical_all(hrefs, base, schemes), elements, strict=True)
        if address is not None and address != url
    ]
    outside = [
        node
        for node in document.css(CANDIDATES)[:_MAX_OUTSIDE]
        if surroundings.of(node)[0] in BOILERPLATE and _parent_of(node)
    ]

    _set_blocks_apart(document)
    found = [_found(address, node, block) for address, node, block in leading]
    for number, (_, node, _) in enumerate(leading):
        _enclose(node, str(number))
    for node in outside:
        _enclose(node, OUTSIDE)
    if content is not None:
        _enclose(content, MAIN)
    document.strip_tags(_INVISIBLE, recursive=True)
    marked = MarkedText(document.root.text() if document.root else "", {}, window=window)

    main, visible, share = _lines(marked.main), _lines(marked.visible), marked.share
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


def _head(document: LexborHTMLParser, url: str, base: str, schemes: Sequence[str]) -> Head:
    title = document.css_first("title")
    root = document.root
    metas = [
        (
            _attribute_of(meta, "name")
            or _attribute_of(meta, "property")
            or _attribute_of(meta, "http-equiv")
            or "",
            _attribute_of(meta, "content") or "",
        )
        for meta in document.css("meta[content]")[:_MAX_DECLARED]
    ]
    declared = [
        Declared(*(_attribute_of(link, name) or "" for name in Declared._fields))
        for link in document.css("link[href]")[:_MAX_DECLARED]
    ]
    language = (_attribute_of(root, "lang") or _attribute_of(root, "xml:lang") or "") if root else ""
    return read_head(
        metas,
        declared,
        title=title.text() if title else "",
        language=language,
        url=url,
        base=base,
        schemes=schemes,
    )


def _found(address: str, node: LexborNode, block: Block) -> Found:
    anchor = squeeze(node.text(), _MAX_ANCHOR) if node.tag == "a" else ""
    return Found(address, anchor, "" if anchor else _label_of(node), _attribute_of(node, "rel") or "", block)


def _set_blocks_apart(document: LexborHTMLParser) -> None:
    for block in document.css(_BLOCKS):
        block.insert_before("\n")
        block.insert_after("\n")


def _lines(text: str) -> str:
    squeezed = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(filter(None, squeezed))


def _label_of(node: LexborNode) -> str:
    """What an element without words of its own is called."""
    for image in node.css("img[alt]")[:_MAX_IMAGES]:
        alternative = _attribute_of(image, "alt")
        if alternative and not alternative.isspace():
            return alternative
    return (
        _attribute_of(node, "alt") or _attribute_of(node, "title") or _attribute_of(node, "aria-label") or ""
    )


def _tag_of(node: LexborNode) -> str:
    return node.tag or ""


def _attribute_of(node: LexborNode, name: str) -> str | None:
    return node.attributes.get(name)


def _parent_of(node: LexborNode) -> LexborNode | None:
    parent = node.parent
    return None if parent is None or parent.tag == "-document" else parent


def _line_of(content: LexborNode | None) -> set[LexborNode]:
    """An element and what it stands in."""
    line: set[LexborNode] = set()
    while content is not None and len(line) < _DEEPEST:
        line.add(content)
        content = _parent_of(content)
    return line


def _enclose(node: LexborNode, name: str) -> None:
    node.insert_before(opening(name))
    node.insert_after(closing(name))
