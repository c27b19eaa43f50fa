"""The worked example of Manning, Raghavan & Schuetze, Introduction to Information Retrieval, 13.1."""

import math

import pytest

from honeyguide.judges.naive_bayes import NaiveBayes
from honeyguide.model import Example, Page, Topic

CHINA = Topic(
    "China",
    examples=(
        Example("Chinese Beijing Chinese"),
        Example("Chinese Chinese Shanghai"),
        Example("Chinese Macao"),
    ),
    off_topic=(Example("Tokyo Japan Chinese"),),
)


@pytest.fixture(scope="module")
def judge() -> NaiveBayes:
    return NaiveBayes(smoothing=1.0, title_weight=0.0).fit(CHINA)


def test_each_word_weighs_the_ratio_of_its_two_probabilities(judge: NaiveBayes) -> None:
    # P(Chinese | c) = (5 + 1) / (8 + 6) = 3/7 and P(Chinese | not c) = (1 + 1) / (3 + 6) = 2/9
    ratios = dict(zip(judge.state()["words"], judge.state()["ratios"].tolist(), strict=True))
    assert ratios["chinese"] == pytest.approx(math.log((3 / 7) / (2 / 9)))
    assert ratios["tokyo"] == pytest.approx(math.log((1 / 14) / (2 / 9)))
    assert ratios["japan"] == ratios["tokyo"]
    assert ratios["beijing"] == pytest.approx(math.log((2 / 14) / (1 / 9)))


def test_the_margin_is_the_mean_over_the_words_of_the_page(judge: NaiveBayes) -> None:
    # The test document: Chinese Chinese Chinese Tokyo Japan
    mean = (3 * math.log((3 / 7) / (2 / 9)) + 2 * math.log((1 / 14) / (2 / 9))) / 5
    calibration = judge.state()["calibration"]
    threshold = -calibration["offset"] / calibration["slope"]
    verdict = judge.assess(Page("", text="Chinese Chinese Chinese Tokyo Japan"))
    assert verdict.margin == pytest.approx(mean - threshold)


def test_the_books_odds_are_the_sum_of_these_and_of_the_prior(judge: NaiveBayes) -> None:
    # 3/4 * (3/7)^3 * 1/14 * 1/14 = .0003 against 1/4 * (2/9)^3 * 2/9 * 2/9 = .0001: the page is about China
    ratios = dict(zip(judge.state()["words"], judge.state()["ratios"].tolist(), strict=True))
    odds = math.log(3) + 3 * ratios["chinese"] + 2 * ratios["tokyo"]
    on, off = 3 / 4 * (3 / 7) ** 3 / 14**2, 1 / 4 * (2 / 9) ** 5
    assert (round(on, 4), round(off, 4)) == (0.0003, 0.0001)
    assert odds == pytest.approx(math.log(on / off))
