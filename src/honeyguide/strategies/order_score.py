"""How good an order of links would have been (GT eq. 3.10), and weights under which it is better.

OrderScore = sum over k of level_k / k, level_k being the level of the page that the kth link led to: the smaller,
the sooner the target's pages come. GT computes it on a *queue* of visited links that all wait at once; and asks
for, further on, the *crawl*: the links that wait at any moment are those of the pages already taken.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FEWEST = 20
"""Links that were followed before weights are learned from them."""

GROWTH = 0.1
GENERATIONS = 4
CHILDREN = 6
"""Other weights that are tried in each generation."""

SPREAD = 0.7
"""How far a child's weights lie from its parent's in the first generation, as a deviation of their logarithms."""

DOMINANT = 9.0
"""How much more a feature weighs than the others when it goes before them."""

LEAST = 1e-3
"""The smallest share that a weight can have, so that no feature is lost for good."""


def order_score(levels: Floats) -> float:
    """sum level_k / k over links in the order in which they are taken."""
    return float((levels / np.arange(1, len(levels) + 1)).sum())


class VisitedLinks:
    """The last links that were followed: what they looked like, on which visit they were found, what they led to."""

    def __init__(self, *, features: int, most: int = 300) -> None:
        self._features = features
        self._rows: deque[tuple[float, ...]] = deque(maxlen=most)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, number: int, found_on: int, features: Sequence[float], outcome: float) -> None:
        """Note visit `number`, made through a link of visit `found_on`."""
        self._rows.append((number, found_on, outcome, *features))

    def costs(self, scale: Callable[[Floats], Floats], *, unfolding: bool) -> Callable[[Floats], float]:
        """The OrderScore as a function of weights of the scaled features, on the queue or the unfolding crawl."""
        table = np.array(self._rows).reshape(len(self._rows), 3 + self._features)
        features, outcomes = scale(table[:, 3:]), table[:, 2]
        if not unfolding:
            return lambda weights: order_score(outcomes[np.argsort(features @ weights, kind="stable")])
        place = {int(number): row for row, number in enumerate(table[:, 0])}
        children: list[list[int]] = [[] for _ in place]
        first: list[int] = []
        for row, found_on in enumerate(table[:, 1].tolist()):
            parent = place.get(int(found_on))
            (first if parent is None else children[parent]).append(row)
        return lambda weights: order_score(outcomes[unfolded((features @ weights).tolist(), first, children)])

    def state(self) -> Floats:
        """One row for each link."""
        return np.array(self._rows, np.float64).reshape(len(self._rows), 3 + self._features)

    def restore(self, state: Floats) -> None:
        """Take up what `state` gave."""
        self._rows.clear()
        self._rows.extend(map(tuple, state.tolist()))


class LearnedWeights:
    """Weights that are searched anew each time 10 % more links were followed, and at least `every` more.

    `scale` is what the rule makes of levels. The first weights are those given, as shares of 1.
    """

    def __init__(
        self,
        start: Sequence[float],
        *,
        scale: Callable[[Floats], Floats],
        unfolding: bool,
        every: int,
        seed: int,
    ) -> None:
        self._weights = np.array(start) / sum(start)
        self._scale = scale
        self._unfolding = unfolding
        self._every = every
        self._seed = seed
        self._visited = VisitedLinks(features=len(start))
        self._followed = 0
        self._learned_at = 0

    @property
    def weights(self) -> list[float]:
        """The best weights known."""
        found: list[float] = self._weights.tolist()
        return found

    def add(self, number: int, found_on: int, features: Sequence[float], outcome: float) -> None:
        """Note a visit (see `VisitedLinks`), and learn if it is time."""
        self._visited.add(number, found_on, features, outcome)
        self._followed += 1
        fresh = self._followed - self._learned_at
        if self._followed >= FEWEST and fresh >= max(self._every, GROWTH * self._followed):
            self._learned_at = self._followed
            rng = np.random.default_rng((self._seed, self._followed))
            cost = self._visited.costs(self._scale, unfolding=self._unfolding)
            self._weights = searched(cost, self._weights, rng)

    def state(self) -> Mapping[str, Any]:
        """The weights, and what they were learned from."""
        return {
            "weights": self.weights,
            "visited": self._visited.state(),
            "followed": self._followed,
            "learned_at": self._learned_at,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._weights = np.array(state["weights"])
        self._visited.restore(state["visited"])
        self._followed, self._learned_at = state["followed"], state["learned_at"]


def unfolded(scores: Sequence[float], first: Sequence[int], children: Sequence[Sequence[int]]) -> list[int]:
    """The rows in the order of a crawl that always takes the smallest score of what it has found by then."""
    waiting: list[tuple[float, int]] = []
    for row in first:
        heappush(waiting, (scores[row], row))
    order = []
    while waiting:
        _, row = heappop(waiting)
        order.append(row)
        for child in children[row]:
            heappush(waiting, (scores[child], child))
    return order


def searched(cost: Callable[[Floats], float], start: Floats, rng: np.random.Generator) -> Floats:
    """Weights that cost no more than those at the start, by a small evolutionary search; they sum up to 1.

    The best of each generation is the parent of the next, whose children lie half as far away.
    """
    best = _shares(start)
    least = cost(best)
    spread = SPREAD
    # From afar small steps lead nowhere: all features alike, and each of them well before the others.
    others = [np.ones(len(start)), *(1 + DOMINANT * np.eye(len(start)))]
    for _ in range(GENERATIONS):
        steps = rng.normal(0.0, spread, (CHILDREN, len(start)))
        for child in map(_shares, (*others, *(best * np.exp(steps)))):
            price = cost(child)
            if price < least:
                best, least = child, price
        spread, others = spread / 2, []
    return best


def _shares(weights: Floats) -> Floats:
    shares = np.maximum(weights / weights.sum(), LEAST)
    whole: Floats = shares / shares.sum()
    return whole
