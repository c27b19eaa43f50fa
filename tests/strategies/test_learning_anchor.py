"""The learning anchor: a machine between the anchors that led to good pages and those that led to bad ones."""

import math
from typing import Any

import pytest
from link_lessons import link, seen
from small_log import SmallLog

from honeyguide.errors import ConfigError
from honeyguide.model import Link, Topic, Visit
from honeyguide.strategies.learning_anchor import LearningAnchor
from honeyguide.testing import check_strategy, example_visits

TOPIC = Topic("dengue fever")
LESSONS = [
    seen(link("dengue1", "dengue virus"), 0.95),
    seen(link("trains", "railway timetable"), 0.05),
    seen(link("dengue2", "dengue"), 0.95),
    seen(link("weather", "weather"), 0.05),
]


def taught(visits: list[Visit] = LESSONS, **settings: Any) -> LearningAnchor:
    strategy = LearningAnchor(**{"every": len(LESSONS), **settings}).fit(TOPIC, None)
    for visit in visits:
        list(strategy.expand(visit))
    return strategy


def scores(strategy: LearningAnchor, *links: Link, page: float = 0.5) -> list[float]:
    return [one.score for one in strategy.expand(seen(link("here", ""), page, links))]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"every": 1, "threshold": 0.0},
        {"every": 2, "threshold": 0.0, "url_words": True},
        {"training": "static", "warm_up": 1, "threshold": 0.0},
        {"training": "static", "warm_up": 3, "threshold": 0.0, "f": 0.0},
    ],
)
def test_it_keeps_the_promises_of_a_strategy(settings: dict[str, Any]) -> None:
    check_strategy(lambda: LearningAnchor(**settings).fit(TOPIC, None), example_visits())


def test_the_score_is_so_much_of_the_page_and_the_rest_of_the_anchor() -> None:
    strategy = taught()
    links = (link("a", "dengue"), link("b", "weather"), link("c", ""))
    found = list(strategy.expand(seen(link("here", ""), 0.5, links)))
    for one in found:
        assert one.parts is not None
        assert one.parts["page"] == pytest.approx(0.8 * 0.5)
        assert 0 < one.parts["anchor"] < 0.2
    good, bad, empty = (one.score for one in found)
    assert good > empty > bad


def test_the_side_of_an_anchor_is_that_of_the_machine() -> None:
    # Two texts that have no word in common, one of each kind: the plane lies in the middle between them, each
    # at the margin 1 unless that costs too much, and what has no words lies on it.
    strategy = taught([LESSONS[2], LESSONS[3]], every=2, f=0.0)
    good, bad, unknown = scores(strategy, link("a", "dengue"), link("b", "weather"), link("c", "other"))
    assert unknown == pytest.approx(0.5, abs=0.01)
    assert good == pytest.approx(1 - bad, abs=0.01)
    assert 0.7 < good <= 1 / (1 + math.exp(-2.02))


def test_before_it_has_seen_good_and_bad_the_page_alone_counts() -> None:
    strategy = taught([LESSONS[0], LESSONS[2]], every=1)
    assert scores(strategy, link("a", "dengue"), link("b", ""), page=0.3) == [0.3, 0.3]


def test_only_clear_cases_are_lessons() -> None:
    # The margins of the lessons are -0.9 and 0.9.
    assert scores(taught(threshold=0.95), link("a", "dengue")) == [0.5]
    assert scores(taught(threshold=0.8), link("a", "dengue"))[0] > 0.5


def test_online_it_learns_anew_and_static_it_never_does() -> None:
    later = [
        seen(link(f"{kind}{n}", kind), relevance)
        for n in range(4)
        for kind, relevance in (("dengue", 0.05), ("weather", 0.95))
    ]
    online, static = taught(), taught(training="static", warm_up=len(LESSONS))
    for strategy in (online, static):
        for visit in later:
            list(strategy.expand(visit))
    dengue, weather = scores(online, link("a", "dengue"), link("b", "weather"))
    assert dengue < weather
    dengue, weather = scores(static, link("a", "dengue"), link("b", "weather"))
    assert dengue > weather


def test_the_words_of_the_address_count_if_they_are_asked_for() -> None:
    links = link("dengue-maps", "more"), link("railway-maps", "more")
    with_words = [
        seen(link("dengue-virus", "one"), 0.95),
        seen(link("railway-lines", "two"), 0.05),
    ]
    good, bad = scores(taught(with_words, every=2, url_words=True), *links)
    assert good > bad
    good, bad = scores(taught(with_words, every=2), *links)
    assert good == bad


def test_it_forgets_the_oldest_lessons() -> None:
    strategy = LearningAnchor(every=1, lessons=10).fit(TOPIC, None)
    for n in range(30):
        list(strategy.expand(seen(link(f"page{n}", f"number{n}"), 0.95)))
    kept = strategy.state()["lessons"]
    assert [text for text, _ in kept] == [f"number{n}" for n in range(20, 30)]


def test_of_an_endless_anchor_the_beginning_is_kept() -> None:
    strategy = taught([seen(link("endless", "dengue " * 100_000), 0.95)])
    ((text, _),) = strategy.state()["lessons"]
    assert 0 < len(text) <= 1000


def test_what_waits_is_scored_anew_and_explained_by_its_parts() -> None:
    strategy = LearningAnchor(every=4).fit(TOPIC, None)
    waiting = list(strategy.expand(seen(link("hub", ""), 0.5, [link("a", "dengue"), link("b", "weather")])))
    assert strategy.revise(waiting) is None
    for visit in LESSONS[:3]:
        list(strategy.expand(visit))
    fresh = strategy.revise(waiting)
    assert fresh is not None
    assert fresh == scores(strategy, *(one.link for one in waiting))
    parts = strategy.explain(waiting[0]._replace(score=fresh[0]))
    assert parts == pytest.approx({"page": 0.4, "anchor": fresh[0] - 0.4})


def test_an_earlier_crawl_teaches_it_before_the_first_page() -> None:
    strategy = LearningAnchor(training="static").fit(TOPIC, SmallLog(LESSONS))
    good, bad = scores(strategy, link("a", "dengue"), link("b", "weather"))
    assert good > bad


@pytest.mark.parametrize(
    "wrong",
    [
        {"f": -0.1},
        {"threshold": -1.0},
        {"training": "twice"},
        {"every": 0},
        {"lessons": 1},
        {"warm_up": 0},
    ],
)
def test_a_value_that_makes_no_sense_is_refused_in_a_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"^Learning anchor.*\.$"):
        LearningAnchor(**wrong)
