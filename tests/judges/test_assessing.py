"""Whatever a judge of somebody's says, relevance lies between 0 and 1."""

import math
from dataclasses import dataclass

import pytest

from honeyguide.judges.assessing import assessed
from honeyguide.model import Page, Verdict


@dataclass
class Saying:
    score: float

    def assess(self, page: Page) -> Verdict:
        return Verdict(self.score, True, 2.0, judge="somebody's")


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (0.0, 0.0),
        (0.25, 0.25),
        (1.0, 1.0),
        (2.0, 1.0),
        (math.inf, 1.0),
        (-1.0, 0.0),
        (-math.inf, 0.0),
        (math.nan, 0.0),
    ],
)
def test_relevance_lies_between_0_and_1(said: float, heard: float) -> None:
    assert assessed(Saying(said), Page("https://a.example/")) == Verdict(heard, True, 2.0, judge="somebody's")
