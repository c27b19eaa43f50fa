import numpy as np
import pytest

from honeyguide.strategies.yields import Arrival, Yields

SEED = Arrival(-1, -1, 0, 0)


def yields() -> Yields:
    return Yields(places=8, gamma=0.5, delta=0.5)


def test_links_of_a_block_are_expected_to_lead_where_its_others_led() -> None:
    # Before the first page the mean over the crawl is 0.1 of one. A seed of 0.5 and two links of its first block,
    # worth 1 and 0: over the crawl (0.1 + 0.5 + 1 + 0) / 4 = 0.4, over the page (1 + 3 * 0.4) / (2 + 3) = 0.44,
    # over the block (1 + 3 * 0.44) / (2 + 3) = 0.464; a block that was never tried is as its page.
    seen = yields()
    page, _ = seen.arrive(0.5, 0.0, SEED)
    block = seen.open_blocks(2)
    seen.arrive(1.0, 0.5, Arrival(page, block, 0, 0))
    seen.arrive(0.0, 0.5, Arrival(page, block, 0, 0))
    pages, blocks = np.array([page, page], np.int32), np.array([block, block + 1], np.int32)
    assert seen.of_links(pages, blocks) == pytest.approx([0.464, 0.44])


def test_a_folder_is_expected_to_hold_what_it_held_and_else_what_its_host_did() -> None:
    # Host 1 had a page of 1, in folder 2: over the crawl 1.1 / 2 = 0.55, host (1 + 3 * 0.55) / 4 = 0.6625, folder
    # (1 + 3 * 0.6625) / 4 = 0.746875.
    seen = yields()
    seen.arrive(1.0, 0.0, Arrival(-1, -1, 1, 2))
    hosts, folders = np.array([1, 1, 0], np.int32), np.array([2, 3, 3], np.int32)
    assert seen.of_places(hosts, folders) == pytest.approx([0.746875, 0.6625, 0.55])


def test_what_lies_behind_pages_makes_them_worth_more_up_to_three_steps_back() -> None:
    # A way of four pages off topic to one of 1.0. Each page behind the next is worth half of what is behind it over
    # the square root of one more than their number: 0.5 * 1 / sqrt(2) = 0.354, 0.5 * 0.354 / sqrt(2) = 0.125 ...
    seen = yields()
    page, _ = seen.arrive(0.0, 0.0, SEED)
    for _ in range(3):
        block = seen.open_blocks(1)
        page, reviewed = seen.arrive(0.0, 0.0, Arrival(page, block, 0, 0))
        assert reviewed == []
    _, reviewed = seen.arrive(1.0, 0.0, Arrival(page, seen.open_blocks(1), 0, 0))
    assert [page for page, _ in reviewed] == [3, 2, 1]
    assert [change for _, change in reviewed] == pytest.approx([0.5**1.5, 0.5**3, 0.5**4.5])


def test_a_page_that_leads_to_many_good_ones_is_worth_no_more_than_gamma() -> None:
    seen = yields()
    page, _ = seen.arrive(0.0, 0.0, SEED)
    block = seen.open_blocks(1)
    changes = [change for _ in range(8) for _, change in seen.arrive(1.0, 0.0, Arrival(page, block, 0, 0))[1]]
    assert sum(changes) == pytest.approx(0.5)


def test_a_page_inherits_a_share_of_the_best_on_its_way() -> None:
    seen = yields()
    first, _ = seen.arrive(0.8, 0.0, SEED)
    second, _ = seen.arrive(0.1, seen.inherited(first), Arrival(first, seen.open_blocks(1), 0, 0))
    third, _ = seen.arrive(0.3, seen.inherited(second), Arrival(second, seen.open_blocks(1), 0, 0))
    assert [seen.inherited(page) for page in (first, second, third)] == pytest.approx([0.8, 0.4, 0.3])


def test_restored_it_goes_on_as_before_also_beyond_its_first_room() -> None:
    first, second = yields(), yields()
    for number in range(600):
        first.arrive(number % 7 / 7, 0.0, Arrival(number - 1, first.open_blocks(1) if number else -1, 3, 4))
    second.restore(first.state())
    for seen in (first, second):
        seen.arrive(1.0, 0.2, Arrival(599, seen.open_blocks(1), 5, 6))
    for name, value in first.state().items():
        assert np.array_equal(value, second.state()[name]), name
