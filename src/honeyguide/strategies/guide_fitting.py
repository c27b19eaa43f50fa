"""Fits the weights of guide to crawls of which the outcome is known.

At some moments of a crawl every URL that waits is set beside what it turned out to be. Those that score highest are
what the crawl would fetch until the next such moment; weights are fitted so that many of them are relevant, and that
they are not far from weights from before.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from honeyguide.errors import ConfigError
from honeyguide.statistics import paired
from honeyguide.strategies.observer import Observed, next_look
from honeyguide.strategies.promises import FAR, FEATURES, VERSION, Floats, Weights

PENALTIES = (7.0, 20.0, 70.0)
"""How strongly weights may be drawn to those from before. What does best on topics that were not fitted to is taken.
None is small: pages that only lead on to others are not counted, and weights that went far would give them up.
"""

PENALTY = 20.0
"""How strongly they are where there is a single topic, so that nothing can be tried out."""

FOLDS = 4
"""Parts that topics are divided into; what is fitted to the others is tried on each."""

BLUR = 0.035
"""How far below what is just fetched a URL still counts by half and less, as a share of all weights together: a count
alone would not say in which direction it grows.
"""

LEAST = 0.3
"""The share of its weight from before that a feature keeps at least. What the addresses of one web say as well as
its links do, those of another may not.
"""


class Fitted(NamedTuple):
    """Weights, and the share of what could be found at each moment that a guide would find, before and after, by topic.

    `before` and `after` are of topics that were held back when weights were fitted to the others; without others they
    are empty.
    """

    weights: Weights
    penalty: float
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
            "penalty": self.penalty,
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
    """Weights fitted to crawls, drawn towards weights from before."""
    crawls = [crawl for crawl in crawls if _moments(crawl)]
    if not crawls:
        raise ConfigError(
            "There is nothing to fit weights to: at no look was there a choice between pages of both kinds."
        )
    part_of = folds(crawls)
    parts = sorted(set(part_of.values()))
    before: dict[str, float] = {}
    if len(parts) > 1:
        known = [_bounded(crawl, towards.means, towards.deviations) for crawl in crawls]
        before = Material(known).shares(towards.weights / towards.deviations)
    means, deviations = Material(crawls).moments(towards)
    crawls = [_bounded(crawl, means, deviations) for crawl in crawls]
    after: dict[float, dict[str, float]] = {penalty: {} for penalty in penalties}
    for done, part in enumerate(parts if len(parts) > 1 else ()):
        on_progress(done, len(parts) + 1)
        told = Material([crawl for crawl in crawls if part_of[crawl.topic] != part])
        rest = Material([crawl for crawl in crawls if part_of[crawl.topic] == part])
        for penalty in penalties:
            after[penalty] |= rest.shares(_best_slopes(told, towards, penalty))
    whole = Material(crawls)
    penalty = max(penalties, key=lambda one: whole.mean(after[one])) if before else PENALTY
    slopes = _best_slopes(whole, towards, penalty)
    on_progress(len(parts) + 1, len(parts) + 1)
    return Fitted(
        Weights(means, deviations, slopes * deviations),
        penalty,
        tuple(dict.fromkeys(crawl.topic for crawl in crawls)),
        before,
        after[penalty] if before else {},
    )


def folds(crawls: Iterable[Observed]) -> dict[str, int]:
    """The part that every topic belongs to; the topics of each web are dealt out by their names."""
    topics = sorted({(crawl.web, crawl.topic) for crawl in crawls})
    return {
        topic: number % FOLDS
        for _, own in groupby(topics, key=lambda pair: pair[0])
        for number, (_, topic) in enumerate(own)
    }


class _Moment(NamedTuple):
    """A look: what was known of URLs, the rows of relevant ones, how many URLs are fetched until the next look, and
    what one that is found then counts.
    """

    features: NDArray[np.float32]
    relevant: NDArray[np.int64]
    room: int
    worth: float


class Material:
    """All looks at some crawls.

    A page found counts for the rest of the crawl, so the earlier the more; all that could be found in a crawl counts
    1 together. The crawls of a topic count alike, and so do the topics of a web; a web counts by the square root of
    their number, for many topics tell more than few but may be much alike.
    """

    def __init__(self, crawls: Sequence[Observed]) -> None:
        self._crawls = crawls
        self._moments = [_moments(crawl) for crawl in crawls]
        of_topics = Counter(crawl.topic for crawl in crawls)
        of_webs = Counter(web for web, _ in {(crawl.web, crawl.topic) for crawl in crawls})
        counts = [1 / (of_topics[crawl.topic] * math.sqrt(of_webs[crawl.web])) for crawl in crawls]
        self._counts = np.array(counts) / math.fsum(counts)

    def moments(self, towards: Weights) -> tuple[Floats, Floats]:
        """The mean and the deviation of every feature; of one that is always the same, those from before."""
        means, deviations = self._spread
        is_known = deviations > 1e-6
        return np.where(is_known, means, towards.means), np.where(is_known, deviations, towards.deviations)

    @cached_property
    def _spread(self) -> tuple[Floats, Floats]:
        looks = [
            (look.features, count / len(crawl.looks))
            for crawl, count in zip(self._crawls, self._counts.tolist(), strict=True)
            for look in crawl.looks
        ]
        means = sum(share * features.mean(axis=0, dtype=np.float64) for features, share in looks)
        squares = sum(share * np.square(features - means).mean(axis=0) for features, share in looks)
        return np.asarray(means), np.sqrt(squares)

    def found(self, slopes: Floats, blur: float) -> tuple[float, Floats]:
        """The share of what could be found that is, blurred, and its gradient."""
        whole, gradient = 0.0, np.zeros(len(slopes))
        for count, moments in zip(self._counts.tolist(), self._moments, strict=True):
            for features, relevant, room, worth in moments:
                scores = features @ slopes.astype(np.float32)
                left = np.argpartition(-scores, room)[room]
                fetched = expit((scores[relevant] - scores[left]).astype(np.float64) / blur)
                whole += count * worth * float(fetched.sum())
                pulls = count * worth * fetched * (1 - fetched) / blur
                gradient += pulls @ (features[relevant] - features[left])
        return whole, gradient

    def shares(self, slopes: Floats) -> dict[str, float]:
        """The share of what could be found that is, by topic."""
        found: dict[str, list[float]] = {}
        for crawl, moments in zip(self._crawls, self._moments, strict=True):
            share = 0.0
            for features, relevant, room, worth in moments:
                scores = features @ slopes.astype(np.float32)
                fetched = np.argpartition(-scores, room)[:room]
                share += worth * len(np.intersect1d(fetched, relevant))
            found.setdefault(crawl.topic, []).append(share)
        return {topic: fmean(shares) for topic, shares in found.items()}

    def mean(self, shares: Mapping[str, float]) -> float:
        """The mean of what is known by topic, every crawl counting as it does here."""
        return float(self._counts @ [shares[crawl.topic] for crawl in self._crawls])


def _bounded(crawl: Observed, means: Floats, deviations: Floats) -> Observed:
    """The crawl with features as far from the mean as they count."""
    low, high = ((means + way * FAR * deviations).astype(np.float32) for way in (-1, 1))
    looks = tuple(look._replace(features=np.clip(look.features, low, high)) for look in crawl.looks)
    return crawl._replace(looks=looks)


def _moments(crawl: Observed) -> list[_Moment]:
    """The looks at which there was a choice."""
    end = next_look(max((look.pages for look in crawl.looks), default=0))
    moments = []
    for look in crawl.looks:
        room = next_look(look.pages) - look.pages
        if room < len(look.relevant):
            left = 1 - (look.pages + room / 2) / end
            moments.append(_Moment(look.features, np.flatnonzero(look.relevant), room, left))
    could = math.fsum(one.worth * min(one.room, len(one.relevant)) for one in moments)
    return [one._replace(worth=one.worth / could) for one in moments]


def _best_slopes(material: Material, towards: Weights, penalty: float) -> Floats:
    """What one unit of each feature counts when what is found, less the penalty, is most.

    Only the order of scores means something; weights keep the scale of those from before. What counted in favour of a
    URL may come to count little, but not against it.
    """
    _, deviations = material.moments(towards)
    before = towards.weights / towards.deviations * deviations
    scale = np.abs(before).sum()
    before = before / scale

    def whole(change: Floats) -> tuple[float, Floats]:
        found, gradient = material.found((before + change) / deviations, BLUR)
        return penalty * float(change @ change) - found, 2 * penalty * change - gradient / deviations

    fall = (1 - LEAST) * np.abs(before)
    bounds = [
        (None if one < 0 else -by, None if one > 0 else by)
        for one, by in zip(before.tolist(), fall.tolist(), strict=True)
    ]
    found = minimize(
        whole, np.zeros(len(before)), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 80}
    )
    weights = before + found.x
    return np.asarray(scale * weights / np.abs(weights).sum() / deviations)
