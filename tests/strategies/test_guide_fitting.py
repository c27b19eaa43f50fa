"""Weights are fitted to what is known, on made-up looks at crawls whose weights are known too."""

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from honeyguide.errors import ConfigError
from honeyguide.strategies.guide_fitting import BLUR, PENALTIES, PENALTY, Fitted, Material, fit, folds
from honeyguide.strategies.observer import Look, Observed
from honeyguide.strategies.promises import FEATURES, Floats, Weights, shipped, weights_in

WIDTH = len(FEATURES)
TRUE = np.where(np.arange(WIDTH) % 3 == 0, 2.0, 0.3)
MEANS, DEVIATIONS = np.linspace(-1, 1, WIDTH), np.linspace(0.05, 2, WIDTH)
ALIKE = Weights(MEANS, DEVIATIONS, np.full(WIDTH, 1.0))
"""What is known before: that all count, not which of them counts more."""


def looks(seed: int, *, count: int = 30, rows: int = 60, true: Floats = TRUE) -> tuple[Look, ...]:
    """Moments of a crawl at which one URL is relevant, drawn by the softmax of scores with the true weights; five are
    fetched until the next."""
    random = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        standard = random.normal(size=(rows, WIDTH))
        drawn = np.argmax(standard @ true + random.gumbel(size=rows))
        made.append(Look((MEANS + DEVIATIONS * standard).astype(np.float32), np.arange(rows) == drawn))
    return tuple(made)


def crawls(number: int = 8, **options: Any) -> list[Observed]:
    return [Observed(f"topic {one}", looks(one, **options)) for one in range(number)]


def likeness(a: Floats, b: Floats) -> float:
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_the_weights_that_made_the_outcomes_are_found_again() -> None:
    fitted = fit(crawls(), towards=ALIKE)
    assert likeness(ALIKE.weights, TRUE) < 0.85
    assert likeness(fitted.weights.weights, TRUE) > 0.95
    assert np.allclose(fitted.weights.means, MEANS, atol=0.15)
    assert np.allclose(fitted.weights.deviations, DEVIATIONS, rtol=0.1)
    assert set(fitted.before) == set(fitted.after) == set(fitted.topics)
    assert fitted.table({})["gain"][1] > 0


def test_the_stronger_the_penalty_the_nearer_the_weights_from_before() -> None:
    distances = [
        1 - likeness(fit(crawls(4), towards=ALIKE, penalties=[penalty]).weights.weights, ALIKE.weights)
        for penalty in (0.01, 0.3, 1000.0)
    ]
    assert distances[0] > distances[1] > distances[2]
    assert distances[2] < 1e-3


def test_weights_from_before_that_were_right_stay_as_they_are() -> None:
    """Also if they were measured in other deviations, and whatever they were multiplied by."""
    before = Weights(MEANS, 3 * DEVIATIONS, 3 * 0.2 * TRUE)
    fitted = fit(crawls(), towards=before)
    assert np.allclose(fitted.weights.weights, 0.2 * TRUE, atol=0.06)


def test_the_penalty_is_chosen_on_topics_that_were_held_back() -> None:
    """Where what suits the others is the opposite of what suits a topic, nothing is learned from them."""
    assert fit(crawls(8), towards=ALIKE).penalty == min(PENALTIES)
    oddity = np.random.default_rng(0).normal(size=WIDTH)
    odd = [Observed(f"topic {one}", looks(one, true=TRUE + (-1) ** one * oddity)) for one in range(8)]
    assert fit(odd, towards=Weights(MEANS, DEVIATIONS, TRUE)).penalty > min(PENALTIES)


def test_what_spoke_for_a_url_never_comes_to_speak_against_it_but_keeps_a_part_of_its_weight() -> None:
    against = TRUE.copy()
    against[4] = -1.0
    fitted = fit(crawls(true=against), towards=ALIKE, penalties=[0.7])
    assert (fitted.weights.weights > 0).all()
    assert fitted.weights.weights[4] == pytest.approx(fitted.weights.weights.min(), rel=0.05)
    assert fitted.weights.weights[4] < 0.3 * ALIKE.weights[4]


def test_a_feature_that_never_differs_keeps_what_it_had() -> None:
    """But for the scale of all, which stays that of the weights from before."""
    flat = [
        Observed(
            one.topic,
            tuple(Look(np.where(np.arange(WIDTH) == 2, np.float32(7), x), y) for x, y, _ in one.looks),
        )
        for one in crawls(4)
    ]
    fitted = fit(flat, towards=ALIKE).weights
    assert (fitted.means[2], fitted.deviations[2]) == (MEANS[2], DEVIATIONS[2])
    rest = np.delete(fitted.weights, 2)
    assert rest.min() < 0.6 * fitted.weights[2] < rest.max()
    assert np.abs(fitted.weights).sum() == pytest.approx(np.abs(ALIKE.weights).sum(), rel=0.01)


def test_figures_far_out_count_no_more_than_they_do_in_a_crawl() -> None:
    """For one URL in ten, whatever it holds, a feature is a thousand deviations out: others are fetched too."""
    random = np.random.default_rng(3)
    wild = []
    for one in crawls():
        strange = [1000.0 * (random.random(len(features)) < 0.1) for features, *_ in one.looks]
        looks = [
            Look((features + np.outer(far, np.eye(WIDTH)[1])).astype(np.float32), relevant)
            for (features, relevant, _), far in zip(one.looks, strange, strict=True)
        ]
        wild.append(one._replace(looks=tuple(looks)))
    fitted, unbounded = fit(wild, towards=ALIKE), Material(wild).shares(ALIKE.weights / ALIKE.deviations)
    assert fmean(fitted.before.values()) > 1.2 * fmean(unbounded.values())
    assert fmean(fitted.after.values()) > 1.2 * fmean(unbounded.values())


def test_what_is_found_is_counted_by_how_early_it_is() -> None:
    """Of three relevant URLs two are among the 7 that are fetched after the 4th page; of two after the 11th page one
    is among the next 10. What is found counts for the rest of 21 pages, from the middle between two looks on:
    (2 * 13.5 + 1 * 5) / (3 * 13.5 + 2 * 5) of what could be.
    """
    columns = np.zeros((12, WIDTH), np.float32)
    columns[:, 0] = np.arange(12)[::-1]
    first = Look(columns[:10], np.isin(np.arange(10), (0, 6, 8)), 4)
    second = Look(columns, np.isin(np.arange(12), (9, 11)), 11)
    no_choice = Look(columns, np.isin(np.arange(12), (9, 11)), 21)
    by_first = np.eye(WIDTH)[0]
    for looks in ((first, second), (first, second, no_choice)):
        end = 21 if len(looks) == 2 else 36
        left = end - 7.5, end - 16
        wanted = (2 * left[0] + left[1]) / (3 * left[0] + 2 * left[1])
        material = Material([Observed("topic", looks)])
        assert material.shares(by_first) == {"topic": pytest.approx(wanted)}
        assert material.found(by_first, 1e-9)[0] == pytest.approx(wanted)


def test_what_is_found_grows_as_its_gradient_says() -> None:
    material = Material(crawls(3))
    slopes = np.linspace(0.02, 0.1, WIDTH) / DEVIATIONS
    _, gradient = material.found(slopes, BLUR)
    for place in (0, 5, WIDTH - 1):
        step = 1e-3 * slopes * (np.arange(WIDTH) == place)
        more, less = (material.found(slopes + way * step, BLUR)[0] for way in (1, -1))
        assert (more - less) / (2 * step[place]) == pytest.approx(gradient[place], rel=0.05, abs=1e-3)


def test_a_web_counts_by_the_square_root_of_its_topics() -> None:
    small = [Observed(f"small {one}", looks(one + 50), "small") for one in range(4)]
    large = [Observed(f"large {one}", looks(one), "large") for one in range(16)]
    shares = {crawl.topic: float(crawl.web == "small") for crawl in (*small, *large)}
    assert Material([*small, *large, *large]).mean(shares) == pytest.approx(2 / (2 + 4))


def test_a_web_with_a_single_topic_counts_beside_others() -> None:
    many = [Observed(f"many {one}", looks(one), "many") for one in range(4)]
    single = Observed("single", looks(50, true=np.roll(TRUE, 1)), "single")
    fitted = fit([*many, single], towards=ALIKE)
    assert set(fitted.after) == {"single", *(crawl.topic for crawl in many)}
    assert likeness(fitted.weights.weights, np.roll(TRUE, 1)) > likeness(
        fit(many, towards=ALIKE, penalties=[fitted.penalty]).weights.weights, np.roll(TRUE, 1)
    )


def test_topics_of_every_web_are_spread_over_the_parts() -> None:
    some = [Observed(f"{web} {one}", (), web) for web in ("a", "b") for one in range(4)]
    parts = folds(some)
    assert {parts[f"a {one}"] for one in range(4)} == {parts[f"b {one}"] for one in range(4)} == {0, 1, 2, 3}


def test_a_single_topic_is_fitted_to_with_a_usual_penalty() -> None:
    fitted = fit(crawls(1), towards=ALIKE)
    assert (fitted.penalty, fitted.before, fitted.after) == (PENALTY, {}, {})
    assert fitted.table({})["gain"] is None


def test_nothing_cannot_be_fitted_to() -> None:
    with pytest.raises(ConfigError, match=r"nothing to fit weights to.*\.$"):
        fit([Observed("empty", ())], towards=ALIKE)


def test_what_was_fitted_is_plain_data_and_can_be_read_back(tmp_path: Path) -> None:
    fitted = fit(crawls(4), towards=ALIKE)
    table = fitted.table({"webs": {"made": "up"}})
    file = tmp_path / "weights.json"
    file.write_text(json.dumps(table))
    assert np.allclose(np.stack(weights_in(str(file))), np.stack(fitted.weights), rtol=1e-4)
    assert table["topics"] == [f"topic {one}" for one in range(4)]
    gain, low, high = table["gain"]
    assert low <= gain <= high
    assert table["digest"] == fitted.table({"webs": {"made": "up"}})["digest"]
    assert table["digest"] != fitted.table({"webs": {"made": "otherwise"}})["digest"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        "{}",
        '{"version": 1, "features": {}}',
        '{"version": 1, "features": {"best": 3}}',
        "[" * 99999,
    ],
)
def test_a_file_that_holds_no_weights_is_told_of_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "weights.json"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"holds no weights of guide.*fit-guide.*\.$"):
        weights_in(str(file))


@pytest.mark.parametrize(("version", "row"), [(2, [0, 1, 1]), (1, [0, 0, 1]), (1, [0, 1, float("nan")])])
def test_weights_that_cannot_be_used_are_told_of_in_a_sentence(
    tmp_path: Path, version: int, row: list[float]
) -> None:
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({"version": version, "features": dict.fromkeys(FEATURES, row)}))
    with pytest.raises(ConfigError, match=r"holds no weights of guide that can be used.*\.$"):
        weights_in(str(file))


def test_a_file_that_is_not_there_is_told_of_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read: No such file or directory\.$"):
        weights_in(str(tmp_path / "none.json"))
    assert weights_in("") is shipped()


def test_fitted_says_all_it_knows() -> None:
    fitted = Fitted(ALIKE, 0.1, ("a", "b"), {"a": 0.2, "b": 0.3}, {"a": 0.3, "b": 0.5})
    table = fitted.table({})
    assert table["penalty"] == 0.1
    assert table["shares"] == {"a": [0.2, 0.3], "b": [0.3, 0.5]}
    assert table["gain"][0] == 0.15
