"""What a URL promises: its features, each weighed by how much it told of pages on other crawls."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GROUPS: Mapping[str, tuple[str, ...]] = {
    "pages that link to it": ("relevance", "best", "second", "links"),
    "words of its links": ("anchor", "best_anchor"),
    "words around its links": ("context", "best_context", "near"),
    "words of its address": ("address", "address_words"),
    "what such links led to": ("expected", "learned", "best_learned"),
    "what the links beside it led to": ("siblings",),
    "its host and folder": ("places",),
    "the way there": ("inherited",),
}
"""The features by what they say to a person."""

FEATURES = tuple(feature for group in GROUPS.values() for feature in group)

START = "usual"
"""The part of a score that all URLs have."""

TRIED, FIRST = "a way off the topic, to see where it leads", 20.0
"""The part that brings a URL to the front when the crawl tries ways off the topic."""


class Weights(NamedTuple):
    """What each feature is on average, how far it usually is from that, and what so far counts."""

    means: Floats
    deviations: Floats
    weights: Floats

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "Weights":
        """Read from a table with an entry [mean, deviation, weight] for every feature."""
        figures = np.array([table["features"][name] for name in FEATURES], np.float64)
        return cls(figures[:, 0], figures[:, 1], figures[:, 2])

    def scores(self, features: Floats, is_tried: NDArray[np.bool_]) -> Floats:
        """The score of each row of features."""
        return np.asarray(features @ (self.weights / self.deviations) + self._start + FIRST * is_tried)

    def parts(self, features: Floats, is_tried: NDArray[np.bool_]) -> list[dict[str, float]]:
        """What the score of each row is made of, in words."""
        amounts = features * (self.weights / self.deviations)
        starts = np.array([0, *np.cumsum([len(group) for group in GROUPS.values()])[:-1]])
        sums = np.add.reduceat(amounts, starts, axis=1)
        names = tuple(GROUPS)
        parts = [{START: self._start, **dict(zip(names, row, strict=True))} for row in sums.tolist()]
        for row in np.flatnonzero(is_tried).tolist():
            parts[row][TRIED] = FIRST
        return parts

    @property
    def _start(self) -> float:
        return -float((self.means * self.weights / self.deviations).sum())


@cache
def shipped() -> Weights:
    """The weights that come with the package."""
    return Weights.of(
        json.loads(files("honeyguide.strategies").joinpath("guide-weights.json").read_text("utf-8"))
    )
