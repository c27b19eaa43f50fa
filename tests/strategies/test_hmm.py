"""The hidden Markov model crawler and its hybrids."""

from typing import Any

import pytest
from small_crawl import SITE, in_order, see, visit
from small_log import DENGUE, HEALTH, PORTAL, TRAINS, earlier_crawl, earlier_visits

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Example, Link, Step, Topic, Visit
from honeyguide.strategies.hmm import Hmm
from honeyguide.testing import check_strategy, example_visits

PLAIN = Topic("dengue fever")
TOLD = Topic("dengue fever", examples=(Example(DENGUE, "Dengue", f"{SITE}dengue"),))
SESSION = Topic(
    "dengue fever",
    session=(Step(Example(PORTAL), False), Step(Example(HEALTH), False), Step(Example(DENGUE), True)),
)
NEXT = (0.325 + 0.26 + 0.155 / 1.5 + 0.19375) / (1.3 + 0.65 + 1.55 / 3 + 0.775)
"""The probability that the page after DENGUE is relevant, with two clusters trained on SESSION.

Levels of the session's pages: 2, 1, 0. With 1 added to every count, pi = (2, 2, 2, 1) / 7; the rows of A are
(1, 1, 1, 1) / 4, (2, 1, 1, 1) / 5, (1, 2, 1, 1) / 5 and (1, 1, 1, 1) / 4; B of the relevant cluster is 2/3,
1/3, 1/3 and 1/2. pi A = (1.95, 1.95, 1.55, 1.55) / 7, times B (1.3, .65, 1.55 / 3, .775) / 7, and then
.25, .4, .2 and .25 of these.
"""


def hmm_of_session(**settings: Any) -> Hmm:
    return Hmm(**{"clusters": 2, "neighbours": 1, "epsilon": 0.0, "relevance": "centroid", **settings}).fit(
        SESSION, None
    )


@pytest.mark.parametrize(
    ("variant", "clustering", "warm_up", "topic"),
    [
        ("plain", "k-means", 1, PLAIN),
        ("plain", "x-means", 2, TOLD),
        ("hybrid", "k-means", 2, TOLD),
        ("anchor", "k-means", 2, PLAIN),
        ("anchor", "k-means", 100, TOLD),
        ("anchor", "x-means", 9, SESSION),
    ],
)
def test_it_keeps_the_promises_of_a_strategy(
    variant: Any, clustering: Any, warm_up: int, topic: Topic
) -> None:
    check_strategy(
        lambda: Hmm(variant=variant, clustering=clustering, warm_up=warm_up).fit(topic, None),
        example_visits(),
    )


def test_it_keeps_them_with_the_centroid_for_relevance() -> None:
    check_strategy(lambda: Hmm(relevance="centroid", warm_up=2).fit(TOLD, None), example_visits())


def test_what_an_earlier_crawl_taught_survives_a_restart() -> None:
    for clustering in ("k-means", "x-means"):
        taught = Hmm(clustering=clustering).fit(PLAIN, earlier_crawl())
        again = Hmm(clustering=clustering).fit(PLAIN, None)
        again.restore(taught.state())
        page = visit("page", ["dengue", "trains"], text=HEALTH)
        assert list(again.expand(page)) == list(taught.expand(page))


def test_the_probability_of_a_relevant_page_next_worked_by_hand() -> None:
    assert see(hmm_of_session(variant="plain"), visit("", "x", text=DENGUE)) == pytest.approx({"x": NEXT})


def test_a_way_goes_on_from_where_the_page_before_had_come() -> None:
    strategy = hmm_of_session(variant="plain")
    first = next(iter(strategy.expand(visit("a", "b", text=HEALTH))))
    second = visit("b", "c", text=DENGUE)
    alone = next(iter(strategy.expand(second)))
    after = next(iter(strategy.expand(Visit(first, page=second.page))))
    assert first.memo is not None
    assert sum(first.memo["now"]) == pytest.approx(1.0)
    assert after.score != alone.score
    assert after.depth == first.depth + 1


def test_hybrids_mix_in_page_and_anchor_worked_by_hand() -> None:
    # The page says the same as the only relevant page, so its cosine is 1; the anchor's is that of its words.
    page = visit("", ["x"], text=DENGUE)
    anchored = visit("", [DENGUE], text=DENGUE)
    assert see(hmm_of_session(variant="hybrid"), page) == pytest.approx({"x": (1 + NEXT) / 2})
    assert see(hmm_of_session(variant="anchor"), page) == pytest.approx({"x": (NEXT + 0.5) / 2})
    assert list(see(hmm_of_session(variant="anchor"), anchored).values()) == pytest.approx([(NEXT + 1) / 2])


def test_the_judge_may_say_how_relevant_a_page_is() -> None:
    strategy = hmm_of_session(variant="hybrid", relevance="judge")
    page = visit("", "x", text=DENGUE, relevance=0.4)
    assert see(strategy, page) == pytest.approx({"x": (0.4 + NEXT) / 2})


def test_what_differs_by_less_than_epsilon_goes_by_the_second_step() -> None:
    strategy = hmm_of_session(variant="plain", epsilon=0.1)
    candidate = next(iter(strategy.expand(visit("", "x", text=DENGUE))))
    assert candidate.parts is not None
    assert candidate.parts["next step"] == pytest.approx(0.2)
    assert 0 < candidate.parts["two steps"] < 0.1


def test_pages_on_the_way_to_the_topic_lead_before_others() -> None:
    strategy = Hmm(variant="plain", clusters=4, neighbours=3).fit(PLAIN, earlier_crawl())
    scores = see(
        strategy,
        visit("a", ["of a train"], text=TRAINS),
        visit("b", ["of health"], text=HEALTH),
        visit("c", ["of dengue"], text=DENGUE),
    )
    assert in_order(scores)[-1] == "of a train"


def test_a_page_that_resembles_nothing_says_nothing() -> None:
    scores = see(hmm_of_session(variant="plain"), visit("", "x", text=""))
    # pi A A, worked on from pi A = (1.95, 1.95, 1.55, 1.55) / 7.
    assert scores == pytest.approx({"x": (1.95 / 4 + 1.95 * 0.4 + 1.55 * 0.2 + 1.55 / 4) / 7})


def test_it_warms_up_breadth_first_and_then_scores_all_that_waits() -> None:
    strategy = Hmm(warm_up=18).fit(PLAIN, None)
    more = [visit("a", ["x", "y"], text=TRAINS), visit("b", ["y", "dengue fever"], text=DENGUE)]
    before = see(Hmm(warm_up=19).fit(PLAIN, None), *earlier_visits(), *more)
    assert set(before.values()) == {-1.0}
    scores = see(strategy, *earlier_visits(), *more)
    assert in_order(scores) == ["dengue fever", "y", "x"]
    told = strategy.explain(Candidate(Link(f"{SITE}y"), scores["y"], 1, {"row": 16}))
    assert told is not None
    assert list(told.values()) == [scores["y"]]
    # A link of the warm-up is followed later: its way goes on from the page it was found on.
    assert list(strategy.expand(Visit(Candidate(Link(f"{SITE}y"), 0.1, 1, {"row": 16}), page=more[0].page)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "best"},
        {"clustering": "by hand"},
        {"relevance": "nobody"},
        {"clusters": 1},
        {"neighbours": 0},
        {"epsilon": 1.0},
        {"seed": -1},
        {"warm_up": 0},
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="HMM"):
        Hmm(**wrong)


def test_before_it_knows_a_topic_it_says_so() -> None:
    with pytest.raises(ConfigError, match="fit it first"):
        Hmm().expand(visit("a", "b"))
