import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array
from topic_of_dengue import OFF, ON, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.lsi import Lsi
from honeyguide.model import Example, Page, Topic
from honeyguide.text.lsi import dimensions

CORPUS = tuple(
    Example(text)
    for text in (
        "car engine wheel",
        "automobile engine wheel",
        "car engine road",
        "automobile wheel road",
        "cake flour oven",
        "bread flour oven",
        "cake sugar oven",
        "bread sugar flour",
    )
    * 3
)
CARS = Topic("car", examples=(Example("car"),), background=(Example("cake"), Example("bread")), corpus=CORPUS)


@pytest.fixture(scope="module")
def judge() -> Lsi:
    return Lsi().fit(TOPIC)


def test_words_that_never_stand_together_are_close_when_they_stand_with_the_same_words() -> None:
    fitted = Lsi(k=2, threshold=0.5).fit(CARS)
    assert fitted.assess(Page("", text="an automobile")).score > 0.9
    assert fitted.assess(Page("", text="bread")).score < 0.1
    assert fitted.assess(Page("", text="an automobile")).reasons[0].what == "automobile"


def test_in_all_dimensions_such_words_are_far_apart() -> None:
    assert Lsi(k=1000, threshold=0.5).fit(CARS).assess(Page("", text="an automobile")).score < 0.5


@pytest.mark.parametrize("number", [3, 40])
def test_dimensions_approximate_the_table_as_well_as_any(number: int) -> None:
    table = np.random.default_rng(0).random((30, 20))
    space = dimensions(csr_array(table), number)
    _, sizes, _ = np.linalg.svd(table)
    left = np.linalg.norm(table - table @ space @ space.T)
    assert left == pytest.approx(np.sqrt(np.square(sizes[number:]).sum()), abs=1e-9)
    assert space.T @ space == pytest.approx(np.eye(space.shape[1]))
    assert (dimensions(csr_array(table), number) == space).all()


def test_a_text_of_the_corpus_is_folded_in_where_it_was() -> None:
    table = np.random.default_rng(1).random((30, 20))
    left, sizes, _ = np.linalg.svd(table, full_matrices=False)
    folded = table[4] @ dimensions(csr_array(table), 5)
    assert np.abs(folded) == pytest.approx(np.abs(left[4, :5] * sizes[:5]))


def test_pages_are_told_apart(judge: Lsi) -> None:
    assert judge.assess(ON).score > 0.5
    assert judge.assess(ON).score > judge.assess(OFF).score


def test_reasons_add_up(judge: Lsi) -> None:
    verdict = judge.assess(ON)
    assert sum(reason.amount for reason in verdict.reasons) == pytest.approx(verdict.score)


def test_the_topic_may_be_asked_for_by_a_query() -> None:
    fitted = Lsi(k=2, by="query", threshold=0.5).fit(CARS)
    assert fitted.assess(Page("", text="automobile")).score > 0.9
    both = Lsi(k=2, by="both", threshold=0.5).fit(replace(CARS, name="road"))
    assert both.assess(Page("", text="automobile")).score > 0.9


def test_a_query_that_the_corpus_does_not_know_is_refused() -> None:
    with pytest.raises(ConfigError, match="finds none of the words of the topic 'zebra' in its corpus"):
        Lsi(by="query").fit(replace(CARS, name="zebra"))


def test_a_page_without_words_of_the_corpus_scores_0(judge: Lsi) -> None:
    verdict = judge.assess(Page("", text="zebra zebra"))
    assert (verdict.score, verdict.relevant, verdict.reasons) == (0.0, False, ())


def test_stems_of_few_examples_are_kept_among_many_other_texts() -> None:
    others = tuple(Example(" ".join(f"w{(at * 7 + n) % 500}" for at in range(200))) for n in range(50))
    fitted = Lsi(vocabulary=100).fit(replace(TOPIC, background=others))
    assert "dengue" in [term.what for term in fitted.terms()[:3]]


def test_without_examples_it_says_what_to_give() -> None:
    with pytest.raises(ConfigError, match="give it some pages that are on topic"):
        Lsi().fit(replace(TOPIC, examples=()))


@pytest.mark.parametrize(
    "wrong", [{"k": 0}, {"vocabulary": 1}, {"by": "x"}, {"threshold": 2.0}, {"repeats": "x"}]
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="lsi judge's"):
        Lsi(**wrong)  # type: ignore[arg-type]


def test_restored_or_sent_it_says_the_same(judge: Lsi) -> None:
    for page in (ON, OFF):
        assert Lsi().restore(judge.state()).assess(page) == judge.assess(page)
        assert pickle.loads(pickle.dumps(judge)).assess(page) == judge.assess(page)
    with pytest.raises(ConfigError, match="saved with this crawl"):
        Lsi().restore({"judge": "lsi@99"})
