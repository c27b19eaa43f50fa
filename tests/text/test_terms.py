import math
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Page
from honeyguide.text.documents import Documents
from honeyguide.text.terms import FEWEST, Recogniser, c_values, singular

Word = tuple[int, bool]
TEXT = """
Dengue fever is a viral disease. The dengue virus is carried by the mosquito Aedes aegypti. A vaccine against
dengue fever is known. Dengue fevers are tropical diseases; dengue viruses have serotypes.
"""


@pytest.fixture(scope="module")
def documents() -> Documents:
    return Documents()


def by_the_book(phrases: list[list[Word]], least: float, longest: int) -> dict[tuple[int, ...], float]:
    """The C-value as its authors write it down: candidates from the longest, counts kept in tables."""
    counts: Counter[tuple[int, ...]] = Counter()
    first: dict[tuple[int, ...], list[Word]] = {}
    for phrase in phrases:
        for start in range(len(phrase)):
            for end in range(start + 1, min(len(phrase), start + longest) + 1):
                if phrase[end - 1][1]:
                    term = tuple(word for word, _ in phrase[start:end])
                    counts[term] += 1
                    first.setdefault(term, phrase[start:end])
    nested: Counter[tuple[int, ...]] = Counter()
    within: Counter[tuple[int, ...]] = Counter()
    terms = {}
    for term in sorted(counts, key=lambda term: -len(term)):
        own = counts[term] - (nested[term] / within[term] if within[term] else 0)
        value = math.log2(len(term) + 1) * own
        if value > 0 and value >= least:
            terms[term] = value
            words = first[term]
            inside = {
                tuple(word for word, _ in words[start:end])
                for start in range(len(words))
                for end in range(start + 1, len(words) + 1)
                if words[end - 1][1] and end - start < len(words)
            }
            for part in inside:
                nested[part] += counts[term] - nested[term]
                within[part] += 1
    return terms


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=7), max_size=12),
    st.sampled_from([0.0, 1.0, 2.0, 3.5]),
    st.integers(1, 5),
)
def test_c_values_are_those_of_the_method_written_down_step_by_step(
    phrases: list[list[Word]], least: float, longest: int
) -> None:
    flat = [word for phrase in phrases for word in phrase]
    found = c_values(
        np.array([word for word, _ in flat], np.int32),
        np.array([end for _, end in flat], np.bool_),
        np.array([place == 0 for phrase in phrases for place in range(len(phrase))], np.bool_),
        least=least,
        longest=longest,
    )
    spans = zip(found.starts.tolist(), found.lengths.tolist(), found.values.tolist(), strict=True)
    terms = {tuple(word for word, _ in flat[start : start + length]): value for start, length, value in spans}
    assert terms == pytest.approx(by_the_book(phrases, least, longest))
    assert found.starts.tolist() == sorted(found.starts.tolist())


def test_terms_are_noun_phrases_and_plurals_count_with_singulars(documents: Documents) -> None:
    terms = Recogniser(documents, least=0).terms_of([Example(TEXT)])
    assert terms["dengue fever"] == pytest.approx(math.log2(3) * 3)
    assert terms["dengue virus"] == pytest.approx(math.log2(3) * 2)
    assert "mosquito aedes aegypti" in terms
    assert not {"is", "known", "viral", "dengue fevers", "carried by", "disease the dengue"} & terms.keys()
    assert list(terms.values()) == sorted(terms.values(), reverse=True)


def test_punctuation_ends_a_term(documents: Documents) -> None:
    terms = Recogniser(documents, least=0).terms_of(
        [Example("Fever, headache. Joint pain (rash) shock\ncoma")]
    )
    assert set(terms) == {"fever", "headache", "joint pain", "rash", "shock", "coma"}


def test_the_terms_of_several_texts_are_counted_together(documents: Documents) -> None:
    recogniser = Recogniser(documents, least=0, singles=False)
    terms = recogniser.terms_of(
        [Example("A yellow fever ward"), Example("Yellow fevers"), Page("", text="fever")]
    )
    assert terms == {
        "yellow fever ward": pytest.approx(math.log2(3)),
        "yellow fever": pytest.approx(1.0 * (2 - 1 / 1)),
    }
    assert recogniser.terms_of([Example("A yellow fever ward"), Example("Yellow fevers")], most=1).keys() == {
        "yellow fever ward"
    }


def test_a_long_text_keeps_only_what_reaches_the_least_c_value(documents: Documents) -> None:
    names = [f"{chr(97 + one)}{chr(97 + two)}rgon" for one in range(FEWEST) for two in range(2)]
    twice = ". ".join(names[:FEWEST] * 2)
    once = ". ".join(names[FEWEST:])
    terms = Recogniser(documents, least=2).terms_of([Example(f"{twice}. {once}")])
    assert set(terms) == set(names[:FEWEST])


def test_of_a_text_too_short_to_repeat_itself_all_candidates_are_terms(documents: Documents) -> None:
    assert set(Recogniser(documents, least=2).terms_of([Example("A rash. A headache.")])) == {
        "rash",
        "headache",
    }


def test_one_page_has_the_terms_it_has_among_several(documents: Documents) -> None:
    recogniser = Recogniser(documents)
    page = Page("", text=TEXT)
    document = documents.read(page)
    found = recogniser.terms(document)
    names = [documents.book.words.list[number] for number in document.words.tolist()]
    spans = zip(found.starts.tolist(), found.lengths.tolist(), found.values.tolist(), strict=True)
    here = {" ".join(names[start : start + length]): value for start, length, value in spans}
    assert here == recogniser.terms_of([page])


@pytest.mark.parametrize("text", ["", "of the", "\ud800 x", "登革热", "fever " * 3000, "a b. " * 500])
def test_any_text_has_terms_or_none(text: str, documents: Documents) -> None:
    recogniser = Recogniser(documents)
    found = recogniser.terms(documents.read(Page("", text=text)))
    assert len(found.starts) == len(found.lengths) == len(found.values)
    assert len(recogniser.terms_of([Example(text)])) == len(found.starts)


def test_terms_do_not_depend_on_what_was_read_before(documents: Documents) -> None:
    fresh = Documents()
    fresh.read(Page("", text="serotypes viruses aegypti vaccine")).words  # noqa: B018 - numbers words otherwise
    assert list(Recogniser(fresh).terms_of([Example(TEXT)]).items()) == list(
        Recogniser(documents).terms_of([Example(TEXT)]).items()
    )


def test_a_recogniser_says_the_same_in_another_process(documents: Documents) -> None:
    recogniser = Recogniser(documents, least=1, singles=False, longest=3)
    there = pickle.loads(pickle.dumps(recogniser))
    assert there.terms_of([Example(TEXT)]) == recogniser.terms_of([Example(TEXT)])


@pytest.mark.parametrize("longest", [0, 6])
def test_a_length_that_means_nothing_is_refused(longest: int, documents: Documents) -> None:
    with pytest.raises(ConfigError, match="between 1 and 5 words"):
        Recogniser(documents, longest=longest)


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("cells", "cell"),
        ("mosquitoes", "mosquito"),
        ("bodies", "body"),
        ("boxes", "box"),
        ("wolves", "wolf"),
        ("virus", "virus"),
        ("analysis", "analysis"),
        ("glass", "glass"),
        ("gas", "gas"),
        ("species", "species"),
        ("women", "woman"),
        ("shoes", "shoe"),
        ("dna", "dna"),
    ],
)
def test_plurals_become_singulars(plural: str, one: str) -> None:
    assert singular(plural) == one
