import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.text import lexicon as module
from honeyguide.text.background import Background
from honeyguide.text.lexicon import LONGEST_TEXT, Lexicon
from honeyguide.text.tokens import Tokeniser

BACKGROUND = Background.from_counts({"dengu": 10, "fever": 100, "bite": 500, "é": 5}, 1000)
WANTED = ("dengu", "fever", "absent")
LEXICON = Lexicon(WANTED, background=BACKGROUND, tokeniser=Tokeniser())
WORDS = st.sampled_from(
    ["dengue", "Fevers", "fever’s", "bites", "the", "1914", "5g", "é", "x—y", "登革热", "'s"]
)
TEXTS = st.one_of(
    st.text(st.characters(codec=None), max_size=200), st.lists(WORDS, max_size=40).map(" ".join)
)


def expected(texts: list[tuple[str, float]]) -> tuple[list[float], float]:
    sums: dict[str, float] = {}
    for text, times in texts:
        for stem, number in Tokeniser().counts(text).items():
            sums[stem] = sums.get(stem, 0.0) + times * number
    size = math.hypot(*(number * BACKGROUND.idf(stem) for stem, number in sums.items()))
    return [sums.get(stem, 0.0) for stem in WANTED], size


def test_wanted_stems_are_counted_and_every_stem_lengthens_the_vector() -> None:
    counts, size = LEXICON.measure([("Dengue fever: a fever. Bites!", 1.0)])
    # f * idf: 1 * 4.60517, 2 * 2.30259, 1 * 0.69315; squares 21.20759 + 21.20759 + 0.48045 = 42.89563
    assert counts.tolist() == [1, 2, 0]
    assert size == pytest.approx(math.sqrt(42.89563), abs=1e-5)


def test_a_text_may_count_several_times_or_not_at_all() -> None:
    counts, size = LEXICON.measure([("dengue", 1.0), ("dengue fever", 2.5), ("fever", 0.0)])
    assert counts.tolist() == [3.5, 2.5, 0]
    assert size == pytest.approx(math.hypot(3.5 * math.log(100), 2.5 * math.log(10)))


@given(st.lists(st.tuples(TEXTS, st.sampled_from([0.0, 1.0, 2.5])), max_size=3))
@settings(deadline=None, derandomize=True, max_examples=200)
def test_it_counts_as_the_tokeniser_does(texts: list[tuple[str, float]]) -> None:
    counts, size = LEXICON.measure(texts)
    wanted, wanted_size = expected(texts)
    assert counts.tolist() == pytest.approx(wanted)
    assert size == pytest.approx(wanted_size)


def test_words_whose_slot_is_taken_and_words_forgotten_are_counted_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_SLOT_BITS", 3)
    monkeypatch.setattr(module, "_KNOWN_WORDS", 20)
    crowded = Lexicon(WANTED, background=BACKGROUND, tokeniser=Tokeniser())
    for start in range(0, 60, 10):
        text = " ".join(f"word{number}x dengue é—fever" for number in range(start, start + 10))
        wanted, size = expected([(text, 1.0)])
        for _ in range(2):
            counts, found = crowded.measure([(text, 1.0)])
            assert counts.tolist() == wanted
            assert found == pytest.approx(size)
    assert crowded._words <= 40


def test_there_is_room_for_more_stems_than_expected() -> None:
    lexicon = Lexicon(WANTED, background=BACKGROUND, tokeniser=Tokeniser())
    texts = [(" ".join(f"{letter}{number}" for number in range(20_000)), 1.0) for letter in "rstw"]
    _, size = lexicon.measure(texts)
    assert size == pytest.approx(math.sqrt(80_000) * BACKGROUND.rarest)


def test_only_the_beginning_of_an_endless_text_is_read() -> None:
    counts, _ = LEXICON.measure([("dengue " + "é" * LONGEST_TEXT + " fever", 1.0)])
    assert counts.tolist() == [1, 0, 0]


def test_nothing_is_left_over_from_the_text_before() -> None:
    LEXICON.measure([("dengue fever", 7.0)])
    assert not np.any(LEXICON._sums)
    counts, size = LEXICON.measure([])
    assert counts.tolist() == [0, 0, 0]
    assert size == 0


def test_a_lexicon_can_be_sent_to_another_process() -> None:
    data = pickle.dumps(LEXICON)
    assert len(data) < 100_000
    assert pickle.loads(data).measure([("fever", 1.0)])[0].tolist() == [0, 1, 0]
