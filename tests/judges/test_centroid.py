import math
import pickle
from dataclasses import replace

import pytest
from topic_of_dengue import BACKGROUND, NEAR, OFF, ON, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.centroid import Centroid
from honeyguide.judges.reasons import OTHERS
from honeyguide.model import Example, Page, Topic
from honeyguide.text.background import Background

LAST = Example("zebra")


@pytest.fixture(scope="module")
def judge() -> Centroid:
    return Centroid().fit(TOPIC)


def test_the_score_is_the_cosine_to_the_mean_of_the_examples() -> None:
    # Two examples of length 1, (d, f) / |d, f| and (d, 0) / d; their mean and the page (d, f) by hand.
    topic = Topic("dengue", examples=(Example("dengue fever"), Example("dengue")), background=(LAST,))
    d, f = Background.load().idf("dengu"), Background.load().idf("fever")
    mean = ((d / math.hypot(d, f) + 1) / 2, f / math.hypot(d, f) / 2)
    cosine = (d * mean[0] + f * mean[1]) / math.hypot(d, f) / math.hypot(*mean)
    fitted = Centroid(against=0.0, repeats="linear", threshold=0.5).fit(topic)
    verdict = fitted.assess(Page("", text="dengue fever"))
    assert verdict.score == pytest.approx(cosine)
    assert [reason.what for reason in verdict.reasons] == ["dengue", "fever"]


def test_a_heavier_example_draws_the_centroid() -> None:
    for weight, closer in ((10.0, "dengue"), (0.1, "fever")):
        examples = (Example("dengue", weight=weight), Example("fever"))
        fitted = Centroid(threshold=0.5).fit(Topic("x1", examples=examples, background=(LAST,)))
        assert fitted.terms()[0].what == closer


def test_pages_are_told_apart(judge: Centroid) -> None:
    on, near, off = map(judge.assess, (ON, NEAR, OFF))
    assert on.score > near.score > off.score
    assert on.relevant
    assert not off.relevant


def test_what_other_texts_say_speaks_against_a_page(judge: Centroid) -> None:
    parliament = Page("", text=BACKGROUND[0].text)
    verdict = judge.assess(parliament)
    assert (verdict.score, verdict.reasons) == (0.0, ())
    assert verdict.margin < 0
    plain = Centroid(against=0.0).fit(TOPIC)
    assert plain.assess(parliament).score >= 0
    assert all(reason.amount > 0 for reason in plain.assess(ON).reasons)


def test_the_reasons_add_up_and_are_spelt_as_in_the_texts(judge: Centroid) -> None:
    verdict = judge.assess(ON)
    assert sum(reason.amount for reason in verdict.reasons) == pytest.approx(verdict.score)
    assert verdict.reasons[0].what == "dengue"
    assert {reason.what for reason in verdict.reasons} <= {*(term.what for term in judge.terms()), OTHERS}


def test_held_back_texts_are_asked_about_without_having_been_learned_from(judge: Centroid) -> None:
    margins = judge.held_back()
    assert len(margins) == len(TOPIC.examples) + len(BACKGROUND)
    assert margins[: len(TOPIC.examples)].min() > margins[len(TOPIC.examples) :].max()
    assert margins[0] < judge.assess(Page("", title="Dengue", text=TOPIC.examples[0].text)).margin


def test_without_examples_it_says_what_to_give() -> None:
    with pytest.raises(ConfigError, match="give it some pages that are on topic"):
        Centroid().fit(replace(TOPIC, examples=()))


@pytest.mark.parametrize(
    "wrong", [{"against": -1.0}, {"threshold": 1.5}, {"base_rate": 0.0}, {"repeats": "x"}]
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="centroid judge's"):
        Centroid(**wrong)  # type: ignore[arg-type]


def test_restored_or_sent_it_says_the_same(judge: Centroid) -> None:
    for page in (ON, NEAR, OFF):
        assert Centroid().restore(judge.state()).assess(page) == judge.assess(page)
        assert pickle.loads(pickle.dumps(judge)).assess(page) == judge.assess(page)
    with pytest.raises(ConfigError, match="saved with this crawl"):
        Centroid().restore({"judge": "centroid@99"})
