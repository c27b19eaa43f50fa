"""From margins to probabilities, and to the margin from which on a stated share of the pages is on topic.

A judge's margins order pages; how probable it is that a page of some margin is on topic is learned from
texts that the judge has not learned from (`held_back`). All here is plain data.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from honeyguide.judges.reasons import sigmoid

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

FLATTEST = 1e-6
"""The slope of a sigmoid over margins that tell nothing: it must rise, or it would turn a judge's order round."""


class Calibration(Protocol):
    """Probabilities that never fall where margins rise."""

    def probability(self, margin: float) -> float:
        """How probable it is that a page of this margin is on topic."""
        ...

    def margin_at(self, probability: float) -> float:
        """The margin above which pages are more probable than this."""
        ...

    def state(self) -> Mapping[str, Any]:
        """Itself as plain values."""
        ...


@dataclass(frozen=True, slots=True)
class Platt:
    """A sigmoid: probability = 1 / (1 + e^-(slope * margin + offset))."""

    slope: float
    offset: float

    def probability(self, margin: float) -> float:
        return sigmoid(self.slope * margin + self.offset)

    def margin_at(self, probability: float) -> float:
        return (math.log(probability / (1 - probability)) - self.offset) / self.slope

    def state(self) -> Mapping[str, Any]:
        return {"kind": "platt", "slope": self.slope, "offset": self.offset}


@dataclass(frozen=True, slots=True)
class Isotonic:
    """Probabilities at some margins, none below the one before; between them lie straight lines."""

    margins: tuple[float, ...]
    probabilities: tuple[float, ...]

    def probability(self, margin: float) -> float:
        after = bisect_right(self.margins, margin)
        if after == 0:
            return self.probabilities[0]
        low, high = self.probabilities[after - 1], self.probabilities[min(after, len(self.margins) - 1)]
        if low == high:
            return low
        left, right = self.margins[after - 1], self.margins[after]
        return min(high, low + (high - low) * ((margin - left) / (right - left)))

    def margin_at(self, probability: float) -> float:
        after = bisect_right(self.probabilities, probability)
        if after == 0:
            # All that was seen is more probable, and nothing is known of what lies below.
            return math.nextafter(self.margins[0], -math.inf)
        if after == len(self.margins):
            return self.margins[-1]
        low, high = self.probabilities[after - 1], self.probabilities[after]
        left, right = self.margins[after - 1], self.margins[after]
        return left + (right - left) * ((probability - low) / (high - low))

    def state(self) -> Mapping[str, Any]:
        return {"kind": "isotonic", "margins": self.margins, "probabilities": self.probabilities}


def restored(state: Mapping[str, Any]) -> Calibration:
    """What `state` gave, taken up again."""
    if state["kind"] == "platt":
        return Platt(state["slope"], state["offset"])
    return Isotonic(tuple(state["margins"]), tuple(state["probabilities"]))


def calibrated(
    method: Literal["platt", "isotonic", "none"], margins: Floats, on_topic: Mask, weights: Floats
) -> Calibration:
    """The calibration that a setting names; with none, margins are taken for probabilities as they are."""
    if method == "none":
        return Isotonic((0.0, 1.0), (0.0, 1.0))
    return (platt if method == "platt" else isotonic)(margins, on_topic, weights)


def platt(margins: Floats, on_topic: Mask, weights: Floats | None = None) -> Platt:
    """The sigmoid that makes held-back labels most likely (Platt 1999; solved as Lin, Lin & Weng 2007 do)."""
    margins, targets, weights = _softened(margins, on_topic, weights)
    weight = float(weights.sum())
    share = float((weights * targets).sum()) / weight
    slope, offset = 0.0, math.log(share / (1 - share))

    def loss(slope: float, offset: float) -> float:
        logits = slope * margins + offset
        return float((weights * (np.logaddexp(0.0, logits) - targets * logits)).sum())

    now = loss(slope, offset)
    for _ in range(100):
        logits = slope * margins + offset
        chances = 1 / (1 + np.exp(-np.clip(logits, -500, 500)))
        bend = weights * chances * (1 - chances)
        error = weights * (chances - targets)
        # The small amount keeps the matrix invertible where all margins are the same.
        h11 = float((bend * margins * margins).sum()) + 1e-12
        h22, h21 = float(bend.sum()) + 1e-12, float((bend * margins).sum())
        g1, g2 = float((error * margins).sum()), float(error.sum())
        if abs(g1) < 1e-5 and abs(g2) < 1e-5:
            break
        determinant = h11 * h22 - h21 * h21
        step_slope = -(h22 * g1 - h21 * g2) / determinant
        step_offset = -(h11 * g2 - h21 * g1) / determinant
        downhill = g1 * step_slope + g2 * step_offset
        size = 1.0
        while size >= 1e-10:
            then = loss(slope + size * step_slope, offset + size * step_offset)
            if then < now + 1e-4 * size * downhill:
                break
            size /= 2
        else:
            break
        slope, offset, now = slope + size * step_slope, offset + size * step_offset, then
    return Platt(slope, offset) if slope > FLATTEST else Platt(FLATTEST, math.log(share / (1 - share)))


def isotonic(margins: Floats, on_topic: Mask, weights: Floats | None = None) -> Isotonic:
    """The rising steps nearest to held-back labels, by pooling neighbours that are out of order."""
    margins, targets, weights = _softened(margins, on_topic, weights)
    # Equal margins are one from the start: they cannot have two probabilities.
    different, which = np.unique(margins, return_inverse=True)
    totals, sizes = np.bincount(which, targets * weights), np.bincount(which, weights)
    blocks: list[_Block] = []
    for margin, total, size in zip(different.tolist(), totals.tolist(), sizes.tolist(), strict=True):
        block = _Block(margin, margin, total, size)
        while blocks and blocks[-1].mean >= block.mean:
            block = blocks.pop().with_next(block)
        blocks.append(block)
    ends = [
        (margin, block.mean) for block in blocks for margin in dict.fromkeys((block.lowest, block.highest))
    ]
    return Isotonic(tuple(margin for margin, _ in ends), tuple(mean for _, mean in ends))


class Cut(NamedTuple):
    """A threshold, and what it keeps of held-back texts; not `reached` if no threshold is as precise as asked."""

    threshold: float
    precision: float
    recall: float
    reached: bool


def threshold_for(precision: float, margins: Floats, on_topic: Mask, weights: Floats | None = None) -> Cut:
    """The threshold that loses the least among those above which texts are on topic with this precision.

    Where none is as precise, it is the most precise one. Weights say how often each text stands for one in
    the crawl (`Sample.presumed`): precision depends on how rare the topic is. One more text off the topic is
    presumed above every threshold than was seen there: that a few hundred texts hold none like the topic does
    not say that the web holds none.
    """
    weights = np.ones(len(margins)) if weights is None else weights
    used = weights > 0
    margins, on_topic, weights = margins[used], on_topic[used], weights[used]
    order = np.argsort(-margins, kind="stable")
    ordered = margins[order]
    found = np.cumsum(weights[order] * on_topic[order])
    kept = np.cumsum(weights[order])
    # A threshold cannot part texts of the same margin.
    last = np.flatnonzero(np.append(ordered[1:] < ordered[:-1], True))
    unseen = float(weights[~on_topic].mean()) if not on_topic.all() else 0.0
    precisions, recalls = found[last] / (kept[last] + unseen), found[last] / (found[-1] or 1.0)
    enough = np.flatnonzero(precisions >= precision - 1e-12)
    chosen = int(enough[-1]) if enough.size else int(np.argmax(precisions + 1e-9 * recalls))
    edge = float(ordered[last[chosen]])
    # Between the two texts it parts, since pages fall on either side of both.
    below = float(ordered[last[chosen] + 1]) if chosen + 1 < len(last) else math.nextafter(edge, -math.inf)
    middle = (edge + below) / 2
    return Cut(
        middle if middle < edge else below,
        float(precisions[chosen]),
        float(recalls[chosen]),
        bool(enough.size),
    )


class _Block(NamedTuple):
    """Neighbouring margins that share a probability."""

    lowest: float
    highest: float
    total: float
    weight: float

    @property
    def mean(self) -> float:
        return self.total / self.weight

    def with_next(self, block: "_Block") -> "_Block":
        return _Block(self.lowest, block.highest, self.total + block.total, self.weight + block.weight)


def _softened(margins: Floats, on_topic: Mask, weights: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Margins that count, with Platt's targets: a little less than 1 and more than 0, the fewer the more."""
    weights = np.ones(len(margins)) if weights is None else weights
    used = weights > 0
    on_topic = on_topic[used]
    many, rest = int(on_topic.sum()), int((~on_topic).sum())
    targets = np.where(on_topic, (many + 1) / (many + 2), 1 / (rest + 2))
    return margins[used], targets, weights[used]
