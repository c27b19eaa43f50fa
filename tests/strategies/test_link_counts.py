"""Strategies that look at links only, or at links and relevance: depth-first, backlinks, PageRank, HITS, hubs."""

from collections.abc import Callable

import pytest
from small_crawl import SITE, in_order, see, visit

from honeyguide.errors import ConfigError
from honeyguide.model import Topic
from honeyguide.roles import Strategy
from honeyguide.strategies.backlink import Backlink
from honeyguide.strategies.depth_first import DepthFirst
from honeyguide.strategies.distiller import Distiller
from honeyguide.strategies.hits import Hits
from honeyguide.strategies.keywords_then_pagerank import KeywordsThenPageRank
from honeyguide.strategies.pagerank import PageRank
from honeyguide.testing import check_strategy, example_visits

TOPIC = Topic("dengue fever", keywords=("mosquito",))
MADE: dict[str, Callable[[], Strategy]] = {
    "depth-first": DepthFirst,
    "backlink": Backlink,
    "pagerank": lambda: PageRank(every=2),
    "hits": lambda: Hits(every=2),
    "distiller": lambda: Distiller(every=2),
    "keywords": lambda: KeywordsThenPageRank(every=2).fit(TOPIC, None),
}


@pytest.mark.parametrize("name", MADE)
def test_they_keep_the_promises_of_a_strategy(name: str) -> None:
    check_strategy(MADE[name], example_visits())


def test_depth_first_goes_on_from_the_page_it_is_on() -> None:
    scores = see(DepthFirst(), visit("a", "bcd"), visit("b", "ef"))
    assert in_order(scores) == ["e", "f", "c", "d"]


def test_a_link_found_again_counts_as_new_for_depth_first() -> None:
    assert in_order(see(DepthFirst(), visit("a", "bcd"), visit("b", "ed"))) == ["d", "e", "c"]


def test_backlinks_count_pages_not_links() -> None:
    scores = see(Backlink(), visit("a", "xyyy"), visit("b", "x"), visit("c", "xz"))
    assert scores == {"x": 3.0, "y": 1.0, "z": 1.0}


def test_ranks_of_what_waits_worked_by_hand() -> None:
    # a -> x, y; b -> x. Nobody links to a and b, so with J what x and y jump to each page,
    # a = b = .2 + J, x = .2 + J + .4a + .8b = 2.2a, y = 1.4a, and all four add up to 4: a = 4 / 5.6.
    scores = see(PageRank(every=1, iterations=200), visit("a", "xy"), visit("b", "x"))
    assert scores == pytest.approx({"x": 2.2 * 4 / 5.6, "y": 1.4 * 4 / 5.6})


def test_between_orderings_a_link_has_what_its_page_passes_on() -> None:
    # 0.2 + 0.8 * 1 / 2
    assert see(PageRank(every=50), visit("a", "xy")) == pytest.approx({"x": 0.6, "y": 0.6})


def test_the_larger_the_crawl_the_rarer_it_is_ordered() -> None:
    strategy = PageRank(every=1)
    orderings = 0
    for number in range(400):
        list(strategy.expand(visit(f"page{number}", [f"page{number + 1}", f"leaf{number}"])))
        orderings += bool(list(strategy.changes()))
    # Twenty while 1 is 5 % or more, then one for every growth by 5 %: 20 + log(400 / 20) / log(1.05) = 81.
    assert 70 < orderings < 95


def test_authorities_of_what_waits() -> None:
    scores = see(Hits(every=1, iterations=60), visit("a", "xy"), visit("b", "x"))
    golden = (1 + 5**0.5) / 2
    assert scores == pytest.approx({"x": 1.0, "y": 1 / golden})


def test_a_word_of_the_topic_outweighs_any_rank() -> None:
    strategy = KeywordsThenPageRank(every=1).fit(TOPIC, None)
    scores = see(
        strategy,
        visit("a", "xyz"),
        visit("b", "xyz"),
        visit("c", "w", text="A mosquito bites."),
        visit("d", "v", text="Dengue is a fever."),
    )
    assert in_order(scores)[:2] == ["v", "w"]
    assert int(scores["v"]) == 2
    assert int(scores["x"]) == 0


def test_the_distiller_lifts_the_links_of_hubs() -> None:
    # Both pages are relevant alike, but a leads to two pages that proved relevant and b to none.
    crawl = [
        visit("a", ["g", "h", "x"], relevance=0.5),
        visit("b", ["i", "j", "y"], relevance=0.5),
        visit("g", [], relevance=0.9),
        visit("h", [], relevance=0.9),
        visit("i", [], relevance=0.0),
        visit("j", [], relevance=0.0),
    ]
    scores = see(Distiller(every=1, iterations=50), *crawl)
    assert scores["x"] > scores["y"]
    assert scores["x"] == pytest.approx(1.0)
    assert see(Distiller(share=0.0, every=1), *crawl) == pytest.approx({"x": 0.5, "y": 0.5})


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: PageRank(d=1.0),
        lambda: PageRank(every=0),
        lambda: Hits(iterations=0),
        lambda: Distiller(share=-1.0),
        lambda: KeywordsThenPageRank(d=-0.1),
        lambda: KeywordsThenPageRank(every=0),
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: Callable[[], Strategy]) -> None:
    with pytest.raises(ConfigError, match=r"must|cannot"):
        wrong()


def test_what_was_visited_is_ordered_no_more() -> None:
    strategy = PageRank(every=1)
    list(strategy.expand(visit("a", "bc")))
    list(strategy.changes())
    list(strategy.expand(visit("b", "c")))
    assert {url for url, _ in strategy.changes()} == {SITE + "c"}
