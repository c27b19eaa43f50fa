"""Published claims are checked as they should be: on made-up crawls of which the outcome is known."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import reproduce
from reproduction import claims, webkb
from reproduction.evidence import Evidence, area_within, contender, found_within
from reproduction.overlap import different_pages, mean_overlap
from reproduction.verdicts import FAILS, HOLDS, OPEN, all_of, comes_to, in_order, no_better

from honeyguide.bench.report.results import Contender

TOPICS = tuple(f"topic {number}" for number in range(8))
BEST, GOOD, POOR = (contender(name) for name in ("best-first", "backlink", "breadth-first"))


def log(
    who: Contender,
    topic: str,
    *,
    value: float = 0.5,
    setting: str = "near",
    group: str = "",
    hits: Iterable[int] = (),
    fetched: Iterable[str] = (),
) -> dict[str, Any]:
    metrics = dict.fromkeys(("efficiency", "mean_precision", *webkb.COLUMNS), value)
    return {
        "strategy": who.strategy,
        "judge": who.judge,
        "topic": topic,
        "setting": setting,
        "group": group,
        "metrics": metrics,
        "hits": list(hits),
        "fetched": list(fetched) or [topic],
        "budget": 1000,
        "code_version": "1",
        "libraries": "none",
    }


def evidence(values: dict[Contender, Iterable[float]]) -> Evidence:
    return Evidence(
        log(who, topic, value=value)
        for who, own in values.items()
        for topic, value in zip(TOPICS, own, strict=False)
    )


def spread(middle: float) -> list[float]:
    return [middle + 0.001 * number for number in range(len(TOPICS))]


def test_an_order_holds_if_every_difference_is_sure() -> None:
    seen = evidence({BEST: spread(0.6), GOOD: spread(0.5), POOR: spread(0.2)})
    finding = in_order(seen, [[BEST], [GOOD], [POOR]])
    assert finding.verdict == HOLDS
    assert (
        "best-first [blend] - backlink [blend]: +0.100 (+0.100 to +0.100), 8 wins, 0 losses of 8"
        in finding.figures
    )
    assert finding.found.endswith("of 3 pairs 3 as published, 0 not, 0 cannot be told")


def test_an_order_does_not_hold_if_one_pair_is_surely_the_other_way() -> None:
    seen = evidence({BEST: spread(0.6), GOOD: spread(0.5), POOR: spread(0.2)})
    assert in_order(seen, [[BEST], [POOR], [GOOD]]).verdict == FAILS


def test_an_order_cannot_be_told_from_differences_that_go_both_ways_or_from_few_topics() -> None:
    both_ways = evidence({BEST: [0.1, 0.9] * 4, GOOD: [0.9, 0.1] * 4})
    assert in_order(both_ways, [[BEST], [GOOD]]).verdict == OPEN
    few = evidence({BEST: [0.9] * 5, GOOD: [0.1] * 5})
    assert in_order(few, [[BEST], [GOOD]]).verdict == OPEN


def test_those_of_one_rank_are_alike_if_they_surely_differ_by_next_to_nothing() -> None:
    assert in_order(evidence({BEST: spread(0.51), GOOD: spread(0.5)}), [[BEST, GOOD]]).verdict == HOLDS
    assert in_order(evidence({BEST: spread(0.6), GOOD: spread(0.5)}), [[BEST, GOOD]]).verdict == FAILS
    assert in_order(evidence({BEST: [0.1, 0.9] * 4, GOOD: [0.9, 0.1] * 4}), [[BEST, GOOD]]).verdict == OPEN


@pytest.mark.parametrize(("value", "verdict"), [(0.4, HOLDS), (0.5, HOLDS), (0.6, FAILS)])
def test_what_gains_nothing_is_no_better(value: float, verdict: str) -> None:
    assert no_better(evidence({GOOD: spread(value), POOR: spread(0.5)}), [GOOD], POOR).verdict == verdict


def test_a_gain_that_is_not_sure_leaves_open_whether_something_is_no_better() -> None:
    seen = evidence({GOOD: [0.2, 0.9] * 4, POOR: [0.5] * 8})
    assert no_better(seen, [GOOD], POOR).verdict == OPEN


@pytest.mark.parametrize(
    ("times", "cases", "verdict"),
    [(16, 16, HOLDS), (10, 16, HOLDS), (9, 16, OPEN), (2, 16, FAILS), (2, 2, OPEN)],
)
def test_a_share_is_compared_with_the_published_one(times: int, cases: int, verdict: str) -> None:
    assert comes_to(times, cases, 0.6) == verdict


def test_a_claim_that_says_several_things_holds_if_all_of_them_do() -> None:
    assert [all_of(some) for some in ([HOLDS], [HOLDS, OPEN], [OPEN, FAILS, HOLDS])] == [HOLDS, OPEN, FAILS]


def test_a_topics_figure_is_the_mean_of_its_settings() -> None:
    seen = Evidence(
        log(BEST, "a", value=value, setting=name) for name, value in (("near", 0.2), ("far", 0.6))
    )
    assert seen.mean(BEST) == pytest.approx(0.4)
    assert seen.mean(BEST, setting="far") == pytest.approx(0.6)


def test_what_was_found_is_counted_up_to_a_page() -> None:
    crawl = log(BEST, "a", hits=(1, 100, 101))
    assert found_within(100)(crawl) == 2
    assert area_within(100)(crawl) == 100 + 1


def focused(ours: Iterable[int], blind: Iterable[int]) -> Evidence:
    hits = {claims.LINK_SCORE: ours, claims.OURS: ours, claims.BREADTH_FIRST: blind}
    return Evidence(
        log(who, topic, hits=range(1, number + 1))
        for who, own in hits.items()
        for topic, number in zip(TOPICS, own, strict=True)
    )


def test_focused_is_better_if_it_finds_more_nearly_always_and_never_half_as_much() -> None:
    finding = claims.focused_is_better(focused([4] * 7 + [2], [2] * 8))
    assert finding.verdict == HOLDS
    assert "in 7 of 8" in finding.found
    assert "twice as many or more in 7, half as many or fewer in 0" in finding.found
    assert claims.focused_is_better(focused([4] * 7 + [1], [2] * 8)).verdict == FAILS
    assert claims.focused_is_better(focused([4] * 5 + [2] * 3, [2] * 8)).verdict == OPEN
    assert claims.focused_is_better(focused([2] * 8, [2] * 8)).verdict == FAILS


def features(best: tuple[str, ...]) -> Evidence:
    return Evidence(
        log(who, topic, hits=(1,) if subset == best else (50,), value=0.9 if subset == best else 0.1)
        for subset, who in claims.COMBINATIONS.items()
        for topic in TOPICS
    )


def test_the_best_combination_of_features_is_the_one_that_finds_most_first() -> None:
    all_three = features(claims.FEATURES)
    assert claims.best_combinations(all_three, 100) == [[claims.FEATURES]] * 8
    assert claims.all_three_are_best(all_three).verdict == HOLDS
    assert claims.page_is_there(all_three).verdict == HOLDS
    without = features(("content", "context"))
    assert claims.all_three_are_best(without).verdict == FAILS
    assert claims.page_is_there(without).verdict == FAILS


def test_combinations_that_find_the_same_are_all_best_and_what_finds_nothing_is_none() -> None:
    same = Evidence(log(who, "a", hits=(3,)) for who in claims.COMBINATIONS.values())
    assert claims.best_combinations(same, 100) == [list(claims.COMBINATIONS)]
    nothing = Evidence(log(who, "a") for who in claims.COMBINATIONS.values())
    assert claims.best_combinations(nothing, 100) == []


def test_overlap_is_the_share_of_common_pages() -> None:
    pages = {BEST: "abc", GOOD: "bcd", POOR: "xyz"}
    seen = Evidence(log(who, topic, fetched=own) for who, own in pages.items() for topic in TOPICS)
    assert mean_overlap(seen, list(pages)).round(2).tolist() == [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    assert different_pages(seen, list(pages)).verdict == HOLDS
    assert different_pages(seen, [BEST, GOOD]).verdict == FAILS


def test_a_number_of_topics_are_the_usual_ones_first() -> None:
    assert reproduce.topics("2", ["a"]) == list(reproduce.TOPICS[:2])
    assert reproduce.topics("9", ["a", *reproduce.TOPICS]) == [*reproduce.TOPICS, "a"]
    assert reproduce.topics("x/y, z", []) == ["x/y", "z"]


def test_the_report_says_of_every_claim_whether_it_holds() -> None:
    w = Evidence(
        log(who, topic, value=0.1 + number / 100, setting=setting, hits=range(1, number + 2))
        for number, who in enumerate(claims.CRAWLED)
        for topic in TOPICS
        for setting in ("near", "far")
    )
    k = Evidence(
        log(who, topic, value=0.1 + number / 100, setting="query", group=group)
        for number, who in enumerate(webkb.CRAWLED)
        for topic in ("student", "course")
        for group in "abcd"
    )
    text = "\n".join(reproduce.report(w, k))
    table = [
        line for line in text.splitlines() if line.endswith((f"| {HOLDS} |", f"| {FAILS} |", f"| {OPEN} |"))
    ]
    every = [*claims.claims(), *webkb.claims()]
    assert [line.split(" | ")[:2] for line in table] == [[f"| {claim.text}", claim.source] for claim in every]
    assert "| hcla | published | 0.56 | 0.37 | 0.21 | 0.18 | 0.43 | 0.35 |\n|  | ours | 0.15 " in text
    assert "nan" not in text
