import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.model import Example, Page
from honeyguide.text import documents as module
from honeyguide.text.documents import Bag, Documents, Weights
from honeyguide.text.wordbook import Column

DOCUMENTS = Documents()
WORDS = st.lists(
    st.sampled_from(["dengue", "Fevers", "fever", "the", "of", "north–south", "12", "é", ",", "\n"]),
    max_size=25,
).map(" ".join)


def named(bag: Bag, names: list[str]) -> dict[str, float]:
    return dict(zip([names[number] for number in bag.numbers.tolist()], bag.counts.tolist(), strict=True))


def counter(text: str, times: float) -> Counter[str]:
    return Counter(
        {word: number * times for word, number in Counter(DOCUMENTS.tokeniser.tokens(text)).items()}
    )


def backed(title: str, text: str) -> list[str]:
    """The words of a title that count beside a text."""
    tokens, stem = DOCUMENTS.tokeniser.tokens, DOCUMENTS.tokeniser.stem
    said = {stem(word) for word in tokens(text)}
    return [word for word in tokens(title) if not said or stem(word) in {*said, ""}]


def title_of(title: str, text: str) -> list[str]:
    """The words of a title that a document counts."""
    words = DOCUMENTS.read(Page("", title=title, text=text)).title
    return [DOCUMENTS.book.words.list[number] for number in words.tolist()]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(WORDS, WORDS, WORDS, WORDS)
def test_words_are_counted_as_a_counter_would_in_the_order_they_first_occur(
    title: str, heading: str, keyword: str, text: str
) -> None:
    page = Page("", title=title, text=text, headings=(heading, title), keywords=(keyword,))
    bag = DOCUMENTS.read(page).bag(Weights(title=3, headings=0.5, keywords=2, text=1))
    parts = ((" ".join(backed(title, text)), 3), (f"{heading}\n{title}", 0.5), (keyword, 2), (text, 1))
    expected: Counter[str] = Counter()
    for part, times in parts:
        expected.update(counter(part, times))
    found = named(bag, DOCUMENTS.book.words.list)
    assert found == dict(expected)
    assert list(found) == list(
        dict.fromkeys(DOCUMENTS.tokeniser.tokens("\n".join(part for part, _ in parts)))
    )


@settings(max_examples=100, deadline=None, derandomize=True)
@given(WORDS, WORDS)
def test_stems_are_counted_without_stop_words(title: str, text: str) -> None:
    bag = DOCUMENTS.read(Page("", title=title, text=text)).stems()
    counted = "\n".join((*backed(title, text), text))
    assert named(bag, DOCUMENTS.book.stems.list) == dict(DOCUMENTS.tokeniser.counts(counted))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(WORDS, WORDS)
def test_a_title_read_in_one_go_with_the_text_stays_apart_from_it(title: str, text: str) -> None:
    document = DOCUMENTS.read(Page("", title=title, text=text))
    alone = DOCUMENTS.book.read(text)
    assert document.title.tolist() == DOCUMENTS.book.numbers(" ".join(backed(title, text))).tolist()
    assert document.words.tolist() == alone.words.tolist()
    assert document.starts.tolist() == alone.starts.tolist()
    assert document.breaks.tolist() == alone.breaks().tolist()


def test_a_title_without_end_leaves_room_for_the_text() -> None:
    document = DOCUMENTS.read(Page("", title="word " * 100_000, text="dengue fever in a word"))
    assert len(document.words) == 5
    assert len(document.title) == module.TITLE_WORDS


@pytest.mark.parametrize("size", [1, module.LONGEST_TITLE])
def test_words_of_a_title_count_only_if_the_text_says_them_too(size: int) -> None:
    title = "Dengue portal: football" + " " * size
    assert title_of(title, "The football season starts with a football match.") == ["football"]
    assert title_of(title, "Tomatoes need sun.") == []


@pytest.mark.parametrize("size", [1, module.LONGEST_TITLE])
def test_a_word_of_a_title_counts_if_the_text_says_its_stem(size: int) -> None:
    assert title_of("Fevers Infections" + " " * size, "infected, with a FEVER") == ["fevers", "infections"]


@pytest.mark.parametrize("size", [1, module.LONGEST_TITLE])
@pytest.mark.parametrize("text", ["", " \n ", "... 12 !"])
def test_a_title_counts_if_there_is_no_text(text: str, size: int) -> None:
    assert title_of("Dengue fever" + " " * size, text) == ["dengue", "fever"]


@pytest.mark.parametrize("size", [1, module.LONGEST_TITLE])
def test_a_word_of_the_title_that_does_not_count_leaves_a_break(size: int) -> None:
    title = "dengue fever, aedes, dengue haemorrhagic fever" + " " * size
    part = DOCUMENTS.read(Page("", title=title, text="fever, dengue, aedes")).part("title")
    assert [DOCUMENTS.book.words.list[number] for number in part.words.tolist()] == [
        *("dengue", "fever", "aedes", "dengue", "fever")
    ]
    assert part.breaks.tolist() == [True, False, True, True, True]


@pytest.mark.parametrize("size", [1, module.LONGEST_TITLE])
def test_of_a_long_title_so_many_words_count_and_no_more(size: int) -> None:
    title = "a b " * (module.TITLE_WORDS // 2) + "dengue" + " " * size
    assert "dengue" not in title_of(title, "a b dengue")
    assert "dengue" in title_of(title.removeprefix("a b "), "a b dengue")


def test_a_part_that_counts_for_nothing_is_not_counted() -> None:
    page = Page("", title="dengue", text="fever")
    assert named(DOCUMENTS.read(page).bag(Weights(title=0)), DOCUMENTS.book.words.list) == {"fever": 1}
    assert not DOCUMENTS.read(page).bag(Weights(title=0, text=0)).numbers.size


def test_an_example_is_read_like_a_page() -> None:
    document = DOCUMENTS.read(Example("dengue fever", "Dengue"))
    assert named(document.bag(), DOCUMENTS.book.words.list) == {"dengue": 2, "fever": 1}
    assert not document.headings.size


def test_a_page_asked_for_again_is_not_read_again() -> None:
    documents = Documents()
    page = Page("", text="dengue")
    document = documents.read(page)
    assert documents.read(page) is document
    documents.read(replace(page, text="fever"))
    assert documents.read(page) is not document


def test_as_many_pages_are_remembered_as_asked_for() -> None:
    documents = Documents(remembered=2)
    pages = [Page("", text=text) for text in ("one", "two", "three")]
    first, second = documents.read(pages[0]), documents.read(pages[1])
    assert documents.read(pages[0]) is first
    assert documents.read(pages[1]) is second


def test_too_many_words_are_forgotten_and_pages_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KNOWN_WORDS", 50)
    documents = Documents()
    lengths = Column(documents.book.words, len)
    for start in range(0, 600, 20):
        words = [f"w{number}" for number in range(start, start + 20)]
        bag = documents.read(Page("", text=" ".join(words * 2))).bag()
        assert named(bag, documents.book.words.list) == dict.fromkeys(words, 2.0)
        assert lengths.of(bag.numbers).tolist() == list(map(len, words))
    assert len(documents.book.words) <= 71


def test_counts_do_not_depend_on_what_was_read_before() -> None:
    page = Page("", title="Dengue", text="the fever of dengue, a fever")
    fresh, used = Documents(), Documents()
    used.read(Page("", text="fever zebra dengue " * 3)).stems()
    one, other = fresh.read(page).stems(), used.read(page).stems()
    assert named(one, fresh.book.stems.list) == named(other, used.book.stems.list)
    assert fresh.idf.of(one.numbers).tolist() == used.idf.of(other.numbers).tolist()


def test_the_machinery_sent_to_another_process_counts_the_same() -> None:
    documents = Documents()
    page = Page("", text="dengue fever and dengue")
    here = named(documents.read(page).stems(), documents.book.stems.list)
    sent = pickle.loads(pickle.dumps(documents))
    sent.read(Page("", text="other words"))
    bag = sent.read(page).stems()
    assert named(bag, sent.book.stems.list) == here
    assert sent.idf.of(bag.numbers).tolist() == documents.background.idfs(["dengu", "fever"]).tolist()


def test_arrays_of_numbers_are_counted_each_so_many_times() -> None:
    parts = [(np.array([3, 1, 3, 0], np.int32), 2.0), (np.array([1, 9], np.int32), 0.5)]
    bag = Documents().count(parts, range(10))
    assert bag.numbers.tolist() == [3, 1, 9]
    assert bag.counts.tolist() == [4.0, 2.5, 0.5]
    assert not Documents().count([], range(10)).numbers.size
