import json
import pickle
from dataclasses import replace
from typing import Any

import pytest

from honeyguide.errors import ConfigError
from honeyguide.judges.screened import Screened
from honeyguide.judges.semantic import Semantic
from honeyguide.model import Concept, Page, Topic
from honeyguide.testing import check_judge, example_pages

TOPIC = Topic("dengue fever", keywords=("mosquito", "Aedes aegypti"))
OWN = replace(
    TOPIC,
    ontology=(
        Concept("vector", ("disease vector",)),
        Concept("mosquito", ("mosquitoes",), ("vector",)),
        Concept("aedes", ("Aedes aegypti", "yellow fever mosquito"), ("mosquito",)),
        Concept("disease", ("disease",)),
        Concept("dengue", ("dengue fever", "dengue", "breakbone fever"), ("disease",)),
    ),
)
WAYS: list[tuple[dict[str, Any], Topic]] = [
    ({"by": "synset"}, TOPIC),
    ({"by": "ehrig"}, TOPIC),
    ({"by": "ssrm", "least": 0.0, "threshold": 0.3}, TOPIC),
    ({"by": "ehrig", "least": 0.0}, OWN),
]


def page(text: str, title: str = "") -> Page:
    return Page("https://a.example/", title=title, text=text)


@pytest.mark.parametrize(("way", "topic"), WAYS, ids=["synset", "ehrig", "ssrm", "own ontology"])
def test_semantic_judges_keep_their_promises(way: dict[str, Any], topic: Topic) -> None:
    check_judge(
        lambda: Screened(Semantic(**way)).fit(topic),
        example_pages(),
        unfitted=lambda: Screened(Semantic(**way)),
    )


@pytest.mark.parametrize("by", ["synset", "ehrig", "ssrm"])
def test_a_page_about_dengue_is_relevant_and_one_about_roses_is_not(by: Any) -> None:
    judge = Semantic(by=by).fit(TOPIC)
    about, _, roses, empty = (judge.assess(page) for page in example_pages()[:4])
    assert about.relevant
    assert not roses.relevant
    assert not empty.relevant


def test_synonyms_count_and_reasons_say_through_which_word() -> None:
    judge = Semantic().fit(Topic("automobile"))
    verdict = judge.assess(page("A motorcar and its cars, on the road"))
    assert verdict.relevant
    assert {reason.what for reason in verdict.reasons} == {
        "automobile (through motorcar)",
        "automobile (through cars)",
    }


def test_what_a_thing_is_a_kind_of_counts_by_path() -> None:
    judge = Semantic(by="ehrig").fit(Topic("voyage"))
    assert [reason.what for reason in judge.assess(page("a long journey")).reasons] == [
        "voyage (through journey)"
    ]
    assert judge.assess(page("a long string")).score == 0


def test_names_of_several_words_are_found_as_such_and_their_words_count_once() -> None:
    judge = Semantic(by="ehrig", least=0.0).fit(OWN)
    verdict = judge.assess(page("Yellow-fever mosquitoes"))
    assert [reason.what for reason in verdict.reasons] == ["aedes aegypti (through yellow fever mosquito)"]
    assert verdict.reasons[0].amount == pytest.approx(verdict.score)
    # Of the topic's three terms: Aedes aegypti itself, mosquito one step away, dengue not connected.
    assert verdict.score == pytest.approx(1.5 / 2.5)


def test_synonyms_of_a_concept_near_the_top_count_however_little_alike_they_are() -> None:
    shallow = (Concept("v", ("vector", "carrier")), Concept("w", ("water",)))
    judge = Semantic(by="ssrm").fit(Topic("vector", ontology=shallow))
    assert judge.assess(page("a carrier")).score > 0.3
    assert judge.assess(page("some water")).score == 0


def test_the_words_of_a_topic_that_the_ontology_does_not_know_still_count() -> None:
    judge = Semantic(by="ssrm").fit(replace(OWN, keywords=("zzyzx",)))
    assert judge.assess(page("Zzyzx Road")).relevant


def test_what_was_met_before_makes_no_difference() -> None:
    fresh, experienced = Semantic(by="ssrm", least=0.0).fit(TOPIC), Semantic(by="ssrm", least=0.0).fit(TOPIC)
    for number in range(50):
        experienced.assess(page(f"insects {'fever ' * number} of word{number}x and mosquitoes"))
    for judged in example_pages():
        assert fresh.assess(judged) == experienced.assess(judged)


def test_a_judge_is_small_to_send_and_to_save() -> None:
    judge = Semantic(by="ehrig").fit(TOPIC)
    assert len(pickle.dumps(judge)) < 8_000_000
    state = json.loads(json.dumps(judge.state()))
    assert len(json.dumps(state)) < 1000
    assert Semantic(by="ehrig").restore(state).assess(example_pages()[0]) == judge.assess(example_pages()[0])


def test_it_tells_what_it_looks_for() -> None:
    words = [reason.what for reason in Semantic().fit(TOPIC).terms()]
    assert {"dengue fever", "mosquito", "dengue fever (through breakbone fever)"} <= set(words)


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        ({"by": "magic"}, "goes by synset, ehrig, ssrm, not by 'magic'"),
        ({"threshold": 1.5}, "threshold must lie between 0 and 1"),
        ({"least": -0.1}, "least must lie between 0 and 1"),
    ],
)
def test_wrong_parameters_are_refused(way: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        Semantic(**way)


def test_a_topic_without_words_is_refused() -> None:
    with pytest.raises(ConfigError, match="no words to look for; give it keywords"):
        Semantic().fit(Topic("the of and"))


def test_a_cyclic_ontology_is_refused() -> None:
    topic = Topic("a", ontology=(Concept("a", ("a",), ("b",)), Concept("b", ("b",), ("a",))))
    with pytest.raises(ConfigError, match="goes round in a circle"):
        Semantic().fit(topic)


def test_many_keywords_do_not_fill_the_memory() -> None:
    words = tuple(f"word{chr(97 + one)}{chr(97 + two)}" for one in range(20) for two in range(20))
    judge = Semantic(by="ehrig").fit(replace(TOPIC, keywords=words))
    assert judge.assess(page("wordtt and nothing else")).score > 0
