"""Texts in clusters: k-means, and X-means, which finds out how many clusters there are.

Both see texts as vectors of length 1. Everything is summed in one order whatever the machine, and chance
comes from a seed, so the same texts fall into the same clusters everywhere.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.bags import Counts, Floats

Labels = NDArray[np.intp]

RESTARTS = 5
ITERATIONS = 50
MOST = 20
"""Clusters up to which X-means splits them."""


def k_means(unit: Counts, clusters: int, *, seed: int = 0) -> Labels:
    """The cluster of every text: the tightest of several tries from different beginnings."""
    return _tightest(unit, clusters, np.random.default_rng(seed))


def x_means(unit: Counts, fewest: int = 2, most: int = MOST, *, seed: int = 0) -> Labels:
    """The cluster of every text, as many clusters as the texts ask for (Pelleg and Moore 2000).

    The `fewest` clusters are split in two again and again, where that raises the Bayesian information
    criterion of the texts in them under spherical Gaussians, until no split does or there are `most`.
    """
    random = np.random.default_rng(seed)
    labels = _tightest(unit, fewest, random)
    waiting = list(range(int(labels.max(initial=0)) + 1))
    count = len(waiting)
    while waiting and count < most:
        cluster = waiting.pop(0)
        members = np.flatnonzero(labels == cluster)
        texts = _some(unit, members)
        halves = _tightest(texts, 2, random)
        if halves.any() and _criterion(texts, halves) > _criterion(texts, np.zeros_like(halves)):
            labels[members[halves == 1]] = count
            waiting += [cluster, count]
            count += 1
    return labels


def _tightest(texts: Counts, clusters: int, random: np.random.Generator) -> Labels:
    if texts.texts < 2 or clusters < 2:
        return np.zeros(texts.texts, np.intp)
    tries = [_lloyd(texts, _beginnings(texts, clusters, random)) for _ in range(RESTARTS)]
    return min(tries, key=lambda labels: _spread(texts, labels))


def _beginnings(texts: Counts, clusters: int, random: np.random.Generator) -> Floats:
    """Texts to begin with, each the likelier the farther it is from those chosen before (k-means++)."""
    chosen = [int(random.integers(texts.texts))]
    nearest = _distances(texts, _vectors(texts, chosen))[0]
    while len(chosen) < clusters and nearest.max() > 1e-9:
        sums = np.cumsum(nearest)
        chosen.append(int(np.searchsorted(sums, random.random() * sums[-1], side="right")))
        nearest = np.minimum(nearest, _distances(texts, _vectors(texts, chosen[-1:]))[0])
    return _vectors(texts, chosen)


def _lloyd(texts: Counts, centres: Floats) -> Labels:
    """Every text to its nearest centre, every centre to the mean of its texts, until nothing moves."""
    labels = np.full(texts.texts, -1, np.intp)
    for _ in range(ITERATIONS):
        found = np.argmin(_distances(texts, centres), axis=0)
        if np.array_equal(found, labels):
            break
        labels = np.unique(found, return_inverse=True)[1]
        centres = _means(texts, labels)
    return labels


def _distances(texts: Counts, centres: Floats) -> Floats:
    """The squared distance of every centre to every text."""
    own = texts.by_row(np.square(texts.counts))
    products = [texts.by_row(texts.counts * centre.take(texts.columns)) for centre in centres]
    squares = own + np.square(centres).sum(axis=1)[:, None] - 2 * np.array(products)
    return np.asarray(np.maximum(squares, 0.0))


def _means(texts: Counts, labels: Labels) -> Floats:
    sizes = np.bincount(labels)
    words = len(texts.words)
    sums = np.bincount(labels[texts.rows] * words + texts.columns, texts.counts, len(sizes) * words)
    return np.asarray(sums.reshape(len(sizes), words) / sizes[:, None])


def _vectors(texts: Counts, which: Sequence[int]) -> Floats:
    """Some of the texts with a place for every word."""
    some = _some(texts, np.array(which))
    return _means(some, np.arange(some.texts))


def _some(texts: Counts, which: NDArray[np.intp]) -> Counts:
    """Some of the texts, over the same words."""
    row_of = np.full(texts.texts, -1, np.int32)
    row_of[which] = np.arange(len(which), dtype=np.int32)
    rows = row_of[texts.rows]
    kept = rows >= 0
    return Counts(texts.words, rows[kept], texts.columns[kept], texts.counts[kept], len(which))


def _spread(texts: Counts, labels: Labels) -> float:
    """The sum of the squared distances of texts to the means of their clusters."""
    around = np.bincount(labels) * np.square(_means(texts, labels)).sum(axis=1)
    return float(np.square(texts.counts).sum() - around.sum())


def _criterion(texts: Counts, labels: Labels) -> float:
    """The Bayesian information criterion of spherical Gaussians (Pelleg and Moore 2000)."""
    number, dimensions = texts.texts, len(texts.words)
    sizes = np.bincount(labels).astype(np.float64)
    clusters = len(sizes)
    if number <= clusters or not dimensions:
        return -math.inf
    variance = max(_spread(texts, labels) / ((number - clusters) * dimensions), 1e-12)
    likelihood = float((sizes * np.log(sizes)).sum()) - number * math.log(number)
    likelihood -= number * dimensions / 2 * math.log(2 * math.pi * variance)
    likelihood -= (number - clusters) * dimensions / 2
    parameters = clusters - 1 + clusters * dimensions + 1
    return likelihood - parameters / 2 * math.log(number)
