"""Fits the weights of guide to crawls of which the outcome is known.

At some moments of a crawl every URL that waits is set beside what it turned out to be. A softmax over the scores
of all that wait says how much of its faith a guide with given weights puts into URLs that are relevant. For every web
weights are fitted so that this is much and they are not far from weights from before; the mean over the webs is taken,
for weights that suit one kind of web may harm on another, and halfway most of both is kept.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, groupby
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from honeyguide.errors import ConfigError
from honeyguide.statistics import paired
from honeyguide.strategies.observer import Look, Observed
from honeyguide.strategies.promises import FEATURES, VERSION, Floats, Weights

PENALTIES = (0.03, 0.1, 0.3, 1.0, 3.0)
"""How strongly weights may be drawn to those from before. For every web what does best on topics of it that were not
fitted to is taken.
"""

PENALTY = 0.3
"""How strongly they are where there is a single topic, so that nothing can be tried out."""

FOLDS = 4
"""Parts that topics are divided into; what is fitted to the others is tried on each."""

LATER = 0.7
"""The power of the number of pages that a look counts with. The later it is, the longer it is until the next; but what
is left late is hard to tell for anybody.
"""

LEAST = 0.3
"""The share of its weight from before that a feature keeps at least. What the addresses of one web say as well as
its links do, those of another may not.
"""

SHARPEST = 2.0
"""The logarithm of the largest factor between scores and the exponents of the softmax, and of the smallest."""


class Fitted(NamedTuple):
    """Weights, and the share of its faith that a guide puts into relevant URLs, before and after, by topic.

    `penalties` are those of the webs. `before` and `after` are of topics that were held back when weights were
    fitted to the others; without others they are empty.
    """

    weights: Weights
    penalties: Mapping[str, float]
    topics: tuple[str, ...]
    before: Mapping[str, float]
    after: Mapping[str, float]

    def table(self, sources: Mapping[str, Any]) -> dict[str, Any]:
        """All of it as plain data, with what it was fitted to and a digest of that."""
        told = json.dumps(sources, sort_keys=True).encode()
        held_back = paired(list(self.after.values()), list(self.before.values()))
        figures = np.stack(self.weights, axis=1)
        return {
            "version": VERSION,
            "features": {
                name: [float(f"{figure:.5g}") for figure in row]
                for name, row in zip(FEATURES, figures.tolist(), strict=True)
            },
            "penalties": dict(self.penalties),
            "topics": list(self.topics),
            "shares": {
                topic: [round(before, 4), round(self.after[topic], 4)]
                for topic, before in self.before.items()
            },
            "gain": [round(value, 4) for value in held_back[:3]] if self.before else None,
            "sources": dict(sources),
            "digest": hashlib.sha256(told).hexdigest(),
        }


def fit(
    crawls: Sequence[Observed],
    *,
    towards: Weights,
    penalties: Sequence[float] = PENALTIES,
    on_progress: Callable[[int, int], None] = lambda done, of: None,
) -> Fitted:
    """Weights fitted to the crawls of each web, drawn towards weights from before, and the mean of those.

    Every web counts alike, and so do its topics.
    """
    crawls = [crawl for crawl in crawls if crawl.looks]
    if not crawls:
        raise ConfigError("There is nothing to fit weights to: no look shows pages of both kinds.")
    means, deviations = Material.of(crawls).moments(towards)
    part_of = folds(crawls)
    by_web: dict[str, list[Observed]] = {}
    for crawl in crawls:
        by_web.setdefault(crawl.web, []).append(crawl)
    steps = FOLDS * len(by_web)
    done = count(1)
    webs = {
        web: _fit_web(own, part_of, towards, penalties, lambda: on_progress(next(done), steps))
        for web, own in by_web.items()
    }
    on_progress(steps, steps)
    before: dict[str, float] = {}
    after: dict[str, float] = {}
    for part in sorted(set(part_of.values())):
        others = [crawl for crawl in crawls if part_of[crawl.topic] != part]
        found = [slopes for web in webs.values() if (slopes := web.without.get(part, web.slopes)) is not None]
        if not others or not found:
            continue
        told = Material.of(others)
        rest = Material.of([crawl for crawl in crawls if part_of[crawl.topic] == part])
        mean = _mean(found, deviations, towards) * towards.deviations
        before.update(rest.shares(_minimum(told, towards, math.inf)))
        after.update(rest.shares(_minimum(told, towards._replace(weights=mean), math.inf)))
    slopes = _mean([web.slopes for web in webs.values()], deviations, towards)
    return Fitted(
        Weights(means, deviations, slopes * deviations),
        {name: web.penalty for name, web in webs.items()},
        tuple(dict.fromkeys(crawl.topic for crawl in crawls)),
        before,
        after,
    )


def folds(crawls: Iterable[Observed]) -> dict[str, int]:
    """The part that every topic belongs to; the topics of each web are dealt out by their names."""
    topics = sorted({(crawl.web, crawl.topic) for crawl in crawls})
    return {
        topic: number % FOLDS
        for _, own in groupby(topics, key=lambda pair: pair[0])
        for number, (_, topic) in enumerate(own)
    }


class Slopes(NamedTuple):
    """What one unit of each feature counts, and by what factor scores become exponents of the softmax."""

    slopes: Floats
    sharpness: float


class Material:
    """All looks at some crawls, one below the other."""

    def __init__(self, looks: Sequence[Look], shares: Sequence[float], topics: Sequence[str]) -> None:
        lengths = [len(look.relevant) for look in looks]
        self._features = np.concatenate([look.features for look in looks])
        self._relevant = np.concatenate([look.relevant for look in looks])
        self._starts = np.array([0, *np.cumsum(lengths)[:-1]])
        self._lengths = np.array(lengths)
        self._shares = np.array(shares)
        self._topics = topics

    @classmethod
    def of(cls, crawls: Sequence[Observed]) -> "Material":
        """The looks at crawls; each counts for its share of the topic, later ones more, and that for its share of the
        web.
        """
        webs = {crawl.web for crawl in crawls}
        topics = {web: {crawl.topic for crawl in crawls if crawl.web == web} for web in webs}
        each = [(look, crawl) for crawl in crawls for look in crawl.looks]
        whole: dict[str, float] = {}
        for look, crawl in each:
            whole[crawl.topic] = whole.get(crawl.topic, 0.0) + look.pages**LATER
        shares = [
            look.pages**LATER / (len(webs) * len(topics[crawl.web]) * whole[crawl.topic])
            for look, crawl in each
        ]
        return cls([look for look, _ in each], shares, [crawl.topic for _, crawl in each])

    def moments(self, towards: Weights) -> tuple[Floats, Floats]:
        """The mean and the deviation of every feature; of one that is always the same, those from before."""
        each = np.repeat(self._shares / self._lengths, self._lengths)
        means = each @ self._features
        deviations = np.sqrt(each @ (self._features - means.astype(np.float32)) ** 2)
        is_known = deviations > 1e-6
        return np.where(is_known, means, towards.means), np.where(is_known, deviations, towards.deviations)

    def loss(self, slopes: Floats) -> tuple[float, Floats]:
        """The share of irrelevant URLs in a softmax, over all looks, and its gradient."""
        shares, pulls = self._softmax(slopes)
        each = np.repeat(self._shares, self._lengths) * pulls
        gradient = -np.asarray(each.astype(np.float32) @ self._features, np.float64)
        return 1.0 - float(shares @ self._shares), gradient

    def shares(self, found: Slopes) -> dict[str, float]:
        """The share of relevant URLs by topic."""
        shares, _ = self._softmax(found.slopes * math.exp(found.sharpness))
        names, places = np.unique(self._topics, return_inverse=True)
        means = np.bincount(places, self._shares * shares) / np.bincount(places, self._shares)
        return dict(zip(names.tolist(), means.tolist(), strict=True))

    def _softmax(self, slopes: Floats) -> tuple[Floats, Floats]:
        """The share of relevant URLs at each look, and how much it grows with the score of each row."""
        scores = (self._features @ slopes.astype(np.float32)).astype(np.float64)
        largest = np.maximum.reduceat(scores, self._starts)
        powers = np.exp(scores - np.repeat(largest, self._lengths))
        faith = powers / np.repeat(np.add.reduceat(powers, self._starts), self._lengths)
        shares = np.add.reduceat(np.where(self._relevant, faith, 0.0), self._starts)
        return shares, faith * (self._relevant - np.repeat(shares, self._lengths))


class _Web(NamedTuple):
    """What one unit of each feature counts on a web, and without the topics of each part; None if that is all."""

    slopes: Floats
    penalty: float
    without: Mapping[int, Floats | None]


def _fit_web(
    crawls: Sequence[Observed],
    part_of: Mapping[str, int],
    towards: Weights,
    penalties: Sequence[float],
    on_part: Callable[[], None],
) -> _Web:
    """Fit weights to the crawls of one web, with the penalty that does best on topics held back."""
    parts = sorted({part_of[crawl.topic] for crawl in crawls})
    if len(parts) == 1:
        return _Web(_minimum(Material.of(crawls), towards, PENALTY).slopes, PENALTY, {parts[0]: None})
    shares = dict.fromkeys(penalties, 0.0)
    found: dict[float, dict[int, Floats | None]] = {penalty: {} for penalty in penalties}
    for part in parts:
        told = Material.of([crawl for crawl in crawls if part_of[crawl.topic] != part])
        rest = Material.of([crawl for crawl in crawls if part_of[crawl.topic] == part])
        for penalty in penalties:
            fitted = _minimum(told, towards, penalty)
            found[penalty][part] = fitted.slopes
            shares[penalty] += math.fsum(rest.shares(fitted).values())
        on_part()
    best = max(penalties, key=shares.__getitem__)
    return _Web(_minimum(Material.of(crawls), towards, best).slopes, best, found[best])


def _mean(slopes: Sequence[Floats], deviations: Floats, towards: Weights) -> Floats:
    """The mean of what the webs say, each brought to the scale of the weights from before; not too little of any."""
    before = towards.weights / towards.deviations
    scale = np.abs(before * deviations).sum()
    mean = np.mean([one * scale / np.abs(one * deviations).sum() for one in slopes], axis=0)
    return np.asarray(np.sign(before) * np.maximum(np.sign(before) * mean, LEAST * np.abs(before)))


def _minimum(material: Material, towards: Weights, penalty: float) -> Slopes:
    """What makes the share of irrelevant URLs and the penalty smallest together.

    Only the order of scores means something. So how sharp the softmax is, which those from before do not say, is
    fitted too and then forgotten: weights keep the scale of those from before. What counted in favour of a URL
    may come to count nothing, but not against it.
    """
    _, deviations = material.moments(towards)
    before = towards.weights / towards.deviations * deviations

    def whole(unknown: Floats) -> tuple[float, Floats]:
        factor, change = math.exp(unknown[0]), unknown[1:]
        weights = before + change
        value, gradient = material.loss(factor * weights / deviations)
        gradient = factor * gradient / deviations
        drawn = 0.0 if penalty == math.inf else penalty
        return (
            value + drawn * float(change @ change),
            np.concatenate(([gradient @ weights], gradient + 2 * drawn * change)),
        )

    if penalty == math.inf:
        bounds = [(0.0, 0.0)] * len(before)
    else:
        bounds = [(-one if one > 0 else -np.inf, -one if one < 0 else np.inf) for one in before.tolist()]
    found = minimize(
        whole,
        np.zeros(1 + len(before)),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-SHARPEST, SHARPEST), *bounds],
        options={"maxiter": 60},
    )
    return Slopes((before + found.x[1:]) / deviations, float(found.x[0]))
