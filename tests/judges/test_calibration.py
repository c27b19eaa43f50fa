import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.judges.calibration import (
    Calibration,
    Isotonic,
    Platt,
    calibrated,
    isotonic,
    platt,
    restored,
    threshold_for,
)

NUMBERS = st.floats(-50, 50, allow_nan=False)
LABELLED = st.lists(st.tuples(NUMBERS, st.booleans()), min_size=2, max_size=40)


def arrays(labelled: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    margins, on_topic = zip(*labelled, strict=True)
    return np.array(margins, float), np.array(on_topic, bool)


def by_both(labelled: list[tuple[float, bool]]) -> list[Calibration]:
    margins, on_topic = arrays(labelled)
    return [platt(margins, on_topic), isotonic(margins, on_topic)]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(LABELLED, st.lists(NUMBERS, min_size=2, max_size=10))
def test_probabilities_lie_in_0_to_1_and_never_fall(
    labelled: list[tuple[float, bool]], asked: list[float]
) -> None:
    for calibration in by_both(labelled):
        chances = [calibration.probability(margin) for margin in sorted(asked)]
        assert all(0 <= chance <= 1 for chance in chances)
        assert all(low <= high + 1e-12 for low, high in pairwise(chances))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(LABELLED, NUMBERS)
def test_what_lies_above_the_margin_of_a_probability_is_as_probable(
    labelled: list[tuple[float, bool]], asked: float
) -> None:
    for calibration in by_both(labelled):
        edge = calibration.margin_at(0.5)
        assert math.isfinite(edge)
        if asked > edge + 1e-9 and calibration.probability(asked) < 0.5 - 1e-9:
            assert asked > max(margin for margin, _ in labelled), "only what was never seen may be unsure"
        if asked < edge - 1e-9 and calibration.probability(asked) > 0.5 + 1e-9:
            assert asked < min(margin for margin, _ in labelled)


def test_a_calibration_comes_back_from_its_state() -> None:
    for calibration in by_both([(-1.0, False), (-0.2, True), (0.1, False), (1.0, True)]):
        assert restored(calibration.state()) == calibration


def test_the_sigmoid_is_the_best_fit() -> None:
    margins, on_topic = arrays([(-2, False), (-1, False), (-0.5, True), (0.2, False), (0.5, True), (2, True)])
    found = platt(margins, on_topic)
    targets = np.where(on_topic, 4 / 5, 1 / 5)

    def loss(slope: float, offset: float) -> float:
        logits = slope * margins + offset
        return float((np.log1p(np.exp(logits)) - targets * logits).sum())

    best = loss(found.slope, found.offset)
    for step in (-0.05, 0.05):
        assert loss(found.slope + step, found.offset) > best
        assert loss(found.slope, found.offset + step) > best


def test_classes_that_do_not_overlap_get_no_certainty() -> None:
    # Platt's targets: with three of each, none is surer than 4/5.
    found = platt(*arrays([(-3, False), (-2, False), (-1, False), (1, True), (2, True), (3, True)]))
    assert found.probability(2) == pytest.approx(0.8, abs=0.06)
    assert found.probability(0) == pytest.approx(0.5, abs=1e-3)


def test_margins_that_are_the_wrong_way_round_tell_nothing_but_keep_their_order() -> None:
    found = platt(*arrays([(-1, True), (0, True), (1, False), (2, False)]))
    assert found.probability(-5) == pytest.approx(0.5, abs=1e-3)
    assert found.probability(-5) < found.probability(5)


def test_margins_that_are_all_the_same_are_no_trouble() -> None:
    for calibration in by_both([(1.0, True), (1.0, False), (1.0, False)]):
        assert 0.2 < calibration.probability(1.0) < 0.5


def test_huge_margins_are_no_trouble() -> None:
    for calibration in by_both([(-1e9, False), (1e9, True), (2e9, True)]):
        assert calibration.probability(1e12) > 0.5 > calibration.probability(-1e12)


def test_weights_stand_for_as_many_texts() -> None:
    margins, on_topic = arrays([(-1, False), (0, True), (0.5, False), (1, True)])
    once = platt(margins, on_topic, np.array([9.0, 1.0, 9.0, 1.0]))
    assert once.probability(0) < platt(margins, on_topic).probability(0)
    ignored = platt(np.append(margins, 50.0), np.append(on_topic, False), np.array([1.0, 1, 1, 1, 0]))
    assert ignored == platt(margins, on_topic)


def test_isotonic_pools_neighbours_that_are_out_of_order() -> None:
    # Two of each kind soften the targets to 1/4 and 3/4; the two in the middle share their mean.
    found = isotonic(*arrays([(1, False), (2, True), (3, False), (4, True)]))
    assert found == Isotonic((1, 2, 3, 4), (0.25, 0.5, 0.5, 0.75))
    assert found.probability(1.5) == pytest.approx(0.375)
    assert found.probability(2.5) == 0.5
    assert (found.probability(-9), found.probability(9)) == (0.25, 0.75)
    assert found.margin_at(0.5) == 3


def test_equal_margins_share_a_probability() -> None:
    found = isotonic(*arrays([(1, False), (2, False), (2, True), (3, True)]))
    assert found.margins == (1, 2, 3)
    assert found.probability(2) == 0.5


def test_without_calibration_margins_are_taken_for_probabilities() -> None:
    plain = calibrated("none", np.zeros(2), np.array([True, False]), np.ones(2))
    assert plain.probability(0.3) == pytest.approx(0.3)
    assert plain.margin_at(0.5) == pytest.approx(0.5)
    assert plain.probability(7.0) == 1


def test_a_threshold_keeps_the_stated_precision_and_as_much_as_it_can() -> None:
    # With one more text off topic presumed: 2 of 3, 2 of 4, 3 of 5, 3 of 6 are on topic above each.
    margins, on_topic = arrays([(9, True), (8, True), (7, False), (6, True), (5, False)])
    cut = threshold_for(0.6, margins, on_topic)
    assert cut.reached
    assert 5 < cut.threshold < 6
    assert cut.precision == pytest.approx(3 / 5)
    assert cut.recall == 1
    stricter = threshold_for(0.65, margins, on_topic)
    assert stricter.reached
    assert 7 < stricter.threshold < 8
    assert stricter.recall == pytest.approx(2 / 3)


def test_a_precision_out_of_reach_gets_the_best_there_is_and_says_so() -> None:
    cut = threshold_for(0.99, *arrays([(3, True), (2, True), (1, False)]))
    assert not cut.reached
    assert 1 < cut.threshold < 2
    assert cut.precision == pytest.approx(2 / 3)


def test_the_rarer_the_topic_the_higher_the_threshold() -> None:
    margins, on_topic = arrays(
        [(9, True), (8, False), (7, True), (6, True), (5, False), (4, False), (3, False)]
    )
    often = threshold_for(0.5, margins, on_topic, np.where(on_topic, 1.0, 0.2))
    rarely = threshold_for(0.5, margins, on_topic, np.where(on_topic, 0.4, 1.0))
    assert often.threshold < rarely.threshold


def test_texts_of_the_same_margin_are_not_parted() -> None:
    cut = threshold_for(0.3, *arrays([(2, True), (2, False), (1, False)]))
    assert 1 < cut.threshold < 2


@settings(max_examples=60, deadline=None, derandomize=True)
@given(LABELLED, st.floats(0.05, 1))
def test_what_a_threshold_promises_is_what_it_keeps(
    labelled: list[tuple[float, bool]], precision: float
) -> None:
    margins, on_topic = arrays(labelled)
    if not on_topic.any():
        return
    cut = threshold_for(precision, margins, on_topic)
    kept = margins > cut.threshold
    presumed = 0 if on_topic.all() else 1
    assert kept.any()
    assert cut.precision == pytest.approx(on_topic[kept].sum() / (kept.sum() + presumed))
    assert cut.recall == pytest.approx(on_topic[kept].sum() / on_topic.sum())
    assert cut.reached == (cut.precision >= precision - 1e-12)


def test_a_sigmoid_has_its_own_inverse() -> None:
    sigmoid = Platt(2.0, -1.0)
    assert sigmoid.probability(sigmoid.margin_at(0.9)) == pytest.approx(0.9)
