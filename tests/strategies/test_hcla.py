import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array
from small_crawl import SITE, in_order, see, visit
from small_log import DENGUE, HEALTH, PORTAL, TRAINS, earlier_crawl

from honeyguide.errors import ConfigError
from honeyguide.graph.links import LinkGraph
from honeyguide.model import Candidate, Example, Link, Page, Topic, Visit
from honeyguide.strategies.hcla import Hcla
from honeyguide.strategies.hcla_table import HypertextTable
from honeyguide.testing import check_strategy, example_visits
from honeyguide.text.chosen_terms import Weighed
from honeyguide.text.svd_updating import Factors

QUERY = Topic("dengue fever", keywords=("mosquito",))
EXAMPLES = Topic(
    "dengue fever", examples=(Example(DENGUE), Example("The mosquito Aedes brings dengue fever."))
)


def made(topic: Topic = EXAMPLES, *, n: int = 1, anchors: bool = False, k: int = 50) -> Hcla:
    return Hcla(n=n, anchors=anchors, k=k).fit(topic, None)


@pytest.mark.parametrize("topic", [QUERY, EXAMPLES], ids=["query", "examples"])
@pytest.mark.parametrize(("n", "anchors"), [(1, True), (2, False), (50, True)])
def test_it_keeps_the_promises_of_a_strategy(topic: Topic, n: int, anchors: bool) -> None:
    check_strategy(lambda: made(topic, n=n, anchors=anchors), example_visits())


def test_taught_by_an_earlier_crawl_it_is_taken_up_again_without_it() -> None:
    first, visits = Hcla(n=2).fit(EXAMPLES, earlier_crawl()), example_visits()
    for one in visits[:4]:
        list(first.expand(one))
        list(first.changes())
    second = Hcla(n=2).fit(EXAMPLES, None)
    second.restore(first.state())
    for one in visits[4:]:
        assert list(second.expand(one)) == list(first.expand(one))
        assert list(second.changes()) == list(first.changes())


def links(table: HypertextTable, graph: LinkGraph, waits: list[bool]) -> np.ndarray:
    return np.asarray(table.waiting(graph, np.array(waits)).toarray())


def test_the_table_of_a_small_crawl_worked_by_hand() -> None:
    # Two terms, a corpus of two texts (1, 0) and (0, 1). Page a says the first term and links to b, x and y; page
    # b says the second and links to y. Words and links count alike, so each is 1 / sqrt 2 long in a column:
    #            text text   a     b            x   y
    #   term 1    1    0   .707    0            0   0
    #   term 2    0    1     0   .707           0   0
    #   page a    0    0   .707  .707/sqrt 2    1  .707
    #   page b    0    0     0   .707/sqrt 2    0  .707
    half = math.sqrt(0.5)
    whole = np.array([[1, 0, half, 0], [0, 1, 0, half], [0, 0, half, 0.5], [0, 0, 0, 0.5]])
    graph = LinkGraph()
    table = HypertextTable(Factors.of(csr_array(np.eye(2)), 10), terms=2, dimensions=10, links_weight=1.0)
    graph.add("a", "bxy")
    table.add(0, Weighed(np.array([0]), np.array([1.0])), heard_of=len(graph))
    graph.add("b", "y")
    table.add(1, Weighed(np.array([1]), np.array([1.0])), heard_of=len(graph))
    table.enter(graph)
    u, s, v = table.factors
    assert u * s @ v.T == pytest.approx(whole)
    assert s == pytest.approx(np.linalg.svd(whole, compute_uv=False))
    assert links(table, graph, [False, False, True, True]) == pytest.approx(np.array([[1, 0], [half, half]]))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_what_waits_is_ranked_by_the_cosine_in_few_dimensions(k: int) -> None:
    # The same table at rank k, and eq. 19 for x and y as columns of it, asked for the first term.
    half = math.sqrt(0.5)
    whole = np.array([[1, 0, half, 0], [0, 1, 0, half], [0, 0, half, 0.5], [0, 0, 0, 0.5]])
    u = np.linalg.svd(whole)[0][:, :k]
    strategy = made(QUERY)
    graph = strategy._waiting.graph
    table = HypertextTable(Factors.of(csr_array(np.eye(2)), 10), terms=2, dimensions=10, links_weight=1.0)
    for node, (name, targets) in enumerate((("a", "bxy"), ("b", "y"))):
        graph.add(name, targets)
        table.add(node, Weighed(np.array([node]), np.array([1.0])), heard_of=len(graph))
    table.enter(graph)
    table.factors = Factors(*(part[..., :k] for part in table.factors))
    strategy._table, strategy._sought = table, np.array([[1.0, 0.0]])
    strategy._aim()
    found, _ = strategy._scored(
        np.zeros((2, k)), links(table, graph, [False, False, True, True]) @ table.page_rows
    )
    columns = np.array([[0, 0, 1, 0], [0, 0, half, half]])
    query = np.array([1.0, 0, 0, 0])
    expected = [c @ u @ (u.T @ query) / np.linalg.norm(u.T @ c) for c in columns]
    assert found == pytest.approx(expected)


def test_a_page_told_later_of_links_to_it_is_the_same_in_the_table() -> None:
    # b is entered first, then a that links to it: the row of a says so, as if b had been told of it (a column
    # is not brought to length 1 again: b's own entry stays what it was, 1 / sqrt 2).
    graph = LinkGraph()
    table = HypertextTable(Factors.of(csr_array(np.eye(2)), 10), terms=2, dimensions=10, links_weight=1.0)
    for node, (name, targets) in enumerate((("b", "ay"), ("a", "bx"))):
        graph.add(name, targets)
        table.add(graph.number(name), Weighed(np.array([1 - node]), np.array([1.0])), heard_of=len(graph))
        table.enter(graph)
    u, s, v = table.factors
    half = math.sqrt(0.5)
    assert u * s @ v.T == pytest.approx(
        np.array([[1, 0, 0, half], [0, 1, half, 0], [0, 0, half, 0.5], [0, 0, 0.5, 0.5]])
    )


def test_a_row_folded_in_is_the_row_that_the_page_gets_where_nothing_else_is_new() -> None:
    # With links that hardly count, all that the page's own column does is to lengthen its dimension from 1 to
    # sqrt 2, and a row has its square below it.
    graph = LinkGraph()
    corpus = csr_array(np.array([[1.0, 0.0], [0.0, 0.5]]))
    table = HypertextTable(Factors.of(corpus, 2), terms=2, dimensions=2, links_weight=1e-4)
    graph.add("a", "x")
    words = Weighed(np.array([0]), np.array([1.0]))
    table.add(0, words, heard_of=len(graph))
    folded = table.folded(0, words, np.array([1]))
    table.enter(graph)
    assert np.abs(table.page_rows[0]) == pytest.approx(np.abs(folded) / 2, rel=1e-6)


@pytest.mark.parametrize("topic", [QUERY, EXAMPLES], ids=["query", "examples"])
def test_links_of_pages_about_the_topic_come_first_even_without_anchors(topic: Topic) -> None:
    scores = see(made(topic), visit("a", ["x"], text=DENGUE), visit("b", ["y"], text=TRAINS))
    assert scores["x"] > scores["y"]


def test_a_page_whose_links_led_to_the_topic_is_trusted_more() -> None:
    # Neither directory is about the topic, but the pages that the first led to are.
    crawl = [
        visit("a", ["g", "h", "x"], text=HEALTH),
        visit("b", ["i", "j", "y"], text=PORTAL),
        visit("g", [], text=DENGUE),
        visit("h", [], text=DENGUE + " Aedes bites by day."),
        visit("i", [], text=TRAINS),
        visit("j", [], text=TRAINS + " Rails are of steel."),
    ]
    scores = see(made(), *crawl)
    assert scores["x"] > 2 * scores["y"]


def test_words_around_a_link_count_only_with_anchors() -> None:
    told = (
        Link(SITE + "x", SITE + "a", "more", context="the mosquito brings dengue fever"),
        Link(SITE + "y", SITE + "a", "more", context="the timetables of trains"),
    )
    page = Page(SITE + "a", "a", PORTAL, "en", told)
    one = Visit(Candidate(Link(SITE + "a"), 0.0), page=page, status=200)
    with_words, without = see(made(anchors=True), one), see(made(anchors=False), one)
    assert with_words["x"] > with_words["y"]
    assert without["x"] == pytest.approx(without["y"])


@pytest.mark.parametrize("shorter", [1.0, 1e-3, 1e-6])
def test_words_do_not_drown_links_however_short_the_rows_of_pages_are(shorter: float) -> None:
    # Beside a large corpus the rows of the crawl's pages are hundreds of times shorter than those of terms. Words
    # that lie across the topic and links that lie along it: cos = (1 - s) / sqrt(s^2 + (1 - s)^2), s the words' share.
    strategy = made(QUERY, anchors=True)
    along = strategy._aims[:, 0] / np.linalg.norm(strategy._aims)
    across = np.roll(along, 1) - (np.roll(along, 1) @ along) * along
    scores, words = strategy._scored(0.4 * across[None], 0.4 * shorter * along)
    share = strategy.share
    assert scores == pytest.approx(
        np.linalg.norm(strategy._aims) * (1 - share) / math.hypot(share, 1 - share)
    )
    assert words == pytest.approx(0.0, abs=1e-12)


def test_noisy_or_over_two_examples_by_hand() -> None:
    # 1 - sqrt((1 - .5) * (1 - .2)); a cosine below 0 counts as 0.
    scores = made()._together(np.array([[0.5, 0.2], [0.5, -0.3]]))
    assert scores == pytest.approx([1 - math.sqrt(0.4), 1 - math.sqrt(0.5)])


def test_between_orderings_a_score_stands_and_what_is_taken_is_explained() -> None:
    strategy = made(n=2, anchors=True)
    see(strategy, visit("a", ["x", "dengue"], text=TRAINS), visit("b", ["y"], text=DENGUE))
    again = {candidate.url: candidate for candidate in strategy.expand(visit("c", ["x", "z"], text=DENGUE))}
    assert strategy.explain(again[SITE + "x"]) == again[SITE + "x"].parts
    assert strategy.explain(again[SITE + "z"]) is None
    taken = Candidate(
        Link(SITE + "dengue"), float(strategy._scores[strategy._waiting.graph.number(SITE + "dengue")])
    )
    parts = strategy.explain(taken)
    assert parts is not None
    assert sum(parts.values()) == pytest.approx(taken.score)
    assert parts["words"] > 0


def test_what_was_refused_or_visited_is_not_ordered() -> None:
    strategy = made(n=2)
    list(strategy.expand(visit("a", ["b", "x", "y"], text=DENGUE)))
    strategy.refused(SITE + "y")
    list(strategy.expand(visit("b", [], text=TRAINS)))
    assert [url for url, _ in strategy.changes()] == [SITE + "x"]


def test_the_larger_the_crawl_the_rarer_it_is_ordered() -> None:
    strategy = made(n=5, k=5)
    at = []
    for number in range(300):
        list(strategy.expand(visit(f"p{number}", [f"p{number + 1}", f"q{number}"], text=TRAINS)))
        if list(strategy.changes()):
            at.append(number + 1)
    gaps = [later - sooner for sooner, later in pairwise(at)]
    assert gaps[0] == 5
    assert gaps[-1] >= 0.05 * 270


def test_a_crawl_finds_its_way_to_the_topic() -> None:
    crawl = [visit(f"list{n}", [f"good{n}", f"bad{n}"], text=PORTAL) for n in range(3)] + [
        visit("good0", ["good5"], text=DENGUE),
        visit("bad0", ["bad5"], text=TRAINS),
    ]
    assert in_order(see(made(), *crawl))[0] == "good5"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Hcla(k=0),
        lambda: Hcla(n=0),
        lambda: Hcla(terms=1),
        lambda: Hcla(links_weight=0.0),
        lambda: Hcla(share=1.5),
        lambda: Hcla(by="links"),  # type: ignore[arg-type]
        lambda: Hcla().fit(Topic("the"), None),
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: Callable[[], Hcla]) -> None:
    with pytest.raises(ConfigError):
        wrong()
