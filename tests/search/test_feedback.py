"""Rocchio, number for number, and what it does to results."""

import math
from pathlib import Path

import pytest
from made_up import MadeUpCrawl

from honeyguide.errors import ConfigError
from honeyguide.search.feedback import rocchio, vector
from honeyguide.search.index import Index
from honeyguide.search.results import Request


def test_rocchio_moves_a_query_to_the_good_and_away_from_the_bad() -> None:
    """alpha 1, beta 0.75, gamma 0.15, two good pages and one bad.

    jaguar  1 + 0.75 (0.6 + 0.8) / 2 - 0.15 * 0.5 = 1 + 0.525 - 0.075 = 1.45
    cat     0.75 (0.8 + 0.2) / 2 = 0.375
    forest  0.75 * 0.4 / 2 = 0.15
    car     0.75 * 0.1 / 2 - 0.15 * 0.9 = -0.0975, which is left out
    """
    moved = rocchio(
        {"jaguar": 1.0},
        good=[{"jaguar": 0.6, "cat": 0.8}, {"jaguar": 0.8, "cat": 0.2, "forest": 0.4, "car": 0.1}],
        bad=[{"jaguar": 0.5, "car": 0.9}],
    )
    assert list(moved) == ["jaguar", "cat", "forest"]
    assert moved == pytest.approx({"jaguar": 1.45, "cat": 0.375, "forest": 0.15})


def test_other_weights_and_fewer_words_can_be_asked_for() -> None:
    moved = rocchio({"a": 1.0}, [{"b": 1.0, "c": 0.5}], [{"a": 1.0}], alpha=0.5, beta=1.0, gamma=0.25, most=2)
    assert moved == pytest.approx({"b": 1.0, "c": 0.5})


def test_without_feedback_the_query_stays_what_it_is() -> None:
    assert rocchio({"a": 0.6, "b": 0.8}, [], []) == {"b": 0.8, "a": 0.6}


def test_a_vector_weighs_words_that_are_many_here_and_rare_elsewhere() -> None:
    """Ten pages; `a` twice and in one of them, `b` once and in all.

    a: (1 + ln 2) ln(1 + 9.5 / 1.5) = 3.3733; b: ln(1 + 0.5 / 10.5) = 0.0465; divided by their length, 3.3736.
    """
    found = vector(["a", "b", "a"], 10, {"a": 1, "b": 10}.__getitem__)
    assert found == pytest.approx({"a": 0.99990, "b": 0.01379}, abs=1e-5)
    assert math.hypot(*found.values()) == pytest.approx(1.0)
    assert vector([], 10, lambda term: 0) == {}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    crawl = MadeUpCrawl()
    for number in range(6):
        crawl.add(f"https://cats.example/{number}", f"jaguar forest prey paw cub{number} the and")
        crawl.add(f"https://cars.example/{number}", f"jaguar engine wheel motor trim{number} the and")
    crawl.add("https://birds.example/", "toucan forest nest the and", language="en", relevance=1.0)
    index = Index.open(tmp_path_factory.mktemp("feedback"))
    index.update(crawl)
    return index


def hosts(index: Index, request: Request) -> list[str]:
    return [hit.host for hit in index.search(request).hits]


def test_good_and_bad_answers_turn_an_ambiguous_search(index: Index) -> None:
    good, bad = ("https://cats.example/0",), ("https://cars.example/0",)
    assert set(hosts(index, Request("jaguar", limit=12))[:6]) == {"cats.example", "cars.example"}
    cats = index.search(Request("jaguar", good=good, bad=bad, limit=5))
    assert {hit.host for hit in cats.hits} == {"cats.example"}
    assert {"jaguar", "paw", "forest"} <= set(cats.terms)
    assert "engin" not in cats.terms
    assert set(hosts(index, Request("jaguar", good=bad, bad=good, limit=5))) == {"cars.example"}


def test_pages_like_one_page_are_not_that_page(index: Index) -> None:
    found = index.search(Request(like="https://cats.example/3", limit=5)).hits
    assert {hit.host for hit in found} == {"cats.example"}
    assert "https://cats.example/3" not in [hit.url for hit in found]


def test_filters_hold_for_feedback_too(index: Index) -> None:
    like = "https://cats.example/3"
    assert set(hosts(index, Request(like=like, hosts=("cars.example",)))) == {"cars.example"}
    assert hosts(index, Request("relevant:yes", like=like)) == ["birds.example"]
    assert "birds.example" not in hosts(index, Request("-toucan", like=like, limit=0))


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        (Request(like="https://elsewhere.example/"), "not among the pages"),
        (Request("jaguar", good=("no address",)), "not a web address"),
        (Request(bad=("https://cats.example/0",)), "Nothing is left"),
    ],
)
def test_feedback_that_cannot_be_used_is_one_sentence(
    index: Index, request_: Request, complaint: str
) -> None:
    with pytest.raises(ConfigError, match=complaint):
        index.search(request_)


def test_feedback_has_its_bounds(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="At most 100"):
        Request(good=tuple(f"https://a.example/{number}" for number in range(101)))
    with pytest.raises(ConfigError, match="counted from 1"):
        Request(page=0)
