"""honeyguide label as a person uses it."""

import os
import pty
import re
import threading
from pathlib import Path

import pytest
import typer
from handmade_crawl import Made, make_crawl
from typer.testing import CliRunner, Result

from honeyguide.assemble import load
from honeyguide.cli.keys import Keys
from honeyguide.cli.labelling import grow, label
from honeyguide.errors import CrawlError
from honeyguide.model import Topic
from honeyguide.naming import make_judge
from honeyguide.opening import open_collection
from honeyguide.store.folder import WriterLock
from honeyguide.store.labels import LabelBook, read_labels
from honeyguide.store.schema import connect
from honeyguide.store.sqlite import pack
from honeyguide.text.showing import FIRST_SHOWN, MORE_SHOWN, pieces_of

app = typer.Typer()
app.command()(label)
app.command()(grow)

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\u202c dengue"


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    pages = [
        Made(
            f"https://site{n}.example/{n}",
            n % 2 == 0,
            f"Page {n}",
            f"All about dengue fever, number {n}. " + "word " * 600,
            fingerprint=n + 1,
        )
        for n in range(6)
    ]
    folder = make_crawl(tmp_path / "crawl", pages)
    with connect(folder / "crawl.db") as database:
        database.execute("UPDATE visits SET margin = id / 10.0")
    database.close()
    return folder


def run(*arguments: str, answers: str = "") -> Result:
    result = CliRunner().invoke(app, list(arguments), input="".join(f"{key}\n" for key in answers))
    if result.exception and not isinstance(result.exception, SystemExit | CrawlError):
        raise result.exception
    return result


def said(folder: Path) -> dict[tuple[str, str], bool | None]:
    with open_collection(folder) as collection:
        labels = read_labels(collection.connection)
    return {(one.annotator, one.url[-1]): one.relevant for one in labels}


def test_pages_are_labelled_with_one_key_each(crawl: Path) -> None:
    shown = run("label", "crawl", "--annotator", "ada", "--n", "4", answers="ynus").output
    assert said(crawl) == {("ada", "0"): True, ("ada", "1"): False, ("ada", "2"): None}
    assert "Which pages are about dengue fever? ada is shown 4." in shown
    assert re.search(r"1 of 4 +Page 0\nhttps://site0\.example/0\nsite0\.example +en +\d+ words", shown)
    assert "3 pages labelled by ada." in shown
    assert "honeyguide resume crawl" in shown


def test_the_judge_keeps_its_opinion_to_itself(crawl: Path) -> None:
    with connect(crawl / "crawl.db") as database:
        database.execute("UPDATE visits SET relevance = 0.123456, margin = 0.654321, judge = 'sage@7'")
    database.close()
    shown = run("label", "crawl", "--annotator", "ada", answers="yyyyyy").output
    for secret in ("0.12", "0.65", "sage", "relevant", "score"):
        assert secret not in shown


def test_back_takes_the_last_answer_back_and_asks_again(crawl: Path) -> None:
    run("label", "crawl", "--annotator", "ada", "--n", "3", answers="bybnyq")
    assert said(crawl) == {("ada", "0"): False, ("ada", "1"): True}
    run("label", "crawl", "--annotator", "bob", "--n", "3", answers="sbsnbq")
    assert {key for key in said(crawl) if key[0] == "bob"} == set()


def test_the_end_of_the_answers_and_keys_that_mean_nothing_write_nothing(crawl: Path) -> None:
    shown = run("label", "crawl", "--annotator", "ada", answers="x7 ").output
    assert said(crawl) == {}
    assert shown.count("on topic?") == 4
    assert "0 pages labelled by ada." in shown


def test_nobody_is_asked_twice(crawl: Path) -> None:
    run("label", "crawl", "--annotator", "ada", "--n", "4", answers="yyyy")
    assert "ada is shown 2." in run("label", "crawl", "--annotator", "ada", answers="yy").output
    refused = run("label", "crawl", "--annotator", "ada")
    assert isinstance(refused.exception, CrawlError)
    assert "holds no pages that ada has not labelled" in str(refused.exception)
    assert "bob is shown 6." in run("label", "crawl", "--annotator", "bob").output


def test_borderline_is_what_the_judge_is_least_sure_of_by_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pages = [
        Made("https://a.example/", True, "Zebras", "zebra zebra stripes", fingerprint=1),
        Made("https://b.example/", True, "Horses", "horses run", fingerprint=2),
    ]
    folder = make_crawl(tmp_path / "crawl", pages, judge={"use": "cosine"})
    database = connect(folder / "crawl.db")
    database.execute("UPDATE visits SET margin = id / 100.0")
    _, settings = load(folder)
    for revision, first in ((0, "Zebras"), (1, "Horses")):
        judge = make_judge(settings["judge"], Topic("zebra"))
        state = pack({"revision": revision, "judge": judge.state()})
        database.execute("REPLACE INTO states VALUES ('judge', 2, ?)", (state,))
        assert f"1 of 1  {first}" in run("label", "crawl", "--annotator", "ada", "--n", "1").output
    state = pack({"revision": 1, "judge": {"judge": "another@1"}})
    database.execute("REPLACE INTO states VALUES ('judge', 2, ?)", (state,))
    assert "1 of 1  Zebras" in run("label", "crawl", "--annotator", "ada", "--n", "1").output
    database.close()


def test_more_text_is_shown_when_asked_for(crawl: Path) -> None:
    shown = run("label", "crawl", "--annotator", "ada", "--n", "1", answers="ooy").output
    assert shown.count("word") > 500
    assert "There is no more text." in shown


def test_the_rules_are_shown_once(crawl: Path) -> None:
    file = crawl / "topic" / "1.toml"
    file.write_text(file.read_text() + '\nrules = ["News counts, shops do not."]\n')
    shown = run("label", "crawl", "--annotator", "ada", answers="yy").output
    assert shown.count("- News counts, shops do not.") == 1


def test_how_far_people_agree_is_said_at_the_end(crawl: Path) -> None:
    run("label", "crawl", "--annotator", "ada", answers="yynnyn")
    shown = run("label", "crawl", "--annotator", "bob", answers="yynnny").output
    assert "bob and ada agree on 67% of 6 pages, kappa 0.33." in shown


def test_whoever_labels_a_running_crawl_is_told_that_it_learns(crawl: Path) -> None:
    lock = WriterLock(crawl)
    lock.acquire()
    assert "learns from them as it goes" in run("label", "crawl", "--n", "1", answers="y").output
    lock.release()


def test_nothing_a_page_says_steers_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_crawl(tmp_path / "crawl", [Made("https://a.example/", True, HOSTILE, HOSTILE)])
    with LabelBook(tmp_path / "crawl") as book:
        book.write("https://a.example/", 1, True, HOSTILE)
    shown = run("label", "crawl", "--annotator", "ada", answers="y").output + run("grow", "crawl").output
    assert "evil" in shown
    assert not [c for c in shown if not c.isprintable() and c != "\n"]


def test_a_text_is_cut_between_words_and_nothing_of_it_is_lost() -> None:
    text = "one two\n\n three \x07 " * 2000
    pieces = list(pieces_of(text))
    assert " ".join(pieces).split() == text.replace("\x07", "").split()
    assert max(map(len, pieces)) <= MORE_SHOWN
    assert len(pieces[0]) <= FIRST_SHOWN
    assert list(pieces_of("x" * 5000)) == ["x" * FIRST_SHOWN, "x" * MORE_SHOWN, "x" * (4100 - MORE_SHOWN)]
    assert list(pieces_of(" \n\t")) == []


def test_a_folder_without_a_crawl_is_one_sentence(tmp_path: Path) -> None:
    for command in ("label", "grow"):
        refused = run(command, str(tmp_path / "nowhere"))
        assert isinstance(refused.exception, CrawlError)
        assert "holds no crawl" in str(refused.exception)


def test_a_terminal_gives_single_keys_and_an_arrow_is_none_of_them() -> None:
    asker, answerer = pty.openpty()
    with os.fdopen(answerer, "r") as stream, Keys(stream) as keys:
        found = []
        for pressed in (b"Y", b"\x1b[B", b"n", "é".encode(), b" ", b"\x04"):
            thread = threading.Thread(target=os.write, args=(asker, pressed))
            thread.start()
            found.append(keys.next())
            thread.join()
    os.close(asker)
    assert found == ["y", "", "n", "é", "", "q"]
