import pickle
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.model import Example
from honeyguide.text.documents import Documents
from honeyguide.text.profiles import LONGEST_CONTEXT, Profiles, lexical_similarity
from honeyguide.text.terms import Recogniser
from honeyguide.text.wordbook import Column

WORDS = ["gene", "cell", "line", "food", "market", "core"]
term = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
levels = st.lists(st.dictionaries(term, st.floats(0.5, 20), max_size=5), min_size=1, max_size=3)
text = st.lists(st.sampled_from([*WORDS, "cells", "Unknown", "other"]), max_size=8).map(" ".join)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(levels, text, st.floats(0, 30))
def test_the_index_finds_what_comparing_with_every_term_finds(
    levels: list[dict[str, float]], said: str, weight: float
) -> None:
    profiles = Profiles(levels)

    def largest(value: dict[str, float], factor: float) -> float:
        return max(
            (lexical_similarity(said, t) * (c if factor < 0 else (factor + c) / 2) for t, c in value.items()),
            default=0,
        )

    plain = [max((lexical_similarity(said, t) for t in level), default=0) for level in levels]
    assert profiles.nearest(said).values == pytest.approx(plain)
    assert profiles.nearest_weighted(said, weight).values == pytest.approx(
        [largest(level, weight) for level in levels]
    )
    for found, level, value in zip(profiles.nearest(said).terms, levels, plain, strict=True):
        assert (found < 0) == (value == 0)
        assert found < 0 or lexical_similarity(said, profiles.terms[found]) == pytest.approx(value)
        assert found < 0 or profiles.terms[found] in level


@settings(max_examples=100, deadline=None, derandomize=True)
@given(levels, text)
def test_links_are_compared_as_the_equations_say(levels: list[dict[str, float]], said: str) -> None:
    profiles = Profiles(levels)
    words = said.split()
    runs = [" ".join(words[a:b]) for a, b in combinations(range(len(words) + 1), 2)]
    for weighted in (False, True):
        similar = [{t: (c if weighted else 1) for t, c in level.items()} for level in levels]
        mean = [
            sum(c * lexical_similarity(said, t) for t, c in level.items()) / max(1, len(level))
            for level in similar
        ]
        best = [
            max((c * lexical_similarity(run, t) for t, c in level.items() for run in runs), default=0)
            for level in similar
        ]
        assert profiles.content(said, weighted=weighted) == pytest.approx(mean)
        assert profiles.context(said, weighted=weighted) == pytest.approx(best)


@dataclass
class Reading:
    """A text with its terms, and what they are near to by arrays and one by one."""

    said: str
    profiles: Profiles

    def __post_init__(self) -> None:
        documents = Documents()
        recogniser = Recogniser(documents, least=0)
        document = documents.read(Example(self.said))
        self.terms = recogniser.terms(document)
        self.numbers = Column(documents.book.words, self.profiles.number, np.int32).of(self.terms.words)
        names = [documents.book.words.list[number] for number in document.words.tolist()]
        spans = zip(self.terms.starts.tolist(), self.terms.lengths.tolist(), strict=True)
        self.names = [" ".join(names[start : start + length]) for start, length in spans]

    def at_once(self, *, weighted: bool) -> dict[str, tuple[float, ...]]:
        rows, found = self.profiles.nearest_of(self.terms, self.numbers, weighted=weighted)
        return {self.names[row]: near.values for row, near in zip(rows.tolist(), found, strict=True)}

    def one_by_one(self, *, weighted: bool) -> dict[str, tuple[float, ...]]:
        found = {
            name: self.profiles.nearest_weighted(name, value) if weighted else self.profiles.nearest(name)
            for name, value in zip(self.names, self.terms.values.tolist(), strict=True)
        }
        return {name: near.values for name, near in found.items() if any(near.values)}


SAID = (
    "The cell line market sells gene food. A market food market is a food market of cell lines, "
    "gene cells and yeast cells; buffalo buffalo yeast and gene gene cells are core food core food."
)
LEVELS = [{"cell line": 3.0, "gene cell": 2.0, "core food core": 2.0}, {"food market": 5.0, "cell": 1.0}, {}]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("remembered", [0, 50_000])
def test_all_terms_of_a_page_at_once_are_as_near_as_one_by_one(weighted: bool, remembered: int) -> None:
    reading = Reading(SAID, Profiles(LEVELS, remembered=remembered))
    expected = reading.one_by_one(weighted=weighted)
    assert len(expected) > 5
    assert reading.at_once(weighted=weighted) == expected
    assert reading.at_once(weighted=weighted) == expected
    assert reading.at_once(weighted=not weighted) != expected


def test_a_page_without_a_known_word_is_near_to_nothing() -> None:
    reading = Reading("Roses are pruned in winter.", Profiles(LEVELS))
    assert reading.at_once(weighted=False) == {}
    assert Reading("", Profiles(LEVELS)).at_once(weighted=False) == {}
    assert Reading("cell", Profiles([{}, {}])).at_once(weighted=True) == {}


def test_words_compare_in_lower_case_and_as_singulars() -> None:
    assert lexical_similarity("Cell Lines", "cell line") == 1.0
    assert Profiles([{"cell lines": 1.0}]).nearest("Cell line").values == (1.0,)


def test_nothing_is_like_nothing() -> None:
    profiles = Profiles(LEVELS)
    assert lexical_similarity("", "cell") == lexical_similarity("cell", "") == 0.0
    assert profiles.nearest("").values == profiles.nearest(" ").values == (0.0, 0.0, 0.0)
    assert profiles.content("") == profiles.context("") == [0.0, 0.0, 0.0]
    assert profiles.page_score({}) == [0.0, 0.0, 0.0]


def test_only_the_beginning_of_an_endless_anchor_is_read() -> None:
    profiles = Profiles(LEVELS)
    endless = "cell line market gene core food " * 10_000
    beginning = " ".join(endless.split()[:LONGEST_CONTEXT])
    assert profiles.content(endless) == profiles.content(beginning)
    assert profiles.context(endless) == profiles.context(beginning)


def test_profiles_say_the_same_in_another_process() -> None:
    profiles = Profiles(LEVELS)
    assert pickle.loads(pickle.dumps(profiles)).nearest("yeast cell line") == profiles.nearest(
        "yeast cell line"
    )
