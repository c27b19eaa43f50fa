"""The quality gate: what strategies find on a pinned synthetic web must not drop below pinned floors."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from honeyguide.bench import protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.experiment import crawl
from honeyguide.bench.report.results import Contender
from honeyguide.bench.scoring import score
from honeyguide.bench.synthetic.corpus import SyntheticWeb, write_corpus
from honeyguide.naming import STRATEGIES, names

FILE = Path(__file__).parent / "floors.toml"
PINNED: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
MEASURED: list[tuple[str, str]] = [
    (setting, strategy) for setting, strategies in PINNED["measured"].items() for strategy in strategies
]
Figures = Mapping[tuple[str, str], Mapping[str, float]]


@pytest.fixture(scope="module")
def web() -> SyntheticWeb:
    return SyntheticWeb(**PINNED["web"])


@pytest.fixture(scope="module")
def figures(web: SyntheticWeb, tmp_path_factory: pytest.TempPathFactory) -> Figures:
    """Every figure, by setting and strategy: the mean over the topics."""
    folder = tmp_path_factory.mktemp("floors")
    write_corpus(folder / "web", web)
    corpus = Corpus.open(folder / "web", cache=folder / "cache")
    tasks = protocol_w.tasks(corpus, pages=PINNED["budget"])
    means: dict[tuple[str, str], Mapping[str, float]] = {}
    for setting, strategy in MEASURED:
        contender = Contender(strategy, PINNED["judge"])
        scores = [score(task, crawl(corpus, task, contender)) for task in tasks if task.setting == setting]
        assert len(scores) == web.topics
        means[setting, strategy] = {name: fmean(each[name] for each in scores) for name in scores[0]}
    return means


def test_the_web_is_the_one_that_the_floors_were_measured_on(web: SyntheticWeb) -> None:
    assert web.digest() == PINNED["digest"], (
        f"The generator makes another web than before, so the floors say nothing of it. If that is meant, measure "
        f"them anew and put both into {FILE.name}."
    )


def test_every_strategy_has_floors_near_and_far() -> None:
    for setting in protocol_w.SETTINGS:
        pinned = {strategy.partition(":")[0] for strategy in PINNED["measured"][setting]}
        assert set(names(STRATEGIES, "strategies")) <= pinned, f"{FILE.name} lacks a strategy ({setting})"


@pytest.mark.parametrize(("setting", "strategy"), MEASURED)
def test_no_strategy_drops_below_its_floor(figures: Figures, setting: str, strategy: str) -> None:
    found = figures[setting, strategy]
    low = [
        f"{name} was {pinned:.3f} and is {found[name]:.3f}"
        for name, pinned in PINNED["measured"][setting][strategy].items()
        if found[name] < pinned - PINNED["margin"]
    ]
    assert not low, f"{strategy} ({setting}) finds less than it did: {'; '.join(low)}."


@pytest.mark.parametrize("setting", PINNED["measured"])
def test_every_kind_of_best_first_finds_much_more_than_breadth_first_and_chance(
    figures: Figures, setting: str
) -> None:
    baseline = max(figures[setting, strategy]["efficiency"] for strategy in ("breadth-first", "random"))
    for by in ("page", "anchor", "both"):
        assert figures[setting, f"best-first:by={by}"]["efficiency"] > 1.2 * baseline


@pytest.mark.parametrize("setting", PINNED["measured"])
def test_chance_finds_a_topic_in_proportion_to_its_size(
    figures: Figures, web: SyntheticWeb, setting: str
) -> None:
    assert figures[setting, "random"]["harvest_300"] == pytest.approx(1 / web.topics, abs=0.04)
