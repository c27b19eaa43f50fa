"""How far pages are from relevant ones, and the Markov model of it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.graph.links import LinkGraph
from honeyguide.graph.markov import Markov
from honeyguide.graph.paths import levels, transitions


def graph_of(links: dict[str, str]) -> LinkGraph:
    graph = LinkGraph()
    for source, targets in links.items():
        graph.add(source, targets)
    return graph


def by_name(graph: LinkGraph, names: str, goals: str, limit: int) -> dict[str, int]:
    found = levels(graph, map(graph.number, goals), limit=limit)
    return {name: int(found[graph.number(name)]) for name in names}


def test_a_level_is_the_number_of_links_on_the_shortest_way() -> None:
    graph = graph_of({"a": "bc", "b": "r", "c": "d", "d": "e", "e": "r"})
    assert by_name(graph, "rbaedc", "r", 9) == {"r": 0, "b": 1, "a": 2, "e": 1, "d": 2, "c": 3}


def test_links_are_followed_forwards_only() -> None:
    assert by_name(graph_of({"r": "x"}), "rx", "r", 3) == {"r": 0, "x": 3}


def test_what_is_farther_than_the_limit_counts_as_the_limit() -> None:
    graph = graph_of({"a": "b", "b": "c", "c": "d", "d": "r"})
    assert by_name(graph, "abcdr", "r", 2) == {"a": 2, "b": 2, "c": 2, "d": 1, "r": 0}


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30), st.sets(st.integers(0, 9)))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_page_is_one_link_farther_than_the_nearest_it_leads_to(
    pairs: list[tuple[int, int]], goals: set[int]
) -> None:
    graph = LinkGraph()
    names = [str(number) for number in range(10)]
    for name in names:
        graph.number(name)
    for source in range(10):
        graph.add(names[source], [names[target] for at, target in pairs if at == source])
    found = levels(graph, goals, limit=20)
    for page in range(10):
        ahead = [found[target] + 1 for at, target in pairs if at == page and target != page]
        assert found[page] == (0 if page in goals else min([20, *ahead]))


def test_transitions_count_links_between_known_pages() -> None:
    # a and b lead to r (level 1), c to a (level 2); x was never visited.
    graph = graph_of({"a": "rx", "b": "ra", "c": "a", "r": "c"})
    known = graph.told
    found = levels(graph, [graph.number("r")], limit=3)
    counted = transitions(graph, found, known, states=4)
    expected = np.zeros((4, 4))
    expected[1, 0], expected[1, 1], expected[2, 1], expected[0, 2] = 2, 1, 1, 1
    assert counted.tolist() == expected.tolist()


MODEL = Markov(
    initial=np.array([0.2, 0.8]),
    transitions=np.array([[0.5, 0.5], [0.1, 0.9]]),
    emissions=np.array([[0.9, 0.1], [0.2, 0.8]]),
)


def test_a_forward_step_worked_by_hand() -> None:
    # Before the sign: .2 * .5 + .8 * .1 = .18 and .2 * .5 + .8 * .9 = .82;
    # with sign 0: .18 * .9 = .162 and .82 * .2 = .164, together .326.
    now = MODEL.now(MODEL.initial, 0)
    assert now == pytest.approx([0.162 / 0.326, 0.164 / 0.326])
    # One step on: (.162 * .5 + .164 * .1) / .326.
    assert MODEL.ahead(now)[0] == pytest.approx(0.0974 / 0.326)


def test_a_page_that_shows_nothing_changes_only_with_the_step() -> None:
    assert MODEL.now(MODEL.initial, None) == pytest.approx([0.18, 0.82])


def test_long_ways_do_not_fade() -> None:
    now = MODEL.initial
    for _ in range(5000):
        now = MODEL.now(now, 1)
    assert now.sum() == pytest.approx(1.0)


def test_counts_become_shares_and_nothing_is_impossible() -> None:
    model = Markov.counted(
        np.array([3.0, 0.0]), np.zeros((2, 2)), np.array([[1.0, 1, 0], [0, 0, 5]]), more=1.0
    )
    assert model.initial.tolist() == [0.8, 0.2]
    assert model.transitions.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert model.emissions[0].tolist() == [0.4, 0.4, 0.2]
