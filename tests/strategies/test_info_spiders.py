"""InfoSpiders: agents with keywords, a net and energy."""

import math
from typing import Any

import numpy as np
import pytest
from small_crawl import SITE, visit
from small_log import earlier_crawl

from honeyguide.errors import ConfigError, ErrorKind
from honeyguide.model import Candidate, Link, Topic, Visit
from honeyguide.strategies.agents import Agent
from honeyguide.strategies.info_spiders import InfoSpiders
from honeyguide.strategies.surroundings import surroundings
from honeyguide.testing import check_strategy, example_visits
from honeyguide.text.documents import Documents
from honeyguide.text.snippets import SnippetReader

TOPIC = Topic("dengue fever", keywords=("mosquito",))
LINK = Link(f"{SITE}x", SITE, "dengue", "mosquito river dengue fever boat")


def numbers(reader: SnippetReader, *words: str) -> list[int]:
    stems: list[int] = reader.read(words).stems.tolist()
    return stems


def energies(spiders: InfoSpiders) -> dict[int, float]:
    return {agent["number"]: agent["energy"] for agent in spiders.state()["living"]}


@pytest.mark.parametrize(
    "settings", [{}, {"agents": 1, "theta": 0.3, "cost": 0.01}, {"agents": 2, "population": 2, "theta": 0.2}]
)
def test_it_keeps_the_promises_of_a_strategy(settings: dict[str, Any]) -> None:
    check_strategy(lambda: InfoSpiders(**settings).fit(TOPIC, None), example_visits())


def test_the_net_of_an_agent_worked_by_hand() -> None:
    reader = SnippetReader(Documents())
    agent = Agent(0, 1.0, numbers(reader, "mosquito", "dengue"), np.array([0.3, 0.6, 0.1]))
    inputs = agent.inputs(surroundings([LINK], reader))
    assert inputs.tolist() == [pytest.approx([1 / 3, 1, 1])]
    assert agent.estimates(inputs).tolist() == pytest.approx([math.tanh(0.1 + 0.6 + 0.1)])


def test_a_net_moves_towards_what_a_link_led_to() -> None:
    agent = Agent(0, 1.0, [5], np.zeros(2))
    agent.learn(np.array([0.5, 1.0]), 1.0, 0.1)
    assert agent.weights.tolist() == pytest.approx([0.05, 0.1])


def test_what_a_link_should_have_promised_looks_one_step_ahead() -> None:
    def bias(mu: float) -> float:
        spiders = InfoSpiders(agents=1, mu=mu).fit(Topic("dengue"), None)
        list(spiders.expand(visit("start", ["dengue"], relevance=0.5)))
        weights: list[float] = spiders.state()["living"][0]["weights"]
        return weights[-1]

    assert bias(0.0) == pytest.approx(0.1 * 0.5)
    weight = float(np.random.default_rng((0, 0)).random(2)[0])
    assert bias(0.5) == pytest.approx(0.1 * (0.5 + 0.5 * math.tanh(weight)))


def test_a_score_is_the_agents_promise_and_the_relevance_of_the_page() -> None:
    spiders = InfoSpiders(agents=1, eta=0.0, alpha=0.25).fit(Topic("dengue"), None)
    weight = float(np.random.default_rng((0, 0)).random(2)[0])
    (dengue, boats) = spiders.expand(visit("start", ["dengue", "boats"], relevance=0.4))
    assert dengue.score == pytest.approx(0.25 * math.tanh(weight) + 0.75 * 0.4)
    assert boats.score == pytest.approx(0.75 * 0.4)
    assert dengue.memo == {"agent": 0, "page": pytest.approx(0.3)}
    assert spiders.revise([dengue, boats]) == pytest.approx([dengue.score, boats.score])
    assert spiders.explain(dengue) == pytest.approx(dict(dengue.parts or {}))


def test_what_waits_is_scored_by_what_its_agent_has_learned_since() -> None:
    spiders = InfoSpiders(agents=1, eta=0.5).fit(Topic("dengue"), None)
    first, second = spiders.expand(visit("start", ["dengue", "dengue again"]))
    list(spiders.expand(Visit(first, page=visit("dengue", []).page)))
    (now,) = spiders.revise([second])
    assert now < second.score


def test_energy_is_gained_by_relevance_and_paid_for_every_fetch() -> None:
    spiders = InfoSpiders(agents=2, cost=0.1, theta=2.0).fit(TOPIC, None)
    found, *_ = spiders.expand(visit("start", ["dengue"], relevance=0.6))
    assert energies(spiders) == pytest.approx({0: 1.5, 1: 1.0})
    spiders.expand(Visit(found, error=ErrorKind.TIMEOUT))
    assert energies(spiders) == pytest.approx({0: 1.4, 1: 1.0})


def test_an_agent_with_energy_to_spare_has_a_child_with_a_new_keyword() -> None:
    spiders = InfoSpiders(agents=1, theta=1.0, cost=0.0).fit(Topic("dengue"), None)
    found = spiders.expand(
        visit(
            "start", ["dengue", "larvae"], relevance=0.8, text="Larvae and larvae of dengue, dengue, dengue"
        )
    )
    assert energies(spiders) == pytest.approx({0: 0.65, 1: 0.65})
    parent, child = spiders.state()["living"]
    assert child["keywords"] == [*parent["keywords"], *numbers(SnippetReader(Documents()), "larvae")]
    assert {candidate.memo["agent"] for candidate in found if candidate.memo} <= {0, 1}


def test_no_more_agents_live_than_there_is_room_for() -> None:
    spiders = InfoSpiders(agents=2, population=2, theta=0.5, cost=0.0).fit(TOPIC, None)
    for number in range(9):
        list(spiders.expand(visit(f"page{number}", ["dengue"], relevance=0.9, text=f"word{number}")))
        assert len(energies(spiders)) == 2


def test_an_agent_without_energy_dies_and_another_takes_over_what_it_found() -> None:
    spiders = InfoSpiders(agents=2, cost=1.5, theta=2.0).fit(TOPIC, None)
    (found,) = spiders.expand(visit("start", ["dengue"]))
    assert list(energies(spiders)) == [1]
    spiders.expand(Visit(found, error=ErrorKind.TIMEOUT))
    assert energies(spiders) == {1: 0.0}, "the last one lives on"
    assert spiders.revise([found])


def test_an_earlier_crawl_teaches_the_agents() -> None:
    link = visit("page", ["dengue"])
    (taught,) = InfoSpiders().fit(TOPIC, earlier_crawl()).expand(link)
    (untaught,) = InfoSpiders().fit(TOPIC, None).expand(link)
    assert taught.score != untaught.score


@pytest.mark.parametrize(
    "wrong",
    [
        {"agents": 0},
        {"agents": 9, "population": 8},
        {"population": 1001},
        {"alpha": 1.1},
        {"mu": -0.1},
        {"eta": -1.0},
        {"theta": 0.0},
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="InfoSpiders"):
        InfoSpiders(**wrong)


def test_before_they_know_a_topic_they_say_so() -> None:
    with pytest.raises(ConfigError, match="fit them first"):
        InfoSpiders().expand(Visit(Candidate(Link("https://a.example/"), 0.0)))
