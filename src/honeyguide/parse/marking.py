"""The thorough way to read a document: marks are written into it before it is rendered (see `contexts`)."""

from collections.abc import Iterable

from turbohtml import Element, Text

from honeyguide.parse.contexts import MAIN, OUTSIDE, MarkedText, closing, instead, opening
from honeyguide.parse.head import squeeze
from honeyguide.parse.layout import EMPTY, LONG_ANCHOR, Layout, Reading, label_of
from honeyguide.parse.links import Found
from honeyguide.parse.maintext import render
from honeyguide.parse.places import Block

_BLOCKS = "div,p,h1,h2,h3,h4,h5,h6,ul,ol,li,section,article,figure,figcaption,header,br"


def read_marks(layout: Layout, *, window: int, allowance: int) -> Reading:
    """What a document says; links within links are read until `allowance` is used up."""
    leading = [layout.elements[number] for number in layout.wanted]
    # Links first: one that is itself a part of a menu would else have the menu's marks among its words.
    found, anchors = _take_out(zip(layout.addresses, leading, layout.blocks, strict=True), allowance)
    for element in layout.outside:
        _enclose(element, OUTSIDE)
    if layout.content is not None:
        _enclose(layout.content, MAIN)
    return MarkedText(render(layout.document), anchors, window=window), found


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
        is_short = len(words) <= LONG_ANCHOR
        anchor = " ".join(words.split()) if is_short else squeeze(words, LONG_ANCHOR)
        label = "" if anchor else label_of(element)
        found.append(Found(address, anchor, label, element.attr("rel") or "", block))
        if element.tag in EMPTY:
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
