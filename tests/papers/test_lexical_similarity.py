"""The worked numbers of Greenwood's thesis, tables 3.1 and 3.2 (GT), which are tables 1 and 2 of the paper (GN)."""

import pytest

from honeyguide.text.profiles import Profiles, lexical_similarity, profile

TABLE_3_1 = {
    "microarray core facility": "microarray|core|facility|microarray core|core facility|microarray core facility",
    "dna microarray facility": "dna|microarray|facility|dna microarray|microarray facility|dna microarray facility",
    "microarray database": "microarray|database|microarray database",
    "machine learning": "machine|learning|machine learning",
}
TABLE_3_2 = [
    # one head in common; 2 of 6 + 6 runs: 1/2 + 2/12
    ("microarray core facility", "DNA microarray facility", 2 / 3, 0.67),
    # no head in common; 1 of 6 + 3 runs
    ("microarray core facility", "microarray database", 1 / 9, 0.11),
    ("DNA microarray facility", "machine learning", 0.0, 0.0),
]


@pytest.mark.parametrize("term", TABLE_3_1)
def test_the_profiles_of_table_3_1(term: str) -> None:
    assert {" ".join(run) for run in profile(term.split())} == set(TABLE_3_1[term].split("|"))


@pytest.mark.parametrize(("one", "other", "by_hand", "published"), TABLE_3_2)
def test_the_similarities_of_table_3_2(one: str, other: str, by_hand: float, published: float) -> None:
    assert lexical_similarity(one, other) == pytest.approx(by_hand)
    assert round(lexical_similarity(one, other), 2) == published
    assert lexical_similarity(other, one) == lexical_similarity(one, other)


def test_the_similarities_of_table_3_2_through_the_index() -> None:
    levels = [{"dna microarray facility": 3.0, "machine learning": 2.0}, {"microarray database": 4.0}, {}]
    profiles = Profiles(levels)
    assert profiles.nearest("microarray core facility").values == pytest.approx((2 / 3, 1 / 9, 0))
    # (C_p + C_t) / 2 * LS with C_p = 5 (eq. 3.7)
    weighted = profiles.nearest_weighted("microarray core facility", 5.0).values
    assert weighted == pytest.approx((4 * 2 / 3, 4.5 / 9, 0))
    # The mean over a level's terms (eq. 3.2), each times its C-value (eq. 3.5)
    assert profiles.content("Microarray core facility") == pytest.approx([1 / 3, 1 / 9, 0])
    assert profiles.content("Microarray core facility", weighted=True) == pytest.approx([1, 4 / 9, 0])


def test_a_page_scores_the_mean_of_its_terms_nearest(  # eq. 3.4
) -> None:
    profiles = Profiles([{"dna microarray facility": 1.0}, {"microarray database": 1.0}])
    page = {"microarray core facility": 1.0, "machine learning": 1.0}
    assert profiles.page_score(page) == pytest.approx([(2 / 3 + 0) / 2, (1 / 9 + 0) / 2])


def test_a_context_takes_the_best_of_all_its_runs() -> None:  # eq. 3.3, 3.6
    profiles = Profiles([{"microarray facility": 3.0}, {"database": 2.0}])
    text = "we offer a microarray facility and its Databases to everybody"
    assert profiles.context(text) == pytest.approx([1, 1])
    assert profiles.context(text, weighted=True) == pytest.approx([3, 2])
    # The best run is "core facility": 1/2 + 1 / (3 + 3); "facility" alone has 1/2 + 1 / (1 + 3).
    assert profiles.context("our core facility")[0] == pytest.approx(0.75)
