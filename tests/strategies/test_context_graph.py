"""Context graph: links of pages that look as if they led to the topic."""

from typing import Any

import pytest
from small_crawl import SITE, in_order, see, visit
from small_log import DENGUE, HEALTH, PORTAL, TRAINS, SmallLog, earlier_crawl, earlier_visits

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Example, Level, Link, Step, Topic
from honeyguide.strategies.context_graph import ContextGraph
from honeyguide.testing import check_strategy, example_visits

PLAIN = Topic("dengue fever")
TOLD = Topic(
    "dengue fever",
    examples=(Example(DENGUE, "Dengue", f"{SITE}dengue"),),
    background=(Example(TRAINS),),
    branch=(Level("Dengue"), Level("Health", (Example(HEALTH),)), Level("Portals", (Example(PORTAL),))),
)
SESSION = Topic(
    "dengue fever",
    session=(Step(Example(PORTAL), False), Step(Example(HEALTH), False), Step(Example(DENGUE), True)),
)


@pytest.mark.parametrize(
    ("variant", "warm_up", "topic"),
    [
        ("plain", 1, PLAIN),
        ("irrelevant", 2, TOLD),
        ("irrelevant", 100, PLAIN),
        ("drop", 2, TOLD),
        ("drop", 9, SESSION),
    ],
)
def test_it_keeps_the_promises_of_a_strategy(variant: Any, warm_up: int, topic: Topic) -> None:
    check_strategy(lambda: ContextGraph(variant=variant, warm_up=warm_up).fit(topic, None), example_visits())


def test_what_an_earlier_crawl_taught_survives_a_restart() -> None:
    taught = ContextGraph().fit(PLAIN, earlier_crawl())
    again = ContextGraph().fit(PLAIN, None)
    again.restore(taught.state())
    page = visit("page", "ab", text=HEALTH)
    assert list(again.expand(page)) == list(taught.expand(page))


def test_the_nearer_a_page_looks_to_the_topic_the_sooner_its_links() -> None:
    strategy = ContextGraph(layers=3).fit(PLAIN, earlier_crawl())
    scores = see(
        strategy,
        visit("one", ["of a train"], text=TRAINS),
        visit("two", ["of a portal"], text=PORTAL),
        visit("three", ["of health"], text=HEALTH),
        visit("four", ["of dengue"], text=DENGUE),
    )
    assert in_order(scores) == ["of dengue", "of health", "of a portal", "of a train"]
    # Three layers and the irrelevant: 4, 3, 2 and 1, plus how sure it is, which never reaches the next layer.
    assert [int(scores[name]) for name in in_order(scores)] == [4, 3, 2, 1]


def test_within_a_layer_the_surer_page_goes_first() -> None:
    strategy = ContextGraph(layers=3).fit(PLAIN, earlier_crawl())
    mixed = f"{DENGUE} {DENGUE} {HEALTH}"
    scores = see(strategy, visit("a", ["mixed"], text=mixed), visit("b", ["pure"], text=DENGUE))
    assert int(scores["pure"]) == int(scores["mixed"]) == 4
    assert scores["pure"] > scores["mixed"]


def test_without_a_layer_of_irrelevant_pages_every_page_belongs_somewhere() -> None:
    strategy = ContextGraph(layers=3, variant="plain").fit(PLAIN, earlier_crawl())
    assert int(see(strategy, visit("one", ["x"], text=TRAINS))["x"]) in (1, 2, 3)


def test_a_page_of_no_layer_in_particular_may_be_dropped() -> None:
    crawl = (visit("a", ["x"], text="Quite another matter"), visit("b", ["y"], text=DENGUE))
    strict = ContextGraph(variant="drop", threshold=0.6).fit(PLAIN, earlier_crawl())
    assert set(see(strict, *crawl)) == {"y"}
    lenient = ContextGraph(variant="drop", threshold=0.0).fit(PLAIN, earlier_crawl())
    assert set(see(lenient, *crawl)) == {"x", "y"}


def test_a_session_is_a_way_to_the_topic() -> None:
    strategy = ContextGraph(layers=3).fit(SESSION, None)
    scores = see(strategy, visit("a", ["x"], text=PORTAL), visit("b", ["y"], text=HEALTH))
    assert in_order(scores) == ["y", "x"]


def test_without_a_warm_up_the_levels_of_the_branch_are_the_layers() -> None:
    strategy = ContextGraph(layers=3, warm_up=0).fit(TOLD, None)
    scores = see(
        strategy,
        visit("a", ["x"], text=PORTAL),
        visit("b", ["y"], text=HEALTH),
        visit("c", ["z"], text=DENGUE),
        visit("d", ["w"], text=TRAINS),
    )
    assert in_order(scores) == ["z", "y", "x", "w"]


def test_it_warms_up_breadth_first_and_then_learns_once() -> None:
    strategy = ContextGraph(layers=3, warm_up=17).fit(PLAIN, None)
    before = see(strategy, visit("zero", ["late"], text=HEALTH, depth=2), *earlier_visits()[:15])
    assert before["late"] == -3.0
    assert next(iter(strategy.expand(earlier_visits()[15]))).score == -1.0
    assert [url for url, score in strategy.changes() if score > 0] == [f"{SITE}late"]
    assert list(strategy.changes()) == []


def test_after_the_warm_up_every_link_that_waits_has_the_score_of_its_best_page() -> None:
    strategy = ContextGraph(layers=3, warm_up=18).fit(PLAIN, None)
    more = [visit("a", ["x", "y"], text=TRAINS), visit("b", ["y", "z"], text=HEALTH)]
    scores = see(strategy, *earlier_visits(), *more)
    assert scores["y"] == scores["z"] > scores["x"] > 0
    taken = Candidate(Link(f"{SITE}y"), scores["y"], 1, {"row": 16})
    told = strategy.explain(taken)
    assert told is not None
    assert sum(told.values()) == pytest.approx(scores["y"])
    assert told["layer"] == 3.0


def test_if_nothing_relevant_is_met_the_page_judged_best_stands_for_it() -> None:
    crawl = [visit("a", ["x"], text=TRAINS, relevance=0.1), visit("b", ["y"], text=DENGUE, relevance=0.4)]
    scores = see(ContextGraph(warm_up=2).fit(PLAIN, None), *crawl)
    assert scores["y"] > scores["x"]


def test_an_earlier_crawl_without_anything_relevant_is_no_help() -> None:
    useless = SmallLog([visit("a", "b", text=TRAINS)])
    assert see(ContextGraph().fit(PLAIN, useless), visit("c", ["x"], text=TRAINS)) == {"x": -1.0}


def test_a_layer_holds_no_more_than_it_may() -> None:
    few = ContextGraph(per_layer=1).fit(PLAIN, earlier_crawl()).state()
    many = ContextGraph().fit(PLAIN, earlier_crawl()).state()
    assert len(few["classes"]["words"]) < len(many["classes"]["words"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "best"},
        {"layers": 1},
        {"per_layer": 0},
        {"threshold": 2.0},
        {"warm_up": -1},
        {"warm_up": 9999},
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="Context graph"):
        ContextGraph(**wrong)


def test_with_nothing_to_learn_from_it_says_what_it_needs() -> None:
    with pytest.raises(ConfigError, match="needs examples"):
        ContextGraph(warm_up=0).fit(PLAIN, None)
    with pytest.raises(ConfigError, match="fit it first"):
        ContextGraph().expand(visit("a", "b"))
