import pickle
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.text.stopwords import ENGLISH
from honeyguide.text.tokens import LONGEST_WORD, Tokeniser

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dengue FEVER, again!", ["dengue", "fever", "again"]),
        ("the dog's bone and the dogs' bones", ["the", "dog", "bone", "and", "the", "dogs", "bones"]),
        ("'quoted' don't o'clock", ["quoted", "don't", "o'clock"]),
        ("don’t O’Brien’s", ["don't", "o'brien"]),
        (
            "snake_case kebab-case dots.and/slashes",
            ["snake", "case", "kebab", "case", "dots", "and", "slashes"],
        ),
        ("war—peace «idée» now\u00a0here", ["war", "peace", "idée", "now", "here"]),
        ("ＦＵＬＬ ﬁsh ① Ⅳ", ["full", "fish", "iv"]),
        ("cafe\u0301 infor\u00admation ze\u200dro a\u200bb", ["café", "information", "zero", "a", "b"]),
        ("हिन्दी ÇA МИР", ["हिन्दी", "ça", "мир"]),
        ("❤️ 👶🏻 ´ ™ + =", []),
    ],
)
def test_words_are_found_whatever_stands_between_them(text: str, words: list[str]) -> None:
    assert Tokeniser().tokens(text) == words


@pytest.mark.parametrize("number", ["7", "1914", "3.14", "1980s", "20km", "10th", "1,000", "5'11", "٣٤", "½"])
def test_numbers_are_no_words(number: str) -> None:
    assert Tokeniser().tokens(number) == []


@pytest.mark.parametrize("word", ["h5n1", "mp3", "x86", "5g", "3d", "co2"])
def test_words_with_digits_in_them_stay(word: str) -> None:
    assert Tokeniser().tokens(word) == [word]


def test_overlong_words_are_left_out() -> None:
    longest = "a" * LONGEST_WORD
    assert Tokeniser().tokens(f"{longest} {longest}a {'é' * 41} end") == [longest, "end"]


def test_stems_join_the_forms_of_a_word_and_leave_stop_words_out() -> None:
    tokeniser = Tokeniser()
    assert tokeniser.stems("The computers don't compute; it's computing.") == ["comput", "comput", "comput"]
    assert tokeniser.stems("bird's birds’ Birds") == ["bird", "bird", "bird"]


def test_every_stop_word_is_one() -> None:
    assert Tokeniser().stems(" ".join(ENGLISH)) == []


def test_counts_are_the_stems_counted() -> None:
    counts = Tokeniser().counts("Birds—bird’s eggs… an egg, a bird–watcher, a bird")
    assert counts == {"bird": 4, "egg": 2, "watcher": 1}


@given(ANY_TEXT)
@settings(deadline=None, derandomize=True, max_examples=200)
def test_any_text_gives_words_of_bounded_length_and_as_many_counts_as_stems(text: str) -> None:
    tokeniser = Tokeniser()
    assert all(0 < len(word) <= LONGEST_WORD and " " not in word for word in tokeniser.tokens(text))
    stems = tokeniser.stems(text)
    counts = tokeniser.counts(text)
    assert sum(counts.values()) == len(stems)
    assert set(counts) == set(stems)
    assert all(stem.split() == [stem] for stem in counts)


@given(st.lists(ANY_TEXT, max_size=20))
@settings(deadline=None, derandomize=True, max_examples=50)
def test_a_small_memory_changes_nothing(texts: list[str]) -> None:
    forgetful, other = Tokeniser(remembered=3), Tokeniser()
    assert [forgetful.counts(text) for text in texts] == [other.counts(text) for text in texts]


def test_memory_is_bounded() -> None:
    tokeniser = Tokeniser(remembered=100)
    tokeniser.counts(" ".join(f"word{number}x" for number in range(10_000)))
    tokeniser.counts("x" * 100_000)
    assert len(tokeniser._stems) <= 100
    assert len(tokeniser._stems._last) <= 100


def test_a_run_of_combining_marks_costs_no_more_than_its_length() -> None:
    text = "e" + "\u0301\u0323" * 200_000
    start = time.process_time()
    assert Tokeniser().tokens(text) == []
    assert time.process_time() - start < 2


def test_a_tokeniser_can_be_sent_to_another_process() -> None:
    tokeniser = Tokeniser(stop_words=frozenset({"bird"}))
    assert pickle.loads(pickle.dumps(tokeniser)).stems("the bird sings") == ["the", "sing"]
