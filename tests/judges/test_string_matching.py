import math
import pickle
from dataclasses import replace

import pytest
from topic_of_dengue import OFF, ON, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.string_matching import SHORTEST, StringMatching
from honeyguide.model import Page, Reason, Term, Topic
from honeyguide.topics.growth import grown

VOCABULARY = (Term("dengue fever", 60), Term("dengue", 30), Term("mosquito*", 15), Term("malaria", -30))
WORDED = Topic("dengue", vocabulary=VOCABULARY)


def judge(**settings: float) -> StringMatching:
    return StringMatching(**{"threshold": 0.2, "title_weight": 1.0, **settings}).fit(WORDED)  # type: ignore[arg-type]


def test_the_sum_is_of_weights_by_logarithms_of_times_over_the_root_of_the_length() -> None:
    # dengue fever 60/60 * ln 2, dengue 30/60 * ln 3, mosquito* 15/60 * ln 2; at least 100 words: root 10
    total = (math.log(2) + 0.5 * math.log(3) + 0.25 * math.log(2)) / math.sqrt(SHORTEST)
    verdict = judge().assess(Page("", text="Dengue fever is dengue. Mosquitoes!"))
    assert verdict.margin == pytest.approx(total - 0.2)
    assert verdict.score == pytest.approx(total / (total + 0.2))
    assert [reason.what for reason in verdict.reasons] == ["dengue fever", "dengue", "mosquito*"]
    assert sum(reason.amount for reason in verdict.reasons) == pytest.approx(verdict.score)


def test_repeats_may_count_in_full() -> None:
    linear = StringMatching(threshold=0.2, repeats="linear").fit(WORDED)
    once, thrice = (linear.assess(Page("", text="dengue " * times)).margin + 0.2 for times in (1, 3))
    assert thrice == pytest.approx(3 * once)


def test_a_long_page_needs_to_say_more() -> None:
    short, long = (judge().assess(Page("", text="dengue " + "word " * words)) for words in (50, 5000))
    assert short.score > long.score > 0


def test_terms_against_the_topic_lower_the_score_down_to_0() -> None:
    page = Page("", text="dengue and malaria, dengue")
    verdict = judge().assess(page)
    assert 0 < verdict.score < judge().assess(Page("", text="dengue and fever, dengue")).score
    assert Reason("malaria", pytest.approx(-1)) in [
        Reason(what, amount / abs(amount)) for what, amount in verdict.reasons
    ]
    against = judge().assess(Page("", text="malaria malaria malaria"))
    assert (against.score, against.relevant, against.reasons) == (0.0, False, ())
    assert against.margin < -0.2


def test_half_is_where_relevance_starts() -> None:
    for times in range(1, 40):
        verdict = judge(threshold=0.1).assess(Page("", text="mosquito " * times))
        assert verdict.relevant == (verdict.score > 0.5)


def test_weights_mean_something_only_beside_each_other() -> None:
    tenfold = replace(WORDED, vocabulary=tuple(term._replace(weight=term.weight * 10) for term in VOCABULARY))
    assert StringMatching(threshold=0.2).fit(tenfold).assess(ON) == StringMatching(threshold=0.2).fit(
        WORDED
    ).assess(ON)


def test_title_headings_and_keywords_weigh_as_set() -> None:
    page = Page("", title="Dengue", headings=("Dengue",), keywords=("dengue",), text="")
    settings = [
        {"title_weight": 0.0},
        {"title_weight": 1.0},
        {"title_weight": 3.0},
        {"title_weight": 3.0, "headings_weight": 2.0},
        {"title_weight": 3.0, "headings_weight": 2.0, "keywords_weight": 4.0},
    ]
    scores = [judge(**setting).assess(page).score for setting in settings]
    assert scores[0] == 0
    assert scores == sorted(set(scores))


def test_the_threshold_lies_beyond_what_the_background_says() -> None:
    topic = grown(replace(TOPIC, vocabulary=VOCABULARY), StringMatching.needs)
    fitted = StringMatching().fit(topic)
    assert fitted.assess(ON).relevant
    assert not fitted.assess(OFF).relevant
    assert not any(fitted.assess(Page("", text=text.text)).relevant for text in topic.background)


def test_a_topic_without_a_vocabulary_is_told_what_to_give() -> None:
    with pytest.raises(ConfigError, match=r"has none that speaks for it; give it terms with weights"):
        StringMatching().fit(replace(WORDED, vocabulary=(Term("malaria", -1),)))


def test_a_term_that_means_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="'dengue AND' has nothing where a word should stand"):
        StringMatching().fit(replace(WORDED, vocabulary=(Term("dengue AND", 1),)))


@pytest.mark.parametrize("wrong", [{"threshold": 0.0}, {"repeats": "all"}, {"keywords_weight": -1.0}])
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="string-matching judge's"):
        StringMatching(**wrong)  # type: ignore[arg-type]


def test_restored_or_sent_it_says_the_same() -> None:
    fitted = judge()
    assert StringMatching(title_weight=1.0).restore(fitted.state()).assess(ON) == fitted.assess(ON)
    assert pickle.loads(pickle.dumps(fitted)).assess(ON) == fitted.assess(ON)
    with pytest.raises(ConfigError, match="saved with this crawl"):
        StringMatching().restore({"judge": "string-matching@99"})


def test_it_tells_what_it_looks_for_and_what_it_shuns() -> None:
    assert [term.what for term in judge().terms()] == ["dengue fever", "dengue", "mosquito*", "malaria"]
