"""honeyguide bench as a person uses it."""

import csv
from functools import partial
from pathlib import Path

import pytest
from command_line import honeyguide
from small_web import html, write_corpus, write_zoo

from honeyguide.cli.bench import lines_of_progress, split_uses


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_zoo(tmp_path_factory.mktemp("bench") / "zoo")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.chdir(tmp_path)


bench = partial(honeyguide, "bench")


def sentence(*arguments: str) -> str:
    text = bench(*arguments, code=2).stderr
    assert text.startswith("honeyguide: ")
    assert len(text.splitlines()) == 1
    return text


def test_strategies_are_compared_and_reported(corpus: Path, tmp_path: Path) -> None:
    arguments = (
        str(corpus), "--setting", "near", "--strategies", "best-first:by=anchor,best-first", "--pages", "20",
        "--topics", "Animals/Birds", "--out", "out",
    )  # fmt: skip
    done = bench(*arguments)
    assert done.stderr == ""
    for word in (
        "near",
        "omniscient",
        "true-labels",
        "random",
        "breadth-first",
        "best-first:by=anchor",
        "out",
    ):
        assert word in done.stdout
    with (tmp_path / "out" / "rows.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 6
    for name in ("summary.csv", "paired.csv", "report.html", "report.md", "report.json"):
        assert (tmp_path / "out" / name).stat().st_size > 0
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "crawls").iterdir()}
    bench(*arguments)
    assert before == {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "crawls").iterdir()}


def test_only_what_was_asked_for_is_compared_where_a_person_wants_that(corpus: Path, tmp_path: Path) -> None:
    done = bench(
        str(corpus), "--setting", "near", "--strategies", "best-first,random", "--pages", "20",
        "--topics", "Animals/Birds", "--no-references", "--out", "out",
    )  # fmt: skip
    assert "best-first" in done.stdout
    with (tmp_path / "out" / "rows.csv").open(newline="") as file:
        assert {row["strategy"] for row in csv.DictReader(file)} == {"best-first", "random"}
    assert "breadth-first" not in (tmp_path / "out" / "report.md").read_text()


def test_a_protocol_file_may_bring_its_labels(corpus: Path, tmp_path: Path) -> None:
    rows = [f"http://zoo.test/page/{n}\tRail" for n in range(10)]
    (tmp_path / "rail.tsv").write_text("\n".join(["url\ttopic", *rows]) + "\n")
    (tmp_path / "rail.toml").write_text(
        '[protocol]\nlabels = "rail.tsv"\nsettings = ["near"]\nsmallest = 10\npages = 15\nexamples = 2\n'
    )
    done = bench(str(corpus), "--protocol", "rail.toml")
    assert "benches/zoo-rail" in done.stdout
    assert (tmp_path / "benches" / "zoo-rail" / "summary.csv").exists()


def test_what_is_wrong_is_one_sentence(corpus: Path, tmp_path: Path) -> None:
    web = str(corpus)
    assert "did you mean Animals/Birds" in sentence(web, "--topics", "Animals/Brids")
    assert "no protocol" in sentence(web, "--protocol", "Q")
    assert "near, far" in sentence(web, "--setting", "nearby")
    assert "none of the strategies" in sentence(web, "--strategies", "best-frist")
    assert "none of the judges" in sentence(web, "--judges", "solomon")
    assert "cannot be read" in sentence(web, "--protocol", "none.toml")
    assert "third column" in sentence(web, "--protocol", "K")
    assert "nothing is left to find" in sentence(web, "--topics", "Stones", "--examples", "6")
    assert str(tmp_path / "nowhere") in sentence(str(tmp_path / "nowhere"))


def test_a_corpus_without_labels_is_one_sentence(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "bare", {"http://bare.test/a/b": html("A", "words", ())}, [])
    assert "labels" in sentence(str(folder))
    (folder / "labels.tsv").unlink()
    assert "labels" in sentence(str(folder))


@pytest.mark.parametrize(
    ("texts", "uses"),
    [
        (["a,b"], ["a", "b"]),
        (["best-first:by=page,random"], ["best-first:by=page", "random"]),
        (["a:x=1,b:y=2,z=3", "c"], ["a:x=1", "b:y=2,z=3", "c"]),
        ([" a , ,b ", "a"], ["a", "b"]),
        (["x=1"], ["x=1"]),
    ],
)
def test_a_comma_before_a_parameter_goes_on_with_the_parameters(texts: list[str], uses: list[str]) -> None:
    assert split_uses(texts) == uses


def test_progress_is_a_line_now_and_then() -> None:
    now, said = 0.0, list[str]()
    show = lines_of_progress(said.append, clock=lambda: now)
    for now in (1.0, 29.0, 31.0, 40.0, 62.0):
        show(int(now), 1000)
    assert said == ["31 of 1,000 crawls", "62 of 1,000 crawls"]
