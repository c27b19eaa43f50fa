import numpy as np
import pytest

from honeyguide.model import Example, Page
from honeyguide.text.chosen_terms import ChosenTerms
from honeyguide.text.documents import Documents

TEXTS = [
    Example("Dengue is a fever."),
    Example("Trains run on rails. Trains stop at stations."),
    Example("Trains and rails, trains and stations, fever never."),
]


def chosen(most: int, *, first: tuple[str, ...] = (), own: int = 1) -> ChosenTerms:
    return ChosenTerms.of(TEXTS, Documents(), most=most, first=first, own=own)[0]


def test_half_of_the_terms_may_be_those_of_the_first_texts() -> None:
    assert chosen(4).stems == ["dengu", "fever", "train", "rail"]
    assert chosen(2, own=0).stems == ["train", "fever"]


def test_what_is_asked_for_is_among_them_whether_a_text_says_it_or_not() -> None:
    assert chosen(2, first=("mosquito",)).stems == ["mosquito", "dengu"]


def test_texts_weigh_the_logarithm_of_counts_times_idf_and_have_length_1() -> None:
    documents = Documents()
    terms, table = ChosenTerms.of(TEXTS, documents, most=4, first=(), own=1)
    idf = documents.background.idf
    weights = np.array([0.0, 0.0, np.log(3) * idf("train"), np.log(2) * idf("rail")])
    assert table.toarray()[1] == pytest.approx(weights / np.linalg.norm(weights))
    page = terms.of_page(Page("https://a.example/", text=TEXTS[1].text))
    assert page.terms.tolist() == [2, 3]
    assert page.weights == pytest.approx(table.toarray()[1][2:])


def test_short_texts_are_read_together_and_told_apart() -> None:
    terms = chosen(4)
    texts = ["", "trains, trains", "", "ça: fièvre «fever»", "x", "rails"]
    said = terms.of_short_texts(texts)
    assert said.texts.tolist() == [1, 1, 3, 5]
    assert said.terms.tolist() == [2, 2, 1, 3]
    table = terms.table(said, len(texts)).toarray()
    assert np.linalg.norm(table, axis=1).tolist() == pytest.approx([0, 1, 0, 1, 0, 1])


def test_any_number_of_short_texts_is_read_each_up_to_a_length() -> None:
    terms = chosen(4)
    said = terms.of_short_texts([f"{'é' * 30} fever {'x ' * 2000} rails"] * 500 + ["rails"])
    assert said.texts.tolist() == list(range(501))
    assert said.terms.tolist() == [1] * 500 + [3]
    assert len(terms.of_short_texts([]).texts) == 0
