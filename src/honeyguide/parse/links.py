"""From link elements to Links: one for each address, with the best words a page has for it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from honeyguide.model import Link, Origin
from honeyguide.parse.contexts import MarkedText
from honeyguide.parse.head import squeeze
from honeyguide.parse.places import Block
from honeyguide.urls import words_of

_RICH = 120
"""More characters than these make an anchor no richer."""


class Found(NamedTuple):
    """A link element: its address, its own words, what else it is called, its rel, and where it stands."""

    url: str
    anchor: str
    label: str
    rel: str
    block: Block


def body_links(found: Sequence[Found], marked: MarkedText, source: str) -> list[Link]:
    """A Link for each address that elements lead to: that of the richest anchor, in the order of the first."""
    best: dict[str, tuple[int, int]] = {}
    followed: set[str] = set()
    for number, (url, anchor, _, rel, _) in enumerate(found):
        richness = min(len(anchor), _RICH)
        known = best.get(url)
        if known is None or richness > known[1]:
            best[url] = number, richness
        if not rel or "nofollow" not in rel.lower():
            followed.add(url)
    links = []
    for url, (number, _) in best.items():
        _, anchor, label, _, (place, path, _) = found[number]
        words = anchor or squeeze(label) or words_of(url)
        context = marked.context(str(number), words)
        links.append(Link(url, source, words, context, place, path, Origin.PAGE, url not in followed))
    return links


def one_for_each(links: Iterable[Link], limit: int) -> tuple[Link, ...]:
    """One link for each address: the last that tells of it, where the first stood."""
    return tuple({link.url: link for link in links}.values())[:limit]
