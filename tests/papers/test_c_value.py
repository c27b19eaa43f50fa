"""The C-value (GT eq. 2.1) on the example with which its authors explain it.

Frantzi, Ananiadou & Mima, Automatic recognition of multi-word terms, Int. J. on Digital Libraries 3 (2000),
section 2.2: basal cell carcinoma occurs 984 times, 26 of them inside five longer terms, one of which is
nested in another. The published C-values are those below.
"""

import math

import numpy as np
import pytest

from honeyguide.text.terms import c_values

OCCURRENCES = {
    "adenoid cystic basal cell carcinoma": 5,
    "cystic basal cell carcinoma": 6,  # and 5 in the one above
    "ulcerated basal cell carcinoma": 7,
    "recurrent basal cell carcinoma": 5,
    "circumscribed basal cell carcinoma": 3,
    "basal cell carcinoma": 958,  # and 26 in those above
}
PUBLISHED = {
    "adenoid cystic basal cell carcinoma": 11.6096,
    "cystic basal cell carcinoma": 12,
    "ulcerated basal cell carcinoma": 14,
    "recurrent basal cell carcinoma": 10,
    "circumscribed basal cell carcinoma": 6,
    "basal cell carcinoma": 1551.36,
}


def values(phrases: dict[str, int], *, singles: bool = False) -> dict[str, float]:
    text = [phrase.split() for phrase, times in phrases.items() for _ in range(times)]
    words = [word for phrase in text for word in phrase]
    names = sorted(set(words))
    found = c_values(
        np.array([names.index(word) for word in words], np.int32),
        np.array([place == len(phrase) - 1 for phrase in text for place in range(len(phrase))]),
        np.array([place == 0 for phrase in text for place in range(len(phrase))]),
        weight=lambda length: math.log2(length + singles),
    )
    spans = zip(found.starts.tolist(), found.lengths.tolist(), found.values.tolist(), strict=True)
    return {" ".join(words[start : start + length]): value for start, length, value in spans}


def test_the_published_c_values() -> None:
    found = values(OCCURRENCES)
    for term, published in PUBLISHED.items():
        assert found[term] == pytest.approx(published, abs=0.005), term


def test_by_hand_for_a_term_nested_in_one_and_in_two_longer_terms() -> None:
    found = values({"gene": 3, "mutant gene": 4, "rare mutant gene": 2, "yeast gene": 1}, singles=True)
    assert found["rare mutant gene"] == pytest.approx(math.log2(4) * 2)
    # 6 times, of which 2 in one longer term
    assert found["mutant gene"] == pytest.approx(math.log2(3) * (6 - 2 / 1))
    # 10 times; in rare mutant gene 2, in mutant gene 4 without those, in yeast gene 1: 7 in three terms
    assert found["gene"] == pytest.approx(math.log2(2) * (10 - 7 / 3))


def test_a_single_word_scores_nothing_by_the_formula_as_printed() -> None:
    assert "gene" not in values({"gene": 9})
    assert values({"gene": 9}, singles=True) == {"gene": 9.0}


def test_what_occurs_only_inside_one_longer_term_is_no_term() -> None:
    assert values({"rare mutant gene": 3}, singles=True) == {"rare mutant gene": pytest.approx(6.0)}
