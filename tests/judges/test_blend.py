import time
from dataclasses import replace

import numpy as np
import pytest
from topic_of_dengue import BACKGROUND, EXAMPLES, NEAR, OFF, ON, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.blend import NOTHING, Blend
from honeyguide.judges.ridge import ridge
from honeyguide.judges.screened import Screened
from honeyguide.model import Example, Level, Page, Step, Term, Topic
from honeyguide.testing import check_judge, example_pages
from honeyguide.text.documents import Documents

WORDS_ONLY = Topic("dengue fever", background=BACKGROUND)


@pytest.mark.parametrize(
    "topic",
    [
        TOPIC,
        WORDS_ONLY,
        replace(TOPIC, name="", keywords=()),
        replace(
            TOPIC, examples=(), vocabulary=(Term("dengue", 30), Term("dengue fever", 60), Term("rose*", -9))
        ),
        replace(TOPIC, background=BACKGROUND[:1]),
        replace(TOPIC, background=(), off_topic=BACKGROUND[:2]),
        replace(TOPIC, background=()),
    ],
    ids=["all", "words", "examples", "vocabulary", "one text", "off topic", "nothing to compare with"],
)
def test_it_keeps_what_judges_promise_whatever_it_is_told(topic):
    check_judge(
        lambda: Screened(Blend()).fit(topic),
        [*example_pages(), ON, NEAR, OFF],
        unfitted=lambda: Screened(Blend()),
    )


@pytest.mark.parametrize(
    "topic",
    [
        TOPIC,
        WORDS_ONLY,
        replace(TOPIC, name="", keywords=()),
        replace(TOPIC, keywords=(), examples=(), branch=(Level("Dengue", EXAMPLES), Level("Diseases"))),
        replace(
            TOPIC, name="", keywords=(), examples=(), session=tuple(Step(text, True) for text in EXAMPLES)
        ),
        replace(TOPIC, name="?", keywords=(), examples=(), vocabulary=(Term("dengue"), Term("virus"))),
    ],
    ids=["all", "words", "examples", "branch", "session", "vocabulary"],
)
def test_it_tells_pages_apart_from_whatever_there_is(topic):
    judge = Blend().fit(topic)
    on, near, off = (judge.assess(page).score for page in (ON, NEAR, OFF))
    assert on > near > off


def test_a_page_on_topic_is_relevant_and_one_off_topic_is_not():
    judge = Blend().fit(TOPIC)
    assert judge.assess(ON).relevant
    assert not judge.assess(OFF).relevant


def test_what_a_person_labels_changes_its_mind():
    before = Blend().fit(TOPIC)
    label = Example(NEAR.text, NEAR.title)
    against = Blend().fit(replace(TOPIC, off_topic=(label,)))
    for_it = Blend().fit(replace(TOPIC, examples=(*EXAMPLES, label)))
    page = replace(NEAR, text=NEAR.text.replace("shiver", "tremble"))
    assert against.assess(page).score < before.assess(page).score < for_it.assess(page).score


def test_a_term_against_the_topic_lowers_the_score():
    vocabulary = (Term("dengue", 10), Term("vaccine", -30))
    plain, told = Blend().fit(TOPIC), Blend().fit(replace(TOPIC, vocabulary=vocabulary))
    assert told.assess(ON).score < plain.assess(ON).score
    reasons = {reason.what: reason.amount for reason in told.assess(ON).reasons}
    assert reasons["the vocabulary: vaccine"] < 0


def test_reasons_name_the_aspects_and_the_words_as_the_page_spells_them():
    verdict = Blend().fit(TOPIC).assess(ON)
    told = {reason.what.partition(":")[0]: reason for reason in verdict.reasons}
    assert set(told) == {
        "its words",
        "its opening",
        "its style",
        "its meaning",
        "its opening's meaning",
        "the topic's words",
        "what any page has",
    }
    assert "mosquito" in told["the topic's words"].what
    assert "dengue" in told["its words"].what
    assert "mosquitoes" in told["its words"].what
    assert told["its words"].amount > 0


def test_a_page_that_says_nothing_is_below_all_others():
    judge = Blend().fit(TOPIC)
    verdict = judge.assess(Page(url="https://a.example/", text="12 34 !"))
    assert (verdict.score, verdict.relevant, verdict.margin) == (0.0, False, NOTHING)


def test_what_was_read_before_changes_nothing():
    documents = Documents()
    for number in range(20):
        documents.read(Page(url="", text=f"shock virus bleeding words{number}a before dengue fever")).stems()
    documents.book.numbers(" ".join(reversed(ON.text.split())))
    for page in (ON, NEAR, OFF):
        assert Blend().fit(TOPIC, documents).assess(page) == Blend().fit(TOPIC).assess(page)


def test_a_wordbook_that_starts_afresh_between_two_texts_changes_nothing():
    class Forgetful(Documents):
        def read(self, page):
            self.book.forget()
            self._latest.clear()
            return super().read(page)

    verdict = Blend().fit(TOPIC, Forgetful()).assess(ON)
    assert verdict == Blend().fit(TOPIC).assess(ON)


def test_examples_without_words_and_background_that_is_an_example_are_left_out():
    empty = Example(" 123 ")
    topic = replace(TOPIC, examples=(*EXAMPLES, empty), background=(*BACKGROUND, empty, EXAMPLES[0]))
    assert Blend().fit(topic).assess(ON) == Blend().fit(TOPIC).assess(ON)


def test_its_terms_are_the_words_that_speak_for_a_page():
    terms = [reason.what for reason in Blend().fit(TOPIC).terms()[:6]]
    assert "dengu" in terms
    assert [reason.what for reason in Blend().fit(WORDS_ONLY).terms()] == ["dengue", "fever"]


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        (Topic("?", examples=EXAMPLES), "has no words to look for; give it keywords, or a background"),
        (Topic("?", background=BACKGROUND), "has no words to look for; give it keywords or examples"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(topic, sentence):
    with pytest.raises(ConfigError, match=sentence):
        Blend().fit(topic)


def test_with_nothing_to_compare_pages_with_it_goes_by_the_topics_words_in_any_language():
    def page(text):
        return Page("http://a.example/", text=text)

    judge = Blend().fit(Topic("Denguefieber", keywords=("Stechmücke",), vocabulary=(Term("Impfstoff", 2.0),)))
    on = judge.assess(
        page("Denguefieber wird von einer Stechmücke übertragen; ein Impfstoff ist zugelassen.")
    )
    near = judge.assess(page("Das Fieber sank, und der Impfstoff gegen die Grippe war wieder zu haben."))
    off = judge.assess(page("Der Zug nach Köln fährt heute zwanzig Minuten später als sonst ab."))
    assert on.relevant
    assert not near.relevant
    assert not off.relevant
    assert on.score > near.score > off.score
    assert {reason.what.split(":")[0] for reason in on.reasons} >= {"the topic's words", "the vocabulary"}
    assert Blend().restore(judge.state()).assess(page("Denguefieber")) == judge.assess(page("Denguefieber"))


@pytest.mark.parametrize("threshold", [0, 1, -0.1, 2])
def test_a_threshold_that_is_no_probability_is_refused(threshold):
    with pytest.raises(ConfigError, match="threshold must lie between 0 and 1"):
        Blend(threshold=threshold)


def test_a_state_of_another_judge_is_refused():
    with pytest.raises(ConfigError, match="reads blend@1"):
        Blend().restore({"judge": "svm@1"})


def test_two_hundred_texts_are_learned_in_a_moment():
    rng = np.random.default_rng(0)
    words = np.array([f"w{number}ord" for number in range(5000)])
    texts = tuple(Example(" ".join(rng.choice(words, 800))) for _ in range(200))
    topic = replace(TOPIC, background=texts)
    Blend().fit(topic)
    started = time.process_time()
    Blend().fit(topic)
    assert time.process_time() - started < 3


def test_what_is_held_back_is_what_a_regression_without_the_text_says():
    rng = np.random.default_rng(3)
    table = rng.normal(size=(12, 5))
    targets, shares = np.sign(rng.normal(size=12)), rng.uniform(0.1, 1, 12)
    kernel = table @ table.T
    found = ridge(kernel, targets, shares, 0.3)
    for text in range(12):
        rest = np.arange(12) != text
        alone = ridge(kernel[np.ix_(rest, rest)], targets[rest], shares[rest], 0.3)
        assert np.isclose(kernel[text, rest] @ alone.pulls, found.held_back[text])
