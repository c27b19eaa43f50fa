"""Statistics: published and hand-worked figures, and what must hold whatever the data."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.statistics import (
    agreement,
    bootstrap_interval,
    chapman,
    cohen_kappa,
    paired,
    sample_size,
    share,
    sign_test,
    wilson,
)

always = settings(max_examples=40, deadline=None, derandomize=True)
values = st.lists(st.floats(-10, 10), min_size=1, max_size=30)
counts = st.integers(0, 200)


def test_the_interval_of_a_mean_is_about_that_of_the_normal_distribution() -> None:
    sample = np.random.default_rng(7).normal(10.0, 2.0, 400)
    low, high = bootstrap_interval(sample)
    reach = 1.96 * sample.std() / 20
    assert low == pytest.approx(sample.mean() - reach, abs=0.03)
    assert high == pytest.approx(sample.mean() + reach, abs=0.03)


def test_a_wider_level_gives_a_wider_interval() -> None:
    sample = list(range(20))
    narrow, wide = bootstrap_interval(sample, level=0.5), bootstrap_interval(sample, level=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_one_value_and_equal_values_leave_no_doubt_and_none_leaves_nothing() -> None:
    assert bootstrap_interval([0.25]) == (0.25, 0.25)
    assert bootstrap_interval([0.25] * 9) == (0.25, 0.25)
    assert all(math.isnan(end) for end in bootstrap_interval([]))


def test_many_values_are_resampled_in_blocks() -> None:
    low, high = bootstrap_interval(np.arange(300_000) % 2, resamples=30)
    assert 0.49 < low < 0.5 < high < 0.51


@always
@given(values, st.randoms(use_true_random=False))
def test_an_interval_lies_within_the_values_and_does_not_depend_on_their_order(
    sample: list[float], chance: random.Random
) -> None:
    interval = bootstrap_interval(sample, resamples=200)
    assert min(sample) - 1e-9 <= interval.low <= interval.high <= max(sample) + 1e-9
    chance.shuffle(sample)
    assert bootstrap_interval(sample, resamples=200) == interval


def test_a_comparison_counts_wins_losses_and_ties() -> None:
    result = paired([0.5, 0.6, 0.7, 0.2, 0.1 + 0.2], [0.4, 0.4, 0.4, 0.3, 0.3])
    assert result.difference == pytest.approx(0.5 / 5)
    assert (result.wins, result.losses, result.ties) == (3, 1, 1)
    assert result.p == pytest.approx(10 / 16)
    assert result.low < result.difference < result.high


def test_a_comparison_needs_both_sides_of_every_pair() -> None:
    with pytest.raises(ValueError, match="3 and 2"):
        paired([1, 2, 3], [1, 2])
    assert math.isnan(paired([], []).difference)


@always
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_a_comparison_turned_round_says_the_opposite(pairs: list[tuple[float, float]]) -> None:
    a, b = [one for one, _ in pairs], [other for _, other in pairs]
    there, back = paired(a, b, resamples=100), paired(b, a, resamples=100)
    assert there.difference == pytest.approx(-back.difference)
    assert (there.wins, there.losses, there.ties) == (back.losses, back.wins, back.ties)
    assert there.p == back.p
    assert 0 < there.p <= 1


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 2 / 32), (9, 1, 22 / 1024), (5, 5, 1.0), (25, 5, 2 * 174437 / 2**30)],
)
def test_the_sign_test_is_exact(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p)
    assert sign_test(losses, wins) == sign_test(wins, losses)


def test_wilson_intervals_are_the_published_ones() -> None:
    # Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="4 successes"):
        wilson(4, 3)


@always
@given(counts, counts)
def test_a_wilson_interval_holds_its_share_and_is_the_mirror_of_the_rest(yes: int, no: int) -> None:
    low, high = wilson(yes, yes + no)
    assert 0 <= low <= high <= 1
    if yes + no:
        assert low <= yes / (yes + no) <= high
    assert wilson(no, yes + no) == pytest.approx((1 - high, 1 - low))


def test_a_share_of_nothing_is_none() -> None:
    assert share(0, 0) is None
    half = share(5, 10)
    assert half is not None
    assert (half.value, half.low, half.high) == (0.5, *wilson(5, 10))


def test_the_sample_of_the_hand_check_is_385_pages() -> None:
    assert sample_size() == 385
    assert sample_size(margin=0.1) == 97
    assert sample_size(margin=0.03) == 1068
    assert sample_size(level=0.99) == 664
    assert sample_size(sigma=0.3) == 139
    with pytest.raises(ValueError, match="more than 0"):
        sample_size(margin=0)


def test_kappa_takes_chance_away_from_agreement() -> None:
    # 20 both yes, 15 both no, 5 + 10 apart: agreement .7, by chance .5, kappa .4
    a = ["yes"] * 25 + ["no"] * 25
    b = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert agreement(a, b) == pytest.approx(0.7)
    assert cohen_kappa(a, b) == pytest.approx(0.4)
    assert cohen_kappa(a, a) == 1.0
    assert cohen_kappa("yynn", "yyyy") == 0.0
    assert cohen_kappa("yn", "ny") == -1.0


def test_kappa_of_one_single_label_or_of_nothing_is_not_defined() -> None:
    assert math.isnan(cohen_kappa("yyy", "yyy"))
    assert math.isnan(cohen_kappa("", ""))
    assert math.isnan(agreement("", ""))
    with pytest.raises(ValueError, match="zip"):
        cohen_kappa("yy", "y")


@always
@given(st.lists(st.tuples(st.sampled_from("yn?"), st.sampled_from("yn?")), min_size=1, max_size=30))
def test_kappa_is_symmetric_and_never_more_than_agreement(labels: list[tuple[str, str]]) -> None:
    a, b = [one for one, _ in labels], [other for _, other in labels]
    kappa = cohen_kappa(a, b)
    if math.isnan(kappa):
        assert set(a) == set(b)
        return
    assert kappa == pytest.approx(cohen_kappa(b, a))
    assert kappa <= agreement(a, b) + 1e-12
    assert kappa >= -1 - 1e-12


def test_the_number_of_relevant_pages_follows_from_the_overlap() -> None:
    # 10 marked, 15 caught, 5 of them marked: 11 * 16 / 6 - 1
    total, low, high = chapman(10, 15, 5)
    assert total == pytest.approx(28.333, abs=1e-3)
    # unseen 8.333, variance 11 * 16 * 5 * 10 / (36 * 7) = 34.92
    stretch = math.exp(1.959964 * math.sqrt(math.log(1 + 34.92 / 8.3333**2)))
    assert (low, high) == pytest.approx((20 + 8.3333 / stretch, 20 + 8.3333 * stretch), rel=1e-3)


def test_a_catch_that_holds_the_other_leaves_nothing_unseen() -> None:
    assert chapman(10, 4, 4) == (10, 10, 10)
    assert chapman(0, 0, 0) == (0, 0, 0)
    with pytest.raises(ValueError, match="cannot have 5"):
        chapman(10, 4, 5)


@always
@given(counts, counts, counts)
def test_there_are_never_fewer_than_were_seen(one: int, other: int, both: int) -> None:
    total, low, high = chapman(one + both, other + both, both)
    assert one + other + both <= low <= total <= high
    assert total == pytest.approx((one + both + 1) * (other + both + 1) / (both + 1) - 1)
    assert chapman(other + both, one + both, both) == pytest.approx((total, low, high))


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    chance = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        first, second = chance.random((2, 500)) < np.array([[0.3], [0.4]])
        estimate = chapman(int(first.sum()), int(second.sum()), int((first & second).sum()))
        held += estimate.low <= 500 <= estimate.high
    assert 0.92 <= held / 400 <= 0.98
