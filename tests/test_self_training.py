"""A judge that teaches itself is kept from believing its own errors."""

from dataclasses import replace

import pytest

from honeyguide.model import Example, Page, Topic, Verdict
from honeyguide.self_training import SelfTraining, taught


class Scores:
    """A judge that knows the score of every text."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    def assess(self, page: Page) -> Verdict:
        score = self.scores.get(page.text, 0.5)
        return Verdict(score, score > 0.5, score - 0.5, label="language" if page.language == "xx" else "")


def page(text: str, n: int = 0) -> Page:
    return Page(f"https://a.example/{text}{n}", text=text)


TOPIC = Topic(
    "x", examples=(Example("a"), Example("b")), off_topic=(Example("c"),), background=(Example("d"),)
)
GOOD = {"a": 0.9, "b": 0.8, "c": 0.2, "d": 0.1}


def test_only_pages_that_both_judges_are_sure_of_are_chosen() -> None:
    people = Scores(sure=0.99, doubt=0.7, rubbish=0.001, claimed=0.6)
    now = Scores(sure=0.98, doubt=0.99, rubbish=0.002, claimed=0.99)
    pages = [page(text) for text in ("claimed", "doubt", "sure", "rubbish", "unknown")]
    chosen = SelfTraining().choose(TOPIC, pages, (people, now))
    assert [example.text for example in chosen.on_topic] == ["sure"]
    assert [example.text for example in chosen.off_topic] == ["rubbish"]
    assert {example.weight for example in (*chosen.on_topic, *chosen.off_topic)} == {0.3}


def test_there_are_never_more_than_people_gave_nor_any_that_people_know() -> None:
    judge = Scores(sure=0.99)
    pages = [page("sure", n) for n in range(10)]
    assert len(SelfTraining().choose(TOPIC, pages, (judge, judge)).on_topic) == 2
    assert len(SelfTraining(most=1).choose(TOPIC, pages, (judge, judge)).on_topic) == 1
    assert SelfTraining().choose(Topic("x"), pages, (judge, judge)).urls == ()
    labelled = replace(TOPIC, off_topic=(Example("sure", url=pages[0].url),))
    chosen = SelfTraining().choose(labelled, [pages[0], pages[1], pages[1]], (judge, judge))
    assert chosen.urls == (pages[1].url,)


def test_pages_that_were_refused_before_judging_teach_nothing() -> None:
    judge = Scores(sure=0.99, rubbish=0.0)
    pages = [replace(page("rubbish"), language="xx"), replace(page("sure"), language="xx"), page(" ")]
    assert SelfTraining().choose(TOPIC, pages, (judge, judge)).urls == ()


def test_what_is_chosen_is_added_to_what_people_gave() -> None:
    judge = Scores(sure=0.99, rubbish=0.0)
    topic = taught(TOPIC, SelfTraining().choose(TOPIC, [page("sure"), page("rubbish")], (judge, judge)))
    assert [example.text for example in topic.examples] == ["a", "b", "sure"]
    assert [example.text for example in topic.off_topic] == ["c", "rubbish"]


def test_a_judge_that_is_no_worse_meets_no_objection() -> None:
    latest = [page("a"), page("d")]
    better = Scores(**GOOD | {"b": 0.95})
    assert SelfTraining().objection(TOPIC, latest, before=Scores(**GOOD), after=better) == ""


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"c": 0.85}, "average precision on the given examples would fall from 1.000 to 0.833"),
        ({"b": 0.45}, "mistakes on the given examples would rise from 0 to 1"),
        ({"c": 0.6}, "mistakes on the given examples would rise from 0 to 1"),
        ({"new": 0.9}, "the share of the latest pages on topic would jump from 0% to 100%"),
    ],
)
def test_a_judge_that_drifts_is_objected_to(changes: dict[str, float], sentence: str) -> None:
    latest = [page("new", n) for n in range(5)]
    before = Scores(**GOOD | {"new": 0.4})
    after = Scores(**GOOD | {"new": 0.4} | changes)
    assert SelfTraining().objection(TOPIC, latest, before=before, after=after) == sentence


def test_a_judge_that_says_the_same_of_everything_is_not_right() -> None:
    same = Scores(a=0.6, b=0.6, c=0.6, d=0.6)
    assert "average precision" in SelfTraining().objection(TOPIC, [], before=Scores(**GOOD), after=same)


@pytest.mark.parametrize(
    "wrong",
    [
        {"at_least": 1.5},
        {"at_least": 0.2, "at_most": 0.3},
        {"at_most": -0.1},
        {"every": 0},
        {"most": 0},
        {"weight": 0.0},
        {"weight": 2.0},
        {"jump": -1.0},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"."):
        SelfTraining(**wrong)  # type: ignore[arg-type]
