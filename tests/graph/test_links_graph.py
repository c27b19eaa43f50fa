import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.graph.hits import hits
from honeyguide.graph.links import LinkGraph
from honeyguide.graph.pagerank import pagerank

URLS = st.sampled_from([f"https://example.org/{name}" for name in "abcdefgh"])
TELLINGS = st.lists(st.tuples(URLS, st.lists(URLS, max_size=6)), max_size=12)


def graph_of(*tellings: tuple[str, str]) -> LinkGraph:
    graph = LinkGraph()
    for page, targets in tellings:
        graph.add(page, targets)
    return graph


def test_pages_are_numbered_as_they_are_heard_of_and_links_count_once() -> None:
    graph = LinkGraph()
    assert graph.add("a", ["b", "c", "b", "a"]) == [1, 2]
    assert graph.add("c", ["d"]) == [3]
    assert graph.add("a", ["d"]) == [3]
    assert graph.sources.tolist() == [0, 0, 2]
    assert graph.targets.tolist() == [1, 2, 3]
    assert graph.told.tolist() == [True, False, True, False]
    assert (graph.find("d"), graph.find("e")) == (3, None)


@given(TELLINGS, TELLINGS)
@settings(deadline=None, derandomize=True, max_examples=100)
def test_a_restored_graph_goes_on_as_the_first_would(
    before: list[tuple[str, list[str]]], after: list[tuple[str, list[str]]]
) -> None:
    graph, again = LinkGraph(), LinkGraph()
    for page, targets in before:
        graph.add(page, targets)
    again.restore(graph.state())
    for page, targets in after:
        assert graph.add(page, targets) == again.add(page, targets)
    assert json.dumps({key: value.tolist() for key, value in graph.state().items()}) == json.dumps(
        {key: value.tolist() for key, value in again.state().items()}
    )


def test_ranks_worked_by_hand() -> None:
    # a -> b, c; b -> c; c -> a. With d = .8: a = .2 + .8c, b = .2 + .4a, c = .2 + .4a + .8b.
    # c = .2 + .4a + .16 + .32a = .36 + .72a; a = .2 + .288 + .576a, so a = .488 / .424.
    ranks = pagerank(graph_of(("a", "bc"), ("b", "c"), ("c", "a")), iterations=100)
    a = 0.488 / 0.424
    assert ranks == pytest.approx([a, 0.2 + 0.4 * a, 0.36 + 0.72 * a])


def test_a_page_whose_links_are_unknown_jumps_everywhere() -> None:
    # a -> b, b unknown: a = .2 + .8 b/2, b = .2 + .8a + .8 b/2.
    ranks = pagerank(graph_of(("a", "b")), iterations=200)
    a, b = ranks
    assert a == pytest.approx(0.2 + 0.4 * b)
    assert b == pytest.approx(0.2 + 0.8 * a + 0.4 * b)


@given(TELLINGS)
@settings(deadline=None, derandomize=True, max_examples=100)
def test_ranks_add_up_to_the_number_of_pages_wherever_one_starts(
    tellings: list[tuple[str, list[str]]],
) -> None:
    graph = LinkGraph()
    for page, targets in tellings:
        graph.add(page, targets)
    cold = pagerank(graph, iterations=200)
    warm = pagerank(graph, iterations=200, start=np.linspace(1, 2, len(graph) // 2))
    assert cold.sum() == pytest.approx(len(graph))
    assert warm == pytest.approx(cold)


def test_hubs_and_authorities_worked_by_hand() -> None:
    # a and b link to c, a to d as well: c has two hubs, d one; a is the better hub.
    # The authority vector is the main eigenvector of [[2, 1], [1, 1]]: (golden ratio, 1) normalised.
    scores = hits(graph_of(("a", "cd"), ("b", "c")), iterations=60)
    golden = (1 + 5**0.5) / 2
    assert scores.authorities[1] / scores.authorities[2] == pytest.approx(golden)
    assert scores.hubs[0] > scores.hubs[3] > 0
    assert np.square(scores.authorities).sum() == pytest.approx(1)


def test_a_page_without_weight_passes_nothing_on() -> None:
    scores = hits(graph_of(("a", "b"), ("c", "d")), iterations=5, weights=np.array([1.0, 1.0, 0.0, 1.0]))
    assert scores.authorities.tolist() == [0.0, 1.0, 0.0, 0.0]


def test_nothing_has_no_ranks() -> None:
    assert len(pagerank(LinkGraph())) == len(hits(LinkGraph()).hubs) == 0
