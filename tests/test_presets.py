"""Names for a strategy together with a judge."""

import pytest

from honeyguide.assemble import resolve_tables
from honeyguide.config import parse_use
from honeyguide.errors import ConfigError
from honeyguide.naming import JUDGES, PRESETS, STRATEGIES, SUITED, make_strategy, suited_judge, unfitted_judge
from honeyguide.strategies.best_first import BestFirst


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_names_a_strategy_and_a_judge(name: str) -> None:
    strategy, judge = map(parse_use, PRESETS[name])
    whole = resolve_tables({"strategy": {"use": name}})
    assert (whole["strategy"]["use"], whole["judge"]["use"]) == (strategy["use"], judge["use"])
    assert name not in STRATEGIES


def test_a_preset_sets_the_strategy_and_the_judge() -> None:
    whole = resolve_tables({"strategy": {"use": "svm-best-first"}})
    assert whole["strategy"] == {"use": "best-first", "by": "page"}
    assert whole["judge"]["use"] == "svm"


@pytest.mark.parametrize("role", ["strategy", "judge"])
@pytest.mark.parametrize("wrong", [["ss1"], 7, {}])
def test_what_is_no_name_is_refused_in_a_sentence(role: str, wrong: object) -> None:
    with pytest.raises(ConfigError, match="is none of the"):
        resolve_tables({role: {"use": wrong}})


def test_a_judge_that_is_named_beside_a_preset_wins() -> None:
    whole = resolve_tables({"strategy": {"use": "svm-best-first"}, "judge": {"use": "cosine"}})
    assert (whole["strategy"]["use"], whole["judge"]["use"]) == ("best-first", "cosine")


def test_parameters_beside_a_preset_are_those_of_what_it_stands_for() -> None:
    whole = resolve_tables(
        {"strategy": {"use": "svm-best-first", "by": "both"}, "judge": {"base_rate": 0.125}}
    )
    assert (whole["strategy"]["by"], whole["judge"]["use"]) == ("both", "svm")
    assert whole["judge"]["base_rate"] == 0.125


def test_a_preset_can_be_part_of_another_strategy() -> None:
    made = make_strategy(parse_use("svm-best-first"))
    assert isinstance(made, BestFirst)
    assert made.by == "page"
    make_strategy(parse_use("combination:of=svm-best-first+backlink"))


def test_the_judge_that_suits_is_one() -> None:
    assert set(SUITED) <= set(STRATEGIES)
    for use in (*STRATEGIES, *PRESETS, "best-first:by=anchor"):
        assert parse_use(suited_judge(use))["use"] in JUDGES
        unfitted_judge(parse_use(suited_judge(use)))
    assert suited_judge("svm-best-first:by=both") == "svm"
