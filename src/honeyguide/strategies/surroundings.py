"""What stands in and around links, for strategies that weigh words by how near to a link they are."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Link
from honeyguide.text.snippets import SnippetReader, size_of


class Surroundings(NamedTuple):
    """The stems in and around some links: which link each is near, its number, and how many stems away it stands.

    A stem of the link itself is 0 away, the d-th before or after it d.
    """

    rows: NDArray[np.intp]
    stems: NDArray[np.int32]
    away: NDArray[np.int64]
    links: int


def surroundings(links: Sequence[Link], reader: SnippetReader) -> Surroundings:
    """Read the anchors and contexts of links; an anchor that its context does not hold stands before it."""
    texts, begins, ends = [], np.zeros(len(links), np.int64), np.zeros(len(links), np.int64)
    for row, link in enumerate(links):
        at = place_in_context(link)
        text = link.context if at >= 0 else f"{link.anchor}\n{link.context}"
        begins[row] = size_of(text[: max(at, 0)])
        ends[row] = begins[row] + size_of(link.anchor)
        texts.append(text)
    read = reader.read(texts)
    rows, starts = read.rows, read.starts
    first = np.searchsorted(rows, np.arange(len(links)))
    into = first + np.bincount(rows[starts < begins[rows]], minlength=len(links))
    out = first + np.bincount(rows[starts < ends[rows]], minlength=len(links))
    places = np.arange(len(rows))
    away = np.maximum(np.maximum(into[rows] - places, places - out[rows] + 1), 0)
    return Surroundings(rows, read.stems, away, len(links))


def place_in_context(link: Link) -> int:
    """Where in its context the words of a link begin, -1 if it lacks them; one without words is in the middle.

    The words may stand near the link once more: its own are in the middle, or nearest to it where a page begins
    or ends.
    """
    context, anchor = link.context, link.anchor
    middle = (len(context) - len(anchor)) // 2
    if middle < 0:
        return -1
    after = context.find(anchor, middle)
    if after == middle:
        return after
    before = context.rfind(anchor, 0, middle + len(anchor))
    return before if after < 0 or 0 <= middle - before < after - middle else after
