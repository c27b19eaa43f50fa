from collections.abc import Callable

import pytest
from small_crawl import in_order, see, visit

from honeyguide.errors import ConfigError
from honeyguide.model import Topic
from honeyguide.roles import Strategy
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.n_best_first import HELD_BACK, NBestFirst
from honeyguide.strategies.pagerank import PageRank
from honeyguide.testing import check_strategy, example_visits

TOPIC = Topic("dengue fever")


def by_page(name: str) -> Strategy:
    return BestFirst(by="page")


@pytest.mark.parametrize("make", [by_page, lambda name: PageRank(every=1)])
@pytest.mark.parametrize("n", [1, 3, 50])
def test_it_keeps_the_promises_of_a_strategy(make: Callable[[str], Strategy], n: int) -> None:
    check_strategy(lambda: NBestFirst(n=n, make=make).fit(TOPIC, None), example_visits())


def test_what_is_found_meanwhile_waits_until_the_n_best_were_fetched() -> None:
    strategy = NBestFirst(n=2, make=by_page)
    first = see(strategy, visit("a", "bcd", relevance=0.2))
    assert in_order(first) == ["b", "c", "d"]
    assert first == pytest.approx({"b": 0.2, "c": 0.2, "d": 0.2 + HELD_BACK})
    second = see(strategy, visit("b", "e", relevance=0.9))
    assert second == pytest.approx({"e": 0.9 + HELD_BACK})
    third = dict(strategy.changes())
    assert third == {}
    list(strategy.expand(visit("c", "f", relevance=0.1)))
    assert [url[-1] for url, _ in strategy.changes()] == ["e", "d"]


def test_one_best_first_is_best_first() -> None:
    crawl = [visit("a", "bc", relevance=0.2), visit("b", "de", relevance=0.7), visit("d", "f", relevance=0.5)]
    assert (
        in_order(see(NBestFirst(n=1, make=by_page), *crawl))[0]
        == in_order(see(by_page(""), *crawl))[0]
        == "e"
    )


def test_a_failure_is_one_of_the_n_too() -> None:
    strategy = NBestFirst(n=1, make=by_page)
    list(strategy.expand(visit("a", "bc", relevance=0.2)))
    assert len(list(strategy.changes())) == 1
    failed = next(one for one in example_visits() if one.error)
    assert list(strategy.expand(failed)) == []
    assert len(list(strategy.changes())) == 1


def test_settings_that_mean_nothing_are_refused() -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        NBestFirst(n=0)
    with pytest.raises(ConfigError, match="name it with of="):
        NBestFirst().fit(TOPIC, None)
