"""Agents that look for links by their own keywords: what they estimate and learn (Menczer & Belew)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.strategies.surroundings import Surroundings

Floats = NDArray[np.float64]

MOST_KEYWORDS = 64
"""Keywords of one agent; beyond that the one with the least weight makes room."""


class Agent:
    """Keywords, a net with a weight for each and one more for the bias, and energy."""

    def __init__(self, number: int, energy: float, keywords: Sequence[int], weights: Floats) -> None:
        self.number = number
        self.energy = energy
        self.keywords = list(keywords)
        self.weights = weights

    def inputs(self, around: Surroundings) -> Floats:
        """The sum of 1 / (1 + stems away) of each keyword around each link; the last input is always 1."""
        wanted = np.array(self.keywords, np.int32)
        order = np.argsort(wanted, kind="stable")
        at = np.minimum(np.searchsorted(wanted[order], around.stems), len(wanted) - 1)
        said = np.flatnonzero(wanted[order][at] == around.stems)
        nearness = 1 / (1 + around.away[said])
        width = len(wanted) + 1
        places = around.rows[said] * width + order[at[said]]
        sums = np.bincount(places, nearness, around.links * width)
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
