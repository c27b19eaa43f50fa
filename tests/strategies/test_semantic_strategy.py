"""BT eq. 3, 4, 8, 9 and 10 on a small ontology, and the two boolean variants of BT 2.4.

animal - insect - mosquito (also called gnat), animal - bird - bird of prey, and disease (also called illness).
With two tops, these stand at depth 1 below one that is imagined.
"""

import math
from typing import get_args

import pytest

from honeyguide.errors import ConfigError, ErrorKind
from honeyguide.model import Candidate, Concept, Link, Page, Topic, Verdict, Visit
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.semantic import Semantic, Variant
from honeyguide.testing import check_strategy, example_visits
from honeyguide.text.background import Background

CONCEPTS = (
    Concept("animal", ("animal",)),
    Concept("insect", ("insect",), ("animal",)),
    Concept("mosquito", ("mosquito", "gnat"), ("insect",)),
    Concept("bird", ("bird",), ("animal",)),
    Concept("raptor", ("bird of prey",), ("bird",)),
    Concept("disease", ("disease", "illness")),
)
TOPIC = Topic("mosquito", keywords=("bird",), ontology=CONCEPTS)
DENGUE = Topic("dengue fever", keywords=("mosquito", "Aedes aegypti"))


def visit(*anchors: str, relevance: float | None = 0.3) -> Visit:
    links = tuple(Link(f"https://a.example/{number}", anchor=anchor) for number, anchor in enumerate(anchors))
    verdict = None if relevance is None else Verdict(relevance, relevance > 0.1)
    page = Page("https://a.example/", links=links)
    return Visit(Candidate(Link("https://a.example/"), 0.0, 2), page=page, verdict=verdict)


def worth(variant: Variant, anchor: str, topic: Topic = TOPIC) -> float:
    """What the anchor adds to the score."""
    (candidate,) = Semantic(variant=variant).fit(topic, None).expand(visit(anchor, relevance=None))
    return 2 * candidate.score if variant == "synset" else candidate.score


def idf(*stems: str) -> list[float]:
    return [Background.load().idf(stem) for stem in stems]


def li(length: int, depth: int) -> float:
    return math.exp(-0.2 * length) * math.tanh(0.6 * depth)


@pytest.mark.parametrize("topic", [DENGUE, TOPIC], ids=["WordNet", "own ontology"])
@pytest.mark.parametrize("variant", get_args(Variant))
def test_semantic_strategies_keep_their_promises(variant: Variant, topic: Topic) -> None:
    check_strategy(lambda: Semantic(variant=variant).fit(topic, None), example_visits())


@pytest.mark.parametrize(
    ("anchor", "value"),
    [
        ("The mosquito", 1 + 0.125),
        ("gnats", 1 + 0.125),
        ("animal", 0.25 + 0.5),
        # tf = f / max f: insect 1, bird 1/2
        ("insect, insect and bird", (0.5 + 0.25) + (0.125 + 1) / 2),
        ("a disease", 0.0),
        ("", 0.0),
    ],
)
def test_equation_8_sums_similarities_times_tf(anchor: str, value: float) -> None:
    assert worth("ehrig", anchor) == pytest.approx(value)


def test_equation_9_divides_by_the_lengths_of_both_vectors() -> None:
    mosquito, insect, bird, disease = idf("mosquito", "insect", "bird", "diseas")
    # insect - mosquito: 1 step, common concept insect at depth 2; insect - bird: 2 steps, animal at depth 1
    total = insect * (li(1, 2) * mosquito + li(2, 1) * bird)
    lengths = math.hypot(mosquito, bird) * math.hypot(insect, disease)
    assert worth("ssrm", "insect disease") == pytest.approx(total / lengths, rel=1e-6)


def test_equation_10_is_the_cosine_of_both_with_their_synonyms() -> None:
    mosquito, gnat, bird, disease, illness = idf("mosquito", "gnat", "bird", "diseas", "ill")
    query, anchor = (mosquito, gnat, bird), (mosquito, gnat, disease, illness)
    expected = (mosquito**2 + gnat**2) / (math.hypot(*query) * math.hypot(*anchor))
    assert worth("synset", "gnats and disease") == pytest.approx(expected)
    assert worth("synset", "bird, gnat") == pytest.approx(1.0)


def test_equation_10_is_the_mean_of_the_page_and_the_anchor() -> None:
    same, other, none = Semantic().fit(TOPIC, None).expand(visit("bird gnat", "disease", ""))
    assert same.score == pytest.approx((0.3 + 1) / 2)
    assert dict(same.parts or {}) == pytest.approx({"page": 0.15, "anchor": 0.5})
    assert [other.score, none.score] == [0.15, 0.15]
    assert same.depth == 3


@pytest.mark.parametrize(
    ("anchor", "connected", "two_steps"),
    [
        ("gnat", 1, 1),
        ("insect", 1, 2),  # one step from mosquito, two from bird
        ("animal", 1, 2),
        ("insect bird", 2, 3),
        ("disease", 0, 0),
    ],
)
def test_the_boolean_variants_count_all_words_within_one_or_two_steps(
    anchor: str, connected: int, two_steps: int
) -> None:
    assert worth("connected", anchor) == connected
    assert worth("two-steps", anchor) == two_steps


def test_names_of_several_words_are_found_as_such() -> None:
    # One step from bird, four from mosquito; "bird" itself is not counted again.
    assert worth("ehrig", "The birds of prey") == pytest.approx(0.5 + 0.5**4)
    assert worth("synset", "breakbone fever", Topic("dengue fever")) == pytest.approx(1.0)


@pytest.mark.parametrize("variant", get_args(Variant))
def test_a_word_that_wordnet_lacks_is_like_itself_in_all_its_forms(variant: Variant) -> None:
    topic = Topic("zyzzogeton")
    assert worth(variant, "Zyzzogetons", topic) == pytest.approx(1.0)
    assert worth(variant, "Zyzzomys", topic) == 0


def test_synonyms_by_wordnet_find_what_best_first_misses() -> None:
    topic, seen = Topic("automobile"), visit("Motorcars", "Trees")
    assert [candidate.score for candidate in BestFirst(by="anchor").fit(topic, None).expand(seen)] == [0, 0]
    motorcar, tree = (candidate.score for candidate in Semantic().fit(topic, None).expand(seen))
    assert motorcar > tree == 0.15


def test_the_path_variants_do_not_look_at_the_page() -> None:
    strategy = Semantic(variant="ehrig").fit(TOPIC, None)
    assert [*strategy.expand(visit("bird", relevance=0.9))] == [
        *strategy.expand(visit("bird", relevance=0.1))
    ]


def test_a_failure_leads_nowhere() -> None:
    failed = Candidate(Link("https://a.example/"), 0.0)
    strategy = Semantic().fit(TOPIC, None)
    assert list(strategy.expand(Visit(failed, error=ErrorKind.TIMEOUT))) == []
    assert list(strategy.expand(Visit(failed, page=visit("bird").page, error=ErrorKind.PARSE))) == []


def test_wrong_parameters_and_topics_are_refused() -> None:
    with pytest.raises(ConfigError, match="synset, ehrig, ssrm, connected, two-steps, not as 'luck'"):
        Semantic(variant="luck")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="no words to look for"):
        Semantic().fit(Topic("of the"), None)
    with pytest.raises(ConfigError, match="fit it first"):
        Semantic().expand(visit("bird"))
