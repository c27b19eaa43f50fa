"""Naive Bayes in shades of grey, with numbers worked out by hand."""

import math

import numpy as np
import pytest

from honeyguide.text.soft_bayes import SoftBayes


def taught(bayes: SoftBayes, texts: list[tuple[list[int], float]], times: float = 1.0) -> SoftBayes:
    rows = np.array([row for row, (features, _) in enumerate(texts) for _ in features], np.int64)
    features = np.array([feature for features, _ in texts for feature in features], np.int64)
    bayes.learn(rows, features, np.array([goodness for _, goodness in texts]), times)
    return bayes


def test_a_feature_speaks_for_a_text_by_how_good_those_were_that_have_it() -> None:
    # Five texts presumed, half of one good; two come, of 0.8 and 0.2: p = (0.5 + 1) / 7 = 3/14. Feature 1 was in the
    # first: log((0.8 + 3/14) / (3/14)) - log((0.2 + 11/14) / (11/14)).
    bayes = taught(SoftBayes(), [([1, 2, 1], 0.8), ([2], 0.2)])
    assert bayes.usual == pytest.approx(3 / 14)
    speaks, never_met = bayes.says(np.array([1, 3])).tolist()
    assert speaks == pytest.approx(
        math.log((0.8 + 3 / 14) / (3 / 14)) - math.log((0.2 + 11 / 14) / (11 / 14))
    )
    assert never_met == 0.0


def test_without_a_smoothing_failures_say_little_where_hardly_anything_succeeds() -> None:
    # p = 0.5 / 55; ten bad texts have feature 1: (0 + 1) to 10 * p / (1 - p) + 1.
    texts = [([1], 0.0)] * 10 + [([2], 0.0)] * 40
    usual = 0.5 / 55
    assert taught(SoftBayes(smoothing=None), texts).says(np.array([1]))[0] == pytest.approx(
        -math.log(10 * usual / (1 - usual) + 1)
    )
    assert taught(SoftBayes(), texts).says(np.array([1]))[0] < -2


def test_a_text_may_count_more_often_and_be_corrected_later() -> None:
    twice = taught(SoftBayes(), [([1], 1.0)], times=2.0)
    assert twice.says(np.array([1])) == pytest.approx(
        taught(SoftBayes(), [([1], 1.0), ([1], 1.0)]).says(np.array([1]))
    )
    late = taught(SoftBayes(), [([1], 0.0)])
    late.correct(np.array([1]), 1.0)
    assert late.says(np.array([1])) == pytest.approx(taught(SoftBayes(), [([1], 1.0)]).says(np.array([1])))


def test_what_was_saved_says_the_same() -> None:
    bayes, again = taught(SoftBayes(), [([1, 5], 0.7), ([5], 0.1)]), SoftBayes()
    again.restore(bayes.state())
    assert again.says(np.array([1, 5, 9])).tolist() == bayes.says(np.array([1, 5, 9])).tolist()
