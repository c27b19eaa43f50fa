"""The weight of a word as AP eq. 1-3 have it, number for number."""

import math

import pytest

from honeyguide.judges.bm25 import Bm25
from honeyguide.model import Example, Page, Topic
from honeyguide.text.background import Background
from honeyguide.text.documents import Documents

# n = 1000 documents, of which 10 say dengue and 100 fever: CFW = ln(100) = 4.605, ln(10) = 2.303.
DOCUMENTS = Documents(background=Background.from_counts({"dengu": 10, "fever": 100}, 1000))
TOPIC = Topic("dengue fever", background=(Example("w1 w2 w3 w4"), Example("w1 w2 w3 w4 w5 w6 w7 w8")))
PAGE = Page("", text="dengue dengue fever w1 w2 w3 w4 w5 w6")


def test_the_score_is_the_sum_of_weights_as_a_share_of_the_most_there_can_be() -> None:
    # DL = 9 words, avg DL = 6, NDL = 1.5; k1 * ((1 - b) + b * NDL) = 2 * (0.25 + 1.125) = 2.75
    # CW(dengue) = 4.605 * 2 * 3 / (2.75 + 2) = 5.817; CW(fever) = 2.303 * 1 * 3 / (2.75 + 1) = 1.842
    # at most (4.605 + 2.303) * 3 = 20.723
    verdict = Bm25(k1=2, b=0.75, threshold=0.3).fit(TOPIC, DOCUMENTS).assess(PAGE)
    assert verdict.score == pytest.approx((5.817 + 1.842) / 20.723, abs=1e-4)
    assert [(reason.what, pytest.approx(reason.amount * 20.723, abs=1e-2)) for reason in verdict.reasons] == [
        ("dengue", 5.817),
        ("fever", 1.842),
    ]


def test_a_word_repeated_without_end_comes_to_its_most() -> None:
    judge = Bm25(b=0.0, threshold=0.3).fit(TOPIC, DOCUMENTS)
    share = math.log(100) / (math.log(100) + math.log(10))
    assert judge.assess(Page("", text="dengue " * 20_000)).score == pytest.approx(share, abs=1e-3)


def test_without_b_a_page_weighs_the_same_however_long_it_is() -> None:
    judge = Bm25(b=0.0, threshold=0.3).fit(TOPIC, DOCUMENTS)
    assert judge.assess(PAGE).score == pytest.approx(
        judge.assess(Page("", text=f"{PAGE.text} {'w9 ' * 500}")).score
    )
    judge = Bm25(b=1.0, threshold=0.3).fit(TOPIC, DOCUMENTS)
    assert judge.assess(PAGE).score > judge.assess(Page("", text=f"{PAGE.text} {'w9 ' * 500}")).score
