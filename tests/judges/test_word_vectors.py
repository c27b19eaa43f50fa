from dataclasses import replace

import pytest
from topic_of_dengue import BACKGROUND, EXAMPLES, NEAR, OFF, ON, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.screened import Screened
from honeyguide.judges.word_vectors import WordVectors
from honeyguide.model import Page, Topic
from honeyguide.testing import check_judge, example_pages
from honeyguide.text.documents import Documents


@pytest.mark.parametrize("topic", [TOPIC, replace(TOPIC, examples=()), replace(TOPIC, examples=EXAMPLES[:1])])
def test_it_keeps_what_judges_promise(topic):
    check_judge(
        lambda: Screened(WordVectors()).fit(topic),
        [*example_pages(), ON, NEAR, OFF],
        unfitted=lambda: Screened(WordVectors()),
    )


@pytest.mark.parametrize("topic", [TOPIC, replace(TOPIC, examples=()), replace(TOPIC, name="", keywords=())])
def test_pages_come_in_the_order_in_which_they_mean_the_topic(topic):
    judge = WordVectors().fit(topic)
    on, near, off = (judge.assess(page).margin for page in (ON, NEAR, OFF))
    assert on > near > off


def test_other_words_for_the_same_are_understood():
    page = Page(url="", text="An illness spread by insects in the tropics; physicians treat the infected.")
    judge = WordVectors().fit(TOPIC)
    assert judge.assess(page).score > judge.assess(OFF).score + 0.1


def test_its_reasons_are_words_whose_amounts_make_the_cosine():
    verdict = WordVectors().fit(TOPIC).assess(ON)
    assert sum(reason.amount for reason in verdict.reasons) == pytest.approx(verdict.score, abs=1e-6)
    assert "dengue" in [reason.what for reason in verdict.reasons[:3]]


def test_a_threshold_given_is_the_one_used():
    verdict = WordVectors(threshold=0.0).fit(TOPIC).assess(ON)
    assert verdict.margin == verdict.score
    assert not WordVectors(threshold=1.0).fit(TOPIC).assess(ON).relevant


def test_its_terms_are_words_that_mean_the_topic():
    terms = [reason.what for reason in WordVectors().fit(TOPIC).terms()]
    assert "dengue" in terms[:5]
    assert "the" not in terms


def test_what_was_read_before_changes_nothing():
    documents = Documents()
    documents.book.numbers(" ".join(reversed(ON.text.split())))
    assert WordVectors().fit(TOPIC, documents).assess(ON) == WordVectors().fit(TOPIC).assess(ON)


def test_what_is_missing_or_wrong_is_said_in_a_sentence():
    with pytest.raises(ConfigError, match=r"word-vectors judge compares .* no background"):
        WordVectors().fit(Topic("dengue"))
    with pytest.raises(ConfigError, match="no words to look for"):
        WordVectors().fit(Topic("", background=BACKGROUND))
    with pytest.raises(ConfigError, match="threshold must lie between 0 and 1"):
        WordVectors(threshold=3)
