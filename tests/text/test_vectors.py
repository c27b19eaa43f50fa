import math

import pytest

from honeyguide.errors import ConfigError
from honeyguide.model import Topic
from honeyguide.text.background import Background
from honeyguide.text.tokens import Tokeniser
from honeyguide.text.vectors import Query, cosine, length, tfidf

BACKGROUND = Background.from_counts({"dengu": 10, "fever": 100, "bite": 500, "mosquito": 50}, 1000)


def query(*texts: str, remembered: int = 100) -> Query:
    return Query(texts, background=BACKGROUND, tokeniser=Tokeniser(), remembered=remembered)


def test_tfidf_is_frequency_over_the_greatest_times_idf() -> None:
    # idf: ln(1000/10) = 4.60517, ln(1000/100) = 2.30259, ln(1000/500) = 0.69315; greatest frequency 4
    weights = tfidf({"dengu": 4, "fever": 2, "bite": 1}, BACKGROUND)
    assert weights == pytest.approx({"dengu": 4.605170, "fever": 1.151293, "bite": 0.173287}, abs=1e-6)
    assert tfidf({}, BACKGROUND) == {}


def test_cosine_of_a_worked_example() -> None:
    # q = (4.60517, 2.30259), length 5.14874; p as above, length sqrt(21.20759 + 1.32547 + 0.03003) = 4.75006
    # product 4.60517 * 4.60517 + 2.30259 * 1.15129 = 23.85854; 23.85854 / (5.14874 * 4.75006) = 0.97554
    page = tfidf({"dengu": 4, "fever": 2, "bite": 1}, BACKGROUND)
    topic = tfidf({"dengu": 1, "fever": 1}, BACKGROUND)
    assert length(page) == pytest.approx(4.75006, abs=1e-5)
    assert cosine(topic, page) == pytest.approx(0.97554, abs=1e-5)
    assert cosine(page, topic) == pytest.approx(0.97554, abs=1e-5)


def test_the_cosine_to_nothing_is_nothing() -> None:
    assert cosine({}, {"a": 1.0}) == 0
    assert cosine({"a": 0.0}, {"a": 1.0}) == 0
    assert cosine({"a": 1.0}, {"b": 1.0}) == 0
    assert cosine({"a": 0.1, "b": 0.3}, {"a": 0.1, "b": 0.3}) == pytest.approx(1)


def test_a_query_has_length_1_and_words_said_twice_count_more() -> None:
    once, twice = query("dengue fever"), query("dengue fever", "Fevers")
    assert length(once.weights) == pytest.approx(1)
    assert once.weights["dengu"] / once.weights["fever"] == pytest.approx(2)
    assert twice.weights["dengu"] / twice.weights["fever"] == pytest.approx(1)


def test_a_query_shows_stems_as_the_topic_wrote_them() -> None:
    assert query("Dengue fevers", "mosquito bites").words == {
        "dengu": "dengue",
        "fever": "fevers",
        "mosquito": "mosquito",
        "bite": "bites",
    }


def test_a_text_is_compared_by_its_stems() -> None:
    # the weights of dengue and fever are as 2 to 1, so dengue alone has a cosine of 2 / sqrt(5)
    assert query("dengue fever").cosine("Dengue") == pytest.approx(2 / math.sqrt(5))
    assert query("dengue fever").cosine("the fever of dengue’s") == pytest.approx(1)
    assert query("dengue fever").cosine("roses") == 0
    assert query("dengue fever").cosine("") == 0


def test_many_texts_are_compared_as_one_is_and_few_are_remembered() -> None:
    asked = query("dengue fever", remembered=5)
    texts = [f"dengue {'bite ' * number}" for number in range(30)] + ["dengue " * 200] + ["", "dengue "]
    for _ in range(2):
        assert asked.cosines(texts) == [query("dengue fever").cosine(text) for text in texts]
    assert len(asked._cosines) <= 5


def test_the_query_of_a_topic_is_its_name_and_keywords() -> None:
    topic = Topic("Dengue fever", keywords=("Aedes aegypti", "fever"))
    asked = Query.of(topic)
    assert set(asked.weights) == {"dengu", "fever", "aed", "aegypti"}
    assert asked.weights["fever"] == pytest.approx(
        2 * asked.weights["dengu"] * asked.background.idf("fever") / asked.background.idf("dengu")
    )


@pytest.mark.parametrize("topic", [Topic("The Who"), Topic("1984", keywords=("and", "")), Topic("")])
def test_a_topic_without_words_is_refused_in_one_sentence(topic: Topic) -> None:
    with pytest.raises(ConfigError, match=r"^[^.]* has no words to look for; give it keywords\.$"):
        Query.of(topic)
