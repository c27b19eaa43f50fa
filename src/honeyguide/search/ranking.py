"""Which of the pages that match come first.

score(q, p) = text(q, p) * (1 + relevance weight * relevance(p) + authority weight * authority(p))

text is BM25 summed over the fields (k1 = 1.2, b = 0.75, and the boosts of fields.py), relevance the judge's score in
[0, 1], authority that of links.py. Of equal pages, the one whose address has the smaller hash comes first, so that the
order is the same whenever and wherever it is worked out.
"""

from dataclasses import dataclass

import numpy as np
import tantivy
from numpy.typing import NDArray

from honeyguide.search.links import Standing
from honeyguide.search.sort import Sort

FIRST_LOOK = 1000
"""Matches that are looked at first; there are more looks, each ten times as deep, while the best may be deeper."""

Numbers = NDArray[np.float64]


class Ranking:
    """How much being on topic and being linked to count beside saying the words."""

    def __init__(self, *, relevance_weight: float = 1.0, authority_weight: float = 0.5) -> None:
        for name, weight in (("relevance_weight", relevance_weight), ("authority_weight", authority_weight)):
            if not 0 <= weight <= 1000:
                raise ValueError(f"{name} must be 0 to 1000, not {weight}")
        self.relevance_weight = relevance_weight
        self.authority_weight = authority_weight

    def factor(self, relevance: Numbers, authority: Numbers) -> Numbers:
        """What the text's score is multiplied with."""
        return 1 + self.relevance_weight * relevance + self.authority_weight * authority

    @property
    def highest(self) -> float:
        """The largest factor a page can have."""
        return 1 + self.relevance_weight + self.authority_weight


@dataclass(frozen=True)
class Ranked:
    """Some matches, the first one first, with what their scores are made of."""

    addresses: list[tantivy.DocAddress]
    score: Numbers
    text: Numbers
    relevance: Numbers
    authority: Numbers

    def cut(self, first: int, last: int) -> "Ranked":
        """A stretch of them."""
        return Ranked(
            self.addresses[first:last],
            self.score[first:last],
            self.text[first:last],
            self.relevance[first:last],
            self.authority[first:last],
        )


def best(
    searcher: tantivy.Searcher,
    query: tantivy.Query,
    *,
    wanted: int,
    ranking: Ranking,
    standing: Standing,
    sort: Sort = Sort.SCORE,
) -> tuple[Ranked, int]:
    """The first `wanted` of all matches, and how many match.

    Matches come by their text's score. Once the last page wanted scores more than the highest factor could make of
    the next match, no deeper one can be better (the threshold of Fagin, Lotem & Naor 2001), so the order is exact.
    """
    everything = max(1, searcher.num_docs)
    depth = min(everything, max(FIRST_LOOK, 2 * wanted)) if sort is Sort.SCORE else everything
    while True:
        found = searcher.search(query, limit=depth)
        ranked = _ranked(searcher, found.hits, ranking, standing, sort)
        total = int(found.count)  # type: ignore[attr-defined]
        if depth >= everything or len(found.hits) < depth:
            break
        if wanted and ranked.score[wanted - 1] > found.hits[-1][0] * ranking.highest:
            break
        depth = min(everything, 10 * depth)
    return ranked.cut(0, wanted), total


def _ranked(
    searcher: tantivy.Searcher,
    hits: list[tuple[float, tantivy.DocAddress]],
    ranking: Ranking,
    standing: Standing,
    sort: Sort,
) -> Ranked:
    addresses = [address for _, address in hits]
    text = np.array([score for score, _ in hits], np.float64)
    keys = np.array(searcher.fast_field_values("key", addresses), np.int64)
    relevance = np.array(searcher.fast_field_values("relevance", addresses), np.float64)
    authority = standing.authorities(keys)
    score = text * ranking.factor(relevance, authority)
    if sort in (Sort.NEWEST, Sort.OLDEST):
        fetched = np.array(searcher.fast_field_values("fetched", addresses), np.int64)
        first: NDArray[np.generic] = -fetched if sort is Sort.NEWEST else fetched
    else:
        first = -{Sort.RELEVANCE: relevance, Sort.AUTHORITY: authority}.get(sort, score)
    order = np.lexsort((keys, -score, first))
    return Ranked(
        [addresses[place] for place in order.tolist()],
        score[order],
        text[order],
        relevance[order],
        authority[order],
    )
