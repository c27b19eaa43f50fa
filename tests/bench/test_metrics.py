"""Measures of a crawl: numbers worked out by hand, and what must hold of every crawl."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.bench.metrics import (
    Box,
    Cost,
    average_similarity,
    box,
    efficiency,
    found_curve,
    harvest_at,
    hosts_reached,
    mean_precision,
    near_topic_rate,
    outcome_of,
    overlap_matrix,
    precision_at_recall,
    recall_at,
    score_density,
    similarities,
)
from honeyguide.errors import ErrorKind
from honeyguide.model import Candidate, Link, Response, Visit

always = settings(max_examples=60, deadline=None, derandomize=True)
urls = st.integers(0, 30).map(str)
fetches = st.lists(urls, max_size=40)
target_sets = st.frozensets(urls, min_size=1, max_size=15)
budgets = st.integers(1, 60)
scores = st.lists(st.floats(-2, 2), min_size=1, max_size=60)

CRAWL = ["a", "x", "b", "x2", "c", "x3", "x4", "x5"]
TARGETS = frozenset("abcd")


def test_the_curve_counts_what_was_found_after_each_fetch() -> None:
    assert found_curve(CRAWL, TARGETS).tolist() == [0, 1, 1, 2, 2, 3, 3, 3, 3]


def test_a_page_that_comes_twice_is_found_once_and_paid_for_twice() -> None:
    assert found_curve(["a", "a", "b"], TARGETS).tolist() == [0, 1, 1, 2]
    assert harvest_at(["a", "a", "b"], TARGETS, 3) == pytest.approx(2 / 3)


def test_harvest_and_recall_at_a_number_of_fetches() -> None:
    assert harvest_at(CRAWL, TARGETS, 4) == 0.5
    assert recall_at(CRAWL, TARGETS, 4) == 0.5
    assert recall_at(CRAWL, TARGETS, 5) == 0.75
    assert harvest_at(CRAWL, TARGETS, 1) == 1.0


def test_a_crawl_that_ended_early_is_measured_on_what_it_fetched() -> None:
    assert harvest_at(CRAWL, TARGETS, 1000) == 3 / 8
    assert recall_at(CRAWL, TARGETS, 1000) == 0.75


def test_efficiency_is_the_area_under_the_curve_as_a_share_of_the_oracles() -> None:
    # found 1 1 2 2 3 3 3 3 = 18; the oracle 1 2 3 4 4 4 4 4 = 26
    assert efficiency(CRAWL, TARGETS, 8) == pytest.approx(18 / 26)
    # the last value is kept for two more fetches: 18 + 6 and 26 + 8
    assert efficiency(CRAWL, TARGETS, 10) == pytest.approx(24 / 34)
    # the budget cuts: 1 1 2 = 4 and 1 2 3 = 6
    assert efficiency(CRAWL, TARGETS, 3) == pytest.approx(4 / 6)
    assert efficiency(CRAWL, TARGETS) == efficiency(CRAWL, TARGETS, 8)


def test_with_more_targets_than_budget_the_oracle_finds_one_with_every_fetch() -> None:
    assert efficiency(["a", "x"], frozenset("abcdefgh"), 2) == pytest.approx(2 / 3)


def test_nothing_to_find_and_nothing_fetched_are_zero() -> None:
    none: frozenset[str] = frozenset()
    for measure in (efficiency, harvest_at, recall_at):
        assert measure(CRAWL, none, 5) == 0.0
        assert measure([], TARGETS, 5) == 0.0
    assert efficiency([], TARGETS) == 0.0
    assert mean_precision(CRAWL, none) == 0.0
    assert mean_precision([], TARGETS) == 0.0
    assert near_topic_rate([], {"a": 1}) == 0.0


def test_near_the_topic_means_its_level_or_the_one_above() -> None:
    levels = {"a": 1, "b": 2, "c": 3, "x": 2}
    assert near_topic_rate(["a", "b", "c", "unknown"], levels) == 0.5
    assert near_topic_rate(["a", "b", "c", "unknown"], levels, upto=1) == 0.25
    assert near_topic_rate(["a", "b", "c", "unknown"], levels, upto=3) == 0.75


def test_precision_at_the_fetch_where_a_recall_is_first_reached() -> None:
    # half of the four targets are had at the third fetch: P = 2/3, R = 1/2, F1 = 4/7
    assert precision_at_recall(CRAWL, TARGETS, 0.5) == pytest.approx((2 / 3, 4 / 7))
    # .1 of four targets needs one of them: P = 1, R = 1/4, F1 = 2/5
    assert precision_at_recall(CRAWL, TARGETS, 0.1) == pytest.approx((1.0, 0.4))
    # the fourth is never found
    assert precision_at_recall(CRAWL, TARGETS, 1.0) == (0.0, 0.0)


def test_mean_precision_is_over_ten_levels_and_what_is_not_reached_counts_as_zero() -> None:
    # of 4 targets .1 .2 need 1, .3 .4 .5 need 2, .6 .7 need 3, .8 .9 1. need 4 (never): 2 * 1 + 3 * 2/3 + 2 * 3/5
    assert mean_precision(CRAWL, TARGETS) == pytest.approx((2 + 2 + 1.2) / 10)


@pytest.mark.parametrize(("level", "n", "needed"), [(0.1, 30, 3), (0.3, 10, 3), (0.7, 10, 7), (0.6, 5, 3)])
def test_a_level_that_is_a_whole_number_of_pages_needs_no_page_more(
    level: float, n: int, needed: int
) -> None:
    targets = [str(number) for number in range(n)]
    crawl = targets[:needed] + ["x"] * 100
    assert precision_at_recall(crawl, frozenset(targets), level).precision == 1.0


@always
@given(fetches, target_sets)
def test_the_curve_never_falls_and_rises_by_one_at_most(fetched: list[str], targets: frozenset[str]) -> None:
    curve = found_curve(fetched, targets)
    assert len(curve) == len(fetched) + 1
    assert curve[0] == 0
    assert set(np.diff(curve).tolist()) <= {0, 1}
    assert curve[-1] == len(targets.intersection(fetched))


@always
@given(fetches, target_sets, budgets)
def test_every_rate_lies_between_0_and_1(fetched: list[str], targets: frozenset[str], n: int) -> None:
    for measure in (efficiency, harvest_at, recall_at):
        assert 0 <= measure(fetched, targets, n) <= 1
    assert 0 <= mean_precision(fetched, targets) <= 1
    precision, f1 = precision_at_recall(fetched, targets, n / 60)
    assert 0 <= precision <= 1
    assert 0 <= f1 <= 1


@always
@given(target_sets, fetches, budgets, st.randoms(use_true_random=False))
def test_the_oracle_has_efficiency_and_mean_precision_1(
    targets: frozenset[str], rest: list[str], budget: int, chance: random.Random
) -> None:
    best = sorted(targets)
    chance.shuffle(best)
    crawl = [*best, *(url for url in rest if url not in targets)]
    assert efficiency(crawl, targets, budget) == 1.0
    assert mean_precision(crawl, targets) == 1.0
    assert precision_at_recall(crawl, targets, 1.0) == (1.0, 1.0)


@always
@given(fetches, target_sets, budgets)
def test_no_order_of_the_same_pages_beats_targets_first(
    fetched: list[str], targets: frozenset[str], budget: int
) -> None:
    sorted_by_worth = sorted(fetched, key=lambda url: url not in targets)
    unique = list(dict.fromkeys(sorted_by_worth))
    assert efficiency(fetched, targets, budget) <= efficiency(unique, targets, budget) + 1e-12
    assert mean_precision(fetched, targets) <= mean_precision(unique, targets) + 1e-12


@always
@given(fetches, target_sets, st.integers(0, 38))
def test_finding_a_target_one_fetch_sooner_never_hurts(
    fetched: list[str], targets: frozenset[str], place: int
) -> None:
    fetched = list(dict.fromkeys(fetched))
    if place + 1 >= len(fetched) or fetched[place] in targets or fetched[place + 1] not in targets:
        return
    sooner = [*fetched[:place], fetched[place + 1], fetched[place], *fetched[place + 2 :]]
    assert efficiency(sooner, targets, 40) > efficiency(fetched, targets, 40)
    assert mean_precision(sooner, targets) >= mean_precision(fetched, targets)


@always
@given(fetches, target_sets, st.randoms(use_true_random=False))
def test_the_final_figures_do_not_depend_on_the_order(
    fetched: list[str], targets: frozenset[str], chance: random.Random
) -> None:
    shuffled = list(fetched)
    chance.shuffle(shuffled)
    for measure in (harvest_at, recall_at):
        assert measure(shuffled, targets, len(fetched)) == measure(fetched, targets, len(fetched))


@always
@given(fetches, target_sets, budgets)
def test_recall_grows_with_the_number_of_fetches(fetched: list[str], targets: frozenset[str], n: int) -> None:
    assert recall_at(fetched, targets, n) <= recall_at(fetched, targets, n + 1)


def test_similarity_is_the_largest_cosine_to_any_relevant_page() -> None:
    relevant = [{"dengue": 3.0, "fever": 4.0}, {"mosquito": 2.0}]
    pages = [{"fever": 1.0}, {"mosquito": 5.0, "garden": 5.0}, {"rose": 1.0}, {}]
    assert similarities(pages, relevant) == pytest.approx([0.8, math.sqrt(0.5), 0, 0], abs=1e-6)
    assert average_similarity(pages, relevant) == pytest.approx((0.8 + math.sqrt(0.5)) / 4, abs=1e-6)
    assert average_similarity(pages[:1], relevant[:1] * 3) == pytest.approx(0.8, abs=1e-6)
    assert average_similarity([], relevant) == 0.0
    assert average_similarity(pages, []) == 0.0
    assert average_similarity([relevant[0]], relevant) == pytest.approx(1.0, abs=1e-6)


def test_scores_become_a_histogram_of_area_1() -> None:
    density = score_density([0.1, 0.1, 0.1, 0.9], bins=2)
    assert density.edges.tolist() == [0.0, 0.5, 1.0]
    assert density.heights.tolist() == [1.5, 0.5]
    assert len(score_density([0.5]).heights) == 80
    assert score_density([], bins=4).heights.tolist() == [0, 0, 0, 0]


@always
@given(scores)
def test_the_area_of_a_density_is_1(values: list[float]) -> None:
    density = score_density(values, span=None)
    assert float((density.heights * np.diff(density.edges)).sum()) == pytest.approx(1.0)


def test_a_box_has_five_numbers_and_the_outliers() -> None:
    # quartiles of 1..9 and 100 by linear interpolation: 3.25, 5.5, 7.75; the reach is 6.75
    assert box([*range(1, 10), 100]) == Box(1.0, 3.25, 5.5, 7.75, 9.0, (100.0,))
    assert box([2.0]) == Box(2.0, 2.0, 2.0, 2.0, 2.0, ())
    assert box([]) == Box(0.0, 0.0, 0.0, 0.0, 0.0, ())


@always
@given(scores, st.randoms(use_true_random=False))
def test_a_box_is_in_order_whatever_the_order_of_the_scores(
    values: list[float], chance: random.Random
) -> None:
    plot = box(values)
    assert plot.low <= plot.median <= plot.high
    assert plot.first_quartile <= plot.median <= plot.third_quartile
    assert sum(plot.low <= value <= plot.high for value in values) + len(plot.outliers) == len(values)
    chance.shuffle(values)
    assert box(values) == plot


def test_the_overlap_of_crawls_is_what_they_share_over_all_they_have() -> None:
    matrix = overlap_matrix([set("abcd"), set("cdef"), set(), set()])
    assert matrix[0].tolist() == pytest.approx([1, 2 / 6, 0, 0])
    assert matrix[2, 3] == 1.0
    assert (matrix == matrix.T).all()
    assert overlap_matrix([]).shape == (0, 0)


def test_hosts_are_counted_once_and_without_their_ports() -> None:
    crawl = ["https://a.example/1", "https://a.example:8080/2", "http://b.example/", "ftp://c.example/x"]
    assert hosts_reached(crawl) == 3
    assert hosts_reached(crawl, among={"https://a.example/1", "http://elsewhere.example/"}) == 1


def test_costs_are_per_page_and_per_link() -> None:
    cost = Cost(cpu_seconds=1.5, pages=300, links=30_000, peak_mb=80.0)
    assert cost.ms_per_page == pytest.approx(5.0)
    assert cost.us_per_link == pytest.approx(50.0)
    assert Cost(1.0, 0).ms_per_page == 0.0


def test_the_visits_of_any_crawl_make_an_outcome() -> None:
    def went(url: str) -> Candidate:
        return Candidate(Link(url), 0.0)

    visits = [
        Visit(went("http://a/"), Response("http://a/final", 200), status=200),
        Visit(went("http://lost/"), error=ErrorKind.STATUS, status=404),
        Visit(went("http://out/"), error=ErrorKind.MISS),
        Visit(went("http://slow/"), error=ErrorKind.TIMEOUT),
        Visit(went("http://a/"), Response("http://a/final", 304), status=304, unchanged=True),
    ]
    assert outcome_of(visits) == (["http://a/final", "http://lost/"], 1)
