import math
import pickle

import pytest
from topic_of_dengue import OFF, ON, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.bm25 import Bm25
from honeyguide.model import Page, Topic
from honeyguide.topics.growth import grown


@pytest.fixture(scope="module")
def judge() -> Bm25:
    return Bm25().fit(grown(TOPIC, Bm25.needs))


def test_pages_on_topic_are_told_from_others(judge: Bm25) -> None:
    assert judge.assess(ON).relevant
    assert judge.assess(OFF).score == 0
    assert judge.assess(OFF).reasons == ()


def test_no_background_reaches_the_threshold(judge: Bm25) -> None:
    topic = grown(TOPIC, Bm25.needs)
    found = [judge.assess(Page("", text=text.text, title=text.title)) for text in topic.background]
    assert not any(verdict.relevant for verdict in found)


def test_a_title_counts_more_than_the_text() -> None:
    page = Page("", title="Dengue", text="The page of the ministry on dengue.")
    plain, heavy = (
        Bm25(title_weight=weight, threshold=0.3).fit(TOPIC).assess(page).score for weight in (1.0, 5.0)
    )
    assert heavy > plain > 0


def test_a_topic_of_a_name_only_is_enough() -> None:
    assert Bm25().fit(Topic("dengue")).assess(ON).relevant


def test_a_topic_without_words_is_refused() -> None:
    with pytest.raises(ConfigError, match="no words to look for"):
        Bm25().fit(Topic("of the"))


@pytest.mark.parametrize("wrong", [{"k1": -1.0}, {"b": 1.5}, {"threshold": 2.0}, {"title_weight": math.nan}])
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="must lie between"):
        Bm25(**wrong)  # type: ignore[arg-type]


def test_restored_or_sent_it_says_the_same(judge: Bm25) -> None:
    assert Bm25().restore(judge.state()).assess(ON) == judge.assess(ON)
    assert pickle.loads(pickle.dumps(judge)).assess(ON) == judge.assess(ON)
    with pytest.raises(ConfigError, match="saved with this crawl"):
        Bm25().restore({"judge": "bm25@99"})


def test_it_tells_what_it_looks_for(judge: Bm25) -> None:
    assert [term.what for term in judge.terms()] == ["dengue", "mosquito", "fever"]
