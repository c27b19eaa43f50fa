import pickle
from dataclasses import replace

import pytest

from honeyguide.errors import ConfigError
from honeyguide.judges.lexical_levels import NONE, LexicalLevels
from honeyguide.judges.screened import Screened
from honeyguide.model import Example, Level, Page, Topic, Verdict
from honeyguide.testing import check_judge, example_pages
from honeyguide.text.documents import Documents

FOOD = (
    Example("Modified food is food from modified crops. Food labels, food safety, food gene tests. Maize."),
    Example("Golden rice is modified food. Crops and seeds with a foreign gene. Food labels. Maize."),
)
GENETICS = (
    Example("A gene is a part of the genome. Genes and chromosomes carry heredity. DNA sequence. Mutation."),
)
TECHNOLOGY = (Example("Engines, turbines and machines. Patents. Laboratories of industry. Electronics."),)
ELSEWHERE = (
    Example("The parliament met on Tuesday to debate the budget. Ministers and voters. Railway tickets."),
    Example("The striker scored in the last minute. Football clubs and their supporters. Restaurants."),
)
TOPIC = Topic(
    "modified food",
    branch=(
        Level("Modified Food", FOOD),
        Level("Biotechnology"),
        Level("Genetics", GENETICS),
        Level("Technology", TECHNOLOGY),
    ),
    background=ELSEWHERE,
)
ON_TOPIC = Page(
    "", text="Food labels tell of modified crops: maize with a gene for food safety. DNA sequence."
)
RELATED = Page("", text="Chromosomes, genes and mutation: the genome is a DNA sequence. Heredity.")
ELSE = Page("", text="Voters and ministers met. Football clubs of the parliament; supporters of the budget.")
NOTHING = Page("", text="Xylophones zigzag. Quartz.")
VARIANTS = [
    {},
    {"cvalue": True},
    {"strict": True},
    {"boundary": False},
    {"background": False},
    {"least_cvalue": 0.0, "terms_per_level": 5},
]


@pytest.fixture(scope="module")
def judge() -> LexicalLevels:
    return LexicalLevels().fit(TOPIC)


def total(verdict: Verdict) -> float:
    return sum(reason.amount for reason in verdict.reasons)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_variant_keeps_the_promises_of_judges(variant: dict[str, float]) -> None:
    check_judge(
        lambda: Screened(LexicalLevels(**variant)).fit(TOPIC),  # type: ignore[arg-type]
        (*example_pages(), ON_TOPIC, RELATED, ELSE, NOTHING),
        unfitted=lambda: Screened(LexicalLevels(**variant)),  # type: ignore[arg-type]
    )


def test_a_page_gets_the_level_it_is_most_like(judge: LexicalLevels) -> None:
    assert judge.assess(ON_TOPIC).label == "Modified Food"
    assert judge.assess(ON_TOPIC).relevant
    assert judge.assess(RELATED).label == "Genetics"
    assert not judge.assess(RELATED).relevant
    assert judge.assess(ELSE).label == NONE
    assert judge.assess(NOTHING) == Verdict(0.0, False, -0.5, NONE, (), "lexical-levels@1")


def test_pages_nearer_to_the_target_score_more(judge: LexicalLevels) -> None:
    scores = [judge.assess(page).score for page in (ON_TOPIC, RELATED, ELSE, NOTHING)]
    assert scores[0] > 0.5 > scores[1] > scores[2] >= scores[3] == 0


def test_the_score_is_the_targets_share_of_its_page_score_and_what_it_has_to_exceed() -> None:
    topic = Topic(
        "t", branch=(Level("target", (Example("Gene food."),)), Level("above", (Example("Gene market."),)))
    )
    judge = LexicalLevels(background=False).fit(topic)
    # The page's terms are gene food, gene market trader, and gene, which is nested in both. PageScores (eq. 3.4):
    # target: LS(gene food, gene food) = 1, LS(gene market trader, gene food) = 1/9, LS(gene, gene food) = 1/4
    # above: LS(gene food, gene market) = 1/6, LS(gene market trader, gene market) = 1/3, LS(gene, gene market) = 1/4
    # Sums 49/36 and 27/36; the boundary scores, LS(gene market, gene food) = 1/6, are below both means.
    verdict = judge.assess(Page("", text="Gene food. Gene market trader."))
    assert verdict.score == pytest.approx(49 / (49 + 27))
    whats = ["gene food", "gene (like gene food)", "gene market trader (like gene food)"]
    assert [reason.what for reason in verdict.reasons] == whats
    assert [reason.amount for reason in verdict.reasons] == pytest.approx([36 / 76, 9 / 76, 4 / 76])


def test_the_boundary_score_is_what_the_other_levels_terms_have_here() -> None:
    texts = {"target": "Gene food.", "above": "Gene market.", "top": "Food. Yeast."}
    topic = Topic("t", branch=tuple(Level(name, (Example(text),)) for name, text in texts.items()))
    # Of the target: LS(gene market, gene food) = 1/6; mean of LS(food, gene food) = 1/2 + 1/4 and 0 is 3/8.
    boundary = (1 / 6 + 3 / 8) / 2
    page = Page(
        "", text="Gene. Thing."
    )  # LS(gene, gene food) = LS(gene, gene market) = 1/4: 1/8 at both levels
    verdict = LexicalLevels(background=False).fit(topic).assess(page)
    assert verdict.score == pytest.approx(1 / 8 / (1 / 8 + boundary))
    assert (verdict.label, verdict.relevant) == (NONE, False)
    without = LexicalLevels(background=False, boundary=False).fit(topic).assess(page)
    assert without.score == pytest.approx(0.5)


def test_of_equal_levels_the_lowest_of_the_branch_is_taken_but_not_before_what_lies_beside_it() -> None:
    branch = (Level("target", (Example("Gene food."),)), Level("above", (Example("Gene food. Yeast."),)))
    page = Page("", text="Gene food. Something.")
    optimistic = LexicalLevels(boundary=False).fit(Topic("t", branch=branch)).assess(page)
    assert (optimistic.label, optimistic.relevant, optimistic.score) == ("target", True, 0.5)
    assert optimistic.margin > 0
    beside = LexicalLevels(boundary=False).fit(Topic("t", branch=branch, off_topic=(Example("Gene food."),)))
    assert (beside.assess(page).label, beside.assess(page).relevant) == (NONE, False)


def test_a_strict_judge_asks_for_the_vocabulary_of_the_level_above() -> None:
    food = Page("", text="Food labels and food safety. Modified food.")
    plain, strict = LexicalLevels().fit(TOPIC), LexicalLevels(strict=True).fit(TOPIC)
    assert plain.assess(food).relevant
    verdict = strict.assess(food)
    assert (verdict.relevant, verdict.label) == (False, NONE)
    assert verdict.score < 0.5
    assert strict.assess(ON_TOPIC).relevant
    assert total(strict.assess(ON_TOPIC)) == pytest.approx(strict.assess(ON_TOPIC).score)
    for example in FOOD:
        assert strict.assess(Page("", text=example.text)).relevant


def test_with_c_values_weighty_terms_weigh_more() -> None:
    texts = {"target": "Food. Food. Food. Yeast.", "above": "Gene. Market."}
    topic = Topic("t", branch=tuple(Level(name, (Example(text),)) for name, text in texts.items()))
    page = Page("", text="Food. Yeast. Gene.")
    plain = LexicalLevels().fit(topic).assess(page).reasons
    weighted = LexicalLevels(cvalue=True).fit(topic).assess(page).reasons
    assert plain[0].amount == pytest.approx(plain[1].amount)
    # (C_p + C_t) / 2: food (1 + 3) / 2, yeast (1 + 1) / 2
    assert weighted[0].what == "food"
    assert weighted[0].amount == pytest.approx(2 * weighted[1].amount)


def test_a_topic_without_a_branch_is_one_level_and_its_background() -> None:
    topic = Topic("modified food", examples=FOOD, background=ELSEWHERE)
    judge = LexicalLevels().fit(topic)
    assert judge.assess(ON_TOPIC).label == "modified food"
    assert judge.assess(ON_TOPIC).relevant
    assert judge.assess(ELSE).label == NONE


def test_the_topics_examples_stand_in_for_those_its_first_level_lacks() -> None:
    branch = (Level("Modified Food"), *TOPIC.branch[1:])
    judge = LexicalLevels().fit(replace(TOPIC, branch=branch, examples=FOOD))
    assert judge.assess(ON_TOPIC) == LexicalLevels().fit(TOPIC).assess(ON_TOPIC)


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        (Topic("food"), "needs example pages of the topic 'food' itself"),
        (Topic("food", branch=(Level("Food"), Level("Life", GENETICS))), "needs example pages"),
        (Topic("food", examples=(Example("of the and"),), background=ELSEWHERE), "hold no terms"),
        (Topic("food", examples=FOOD), "only the first has terms"),
        (Topic("food", branch=(Level("Food", FOOD), Level("Life"))), "only the first has terms"),
    ],
)
def test_a_topic_that_lacks_what_it_compares_is_refused_in_a_sentence(topic: Topic, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        LexicalLevels().fit(topic)


def test_a_strict_judge_without_a_level_above_is_refused_in_a_sentence() -> None:
    with pytest.raises(ConfigError, match="asks for the vocabulary of a level above"):
        LexicalLevels(strict=True).fit(Topic("food", examples=FOOD, background=ELSEWHERE))


@pytest.mark.parametrize(
    "wrong", [{"terms_per_level": 0}, {"least_cvalue": -1.0}, {"least_cvalue": float("nan")}]
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="must lie between"):
        LexicalLevels(**wrong)  # type: ignore[arg-type]


def test_it_tells_what_it_looks_for(judge: LexicalLevels) -> None:
    terms = judge.terms()
    assert "modified food" in [term.what for term in terms]
    assert [term.amount for term in terms] == sorted((term.amount for term in terms), reverse=True)


def test_it_asks_for_a_background_only_if_it_uses_one() -> None:
    assert LexicalLevels().needs == ("background",)
    assert LexicalLevels(background=False).needs == ()


def test_a_judge_restored_or_sent_to_another_process_says_the_same(judge: LexicalLevels) -> None:
    restored = LexicalLevels().restore(judge.state(), Documents())
    sent = pickle.loads(pickle.dumps(judge))
    for page in (ON_TOPIC, RELATED, ELSE, NOTHING):
        assert restored.assess(page) == sent.assess(page) == judge.assess(page)


def test_a_judge_saved_by_another_version_is_refused_in_a_sentence(judge: LexicalLevels) -> None:
    with pytest.raises(ConfigError, match=r"is lexical-levels@0.* reads lexical-levels@1"):
        LexicalLevels().restore({**judge.state(), "judge": "lexical-levels@0"})
