"""Requests are rows: anybody asks, the crawl answers; and a crawl of an older version has none."""

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from handmade_crawl import Made, make_crawl

from honeyguide.errors import CrawlError
from honeyguide.opening import open_collection
from honeyguide.store.lessons import Lesson, read_lessons, write_lesson
from honeyguide.store.requests import Kind, Request, RequestBook, answer, problem, read_requests
from honeyguide.store.schema import MIGRATIONS, TABLES, VERSION, connect


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    return make_crawl(tmp_path / "crawl", [Made("https://a.example/", True)])


def test_a_request_is_read_back_as_it_was_asked(crawl: Path) -> None:
    with RequestBook(crawl, clock=lambda: 42.0) as book:
        number = book.ask(Kind.SEEDS, {"urls": ["https://b.example/ü"]}, "ada")
        assert book.ask("pause", {}, "bob") == number + 1
        assert book.read(number).kind is not None
    with open_collection(crawl) as collection:
        assert read_requests(collection.connection) == [
            Request(number, 42.0, "seeds", {"urls": ["https://b.example/ü"]}, "ada"),
            Request(number + 1, 42.0, "pause", {}, "bob"),
        ]
        assert [found.number for found in read_requests(collection.connection, after=number)] == [number + 1]
        assert [found.number for found in read_requests(collection.connection, limit=1)] == [number]


def test_an_answer_stays_with_its_request(crawl: Path) -> None:
    with RequestBook(crawl, clock=lambda: 42.0) as book:
        first, second = book.ask("pause", by="ada"), book.ask("stop", by="ada")
    database = connect(crawl / "crawl.db")
    answer(database, first, "The crawl is paused.", at=43.0, figures={"moved": 3})
    assert [found.number for found in read_requests(database, pending=True)] == [second]
    assert read_requests(database)[0] == Request(
        first, 42.0, "pause", {}, "ada", 43.0, "The crawl is paused.", False, {"moved": 3}
    )
    database.close()


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("explode", {}),
        ("pause", {"for": 3}),
        ("budget", {}),
        ("budget", {"pages": -1}),
        ("budget", {"pages": 1.5}),
        ("budget", {"pages": True}),
        ("budget", {"seconds": float("nan")}),
        ("budget", {"links": 3}),
        ("seeds", {"urls": []}),
        ("seeds", {"urls": "https://a.example/"}),
        ("seeds", {"urls": [1]}),
        ("seeds", {"urls": ["https://a.example/"] * 10_001}),
        ("block", {}),
        ("block", {"host": ""}),
        ("unblock", {"host": 3}),
        ("topic", {"revision": 0}),
        ("topic", {"revision": "2"}),
    ],
)
def test_what_makes_no_sense_is_not_written_and_a_sentence_says_why(
    crawl: Path, kind: str, arguments: dict[str, Any]
) -> None:
    with RequestBook(crawl) as book, pytest.raises(CrawlError, match=r"\.$"):
        book.ask(kind, arguments, "ada")
    with open_collection(crawl) as collection:
        assert read_requests(collection.connection) == []


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("pause", {}),
        ("resume", {}),
        ("stop", {}),
        ("budget", {"pages": 0, "seconds": 1.5, "bytes": 3, "relevant": 2}),
        ("seeds", {"urls": ["example.org"]}),
        ("block", {"host": "a.example"}),
        ("unblock", {"host": "a.example"}),
        ("topic", {"revision": 2}),
    ],
)
def test_every_kind_can_be_asked_for(kind: str, arguments: dict[str, Any]) -> None:
    assert problem(kind, arguments) == ""


def test_rows_that_others_wrote_badly_can_still_be_read(crawl: Path) -> None:
    database = connect(crawl / "crawl.db")
    for arguments in ("{", "[1]", "null"):
        database.execute(
            "INSERT INTO requests (at, kind, arguments, asked_by) VALUES (1, 'block', ?, 'x')", (arguments,)
        )
    assert [found.arguments for found in read_requests(database)] == [{}, {}, {}]
    database.close()


def test_a_folder_without_a_crawl_is_left_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match="holds no crawl"):
        RequestBook(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_lessons_are_read_back_the_oldest_first(crawl: Path) -> None:
    database = connect(crawl / "crawl.db")
    first, second = Lesson(1, 5.0, 3, 2, 0.31, 0.38, 4120), Lesson(2, 6.0, 4, 2, None, None, 0)
    write_lesson(database, first)
    write_lesson(database, second)
    assert read_lessons(database) == [first, second]
    assert read_lessons(database, limit=1) == [second]
    database.close()


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_database_has_no_requests_until_somebody_writes_to_it(tmp_path: Path, version: int) -> None:
    file = tmp_path / "crawl.db"
    with sqlite3.connect(file) as old:
        script = "".join((TABLES, *(MIGRATIONS[step] for step in range(1, version))))
        old.executescript(f"{script} PRAGMA user_version = {version};")
        old.execute("INSERT INTO hosts (name, domain) VALUES ('a.example', 'a.example')")
    old.close()
    reader = connect(file, readonly=True)
    assert read_requests(reader) == []
    assert read_lessons(reader) == []
    reader.close()
    with RequestBook(tmp_path) as book:
        assert book.ask("pause", {}, "ada") == 1
    new = connect(file, readonly=True)
    assert new.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert new.execute("SELECT name FROM hosts").fetchall() == [("a.example",)]
    assert [found.kind for found in read_requests(new)] == ["pause"]
    new.close()


def test_several_who_open_an_older_database_at_once_migrate_it_once(tmp_path: Path) -> None:
    file = tmp_path / "crawl.db"
    with sqlite3.connect(file) as old:
        old.execute("PRAGMA journal_mode = WAL")
        old.executescript(TABLES + "PRAGMA user_version = 1;")
    old.close()
    errors: list[BaseException] = []
    together = threading.Barrier(4)

    def open_it() -> None:
        together.wait()
        try:
            connect(file).close()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
