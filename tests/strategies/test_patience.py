"""Hosts that give nothing have to wait, the longer the more."""

import numpy as np

from honeyguide.strategies.patience import PAGES, Patience

BARREN, FRUITFUL, UNSEEN = 1, 2, 3
HOSTS = np.array([BARREN, FRUITFUL, UNSEEN], np.int32)


def after(*pages: tuple[int, bool]) -> Patience:
    patience = Patience(places=8)
    for host, is_good in pages:
        patience.arrive(host, is_good=is_good)
    return patience


def test_patience_with_a_host_is_lost_after_some_pages_for_nothing_and_then_again_and_again() -> None:
    assert after(*[(BARREN, False)] * (PAGES - 1)).lost(HOSTS).tolist() == [0, 0, 0]
    assert after(*[(BARREN, False)] * PAGES).lost(HOSTS).tolist() == [1, 0, 0]
    assert after(*[(BARREN, False)] * 7 * PAGES).lost(HOSTS).tolist() == [7, 0, 0]


def test_every_good_page_adds_to_the_patience_with_its_host() -> None:
    pages = [(FRUITFUL, True)] * 10 + [(FRUITFUL, False)] * (PAGES + 9)
    assert after(*pages).lost(HOSTS)[1] == 0
    assert after(*pages, (FRUITFUL, False)).lost(HOSTS)[1] == 1


def test_a_good_page_starts_the_count_afresh_also_for_the_hosts_of_pages_on_the_way_to_it() -> None:
    barren = [(BARREN, False)] * 2 * PAGES
    assert after(*barren, (BARREN, True)).lost(HOSTS)[0] == 0
    patience = after(*barren)
    patience.arrive(FRUITFUL, is_good=False, way=[0])
    assert patience.lost(HOSTS)[0] == 2
    patience.arrive(FRUITFUL, is_good=True, way=[0])
    assert patience.lost(HOSTS)[0] == 0
    for _ in range(PAGES):
        patience.arrive(BARREN, is_good=False)
    assert patience.lost(HOSTS)[0] == 1


def test_pages_that_are_judged_anew_are_counted_anew() -> None:
    patience = after(*[(FRUITFUL, True)] * 3 * PAGES)
    patience.rejudge(dict.fromkeys(range(3 * PAGES), False))
    assert patience.lost(HOSTS)[1] == 0, "what was good when it came started the count afresh"
    for _ in range(PAGES):
        patience.arrive(FRUITFUL, is_good=False)
    assert patience.lost(HOSTS)[1] == 1, "but is no reason for more patience"
    patience.rejudge({3 * PAGES: True})
    assert patience.lost(HOSTS)[1] == 0


def test_addresses_at_which_a_host_has_no_page_cost_patience_until_it_has_a_good_one() -> None:
    patience = after(*[(BARREN, False)] * 5)
    for _ in range(PAGES - 5):
        assert patience.lost(HOSTS).tolist() == [0, 0, 0]
        patience.miss(BARREN)
    assert patience.lost(HOSTS).tolist() == [1, 0, 0]
    patience.rejudge({0: False})
    assert patience.lost(HOSTS).tolist() == [1, 0, 0], "what is judged anew is pages"
    patience.arrive(BARREN, is_good=True)
    assert patience.lost(HOSTS).tolist() == [0, 0, 0]


def test_what_was_saved_goes_on_alike() -> None:
    patience, again = after(*[(BARREN, False), (FRUITFUL, True)] * 2 * PAGES), Patience(places=8)
    patience.arrive(UNSEEN, is_good=True, way=[0])
    for _ in range(2 * PAGES):
        patience.miss(UNSEEN)
        again.miss(FRUITFUL)
    again.arrive(UNSEEN, is_good=False)
    again.restore(patience.state())
    for _ in range(PAGES):
        for one in (patience, again):
            one.arrive(BARREN, is_good=False)
            one.arrive(FRUITFUL, is_good=False)
        assert again.lost(HOSTS).tolist() == patience.lost(HOSTS).tolist()
    assert again.lost(HOSTS).tolist() == [1, 0, 1]
    for one in (patience, again):
        one.rejudge(dict.fromkeys(range(4 * PAGES), False))
    assert again.lost(HOSTS).tolist() == patience.lost(HOSTS).tolist() == [1, 1, 1]
