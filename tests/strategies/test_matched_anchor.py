"""Matched anchor: the page as the judge sees it, the anchor by the vocabulary."""

import pytest
from link_lessons import link, seen

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Link, Term, Topic
from honeyguide.naming import fitted_strategy
from honeyguide.strategies.matched_anchor import MatchedAnchor
from honeyguide.testing import check_strategy, example_visits
from honeyguide.text.documents import Documents
from honeyguide.text.matching import Matcher

VOCABULARY = (
    Term("dengue fever", 50.0),
    Term("mosquito", 20.0),
    Term("virus AND NOT computer", 10.0),
    Term("malaria", -30.0),
)
TOPIC = Topic("dengue fever", vocabulary=VOCABULARY)


def scores(strategy: MatchedAnchor, *anchors: str, page: float = 0.5) -> list[float]:
    links = [link(str(number), anchor) for number, anchor in enumerate(anchors)]
    return [one.score for one in strategy.expand(seen(Link("https://site.example/"), page, links))]


@pytest.mark.parametrize("f", [0.0, 0.8, 1.0])
def test_it_keeps_the_promises_of_a_strategy(f: float) -> None:
    check_strategy(lambda: MatchedAnchor(f=f).fit(TOPIC, None), example_visits())


def test_an_anchor_is_worth_the_weights_of_the_terms_it_says() -> None:
    strategy = MatchedAnchor().fit(TOPIC, None)
    found = scores(strategy, "Dengue fever", "mosquitoes and mosquito nets", "dengue", "a virus", "")
    assert found == pytest.approx([0.4 + 0.2, 0.4 + 0.2 * 0.4, 0.4, 0.4 + 0.2 * 0.2, 0.4])


def test_it_is_worth_no_more_than_one_and_no_less_than_nothing() -> None:
    strategy = MatchedAnchor().fit(TOPIC, None)
    found = scores(strategy, "Dengue fever and the mosquito", "malaria", "malaria mosquito", page=0.0)
    assert found == pytest.approx([0.2, 0.0, 0.0])


def test_what_one_anchor_says_does_not_count_for_the_next() -> None:
    strategy = MatchedAnchor(f=0.0).fit(TOPIC, None)
    assert scores(strategy, "dengue", "fever", "computer", "virus") == pytest.approx([0.0, 0.0, 0.0, 0.2])


def test_anchors_that_share_no_word_with_a_term_are_passed_over_and_no_others() -> None:
    terms = (
        Term("the art of war"),
        Term("vaccin*", 0.5),
        Term("(zika OR dengue) AND virus", 0.8),
        Term("covid 19", 0.4),
        Term("who", 0.3),
    )
    anchors = (
        "The Art of War",
        "art",
        "the of",
        "Vaccinations’ history",
        "Zika-Virus",
        "viruses: dengue",
        "COVID-19",
        "Who's who",
        "café vaccine",
        "war",
        "",
    )
    strategy = MatchedAnchor(f=0.0).fit(Topic("any", vocabulary=terms), None)
    documents = Documents()
    matcher = Matcher(terms, documents)
    said = [[terms[one.term].weight for one in matcher.find(documents.read(Example(a)))] for a in anchors]
    assert scores(strategy, *anchors) == pytest.approx([min(1.0, sum(weights)) for weights in said])
    assert len([weights for weights in said if weights]) == 7


def test_an_endless_anchor_is_cut() -> None:
    strategy = MatchedAnchor(f=0.0).fit(TOPIC, None)
    assert scores(strategy, "mosquito " * 100_000, "x" * 100_000 + " mosquito") == pytest.approx([0.4, 0.0])


def test_without_a_vocabulary_the_name_and_the_keywords_are_one() -> None:
    strategy = MatchedAnchor().fit(Topic("dengue", keywords=("Aedes aegypti",)), None)
    assert scores(strategy, "dengue", "Aedes aegypti", "Aedes") == pytest.approx([0.6, 0.6, 0.4])


def test_a_crawl_grows_a_vocabulary_from_the_examples() -> None:
    text = "Dengue is carried by the mosquito Aedes aegypti. Dengue patients have a headache. Aedes bites by day."
    topic = Topic("dengue", examples=(Example(text, "Dengue"),))
    strategy = fitted_strategy({"use": "matched-anchor"}, topic)
    assert isinstance(strategy, MatchedAnchor)
    known, unknown = scores(strategy, "Aedes", "railway")
    assert known > unknown == pytest.approx(0.4)


def test_a_vocabulary_that_only_speaks_against_the_topic_is_refused() -> None:
    with pytest.raises(ConfigError, match="no term that speaks for it"):
        MatchedAnchor().fit(Topic("dengue", vocabulary=(Term("malaria", -1.0),)), None)


def test_a_share_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ConfigError, match="must lie between 0 and 1"):
        MatchedAnchor(f=2.0)
