"""From link elements to Links: one for each address, with the best words a page has for it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from honeyguide.model import Link, Origin
from honeyguide.parse.head import squeeze
from honeyguide.parse.places import Block
from honeyguide.urls import words_of

_RICH = 120
"""More characters than these make an anchor no richer."""
_PAGE = Origin.PAGE


class Found(NamedTuple):
    """A link element: its address, its own words, what else it is called, its rel, and where it stands."""

    url: str
    anchor: str
    label: str
    rel: str
    block: Block


class Contexts(Protocol):
    """What tells the words around links."""

    def context(self, name: str, label: str) -> str:
        """The words around a link, which goes by its number; its label is what it is called."""


def body_links(
    found: Sequence[tuple[str, str, str, str, Block]], contexts: Contexts, source: str
) -> list[Link]:
    """A Link for each address that elements lead to: that of the richest anchor, in the order of the first.

    Of each element is told what `Found` holds.
    """
    best: dict[str, int] = {}
    shunned: set[str] = set()
    for number, (url, anchor, _, rel, _) in enumerate(found):
        known = best.setdefault(url, number)
        if known != number and min(len(anchor), _RICH) > min(len(found[known][1]), _RICH):
            best[url] = number
        if rel and "nofollow" in rel.lower():
            shunned.add(url)
    if shunned:
        shunned.difference_update([url for url, _, _, rel, _ in found if "nofollow" not in rel.lower()])
    context = contexts.context
    links = []
    for url, number in best.items():
        _, anchor, label, _, (place, path, _) = found[number]
        words = anchor or squeeze(label) or words_of(url)
        links.append(
            Link(url, source, words, context(str(number), words), place, path, _PAGE, url in shunned)
        )
    return links


def one_for_each(links: Iterable[Link], limit: int) -> tuple[Link, ...]:
    """One link for each address: the last that tells of it, where the first stood."""
    return tuple({link.url: link for link in links}.values())[:limit]
