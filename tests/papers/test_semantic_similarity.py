"""BT 2.4 and 3.3, equations 3, 4, 8, 9 and 10, worked out by hand on a small ontology.

animal - insect - mosquito, animal - bird, and disease (also called illness) by itself. With two tops, these
stand at depth 1 below one that is imagined: insect and bird at depth 2, mosquito at depth 3.
"""

import math

import pytest

from honeyguide.judges.semantic import Semantic
from honeyguide.model import Concept, Page, Topic
from honeyguide.text.background import Background
from honeyguide.text.documents import Documents
from honeyguide.text.ontology import Ontology

CONCEPTS = (
    Concept("animal", ("animal",)),
    Concept("insect", ("insect",), ("animal",)),
    Concept("mosquito", ("mosquito", "gnat"), ("insect",)),
    Concept("bird", ("bird",), ("animal",)),
    Concept("disease", ("disease", "illness")),
)
TOPIC = Topic("mosquito", keywords=("bird",), ontology=CONCEPTS)
PAGE = Page("https://a.example/", text="The mosquito, the insect, the insect and the bird.")


def judge(by: str, topic: Topic = TOPIC) -> Semantic:
    every_word_weighs_one = Documents(background=Background({"word": 1.0}, rarest=1.0))
    return Semantic(by=by, least=0.0).fit(topic, every_word_weighs_one)  # type: ignore[arg-type]


def li(length: int, depth: int) -> float:
    up, down = math.exp(0.6 * depth), math.exp(-0.6 * depth)
    return math.exp(-0.2 * length) * (up - down) / (up + down)


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [
        ("gnat", "mosquito", 1.0),
        ("mosquito", "insect", 0.5),
        ("mosquito", "animal", 0.25),
        ("mosquito", "bird", 0.125),
        ("mosquito", "disease", 0.0),
    ],
)
def test_equation_3_halves_the_similarity_with_every_step(one: str, other: str, similarity: float) -> None:
    assert Ontology.of(CONCEPTS).similarity_ehrig(one, other) == similarity


@pytest.mark.parametrize(
    ("one", "other", "length", "depth", "similarity"),
    [
        ("gnat", "mosquito", 0, 3, 0.946806),
        ("mosquito", "insect", 1, 2, 0.682539),
        ("insect", "bird", 2, 1, 0.359995),
        ("mosquito", "bird", 3, 1, 0.294739),
    ],
)
def test_equation_4_weighs_the_path_against_the_depth_of_what_is_common(
    one: str, other: str, length: int, depth: int, similarity: float
) -> None:
    assert li(length, depth) == pytest.approx(similarity, abs=1e-6)
    assert Ontology.of(CONCEPTS).similarity_li(one, other) == pytest.approx(similarity, abs=1e-6)


def test_equation_4_one_step_from_a_concept_at_depth_five() -> None:
    chain = [
        Concept(f"word{at}", (f"word{chr(97 + at)}",), (f"word{at - 1}",) if at else ()) for at in range(7)
    ]
    ontology = Ontology.of(chain)
    assert ontology.similarity_li("wordf", "wordg") == pytest.approx(0.814682, abs=1e-6)
    assert math.exp(-0.2) * math.tanh(3.0) == pytest.approx(0.814682, abs=1e-6)


def test_equation_8_sums_similarities_times_tf_without_dividing_by_any_length() -> None:
    mosquito, insect, bird = 1 + 0.125, 0.5 + 0.25, 0.125 + 1
    total = (1 * mosquito + 2 * insect + 1 * bird) / 2
    assert total == 1.875
    verdict = judge("ehrig").assess(PAGE)
    assert verdict.score == pytest.approx(1.875 / 2.875, abs=1e-6)


def test_equation_9_divides_by_the_lengths_of_both_vectors() -> None:
    mosquito, insect, bird = 1 + li(3, 1), li(1, 2) + li(2, 1), li(3, 1) + 1
    total = (1 * mosquito + 2 * insect + 1 * bird) / (math.sqrt(1 + 4 + 1) * math.sqrt(2))
    assert total == pytest.approx(1.349425, abs=1e-6)
    assert judge("ssrm").assess(PAGE).score == pytest.approx(total / (total + 1), abs=1e-6)


def test_equation_10_is_the_cosine_to_the_query_with_its_synonyms() -> None:
    ill = judge("synset", Topic("illness", ontology=CONCEPTS))
    page = Page("https://a.example/", text="Disease of a bird")
    assert ill.assess(page).score == pytest.approx(1 / (math.sqrt(2) * math.sqrt(2)), abs=1e-6)
