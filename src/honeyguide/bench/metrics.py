"""How good a crawl was, as pure functions of what it fetched and of labels it never saw.

`fetched` holds the final URL of every page in the order of the crawl, one per unit of the budget; a page that
came twice counts once as found and twice as fetched. `targets` are the pages worth finding. Where there is
nothing to find, or nothing was fetched, a rate is 0. A recorded crawl and a live one are measured alike.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from honeyguide.errors import ErrorKind
from honeyguide.model import Visit
from honeyguide.urls import host_of

RECALL_LEVELS = tuple(level / 10 for level in range(1, 11))
ROUNDING = 1e-9
"""A level such as .1 of 30 pages means 3 of them, though the product in floats is a little more."""


class Outcome(NamedTuple):
    """What a crawl came to: the pages it fetched, in order, and the links that led out of the snapshot."""

    fetched: Sequence[str]
    misses: int = 0


class AtRecall(NamedTuple):
    """Precision and F1 at the fetch where a level of recall is first reached."""

    precision: float
    f1: float


class Density(NamedTuple):
    """A histogram of area 1: the edges of its bins, one more than there are heights."""

    edges: NDArray[np.float64]
    heights: NDArray[np.float64]


class Box(NamedTuple):
    """A box plot: the quartiles, the last values within 1.5 boxes of them, and those farther out."""

    low: float
    first_quartile: float
    median: float
    third_quartile: float
    high: float
    outliers: tuple[float, ...] = ()


class Cost(NamedTuple):
    """What a crawl took besides fetches."""

    cpu_seconds: float
    pages: int
    links: int = 0
    peak_mb: float = 0.0

    @property
    def ms_per_page(self) -> float:
        return _rate(1e3 * self.cpu_seconds, self.pages)

    @property
    def us_per_link(self) -> float:
        return _rate(1e6 * self.cpu_seconds, self.links)


def outcome_of(visits: Iterable[Visit]) -> Outcome:
    """The outcome of a crawl from its visits: what a server answered is fetched, whether it could be read or not."""
    fetched, misses = [], 0
    for visit in visits:
        if visit.status and not visit.unchanged:
            fetched.append(visit.response.url if visit.response else visit.url)
        misses += visit.error is ErrorKind.MISS
    return Outcome(fetched, misses)


def found_curve(fetched: Iterable[str], targets: AbstractSet[str]) -> NDArray[np.int64]:
    """How many targets were found after 0, 1, 2, ... fetches."""
    left = set(targets)
    counts = [0]
    for url in fetched:
        counts.append(counts[-1] + (url in left))
        left.discard(url)
    return np.array(counts, np.int64)


def harvest_at(fetched: Sequence[str], targets: AbstractSet[str], n: int) -> float:
    """The share of targets among the first n fetches, or among all of them if the crawl ended earlier."""
    first = fetched[:n]
    return _rate(found_curve(first, targets)[-1], len(first))


def recall_at(fetched: Sequence[str], targets: AbstractSet[str], n: int) -> float:
    """The share of the targets that the first n fetches found."""
    return _rate(found_curve(fetched[:n], targets)[-1], len(targets))


def efficiency(fetched: Sequence[str], targets: AbstractSet[str], budget: int = 0) -> float:
    """The area under the found-by-fetch curve as a share of that of an oracle, which finds one per fetch.

    A crawl that ends early keeps its last value to the budget; without a budget, the crawl's own length is it.
    """
    budget = budget or len(fetched)
    curve = found_curve(fetched[:budget], targets)
    area = int(curve.sum()) + int(curve[-1]) * (budget + 1 - len(curve))
    oracle = int(np.minimum(np.arange(budget + 1), len(targets)).sum())
    return _rate(area, oracle)


def near_topic_rate(fetched: Sequence[str], levels: Mapping[str, int], upto: int = 2) -> float:
    """The share of fetched pages on a level of the topic's branch no higher than `upto` (GN fig. 4-5)."""
    near = {url for url, level in levels.items() if level <= upto}
    return harvest_at(fetched, near, len(fetched))


def precision_at_recall(fetched: Sequence[str], targets: AbstractSet[str], level: float) -> AtRecall:
    """Precision and F1 at the fetch where the recall first reaches a level; 0 if it never does (AP eq. 20-23)."""
    return _at_recall(found_curve(fetched, targets), len(targets), level)


def mean_precision(
    fetched: Sequence[str], targets: AbstractSet[str], levels: Sequence[float] = RECALL_LEVELS
) -> float:
    """The mean of the precisions at several levels of recall."""
    curve = found_curve(fetched, targets)
    return _mean([_at_recall(curve, len(targets), level).precision for level in levels])


def similarities(
    pages: Sequence[Mapping[str, float]], relevant: Sequence[Mapping[str, float]]
) -> NDArray[np.float64]:
    """For each page the largest cosine of its weighted words to any known relevant page (BT 4.2)."""
    rows = {word: row for row, word in enumerate(dict.fromkeys(word for page in relevant for word in page))}
    weights = np.zeros((len(rows), len(relevant)), np.float32)
    for column, page in enumerate(relevant):
        length = math.hypot(*page.values()) or 1.0
        for word, weight in page.items():
            weights[rows[word], column] = weight / length
    largest = np.zeros(len(pages))
    for number, page in enumerate(pages):
        known = [word for word in page if word in rows]
        if known:
            product = np.array([page[word] for word in known]) @ weights[[rows[word] for word in known]]
            largest[number] = product.max() / (math.hypot(*page.values()) or 1.0)
    return np.clip(largest, 0.0, 1.0)


def average_similarity(
    pages: Sequence[Mapping[str, float]], relevant: Sequence[Mapping[str, float]]
) -> float:
    """The mean over the fetched pages of their similarity to the known relevant ones (BT 4.2)."""
    return _mean(similarities(pages, relevant))


def score_density(
    scores: ArrayLike, bins: int = 80, span: tuple[float, float] | None = (0.0, 1.0)
) -> Density:
    """How a judge's scores are distributed (GD 9); with `span` None over the range they have."""
    values = np.asarray(scores, float).ravel()
    heights, edges = np.histogram(values, bins, span)
    return Density(edges, heights / ((heights.sum() or 1) * np.diff(edges)))


def box(scores: ArrayLike) -> Box:
    """Five numbers and the outliers, after Tukey (GD 9); all 0 without scores."""
    values = np.sort(np.asarray(scores, float).ravel())
    if not len(values):
        return Box(0.0, 0.0, 0.0, 0.0, 0.0)
    first, median, third = np.quantile(values, (0.25, 0.5, 0.75))
    reach = 1.5 * (third - first)
    inside = (values >= first - reach) & (values <= third + reach)
    within = values[inside]
    return Box(
        float(within[0]),
        float(first),
        float(median),
        float(third),
        float(within[-1]),
        tuple(values[~inside].tolist()),
    )


def overlap_matrix(crawls: Sequence[AbstractSet[Any]]) -> NDArray[np.float64]:
    """How much the pages of each two crawls are the same: shared over all (Jaccard); 1 for equal sets (GD 9.5)."""
    matrix = np.ones((len(crawls), len(crawls)))
    for row, one in enumerate(crawls):
        for column, other in enumerate(crawls[:row]):
            union = len(one | other)
            matrix[row, column] = matrix[column, row] = len(one & other) / union if union else 1.0
    return matrix


def hosts_reached(fetched: Iterable[str], among: Collection[str] | None = None) -> int:
    """How many hosts the fetched pages, or those of them that are among some, lie on."""
    return len({host_of(url) for url in fetched if among is None or url in among})


def _at_recall(curve: NDArray[np.int64], targets: int, level: float) -> AtRecall:
    needed = max(1, math.ceil(level * targets - ROUNDING))
    if curve[-1] < needed:
        return AtRecall(0.0, 0.0)
    fetch = int(np.searchsorted(curve, needed))
    # With tp found of `targets`, 2PR / (P + R) is 2 tp / (fetched + targets).
    return AtRecall(needed / fetch, 2 * needed / (fetch + targets))


def _rate(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


def _mean(values: Sequence[float] | NDArray[np.float64]) -> float:
    return math.fsum(values) / len(values) if len(values) else 0.0
