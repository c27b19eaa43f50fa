import math
import pickle
from dataclasses import replace
from typing import Any

import pytest
from topic_of_dengue import BACKGROUND, EXAMPLES, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.naive_bayes import NaiveBayes
from honeyguide.judges.screened import Screened
from honeyguide.model import Example, Page, Topic
from honeyguide.testing import check_judge, example_pages

DENGUE = Page("", text="Patients with dengue have a fever; the virus is carried by a mosquito.")
CAKE = Page("", text="Mix the butter with sugar and bake the cake; the team ate it all evening.")


@pytest.fixture(scope="module")
def judge() -> NaiveBayes:
    return NaiveBayes().fit(TOPIC)


def test_it_keeps_the_promises_of_judges() -> None:
    def unfitted() -> Screened:
        return Screened(NaiveBayes())

    check_judge(lambda: unfitted().fit(TOPIC), example_pages(), unfitted=unfitted)


def test_pages_like_the_examples_are_told_from_others() -> None:
    judge = NaiveBayes(base_rate=0.5).fit(TOPIC)
    on, off = judge.assess(DENGUE), judge.assess(CAKE)
    assert on.relevant
    assert not off.relevant
    assert on.score > 0.5 > off.score


def test_a_longer_page_of_the_same_words_is_judged_the_same(judge: NaiveBayes) -> None:
    long = replace(DENGUE, text=f"{DENGUE.text} " * 50)
    assert judge.assess(long).score == pytest.approx(judge.assess(DENGUE).score)


def test_probabilities_do_not_stick_to_0_and_1(judge: NaiveBayes) -> None:
    for page in (DENGUE, CAKE):
        assert 0.001 < judge.assess(page).score < 0.999


def test_words_that_no_text_has_say_nothing(judge: NaiveBayes) -> None:
    strange = replace(DENGUE, text=f"{DENGUE.text} zyzzyva quagga okapi")
    assert judge.assess(strange).margin == judge.assess(DENGUE).margin


def test_held_back_margins_are_lower_for_examples(judge: NaiveBayes) -> None:
    learned = [judge.assess(Page("", title=text.title, text=text.text)).margin for text in EXAMPLES]
    assert (judge.held_back()[: len(EXAMPLES)] < learned).all()


def test_background_that_is_an_example_too_is_no_background(judge: NaiveBayes) -> None:
    both = replace(TOPIC, background=(*BACKGROUND, *EXAMPLES), examples=(*EXAMPLES, Example("12")))
    assert NaiveBayes().fit(both).assess(DENGUE) == judge.assess(DENGUE)


def test_one_example_is_enough() -> None:
    judge = NaiveBayes().fit(replace(TOPIC, examples=EXAMPLES[:1]))
    assert judge.assess(DENGUE).score > judge.assess(CAKE).score


def test_it_tells_what_it_looks_for(judge: NaiveBayes) -> None:
    terms = judge.terms()
    assert "dengue" in [term.what for term in terms[:5]]
    assert [term.amount for term in terms] == sorted((term.amount for term in terms), reverse=True)


def test_a_topic_to_learn_nothing_from_is_refused_in_a_sentence() -> None:
    with pytest.raises(ConfigError, match="naive-bayes judge learns from examples"):
        NaiveBayes().fit(Topic("dengue"))


@pytest.mark.parametrize(
    "wrong", [{"smoothing": 0.0}, {"smoothing": math.nan}, {"base_rate": 0.0}, {"title_weight": -1.0}]
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="The naive-bayes judge's"):
        NaiveBayes(**wrong)


def test_a_restored_judge_says_the_same(judge: NaiveBayes) -> None:
    assert NaiveBayes().restore(judge.state()).assess(DENGUE) == judge.assess(DENGUE)
    assert pickle.loads(pickle.dumps(judge)).assess(DENGUE) == judge.assess(DENGUE)
