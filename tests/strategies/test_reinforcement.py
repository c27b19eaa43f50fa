"""Reinforcement learning of what lies behind a link."""

from typing import Any

import numpy as np
import pytest
from small_crawl import SITE, in_order, see, visit
from small_log import SmallLog, earlier_crawl

from honeyguide.errors import ConfigError
from honeyguide.graph.links import LinkGraph
from honeyguide.graph.rewards import discounted
from honeyguide.model import Candidate, Link, Origin, Topic, Visit
from honeyguide.strategies.reinforcement import Reinforcement
from honeyguide.testing import check_strategy, example_visits
from honeyguide.text.worth import Worth

TOPIC = Topic("dengue fever")


def came(visit: Visit, anchor: str) -> Visit:
    """The same visit, come to by a link with these words."""
    return Visit(
        visit.candidate._replace(link=Link(visit.url, SITE, anchor)), page=visit.page, verdict=visit.verdict
    )


def named_visits() -> list[Visit]:
    """Clinics lead to dengue, rails to rails."""
    visits = []
    for n in range(4):
        visits += [
            came(visit(f"clinic{n}", [f"dengue{n}", f"rails{n}"]), "clinic"),
            came(visit(f"dengue{n}", [], relevance=0.9), "dengue"),
            came(visit(f"rails{n}", [f"rails{(n + 1) % 4}"]), "rails"),
        ]
    return visits


@pytest.mark.parametrize("settings", [{}, {"warm_up": 1}, {"warm_up": 2, "bins": 5, "every": 1}])
def test_it_keeps_the_promises_of_a_strategy(settings: dict[str, Any]) -> None:
    check_strategy(lambda: Reinforcement(**settings).fit(TOPIC, None), example_visits())


def test_it_keeps_them_after_an_earlier_crawl() -> None:
    check_strategy(lambda: Reinforcement(every=1).fit(TOPIC, earlier_crawl()), example_visits())


def test_the_discounted_rewards_behind_pages_worked_by_hand() -> None:
    graph = LinkGraph()
    for source, targets in {"a": "b", "b": "xcd", "c": "", "d": "", "e": "x"}.items():
        graph.add(source, targets)
    a, b, c, d, e = (graph.number(name) for name in "abcde")
    found = discounted(graph, [c, d], [a, b, c, e, b], 0.5)
    assert found.tolist() == pytest.approx([0.25 + 0.125, 0.5 + 0.25, 1.0, 0.0, 0.75])


def test_a_goal_is_rewarded_once() -> None:
    graph = LinkGraph()
    graph.add("a", "b")
    graph.add("b", "a")
    assert discounted(graph, [graph.number("a")], [graph.number("a")], 0.5).tolist() == [1.0]


def test_the_worth_of_a_text_worked_by_hand() -> None:
    """Two texts say 7 (worth 1, 2), two say 9 (worth 0): shares of 7 are (2 + .1) / (2 + .2) and .1 / 2.2."""
    words = np.array([7, 7, 9, 9], np.int32)
    bins = np.array([0, 0, 1, 1])
    worth = Worth.of(np.arange(4), words, bins, np.array([1.0, 2.0, 0.0, 0.0]), 2)
    told = worth.estimates(np.array([0, 2]), np.array([7, 8], np.int32), 3)
    assert told.tolist() == pytest.approx([1.5 * 2.1 / 2.2, 0.75, 0.75])


def test_after_an_earlier_crawl_links_are_followed_by_what_they_led_to() -> None:
    strategy = Reinforcement().fit(TOPIC, SmallLog([*named_visits()]))
    scores = see(strategy, visit("page", ["rails", "dengue", "clinic"]))
    assert in_order(scores) == ["dengue", "clinic", "rails"]


def test_links_to_where_a_page_was_redirected_are_learned_from() -> None:
    found = visit("dengue", ["x"], relevance=0.9)
    moved = Visit(Candidate(Link(f"{SITE}old"), 0.0), page=found.page, verdict=found.verdict)
    strategy = Reinforcement().fit(TOPIC, None)
    see(strategy, moved, visit("page", ["dengue"]))
    assert len(strategy.state()["targets"]) == 1


def test_a_seed_keeps_its_score() -> None:
    strategy = Reinforcement().fit(TOPIC, SmallLog(named_visits()))
    seed = Candidate(Link(f"{SITE}seed", origin=Origin.SEED), 7.0)
    scores = strategy.revise([seed, seed._replace(link=Link(f"{SITE}a", anchor="dengue"))])
    assert scores is not None
    assert scores[0] == 7.0 > scores[1]


def test_a_page_that_names_one_link_a_thousand_times_teaches_it_a_few() -> None:
    strategy = Reinforcement().fit(TOPIC, None)
    see(strategy, visit("dengue", ["x"], relevance=0.9), visit("page", ["dengue"] * 1000))
    assert strategy.state()["targets"] == [0] * 5


def test_it_goes_breadth_first_until_it_has_learned() -> None:
    strategy = Reinforcement(warm_up=9).fit(TOPIC, None)
    first, *rest = named_visits()[:9]
    assert set(see(strategy, first).values()) == {-1.0}
    scores = see(strategy, *rest, visit("last", ["dengue", "rails"]))
    assert all(score >= 0 for score in scores.values())
    assert in_order(scores)[0] == "dengue"


def test_what_waits_is_scored_by_what_was_learned_since() -> None:
    strategy = Reinforcement(warm_up=2, every=1).fit(TOPIC, None)
    link = Link(f"{SITE}new", SITE, "dengue")
    waiting = [Candidate(link, -1.0, 1, {"title": ""})]
    assert strategy.revise(waiting) is None
    see(strategy, *named_visits()[:4])
    before = strategy.revise(waiting)
    see(strategy, *named_visits()[4:])
    assert before != strategy.revise(waiting)


def test_what_it_learned_survives_a_restart() -> None:
    taught = Reinforcement().fit(TOPIC, earlier_crawl())
    again = Reinforcement().fit(TOPIC, None)
    again.restore(taught.state())
    page = visit("page", ["dengue", "trains"])
    assert list(again.expand(page)) == list(taught.expand(page))


def test_when_nothing_is_relevant_the_best_page_stands_for_it() -> None:
    strategy = Reinforcement(warm_up=2).fit(TOPIC, None)
    pages = [visit("a", ["fever", "boats"], relevance=0.1), came(visit("fever", [], relevance=0.3), "fever")]
    scores = see(strategy, *pages, came(visit("boats", ["fever two", "boats two"]), "boats"))
    assert in_order(scores) == ["fever two", "boats two"]


@pytest.mark.parametrize("wrong", [{"gamma": 1.0}, {"bins": 1}, {"warm_up": 0}, {"every": 0}])
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="Reinforcement"):
        Reinforcement(**wrong)


def test_before_it_knows_a_topic_it_says_so() -> None:
    with pytest.raises(ConfigError, match="fit it first"):
        Reinforcement().expand(visit("a", ["b"]))
