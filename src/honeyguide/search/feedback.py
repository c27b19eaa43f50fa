"""A search made better by pages that are good or bad answers to it, as Rocchio (1971) does it.

q' = alpha q + beta / |G| sum of the good - gamma / |B| sum of the bad, where q and the pages are vectors of words,
(1 + ln tf) ln(1 + (N - df + 0.5) / (df + 0.5)), of length 1. Words that end up below zero are left out, and of the
others the heaviest are kept. Pages like a given one are found by the same formula, with no search and one good page.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

ALPHA, BETA, GAMMA = 1.0, 0.75, 0.15
MOST_TERMS = 30
READ = 20_000
"""Characters of a page's text that its vector is made of."""

Vector = Mapping[str, float]


def rocchio(
    query: Vector,
    good: Sequence[Vector],
    bad: Sequence[Vector],
    *,
    alpha: float = ALPHA,
    beta: float = BETA,
    gamma: float = GAMMA,
    most: int = MOST_TERMS,
) -> dict[str, float]:
    """The weights of the words to search for instead, the heaviest first."""
    moved: defaultdict[str, float] = defaultdict(float)
    for share, vectors in (
        (alpha, [query]),
        (beta / max(1, len(good)), good),
        (-gamma / max(1, len(bad)), bad),
    ):
        for vector in vectors:
            for term, weight in vector.items():
                moved[term] += share * weight
    heaviest = sorted(moved.items(), key=lambda item: (-item[1], item[0]))
    return {term: weight for term, weight in heaviest[:most] if weight > 0}


def vector(terms: Iterable[str], pages: int, pages_with: Callable[[str], int]) -> dict[str, float]:
    """The words of a text, weighted by how often it says them and how few pages do; of length 1."""
    weights = {}
    for term, times in Counter(terms).items():
        having = pages_with(term)
        weights[term] = (1 + math.log(times)) * math.log(1 + (pages - having + 0.5) / (having + 0.5))
    length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
    return {term: weight / length for term, weight in weights.items()} if length else {}
