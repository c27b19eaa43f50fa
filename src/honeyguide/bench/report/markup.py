"""Markup for pages and figures: whatever is not marked as markup is escaped."""

import re
from collections.abc import Iterable
from html import escape

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold; names come from files, so they may be there."""


class Markup(str):
    """Text that is markup already and goes into a page as it is."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """Text as it may stand between tags or in a quoted attribute, in HTML and in XML."""
    return text if isinstance(text, Markup) else Markup(escape(_NOT_XML.sub("\ufffd", text)))


def tag(name: str, /, *children: str, **attributes: str | float | None) -> Markup:
    """An element; `class_` and `stroke_width` are spelt class and stroke-width, None leaves one out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children and name in _EMPTY:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{joined(children)}</{name}>")


def joined(parts: Iterable[str]) -> Markup:
    """Several pieces one after another, each escaped unless it is markup."""
    return Markup("".join(escaped(part) for part in parts))


def number(value: float) -> str:
    """A coordinate, to a tenth of a pixel and without a useless end."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _value(value: str | float) -> str:
    return escaped(value) if isinstance(value, str) else number(value)


_EMPTY = frozenset({"circle", "meta", "path", "rect"})
