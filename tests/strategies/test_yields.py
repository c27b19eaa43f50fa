import numpy as np
import pytest
from numpy.typing import NDArray

from honeyguide.strategies.yields import Arrival, Yields


def yields() -> Yields:
    return Yields(links=2, gamma=0.5, delta=0.5)


def links(*blocks: int) -> NDArray[np.int32]:
    """Blocks with a link to a page, as many as there is room for."""
    return np.array([*blocks, *[-1] * (2 - len(blocks))], np.int32)


def way(*places: tuple[int, int]) -> Arrival:
    """By a link of the first of these pages; the blocks of all of them link there."""
    return Arrival(places[0][0] if places else -1, links(*(block for _, block in places)))


SEED = way()


def test_links_of_a_block_are_expected_to_lead_where_its_others_led() -> None:
    # Before the first page the mean over the crawl is 0.1 of one. A seed of 0.5 and two links of its first block,
    # worth 1 and 0: over the crawl (0.1 + 0.5 + 1 + 0) / 4 = 0.4, over the page (1 + 3 * 0.4) / (2 + 3) = 0.44,
    # over the block (1 + 3 * 0.44) / (2 + 3) = 0.464; a block that was never tried is as its page.
    seen = yields()
    page, _ = seen.arrive(0.5, 0.0, SEED)
    block = seen.open_blocks(page, 2)
    seen.arrive(1.0, 0.5, way((page, block)))
    seen.arrive(0.0, 0.5, way((page, block)))
    tried = np.stack([links(block), links(block + 1), links()])
    later, _ = seen.of_blocks(tried)
    assert later == pytest.approx([0.464, 0.44, 0.4])


def test_a_page_counts_for_all_that_link_to_it_and_the_better_known_of_them_count_more() -> None:
    # Two pages of 0 link to a page of 1 that was come to from the first: over the crawl 1.1 / 4 = 0.275, over either
    # page (1 + 3 * 0.275) / 4 = 0.45625, over either block (1 + 3 * 0.45625) / 4 = 0.5921875. The second block then
    # leads to a page of 0: crawl 0.22, first page (1 + 3 * 0.22) / 4 = 0.415, its block (1 + 3 * 0.415) / 4 = 0.56125;
    # second page (1 + 3 * 0.22) / 5 = 0.332, its block (1 + 3 * 0.332) / 5 = 0.3992. A link of both, of which two
    # and three count as known: (2 * 0.56125 + 3 * 0.3992) / 5 = 0.46402.
    seen = yields()
    first, _ = seen.arrive(0.0, 0.0, SEED)
    second, _ = seen.arrive(0.0, 0.0, SEED)
    one, two = seen.open_blocks(first, 1), seen.open_blocks(second, 1)
    seen.arrive(1.0, 0.0, way((first, one), (second, two)))
    assert seen.of_blocks(links(two)[None])[0] == pytest.approx([0.5921875])
    seen.arrive(0.0, 0.0, way((second, two)))
    assert seen.of_blocks(links(one, two)[None])[0] == pytest.approx([0.46402])


def test_pages_that_had_come_before_are_counted_apart() -> None:
    # A page links to two pages that came before, worth 1 and 0.5, from one of its two blocks. Before the first such
    # link the mean is 0.3 of three: (0.3 + 1.5) / (3 + 2) = 0.36, over the page (1.5 + 3 * 0.36) / 5 = 0.516, over the
    # block (1.5 + 3 * 0.516) / 5 = 0.6096. What its links lead to later is not touched by it.
    seen = yields()
    came = [seen.arrive(relevance, 0.0, SEED)[0] for relevance in (1.0, 0.5, 0.0)]
    block = seen.open_blocks(came[2], 2)
    tried = np.stack([links(block), links(block + 1), links()])
    later, _ = seen.of_blocks(tried)
    seen.meet(came[2], np.array(came[:2]), np.array([block, block]))
    still, before = seen.of_blocks(tried)
    assert before == pytest.approx([0.6096, 0.516, 0.36])
    assert np.array_equal(still, later)


def test_the_level_is_how_relevant_the_best_pages_were() -> None:
    seen = yields()
    assert seen.level(0.2) == 1.0
    for relevance in (0.9, 0.0, 0.3):
        seen.arrive(relevance, 0.0, SEED)
    assert seen.level(0.2) == pytest.approx(0.4)  # three at least
    for number in range(17):
        seen.arrive(0.5 if number < 3 else 0.1, 0.0, SEED)
    assert seen.level(0.2) == pytest.approx((0.9 + 3 * 0.5) / 4)


def test_what_lies_behind_pages_makes_them_worth_more_up_to_three_steps_back() -> None:
    # A way of four pages off topic to one of 1.0. Each page behind the next is worth half of what is behind it over
    # the square root of one more than their number: 0.5 * 1 / sqrt(2) = 0.354, 0.5 * 0.354 / sqrt(2) = 0.125 ...
    seen = yields()
    page, _ = seen.arrive(0.0, 0.0, SEED)
    for _ in range(3):
        block = seen.open_blocks(page, 1)
        page, reviewed = seen.arrive(0.0, 0.0, way((page, block)))
        assert reviewed == []
    _, reviewed = seen.arrive(1.0, 0.0, way((page, seen.open_blocks(page, 1))))
    assert [page for page, _ in reviewed] == [3, 2, 1]
    assert [change for _, change in reviewed] == pytest.approx([0.5**1.5, 0.5**3, 0.5**4.5])


def test_a_page_that_leads_to_many_good_ones_is_worth_no_more_than_gamma() -> None:
    seen = yields()
    page, _ = seen.arrive(0.0, 0.0, SEED)
    block = seen.open_blocks(page, 1)
    changes = [change for _ in range(8) for _, change in seen.arrive(1.0, 0.0, way((page, block)))[1]]
    assert sum(changes) == pytest.approx(0.5)


def test_a_page_inherits_a_share_of_the_best_on_its_way() -> None:
    seen = yields()
    first, _ = seen.arrive(0.8, 0.0, SEED)
    second, _ = seen.arrive(0.1, seen.inherited(first), way((first, seen.open_blocks(first, 1))))
    third, _ = seen.arrive(0.3, seen.inherited(second), way((second, seen.open_blocks(second, 1))))
    assert [seen.inherited(page) for page in (first, second, third)] == pytest.approx([0.8, 0.4, 0.3])


def test_restored_it_goes_on_as_before_also_beyond_its_first_room() -> None:
    first, second = yields(), yields()
    for number in range(600):
        place = [(number - 1, first.open_blocks(number - 1, 1))] if number else []
        first.arrive(number % 7 / 7, 0.0, way(*place))
    second.restore(first.state())
    for seen in (first, second):
        seen.arrive(1.0, 0.2, way((599, seen.open_blocks(599, 1))))
    for name, value in first.state().items():
        assert np.array_equal(value, second.state()[name]), name
