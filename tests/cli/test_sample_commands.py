"""honeyguide sample as a person uses it."""

import csv
import json
import sys
from pathlib import Path

import pytest
from handmade_crawl import Made, make_crawl
from typer.testing import CliRunner

from honeyguide.cli import main


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return make_crawl(tmp_path / "crawl", pages(range(20), relevant=range(0, 20, 2)))


def pages(numbers: range, *, relevant: range) -> list[Made]:
    return [Made(f"https://site.example/{n}", n in relevant, f"Page {n}", fingerprint=n + 1) for n in numbers]


def honeyguide(*arguments: str, capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    """Run a command in this process; its output, or with code 2 its one sentence of complaint."""
    before, sys.argv = sys.argv, ["honeyguide", *arguments]
    capsys.readouterr()
    try:
        with pytest.raises(SystemExit) as ended:
            main()
    finally:
        sys.argv = before
    shown = capsys.readouterr()
    assert (ended.value.code or 0) == code, shown
    if code:
        assert len(shown.err.strip().splitlines()) == 1
    return shown.err if code else shown.out


def fill_in(file: Path, labels: dict[str, str]) -> None:
    with file.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"label": labels.get(row["url"], "")} for row in rows)


def truth(*, wrong: range) -> dict[str, str]:
    """What a person says who finds the judge wrong on some pages."""
    return {f"https://site.example/{n}": "yes" if (n % 2 == 0) != (n in wrong) else "no" for n in range(20)}


def test_drawn_labelled_and_reported(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = honeyguide("sample", "draw", "crawl", capsys=capsys)
    file = crawl.parent / "crawl-sample.csv"
    assert f"20 of 20 pages written to {file}" in shown
    assert "verdict" not in file.read_text() + shown
    assert "Nothing is labelled yet" in honeyguide("sample", "report", "crawl", capsys=capsys, code=2)

    fill_in(file, truth(wrong=range(4)))
    shown = honeyguide("sample", "report", "crawl", capsys=capsys)
    assert "20 of 20 drawn pages are labelled." in shown
    figures = json.loads(honeyguide("sample", "report", "crawl", "--json", capsys=capsys))
    assert figures["people"]["precision"]["value"] == 0.5
    assert figures["judge"]["harvest"] == 0.5
    assert figures["judge"]["agreement"]["raw"] == 0.8
    assert figures["judge"]["precision"]["value"] == 0.8
    for words in ("50.0%", "80.0%", "kappa 0.60", "precision", "recall"):
        assert words in shown


def test_two_people_are_compared(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, wrong in (("ada.csv", range(0)), ("bob.csv", range(2))):
        honeyguide("sample", "draw", "crawl", "--out", name, capsys=capsys)
        fill_in(Path(name), truth(wrong=wrong))
    shown = honeyguide("sample", "report", "crawl", "ada.csv", "bob.csv", capsys=capsys)
    assert "ada and bob" in shown
    assert "0.80" in shown
    figures = json.loads(
        honeyguide("sample", "report", "crawl", "ada.csv", "bob.csv", "--json", capsys=capsys)
    )
    assert figures["agreements"][0]["raw"] == 0.9
    assert figures["people"]["unsure"] == 2


def test_a_sample_of_the_relevant_pages_says_nothing_of_recall(
    crawl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    honeyguide("sample", "draw", "crawl", "--only", "relevant", "--n", "5", "--seed", "2", capsys=capsys)
    fill_in(crawl.parent / "crawl-sample.csv", truth(wrong=range(0)))
    shown = honeyguide("sample", "report", "crawl", capsys=capsys)
    assert "5 of 5 drawn pages" in shown
    assert "do not show what it missed" in shown


def test_the_margin_decides_how_many_are_drawn(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "7 of 20 pages" in honeyguide("sample", "draw", "crawl", "--margin", "0.4", capsys=capsys)


def test_a_name_in_brackets_is_shown_and_not_taken_for_markup(
    crawl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("[red]ada.csv", "[bold]bob.csv"):
        Path(name).write_text("url,label\nhttps://site.example/1,no\n")
    shown = honeyguide("sample", "report", "crawl", "[red]ada.csv", "[bold]bob.csv", capsys=capsys)
    assert "[red]ada and [bold]bob" in shown
    assert "–" in shown  # one single label: kappa is not defined


def test_recall_is_estimated_from_two_crawls(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_crawl(crawl.parent / "second", pages(range(10, 40), relevant=range(10, 40, 2)))
    shown = honeyguide("sample", "recall", "crawl", "second", capsys=capsys)
    assert "5 relevant pages are in both, so there are about 28" in shown
    assert "35.3%" in shown
    figures = json.loads(honeyguide("sample", "recall", "crawl", "second", "--json", capsys=capsys))
    assert (figures["first"], figures["second"], figures["both"]) == (10, 15, 5)
    assert figures["first_recall"]["value"] == pytest.approx(10 / 28.333, abs=1e-4)
    make_crawl(crawl.parent / "third", pages(range(50, 60), relevant=range(50, 60)))
    assert "any number more" in honeyguide("sample", "recall", "crawl", "third", capsys=capsys)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["draw", "nowhere"], "holds no crawl"),
        (["draw", "empty"], "empty holds no pages to draw from"),
        (["draw", "barren", "--only", "relevant"], "barren holds no pages judged on topic"),
        (["draw", "crawl", "--out", "mine.csv"], "may hold labels"),
        (["draw", "crawl", "--out", "no/where.csv"], "cannot be written"),
        (["report", "crawl"], "There is no file"),
        (["report", "crawl", "mine.csv"], "mine.csv, line 1: there is no column url"),
        (["report", "crawl", "odd.csv"], "odd.csv, line 3: 'maybe' is no label"),
        (["report", "crawl", "other.csv"], "drawn from another"),
        (["recall", "crawl", "nowhere"], "holds no crawl"),
        (["recall", "crawl", "barren"], "barren holds no relevant pages"),
        (["recall", "crawl", "./crawl"], "given twice"),
    ],
)
def test_what_a_person_can_get_wrong_about_samples_is_one_sentence(
    crawl: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    make_crawl(crawl.parent / "empty", [])
    make_crawl(crawl.parent / "barren", pages(range(3), relevant=range(0)))
    Path("mine.csv").write_text("hours of work")
    Path("odd.csv").write_text("url,label\nhttps://site.example/1,no\nhttps://site.example/2,maybe\n")
    Path("other.csv").write_text("url,label\nhttps://elsewhere.example/1,no\n")
    assert sentence in honeyguide("sample", *arguments, capsys=capsys, code=2)
    assert Path("mine.csv").read_text() == "hours of work"


@pytest.mark.parametrize("arguments", [["--margin", "0"], ["--n", "0"], ["--only", "some"]])
def test_numbers_that_make_no_sense_are_refused(crawl: Path, arguments: list[str]) -> None:
    from honeyguide.cli import app

    assert CliRunner().invoke(app, ["sample", "draw", "crawl", *arguments]).exit_code == 2
    assert not (crawl.parent / "crawl-sample.csv").exists()
