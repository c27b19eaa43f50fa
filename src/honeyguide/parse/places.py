"""Where in its page a link stands: in the text, a list, a menu, the header or the footer; and in which block.

A block's place is worked out from the outside in and once only, so a page costs what its blocks cost,
however many links they hold.
"""

import re
from collections.abc import Callable, Collection, Hashable, Iterable
from functools import lru_cache
from typing import Any

from honeyguide.model import Place

Block = tuple[Place, str, bool]
"""An element's place, its path in the page, and whether it belongs to an article or section.

A path starts at the innermost element with a name and counts those without among their like that hold
links: "div#content/ul[2]/li[3]".
"""

_SPEAKING = ("nav", "menu", "sidebar", "header", "footer", "banner")
CANDIDATES = "nav,header,footer,aside,[role]," + ",".join(
    f"[{attribute}*={hint} i]" for attribute in ("class", "id") for hint in _SPEAKING
)
"""A CSS selector for most of what `Surroundings` may find to be no part of the text proper."""

BOILERPLATE = frozenset({Place.NAVIGATION, Place.HEADER, Place.FOOTER})

# Looked up once here, for what is asked of every block of every page.
_BODY, _LIST, _NAVIGATION = Place.BODY, Place.LIST, Place.NAVIGATION
PAGE: Block = (_BODY, "", False)
_DEEPEST = 256
_LONGEST_PATH = 8
_LONGEST_NAME = 40
_LONGEST_NAMES = 200

_TAGS: dict[str, Place] = {
    "nav": Place.NAVIGATION,
    "aside": Place.NAVIGATION,
    "header": Place.HEADER,
    "footer": Place.FOOTER,
}
_ROLES = {
    "navigation": Place.NAVIGATION,
    "complementary": Place.NAVIGATION,
    "search": Place.NAVIGATION,
    "menu": Place.NAVIGATION,
    "menubar": Place.NAVIGATION,
    "banner": Place.HEADER,
    "contentinfo": Place.FOOTER,
}
_HINTED = {"navigation": Place.NAVIGATION, "header": Place.HEADER, "footer": Place.FOOTER}
_SECTIONS = frozenset({"article", "section", "main", "blockquote"})
_NO_BLOCKS_NAMES = (
    "html body a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp "
    "small span strike strong sub sup tbody time tt u var"
)
_NO_BLOCKS = frozenset(_NO_BLOCKS_NAMES.split())

# Names with digits are those of single things (post-12), not of parts of a page.
_has_digit = re.compile(r"\d").search

_speaking = re.compile("|".join(_SPEAKING), re.IGNORECASE | re.ASCII).search

# A name counts that is or ends with such a word (main-menu, siteFooter), or starts with it (nav_left).
_hint = re.compile(
    r"(?:^|\s)(?:(?!has|with|no[-_]|hide|show)[\w-]*?(?:[-_]|(?<=[a-z])(?=[A-Z])|main|top|left|right|side|sub|site))?"
    r"(?i:(?P<navigation>nav(?:igation|bar)?|menu(?:bar)?|sidebar|breadcrumbs?|toolbar)(?:[-_](?!open|collapsed)[\w-]*)?"
    r"|(?P<header>header|masthead|banner|branding|sitetitle|site[-_]title|logo)"
    r"|(?P<footer>footer|colophon|copyright))(?=\s|$)"
).search


class Surroundings:
    """The places of the elements of one page; what holds the page's content is never a menu."""

    def __init__(
        self,
        *,
        tag_of: Callable[[Any], str],
        attribute_of: Callable[[Any, str], str | None],
        parent_of: Callable[[Any], Any],
        content: Collection[Hashable] = (),
    ) -> None:
        self._tag_of = tag_of
        self._attribute_of = attribute_of
        self._parent_of = parent_of
        self._content = content
        self._known: dict[Hashable, Block] = {}
        self._siblings: dict[str, int] = {}

    def of_all(self, nodes: Iterable[Hashable]) -> list[Block]:
        """Where each of some elements stands; cheap for those that many links share."""
        known = self._known.get
        of = self.of
        return [known(node) or of(node) for node in nodes]

    def of(self, node: Hashable) -> Block:
        """Where an element stands; None is outside of everything."""
        known = self._known
        block = known.get(node)
        if block is not None or node is None:
            return block or PAGE
        trail = [node]
        node = self._parent_of(node)
        while node is not None and len(trail) < _DEEPEST:
            block = known.get(node)
            if block is not None:
                break
            trail.append(node)
            node = self._parent_of(node)
        block = block or PAGE
        while trail:
            node = trail.pop()
            block = known[node] = self._enter(block, node)
        return block

    def _enter(self, outer: Block, node: Hashable) -> Block:
        """The block that an element makes within another; one function, for it is called for every block."""
        tag = self._tag_of(node)
        if tag in _NO_BLOCKS:
            return outer
        place, path, sectioned = outer
        attribute_of = self._attribute_of
        name = attribute_of(node, "id")
        if (place is _BODY or place is _LIST) and node not in self._content:
            found = _TAGS.get(tag)
            if found is None:
                role = attribute_of(node, "role")
                classes = attribute_of(node, "class")
                if role in _ROLES:
                    found = _ROLES[role]
                elif (names := f"{name} {classes or ''}" if name else classes) and tag not in _SECTIONS:
                    found = _hinted_by(names[:_LONGEST_NAMES])
            if found and (found is _NAVIGATION or not sectioned):
                place = found
            elif tag == "li":
                place = _LIST
        if name and not _has_digit(name):
            path = f"{tag}#{name[:_LONGEST_NAME]}"
        else:
            if path.count("/") >= _LONGEST_PATH - 1:
                path = path[path.index("/") + 1 :]
            path = f"{path}/{tag}" if path else tag
            number = self._siblings[path] = self._siblings.get(path, 0) + 1
            path = f"{path}[{number}]"
        return place, path, sectioned or tag in _SECTIONS


def speaks_of_boilerplate(names: str) -> bool:
    """Whether an id or class is one that `CANDIDATES` selects."""
    return _speaking(names, 0, _LONGEST_NAMES) is not None


@lru_cache(maxsize=8_192)
def _hinted_by(names: str) -> Place | None:
    """The place that names and classes speak of; the same few come up all over a site."""
    hint = _hint(names)
    return _HINTED[hint.lastgroup] if hint and hint.lastgroup else None
