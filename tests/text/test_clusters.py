"""Texts fall into clusters."""

import numpy as np
import pytest

from honeyguide.text.bags import Counts
from honeyguide.text.clusters import k_means, x_means


def texts_around(*centres: tuple[float, ...], each: int, apart: float = 0.02) -> Counts:
    random = np.random.default_rng(7)
    points = np.concatenate(
        [np.array(centre) + apart * random.standard_normal((each, 3)) for centre in centres]
    )
    number = len(points)
    return Counts(
        ["x", "y", "z"],
        np.repeat(np.arange(number, dtype=np.int32), 3),
        np.tile(np.arange(3, dtype=np.int32), number),
        points.ravel(),
        number,
    )


CORNERS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.6, 0.6))


def groups(labels: np.ndarray, each: int) -> list[set[int]]:
    return [set(labels[start : start + each].tolist()) for start in range(0, len(labels), each)]


def test_k_means_finds_groups_that_lie_apart() -> None:
    found = groups(k_means(texts_around(*CORNERS, each=12), 4), 12)
    assert all(len(group) == 1 for group in found)
    assert len(set.union(*found)) == 4


def test_x_means_finds_out_how_many_groups_there_are() -> None:
    found = groups(x_means(texts_around(*CORNERS, each=12)), 12)
    assert all(len(group) == 1 for group in found)
    assert len(set.union(*found)) == 4


def test_x_means_does_not_split_one_group() -> None:
    labels = x_means(texts_around(CORNERS[0], CORNERS[1], each=30))
    assert set(labels.tolist()) == {0, 1}


def test_x_means_stops_at_the_most() -> None:
    assert x_means(texts_around(*CORNERS, each=12), 2, 3).max() == 2


def test_the_same_seed_gives_the_same_clusters() -> None:
    texts = texts_around(*CORNERS, each=12, apart=0.5)
    assert k_means(texts, 5, seed=3).tolist() == k_means(texts, 5, seed=3).tolist()


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_fewer_texts_than_clusters_are_no_trouble(number: int) -> None:
    texts = texts_around(CORNERS[0], each=number)
    assert len(set(k_means(texts, 4).tolist())) <= max(1, number)
    assert len(x_means(texts)) == number


def test_texts_that_are_all_alike_are_one_cluster() -> None:
    assert set(k_means(texts_around(CORNERS[0], each=9, apart=0.0), 4).tolist()) == {0}


def test_texts_without_words_are_one_cluster() -> None:
    empty = Counts([], np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0), 5)
    assert k_means(empty, 3).tolist() == [0] * 5
    assert len(x_means(empty)) == 5
