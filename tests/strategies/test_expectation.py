import numpy as np
import pytest

from honeyguide.strategies.expectation import Expectation


def test_one_link_worked_by_hand() -> None:
    # One vector (1) of worth 1, with a 1 beside it for what all have: (I + [[1, 1], [1, 1]]) w = (1, 1), so w is
    # (1/3, 1/3), and the same vector is expected to be worth 2/3.
    seen = Expectation(width=1, penalty=1.0)
    seen.learn(np.array([[1.0]]), 1.0)
    seen.settle()
    assert seen.weights.tolist() == pytest.approx([1 / 3, 1 / 3])
    assert seen.of(np.array([[1.0], [0.0]], np.float32)).tolist() == pytest.approx([2 / 3, 1 / 3])


def test_a_correction_is_the_same_as_having_known_better_before() -> None:
    early, late = Expectation(width=2, penalty=2.0), Expectation(width=2, penalty=2.0)
    vector = np.array([0.5, -0.25])
    early.learn(vector[None], 0.8)
    late.learn(vector[None], 0.2)
    late.correct(vector, 0.6)
    for seen in (early, late):
        seen.settle()
    assert early.weights == pytest.approx(late.weights)


def test_it_finds_what_vectors_are_worth_and_times_count() -> None:
    chance = np.random.default_rng(0)
    seen = Expectation(width=4, penalty=1e-6)
    truth = np.array([1.0, -2.0, 0.5, 0.0])
    for vector in chance.normal(size=(50, 4)):
        seen.learn(vector[None], float(vector @ truth) + 3.0, 2.0)
    seen.settle()
    assert seen.weights == pytest.approx([*truth, 3.0], abs=1e-5)


def test_restored_it_expects_the_same() -> None:
    first, second = Expectation(width=2, penalty=1.0), Expectation(width=2, penalty=1.0)
    first.learn(np.array([[1.0, 2.0], [0.0, 1.0]]), 0.5)
    first.settle()
    second.restore(first.state())
    for seen in (first, second):
        seen.learn(np.array([[3.0, 0.0]]), 1.0)
        seen.settle()
    assert first.weights.tolist() == second.weights.tolist()
