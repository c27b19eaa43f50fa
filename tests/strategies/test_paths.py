"""Strategies that remember the way: fish-search, shark-search, history path."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from small_crawl import SITE, in_order, see, visit

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Link, Topic, Visit
from honeyguide.roles import Strategy
from honeyguide.strategies.fish_search import ZONE, FishSearch
from honeyguide.strategies.history_path import HistoryPath
from honeyguide.strategies.shark_search import SharkSearch
from honeyguide.testing import check_strategy, example_visits

TOPIC = Topic("dengue fever")
MADE: dict[str, Callable[[], Strategy]] = {
    "fish": FishSearch,
    "shark": lambda: SharkSearch().fit(TOPIC, None),
    "shark, inherited": lambda: SharkSearch(variant="inherited").fit(TOPIC, None),
    "history path": HistoryPath,
    "history path, threshold": lambda: HistoryPath(threshold=0.4),
    "history path, all in-links": lambda: HistoryPath(inlinks="sum"),
    "history path, with score": lambda: HistoryPath(add_score=True),
}


@pytest.mark.parametrize("name", MADE)
def test_they_keep_the_promises_of_a_strategy(name: str) -> None:
    check_strategy(MADE[name], example_visits())


def follow(strategy: Strategy, one: Visit, *, target: str, **more: float) -> Visit:
    """A visit to a link of another visit, with what the strategy noted on it."""
    (candidate,) = [found for found in strategy.expand(one) if found.url == SITE + target]
    return replace(visit(target, "z", **more), candidate=candidate)


def scored(strategy: Strategy, one: Visit) -> float:
    return next(iter(strategy.expand(one))).score


def test_fish_go_where_there_is_food_and_the_newest_school_goes_first() -> None:
    order = in_order(see(FishSearch(), visit("a", "bc"), visit("d", "ef", relevance=0.9), visit("g", "hi")))
    assert order == ["e", "f", "h", "i", "b", "c"]


def test_a_wide_school_sends_its_last_fish_to_the_end() -> None:
    scores = see(FishSearch(width=2, a=1.5), visit("a", "bcdef", relevance=0.9), visit("g", "hijk"))
    assert {name for name, score in scores.items() if score >= 2 * ZONE} == set("bcd")
    assert {name for name, score in scores.items() if ZONE <= score < 2 * ZONE} == set("hi")
    assert in_order(scores)[-4:] == ["e", "f", "j", "k"]


def test_a_line_without_food_dies_out() -> None:
    fish = FishSearch(depth=3)
    one = visit("a", "b")
    two = follow(fish, one, target="b")
    three = replace(visit("c", "d"), candidate=Candidate(Link(SITE + "c"), 0, 2, {"depth": 1}))
    assert next(iter(fish.expand(two))).memo == {"depth": 1}
    assert list(fish.expand(three)) == []
    fed = replace(visit("c", "d", relevance=0.9), candidate=three.candidate)
    assert next(iter(fish.expand(fed))).memo == {"depth": 3}


def test_shark_search_worked_by_hand() -> None:
    shark = SharkSearch().fit(TOPIC, None)
    page = visit("a", ["dengue fever", "more"], relevance=0.6)
    first, second = shark.expand(page)
    # .5 * (.5 * .6) + .5 * (.8 * 1 + .2 * 1) and, without a word of the topic, .5 * (.5 * .6)
    assert first.score == pytest.approx(0.65)
    assert second.score == pytest.approx(0.15)
    link = Link(SITE + "x", SITE + "a", "more", "all about dengue fever")
    assert page.page is not None
    around = replace(page, page=replace(page.page, links=(link,)))
    # the words around say it all: .15 + .5 * .2 * 1
    assert scored(shark, around) == pytest.approx(0.25)


def test_a_page_of_no_relevance_passes_on_what_it_inherited() -> None:
    shark = SharkSearch().fit(TOPIC, None)
    two = follow(shark, visit("a", "b", relevance=0.8), target="b", relevance=0.01)
    # .5 * .8 = .4 inherited by b, .5 * .4 = .2 by its link, times gamma
    assert scored(shark, two) == pytest.approx(0.1)


def test_the_inherited_variant_adds_up_all_ancestors() -> None:
    shark = SharkSearch(variant="inherited", delta=0.5)
    two = follow(shark, visit("a", "b", relevance=0.8), target="b", relevance=0.2)
    three = follow(shark, two, target="z", relevance=0.4)
    # .5 * .4 + .25 * .2 + .125 * .8
    assert scored(shark, three) == pytest.approx(0.35)


def test_the_distance_from_relevant_pages_worked_by_hand() -> None:
    path = HistoryPath(cutoff=20)
    one = visit("a", "b", relevance=0.9)
    assert scored(path, one) == 1.0
    two = follow(path, one, target="b", relevance=0.3)
    # d = (1 - .3) * exp(0) = .7, then (1 - .1) * exp(2 * .7 / 20) = .965...
    assert scored(path, two) == pytest.approx(0.3)
    three = follow(path, two, target="z", relevance=0.1)
    assert scored(path, three) == pytest.approx(1 - 0.9 * math.exp(0.07))


def test_a_threshold_is_on_the_margin() -> None:
    # a relevance of .8 has a margin of .3 here
    assert scored(HistoryPath(threshold=0.2), visit("a", "b", relevance=0.8)) == 1.0
    assert scored(HistoryPath(threshold=0.4), visit("a", "b", relevance=0.8)) == pytest.approx(0.8)


def test_several_in_links_count_as_the_nearest_or_together() -> None:
    crawl = [visit("a", "xx", relevance=0.3), visit("b", "x", relevance=0.2)]
    assert see(HistoryPath(), *crawl) == pytest.approx({"x": 0.3})
    assert see(HistoryPath(inlinks="sum"), *crawl) == pytest.approx({"x": 0.5})


def test_a_relevant_page_may_add_its_score() -> None:
    assert scored(HistoryPath(add_score=True), visit("a", "b", relevance=0.9)) == pytest.approx(1.9)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: FishSearch(depth=0),
        lambda: SharkSearch(beta=2.0),
        lambda: SharkSearch(variant="ss3"),  # type: ignore[arg-type]
        lambda: HistoryPath(cutoff=0.0),
        lambda: HistoryPath(inlinks="mean"),  # type: ignore[arg-type]
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: Callable[[], Strategy]) -> None:
    with pytest.raises(ConfigError):
        wrong()
