"""The quick way to read a document: the renderer tells where in its text the links and parts are."""

from collections.abc import Sequence

from turbohtml import Element, Text

from honeyguide.parse.layout import EMPTY, Layout, Reading, label_of
from honeyguide.parse.maintext import LAYOUT
from honeyguide.parse.spans import SIGN, Span, SpannedText

_PART = "honeyguide-part"
_LINK, _MAIN, _OUTSIDE, _BOTH = "link", "main", "outside", "both"
_COLLAPSED = " \t\n\r\f"
_RULES = {
    "a#href": [_LINK],
    f"#{_PART}={_MAIN}": [_MAIN],
    f"#{_PART}={_OUTSIDE}": [_OUTSIDE],
    f"#{_PART}={_BOTH}": [_MAIN, _OUTSIDE],
}


def read_spans(layout: Layout, *, window: int, allowance: int) -> Reading | None:
    """What a document says, or None, the document as it was, where spans cannot tell all of it.

    They tell nothing of what stands within preformatted text, nor of links that overlap.
    `allowance` bounds the characters of links that are looked at.
    """
    if layout.document.find("pre") is not None:
        return None
    has_empty = any(layout.document.find(tag) is not None for tag in EMPTY)
    wanted = set(layout.wanted)
    visible: list[int] = []
    signs: list[Text | Element] = []
    for number, element in enumerate(layout.elements):
        words = element.text
        allowance -= len(words)
        if allowance < 0:
            break
        if number in wanted:
            if not words or words.isspace() or (has_empty and element.tag in EMPTY):
                signs.append(_sign(element))
            visible.append(number)
        elif words.strip(_COLLAPSED) and element.attr("href"):
            visible.append(number)
    else:
        reading = _read(layout, visible, window)
        if reading is not None:
            return reading
    for sign in signs:
        sign.extract()
    return None


def _sign(element: Element) -> Text | Element:
    """Give a link without words a place in the text."""
    sign = Text(SIGN)
    if element.tag not in EMPTY:
        element.append(sign)
        return sign
    link = Element("a", {"href": "#"})
    link.append(sign)
    element.insert_before(link)
    return link


def _read(layout: Layout, visible: Sequence[int], window: int) -> Reading | None:
    """What a document says whose visible links are those of some numbers."""
    _name_parts(layout)
    text, spans = layout.document.to_annotated_text(_RULES, LAYOUT)
    links = [(start, end) for start, end, label in spans if label == _LINK]
    if len(links) != len(visible) or _overlap(links):
        return None
    main = next(((start, end) for start, end, label in spans if label == _MAIN), (0, 0))
    if layout.content is not None and main == (0, 0):
        return None
    outside = [(start, end) for start, end, label in spans if label == _OUTSIDE]
    if len(links) != len(layout.wanted):
        wanted = set(layout.wanted)
        links = [span for number, span in zip(visible, links, strict=True) if number in wanted]
    said = SpannedText(text, links, main=main, outside=outside, window=window)
    elements = [layout.elements[number] for number in layout.wanted]
    rels = [element.attr("rel") or "" for element in elements]
    labels = [
        "" if anchor else label_of(element) for anchor, element in zip(said.anchors, elements, strict=True)
    ]
    found = list(zip(layout.addresses, said.anchors, labels, rels, layout.blocks, strict=True))
    return said, found


def _name_parts(layout: Layout) -> None:
    for element in layout.outside:
        element.attrs[_PART] = _OUTSIDE
    if layout.content is not None:
        layout.content.attrs[_PART] = _BOTH if _PART in layout.content.attrs else _MAIN


def _overlap(spans: list[Span]) -> bool:
    done = 0
    for start, end in spans:
        if start < done:
            return True
        done = end
    return False
