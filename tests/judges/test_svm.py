import math
import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from topic_of_dengue import BACKGROUND, EXAMPLES, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.held_back import Sample, texts_of
from honeyguide.judges.screened import Screened
from honeyguide.judges.svm import Svm
from honeyguide.model import Example, Page, Topic
from honeyguide.testing import check_judge, example_pages
from honeyguide.text.documents import Documents

DENGUE = Page("", text="Patients with dengue have a fever; the virus is carried by a mosquito.")
CAKE = Page("", text="Mix the butter with sugar and bake the cake; the team ate it all evening.")


@pytest.fixture(scope="module")
def judge() -> Svm:
    return Svm().fit(TOPIC)


@pytest.mark.parametrize("features", ["log", "binary"])
def test_it_keeps_the_promises_of_judges(features: Any) -> None:
    def unfitted() -> Screened:
        return Screened(Svm(features=features))

    check_judge(lambda: unfitted().fit(TOPIC), example_pages(), unfitted=unfitted)


def test_pages_like_the_examples_are_told_from_others(judge: Svm) -> None:
    on, off = judge.assess(DENGUE), judge.assess(CAKE)
    assert on.relevant
    assert not off.relevant
    assert on.score > 0.5 > off.score


def test_the_margin_is_that_of_the_plane(judge: Svm) -> None:
    # "dengue dengue the": log(1 + 2) and log(1 + 1), in a vector of length 1
    state = judge.state()
    weight = dict(zip(state["words"], state["weights"].tolist(), strict=True))
    length = math.hypot(math.log(3), math.log(2))
    by_hand = state["bias"] + (math.log(3) * weight["dengue"] + math.log(2) * weight["the"]) / length
    verdict = judge.assess(Page("", text="Dengue, dengue, the"))
    assert verdict.margin == pytest.approx(by_hand - state["threshold"])
    calibration = state["calibration"]
    assert verdict.score == pytest.approx(
        1 / (1 + math.exp(-calibration["slope"] * by_hand - calibration["offset"]))
    )


def test_examples_lie_on_either_side_of_the_plane() -> None:
    # With few texts of many words a plane parts them all, as GD's threshold of 0 has it.
    judge = Svm(features="binary", threshold=0.0).fit(TOPIC)
    for example in EXAMPLES:
        assert 0.3 < judge.assess(Page("", title=example.title, text=example.text)).margin < 1.5
    for example in BACKGROUND:
        assert -1.5 < judge.assess(Page("", title=example.title, text=example.text)).margin < -0.3


def test_a_page_said_twice_is_as_relevant_with_binary_features() -> None:
    judge = Svm(features="binary").fit(TOPIC)
    twice = replace(DENGUE, text=f"{DENGUE.text} {DENGUE.text}")
    assert judge.assess(twice).margin == pytest.approx(judge.assess(DENGUE).margin)


def test_reasons_name_words_with_the_sign_they_speak_with(judge: Svm) -> None:
    reasons = {reason.what: reason.amount for reason in judge.assess(DENGUE).reasons}
    assert reasons["dengue"] > 0
    assert reasons["before any word"] >= 0
    assert sum(reasons.values()) == pytest.approx(judge.assess(DENGUE).score)


def test_it_tells_what_it_looks_for(judge: Svm) -> None:
    terms = judge.terms()
    assert "dengue" in [term.what for term in terms[:3]]
    assert all(term.amount > 0 for term in terms)


def test_what_was_read_before_changes_nothing() -> None:
    documents = Documents()
    for text in ("zebra mosquito cake", "virus and fever and dengue", "of the and to"):
        documents.read(Page("", text=text)).bag()
    assert Svm().fit(TOPIC, documents).assess(DENGUE) == Svm().fit(TOPIC).assess(DENGUE)


def test_held_back_examples_are_judged_without_having_been_learned() -> None:
    judge = Svm(threshold=0.0).fit(TOPIC)
    learned = np.array(
        [judge.assess(Page("", title=text.title, text=text.text)).margin for text in texts_of(TOPIC)]
    )
    on_topic = Sample.of(TOPIC, judge="svm").on_topic
    assert (judge.held_back()[on_topic] < learned[on_topic]).all()
    assert judge.held_back()[~on_topic].mean() > learned[~on_topic].mean()


def test_one_example_and_one_other_text_are_enough() -> None:
    judge = Svm().fit(replace(TOPIC, examples=EXAMPLES[:1], background=BACKGROUND[1:2]))
    assert judge.assess(DENGUE).score > judge.assess(CAKE).score
    assert judge.assess(Page("", text=EXAMPLES[0].text)).relevant


def test_a_page_labelled_off_topic_is_off_topic_from_then_on() -> None:
    malaria = "Malaria brings fever; a mosquito carries it, and patients have pain and headache."
    before = Svm().fit(TOPIC).assess(Page("", text=malaria))
    after = Svm().fit(replace(TOPIC, off_topic=(Example(malaria),))).assess(Page("", text=malaria))
    assert after.score < before.score
    assert not after.relevant


def test_an_example_of_more_weight_counts_for_more() -> None:
    bees = Example("Bees make honey and live in hives.")

    def chance(weight: float) -> float:
        topic = replace(TOPIC, examples=(*EXAMPLES, bees._replace(weight=weight)))
        state = Svm(c=0.01).fit(topic).state()
        return dict(zip(state["words"], state["weights"].tolist(), strict=True)).get("honey", 0.0)

    assert chance(5.0) > chance(0.2) > 0
    assert chance(0.0) == 0


def test_background_that_is_an_example_too_is_no_background() -> None:
    both = replace(TOPIC, background=(*BACKGROUND, *EXAMPLES))
    assert Svm().fit(both).assess(DENGUE) == Svm().fit(TOPIC).assess(DENGUE)


def test_empty_examples_are_passed_over() -> None:
    empty = replace(TOPIC, examples=(*EXAMPLES, Example(""), Example("12 34 --")))
    assert Svm().fit(empty).assess(DENGUE) == Svm().fit(TOPIC).assess(DENGUE)


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        (Topic("dengue"), "has none with words; give it some pages that are on topic"),
        (replace(TOPIC, examples=(Example("42"),)), "has none with words"),
        (replace(TOPIC, background=()), "give it pages that are off topic, or a background"),
        (replace(TOPIC, background=EXAMPLES), "give it pages that are off topic, or a background"),
    ],
)
def test_a_topic_to_learn_nothing_from_is_refused_in_a_sentence(topic: Topic, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        Svm().fit(topic)


@pytest.mark.parametrize(
    "wrong",
    [
        {"c": 0.0},
        {"c": math.nan},
        {"features": "tf"},
        {"base_rate": 1.0},
        {"threshold": math.inf},
        {"title_weight": -1.0},
        {"keywords_weight": math.nan},
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="The svm judge's"):
        Svm(**wrong)


def test_parts_of_a_page_count_as_told() -> None:
    page = replace(
        DENGUE, text="The report of the year.", keywords=("dengue", "mosquito"), headings=("Dengue",)
    )
    plain = Svm().fit(TOPIC).assess(page)
    assert Svm(keywords_weight=2.0).fit(TOPIC).assess(page).score > plain.score
    assert Svm(headings_weight=2.0).fit(TOPIC).assess(page).score > plain.score


def test_a_restored_judge_says_the_same(judge: Svm) -> None:
    assert Svm().restore(judge.state()).assess(DENGUE) == judge.assess(DENGUE)
    assert pickle.loads(pickle.dumps(judge)).assess(DENGUE) == judge.assess(DENGUE)
    with pytest.raises(ConfigError, match=r"saved with this crawl is svm@99"):
        Svm().restore({**judge.state(), "judge": "svm@99"})


def test_restoring_and_assessing_load_no_learning_machinery() -> None:
    program = (
        "import pickle, sys\n"
        "from honeyguide.model import Page\n"
        "judge = pickle.load(sys.stdin.buffer)\n"
        "judge.assess(Page('', text='dengue'))\n"
        "assert 'sklearn' not in sys.modules and 'scipy' not in sys.modules\n"
    )
    judge = Svm().fit(TOPIC)
    subprocess.run([sys.executable, "-c", program], input=pickle.dumps(judge), check=True, timeout=60)
