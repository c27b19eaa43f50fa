"""EM for words and links, worked by hand and on tables that hide known factors."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.graph.plsi_phits import (
    Factors,
    Parted,
    Table,
    Tempered,
    fold_in,
    learn,
    likelihood,
    of_targets,
    step,
)


def table(places: list[tuple[int, int, float]], shape: tuple[int, int], share: float = 0.5) -> Table:
    rows, columns, counts = (np.array(one) for one in zip(*places, strict=True))
    return Table.of(rows, columns, counts.astype(float), shape, share=share)


# Document 0 says a and b once and links to 0; document 1 says b twice and links to 0 and 1.
TEXT = table([(0, 0, 1), (0, 1, 1), (1, 1, 2)], (2, 2))
LINKS = table([(0, 0, 1), (1, 0, 1), (1, 1, 1)], (2, 2))
START = Factors(
    np.array([[0.8, 0.4], [0.2, 0.6]]),
    np.array([[0.5, 0.5], [0.25, 0.75]]),
    np.array([[0.75, 0.25], [0.5, 0.5]]),
)


def test_every_document_counts_alike_and_is_shared_between_words_and_links() -> None:
    assert TEXT.weights.tolist() == [0.25, 0.25, 0.5]
    assert LINKS.weights.tolist() == [0.5, 0.25, 0.25]


def test_one_step_worked_by_hand() -> None:
    # Of the first factor: a in 0: .4 of .45; b in 0: .4 of .55; b in 1: .2 of .65;
    # link 0 of 0: .6 of .7; link 0 of 1: .3 of .6; link 1 of 1: .1 of .4.
    a0, b0, b1, l00, l10, l11 = 8 / 9, 8 / 11, 4 / 13, 6 / 7, 1 / 2, 1 / 4
    mixtures, terms, links = step(START, TEXT, LINKS)
    first = [a0 / 4 + b0 / 4 + l00 / 2, b1 / 2 + l10 / 4 + l11 / 4]
    assert mixtures[0] == pytest.approx(first)
    assert mixtures[1] == pytest.approx([1 - one for one in first])
    assert terms[0, 0] == pytest.approx((a0 / 4) / (a0 / 4 + b0 / 4 + b1 / 2))
    assert terms[1, 0] == pytest.approx(
        ((1 - a0) / 4) / ((1 - a0) / 4 + (1 - b0) / 4 + (1 - b1) / 2), abs=1e-9
    )
    assert links[0, 0] == pytest.approx((l00 / 2 + l10 / 4) / (l00 / 2 + l10 / 4 + l11 / 4))
    assert first == pytest.approx([0.83261, 0.34135], abs=1e-5)


def test_a_tempered_step_takes_powers_before_it_shares_out() -> None:
    a0, b0 = (sqrt(x) / (sqrt(x) + sqrt(y)) for x, y in ((0.4, 0.05), (0.4, 0.15)))
    l00 = sqrt(0.6) / (sqrt(0.6) + sqrt(0.1))
    tempered = step(START, TEXT, LINKS, 0.5)
    assert tempered.mixtures[0, 0] == pytest.approx(a0 / 4 + b0 / 4 + l00 / 2)
    assert tempered.mixtures[0, 0] < step(START, TEXT, LINKS).mixtures[0, 0]


def test_the_likelihood_worked_by_hand() -> None:
    words = 0.25 * log(0.45) + 0.25 * log(0.55) + 0.5 * log(0.65)
    links = 0.5 * log(0.7) + 0.25 * log(0.6) + 0.25 * log(0.4)
    assert likelihood(START, TEXT, LINKS) == pytest.approx(words + links)


def test_a_page_linked_to_is_mixed_like_what_links_to_it() -> None:
    # Link 0 has .5 * 6/7 + .25 * 1/2 of the first factor and .5 * 1/7 + .25 * 1/2 of the second.
    mixed = of_targets(START, LINKS)
    assert mixed[:, 0] == pytest.approx([(3 / 7 + 1 / 8) / 0.75, (1 / 14 + 1 / 8) / 0.75])
    assert mixed[:, 1] == pytest.approx([0.25, 0.75])


def test_a_new_text_is_folded_in() -> None:
    # From equal shares: a is 2/3 of the first factor, b 2/5.
    once = fold_in(START.terms, np.array([0, 1]), np.array([3.0, 1.0]), steps=1)
    assert once[0] == pytest.approx(0.75 * 2 / 3 + 0.25 * 2 / 5)
    assert fold_in(START.terms, np.zeros(0, np.int64), np.zeros(0)).tolist() == [0.5, 0.5]


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), factors=st.integers(1, 5), alpha=st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_the_likelihood_never_falls(seed: int, factors: int, alpha: float) -> None:
    text, links, current = drawn(seed, factors, alpha)
    before = likelihood(current, text, links)
    for _ in range(8):
        current = step(current, text, links)
        after = likelihood(current, text, links)
        assert after >= before - 1e-9
        before = after
        assert current.mixtures.sum(axis=0) == pytest.approx(np.ones(12))
        assert current.terms.sum(axis=1) == pytest.approx(np.ones(factors) * (alpha > 0))


def drawn(seed: int, factors: int, alpha: float) -> tuple[Table, Table, Factors]:
    random = np.random.default_rng(seed)
    tables = []
    for things, share in ((15, alpha), (9, 1 - alpha)):
        counts = random.poisson(0.7, (12, things))
        rows, columns = counts.nonzero()
        tables.append(Table.of(rows, columns, counts[rows, columns].astype(float), counts.shape, share=share))
    mixtures = random.dirichlet(np.ones(factors), 12).T
    return tables[0], tables[1], Factors.of_mixtures(mixtures, *tables)


def planted(random: np.random.Generator) -> tuple[Table, Table]:
    """Sixty documents of three kinds; each kind says ten words and links to six pages of its own, mostly."""
    tables = []
    for things, number in ((10, 40), (6, 12)):
        counts = np.zeros((60, 3 * things))
        for document in range(60):
            own = document % 3 * things + random.integers(0, things, number)
            np.add.at(counts[document], np.where(random.random(number) < 0.85, own, own // 2), 1)
        rows, columns = counts.nonzero()
        tables.append(Table.of(rows, columns, counts[rows, columns], counts.shape, share=0.5))
    return tables[0], tables[1]


def test_planted_factors_are_found() -> None:
    random = np.random.default_rng(3)
    text, links = planted(random)
    start = Factors.of_mixtures(random.dirichlet(np.ones(3), 60).T, text, links)
    whole = [one.parted(np.zeros(len(one.rows), bool)) for one in (text, links)]
    found, beta = learn(start, *whole, steps=80)
    assert beta == 1.0
    of_documents = found.mixtures.argmax(axis=0).reshape(20, 3)
    assert (of_documents == of_documents[0]).all()
    assert sorted(of_documents[0].tolist()) == [0, 1, 2]
    of_pages = of_targets(found, links).argmax(axis=0).reshape(3, 6)
    assert (np.sort(of_pages, axis=1)[:, 2] == of_documents[0]).all()


def noise(factors: int = 8) -> tuple[Factors, Parted, Parted]:
    """Tables in which there is nothing to learn, a fifth of them held back."""
    random = np.random.default_rng(5)
    text, links, start = drawn(7, factors, 0.5)
    parted = [one.parted(random.random(len(one.rows)) < 0.2) for one in (text, links)]
    return start, parted[0], parted[1]


def test_em_stops_before_it_learns_noise_by_heart() -> None:
    start, text, links = noise()
    found, beta = learn(start, text, links, steps=100)
    by_heart = start
    for _ in range(100):
        by_heart = step(by_heart, text.learned, links.learned)
    assert likelihood(found, text.held_back, links.held_back) >= likelihood(
        start, text.held_back, links.held_back
    )
    assert likelihood(found, text.held_back, links.held_back) > likelihood(
        by_heart, text.held_back, links.held_back
    )
    assert any(beta == pytest.approx(one) for one in (1.0, 0.9, 0.81))


def test_beta_is_lowered_only_when_that_helps() -> None:
    start, text, links = noise()
    plain, one = learn(start, text, links, steps=100, tempered=Tempered(lowest=1.0))
    tempered, _ = learn(start, text, links, steps=100)
    assert one == 1.0
    held_back = text.held_back, links.held_back
    assert likelihood(tempered, *held_back) >= likelihood(plain, *held_back)


def test_going_on_is_the_same_as_not_having_stopped() -> None:
    text, links, start = drawn(1, 3, 0.5)
    whole = [one.parted(np.zeros(len(one.rows), bool)) for one in (text, links)]
    middle, _ = learn(start, *whole, steps=4)
    assert np.array_equal(
        learn(middle, *whole, steps=4).factors.mixtures, learn(start, *whole, steps=8).factors.mixtures
    )
