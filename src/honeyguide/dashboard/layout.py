"""Where the nodes of a graph are drawn: the same graph always in the same way, in bounded time.

Fruchterman & Reingold (1991): all nodes push each other away, those with a link pull each other closer, and they move
less and less. All pairs are looked at, so it is for the thousand nodes that are shown, not for all there are.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PAIRS = 25_000_000
"""Pairs of nodes that are looked at in all."""

FEWEST, MOST = 30, 250
"""Rounds."""

GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
GRAVITY = 0.6
PUSHES = 40


def lay_out(count: int, sources: Ints, targets: Ints, weights: Floats, radii: Floats) -> Floats:
    """A place in [-1, 1] x [-1, 1] for every node; the first ones start in the middle. Radii are in the same unit."""
    if count <= 1:
        return np.zeros((count, 2))
    places = _spiral(count)
    ideal = 1.6 / np.sqrt(count)
    pulls = np.log1p(weights) / max(1e-9, float(np.log1p(weights).max(initial=0.0)))
    rounds = int(min(MOST, max(FEWEST, PAIRS // count**2)))
    for heat in np.linspace(0.12, 0.004, rounds):
        moves = _pushes(places, ideal) - GRAVITY * places
        if len(sources):
            away = places[sources] - places[targets]
            away *= (np.hypot(*away.T) / ideal * pulls)[:, None]
            for axis in (0, 1):
                moves[:, axis] += np.bincount(targets, away[:, axis], count)
                moves[:, axis] -= np.bincount(sources, away[:, axis], count)
        length = np.maximum(np.hypot(*moves.T), 1e-12)
        places += moves * (np.minimum(length, heat) / length)[:, None]
    places = _fitted(places)
    for _ in range(PUSHES):
        if not _part(places, radii):
            break
    return _fitted(places)


def _spiral(count: int) -> Floats:
    numbers = np.arange(count)
    radius, angle = np.sqrt((numbers + 0.5) / count), numbers * GOLDEN_ANGLE
    return np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=1).astype(np.float64)


def _squares(places: Floats) -> NDArray[np.float32]:
    """The square of the distance of every two nodes."""
    x, y = places.T.astype(np.float32)
    squares: NDArray[np.float32] = np.subtract.outer(x, x) ** 2
    squares += np.subtract.outer(y, y) ** 2
    return squares


def _pushes(places: Floats, ideal: float) -> Floats:
    force = _squares(places)
    force += np.float32(1e-6)
    np.divide(np.float32(ideal**2), force, out=force)
    np.fill_diagonal(force, 0)
    moves: Floats = places * force.sum(axis=1)[:, None] - force @ places.astype(np.float32)
    return moves


def _part(places: Floats, radii: Floats) -> bool:
    """Move nodes that overlap apart; whether any did."""
    wanted = np.add.outer(radii, radii) * 1.15
    first, second = np.nonzero(np.triu(_squares(places) < wanted**2, 1))
    if not len(first):
        return False
    away = places[first] - places[second]
    distance = np.hypot(*away.T)
    # Two at the same place part along a direction that depends on their numbers only.
    same = distance < 1e-9
    angle = (first + 7 * second)[same] * GOLDEN_ANGLE
    away[same] = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    distance[same] = 1.0
    lacking = wanted[first, second] - np.where(same, 0.0, distance)
    step = away * (0.5 * lacking / distance)[:, None]
    for axis in (0, 1):
        places[:, axis] += np.bincount(first, step[:, axis], len(places))
        places[:, axis] -= np.bincount(second, step[:, axis], len(places))
    return True


def _fitted(places: Floats) -> Floats:
    """Moved and shrunk or blown up until the picture fills its square."""
    low, high = places.min(axis=0), places.max(axis=0)
    size = max(float((high - low).max()), 1e-9)
    fitted: Floats = (places - (low + high) / 2) * (2 / size)
    return fitted
