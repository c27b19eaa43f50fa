"""Judges compared on labelled pages: what they are told, what they are scored on, what is kept."""

import csv
import math
from pathlib import Path

import fake_judges
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_web import BIRDS, write_universities, write_zoo

from honeyguide import assemble
from honeyguide.bench import judging, protocol_k, protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.judge_bench import run
from honeyguide.bench.judge_cost import Cost, cost, cost_apart
from honeyguide.bench.judge_metrics import average_precision, calibration_error, decisions, roc_auc
from honeyguide.bench.judge_tables import Findings
from honeyguide.bench.judging import FOLDS, ceiling_of, judge_topic, scored
from honeyguide.bench.shelf import Shelf
from honeyguide.bench.task import Task
from honeyguide.errors import ConfigError
from honeyguide.statistics import bootstrap_interval

COST = Cost(0.5, 1000.0, 12.0, 90.0)

scores_and_labels = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), st.booleans()), min_size=1, max_size=30
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("zoo")
    return Corpus.open(write_zoo(folder / "corpus"), cache=folder / "cache")


@pytest.fixture(scope="module")
def tasks(corpus: Corpus) -> list[Task]:
    design = protocol_w.Design(background=10)
    return protocol_w.tasks(corpus, settings=["near"], design=design)


@pytest.fixture(autouse=True)
def judges(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, place in fake_judges.JUDGES.items():
        monkeypatch.setitem(assemble.JUDGES, name, place)


def measured(*arguments: object) -> Cost:
    return COST


def bench(corpus: Corpus, tasks: list[Task], judges: list[str], out: Path, **options: bool | int) -> Findings:
    return run(corpus, tasks, judges, out, measure=measured, **options)  # type: ignore[arg-type]


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_ranking_is_measured_as_worked_out_by_hand() -> None:
    scores, relevant = [0.1, 0.4, 0.35, 0.8], [False, False, True, True]
    assert roc_auc(scores, relevant) == pytest.approx(3 / 4)
    assert average_precision(scores, relevant) == pytest.approx((1 / 1 + 2 / 3) / 2)
    # One page on topic among three that tie for the first place.
    tied = [0.5, 0.5, 0.5, 0.2]
    assert roc_auc(tied, [True, False, False, False]) == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert average_precision(tied, [True, False, False, False]) == pytest.approx(1 / 3)


def test_a_ranking_without_both_kinds_has_nothing_to_show() -> None:
    assert math.isnan(roc_auc([0.1, 0.2], [True, True]))
    assert math.isnan(roc_auc([0.1, 0.2], [False, False]))
    assert math.isnan(average_precision([0.1, 0.2], [False, False]))
    assert average_precision([0.1, 0.2], [True, True]) == 1.0
    assert math.isnan(calibration_error([], []))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(scores_and_labels)
def test_roc_auc_is_the_share_of_pairs_in_the_right_order(pages: list[tuple[float, bool]]) -> None:
    on = [score for score, relevant in pages if relevant]
    off = [score for score, relevant in pages if not relevant]
    pairs = [1.0 if one > other else 0.5 if one == other else 0.0 for one in on for other in off]
    area = roc_auc(*zip(*pages, strict=True))
    assert math.isnan(area) if not pairs else area == pytest.approx(sum(pairs) / len(pairs))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(scores_and_labels)
def test_average_precision_is_the_mean_precision_at_each_page_on_topic(
    pages: list[tuple[float, bool]],
) -> None:
    precisions = []
    for score, relevant in pages:
        if relevant:
            above = [truth for other, truth in pages if other >= score]
            precisions.append(sum(above) / len(above))
    value = average_precision(*zip(*pages, strict=True))
    assert math.isnan(value) if not precisions else value == pytest.approx(np.mean(precisions))


def test_decisions_are_counted() -> None:
    found = decisions([True, True, True, False], [True, False, False, True])
    assert found == (pytest.approx(1 / 3), pytest.approx(1 / 2), pytest.approx(2 / 5))
    assert decisions([False, False], [True, False]) == (0.0, 0.0, 0.0)
    assert decisions([True], [False]) == (0.0, 0.0, 0.0)


def test_calibration_error_weighs_bins_by_their_pages() -> None:
    # Bin .9 to 1: three pages of mean score .95, two of them on topic; bin 0 to .1: one of score .05, off topic.
    error = calibration_error([0.95, 0.95, 0.95, 0.05], [True, True, False, False])
    assert error == pytest.approx(3 / 4 * (0.95 - 2 / 3) + 1 / 4 * 0.05)
    assert calibration_error([1.0, 1.0, 0.0], [True, True, False]) == 0.0
    assert calibration_error([0.0, 1.0], [True, False]) == 1.0
    # Half of the pages that score a half are on topic: no error, however bad the ranking.
    assert calibration_error([0.5, 0.5], [True, False]) == 0.0


def test_no_page_that_a_judge_is_told_of_is_scored(corpus: Corpus, tasks: list[Task]) -> None:
    task = next(task for task in tasks if task.name == "Animals/Birds")
    keys = scored(corpus, task)
    told = {example.url for example in (*task.topic.examples, *task.topic.background)}
    told |= {example.url for level in task.topic.branch for example in level.examples}
    assert told.isdisjoint(keys)
    assert len(keys) == len(corpus.pages) - len(told)
    assert task.relevant.difference(told) <= set(keys)


def test_a_university_is_judged_by_its_own_pages(tmp_path: Path) -> None:
    corpus = Corpus.open(write_universities(tmp_path / "corpus"), cache=tmp_path / "cache")
    tasks = protocol_k.tasks(corpus, settings=["5-examples"], topics=["student"])
    for task in tasks:
        assert set(scored(corpus, task)) == task.within
    figures = judge_topic(Shelf.of(corpus), tasks[0], "counting")
    assert (figures["relevant"], figures["pages"]) == (7, len(tasks[0].within or ()))
    assert figures["average_precision"] == 1.0


def test_a_judge_is_told_what_a_crawl_would_be_told(corpus: Corpus, tasks: list[Task]) -> None:
    birds = next(task for task in tasks if task.name == "Animals/Birds")
    shelf = Shelf.of(corpus)
    by_name = judge_topic(shelf, birds, "counting")
    by_examples = judge_topic(shelf, birds, "learning")
    assert by_name["pages"] == by_examples["pages"] == len(scored(corpus, birds))
    # The licence is labelled as a bird and says nothing of birds: no judge can find it.
    assert by_name["recall"] < 1.0
    assert by_name["precision"] == 1.0
    assert 0.9 < by_name["roc_auc"] < 1.0
    with pytest.raises(ConfigError, match="needs 99 examples"):
        judge_topic(shelf, birds, "learning:fewest=99")


def test_the_words_of_an_example_are_found_once(corpus: Corpus, tasks: list[Task]) -> None:
    shelf = Shelf.of(corpus)
    topics = [shelf.own(task.topic) for task in tasks]
    first = topics[0].background[0]
    assert any(first is other for other in topics[1].background)
    assert shelf.documents.read(first) is shelf.documents.read(first)


def test_the_ceiling_is_what_all_labels_but_the_folds_own_would_give(
    corpus: Corpus, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    birds = next(task for task in tasks if task.name == "Animals/Birds")
    taught: list[set[str]] = []
    asked: list[set[str]] = []

    class Watched(fake_judges.Learning):
        def fit(self, topic, documents=None):  # type: ignore[no-untyped-def]
            taught.append({example.url for example in (*topic.examples, *topic.background)})
            assert {example.url for example in topic.examples} <= birds.relevant
            assert birds.relevant.isdisjoint(example.url for example in topic.background)
            asked.append(set())
            return super().fit(topic, documents)

        def assess(self, page):  # type: ignore[no-untyped-def]
            asked[-1].add(page.url)
            return super().assess(page)

    monkeypatch.setattr(fake_judges, "Learning", Watched)
    figures = ceiling_of(Shelf.of(corpus), birds, "learning")
    assert len(taught) == FOLDS
    assert all(known.isdisjoint(held) for known, held in zip(taught, asked, strict=True))
    assert set().union(*asked) == set(corpus.pages)
    assert sum(map(len, asked)) == len(corpus.pages)
    assert 0.9 < figures["ceiling"] <= 1.0
    assert figures == ceiling_of(Shelf.of(corpus), birds, "learning")


def test_a_ceiling_is_told_of_all_pages_on_topic_but_of_few_others(
    corpus: Corpus, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    birds = next(task for task in tasks if task.name == "Animals/Birds")
    told: list[tuple[int, int]] = []

    class Counted(fake_judges.Learning):
        def fit(self, topic, documents=None):  # type: ignore[no-untyped-def]
            off = sum(example.url in corpus.pages for example in topic.background)
            told.append((len(topic.examples), off))
            return super().fit(topic, documents)

    monkeypatch.setattr(fake_judges, "Learning", Counted)
    monkeypatch.setattr(judging, "MOST_OFF_TOPIC", 3)
    ceiling_of(Shelf.of(corpus), birds, "learning")
    assert sum(on for on, _ in told) == (FOLDS - 1) * len(birds.relevant & set(corpus.pages))
    assert [off for _, off in told] == [3] * FOLDS


def test_tables_sum_up_what_each_judge_did(corpus: Corpus, tasks: list[Task], tmp_path: Path) -> None:
    findings = bench(corpus, tasks, ["counting", "learning"], tmp_path, ceiling=True)
    rows, lines = table(tmp_path / "judgements.csv"), table(tmp_path / "judges.csv")
    assert len(rows) == 2 * len(tasks) == 4
    assert [line["judge"] for line in lines] == [line["judge"] for line in findings.judges]
    for line in lines:
        own = [float(row["average_precision"]) for row in rows if row["judge"] == line["judge"]]
        low, high = bootstrap_interval(own)
        assert float(line["average_precision"]) == pytest.approx(np.mean(own), abs=1e-6)
        assert float(line["average_precision_low"]) == pytest.approx(low, abs=1e-6)
        assert float(line["average_precision_high"]) == pytest.approx(high, abs=1e-6)
        assert line["topics"] == "2"
        assert float(line["pages_per_second"]) == COST.pages_per_second
    ceilings = {line["judge"]: line["ceiling"] for line in lines}
    assert ceilings["counting"] == "", "a judge that does not learn has no ceiling"
    assert float(ceilings["learning"]) > 0.9
    assert float(lines[0]["average_precision"]) >= float(lines[1]["average_precision"])
    assert (findings.together, findings.peak_mb, findings.missing) == (2, 90.0, [])
    assert {"code_version", "corpus_digest", "settings", "ceiling"} <= set(rows[0])


def test_the_number_of_processes_changes_no_figure(corpus: Corpus, tasks: list[Task], tmp_path: Path) -> None:
    one = bench(corpus, tasks, ["counting", "learning", "cosine"], tmp_path / "one", jobs=1, ceiling=True)
    three = bench(corpus, tasks, ["counting", "learning", "cosine"], tmp_path / "three", jobs=3, ceiling=True)
    assert one == three

    def figures(folder: Path) -> list[dict[str, str]]:
        return [row | {"fit_seconds": ""} for row in table(folder / "judgements.csv")]

    assert figures(tmp_path / "one") == figures(tmp_path / "three")


def test_what_is_done_is_not_done_again(
    corpus: Corpus, tasks: list[Task], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench(corpus, tasks, ["counting"], tmp_path)
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "judgements").iterdir()}
    progress: list[tuple[int, int]] = []
    run(
        corpus, tasks, ["counting", "learning"], tmp_path, measure=measured,
        on_progress=lambda done, of: progress.append((done, of)),
    )  # fmt: skip
    after = {file: file.stat().st_mtime_ns for file in (tmp_path / "judgements").iterdir()}
    assert before.items() <= after.items()
    assert progress[0] == (2, 7)
    assert progress[-1] == (7, 7)
    assert progress == sorted(progress)
    # Of what is left, only the one that was lost is judged again.
    lost = next(file for file in after if file.name.startswith("told-learning"))
    lost.unlink()
    findings = bench(corpus, tasks, ["counting", "learning"], tmp_path)
    changed = [file for file in after if file.stat().st_mtime_ns != after[file]]
    assert changed == [lost]
    assert len(findings.judges) == 2


def test_a_judge_that_cannot_be_fitted_is_told_and_the_others_go_on(
    corpus: Corpus, tasks: list[Task], tmp_path: Path
) -> None:
    design = protocol_w.Design(background=10, examples=2)
    few = protocol_w.tasks(corpus, settings=["near"], topics=["Animals/Birds"], design=design)
    findings = bench(corpus, [*tasks[1:], *few], ["learning:fewest=4", "counting"], tmp_path, ceiling=True)
    assert findings.missing == [
        "learning:fewest=4 was fitted to 1 of 2 topics: The learning judge needs 4 examples, not 2."
    ]
    assert {line["judge"]: line["topics"] for line in findings.judges} == {
        "learning:fewest=4": 1,
        "counting": 2,
    }
    none = bench(corpus, few, ["learning:fewest=99", "counting"], tmp_path)
    assert [line["judge"] for line in none.judges] == ["counting"]
    assert none.missing[0].startswith("learning:fewest=99 was fitted to none of 1 topics: ")
    assert none.together == 1


def test_a_wrong_name_or_parameter_is_one_sentence_before_anything_is_done(
    corpus: Corpus, tasks: list[Task], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="none of the judges"):
        bench(corpus, tasks, ["counting", "solomon"], tmp_path / "out")
    with pytest.raises(ConfigError, match="no key wisdom"):
        bench(corpus, tasks, ["counting:wisdom=1"], tmp_path / "out")
    with pytest.raises(ConfigError, match="no topic was chosen"):
        bench(corpus, [], ["counting"], tmp_path / "out")
    with pytest.raises(ConfigError, match="told of all of them"):
        bench(corpus, protocol_w.tasks(corpus, settings=["near"]), ["counting"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_a_judge_costs_is_measured(corpus: Corpus, tasks: list[Task]) -> None:
    pages = [corpus.pages[url] for url in BIRDS[:10]]
    for measure in (cost, cost_apart):
        figures = measure(["cosine"], tasks[0].topic, pages[:5], pages[5:])
        assert figures.pages_per_second > 10
        assert 0 < figures.fit_seconds < 60
        assert 0 <= figures.extra_mb < figures.peak_mb
