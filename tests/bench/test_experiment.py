"""Many crawls: every contender on every task, kept, taken up again, and summed up."""

import csv
import json
import math
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from small_web import write_universities, write_zoo

from honeyguide.bench import protocol_k, protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.experiment import (
    BESIDE,
    TRAINED_WITH,
    code_version,
    contenders,
    read_log,
    run,
    trained_with,
)
from honeyguide.bench.metrics import efficiency
from honeyguide.bench.report.results import Contender
from honeyguide.bench.side_by_side import side_by_side
from honeyguide.bench.tables import comparisons, summary
from honeyguide.bench.task import Task
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.naming import STRATEGIES, suited_judge


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("zoo")
    return Corpus.open(write_zoo(folder / "corpus"), cache=folder / "cache")


@pytest.fixture(scope="module")
def tasks(corpus: Corpus) -> list[Task]:
    return protocol_w.tasks(corpus, pages=30)


ENTRANTS = contenders(["best-first:by=anchor", "best-first"], ["cosine"])


@pytest.fixture(scope="module")
def results(corpus: Corpus, tasks: list[Task], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("results")
    run(corpus, tasks, ENTRANTS, out, jobs=2)
    return out


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def logs(out: Path) -> dict[str, dict[str, Any]]:
    return {file.name: read_log(file) for file in sorted((out / "crawls").glob("*.json"))}


def lists(out: Path) -> dict[str, tuple[list[str], list[float]]]:
    return {name: (log["fetched"], log["relevance"]) for name, log in logs(out).items()}


def test_the_ones_to_measure_by_are_always_there() -> None:
    assert [contender.strategy for contender in ENTRANTS[2:]] == list(BESIDE)
    twice = contenders(["random", "best-first"], ["cosine", "cosine:threshold=0.1"])
    assert [contender.strategy for contender in twice].count("random") == 2
    assert twice[-1] == Contender("breadth-first", "cosine")


def test_every_crawl_leaves_a_log_that_names_what_made_it(
    results: Path, tasks: list[Task], corpus: Corpus
) -> None:
    kept = logs(results)
    assert len(kept) == len(tasks) * len(ENTRANTS)
    by_key = {(task.setting, task.name): task for task in tasks}
    for log in kept.values():
        task = by_key[log["setting"], log["topic"]]
        assert log["code_version"] == code_version()
        assert log["corpus_digest"] == corpus.digest
        assert log["settings"]["seeds"] == list(task.topic.seeds)
        assert log["protocol"] == "W"
        assert log["budget"] == 30
        assert len(log["fetched"]) == len(log["relevance"]) <= 30
        assert log["targets"] == len(task.targets)
        assert log["metrics"]["efficiency"] == efficiency(log["fetched"], task.targets, 30)
        assert [log["fetched"][hit - 1] in task.targets for hit in log["hits"]] == [True] * len(log["hits"])
        assert log["metrics"]["found"] == len(log["hits"])
        assert "recall_100" not in log["metrics"], "no figure is read after the budget"


def test_the_tables_sum_up_the_logs(results: Path, tasks: list[Task]) -> None:
    rows = table(results / "rows.csv")
    assert len(rows) == len(tasks) * len(ENTRANTS)
    assert {"code_version", "corpus_digest", "settings", "cpu_ms_per_page", "efficiency"} <= set(rows[0])
    lines = table(results / "summary.csv")
    assert [line["setting"] for line in lines] == ["near"] * 6 + ["far"] * 6
    for line in lines:
        own = [
            float(row["efficiency"])
            for row in rows
            if (row["strategy"], row["setting"]) == (line["strategy"], line["setting"])
        ]
        assert float(line["efficiency"]) == pytest.approx(math.fsum(own) / len(own), abs=1e-6)
        assert float(line["efficiency_low"]) <= float(line["efficiency"]) <= float(line["efficiency_high"])
        assert line["topics"] == "2"
    near = [line["strategy"] for line in lines if line["setting"] == "near"]
    assert near[0] == "omniscient"
    assert near.index("best-first:by=anchor") < near.index("breadth-first")


def test_every_contender_is_compared_with_the_best_and_with_breadth_first(results: Path) -> None:
    lines = table(results / "paired.csv")
    near = [line for line in lines if line["setting"] == "near"]
    best = {line["against"] for line in near if line["role"] == "best"}
    assert len(best) == 1
    assert best.isdisjoint({"omniscient", "true-labels"}), "who cheats is not the best"
    against_blind = {line["strategy"] for line in near if line["against"] == "breadth-first"}
    assert against_blind == {contender.strategy for contender in ENTRANTS} - {"breadth-first"}
    for line in lines:
        assert int(line["wins"]) + int(line["losses"]) + int(line["ties"]) == int(line["tasks"]) == 2


def test_the_number_of_processes_changes_nothing(
    corpus: Corpus, tasks: list[Task], results: Path, tmp_path: Path
) -> None:
    run(corpus, tasks, ENTRANTS, tmp_path, jobs=1)
    assert lists(tmp_path) == lists(results)


def square_into(folder: Path, numbers: dict[str, int], name: str) -> None:
    if name == "bad":
        raise ConfigError("This one is bad.")
    if name == "deadly":
        os._exit(3)
    (folder / name).write_text(str(numbers[name] ** 2))


def numbers() -> dict[str, int]:
    return {"one": 1, "two": 2, "three": 3}


@pytest.mark.parametrize("forks", [True, False])
def test_where_processes_cannot_be_forked_each_opens_what_it_needs(tmp_path: Path, forks: bool) -> None:
    do = partial(square_into, tmp_path)
    done = list(side_by_side(do, list(numbers()), numbers(), jobs=2, reopen=numbers, forks=forks))
    assert len(done) == 3
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {
        "one": "1",
        "two": "4",
        "three": "9",
    }


@pytest.mark.parametrize(
    ("name", "words"), [("bad", "This one is bad"), ("deadly", "exit code 3"), ("x", "KeyError")]
)
def test_a_crawl_that_fails_ends_the_experiment_with_a_sentence(
    tmp_path: Path, name: str, words: str
) -> None:
    do = partial(square_into, tmp_path)
    with pytest.raises(CrawlError, match=words):
        list(side_by_side(do, ["one", name], numbers(), jobs=1, reopen=numbers))
    assert (tmp_path / "one").read_text() == "1", "what was finished is kept"


def test_what_is_done_is_not_done_again_and_what_is_missing_is(
    corpus: Corpus, tasks: list[Task], tmp_path: Path
) -> None:
    entrants = contenders(["best-first"], ["cosine"])
    seen: list[tuple[int, int]] = []
    run(corpus, tasks, entrants, tmp_path, on_progress=lambda done, of: seen.append((done, of)))
    assert seen[0] == (0, 20)
    assert seen[-1] == (20, 20)
    first = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "crawls").iterdir()}
    lost = sorted(first)[3]
    (tmp_path / "crawls" / lost).unlink()
    seen.clear()
    run(corpus, tasks, entrants, tmp_path, on_progress=lambda done, of: seen.append((done, of)))
    assert seen == [(19, 20), (20, 20)]
    second = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "crawls").iterdir()}
    assert {name for name in first if first[name] != second[name]} == {lost}


def test_logs_of_another_experiment_are_set_aside_and_found_again(
    corpus: Corpus, tasks: list[Task], tmp_path: Path
) -> None:
    run(corpus, tasks[:1], contenders(["best-first"], ["cosine"]), tmp_path)
    run(corpus, tasks[:1], contenders([], ["cosine"]), tmp_path)
    assert len(list((tmp_path / "crawls").iterdir())) == 4
    (aside,) = (tmp_path / "earlier").iterdir()
    assert read_log(aside)["strategy"] == "best-first"
    seen: list[int] = []
    entrants = contenders(["best-first"], ["cosine"])
    run(corpus, tasks[:1], entrants, tmp_path, on_progress=lambda done, of: seen.append(done))
    assert seen == [5]
    assert not (tmp_path / "earlier").exists()


def test_a_name_nobody_has_is_said_before_anything_is_crawled(
    corpus: Corpus, tasks: list[Task], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="none of the strategies"):
        run(corpus, tasks, contenders(["best-frist"], ["cosine"]), tmp_path / "out")
    with pytest.raises(ConfigError, match="has no key colour"):
        run(corpus, tasks, contenders(["best-first:colour=red"], ["cosine"]), tmp_path / "out")
    with pytest.raises(ConfigError, match="nothing to crawl"):
        run(corpus, [], ENTRANTS, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_log_that_cannot_be_read_is_a_sentence(corpus: Corpus, tasks: list[Task], tmp_path: Path) -> None:
    entrants = contenders([], ["cosine"])
    run(corpus, tasks[:1], entrants, tmp_path)
    file = next((tmp_path / "crawls").iterdir())
    file.write_text(file.read_text()[:100])
    with pytest.raises(CrawlError, match="delete it"):
        run(corpus, tasks[:1], entrants, tmp_path)


def test_without_a_budget_precision_is_read_at_levels_of_recall(tmp_path: Path) -> None:
    corpus = Corpus.open(write_universities(tmp_path / "corpus"), cache=tmp_path / "cache")
    run(corpus, protocol_k.tasks(corpus), contenders([], ["cosine"]), tmp_path / "out", jobs=2)
    lines = table(tmp_path / "out" / "summary.csv")
    columns = [
        "strategy", "judge", "setting", "category", "topics", "precision_10", "precision_50", "precision_100",
        "f1_10", "f1_50", "f1_100", "mean_precision",
    ]  # fmt: skip
    assert list(lines[0])[:12] == columns
    assert list(lines[0])[-1] == "cpu_us_per_link"
    assert len(lines) == 4 * 5
    blind = {line["category"]: line for line in lines if line["strategy"] == "breadth-first"}
    categories = ("course", "faculty", "project", "student")
    mean = math.fsum(float(blind[category]["mean_precision"]) for category in categories) / 4
    assert float(blind["all"]["mean_precision"]) == pytest.approx(mean, abs=1e-5)
    one = next(log for log in logs(tmp_path / "out").values() if log["topic"] == "student")
    assert one["metrics"]["precision_100"] > 0, "all that is relevant and can be reached is found"


def test_with_a_budget_precision_is_still_read_at_levels_of_recall(tmp_path: Path) -> None:
    corpus = Corpus.open(write_universities(tmp_path / "corpus"), cache=tmp_path / "cache")
    tasks = protocol_k.tasks(corpus, topics=["student"], pages=4)
    run(corpus, tasks, contenders([], ["cosine"]), tmp_path / "out", jobs=2)
    lines = table(tmp_path / "out" / "summary.csv")
    assert {line["category"]: line["topics"] for line in lines} == {"all": "4", "student": "4"}
    assert all("mean_precision" in line and "efficiency" not in line for line in lines)
    assert {log["figure"] for log in logs(tmp_path / "out").values()} == {"recall"}
    assert all(0 < float(line["similarity"]) <= 1 for line in lines)


def log(strategy: str, topic: str, value: float) -> dict[str, Any]:
    figures = {"efficiency": value, "near_topic": 0.5}
    return {
        "strategy": strategy, "judge": "cosine", "setting": "near", "topic": topic, "group": "", "budget": 50,
        "figure": "curve", "links": 1000,
        "metrics": figures, "misses": 3, "cpu_seconds": 0.5, "peak_mb": 1.0, "fetched": ["a"] * 50,
    }  # fmt: skip


def test_wins_and_losses_are_counted_task_by_task() -> None:
    values = {"best-first": (0.5, 0.6, 0.2), "breadth-first": (0.1, 0.2, 0.2), "omniscient": (0.9, 0.9, 0.9)}
    made = [log(name, f"t{n}", value) for name, row in values.items() for n, value in enumerate(row)]
    lines = {(line["strategy"], line["against"]): line for line in comparisons(made)}
    assert set(lines) == {
        ("breadth-first", "best-first"),
        ("omniscient", "best-first"),
        ("best-first", "breadth-first"),
        ("omniscient", "breadth-first"),
    }
    pair = lines["best-first", "breadth-first"]
    assert (pair["wins"], pair["losses"], pair["ties"]) == (2, 0, 1)
    assert pair["difference"] == pytest.approx(0.8 / 3, abs=1e-6)
    assert pair["p"] == 0.5
    best = summary(made)[1]
    assert (best["strategy"], best["topics"], best["cpu_ms_per_page"]) == ("best-first", 3, 10.0)
    assert best["cpu_us_per_link"] == 500.0
    assert best["recall_1000"] == "", "a figure that no crawl has is left open"
    assert json.dumps(best)


def test_all_strategies_run_with_the_judge_that_suits_them() -> None:
    every = contenders(["best-first:by=page", "all", "svm-best-first"])
    assert set(STRATEGIES) <= {contender.strategy for contender in every}
    assert all(contender.judge == suited_judge(contender.strategy) for contender in every)
    assert Contender("svm-best-first", "svm") in every
    assert len(every) == len(set(every))
    assert contenders(["svm-best-first"], ["cosine"])[0] == Contender("svm-best-first", "cosine")


def test_strategies_may_learn_from_another_web_before(
    corpus: Corpus, tasks: list[Task], tmp_path: Path
) -> None:
    entrants = [Contender("context-graph", "cosine"), Contender("svm-best-first", "svm")]
    run(corpus, tasks[:1], entrants, tmp_path / "out")
    alone = logs(tmp_path / "out")
    other = write_zoo(tmp_path / "other")
    run(corpus, trained_with(other, tasks[:1]), entrants, tmp_path / "out")
    taught = logs(tmp_path / "out")
    assert not taught.keys() & alone.keys()
    assert {log["settings"][TRAINED_WITH] for log in taught.values()} == {str(other)}
    found = [{log["strategy"]: log["fetched"] for log in of.values()} for of in (alone, taught)]
    assert found[0]["svm-best-first"] == found[1]["svm-best-first"]
    assert found[0]["context-graph"] != found[1]["context-graph"]
    with pytest.raises(ConfigError, match="nothing to train with"):
        trained_with(tmp_path / "nowhere", tasks)
