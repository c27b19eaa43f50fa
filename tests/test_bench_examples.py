"""The measuring of strategies with ever more examples compares like with like, on small webs."""

import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import bench_examples
from small_web import write_universities

from honeyguide.bench import protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.synthetic.corpus import SyntheticWeb, write_corpus

COUNTS = [0, 1, 2, 6]
SMALL = ["--examples", "0,2", "--topics", "2", "--smallest", "30", "--pages", "60", "--jobs", "2"]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("corpora")
    write_corpus(folder / "wikispeedia", SyntheticWeb(pages=400, hosts=8, topics=8, seed=1))
    write_universities(folder / "webkb")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        environment.setenv("HONEYGUIDE_CORPORA", str(folder))
        yield folder


@pytest.fixture(scope="module")
def synthetic(corpora: Path) -> Corpus:
    return Corpus.open(corpora / "wikispeedia")


def plan(*arguments: str) -> bench_examples.Plan:
    return bench_examples.planned(bench_examples._options(arguments))


@pytest.mark.parametrize("setting", ["near", "far"])
def test_only_what_a_crawl_is_told_differs_with_the_number_of_examples(
    synthetic: Corpus, setting: str
) -> None:
    wanted = plan("--examples", "6,2,1,0", "--topics", "3", "--smallest", "30", "--setting", setting)
    tasks = bench_examples.tasks_of_w(synthetic, wanted)
    assert list(tasks) == COUNTS
    for together in zip(*tasks.values(), strict=True):
        assert [len(task.topic.examples) for task in together] == COUNTS
        assert [task.settings["examples"] for task in together] == COUNTS
        assert len({task.setting for task in together}) == len(COUNTS)
        assert len({(task.name, task.topic.seeds, task.targets) for task in together}) == 1
        few, most = together[0], together[-1]
        (usual,) = protocol_w.tasks(synthetic, settings=[setting], topics=[few.name], examples=6)
        assert (few.topic.seeds, few.targets) == (usual.topic.seeds, usual.targets)
        assert len(few.topic.seeds) == 3
        assert few.targets.isdisjoint(example.url for example in most.topic.examples)


def test_few_examples_do_not_mean_few_seeds(synthetic: Corpus) -> None:
    tasks = bench_examples.tasks_of_w(
        synthetic, plan("--examples", "0,1", "--topics", "1", "--smallest", "30")
    )
    assert [len(task.topic.seeds) for own in tasks.values() for task in own] == [3, 3]


def test_a_vocabulary_is_the_same_however_many_examples_a_crawl_is_told(synthetic: Corpus) -> None:
    wanted = plan("--examples", "0,6", "--topics", "2", "--smallest", "30", "--vocabulary", "5")
    tasks = bench_examples.with_vocabulary(bench_examples.tasks_of_w(synthetic, wanted), wanted.vocabulary)
    few, most = tasks[0][0], tasks[6][0]
    assert few.topic.vocabulary == most.topic.vocabulary != tasks[0][1].topic.vocabulary
    assert len(few.topic.vocabulary) == 5
    assert not few.topic.examples
    assert few.setting == "near, words only, 5 terms"
    assert any(term.text in most.topic.examples[0].text.lower() for term in few.topic.vocabulary)


def test_topics_are_drawn_by_their_names_or_named(synthetic: Corpus) -> None:
    first, second = bench_examples.tasks_of_w(synthetic, plan(*SMALL))[0]
    (named,) = bench_examples.tasks_of_w(synthetic, plan(*SMALL, "--topics", second.name))[2]
    assert named.name == second.name != first.name


def test_strategies_are_measured_once_and_told_of(
    corpora: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "curve.svg"
    arguments = [*SMALL, "--webs", "wikispeedia", "--strategies", "guide,breadth-first"]
    arguments += ["--out", str(tmp_path / "out"), "--picture", str(drawn)]
    assert bench_examples.main(arguments) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "## wikispeedia\n\nProtocol W, near, 60 fetches per crawl. Efficiency, means over 2 topics"
    )
    assert "| strategy | words only | 2 examples |" in said
    assert "With words only, guide less another:" in said
    svg = ElementTree.parse(drawn).getroot()
    assert "wikispeedia: efficiency, mean over 2 topics with 95 % interval" in [
        node.text for node in svg.iter()
    ]
    logs = {log: log.stat().st_mtime_ns for log in (tmp_path / "out" / "wikispeedia" / "crawls").iterdir()}
    assert len(logs) == 2 * 2 * 2
    assert bench_examples.main(arguments) == 0
    assert capsys.readouterr().out == said
    assert {log: log.stat().st_mtime_ns for log in logs} == logs


def test_the_tasks_of_universities_are_measured_too(corpora: Path, tmp_path: Path) -> None:
    wanted = plan("--examples", "0,2", "--strategies", "ss1", "--jobs", "1", "--out", str(tmp_path))
    found = bench_examples.measure("webkb", Corpus.open(corpora / "webkb"), wanted)
    assert (found.figure, found.over) == ("mean_precision", "16 tasks")
    assert {key: len(values) for key, values in found.values.items()} == {("ss1", 0): 16, ("ss1", 2): 16}
    assert all(0 < value <= 1 for values in found.values.values() for value in values)


def test_figures_are_means_with_intervals_and_pairs() -> None:
    values = {("a", 0): [0.5, 0.5], ("b", 0): [0.25, 0.25], ("a", 2): [0.75, 0.75], ("b", 2): [1.0, 1.0]}
    found = bench_examples.Measured("web", "Crawled so.", "efficiency", "2 topics", values)
    wanted = plan("--examples", "0,2", "--strategies", "a,b")
    said = list(bench_examples.lines(found, wanted))
    assert "| a | 0.500 (0.500 to 0.500) | 0.750 (0.750 to 0.750) |" in said
    assert "| b | +0.250 (+0.250 to +0.250) | 2 | 0 | 0 |" in said
    without = list(bench_examples.lines(found, plan("--examples", "2", "--strategies", "a,b")))
    assert not any("words only" in line for line in without)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--webs", "dmoz"], "'dmoz' is no web of this measurement; they are wikispeedia, webkb."),
        (["--webs", ""], "There is nothing to measure"),
        (["--examples", "0,-1"], "'-1' is no number of examples."),
        (["--examples", "99999"], "'99999' is no number of examples."),
        (["--examples", "0", "--vocabulary", "9"], "A vocabulary of some terms is grown from example pages"),
        (["--vocabulary", "-1"], "A vocabulary of some terms"),
        (["--jobs", "0"], "0 crawls at a time are none"),
        (["--setting", "by"], "'by' is no setting of this protocol"),
        (["--topics", "Nonsense"], "The labels know no topic 'Nonsense'"),
        (["--topics", "0"], "There is nothing to crawl"),
        (["--pages", "-1"], "A protocol's pages cannot be -1."),
        (["--examples", "9999"], "The topic "),
        (["--strategies", "gide"], "'gide' is none of the strategies"),
        (["--picture", "nowhere/curve.svg"], "There is no folder "),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_sentence(
    corpora: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    usual = [*SMALL, "--webs", "wikispeedia", "--out", str(tmp_path / "out")]
    assert bench_examples.main([*usual, *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith(sentence)
    assert error.count("\n") == 1


def test_without_recorded_webs_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HONEYGUIDE_CORPORA", raising=False)
    assert bench_examples.main([]) == 2
    assert capsys.readouterr().err.startswith("Set HONEYGUIDE_CORPORA to the folder")
