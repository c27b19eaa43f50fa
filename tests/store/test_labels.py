"""Labels are rows: whoever labels writes them, the crawl reads them, and most of those who are sure decide."""

import json
import sqlite3
import threading
from pathlib import Path

import numpy as np
import pytest
from handmade_crawl import Made, make_crawl

from honeyguide.errors import CrawlError
from honeyguide.opening import open_collection
from honeyguide.store.labels import Label, LabelBook, decisions, opinions, read_labels
from honeyguide.store.pages import Pick, at_visits, latest, pick, surest
from honeyguide.store.schema import MIGRATIONS, TABLES, VERSION, connect
from honeyguide.store.sqlite import pack, unpack


def made(n: int, *, hosts: int = 1) -> list[Made]:
    return [
        Made(f"https://site{i % hosts}.example/{i}", i % 2 == 0, f"Page {i}", f"Text {i}.", fingerprint=i + 1)
        for i in range(n)
    ]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    return make_crawl(tmp_path / "crawl", made(6))


def label(url: str, relevant: bool | None, annotator: str, visit: int = 1) -> Label:
    return Label(url, visit, relevant, annotator, 0.0)


def test_a_label_is_read_back_as_it_was_written(crawl: Path) -> None:
    with LabelBook(crawl, clock=lambda: 42.0) as book:
        book.write("https://site0.example/0", 1, True, "ada")
        book.write("https://site0.example/1", 2, None, "ada")
    with open_collection(crawl) as collection:
        assert read_labels(collection.connection) == [
            Label("https://site0.example/0", 1, True, "ada", 42.0),
            Label("https://site0.example/1", 2, None, "ada", 42.0),
        ]


def test_a_label_taken_back_is_gone(crawl: Path) -> None:
    with LabelBook(crawl) as book:
        book.withdraw(book.write("https://site0.example/0", 1, True, "ada"))
    with open_collection(crawl) as collection:
        assert read_labels(collection.connection) == []


def test_a_page_that_the_crawl_has_not_seen_cannot_be_labelled(crawl: Path) -> None:
    with LabelBook(crawl) as book, pytest.raises(CrawlError, match="has not seen"):
        book.write("https://elsewhere.example/", 1, True, "ada")


def test_what_an_annotator_says_last_counts_and_the_majority_of_the_sure_decides() -> None:
    labels = [
        label("a", False, "ada"),
        label("a", True, "ada", visit=7),
        label("b", True, "ada"),
        label("b", None, "bob"),
        label("b", None, "cyd"),
        label("c", True, "ada"),
        label("c", False, "bob"),
        label("d", True, "ada"),
        label("d", False, "bob"),
        label("d", False, "cyd", visit=9),
        label("e", None, "ada"),
    ]
    decided = decisions(labels)
    assert {url: found.relevant for url, found in decided.items()} == {"a": True, "b": True, "d": False}
    assert (decided["a"].visit, decided["d"].visit) == (7, 9)
    assert opinions(labels)["bob"] == {"b": None, "c": False, "d": False}


def test_labelling_waits_for_a_crawl_that_is_writing(crawl: Path) -> None:
    writer = connect(crawl / "crawl.db")
    writer.execute("BEGIN IMMEDIATE")
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            writer.execute("COMMIT")

    with LabelBook(crawl, sleep=sleep) as book:
        book.write("https://site0.example/0", 1, True, "ada")
    assert len(waits) == 3
    writer.execute("BEGIN IMMEDIATE")
    with (
        LabelBook(crawl, sleep=lambda seconds: None, patience=0.01) as book,
        pytest.raises(CrawlError, match="try again"),
    ):
        book.write("https://site0.example/1", 2, True, "ada")
    writer.close()


def test_a_label_finds_its_moment_in_a_crawl_that_never_stops_writing(crawl: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        writer = connect(crawl / "crawl.db")
        while not stop.is_set():
            writer.execute("BEGIN IMMEDIATE")
            stop.wait(0.02)
            writer.execute("COMMIT")
            stop.wait(0.0005)
        writer.close()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        with LabelBook(crawl) as book:
            book.write("https://site0.example/0", 1, True, "ada")
    finally:
        stop.set()
        thread.join()


def test_a_database_of_version_1_is_migrated_and_keeps_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "crawl.db"
    with sqlite3.connect(file) as old:
        old.executescript(TABLES + "PRAGMA user_version = 1;")
        old.execute("INSERT INTO hosts (name, domain) VALUES ('a.example', 'a.example')")
    old.close()
    reader = connect(file, readonly=True)
    assert read_labels(reader) == []
    reader.close()
    new = connect(file)
    assert new.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert new.execute("SELECT name FROM hosts").fetchall() == [("a.example",)]
    assert read_labels(new) == []
    fresh = connect(tmp_path / "fresh.db")
    for connection in (new, fresh):
        columns = [row[1] for row in connection.execute("PRAGMA table_info(labels)")]
        assert columns == ["id", "url", "visit", "relevant", "annotator", "at"]
        connection.close()
    assert sorted(MIGRATIONS) == list(range(1, VERSION))


def test_borderline_pages_are_the_least_sure_ones_of_many_hosts(tmp_path: Path) -> None:
    folder = make_crawl(tmp_path / "crawl", made(12, hosts=3))
    with connect(folder / "crawl.db") as database:
        # The six least sure pages are all of one host; the others follow.
        database.execute(
            "UPDATE visits SET margin = CASE WHEN id % 3 = 1 THEN id / 100.0 ELSE -id / 10.0 END"
        )
        database.execute("UPDATE visits SET label = 'language', margin = 0 WHERE id = 12")
        database.row_factory = None
        found = [row["id"] for row in pick(database, Pick.BORDERLINE, 4, annotator="ada")]
        assert found == [1, 2, 3, 4]
    database.close()


@pytest.mark.parametrize("how", list(Pick))
def test_nobody_is_shown_a_page_they_have_labelled(crawl: Path, how: Pick) -> None:
    with connect(crawl / "crawl.db") as database:
        every = pick(database, how, 10, annotator="ada")
        assert len(every) == (3 if how is Pick.RELEVANT else 6)
        with LabelBook(crawl) as book:
            book.write(every[0]["address_url"], every[0]["id"], None, "ada")
        left = pick(database, how, 10, annotator="ada")
        assert [row["id"] for row in left] == [row["id"] for row in every[1:]]
        assert len(pick(database, how, 10, annotator="bob")) == len(every)
    database.close()


def test_duplicates_and_pages_that_may_not_be_kept_are_never_picked(tmp_path: Path) -> None:
    pages = [
        Made("https://a.example/1", True, fingerprint=5),
        Made("https://a.example/2", True, fingerprint=5),
        Made("https://a.example/3", True, noindex=True),
    ]
    database = connect(make_crawl(tmp_path / "crawl", pages) / "crawl.db")
    for how in Pick:
        assert [row["id"] for row in pick(database, how, 10, annotator="ada")] == [1]
    assert [row["id"] for row in at_visits(database, [3, 2, 1])] == [1]
    database.close()


def test_the_surest_pages_come_from_each_host_in_turn(tmp_path: Path) -> None:
    database = connect(make_crawl(tmp_path / "crawl", made(12, hosts=2)) / "crawl.db")
    assert {row["host"] for row in surest(database, 4, relevant=False, beyond=0.2)} == {"site1.example"}
    assert surest(database, 4, relevant=True, beyond=0.95) == []
    database.execute("UPDATE visits SET relevant = 1, relevance = 1 - id / 100.0")
    assert [row["id"] for row in surest(database, 4, relevant=True, beyond=0.9)] == [1, 2, 3, 4]
    assert [row["id"] for row in surest(database, 4, relevant=True, beyond=0.0, latest=3)] == [10, 11, 12]
    assert [row["id"] for row in latest(database, 2)] == [11, 12]
    database.close()


def test_a_state_comes_back_with_arrays_wherever_they_stand() -> None:
    state = {
        "judge": "x@1",
        "file": np.arange(3),
        "inner": {"weights": np.ones((2, 2), np.float32), 'odd "/\0 name': np.array(["a", "ü"])},
        "parts": [{"a": np.zeros(0)}, 7, None],
        "terms": {"word": ["Word", 0.5]},
    }
    found = unpack(pack(state))
    assert found["judge"] == "x@1"
    assert found["file"].tolist() == [0, 1, 2]
    assert found["inner"]["weights"].dtype == np.float32
    assert found["inner"]['odd "/\0 name'].tolist() == ["a", "ü"]
    assert found["parts"][0]["a"].shape == (0,)
    assert (found["parts"][1:], found["terms"]) == ([7, None], {"word": ["Word", 0.5]})


def test_a_state_of_an_older_version_is_read() -> None:
    import io

    buffer = io.BytesIO()
    plain = np.frombuffer(json.dumps({"seen": 3}).encode(), np.uint8)
    np.savez(buffer, **{"": plain, "counts": np.arange(2)})
    assert unpack(buffer.getvalue())["counts"].tolist() == [0, 1]
