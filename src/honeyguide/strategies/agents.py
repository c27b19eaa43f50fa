"""Agents that look for links by their own keywords: what they see, estimate and learn (Menczer & Belew)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Link
from honeyguide.text.snippets import SnippetReader

Floats = NDArray[np.float64]

MOST_KEYWORDS = 64
"""Keywords of one agent; beyond that the one with the least weight makes room."""


class Surroundings(NamedTuple):
    """The stems in and around some links: which link each is near, its number, and how near it is."""

    rows: NDArray[np.intp]
    stems: NDArray[np.int32]
    nearness: Floats
    links: int


def surroundings(links: Sequence[Link], reader: SnippetReader) -> Surroundings:
    """What stands around links: nearness is 1 in the anchor, and 1 / (1 + d) for the d-th stem before or after."""
    texts, begins, ends = [], np.zeros(len(links), np.int64), np.zeros(len(links), np.int64)
    for row, link in enumerate(links):
        at = link.context.find(link.anchor)
        text = link.context if at >= 0 else f"{link.anchor}\n{link.context}"
        begins[row] = _size(text[: max(at, 0)])
        ends[row] = begins[row] + _size(link.anchor)
        texts.append(text)
    read = reader.read(texts)
    rows, starts = read.rows, read.starts
    first = np.searchsorted(rows, np.arange(len(links)))
    into = first + np.bincount(rows[starts < begins[rows]], minlength=len(links))
    out = first + np.bincount(rows[starts < ends[rows]], minlength=len(links))
    places = np.arange(len(rows))
    steps = np.maximum(np.maximum(into[rows] - places, places - out[rows] + 1), 0)
    return Surroundings(rows, read.stems, 1 / (1 + steps), len(links))


class Agent:
    """Keywords, a net with a weight for each and one more for the bias, and energy."""

    def __init__(self, number: int, energy: float, keywords: Sequence[int], weights: Floats) -> None:
        self.number = number
        self.energy = energy
        self.keywords = list(keywords)
        self.weights = weights

    def inputs(self, around: Surroundings) -> Floats:
        """How much of each keyword stands around each link; the last input is always 1."""
        wanted = np.array(self.keywords, np.int32)
        order = np.argsort(wanted, kind="stable")
        at = np.minimum(np.searchsorted(wanted[order], around.stems), len(wanted) - 1)
        said = np.flatnonzero(wanted[order][at] == around.stems)
        width = len(wanted) + 1
        places = around.rows[said] * width + order[at[said]]
        sums = np.bincount(places, around.nearness[said], around.links * width)
        found: Floats = sums.astype(np.float64, copy=False).reshape(around.links, width)
        found[:, -1] = 1.0
        return found

    def estimates(self, inputs: Floats) -> Floats:
        """What the net promises of links, between -1 and 1."""
        return np.asarray(np.tanh((inputs * self.weights).sum(axis=1)))

    def learn(self, inputs: Floats, target: float, rate: float) -> None:
        """One step of the delta rule: the promise of a link should have been this."""
        promised = float(self.estimates(inputs[None])[0])
        self.weights = self.weights + rate * (target - promised) * (1 - promised * promised) * inputs

    def offspring(self, number: int, stem: int | None, noise: float, seed: int) -> "Agent":
        """A child with half of the energy, weights a little different, and one more keyword."""
        chance = np.random.default_rng((seed, number))
        self.energy /= 2
        keywords, weights = list(self.keywords), self.weights
        if stem is not None:
            if len(keywords) >= MOST_KEYWORDS:
                least = int(np.argmin(np.abs(weights[:-1])))
                keywords.pop(least)
                weights = np.delete(weights, least)
            keywords.append(stem)
            weights = np.insert(weights, len(weights) - 1, 0.0)
        return Agent(number, self.energy, keywords, weights + noise * chance.standard_normal(len(weights)))

    def state(self) -> Mapping[str, Any]:
        """All of it as plain values."""
        return {
            "number": self.number,
            "energy": self.energy,
            "keywords": self.keywords,
            "weights": self.weights.tolist(),
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> "Agent":
        """The agent that gave this state."""
        return cls(state["number"], state["energy"], state["keywords"], np.array(state["weights"]))


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
