"""The weights of guide are fitted by a script, of which the parts are tried on a small web."""

import sys
import tomllib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import fit_guide
from small_web import BIRDS, GONE, OTHERS, write_zoo

from honeyguide.bench import protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.shelf import Shelf
from honeyguide.bench.task import Task
from honeyguide.strategies.promises import FEATURES, weights_in


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("fit-guide")
    return Corpus.open(write_zoo(folder / "zoo"), cache=folder / "cache")


@pytest.fixture(scope="module")
def birds(zoo: Corpus) -> tuple[Task, ...]:
    return tuple(protocol_w.tasks(zoo, topics=["Animals/Birds"], pages=60))


def test_without_recorded_webs_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HONEYGUIDE_CORPORA", raising=False)
    assert fit_guide.main([]) == 2
    assert capsys.readouterr().err.startswith("Set HONEYGUIDE_CORPORA to the folder")


def test_a_folder_without_them_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HONEYGUIDE_CORPORA", str(tmp_path))
    assert fit_guide.main([]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_every_feature_has_a_weight_from_before(tmp_path: Path) -> None:
    assert tuple(fit_guide.BEFORE) == FEATURES
    found = weights_in(fit_guide.write_weights(tmp_path / "before.json", fit_guide.BEFORE))
    assert found.weights.tolist() == [row[2] for row in fit_guide.BEFORE.values()]


def test_crawls_of_a_topic_are_observed_and_scored(
    zoo: Corpus, birds: tuple[Task, ...], tmp_path: Path
) -> None:
    before = fit_guide.write_weights(tmp_path / "before.json", fit_guide.BEFORE)
    work = fit_guide.Work(birds, before, tmp_path / "work", True)
    fit_guide.do_work(Shelf.of(zoo), work)
    near, far = fit_guide.read_work(work)
    for found in (near, far):
        assert 0 < found.figure <= 1
        assert found.looks
        assert all(look.relevant.any() and not look.relevant.all() for look in found.looks)
    again = work._replace(file=tmp_path / "again", is_observed=False)
    fit_guide.do_work(Shelf.of(zoo), again)
    assert [(found.looks, found.figure) for found in fit_guide.read_work(again)] == [
        ((), near.figure),
        ((), far.figure),
    ]


def test_labels_say_what_a_url_turned_out_to_be(zoo: Corpus, birds: tuple[Task, ...]) -> None:
    task = birds[0]
    told = next(iter(task.excluded))
    hidden = next(url for url in BIRDS if url not in task.excluded)
    assert fit_guide.outcome(zoo, task, hidden) is True
    assert fit_guide.outcome(zoo, task, OTHERS[0]) is False
    assert fit_guide.outcome(zoo, task, told) is None
    assert fit_guide.outcome(zoo, task, GONE) is None


def test_the_made_up_web_has_topics_of_its_own(tmp_path: Path) -> None:
    floors = tomllib.loads((Path(__file__).parent / "quality" / "floors.toml").read_text())
    assert fit_guide.MADE_WEB.seed != floors["web"]["seed"]
    made = fit_guide.made(tmp_path)
    tasks = fit_guide.tasks_of(made, fit_guide.MADE, "2", 1000)
    assert {task.setting for task in tasks} == {"near", "far"}
    assert {task.budget for task in tasks} == {fit_guide.MADE_PAGES}
    assert len({task.name for task in tasks}) == fit_guide.MADE_WEB.topics
