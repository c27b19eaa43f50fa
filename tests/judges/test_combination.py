import math
import pickle
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pytest
from topic_of_dengue import BACKGROUND, EXAMPLES, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.combination import Combination
from honeyguide.judges.cosine import Cosine
from honeyguide.judges.held_back import Sample, without
from honeyguide.judges.naive_bayes import NaiveBayes
from honeyguide.judges.screened import Screened
from honeyguide.judges.string_matching import StringMatching
from honeyguide.judges.svm import Svm
from honeyguide.judges.svm_string_matching import svm_string_matching
from honeyguide.judges.topical import TopicJudge
from honeyguide.model import Example, Level, Page, Reason, Step, Term, Topic, Verdict
from honeyguide.testing import check_judge, example_pages
from honeyguide.text.documents import Documents

DENGUE = Page("", text="Patients with dengue have a fever; the virus is carried by a mosquito.")
CAKE = Page("", text="Mix the butter with sugar and bake the cake; the team ate it all evening.")
WORDED = replace(TOPIC, vocabulary=(Term("dengue", 20), Term("dengue fever", 60), Term("cake", -20)))


class Learner:
    """A judge by heart: its margin is 1 for texts it has learned, else whether the word dengue is there."""

    needs: tuple[str, ...] = ("examples",)

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        if not topic.examples:
            raise ConfigError("There is nothing to learn.")
        self.known = {example.text for example in topic.examples}
        return self

    def assess(self, page: Page) -> Verdict:
        margin = 100.0 if page.text in self.known else 0.5 if "engue" in page.text else -0.5
        return Verdict(
            float(margin > 0), margin > 0, margin, "", (Reason("heart", float(margin > 0)),), "x@1"
        )

    def terms(self) -> list[Reason]:
        return [Reason("dengue", 2.0)]

    def state(self) -> Mapping[str, Any]:
        return {"known": sorted(self.known)}

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        self.known = set(state["known"])
        return self


def make(member: str) -> TopicJudge:
    judges: dict[str, type[TopicJudge]] = {
        "svm": Svm,
        "cosine": Cosine,
        "naive-bayes": NaiveBayes,
        "string-matching": StringMatching,
        "learner": Learner,
    }
    return judges[member.partition(":")[0]]()


@pytest.mark.parametrize("calibration", ["platt", "isotonic", "none"])
@pytest.mark.parametrize("precision", [0.0, 0.6])
def test_it_keeps_the_promises_of_judges(calibration: Any, precision: float) -> None:
    def unfitted() -> Screened:
        return Screened(
            Combination(make=make, members=("svm", "cosine"), calibration=calibration, precision=precision)
        )

    check_judge(lambda: unfitted().fit(TOPIC), example_pages(), unfitted=unfitted)


@pytest.mark.parametrize("calibration", ["platt", "isotonic", "none"])
def test_pages_like_the_examples_are_told_from_others(calibration: Any) -> None:
    judge = Combination(make=make, members=("svm", "cosine"), calibration=calibration, base_rate=0.5).fit(
        TOPIC
    )
    on, off = judge.assess(DENGUE), judge.assess(CAKE)
    assert on.relevant
    assert not off.relevant
    assert on.score > off.score


def test_a_member_without_weight_says_nothing() -> None:
    pages = (DENGUE, CAKE, *example_pages())

    def order(**settings: Any) -> list[int]:
        judge = Combination(make=make, **settings).fit(TOPIC)
        return sorted(range(len(pages)), key=lambda at: judge.assess(pages[at]).margin)

    alone = order(members=("svm",))
    assert order(members=("svm", "cosine"), weights=(1.0, 0.0)) == alone
    assert order(members=("cosine", "svm"), weights=(0.0, 3.0)) == alone


def test_every_member_is_a_reason_in_its_own_words() -> None:
    judge = Combination(make=make, members=("svm", "cosine")).fit(TOPIC)
    verdict = judge.assess(DENGUE)
    whats = [reason.what for reason in verdict.reasons]
    assert whats[0].startswith("svm: ")
    assert whats[1].startswith("cosine: ")
    assert "dengue" in whats[1]
    assert whats[2] == "before any judge"
    assert math.fsum(reason.amount for reason in verdict.reasons) == pytest.approx(verdict.score)
    assert verdict.reasons[0].amount > 0 > judge.assess(CAKE).reasons[0].amount


def test_members_are_calibrated_on_examples_they_have_not_learned() -> None:
    # What it knows by heart gets 100, what it has never seen .5: read by heart, .5 would be nothing.
    judge = Combination(make=make, members=("learner",), base_rate=0.5).fit(TOPIC)
    assert judge.assess(DENGUE).relevant
    assert not judge.assess(CAKE).relevant


def test_members_that_hold_back_themselves_are_not_fitted_again() -> None:
    made = []

    def counting(member: str) -> TopicJudge:
        made.append(member)
        return make(member)

    Combination(make=counting, members=("svm", "naive-bayes")).fit(TOPIC)
    assert made == ["svm", "naive-bayes"]
    Combination(make=counting, members=("learner",)).fit(TOPIC)
    assert made[2:] == ["learner", "learner"]


def test_a_held_back_text_is_gone_from_every_part_of_the_topic() -> None:
    whole = replace(
        TOPIC,
        branch=(Level("Dengue", EXAMPLES),),
        session=(Step(EXAMPLES[0], True), Step(BACKGROUND[0], False)),
        off_topic=(Example("cake"),),
    )
    rest = without(whole, [EXAMPLES[0], BACKGROUND[0], Example("cake")])
    assert rest.examples == rest.branch[0].examples == EXAMPLES[1:]
    assert rest.background == BACKGROUND[1:]
    assert (rest.session, rest.off_topic) == ((), ())


def test_one_example_is_enough() -> None:
    one = replace(TOPIC, examples=EXAMPLES[:1])
    for members in (("svm", "cosine"), ("learner", "cosine"), ("cosine",)):
        judge = Combination(make=make, members=members).fit(one)
        assert judge.assess(DENGUE).score > judge.assess(CAKE).score


def test_a_higher_precision_never_keeps_more() -> None:
    pages = (DENGUE, CAKE, *example_pages(), *(Page("", text=text.text) for text in (*EXAMPLES, *BACKGROUND)))
    kept = []
    for precision in (0.05, 0.3, 0.6, 0.9):
        judge = Combination(make=make, members=("svm", "cosine"), precision=precision).fit(TOPIC)
        kept.append({at for at, page in enumerate(pages) if judge.assess(page).relevant})
    assert kept[0] >= kept[1] >= kept[2] >= kept[3]
    assert len(kept[0]) > len(kept[3])


def test_a_precision_that_few_texts_cannot_vouch_for_is_told() -> None:
    judge = Combination(make=make, members=("svm",), precision=0.999).fit(TOPIC)
    assert judge.cut is not None
    assert not judge.cut.reached
    assert 0 < judge.cut.precision < 0.999
    assert Combination(make=make, members=("svm",)).fit(TOPIC).cut is None


def test_it_needs_what_any_member_needs() -> None:
    judge = Combination(make=make, members=("string-matching", "svm"))
    assert set(judge.needs) == {"vocabulary", "examples", "background"}
    assert set(Combination(make=make, members=("cosine",)).needs) == {"examples", "background"}


def test_a_member_that_cannot_be_fitted_is_named_with_what_it_misses() -> None:
    with pytest.raises(ConfigError, match=r"cannot use string-matching: .*vocabulary.* has none"):
        Combination(make=make, members=("svm", "string-matching")).fit(TOPIC)
    with pytest.raises(ConfigError, match="combination judge learns from examples"):
        Combination(make=make, members=("cosine",)).fit(Topic("dengue"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"members": ()},
        {"weights": (1.0,)},
        {"weights": (-1.0, 2.0)},
        {"weights": (0.0, 0.0)},
        {"weights": (math.nan, 1.0)},
        {"calibration": "beta"},
        {"precision": 1.5},
        {"base_rate": 0.0},
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="combination"):
        Combination(**{"make": make, "members": ("svm", "cosine"), **wrong})


def test_a_judge_saved_with_other_members_is_refused() -> None:
    state = Combination(make=make, members=("svm", "cosine")).fit(TOPIC).state()
    with pytest.raises(ConfigError, match="combines svm, cosine, not svm"):
        Combination(make=make, members=("svm",)).restore(state)


def test_it_tells_what_its_members_look_for() -> None:
    terms = Combination(make=make, members=("svm", "cosine"), weights=(0.3, 0.7)).fit(TOPIC).terms()
    assert terms[0].what.startswith("cosine: ")
    assert terms[0].amount == pytest.approx(0.7)
    assert any(term.what == "svm: dengue" for term in terms)


def test_members_read_a_page_once() -> None:
    documents = Documents()
    judge = Combination(make=make, members=("svm", "naive-bayes", "cosine")).fit(TOPIC, documents)
    done = []
    cut, number = documents.book.cutter.cut, documents.book.number
    documents.book.cutter.cut = lambda text: done.append("cut") or cut(text)  # type: ignore
    documents.book.number = lambda pieces: done.append("numbered") or number(pieces)  # type: ignore
    judge.assess(replace(DENGUE, text=f"{DENGUE.text} Again."))
    assert done == ["cut", "numbered"]


def test_svm_and_string_matching_are_mixed_half_and_half_unless_told_otherwise() -> None:
    judge = svm_string_matching(make=make).fit(WORDED)
    assert judge.shares == (0.5, 0.5)
    assert [reason.what.partition(":")[0] for reason in judge.assess(DENGUE).reasons[:2]] == [
        "svm",
        "string-matching",
    ]
    assert svm_string_matching(make=make, share=0.8).shares == pytest.approx((0.8, 0.2))
    with pytest.raises(ConfigError, match="share must lie between 0 and 1"):
        svm_string_matching(make=make, share=1.2)


def test_svm_and_string_matching_keep_the_promises_of_judges() -> None:
    def unfitted() -> Screened:
        return Screened(svm_string_matching(make=make))

    check_judge(lambda: unfitted().fit(WORDED), example_pages(), unfitted=unfitted)


def test_a_fitted_combination_says_the_same_in_another_process() -> None:
    judge = Combination(make=make, members=("svm", "cosine"), precision=0.5).fit(TOPIC)
    assert pickle.loads(pickle.dumps(judge)).assess(DENGUE) == judge.assess(DENGUE)


def test_weights_of_texts_follow_the_presumed_share_of_the_topic() -> None:
    sample = Sample.of(TOPIC, judge="svm")
    weights = sample.presumed(0.2)
    assert weights[sample.on_topic].sum() / weights.sum() == pytest.approx(0.2)
    assert sample.balanced[sample.on_topic].sum() == pytest.approx(sample.balanced[~sample.on_topic].sum())
    assert sample.balanced.mean() == pytest.approx(1)
    assert np.bincount(sample.parts[sample.on_topic]).tolist() == [1, 1, 1]
