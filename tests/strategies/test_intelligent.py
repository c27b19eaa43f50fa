"""Intelligent crawling: interest ratios learned as the crawl goes."""

import math
from typing import Any

import numpy as np
import pytest
from small_crawl import SITE, in_order, see, visit
from small_log import earlier_crawl

from honeyguide.errors import ConfigError, ErrorKind
from honeyguide.model import Candidate, Link, Topic, Visit
from honeyguide.strategies.intelligent import FACTORS, Intelligent
from honeyguide.strategies.interest import Interest, log_ratio
from honeyguide.testing import check_strategy, example_visits

TOPIC = Topic("dengue fever")


def only(name: str, **settings: Any) -> Intelligent:
    return Intelligent(**{**dict.fromkeys(FACTORS, 0.0), name: 1.0, "every": 1, **settings}).fit(TOPIC, None)


def came(source: str, one: Visit) -> Visit:
    """The same visit, come to from another page."""
    candidate = Candidate(Link(one.url, SITE + source), 0.0, 1)
    return Visit(candidate, page=one.page, verdict=one.verdict)


@pytest.mark.parametrize(
    "settings", [{}, {"every": 1}, {"every": 2, "relevance": "judged"}, {"significance": 0.0, "every": 1}]
)
def test_it_keeps_the_promises_of_a_strategy(settings: dict[str, Any]) -> None:
    check_strategy(lambda: Intelligent(**settings).fit(TOPIC, None), example_visits())


def test_it_keeps_them_after_an_earlier_crawl() -> None:
    check_strategy(lambda: Intelligent(every=1).fit(TOPIC, earlier_crawl()), example_visits())


def test_an_interest_ratio_worked_by_hand() -> None:
    """Of 7 pages that a word told of 5 were relevant, of all pages a quarter: 2.8 deviations from chance."""
    interest = Interest()
    for number in range(7):
        interest.note(np.array([3], np.int32), float(number < 5))
    expected = math.log((5 + 0.25) / (7 + 1) / 0.25)
    assert interest.logs(0.25, 2.0)[[2, 3]].tolist() == pytest.approx([0.0, expected])
    assert interest.logs(0.25, 3.0)[3] == 0.0
    assert interest.logs(0.0, 2.0)[3] == 0.0, "nothing is known where nothing was relevant"


def test_a_ratio_is_one_where_nothing_was_seen() -> None:
    assert log_ratio(np.zeros(1), np.zeros(1), 0.3, 1.0).tolist() == pytest.approx([0.0])


def test_without_knowledge_all_links_are_alike() -> None:
    assert set(see(Intelligent().fit(TOPIC, None), visit("", ["a", "b"])).values()) == {0.0}


def test_links_of_pages_whose_words_led_to_relevant_pages_go_first() -> None:
    strategy = only("content", significance=0.5)
    visits = []
    for n in range(4):
        visits += [
            visit(f"hub{n}", [f"dengue{n}"], text="clinic directory"),
            came(f"hub{n}", visit(f"dengue{n}", [], relevance=0.9)),
            visit(f"station{n}", [f"train{n}"], text="rails timetable"),
            came(f"station{n}", visit(f"train{n}", [])),
        ]
    new = [visit("a", ["x"], text="rails"), visit("b", ["y"], text="clinic")]
    assert in_order(see(strategy, *visits, *new)) == ["y", "x"]


def test_words_are_learned_from_pages_that_were_redirected() -> None:
    strategy = only("content", significance=0.5)
    for n in range(4):
        for name, text, relevance in (("hub", "clinic", 0.9), ("station", "rails", 0.0)):
            found = visit(f"{name}{n}", [f"{name}{n}/on"], text=text)
            candidate = found.candidate._replace(link=Link(f"{SITE}old/{name}{n}"))
            see(strategy, Visit(candidate, page=found.page, verdict=found.verdict))
            see(strategy, came(f"{name}{n}", visit(f"{name}{n}/on", [], relevance=relevance)))
    new = [visit("a", ["x"], text="rails"), visit("b", ["y"], text="clinic")]
    assert in_order(see(strategy, *new)) == ["y", "x"]


def test_tokens_of_relevant_urls_go_first() -> None:
    strategy = only("url", significance=0.5)
    pages = [visit(f"dengue/{n}", [], relevance=0.9) for n in range(4)]
    pages += [visit(f"train/{n}", []) for n in range(4)]
    assert in_order(see(strategy, *pages, visit("", ["train/9", "dengue/9"]))) == ["dengue/9", "train/9"]


def test_links_of_relevant_pages_go_first_where_those_lead_to_relevant_pages() -> None:
    strategy = only("links")
    pages = [visit(f"d{n}", [f"d{(n + 1) % 4}", "x"], relevance=0.9) for n in range(4)]
    pages += [visit(f"t{n}", [f"t{(n + 1) % 4}", "y"]) for n in range(4)]
    assert in_order(see(strategy, *pages)) == ["x", "y"]


def test_links_beside_those_that_led_to_relevant_pages_go_first() -> None:
    strategy = only("siblings")
    pages = [visit("one", ["a", "b", "x"]), visit("two", ["c", "d", "y"])]
    pages += [visit(name, [], relevance=0.9 if name in "cd" else 0.0) for name in "abcd"]
    assert in_order(see(strategy, *pages)) == ["y", "x"]


def test_the_kinds_of_knowledge_are_balanced() -> None:
    strategy = Intelligent(content=0.0, url=0.0, links=1.0, siblings=3.0, every=1).fit(TOPIC, None)
    pages = [visit("one", ["a", "b", "x"], relevance=0.6), visit("two", ["c", "d", "y"])]
    pages += [visit(name, [], relevance=0.9 if name in "cd" else 0.0) for name in "abcd"]
    scores = see(strategy, *pages)
    told = [strategy.explain(Candidate(Link(SITE + name), scores[name])) or {} for name in "xy"]
    assert sum(abs(parts["links"]) for parts in told) == pytest.approx(2.0)
    assert sum(abs(parts["siblings"]) for parts in told) == pytest.approx(6.0)


def test_by_what_is_judged_a_page_is_relevant_or_not() -> None:
    pages = [visit("one", ["a", "x"]), visit("a", [], relevance=0.4)]
    assert set(see(only("siblings", relevance="judged"), *pages).values()) == {0.0}
    assert set(see(only("siblings"), *pages).values()) != {0.0}


def test_it_remembers_of_no_more_urls_than_wait() -> None:
    strategy = only("url")
    pages = [visit(f"page/{n}", [f"page/{n + 1}", f"lost/{n}", "page/0"]) for n in range(9)]
    lost = [
        Visit(Candidate(Link(f"{SITE}lost/{n}"), 0.0), error=ErrorKind.STATUS, status=404) for n in range(9)
    ]
    see(strategy, *pages, *lost, visit("last", ["page/1"]))
    assert len(strategy._named) <= 2


def test_what_was_learned_survives_a_restart() -> None:
    taught = Intelligent(every=1, significance=0.5).fit(TOPIC, earlier_crawl())
    again = Intelligent(every=1, significance=0.5).fit(TOPIC, None)
    again.restore(taught.state())
    pages = [visit("page", ["dengue9", "train9"]), visit("dengue9", ["more"], relevance=0.9)]
    assert see(again, *pages) == see(taught, *pages)


@pytest.mark.parametrize(
    "wrong",
    [
        {"content": -1.0},
        dict.fromkeys(FACTORS, 0.0),
        {"relevance": "hope"},
        {"significance": -1.0},
        {"every": 0},
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="Intelligent"):
        Intelligent(**wrong)


def test_before_it_knows_a_topic_it_says_so() -> None:
    with pytest.raises(ConfigError, match="fit it first"):
        Intelligent().expand(visit("a", ["b"]))
