import math
import pickle
from dataclasses import replace

import pytest

from honeyguide.errors import ConfigError
from honeyguide.judges.cosine import Cosine
from honeyguide.model import Page, Topic
from honeyguide.text.background import Background

TOPIC = Topic("dengue fever")
PAGE = Page(
    "https://health.example/", title="Dengue", text="Dengue: fever and mosquito bites.", language="en"
)


@pytest.fixture(scope="module")
def judge() -> Cosine:
    return Cosine(threshold=0.06, title_weight=3.0).fit(TOPIC)


def test_the_score_is_the_cosine_of_title_and_text_to_the_topic(judge: Cosine) -> None:
    # f * idf of the page: dengue 4 * d (3 of them the title's), fever f, mosquito m, bite b; of the topic: d, f
    idf = Background.load().idf
    d, f, m, b = idf("dengu"), idf("fever"), idf("mosquito"), idf("bite")
    length = math.sqrt((4 * d) ** 2 + f**2 + m**2 + b**2)
    by_hand = (4 * d * d + f * f) / (length * math.hypot(d, f))
    verdict = judge.assess(PAGE)
    assert verdict.score == pytest.approx(by_hand)
    assert verdict.margin == pytest.approx(by_hand - 0.06)
    assert verdict.relevant
    assert verdict.judge == "cosine@1"


def test_the_reasons_say_what_each_word_of_the_topic_adds(judge: Cosine) -> None:
    reasons = judge.assess(PAGE).reasons
    assert [reason.what for reason in reasons] == ["dengue", "fever"]
    idf = Background.load().idf
    assert reasons[0].amount / reasons[1].amount == pytest.approx(4 * idf("dengu") ** 2 / idf("fever") ** 2)


def test_a_title_that_only_names_its_site_makes_no_page_relevant(judge: Cosine) -> None:
    page = Page(
        "", title="A late winner - Dengue Fever Portal", text="The keeper saved a penalty in the last minute."
    )
    assert judge.assess(page).score == 0
    assert judge.assess(replace(page, text=f"{page.text} Then he caught a fever.")).reasons[0].what == "fever"


def test_many_reasons_are_cut_to_eight_and_the_rest() -> None:
    birds = "sparrow thrush robin heron gull tern plover dunlin knot ruff curlew"
    verdict = Cosine().fit(Topic("birds", keywords=(birds,))).assess(Page("", text=birds))
    assert len(verdict.reasons) == 9
    assert verdict.reasons[-1].what == "other terms"
    assert sum(reason.amount for reason in verdict.reasons) == pytest.approx(verdict.score)
    amounts = [reason.amount for reason in verdict.reasons[:8]]
    assert amounts == sorted(amounts, reverse=True)


def test_a_page_that_is_the_topic_scores_1(judge: Cosine) -> None:
    assert judge.assess(Page("", text="Dengue fever")).score == pytest.approx(1)


def test_a_page_without_the_topics_words_scores_0_without_reasons(judge: Cosine) -> None:
    verdict = judge.assess(Page("", title="Roses", text="Prune them in winter."))
    assert (verdict.score, verdict.relevant, verdict.reasons) == (0.0, False, ())


def test_a_page_is_relevant_only_above_the_threshold() -> None:
    page = Page("", text="dengue fever")
    assert not Cosine(threshold=1.0).fit(TOPIC).assess(page).relevant
    assert Cosine(threshold=0.99).fit(TOPIC).assess(page).relevant
    assert not Cosine(threshold=0.0).fit(TOPIC).assess(Page("", text="roses")).relevant


def test_a_topic_without_words_is_refused() -> None:
    with pytest.raises(ConfigError, match="no words to look for"):
        Cosine().fit(Topic("of the"))


@pytest.mark.parametrize("wrong", [{"threshold": 1.5}, {"threshold": math.nan}, {"title_weight": -1.0}])
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="must lie between"):
        Cosine(**wrong)


def test_a_fitted_judge_says_the_same_in_another_process(judge: Cosine) -> None:
    assert pickle.loads(pickle.dumps(judge)).assess(PAGE) == judge.assess(PAGE)


def test_a_judge_restored_without_a_topic_says_the_same(judge: Cosine) -> None:
    assert Cosine().restore(judge.state()).assess(PAGE) == judge.assess(PAGE)


def test_a_judge_saved_by_another_version_is_refused_in_a_sentence(judge: Cosine) -> None:
    with pytest.raises(ConfigError, match=r"saved with this crawl is cosine@99.* reads cosine@1"):
        Cosine().restore({**judge.state(), "judge": "cosine@99"})


def test_it_tells_what_it_looks_for(judge: Cosine) -> None:
    terms = judge.terms()
    assert terms[0].what == "dengue"
    assert [term.amount for term in terms] == sorted((term.amount for term in terms), reverse=True)
