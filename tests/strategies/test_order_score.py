import numpy as np
import pytest

from honeyguide.strategies.order_score import VisitedLinks, order_score, searched, unfolded


def visited() -> VisitedLinks:
    """A hub of level 3 behind which two pages of level 1 lie, and a page of level 2 beside it.

    The first feature knows the target's pages, the second one the hub as well.
    """
    links = VisitedLinks(features=2)
    links.add(1, 0, (3.0, 1.0), 3.0)
    links.add(2, 0, (2.0, 3.0), 2.0)
    links.add(3, 1, (1.0, 1.0), 1.0)
    links.add(4, 1, (1.0, 1.0), 1.0)
    return links


def test_the_order_score_of_a_queue() -> None:  # GT eq. 3.10
    assert order_score(np.array([1.0, 3.0, 2.0])) == pytest.approx(1 / 1 + 3 / 2 + 2 / 3)
    assert order_score(np.array([1.0, 2.0, 3.0])) < order_score(np.array([3.0, 2.0, 1.0]))
    assert order_score(np.zeros(0)) == 0


def test_on_the_queue_all_links_wait_at_once() -> None:
    cost = visited().costs(lambda levels: levels, unfolding=False)
    # By the first feature: 1, 1, 2, 3.
    assert cost(np.array([1.0, 0.0])) == pytest.approx(1 + 1 / 2 + 2 / 3 + 3 / 4)
    # By the second: 3, 1, 1, 2; equals stay in the order of the visits.
    assert cost(np.array([0.0, 1.0])) == pytest.approx(3 + 1 / 2 + 1 / 3 + 2 / 4)


def test_on_the_unfolding_crawl_a_link_waits_once_its_page_was_taken() -> None:
    cost = visited().costs(lambda levels: levels, unfolding=True)
    # By the first feature the hub comes after the page beside it: 2, 3, 1, 1.
    assert cost(np.array([1.0, 0.0])) == pytest.approx(2 + 3 / 2 + 1 / 3 + 1 / 4)
    # By the second: 3, 1, 1, 2.
    assert cost(np.array([0.0, 1.0])) == pytest.approx(3 + 1 / 2 + 1 / 3 + 2 / 4)


def test_the_crawl_takes_the_smallest_of_what_it_has_found() -> None:
    assert unfolded([5.0, 1.0, 0.0, 3.0], [0, 1], [[2], [3], [], []]) == [1, 3, 0, 2]


def test_links_of_pages_long_ago_wait_from_the_beginning() -> None:
    links = VisitedLinks(features=1, most=2)
    for number in (1, 2, 3):
        links.add(number, number - 1, (float(4 - number),), float(number))
    assert len(links) == 2
    # Visit 2 was found on the forgotten visit 1; visit 3 on visit 2, and so after it.
    assert links.costs(lambda levels: levels, unfolding=True)(np.ones(1)) == pytest.approx(2 + 3 / 2)
    assert links.costs(lambda levels: levels, unfolding=False)(np.ones(1)) == pytest.approx(3 + 2 / 2)


def test_the_search_finds_better_weights_and_the_same_ones_again() -> None:
    def cost(weights: np.ndarray) -> float:
        return float(((weights - np.array([0.1, 0.7, 0.2])) ** 2).sum())

    start = np.array([5.0, 1.0, 1.0])
    found = searched(cost, start, np.random.default_rng(3))
    assert found.sum() == pytest.approx(1)
    assert cost(found) < cost(start / start.sum()) / 4
    assert found.tolist() == searched(cost, start, np.random.default_rng(3)).tolist()


def test_weights_that_nothing_betters_stay() -> None:
    start = np.array([0.2, 0.5, 0.3])
    assert searched(lambda weights: 1.0, start, np.random.default_rng(0)) == pytest.approx(start)


def test_visited_links_are_taken_up_as_they_were() -> None:
    first, second = visited(), VisitedLinks(features=2)
    second.restore(first.state())
    assert second.state().tolist() == first.state().tolist()
    assert VisitedLinks(features=2).state().shape == (0, 5)
