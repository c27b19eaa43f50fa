"""Features are weighed as far as they go, and no further than is sane."""

import math

import numpy as np
import pytest

from honeyguide.strategies.promises import FAR, FEATURES, START, Weights

WIDTH = len(FEATURES)
WEIGHTS = Weights(np.full(WIDTH, 1.0), np.full(WIDTH, 0.5), np.linspace(0.1, 1.0, WIDTH))


def features(**values: float) -> np.ndarray:
    return np.array([[values.get(name, 1.0) for name in FEATURES]])


def weight(name: str) -> float:
    return float(WEIGHTS.weights[FEATURES.index(name)])


def test_a_score_is_the_weighed_sum_of_deviations_from_the_mean() -> None:
    assert WEIGHTS.scores(features(), {}) == pytest.approx([0.0])
    found = WEIGHTS.scores(features(anchor=2.0, best=0.5), {"more": np.array([3.0])})
    assert found == pytest.approx([2 * weight("anchor") - weight("best") + 3.0])


@pytest.mark.parametrize("way", [1, -1])
def test_a_feature_counts_no_more_than_some_deviations(way: int) -> None:
    at_most = WEIGHTS.scores(features(anchor=1 + way * FAR * 0.5), {})
    assert at_most == pytest.approx([way * FAR * weight("anchor")])
    assert WEIGHTS.scores(features(anchor=1 + way * 1e6), {}) == pytest.approx(at_most)


def test_what_is_told_of_a_score_adds_up_to_it_however_far_features_are_out() -> None:
    more = {"a reason": np.array([-5.0]), "none": np.array([0.0])}
    for values in ({}, {"anchor": 1.7, "places": -0.3}, {"anchor": 90.0, "address": -90.0}):
        parts = WEIGHTS.parts(features(**values), more)
        assert math.fsum(parts.values()) == pytest.approx(WEIGHTS.scores(features(**values), more)[0])
        assert parts[START] < 0
        assert parts["a reason"] == -5.0
        assert "none" not in parts
