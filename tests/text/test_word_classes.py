"""Words by what is wanted of them: the same as by their numbers, whatever is forgotten on the way."""

import gzip
import pickle
import re
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.model import Page, Term
from honeyguide.text import word_classes
from honeyguide.text.booleans import Pattern
from honeyguide.text.documents import Documents, Weights
from honeyguide.text.matching import Matcher
from honeyguide.text.pieces import Cutter
from honeyguide.text.word_classes import WordClasses

DOCUMENTS = Documents()
STEM, STOP, BEGINNING = Pattern("stem", "fever"), Pattern("word", "of"), Pattern("beginning", "deng")
WORDS = [
    "dengue",
    "Fevers",
    "fever",
    "of",
    "the",
    "fever\u2013dengue",
    "dengue's",
    "é",
    "Éa",
    "12",
    "\u2013",
    ",",
    "\n",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)
PLAIN, MIXED = ["fever", "dengue fever", "fever fever"], ["fever", "deng*", "fever of", "deng* fever"]


def class_of(word: str) -> tuple[Pattern, ...]:
    """What a word fits, word by word."""
    stem = DOCUMENTS.tokeniser.stem(word)
    own = (STEM,) if stem == STEM.text else (STOP,) if word == STOP.text else ()
    return (*own, *((BEGINNING,) if word.startswith(BEGINNING.text) else ()))


def said(words: list[str], phrase: str) -> int:
    """How often a phrase is said by words of which None stands for a break, looked for place by place."""
    patterns = phrase.split()

    def fits(pattern: str, word: str | None) -> bool:
        if word is None:
            return False
        if pattern.endswith("*"):
            return word.startswith(pattern[:-1])
        return word == pattern if pattern == "of" else DOCUMENTS.tokeniser.stem(word) == pattern_stem(pattern)

    return sum(
        at + len(patterns) <= len(words) and all(map(fits, patterns, words[at : at + len(patterns)]))
        for at in range(len(words))
    )


def pattern_stem(word: str) -> str:
    return DOCUMENTS.tokeniser.stem(word)


def broken(text: str) -> list[str | None]:
    """The words of a text, with None where punctuation or a new line stands."""
    words: list[str | None] = []
    for part in text.replace(",", "\n").split("\n"):
        words += [*DOCUMENTS.tokeniser.tokens(part), None]
    return words


@pytest.mark.parametrize(("bits", "most"), [(1, 1), (3, 3), (1, 20), (20, 20)])
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(TEXTS, max_size=5))
def test_every_word_is_of_the_class_that_it_fits_however_few_slots_there_are(
    bits: int, most: int, texts: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_classes, "_FEWEST_BITS", bits)
        patch.setattr(word_classes, "_MOST_BITS", most)
        patch.setattr(word_classes, "_MOST_JOINED", bits)
        classes = WordClasses([STEM, STOP, BEGINNING], DOCUMENTS.tokeniser)
        cutter, patterns = Cutter(), list(classes.number_of)
        for text in (*texts, *texts):
            read = classes.only_words(classes.read(cutter.cut(text)))
            found = [
                tuple(patterns[number - 1] for number in classes.patterns(which)) if which else ()
                for which in read.classes.tolist()
            ]
            assert found == [class_of(word) for word in DOCUMENTS.tokeniser.tokens(text)]
            assert len(read.starts) == len(found)


@pytest.mark.parametrize("terms", [PLAIN, MIXED])
@settings(max_examples=120, deadline=None, derandomize=True)
@given(TEXTS, TEXTS)
def test_terms_are_found_as_by_looking_at_every_place(terms: list[str], title: str, text: str) -> None:
    title = title.replace("\n", " ")
    document = DOCUMENTS.read(Page("", title=title, text=text))
    names = DOCUMENTS.book.words.list
    counting = document.part("title")
    spoken: list[str | None] = []
    for number, new in zip(counting.words.tolist(), counting.breaks.tolist(), strict=True):
        spoken += [None, names[number]] if new else [names[number]]
    found = Matcher([Term(term) for term in terms], DOCUMENTS).weigh(document, Weights(title=3))
    expected = {
        at: 3.0 * said(spoken, term) + said(broken(text), term)  # type: ignore[arg-type]
        for at, term in enumerate(terms)
    }
    assert dict(zip(found.terms.tolist(), found.times.tolist(), strict=True)) == {
        at: times for at, times in expected.items() if times
    }
    assert found.words == len(DOCUMENTS.tokeniser.tokens(text))


def test_classes_are_the_same_in_another_process() -> None:
    classes = WordClasses([STEM, STOP, BEGINNING], DOCUMENTS.tokeniser)
    text = Cutter().cut("dengue fever of fever\u2013dengue")
    before = classes.read(text).classes.tolist()
    assert pickle.loads(pickle.dumps(classes)).read(text).classes.tolist() == before == [4, 1, 2, 1, 4]


def test_no_form_of_a_wanted_word_is_passed_over_by_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of the ontology that comes with the package, each looked for by its stem alone."""
    monkeypatch.setattr(word_classes, "_FEWEST_BITS", 1)
    table = gzip.decompress(files("honeyguide.text").joinpath("wordnet-3.0.txt.gz").read_bytes()).decode()
    words = sorted(set(re.findall("[a-z]{1,40}", table)))
    cutter, tokeniser = Cutter(), DOCUMENTS.tokeniser
    chosen = [*words[::8], "aging", *(f"{letter}ying" for letter in "dlptv")]
    assert len(chosen) > 5000
    stems = {word: stem for word in chosen if (stem := tokeniser.stem(word))}
    found = {
        word: WordClasses([Pattern("stem", stem)], tokeniser).read(cutter.cut(word)).classes.tolist()
        for word, stem in stems.items()
    }
    assert [word for word, classes in found.items() if classes != [1]] == []
