"""honeyguide corpus, as a person uses it."""

import json
from functools import partial
from pathlib import Path

import pytest
from command_line import honeyguide
from handmade_crawl import Made, make_crawl
from made_archive import record, redirect, write

from honeyguide.text.background import Background

A, B = "http://a.test/a", "http://a.test/b"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    write(
        folder / "web.warc.gz",
        [record(A, b"<a href=old>b</a> <a href=gone>x</a>"), record(B), redirect(A[:-1] + "old", B)],
    )
    (folder / "labels.tsv").write_text(
        f"url\ttopic\tsite\n{A}\tLetters\tone\n{B}\tLetters\tone\n{B}\tBees\ttwo\n"
    )
    return folder


corpus = partial(honeyguide, "corpus")


def refusal(*arguments: object) -> str:
    """What a command that a person can mend says: one sentence and nothing else."""
    done = corpus(*arguments, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("honeyguide: ")
    return done.stderr


def test_info_tells_what_a_corpus_holds(folder: Path) -> None:
    shown = corpus("info", folder).stdout
    for words in (
        "2  (2 recorded, 0 unreadable)",
        "1 lead to pages",
        "1 to other pages inside, 1 lead out",
        "Letters",
    ):
        assert words in shown
    assert "Bees" not in corpus("info", folder, "--top", 1).stdout
    figures = json.loads(corpus("info", folder, "--json").stdout)
    assert (figures["pages"], figures["links_inside"], figures["hosts"]) == (2, 1, 1)
    assert figures["labels"][0] == {"label": "Letters", "group": "one", "pages": 2, "linked": 1}


def test_a_corpus_without_labels_says_that_nothing_can_be_scored(folder: Path) -> None:
    (folder / "labels.tsv").rename(folder / "mine.txt")
    assert "There are no labels" in corpus("info", folder).stdout
    assert "Letters" in corpus("info", folder, "--labels", folder / "mine.txt").stdout


def test_what_cannot_be_a_corpus_is_one_sentence_and_exit_code_2(folder: Path, tmp_path: Path) -> None:
    assert "There is no folder" in refusal("info", tmp_path / "missing")
    (tmp_path / "empty").mkdir()
    assert "holds no web archive" in refusal("info", tmp_path / "empty")
    assert "cannot be read" in refusal("info", folder, "--labels", tmp_path / "missing.tsv")
    (folder / "labels.tsv").write_text("url\ttopic\nhttp://a.test/\n")
    assert "labels.tsv, line 2" in refusal("info", folder)
    (folder / "labels.tsv").unlink()
    archive = folder / "web.warc.gz"
    archive.write_bytes(archive.read_bytes()[:-20])
    assert "is damaged" in refusal("info", folder)


def test_a_crawl_becomes_a_corpus(tmp_path: Path) -> None:
    made = [Made(A, True, text="Dengue is a fever."), Made(B, False), Made("http://a.test/c", True)]
    crawl = make_crawl(tmp_path / "crawl", made)
    said = corpus("from-crawl", crawl, tmp_path / "out").stdout
    assert "1 WARC file, 2 pages labelled" in said
    assert (tmp_path / "out" / "labels.tsv").read_text().splitlines() == [
        "url\ttopic",
        f"{A}\tdengue fever",
        "http://a.test/c\tdengue fever",
    ]
    figures = json.loads(corpus("info", tmp_path / "out", "--json").stdout)
    assert (figures["pages"], figures["strays"]) == (3, 0)
    assert "not an empty folder" in refusal("from-crawl", crawl, tmp_path / "out")
    assert "holds no crawl" in refusal("from-crawl", tmp_path, tmp_path / "other")


def test_a_crawl_that_fetched_nothing_makes_no_corpus(tmp_path: Path) -> None:
    crawl = make_crawl(tmp_path / "crawl", [])
    assert "has fetched no page yet" in refusal("from-crawl", crawl, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_synthetic_web_is_a_corpus(tmp_path: Path) -> None:
    said = corpus("make", tmp_path / "made", "--pages", 60, "--hosts", 3, "--topics", 4, "--seed", 5).stdout
    assert "60 pages" in said
    figures = json.loads(corpus("info", tmp_path / "made", "--json").stdout)
    assert (figures["pages"], figures["hosts"], len(figures["labels"])) == (60, 3, 4)
    assert "not empty" in refusal("make", tmp_path / "made")
    assert "pages must lie between" in refusal("make", tmp_path / "other", "--pages", 1)


def test_a_crawl_becomes_a_corpus_with_labels_by_hand(tmp_path: Path) -> None:
    made = [Made(A, True), Made(B, False, final="http://a.test/b2"), Made("http://a.test/c", True)]
    crawl = make_crawl(tmp_path / "crawl", made)
    sample = tmp_path / "sample.csv"
    sample.write_text(
        f"url,label anna,label bert,label carl\n{A},no,no,yes\n{B},yes,unsure,\nhttp://a.test/c,yes,no,\n"
    )
    said = corpus("from-crawl", crawl, tmp_path / "one", "--labels", sample).stdout
    assert "1 page labelled by hand" in said
    written = (tmp_path / "one" / "labels.tsv").read_text()
    assert written == "url\ttopic\nhttp://a.test/b2\tdengue fever\n"
    labels = tmp_path / "mine.tsv"
    labels.write_text(f"url\ttopic\tsite\n{A}\tFevers\tone\n")
    corpus("from-crawl", crawl, tmp_path / "two", "--labels", labels)
    assert (tmp_path / "two" / "labels.tsv").read_text() == f"url\ttopic\tgroup\n{A}\tFevers\tone\n"
    assert "cannot be read" in refusal("from-crawl", crawl, tmp_path / "x", "--labels", tmp_path / "none.csv")


def test_a_corpus_tells_how_rare_words_are(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "idf.txt.gz"
    assert "in 2 pages" in corpus("background", folder, file).stdout
    table = Background.read(file)
    assert len(table) > 0
    assert table.rarest == pytest.approx(0.69)  # ln 2, to two decimals
    assert "exists" in refusal("background", folder, file)
