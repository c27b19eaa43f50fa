"""LinkScore with the terms of Greenwood's tables (GT 3.2, tables 3.1, 3.2 and 5.5), worked by hand."""

from math import exp

import numpy as np
import pytest

from honeyguide.model import Candidate, Link, Page, Verdict, Visit
from honeyguide.strategies.link_levels import LinkLevels
from honeyguide.strategies.link_score import PUBLISHED, LinkScore
from honeyguide.strategies.order_score import order_score
from honeyguide.text.documents import Documents
from honeyguide.text.levels import Levels, LevelTerms

LEVELS = (
    LevelTerms("Companies", {"dna microarray facility": 3.0, "machine learning": 2.0}),
    LevelTerms("Bioinformatics", {"microarray database": 8.0}),
    LevelTerms("Biology", {}),
)


def made(*, cvalue: bool = False, w: int = 6) -> LinkLevels:
    return LinkLevels(Levels(LEVELS, Documents(), branch=3, cvalue=cvalue), w=w)


def test_the_anchor_of_table_3_2_belongs_to_the_target() -> None:
    # Companies: (2/3 + 0) / 2 = .33; Bioinformatics: 1/9 (eq. 3.2)
    assert made().of_anchor("Microarray core facility") == 1
    # Companies: (0 + 3 * 2/3 + 0) / 2 = 1; Bioinformatics: 8/9 (eq. 3.5)
    assert made(cvalue=True).of_anchor("Microarray core facility") == 1
    # Companies: 1/7 / 2 = .07; Bioinformatics: 1/4
    assert made().of_anchor("microarray") == 2
    assert made().of_anchor("contact us") == 4


def test_the_context_takes_the_best_of_all_runs() -> None:
    link = Link("https://a.example/", "", "here", "our microarray core facility is here , a database")
    # Companies: 1/2 + 2/12 = .67 for the whole; Bioinformatics: 1/2 + 1/4 = .75 for "database" (eq. 3.3)
    assert made().of_context(link) == 2
    # With two words on each side only "facility" is left of the one, and of the other "a".
    assert made(w=2).of_context(link) == 1


def test_a_page_is_compared_with_all_levels() -> None:
    page = Page("https://a.example/", text="Microarray database")
    visit = Visit(Candidate(Link(page.url), 0.0), page=page, verdict=Verdict(0.5, False, judge="svm@1"))
    assert made().of_visit(visit) == 2
    assert made().outcome(visit) == pytest.approx(1 + 3 * 0.5)


def test_the_weights_of_table_5_5() -> None:
    assert [PUBLISHED[name] for name in ("content", "context", "page")] == [0.062, 0.627, 0.311]
    assert sum(PUBLISHED[name] for name in ("content", "context", "page")) == pytest.approx(1)


def test_the_order_score_is_least_when_the_target_comes_first() -> None:  # eq. 3.10
    assert order_score(np.array([1.0, 1.0, 2.0, 4.0])) == pytest.approx(1 + 1 / 2 + 2 / 3 + 4 / 4)
    assert order_score(np.array([4.0, 2.0, 1.0, 1.0])) == pytest.approx(4 + 2 / 2 + 1 / 3 + 1 / 4)


def test_minus_the_logarithm_orders_as_the_product_does() -> None:  # eq. 3.8
    strategy = LinkScore()
    products = [a * b * c for a in range(1, 5) for b in range(1, 5) for c in range(1, 5)]
    scores = [
        sum(strategy._parts((a, b, c)).values())
        for a in range(1, 5)
        for b in range(1, 5)
        for c in range(1, 5)
    ]
    assert [exp(-score) for score in scores] == pytest.approx(products)
