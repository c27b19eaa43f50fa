"""Which page comes first, number for number."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import MadeUpCrawl, mosquitoes

from honeyguide.search import ranking as ranking_module
from honeyguide.search.index import Index
from honeyguide.search.links import Linkage, Standing
from honeyguide.search.ranking import Ranking, Sort
from honeyguide.search.results import Request


def test_a_score_is_made_of_text_relevance_and_authority(tmp_path: Path) -> None:
    """Two pages of one word each, of which one is on topic and linked to by the other.

    BM25 of `dengue`: both pages have it, so idf = ln(1 + (2 - 2 + 0.5) / (2 + 0.5)) = ln 1.2; it is said once
    in a text of average length, so tf = 2.2 / (1 + 1.2) = 1. Nothing else has the word: text = 0.1823 for both.

    PageRank with d = 0.8 that jumps to a, the only page on topic. b links to a, and a nowhere, so that whoever is on a
    jumps to a as well: b gets nothing, PR = (2, 0), authority(a) = ln 3 / ln 3 = 1, authority(b) = ln 1 / ln 3 = 0.

    score(a) = 0.1823 (1 + 1 * 0.8 + 0.5 * 1) = 0.4193; score(b) = 0.1823 (1 + 1 * 0.4 + 0.5 * 0) = 0.2553.
    """
    crawl = (
        MadeUpCrawl()
        .add("https://a.example/", "dengue", relevance=0.8)
        .add("https://b.example/", "dengue", relevance=0.4, to=(("https://a.example/", ""),))
    )
    index = Index.open(tmp_path)
    index.update(crawl)
    first, second = index.search("dengue").hits
    assert (first.url, second.url) == ("https://a.example/", "https://b.example/")
    assert first.text == second.text == pytest.approx(math.log(1.2), rel=1e-6)
    assert (first.relevance, first.authority) == (0.8, pytest.approx(1.0))
    assert (second.relevance, second.authority) == (0.4, pytest.approx(0.0))
    assert first.score == pytest.approx(0.4193, abs=1e-4)
    assert second.score == pytest.approx(0.2553, abs=1e-4)


def test_authority_is_pagerank_that_jumps_to_pages_on_topic() -> None:
    """a <-> b, c -> a; only c is on topic. d = 0.8, so c keeps 0.2 of the three, and passes 0.8 of it on to a.

    c = 0.6; a = 0.8 (b + c); b = 0.8 a; so a = 0.48 / 0.36 = 4/3 and b = 16/15: together 3.
    """
    linkage = Linkage().gather(
        [(1, 2, "b"), (2, 1, "a"), (3, 1, "a"), (3, 1, "again"), (3, 3, "self"), (9, 1, "")]
    )
    keys = np.array([1, 2, 3], np.int64)
    authority = linkage.authority(keys, np.array([False, False, True]))
    expected = np.log1p([4 / 3, 16 / 15, 0.6]) / math.log1p(4 / 3)
    np.testing.assert_allclose(authority, expected, atol=1e-3)


def test_without_a_page_on_topic_one_jumps_to_all_alike() -> None:
    authority = Linkage().gather([]).authority(np.array([5, 7], np.int64), np.array([False, False]))
    np.testing.assert_allclose(authority, [1.0, 1.0])
    assert len(Linkage().authority(np.zeros(0, np.int64), np.zeros(0, np.bool_))) == 0


def test_the_first_ten_different_anchors_of_a_page_are_kept() -> None:
    links = [(number, 0, f"name {number // 2}") for number in range(1, 60)]
    linkage = Linkage().gather([*links, (70, 0, "late"), (71, 5, "x" * 500), (0, 0, "itself")])
    assert linkage.anchors[0] == tuple(f"name {number}" for number in range(10))
    assert linkage.anchors[5] == ("x" * 100,)
    assert Standing.nothing().renamed(linkage.anchors) == [0, 5]


def test_the_weights_are_settings(tmp_path: Path) -> None:
    index = Index.open(tmp_path)
    index.update(mosquitoes())
    hits = index.search("mosquito", ranking=Ranking(relevance_weight=0.0, authority_weight=0.0)).hits
    assert [hit.score for hit in hits] == [hit.text for hit in hits]
    with pytest.raises(ValueError, match="authority_weight must be"):
        Ranking(authority_weight=-1.0)


def test_a_word_counts_more_in_a_title_than_in_the_text(tmp_path: Path) -> None:
    index = Index.open(tmp_path)
    index.update(
        MadeUpCrawl()
        .add("https://a.example/1", "dengue is one word of this text", title="Fever")
        .add("https://a.example/2", "fever is one word of this text", title="Dengue")
    )
    assert [hit.url for hit in index.search("dengue").hits] == ["https://a.example/2", "https://a.example/1"]


@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0, 1)), min_size=1, max_size=60), st.integers(1, 20))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_looking_no_deeper_than_needed_finds_the_same_pages(
    tmp_path_factory: pytest.TempPathFactory, pages: list[tuple[int, float]], wanted: int
) -> None:
    crawl = MadeUpCrawl()
    for number, (times, relevance) in enumerate(pages):
        crawl.add(
            f"https://a.example/{number}", "dengue " * (1 + times) + "filler " * 10, relevance=relevance
        )
    index = Index.open(tmp_path_factory.mktemp("deep"))
    index.update(crawl)
    everything = index.search(Request("dengue", limit=100)).hits
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking_module, "FIRST_LOOK", 2)
        assert index.search(Request("dengue", limit=wanted)).hits == everything[:wanted]


def test_equal_pages_come_in_an_order_that_does_not_hang_on_when_they_came(tmp_path: Path) -> None:
    addresses = [f"https://a.example/{number}" for number in range(30)]
    orders = []
    for name, turn in (("one", addresses), ("other", addresses[::-1])):
        crawl = MadeUpCrawl()
        for url in turn:
            crawl.add(url, "dengue")
        index = Index.open(tmp_path / name)
        index.update(crawl)
        orders.append([hit.url for hit in index.search(Request("dengue", limit=30)).hits])
    assert orders[0] == orders[1]


@pytest.mark.parametrize(
    ("sort", "first", "last"),
    [
        (Sort.NEWEST, "https://who.int/about", "https://www.who.int/dengue"),
        (Sort.OLDEST, "https://www.who.int/dengue", "https://who.int/about"),
        (Sort.RELEVANCE, "https://www.who.int/dengue", "https://who.int/about"),
    ],
)
def test_results_can_be_sorted_otherwise(tmp_path: Path, sort: Sort, first: str, last: str) -> None:
    index = Index.open(tmp_path)
    index.update(mosquitoes())
    hits = index.search(Request("", sort=sort)).hits
    assert (hits[0].url, hits[-1].url) == (first, last)


def test_sorted_by_authority_the_page_that_is_linked_to_comes_first(tmp_path: Path) -> None:
    crawl = MadeUpCrawl()
    for number in range(5):
        crawl.add(f"https://a.example/{number}", "dengue", to=(("https://a.example/3", "three"),))
    index = Index.open(tmp_path)
    index.update(crawl)
    assert index.search(Request("dengue", sort=Sort.AUTHORITY)).hits[0].url == "https://a.example/3"


def test_pages_of_results_are_parts_of_one_order(tmp_path: Path) -> None:
    crawl = MadeUpCrawl()
    for number in range(25):
        crawl.add(f"https://a.example/{number}", "dengue " * (number + 1), relevance=number % 7 / 7)
    index = Index.open(tmp_path)
    index.update(crawl)
    whole = index.search(Request("dengue", limit=0))
    parts = [index.search(Request("dengue", limit=10, page=page)) for page in (1, 2, 3, 4)]
    assert [hit for part in parts for hit in part.hits] == list(whole.hits)
    assert [len(part.hits) for part in parts] == [10, 10, 5, 0]
    assert [hit.rank for hit in whole.hits] == list(range(1, 26))
    assert (parts[0].total, parts[0].pages) == (25, 3)


def test_facets_count_everything_that_is_found(tmp_path: Path) -> None:
    index = Index.open(tmp_path)
    index.update(mosquitoes())
    facets = index.search(Request("", limit=1, facets=True)).facets
    assert facets == {
        "host": (("de.example", 1), ("malaria.example", 1), ("who.int", 1), ("www.who.int", 1)),
        "language": (("en", 3), ("de", 1)),
        "month": (("2026-01", 4),),
        "label": (("health", 2),),
        "relevant": (("no", 2), ("yes", 2)),
    }
    assert index.search("mosquito").facets == {}


def test_filters_beside_the_query_narrow_it(tmp_path: Path) -> None:
    index = Index.open(tmp_path)
    index.update(mosquitoes())
    found = index.search(Request("", hosts=("who.int", "de.example"), relevant=True)).hits
    assert {hit.url for hit in found} == {"https://www.who.int/dengue", "https://de.example/muecken"}
    assert index.search(Request("mosquito", languages=("de",))).total == 0
