import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.text import wordbook
from honeyguide.text.tokens import Tokeniser
from honeyguide.text.wordbook import LONGEST_TEXT, Column, Names, Wordbook

TEXTS = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab zÄé'’.,-\u2013\u200b\u00ad\n19"),
        st.characters(max_codepoint=0x2FFF),
    ),
    max_size=80,
)


def words(book: Wordbook, text: str) -> list[str]:
    return [book.words.list[number] for number in book.read(text).words.tolist()]


@pytest.fixture(scope="module")
def book() -> Wordbook:
    return Wordbook(Tokeniser())


@settings(max_examples=300, deadline=None, derandomize=True)
@given(TEXTS)
def test_the_words_are_those_of_the_tokeniser(book: Wordbook, text: str) -> None:
    assert words(book, text) == book.tokeniser.tokens(text)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(TEXTS, max_size=6))
def test_words_whose_slots_are_taken_are_the_same_words(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wordbook, "_SLOT_BITS", 2)
        book = Wordbook(Tokeniser())
        for text in (*texts, *texts):
            assert words(book, text) == book.tokeniser.tokens(text)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(TEXTS, min_size=2, max_size=6))
def test_what_was_forgotten_is_numbered_afresh(texts: list[str]) -> None:
    book = Wordbook(Tokeniser())
    for text in texts:
        book.read(text)
        book.forget()
        assert len(book.words) == len(book.stems) == 1
        assert words(book, text) == book.tokeniser.tokens(text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(TEXTS)
def test_stems_are_those_of_the_tokeniser(book: Wordbook, text: str) -> None:
    numbers = book.stem_numbers(book.numbers(text)).tolist()
    assert [book.stems.list[number] for number in numbers if number] == book.tokeniser.stems(text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(TEXTS)
def test_every_word_starts_at_its_byte(book: Wordbook, text: str) -> None:
    reading = book.read(text)
    raw = text.encode("utf-8", "replace")
    starts = reading.starts.tolist()
    assert all(one <= other for one, other in pairwise(starts))
    for number, start in zip(reading.words.tolist(), starts, strict=True):
        assert book.words.list[number] in book.tokeniser.tokens(raw[start:].decode())


def test_words_joined_by_other_punctuation_are_words_of_their_own(book: Wordbook) -> None:
    assert words(book, "north\u2013south “quoted” 1990\u20132000 east\u2014west") == [
        "north",
        "south",
        "quoted",
        "east",
        "west",
    ]


@pytest.mark.parametrize("mark", list('.,;:!?()[]{}<>"|/\n\r\t'))
def test_punctuation_is_a_break_before_the_next_word(book: Wordbook, mark: str) -> None:
    reading = book.read(f"one two {mark} three-four 12{mark}13 five")
    assert reading.breaks().tolist() == [True, False, True, False, True]


@pytest.mark.parametrize("mark", list("-_&'+ \u2013"))
def test_other_signs_are_no_breaks(book: Wordbook, mark: str) -> None:
    assert book.read(f"one {mark} two").breaks().tolist() == [True, False]


def test_breaks_after_the_last_word_break_nothing(book: Wordbook) -> None:
    assert book.read("one two.\n\n").breaks().tolist() == [True, False]
    assert book.read("...").breaks().tolist() == []


def test_a_text_without_end_is_read_up_to_a_length(book: Wordbook) -> None:
    read = book.read("é" * LONGEST_TEXT + " end").words
    assert len(read) == 0
    assert len(book.read("word " * LONGEST_TEXT).words) <= LONGEST_TEXT // 5


def test_half_a_character_at_the_end_of_what_is_read_does_no_harm(book: Wordbook) -> None:
    assert book.read("a " * (LONGEST_TEXT // 2 - 1) + "éé").words.size


def test_a_column_is_worked_out_once_for_every_word() -> None:
    book = Wordbook(Tokeniser())
    asked = []

    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    column = Column(book.words, length)
    numbers = book.numbers("one three one")
    assert column.of(numbers).tolist() == [3, 5, 3]
    assert column.of(book.numbers("three seven")).tolist() == [5, 5]
    assert asked == ["one", "three", "seven"]


def test_a_column_grows_with_the_words() -> None:
    names = Names()
    column = Column(names, len, np.int32)
    numbers = np.array([names.number("x" * (1 + at % 40) + str(at)) for at in range(5000)], np.int32)
    assert column.of(numbers).tolist() == [len(names.list[number]) for number in numbers.tolist()]
    assert column.of(np.array([0], np.int32)).tolist() == [0]


def test_a_column_notices_that_all_was_forgotten() -> None:
    book = Wordbook(Tokeniser())
    column = Column(book.words, len)
    assert column.of(book.numbers("one three")).tolist() == [3, 5]
    book.forget()
    assert column.of(book.numbers("three one")).tolist() == [5, 3]


def test_columns_sent_with_their_book_follow_it_in_the_other_process() -> None:
    book = Wordbook(Tokeniser())
    column = Column(book.words, len)
    column.of(book.numbers("some words that were met here"))
    sent_book, sent_column = pickle.loads(pickle.dumps((book, column)))
    assert len(sent_book.words) == 1
    assert sent_column.of(sent_book.numbers("dengue it is")).tolist() == [6, 2, 2]
    assert column.of(book.numbers("it")).tolist() == [2]


def test_pieces_that_are_no_words_count_as_remembered_too() -> None:
    book = Wordbook(Tokeniser())
    book.read(" ".join(map(str, range(1000))))
    assert len(book.words) == 1
    assert book.learned == 1000
    book.read("a·b·c·d")
    assert book.learned == 1005
    book.forget()
    assert book.learned == 0
