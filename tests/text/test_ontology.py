import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ConfigError
from honeyguide.model import Concept
from honeyguide.text.ontology import FAR, REMEMBERED, Ontology, find_cycle

ANIMALS = (
    Concept("animal", ("animal", "beast")),
    Concept("insect", ("insects",), ("animal",)),
    Concept("mosquito", ("mosquito",), ("insect",)),
    Concept("aedes", ("Aedes aegypti", "yellow-fever mosquito"), ("mosquito",)),
    Concept("bird", ("bird",), ("animal",)),
    Concept("disease", ("disease", "illness")),
    Concept("dengue", ("dengue fever",), ("disease",)),
)


@pytest.fixture(scope="module")
def animals() -> Ontology:
    return Ontology.of(ANIMALS)


@pytest.fixture(scope="module")
def wordnet() -> Ontology:
    return Ontology.wordnet()


def test_distance_is_the_shortest_way_along_is_a_edges(animals: Ontology) -> None:
    assert animals.distance("mosquito", "insect") == 1
    assert animals.distance("aedes aegypti", "bird") == 4
    assert animals.distance("beast", "animal") == 0


def test_words_that_nothing_connects_have_no_distance_and_no_similarity(animals: Ontology) -> None:
    assert animals.distance("mosquito", "disease") is None
    assert animals.distance("mosquito", "unheard-of") is None
    assert animals.similarity_ehrig("mosquito", "disease") == 0
    assert animals.similarity_li("mosquito", "disease") == 0


def test_a_word_is_as_near_to_itself_as_can_be_known_or_not(animals: Ontology) -> None:
    for word in ("mosquito", "unheard-of"):
        assert animals.distance(word, word) == 0
        assert animals.similarity_ehrig(word, word) == animals.similarity_li(word, word) == 1


def test_names_are_found_in_any_form_and_case(animals: Ontology) -> None:
    assert animals.senses("Mosquitoes") == animals.senses("mosquito") == [2]
    assert animals.senses("insect") == animals.senses("insects") == [1]
    assert animals.senses("yellow fever mosquitoes") == [3]


def test_synonyms_are_the_other_names(animals: Ontology) -> None:
    assert animals.synonyms("illness") == ("disease",)
    assert animals.synonyms("unheard-of") == ()


def test_several_tops_stand_below_one_that_is_imagined(animals: Ontology) -> None:
    assert [animals.depth(at) for at in range(7)] == [1, 2, 3, 4, 2, 1, 2]
    alone = Ontology.of(ANIMALS[:3])
    assert [alone.depth(at) for at in range(3)] == [0, 1, 2]


def test_two_parents_are_two_ways_up() -> None:
    ontology = Ontology.of(
        (
            Concept("top", ("top",)),
            Concept("left", ("left",), ("top",)),
            Concept("far", ("far",), ("left",)),
            Concept("right", ("right",), ("top",)),
            Concept("both", ("both",), ("far", "right")),
        )
    )
    assert ontology.distance("both", "top") == 2
    assert ontology.depth(4) == 2
    # A common child connects two concepts by path, but is nothing that both are a kind of.
    assert ontology.distance("far", "right") == 2
    assert ontology.similarity_li("far", "right") == 0


def test_cycles_are_named() -> None:
    concepts = (Concept("a", ("a",), ("b",)), Concept("b", ("b",), ("c",)), Concept("c", ("c",), ("b",)))
    assert find_cycle({concept.key: concept.parents for concept in concepts}) == ["b", "c", "b"]
    with pytest.raises(ConfigError, match="circle: b is a kind of c is a kind of b"):
        Ontology.of(concepts)


def test_missing_parents_and_doubled_concepts_are_refused() -> None:
    with pytest.raises(ConfigError, match="'a' is a kind of 'nowhere', which is not in it"):
        Ontology.of((Concept("a", ("a",), ("nowhere",)),))
    with pytest.raises(ConfigError, match="two concepts 'a'"):
        Ontology.of((Concept("a", ("a",)), Concept("a", ("b",))))


def test_a_chain_of_many_thousand_concepts_is_no_trouble() -> None:
    size = 20_000
    chain = {str(at): (str(at + 1),) for at in range(size)}
    assert find_cycle(chain) == []
    assert len(find_cycle(chain | {str(size): ("0",)})) == size + 2


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.lists(st.integers(0, 30), max_size=3), min_size=2, max_size=12))
def test_arrays_say_what_going_from_concept_to_concept_says(above: list[list[int]]) -> None:
    parents = [sorted({parent % at for parent in several}) if at else [] for at, several in enumerate(above)]
    names = [f"word{chr(97 + at)}" for at in range(len(parents))]
    ontology = Ontology.of(
        [Concept(names[at], (names[at],), tuple(names[up] for up in ups)) for at, ups in enumerate(parents)]
    )
    ups = [ancestors(at, parents) for at in range(len(parents))]
    for one in range(len(parents)):
        distances = ontology.distances(names[one])
        for other in range(len(parents)):
            steps = shortest(one, other, parents)
            assert int(distances[other]) == (FAR if steps is None else steps)
            common = [
                math.exp(-0.2 * (ups[one][top] + ups[other][top])) * math.tanh(0.6 * ontology.depth(top))
                for top in ups[one].keys() & ups[other].keys()
            ]
            near = float(ontology.nearness_li(names[one])[other])
            assert near == pytest.approx(max(common, default=0.0), abs=1e-6)


def ancestors(start: int, parents: list[list[int]]) -> dict[int, int]:
    found, frontier, steps = {start: 0}, {start}, 0
    while frontier:
        steps += 1
        frontier = {up for at in frontier for up in parents[at]} - found.keys()
        found |= dict.fromkeys(frontier, steps)
    return found


def shortest(start: int, end: int, parents: list[list[int]]) -> int | None:
    beside = {at: set(ups) for at, ups in enumerate(parents)}
    for at, ups in enumerate(parents):
        for up in ups:
            beside[up].add(at)
    seen, frontier, steps = {start}, {start}, 0
    while frontier:
        if end in frontier:
            return steps
        frontier = {near for at in frontier for near in beside[at]} - seen
        seen |= frontier
        steps += 1
    return None


def test_wordnet_connects_words_by_their_best_senses(wordnet: Ontology) -> None:
    assert wordnet.distance("car", "automobiles") == 0
    assert wordnet.distance("mosquito", "insects") == 2
    assert wordnet.distance("voyage", "journey") == 1
    assert wordnet.distance("walk", "run") == 2
    assert wordnet.distance("quickly", "rapidly") == 0
    assert wordnet.distance("quickly", "slowly") is None
    assert "auto" in wordnet.synonyms("car")


def test_what_is_remembered_is_bounded_and_not_sent_along(wordnet: Ontology) -> None:
    small = len(pickle.dumps(wordnet))
    for number in range(2 * REMEMBERED):
        wordnet.distances(f"unheard-of {number}")
        wordnet.nearness_li(f"unheard-of {number}")
    assert len(wordnet._distances) <= REMEMBERED
    assert len(wordnet._nearness) <= REMEMBERED
    assert len(pickle.dumps(wordnet)) == small
    assert np.array_equal(pickle.loads(pickle.dumps(wordnet)).distances("car"), wordnet.distances("car"))
