"""The apprentice, and how it learns from links."""

import math
from dataclasses import replace
from typing import Any

import pytest
from link_lessons import link, seen
from small_log import SmallLog

from honeyguide.errors import ConfigError
from honeyguide.model import EXACT_DUPLICATE, Candidate, Example, Link, Topic
from honeyguide.strategies.apprentice import Apprentice
from honeyguide.testing import check_strategy, example_visits

TOPIC = Topic("dengue fever")
LESSONS = [
    seen(link("dengue1", "dengue virus"), 1.0),
    seen(link("dengue2", "dengue"), 0.8),
    seen(link("trains", "railway timetable"), 0.0),
    seen(link("weather", "weather"), 0.2),
]


def taught(**settings: Any) -> Apprentice:
    strategy = Apprentice(**{"f": 0.5, "told": False, **settings}).fit(TOPIC, None)
    for lesson in LESSONS:
        list(strategy.expand(lesson))
    return strategy


def scores(strategy: Apprentice, *links: Link, page: float = 0.5) -> list[float]:
    return [one.score for one in strategy.expand(seen(link("here", ""), page, links))]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"told": False},
        {"f": 0.0},
        {"f": 1.0},
        {"zones": True},
        {"window": 0},
        {"window": 3, "smoothing": 0.1},
    ],
)
def test_it_keeps_the_promises_of_a_strategy(settings: dict[str, Any]) -> None:
    check_strategy(lambda: Apprentice(**settings).fit(TOPIC, None), example_visits())


def test_before_the_first_lesson_the_page_alone_counts() -> None:
    strategy = Apprentice(f=0.5, told=False).fit(TOPIC, None)
    assert scores(strategy, link("a", "dengue"), link("b", "trains"), page=0.7) == [0.7, 0.7]


def test_what_the_topic_tells_is_known_from_the_start() -> None:
    topic = replace(TOPIC, examples=(Example("Aedes bites by day."),), background=(Example("Trains run."),))
    strategy = Apprentice().fit(topic, None)
    good, usual, bad = scores(strategy, link("a", "Aedes"), link("b", "roses"), link("c", "trains"))
    assert good > usual > bad
    good, usual = scores(Apprentice().fit(TOPIC, None), link("a", "dengue"), link("b", "roses"))
    assert good > usual


def test_a_word_speaks_for_a_link_by_the_goodness_of_pages_that_it_led_to() -> None:
    # Goodness 2 of 4 lessons, and half of five that are presumed: p = 2.5 / 9. Dengue led to 2 pages of
    # goodness 1.8, weather to one of 0.2.
    p = 2.5 / 9

    def odds(good: float, bad: float) -> float:
        return math.log((good + p) / p) - math.log((bad + 1 - p) / (1 - p))

    def score(says: float) -> float:
        return 0.5 * 0.5 + 0.5 / (1 + math.exp(-(math.log(p / (1 - p)) + says)))

    found = scores(taught(), link("a", "Dengue"), link("b", "weather"), link("c", "unheard of"))
    assert found == pytest.approx([score(odds(1.8, 0.2)), score(odds(0.2, 0.8)), score(0.0)])


def test_words_near_a_link_count_and_words_far_from_it_do_not() -> None:
    far = "weather one two three four five six seven eight nine ten eleven here"
    near = "nothing else of dengue here"
    strategy = taught(window=3)
    usual, close, distant = scores(
        strategy, link("a", "here"), link("b", "here", near), link("c", "here", far)
    )
    assert close > usual
    assert distant == usual
    assert scores(taught(window=0), link("b", "here", near)) == scores(taught(window=0), link("a", "here"))


def test_with_zones_a_word_beside_a_link_is_not_the_same_as_in_it() -> None:
    strategy = taught(zones=True)
    inside, usual = scores(strategy, link("a", "dengue"), link("b", "here"))
    (beside,) = scores(strategy, link("c", "here", "dengue here"))
    assert inside > usual
    assert beside == usual


def test_the_more_words_a_link_has_the_less_each_of_them_counts() -> None:
    few, many = (taught(independent=independent) for independent in (1.0, 100.0))
    long = link("a", "dengue", "dengue about dengue virus and dengue")
    assert scores(few, long)[0] < scores(many, long)[0]


def test_a_link_to_a_page_that_was_visited_before_is_a_lesson_too() -> None:
    strategy = taught()
    before = scores(strategy, link("z", "fever"))
    list(strategy.expand(seen(link("list", "list"), 0.0, [link("dengue1", "fever")])))
    assert scores(strategy, link("z", "fever")) > before


def test_a_link_to_where_a_page_was_redirected_is_a_lesson_too() -> None:
    strategy = taught()
    found = seen(link("moved", ""), 0.95)
    list(strategy.expand(replace(found, candidate=found.candidate._replace(link=link("old", "")))))
    before = scores(strategy, link("z", "fever"))
    list(strategy.expand(seen(link("list", "list"), 0.0, [link("moved", "fever")])))
    assert scores(strategy, link("z", "fever")) > before


def test_a_copy_of_a_page_seen_before_teaches_nothing() -> None:
    strategy, other = taught(), taught()
    list(strategy.expand(seen(link("copy", "dengue"), 0.0, label=EXACT_DUPLICATE)))
    assert scores(strategy, link("a", "dengue")) == scores(other, link("a", "dengue"))


def test_what_waits_is_scored_as_if_it_were_found_now_and_explained_by_its_parts() -> None:
    strategy = Apprentice(f=0.5, told=False).fit(TOPIC, None)
    first = list(strategy.expand(seen(link("hub", ""), 0.4, [link("a", "dengue"), link("b", "weather")])))
    for lesson in LESSONS:
        list(strategy.expand(lesson))
    fresh = strategy.revise(first)
    assert fresh is not None
    assert fresh == pytest.approx(scores(strategy, *(one.link for one in first), page=0.4), abs=0.02)
    assert fresh[0] > fresh[1]
    parts = strategy.explain(first[0]._replace(score=fresh[0]))
    assert parts == pytest.approx({"page": 0.2, "words": fresh[0] - 0.2})


def test_a_candidate_of_somebody_else_keeps_its_score() -> None:
    seed = Candidate(link("seed", ""), 1e6)
    assert taught().revise([seed]) == [1e6]
    assert taught().explain(seed) is None


def test_an_earlier_crawl_teaches_it_before_the_first_page() -> None:
    strategy = Apprentice(f=0.5, told=False).fit(TOPIC, SmallLog(LESSONS))
    assert scores(strategy, link("a", "dengue")) == scores(taught(), link("a", "dengue"))


@pytest.mark.parametrize("wrong", [{"f": 1.1}, {"window": -1}, {"smoothing": 0.0}, {"independent": 0.0}])
def test_a_value_that_makes_no_sense_is_refused_in_a_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"^Apprentice's .*\.$"):
        Apprentice(**wrong)


def test_links_in_any_script_are_read_up_to_the_right_word() -> None:
    strategy = taught(window=1)
    usual, near, far = scores(
        strategy,
        link("a", "здесь"),
        link("b", "здесь", "первый второй здесь dengue третий"),
        link("c", "здесь", "первый второй здесь третий dengue"),
    )
    assert near > usual == far
