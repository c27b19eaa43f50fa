import numpy as np
import pytest

from honeyguide.model import Example, Topic
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
