"""A guide is looked at on its way, and goes the way it would have gone."""

import numpy as np
from small_crawl import SITE
from test_guide import guide, page

from honeyguide.model import Candidate, Link, Visit
from honeyguide.strategies.observer import MOST, Observer
from honeyguide.strategies.promises import FEATURES

GOOD = [Link(f"{SITE}good{number}", SITE, "Dengue fever", path="ul") for number in range(40)]
BAD = [Link(f"{SITE}bad{number}", SITE, "Trains", path="ol") for number in range(40)]


def outcome(url: str) -> bool | None:
    return None if url.endswith("9") else "good" in url


def way(strategy: Observer) -> list[list[Candidate]]:
    """A crawl that meets good and bad pages by turns; what the strategy said of every visit."""
    found = [list(strategy.expand(page(SITE, GOOD + BAD, 0.5)))]
    list(strategy.changes())
    by = {one.url: one for one in found[0]}
    for link in [one for pair in zip(GOOD[:15], BAD[:15], strict=True) for one in pair]:
        visit = page(link.url, [], float("good" in link.url), by=by[link.url])
        found.append(list(strategy.expand(visit)))
        list(strategy.changes())
    return found


def test_what_waits_is_set_beside_what_it_turned_out_to_be() -> None:
    observer = Observer(guide(), outcome)
    way(observer)
    waiting = [81 - 4, 81 - 11, 81 - 21]  # after 4, 11 and 21 pages; the first page waited for nobody
    assert [len(look.relevant) for look in observer.looks] == [
        count - 8 + seen for count, seen in zip(waiting, (0, 0, 2), strict=True)
    ]
    for look in observer.looks:
        assert look.features.shape == (len(look.relevant), len(FEATURES))
        assert np.isfinite(look.features).all()
        anchor = look.features[:, FEATURES.index("anchor")]
        assert anchor[look.relevant].min() > anchor[~look.relevant].max()


def test_the_crawl_goes_as_if_nobody_looked() -> None:
    alone, watched = guide(), Observer(guide(), outcome)
    assert way(Observer(alone, lambda url: None)) == way(watched)
    assert [row[0] for row in alone.changes()] == [row[0] for row in watched.changes()]


def test_a_look_that_shows_one_kind_of_pages_only_is_not_kept() -> None:
    for same in (True, False):
        observer = Observer(guide(), lambda url, same=same: same)  # type: ignore[misc]
        way(observer)
        assert not observer.looks


def test_pages_that_failed_do_not_count_and_refused_ones_do_not_wait() -> None:
    observer = Observer(guide(), outcome)
    (first, *_) = observer.expand(page(SITE, GOOD + BAD, 0.5))
    for _ in range(20):
        list(observer.expand(Visit(first)))
        list(observer.changes())
    assert not observer.looks
    observer.refused(BAD[0].url)
    for link in GOOD[1:4]:
        list(observer.expand(page(link.url, [], 1.0)))
        list(observer.changes())
    (look,) = observer.looks
    assert int(look.relevant.sum()) == 40 - 4 - 4
    assert int((~look.relevant).sum()) == 40 - 1 - 4


def test_of_very_many_urls_some_are_kept() -> None:
    links = [
        Link(f"{SITE}{'good' if number % 7 == 0 else 'bad'}-{number}0", SITE, "x")
        for number in range(2 * MOST + 50)
    ]
    observer = Observer(guide(), outcome)
    list(observer.expand(page(SITE, links, 0.5)))
    for number in range(3):
        list(observer.expand(page(f"{SITE}{number}", [], 0.0)))
        list(observer.changes())
    (look,) = observer.looks
    assert MOST / 2 < len(look.relevant) <= MOST
    assert abs(look.relevant.mean() - 1 / 7) < 0.01
