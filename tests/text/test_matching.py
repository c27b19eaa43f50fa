import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ConfigError
from honeyguide.model import Page, Term
from honeyguide.text.documents import Documents, Weights
from honeyguide.text.matching import Match, Matcher, check_term

DOCUMENTS = Documents()


def found(terms: str | list[str], text: str = "", **page: str | tuple[str, ...]) -> dict[str, int]:
    """The terms that a page says, and how often."""
    terms = [terms] if isinstance(terms, str) else terms
    matcher = Matcher([Term(term) for term in terms], DOCUMENTS)
    return {
        terms[match.term]: match.times
        for match in matcher.find(DOCUMENTS.read(Page("", text=text, **page)))  # type: ignore[arg-type]
    }


def test_a_word_is_found_by_its_stem() -> None:
    assert found("mosquito", "Mosquitoes bite. A MOSQUITO's bite; mosquitos.") == {"mosquito": 3}


def test_a_word_is_not_found_inside_another() -> None:
    assert found("cat", "concatenate category") == {}


def test_a_beginning_finds_every_word_that_starts_so() -> None:
    assert found("infect*", "infect infection infectious disinfect") == {"infect*": 3}


def test_a_word_that_fits_several_beginnings_and_a_stem_counts_for_each() -> None:
    assert found(["in*", "infect*", "infection"], "infections") == {"in*": 1, "infect*": 1, "infection": 1}


def test_a_phrase_is_its_words_one_after_another() -> None:
    text = "Dengue fever. The fever of dengue. dengue\u00a0fevers"
    assert found("dengue fever", text) == {"dengue fever": 2}


@pytest.mark.parametrize("between", [", ", ". ", "; ", " (", "\n", " / ", "\t"])
def test_no_phrase_goes_across_punctuation(between: str) -> None:
    assert found("dengue fever", f"it is dengue{between}fever follows") == {}


@pytest.mark.parametrize("between", [" ", "-", " \u2013 ", "  ", " & "])
def test_a_hyphen_or_space_does_not_break_a_phrase(between: str) -> None:
    assert found("dengue fever", f"it is dengue{between}fever") == {"dengue fever": 1}


def test_stop_words_of_a_phrase_must_be_there() -> None:
    assert found("state of the art", "the state of the art") == {"state of the art": 1}
    assert found("state of the art", "the state of an art, the state art") == {}


def test_phrases_that_share_words_are_all_found() -> None:
    terms = ["united states", "united states army", "states army corps", "army"]
    assert found(terms, "the United States Army Corps") == dict.fromkeys(terms, 1)


def test_a_phrase_with_a_beginning_in_it_is_found() -> None:
    terms = ["vir* infection", "dengue vir* infection", "dengue viral"]
    assert found(terms, "a dengue virus infection and dengue viral infection") == {
        "vir* infection": 2,
        "dengue vir* infection": 2,
        "dengue viral": 1,
    }


def test_a_number_in_a_phrase_is_compared_letter_by_letter() -> None:
    terms = ["Formula 1", "formula 3", "covid-19"]
    text = "Formula 1 is not formula 10, and Formula-1 no formula; COVID-19"
    assert found(terms, text) == {"Formula 1": 2, "covid-19": 1}


def test_booleans_are_said_by_the_page_as_a_whole() -> None:
    terms = ["dengue AND fever", "fever NOT malaria", 'rash OR "joint pain"']
    matcher = Matcher([Term(term) for term in terms], DOCUMENTS)
    page = Page("", text="fever, fever, joint pain", headings=("Dengue",))
    said = matcher.weigh(DOCUMENTS.read(page), Weights(headings=1))
    assert said.terms.tolist() == [0, 1, 2]
    assert said.times.tolist() == [1, 2, 1]


def test_title_and_text_are_apart() -> None:
    assert found("dengue fever", "fever of dengue", title="dengue") == {}


def test_a_title_says_only_what_the_text_says_too() -> None:
    assert found("dengue", "fever", title="dengue") == {}
    assert found("dengue", "dengue", title="dengue") == {"dengue": 2}
    assert found("dengue", "", title="dengue") == {"dengue": 1}


def test_no_phrase_goes_across_a_word_of_the_title_that_does_not_count() -> None:
    assert found("dengue fever", "fever, dengue", title="dengue fever") == {"dengue fever": 1}
    assert found("dengue fever", "fever, dengue", title="dengue haemorrhagic fever") == {}


def test_the_first_of_two_equal_terms_is_found() -> None:
    assert found(["mosquito", "mosquitoes"], "a mosquito") == {"mosquito": 1}


def test_every_part_of_a_page_counts_as_told() -> None:
    page = Page("", title="dengue", text="dengue dengue", headings=("dengue", "fever"), keywords=("dengue",))
    matcher = Matcher([Term("dengue"), Term("dengue fever")], DOCUMENTS)
    said = matcher.weigh(DOCUMENTS.read(page), Weights(title=10, headings=3, keywords=0.5, text=1))
    assert said.terms.tolist() == [0]
    assert said.times.tolist() == [10 + 3 + 0.5 + 2]


def test_matches_come_in_the_order_of_terms() -> None:
    terms = [Term("b1 AND a1"), Term("a1"), Term("c1 d1"), Term("b1")]
    document = DOCUMENTS.read(Page("", text="c1 d1 b1 a1"))
    assert Matcher(terms, DOCUMENTS).find(document) == [Match(term, 1) for term in range(4)]


def test_a_page_without_words_says_nothing() -> None:
    assert found(["dengue", "dengue fever"], " 12 ... ") == {}


def test_no_terms_find_nothing() -> None:
    assert Matcher([], DOCUMENTS).find(DOCUMENTS.read(Page("", text="dengue"))) == []


def test_a_matcher_refuses_a_term_in_one_sentence() -> None:
    with pytest.raises(ConfigError, match=r"^The term 'dengue AND' has nothing where a word should stand\.$"):
        Matcher([Term("dengue AND")], DOCUMENTS)


def test_terms_can_be_checked_alone() -> None:
    check_term("dengue AND fever")
    with pytest.raises(ValueError, match="only says what a page must not say"):
        check_term("NOT fever")


def test_a_matcher_sent_to_another_process_finds_the_same() -> None:
    documents = Documents()
    matcher = Matcher([Term("dengue fever"), Term("mosq*"), Term("a1 OR b1")], documents)
    page = Page("", text="b1 dengue fever mosquitoes")
    here = matcher.find(documents.read(page))
    sent, sent_documents = pickle.loads(pickle.dumps((matcher, documents)))
    assert sent.find(sent_documents.read(Page("", text="other words first"))) == []
    assert sent.find(sent_documents.read(page)) == here


def test_what_was_forgotten_is_found_again() -> None:
    documents = Documents()
    matcher = Matcher([Term("dengue fever"), Term("mosq*")], documents)
    page = Page("", text="dengue fever mosquito")
    before = matcher.find(documents.read(page))
    documents.book.forget()
    other = Page("", text="mosquito of dengue fever")
    assert matcher.find(documents.read(other)) == before


WORDS = ("the", "of", "fever", "fevers", "dengue", "virus", "viral", "vireo", "a1")
TEXTS = st.lists(st.sampled_from((*WORDS, "12", ",", ".")), max_size=30).map(" ".join)
PHRASES = st.lists(st.sampled_from((*WORDS, "vir*", "de*")), min_size=1, max_size=4).map(" ".join)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(PHRASES, min_size=1, max_size=8), TEXTS, TEXTS)
def test_many_terms_at_once_are_found_as_each_would_be_by_an_expression(
    terms: list[str], title: str, text: str
) -> None:
    expected: dict[int, int] = {}
    seen = set()
    for number, term in enumerate(terms):
        same = tuple(_spelt(word) for word in term.split())
        times = sum(_occurrences(same, part) for part in (_counted(title, text), text))
        if times and same not in seen:
            expected[number] = times
        seen.add(same)
    matches = Matcher([Term(term) for term in terms], DOCUMENTS).find(
        DOCUMENTS.read(Page("", title=title, text=text))
    )
    assert {match.term: match.times for match in matches} == expected


def _counted(title: str, text: str) -> str:
    """A title with a comma for every word that the text does not say too; as it is if that has no words.

    Stop words may stay.
    """
    stem = DOCUMENTS.tokeniser.stem
    said = {stem(word) for word in text.split() if word in WORDS}
    kept = (
        word if not said or word not in WORDS or stem(word) in {*said, ""} else "," for word in title.split()
    )
    return " ".join(kept)


def _spelt(word: str) -> str:
    if word.endswith("*"):
        return f"{word[:-1]}[a-z0-9]*"
    return {"fevers": "fevers?", "fever": "fevers?"}.get(word, word)


def _occurrences(words: tuple[str, ...], text: str) -> int:
    """How often words follow each other between punctuation; numbers do not count."""
    plain = [re.sub(r"\b\d+\b", "", stretch).split() for stretch in re.split(r"[.,]", text)]
    return sum(
        all(re.fullmatch(word, said) for word, said in zip(words, stretch[at:], strict=False))
        for stretch in plain
        for at in range(len(stretch) - len(words) + 1)
    )
