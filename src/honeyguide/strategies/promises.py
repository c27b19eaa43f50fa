"""What a URL promises: its features, each weighed by how much it told of pages on other crawls."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError

VERSION = 1
"""Of the files that weights are kept in."""

LARGEST_FILE = 10_000_000

Floats = NDArray[np.float64]

GROUPS: Mapping[str, tuple[str, ...]] = {
    "pages that link to it": ("relevance", "best", "second", "links"),
    "words of its links": ("anchor", "anchor_words", "rarity"),
    "words around its links": ("context", "best_context", "near"),
    "words of its address": ("address", "address_words"),
    "what kind of thing its links and address name": ("kind",),
    "what such links led to": ("expected", "learned", "best_learned", "names"),
    "how its links and address are written": ("form", "beside", "place"),
    "what the links beside it led to": ("siblings", "company"),
    "its host and folder": ("places",),
    "the way there": ("inherited",),
}
"""The features by what they say to a person."""

FEATURES = tuple(feature for group in GROUPS.values() for feature in group)

START = "usual"
"""The part of a score that all URLs have."""

TRIED, FIRST = "a way off the topic, to see where it leads", 20.0
"""The part that brings a URL to the front when the crawl tries ways off the topic."""

SPREAD = "pages that its host gave already"
"""The part that lets other hosts go first."""

BARREN = "its host gave nothing for long"
"""The part that lets other hosts go first where one only promises."""

FAR = 4.0
"""Deviations from the mean beyond which a feature counts no more, so that no single one decides by itself."""


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

    def scores(self, features: Floats, more: Mapping[str, Floats]) -> Floats:
        """The score of each row of features, and of what more counts, by name."""
        return np.asarray(self._standard(features) @ self.weights + sum(more.values()))

    def parts(self, features: Floats, more: Mapping[str, Floats]) -> dict[str, float]:
        """What the score of a single row is made of, in words."""
        amounts = (self._standard(features[:1])[0] + self.means / self.deviations) * self.weights
        starts = np.array([0, *np.cumsum([len(group) for group in GROUPS.values()])[:-1]])
        sums = np.add.reduceat(amounts, starts).tolist()
        also = {name: float(amount[0]) for name, amount in more.items() if amount[0]}
        return {START: self._start, **dict(zip(GROUPS, sums, strict=True)), **also}

    def _standard(self, features: Floats) -> Floats:
        """Features in deviations from their means."""
        standard = features - self.means
        standard /= self.deviations
        np.minimum(standard, FAR, out=standard)
        return np.maximum(standard, -FAR, out=standard)

    @property
    def _start(self) -> float:
        return -float((self.means * self.weights / self.deviations).sum())


@cache
def shipped() -> Weights:
    """The weights that come with the package."""
    return Weights.of(
        json.loads(files("honeyguide.strategies").joinpath("guide-weights.json").read_text("utf-8"))
    )


def weights_in(file: str) -> Weights:
    """The weights in a file that honeyguide fit-guide wrote; without a name, those that come with the package."""
    if not file:
        return shipped()
    try:
        with Path(file).expanduser().open("rb") as stream:
            table = json.loads(stream.read(LARGEST_FILE))
        is_known = table["version"] == VERSION
        weights = Weights.of(table)
    except OSError as error:
        raise ConfigError(f"The weights {file} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise ConfigError(
            f"{file} holds no weights of guide; honeyguide fit-guide makes such files."
        ) from error
    except RuntimeError as error:  # ~ of nobody
        raise ConfigError(f"The weights {file} cannot be read: {error}") from error
    if not is_known or not np.isfinite(weights).all() or (weights.deviations <= 0).any():
        raise ConfigError(
            f"{file} holds no weights of guide that can be used; make them with honeyguide fit-guide."
        )
    return weights
