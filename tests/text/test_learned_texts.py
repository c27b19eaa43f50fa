"""Texts as counted stems: their vectors, their classes, and their middle."""

import math

import numpy as np
import pytest

from honeyguide.model import Example, Page
from honeyguide.text.background import Background
from honeyguide.text.bags import Bags, Counts
from honeyguide.text.centroid import Centroid
from honeyguide.text.classes import Classes
from honeyguide.text.documents import Documents
from honeyguide.text.nearest import Nearest
from honeyguide.text.vectors import cosine, tfidf

TEXTS = (
    "Dengue fever, a fever that mosquitoes carry",
    "Malaria is carried by mosquitoes",
    "Trains run on rails and stop at stations",
    "",
)


@pytest.fixture(scope="module")
def documents() -> Documents:
    return Documents()


def bags_of(documents: Documents, texts: tuple[str, ...] = TEXTS) -> Bags:
    bags = Bags()
    for text in texts:
        bags.add(Example(text), documents)
    return bags


def test_chosen_texts_number_their_words_as_they_occur(documents: Documents) -> None:
    counts = bags_of(documents).chosen([2, 0])
    assert counts.words[:2] == ["train", "run"]
    assert counts.texts == 2
    fever = counts.words.index("fever")
    assert counts.counts[(counts.columns == fever) & (counts.rows == 1)].tolist() == [2.0]


def test_a_table_depends_on_nothing_that_was_read_before(documents: Documents) -> None:
    fresh = bags_of(Documents()).chosen([0, 1])
    again = bags_of(documents).chosen([0, 1])
    assert fresh.words == again.words
    assert fresh.columns.tolist() == again.columns.tolist()


def test_no_texts_make_an_empty_table(documents: Documents) -> None:
    counts = bags_of(documents).chosen([])
    assert (counts.words, counts.texts, len(counts.counts)) == ([], 0, 0)


def test_restored_bags_go_on_as_before(documents: Documents) -> None:
    bags, again = bags_of(documents), Bags()
    again.restore(bags.state())
    for each in (bags, again):
        assert each.add(Example("A new train"), documents) == 4
    assert again.chosen([4, 0]).words == bags.chosen([4, 0]).words


def test_unit_vectors_are_tf_idf_of_length_1(documents: Documents) -> None:
    unit = bags_of(documents).chosen([0, 3]).unit(documents.background)
    assert math.hypot(*unit.counts) == pytest.approx(1.0)
    weights = tfidf(documents.tokeniser.counts(TEXTS[0]), documents.background)
    made = {unit.words[at]: float(unit.counts[at]) for at in unit.columns.tolist()}
    assert cosine(made, weights) == pytest.approx(1.0)


def test_texts_have_document_frequencies_of_their_own(documents: Documents) -> None:
    background = bags_of(documents).chosen([0, 1, 2]).background()
    assert background.idf("mosquito") == pytest.approx(math.log(3 / 2))
    assert background.idf("train") == pytest.approx(math.log(3))


def test_cosines_to_all_texts_are_those_to_each(documents: Documents) -> None:
    unit = bags_of(documents).chosen(range(4)).unit(documents.background)
    nearest = Nearest(unit, documents.background, documents)
    page = "Mosquitoes carry fever from station to station, unheardofword"
    found = nearest.cosines(documents.read(Page("https://a.example/", "", page)).stems())
    mine = tfidf(documents.tokeniser.counts(page), documents.background)
    expected = [cosine(mine, tfidf(documents.tokeniser.counts(text), documents.background)) for text in TEXTS]
    assert found == pytest.approx(expected)
    assert found[0] > found[1] > 0


def test_a_page_without_words_is_close_to_nothing(documents: Documents) -> None:
    nearest = Nearest(
        bags_of(documents).chosen([0]).unit(documents.background), documents.background, documents
    )
    assert nearest.cosines(documents.read(Page("https://a.example/")).stems()).tolist() == [0.0]


def test_a_page_belongs_to_the_class_whose_words_it_says(documents: Documents) -> None:
    counts = bags_of(documents).chosen([0, 1, 2])
    classes = Classes.of(counts, np.array([0, 0, 2]), 3, documents)
    ill = classes.of_page(documents.read(Page("https://a.example/", "", "A fever of mosquitoes")).stems())
    rails = classes.of_page(documents.read(Page("https://b.example/", "", "The train stops")).stems())
    assert ill.argmax() == 0
    assert rails.argmax() == 2
    assert ill[1] == rails[1] == 0.0
    assert ill.sum() == pytest.approx(1.0)


def test_shares_of_classes_worked_by_hand() -> None:
    # Two words; class 0 has a text of one a, class 1 one of one b. Each is half of all words, and counts for
    # .1 * 2 * .5 = .1 beforehand: shares 1.1 / 1.2 and .1 / 1.2. Log-odds of a page of a alone: log 11.
    counts = Counts(["a", "b"], np.array([0, 1]), np.array([0, 1]), np.array([1.0, 1.0]), 2)
    classes = Classes.of(counts, np.array([0, 1]), 2, Documents())
    probable = classes.of_texts(counts)
    assert probable[0, 0] == pytest.approx(1 / (1 + 11.0**-20))
    assert probable[1].tolist() == pytest.approx(probable[0][::-1].tolist())


def test_many_texts_are_classed_as_pages_are(documents: Documents) -> None:
    bags = bags_of(documents)
    classes = Classes.of(bags.chosen([0, 2]), np.array([0, 1]), 2, documents)
    one_by_one = [classes.of_page(documents.read(Example(text)).stems()) for text in TEXTS]
    assert classes.of_texts(bags.chosen(range(4))) == pytest.approx(np.array(one_by_one))
    again = Classes.restored(classes.state(), Documents())
    assert again.of_texts(bags.chosen(range(4))).tolist() == classes.of_texts(bags.chosen(range(4))).tolist()


def test_anchors_are_measured_against_the_middle() -> None:
    background = Background({"fever": 2.0, "home": 1.0}, rarest=4.0)
    centroid = Centroid({"fever": 0.6, "rare": 0.8}, background, Documents().tokeniser)
    # fever weighs 2, home 1: (2 * .6) / sqrt(5).
    assert centroid.cosines(["fever home", "", "home", "fever"]) == pytest.approx(
        [1.2 / math.sqrt(5), 0.0, 0.0, 0.6]
    )
    assert centroid.cosines(["fever home"]) == centroid.cosines(["fever home"])
