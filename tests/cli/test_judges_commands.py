"""honeyguide judges and judges bench, as a person uses them."""

import csv
import json
from functools import partial
from pathlib import Path

import pytest
from command_line import honeyguide
from small_web import html, write_corpus, write_universities, write_zoo


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_zoo(tmp_path_factory.mktemp("judges") / "zoo")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "small.toml").write_text("[protocol]\nbackground = 10\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.chdir(tmp_path)


judges = partial(honeyguide, "judges")


def sentence(*arguments: str) -> str:
    text = judges("bench", *arguments, code=2).stderr
    assert text.startswith("honeyguide: ")
    assert len(text.splitlines()) == 1
    return text


def test_judges_alone_lists_them() -> None:
    listed = judges().stdout
    assert "cosine" in listed
    assert "threshold=0.06" in listed
    assert "bench" in judges("--help").stdout


def test_judges_are_compared_and_the_tables_kept(corpus: Path, tmp_path: Path) -> None:
    arguments = (
        "bench", str(corpus), "--protocol", "small.toml", "--judges", "cosine,cosine:threshold=0.9", "-o", "out"
    )  # fmt: skip
    done = judges(*arguments)
    assert done.stderr == ""
    for words in ("ROC-AUC", "cosine:threshold=0.9", "2 judges fitted took", "out/judges.csv"):
        assert words in done.stdout
    with (tmp_path / "out" / "judges.csv").open(newline="") as file:
        lines = {line["judge"]: line for line in csv.DictReader(file)}
    assert set(lines) == {"cosine", "cosine:threshold=0.9"}
    assert lines["cosine"]["roc_auc"] == lines["cosine:threshold=0.9"]["roc_auc"]
    assert float(lines["cosine"]["recall"]) > float(lines["cosine:threshold=0.9"]["recall"])
    assert all(float(line["pages_per_second"]) > 0 for line in lines.values())
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "judgements").iterdir()}
    assert judges(*arguments).stdout == done.stdout
    assert before == {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "judgements").iterdir()}


def test_figures_come_as_json_too(corpus: Path) -> None:
    done = judges(
        "bench", str(corpus), "--protocol", "small.toml", "--judges", "cosine", "--topics", "Animals/Fish", "--json"
    )  # fmt: skip
    figures = json.loads(done.stdout)
    (line,) = figures["judges"]
    assert (line["judge"], line["topics"], line["ceiling"]) == ("cosine", 1, "")
    assert 0.9 < line["average_precision"] <= 1.0
    assert figures["fitted_together"] == 1
    assert figures["peak_mb"] > 10
    assert figures["missing"] == []
    assert figures["out"] == "benches/zoo-small-judges"


def test_the_universities_are_told_five_examples(tmp_path: Path) -> None:
    web = write_universities(tmp_path / "web")
    judges("bench", str(web), "--protocol", "K", "--judges", "cosine", "--topics", "student", "-o", "out")
    with (tmp_path / "out" / "judgements.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["group"] for row in rows] == ["cornell", "texas", "washington", "wisconsin"]
    assert {row["setting"] for row in rows} == {"5-examples"}


def test_what_is_wrong_is_one_sentence(corpus: Path, tmp_path: Path) -> None:
    web = str(corpus)
    assert "did you mean Animals/Birds" in sentence(web, "--topics", "Animals/Brids")
    assert "no protocol" in sentence(web, "--protocol", "Q")
    assert "none of the judges" in sentence(web, "--judges", "solomon")
    assert "no key wisdom" in sentence(web, "--judges", "cosine:wisdom=1")
    assert "threshold" in sentence(web, "--judges", "cosine:threshold=7")
    assert str(tmp_path / "nowhere") in sentence(str(tmp_path / "nowhere"))
    bare = write_corpus(tmp_path / "bare", {"http://bare.test/a/b": html("A", "words", ())}, [])
    assert "labels" in sentence(str(bare))
    (tmp_path / "file").write_text("in the way")
    small = ("--protocol", "small.toml", "--judges", "cosine")
    assert "cannot be written" in sentence(web, *small, "--out", "file")
    assert "told of all of them" in sentence(web, "--judges", "cosine")
