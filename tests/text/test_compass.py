import numpy as np
import pytest

from honeyguide.model import Example, Term, Topic
from honeyguide.text.compass import Compass, toward
from honeyguide.text.documents import Documents
from honeyguide.text.embeddings import Embeddings

OTHERS = (
    Example("Trains leave the station on time.", "Railway"),
    Example("Bread is baked with flour and water.", "Bread"),
)


def compass(**told: object) -> Compass:
    documents = Documents()
    topic = Topic("dengue fever", background=OTHERS, **told)  # type: ignore[arg-type]
    return Compass.of(topic, documents, Embeddings(documents.book))


def nearness(of: Compass, text: str) -> float:
    documents = Documents()
    vector = Embeddings(documents.book).vectors([text])[:, : len(of.middle)].astype(np.float64)
    return float(toward(vector, of.middle)[0] @ of.direction)


def test_it_points_from_other_texts_to_the_topic() -> None:
    found = compass(examples=(Example("Mosquitoes carry the virus of dengue.", "Dengue"),))
    assert np.linalg.norm(found.direction) == pytest.approx(1.0)
    assert (
        nearness(found, "a virus that mosquitoes carry") > 0.3 > nearness(found, "the bread of the railway")
    )


def test_words_of_examples_and_of_the_query_speak_for_the_topic_words_of_others_do_not() -> None:
    found = compass(examples=(Example("The virus and the bread.", "Virus"),))
    assert found.weights["virus"] > found.weights["bread"]
    assert found.weights["dengu"] > 0
    assert "train" not in found.weights


def test_without_examples_the_query_alone_counts() -> None:
    found = compass()
    assert nearness(found, "dengue fever") == pytest.approx(1.0)
    assert set(found.weights) == {"dengu", "fever"}
    assert len(found.examples.names) == 1


def test_a_text_without_words_lies_nowhere() -> None:
    assert nearness(compass(), "") == 0.0


VOCABULARY = (Term("mosquito", 3.0), Term("virus AND bread", 50.0), Term("railway", -2.0), Term("outbreak"))


def test_terms_of_a_vocabulary_speak_for_the_topic_as_its_words_do_the_heavier_the_more() -> None:
    found = compass(vocabulary=VOCABULARY)
    assert set(found.weights) == {"dengu", "fever", "mosquito", "outbreak"}
    assert found.weights["mosquito"] > found.weights["outbreak"] > 0
    assert nearness(found, "mosquitoes") > nearness(compass(), "mosquitoes")
    assert nearness(found, "mosquitoes") > nearness(found, "outbreak") > nearness(found, "bread")


def test_terms_stand_for_examples_where_there_are_none() -> None:
    assert len(compass(vocabulary=VOCABULARY).examples.names) == 3
    page = Example("Mosquitoes carry the virus of dengue.", "Dengue")
    found = compass(vocabulary=VOCABULARY, examples=(page,))
    assert len(found.examples.names) == 2
    assert found.weights["outbreak"] > 0
