import pytest

from honeyguide.text.booleans import ABSENT, Atom, parse_term
from honeyguide.text.tokens import Tokeniser

TOKENISER = Tokeniser()


def times(term: str, **said: float) -> float:
    """How often a page says a term that says these words so often."""

    def times_of(atom: Atom) -> float:
        return said.get("_".join(pattern.text for pattern in atom.patterns), 0.0)

    return parse_term(term, TOKENISER).times(times_of)


def test_a_word_is_said_as_often_as_it_stands_there() -> None:
    assert times("dengue", dengu=3) == 3


def test_and_is_said_as_often_as_the_rarer_of_its_parts() -> None:
    assert times("mosquito AND virus", mosquito=5, virus=2) == 2
    assert times("mosquito AND virus", mosquito=5) == 0


def test_or_is_said_as_often_as_its_parts_together() -> None:
    assert times("mosquito OR gnat", mosquito=5, gnat=2) == 7


def test_not_takes_the_page_out_of_the_running() -> None:
    assert times("mosquito NOT malaria", mosquito=5) == 5
    assert times("mosquito AND NOT malaria", mosquito=5, malaria=1) == 0


def test_and_binds_closer_than_or_and_parentheses_closest() -> None:
    assert times("a1 OR b1 AND c1", a1=1) == 1
    assert times("(a1 OR b1) AND c1", a1=1) == 0
    assert times("(a1 OR b1) AND c1", a1=1, c1=4) == 1


def test_what_is_said_by_not_saying_something_counts_as_absence() -> None:
    assert times("NOT (NOT mosquito AND NOT gnat)", mosquito=1) == ABSENT


def test_small_operators_are_words_of_a_phrase() -> None:
    atom = parse_term("search and rescue", TOKENISER).atom
    assert atom is not None
    assert [pattern.kind for pattern in atom.patterns] == ["stem", "word", "stem"]


def test_quoted_operators_are_words_too() -> None:
    assert parse_term('"NOT" OR b1', TOKENISER).atoms()[0].patterns[0].text == "not"


def test_words_between_operators_are_a_phrase() -> None:
    term = parse_term('dengue AND (vaccine OR vector control) NOT "yellow fever"', TOKENISER)
    assert [len(atom.patterns) for atom in term.atoms()] == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("term", "why"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("1984", "a number alone is none"),
        ("...", "no word"),
        ("AND", "has AND where a word"),
        ("dengue AND", "has nothing where a word"),
        ("OR dengue", "has OR where a word"),
        ("(dengue", r'lacks a "\)"'),
        ("dengue)", r'has a "\)" too many'),
        ('dengue "fever"', "needs AND, OR or NOT"),
        ('"dengue fever', "does not close"),
        ("mos*quito", r"a \* that does not stand"),
        ("*", r"a \* that does not stand"),
        ("* AND dengue", r"a \* that does not stand"),
        ("NOT malaria", "only says what a page must not say"),
        ("dengue OR NOT malaria", "only says what a page must not say"),
        ("(" * 60 + "a1" + ")" * 60, "nested too deeply"),
        ("NOT " * 5000 + "a1", "nested too deeply"),
        ('""', "is empty"),
    ],
)
def test_a_term_that_means_nothing_is_refused_in_a_sentence(term: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        parse_term(term, TOKENISER)
    assert str(caught.value).startswith("The term ")
    assert str(caught.value).endswith(".")
