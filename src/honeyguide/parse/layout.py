"""The parts of an HTML document that its text is read by, and what reading it gives."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from turbohtml import Document, Element

from honeyguide.parse.links import Contexts
from honeyguide.parse.places import Block

LONG_ANCHOR = 400
"""Links of more characters are passages, which are cut for an anchor."""
EMPTY = frozenset({"area", "iframe", "frame"})
"""The tags of what leads elsewhere and has no words of its own."""
_MAX_IMAGES = 5


class Layout(NamedTuple):
    """A document without tables, what may lead elsewhere in it, its main content, its menus and the like."""

    document: Document
    elements: Sequence[Element]
    wanted: Sequence[int]
    """The numbers of the elements that do lead elsewhere, in order."""
    addresses: Sequence[str]
    """Where to, of those that are wanted."""
    blocks: Sequence[Block]
    """Where they stand."""
    content: Element | None
    outside: Sequence[Element]


class PageText(Contexts, Protocol):
    """The text of a page, and the words around its links."""

    @property
    def main(self) -> str:
        """The text of the main content."""

    @property
    def visible(self) -> str:
        """All text that is not menus and the like."""

    @property
    def share(self) -> float:
        """How much of the visible text the main content holds."""


Reading = tuple[PageText, Sequence[tuple[str, str, str, str, Block]]]
"""The text of a document, and what `Found` holds of each link in it."""


def label_of(element: Element) -> str:
    """What an element without words of its own is called."""
    for image in element.find_all("img", limit=_MAX_IMAGES):
        alternative = image.attr("alt")
        if alternative and not alternative.isspace():
            return alternative
    return element.attr("alt") or element.attr("title") or element.attr("aria-label") or ""
