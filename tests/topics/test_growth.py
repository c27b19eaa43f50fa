import time
from dataclasses import replace

import pytest

from honeyguide.judges.string_matching import StringMatching
from honeyguide.model import Example, Level, Page, Step, Term, Topic
from honeyguide.text.background_pages import background_pages
from honeyguide.text.documents import Documents
from honeyguide.text.matching import check_term
from honeyguide.topics.growth import FEWEST_OTHERS, grown
from honeyguide.topics.telling import Telling

DENGUE = (
    "Dengue fever is a viral disease that the mosquito Aedes aegypti carries. Patients have a high fever, "
    "headache and pain in the joints; severe dengue leads to bleeding and shock.",
    "The dengue virus has four serotypes. Infection with a second serotype raises the risk of haemorrhagic "
    "fever. A vaccine against dengue is given in countries where Aedes aegypti is common.",
    "Mosquito control keeps dengue away: empty standing water, use nets and repellents, and report cases of "
    "dengue fever to the health service so that the spread of Aedes aegypti can be followed.",
)
EXAMPLES = tuple(map(Example, DENGUE))
MALARIA = Example("Malaria parasites, Plasmodium, live in the blood; quinine and artemisinin treat malaria.")
BARE = Topic("dengue")


def test_nothing_needed_leaves_the_topic_as_it_is() -> None:
    assert grown(BARE, ()) is BARE


def test_what_was_given_is_never_replaced() -> None:
    given = replace(
        BARE,
        examples=EXAMPLES[:1],
        keywords=("fever",),
        vocabulary=(Term("x1"),),
        background=(MALARIA,) * FEWEST_OTHERS,
        branch=(Level("Dengue", EXAMPLES),),
    )
    assert grown(given, ("examples", "keywords", "vocabulary", "background")) == given


def test_examples_come_from_the_topics_own_level() -> None:
    topic = replace(BARE, branch=(Level("Dengue", EXAMPLES), Level("Health", (MALARIA,))))
    assert grown(topic, ("examples",)).examples == EXAMPLES


def test_examples_come_from_the_marked_pages_of_a_session_and_background_from_the_others() -> None:
    steps = (Step(MALARIA, False), *(Step(example, True) for example in EXAMPLES))
    topic = grown(replace(BARE, branch=(Level("Dengue"),), session=steps), ("examples", "background"))
    assert topic.examples == EXAMPLES
    assert topic.background[0] == MALARIA


def test_a_topic_of_which_nothing_is_known_stays_without_examples() -> None:
    assert grown(BARE, ("examples",)).examples == ()


def test_the_shipped_texts_fill_up_a_background_that_is_small() -> None:
    topic = grown(replace(BARE, background=(MALARIA,)), ("background",))
    assert topic.background == (MALARIA, *background_pages())


def test_a_background_that_is_large_enough_is_left_alone() -> None:
    others = tuple(Example(f"text {number}") for number in range(FEWEST_OTHERS))
    assert grown(replace(BARE, background=others), ("background",)).background == others


def test_shipped_texts_that_may_be_about_the_topic_are_left_out() -> None:
    kept = {text.title for text in grown(Topic("algae", keywords=("seaweed",)), ("background",)).background}
    assert "Algae" not in kept
    assert "Alabama" in kept


def test_english_texts_are_no_background_for_topics_in_other_languages() -> None:
    assert grown(replace(BARE, languages=("de",)), ("background",)).background == ()
    assert grown(replace(BARE, languages=("de", "en-GB")), ("background",)).background


def test_keywords_are_what_examples_say_and_others_do_not() -> None:
    keywords = grown(replace(BARE, examples=EXAMPLES), ("keywords",)).keywords
    assert {"aedes", "aegypti"} <= set(keywords)
    assert "dengue" not in keywords
    assert not {"disease", "the", "water"} & set(keywords)


def test_keywords_come_from_a_vocabulary_where_there_are_no_examples() -> None:
    terms = (Term("mosquito", 5), Term("yellow fever", 9), Term("malaria", -9), Term("a1 AND b1", 20))
    assert grown(replace(BARE, vocabulary=terms), ("keywords",)).keywords == ("yellow fever", "mosquito")


def test_a_vocabulary_of_a_name_and_keywords_weighs_phrases_above_booleans_above_words() -> None:
    topic = grown(Topic("dengue fever", keywords=("mosquito",)), ("vocabulary",))
    weights = {term.text: term.weight for term in topic.vocabulary}
    assert list(weights) == ["dengue fever", "dengue AND fever", "dengue", "fever", "mosquito"]
    assert weights["dengue fever"] > weights["dengue AND fever"] > weights["dengue"] > weights["fever"] > 0


def test_a_vocabulary_of_examples_holds_their_words_and_phrases() -> None:
    topic = grown(replace(BARE, examples=EXAMPLES), ("vocabulary",))
    weights = {term.text: term.weight for term in topic.vocabulary}
    assert weights["aedes aegypti"] > weights["aegypti"] > 0
    assert max(weights, key=lambda text: weights[text]) in ("aedes aegypti", "dengue fever")
    for term in topic.vocabulary:
        check_term(term.text)
        assert term.weight > 0


def test_what_only_pages_off_topic_say_speaks_against() -> None:
    topic = grown(replace(BARE, examples=EXAMPLES, off_topic=(MALARIA,)), ("vocabulary",))
    weights = {term.text: term.weight for term in topic.vocabulary}
    assert weights["malaria"] < 0
    assert weights["dengue"] > 0


def test_growing_twice_gives_the_same() -> None:
    topic = replace(BARE, examples=EXAMPLES, off_topic=(MALARIA,))
    needs = ("keywords", "vocabulary", "background")
    assert grown(topic, needs) == grown(topic, needs)


def test_a_judge_of_a_grown_vocabulary_tells_pages_apart() -> None:
    judge = StringMatching().fit(grown(replace(BARE, examples=EXAMPLES[:2]), StringMatching.needs))
    assert judge.assess(Page("", text=DENGUE[2])).relevant
    assert not judge.assess(Page("", text="Prune the roses in late winter. " * 20)).relevant


def test_growing_takes_little_time() -> None:
    others = tuple(
        Example(" ".join(f"w{(number * 31 + at * at) % 4000}" for at in range(500))) for number in range(200)
    )
    topic = replace(BARE, examples=EXAMPLES, background=others)
    started = time.process_time()
    grown(topic, ("keywords", "vocabulary"))
    assert time.process_time() - started < 5


def test_words_are_told_as_most_texts_spell_them() -> None:
    texts = [Example("serotypes serotypes serotype"), Example("serotypes")]
    told = Telling(texts, [Example("roses")], Documents()).words
    assert [word.text for word in told] == ["serotypes"]


def test_what_all_texts_say_tells_more_than_what_one_repeats() -> None:
    texts = [Example("dengue " + "zebra " * 50), Example("dengue"), Example("dengue")]
    told = {word.text: word.strength for word in Telling(texts, [Example("roses")] * 20, Documents()).words}
    assert told["dengue"] > told["zebra"] > 0


def test_what_others_say_as_often_tells_nothing() -> None:
    texts = [Example("dengue patient"), Example("dengue patient")]
    told = Telling(texts, [Example("patient")] * 10, Documents()).words
    assert [word.text for word in told] == ["dengue"]


@pytest.mark.parametrize("texts", [[], [Example("")], [Example(" \n")]])
def test_texts_without_words_tell_nothing(texts: list[Example]) -> None:
    telling = Telling(texts, [Example("roses")], Documents())
    assert (telling.words, telling.phrases) == ([], [])
