import pickle
from dataclasses import replace

import pytest
from topic_of_dengue import BACKGROUND, NEAR, OFF, ON, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.nearest import Nearest
from honeyguide.model import Example, Page, Topic
from honeyguide.text.documents import Documents
from honeyguide.text.vectors import cosine, tfidf

EXAMPLES = (
    Example("dengue fever and mosquito bites", "Fever"),
    Example("serotypes of the virus", url="https://a.example/virus"),
    Example("x " * 100 + "vaccine"),
)


@pytest.fixture(scope="module")
def judge() -> Nearest:
    return Nearest().fit(TOPIC)


def test_the_score_is_the_largest_cosine_to_an_example() -> None:
    documents = Documents()
    topic = Topic("dengue", examples=EXAMPLES, background=BACKGROUND)
    judge = Nearest(repeats="linear", title_weight=0.0, threshold=0.3).fit(topic, documents)
    text = "A mosquito and a virus: the virus has serotypes"

    def vector(of: str) -> dict[str, float]:
        return tfidf(documents.tokeniser.counts(of), documents.background)

    cosines = [cosine(vector(text), vector(example.text)) for example in EXAMPLES]
    verdict = judge.assess(Page("", text=text))
    assert verdict.score == pytest.approx(max(cosines))
    assert cosines.index(max(cosines)) == 1
    assert verdict.reasons[-1].what == "closest to https://a.example/virus"
    assert {reason.what for reason in verdict.reasons[:-1]} == {"virus", "serotypes"}


def test_an_example_is_named_by_its_title_or_address_or_the_start_of_its_text() -> None:
    judge = Nearest(threshold=0.3).fit(Topic("dengue", examples=EXAMPLES, background=BACKGROUND))
    named = [judge.assess(Page("", text=text)).reasons[-1] for text in ("mosquito bites", "vaccine")]
    assert named[0] == ("closest to Fever", 0.0)
    assert named[1].what.startswith("closest to x x x")
    assert len(named[1].what) <= 91


def test_pages_are_told_apart(judge: Nearest) -> None:
    on, near, off = map(judge.assess, (ON, NEAR, OFF))
    assert on.score > near.score > off.score
    assert on.relevant
    assert not off.relevant


def test_a_page_without_words_of_the_examples_scores_0(judge: Nearest) -> None:
    verdict = judge.assess(Page("", text="zebra zebra"))
    assert (verdict.score, verdict.relevant, verdict.reasons) == (0.0, False, ())


def test_an_example_itself_scores_1(judge: Nearest) -> None:
    assert judge.assess(Page("", title="Dengue", text=TOPIC.examples[1].text)).score == pytest.approx(1)


def test_held_back_examples_are_not_closest_to_themselves(judge: Nearest) -> None:
    margins = judge.held_back()[: len(TOPIC.examples)]
    assert margins.max() < judge.assess(Page("", title="Dengue", text=TOPIC.examples[0].text)).margin


def test_without_examples_it_says_what_to_give() -> None:
    with pytest.raises(ConfigError, match="give it some pages that are on topic"):
        Nearest().fit(replace(TOPIC, examples=()))


@pytest.mark.parametrize("wrong", [{"threshold": -0.5}, {"base_rate": 1.0}, {"repeats": "x"}])
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="nearest judge's"):
        Nearest(**wrong)  # type: ignore[arg-type]


def test_restored_or_sent_it_says_the_same(judge: Nearest) -> None:
    for page in (ON, NEAR, OFF):
        assert Nearest().restore(judge.state()).assess(page) == judge.assess(page)
        assert pickle.loads(pickle.dumps(judge)).assess(page) == judge.assess(page)
    with pytest.raises(ConfigError, match="saved with this crawl"):
        Nearest().restore({"judge": "nearest@99"})


def test_it_tells_what_it_looks_for(judge: Nearest) -> None:
    terms = judge.terms()
    assert [term.amount for term in terms] == sorted((term.amount for term in terms), reverse=True)
