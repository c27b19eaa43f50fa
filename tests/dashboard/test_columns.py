"""The columns agree with the database, grow with it, and outlive the process that read them."""

import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from demo_crawl import crawl_demo

from honeyguide.dashboard import columns as columns_module
from honeyguide.dashboard.cache import FOLDER
from honeyguide.dashboard.choosing import Choice, choose, ordered
from honeyguide.dashboard.columns import Columns, ColumnShelf, host_names
from honeyguide.dashboard.visit_columns import TYPES
from honeyguide.demo.server import serving
from honeyguide.display import Quiet
from honeyguide.running import run_crawl
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect
from honeyguide.store.status import read_status

SEED = 7


def make_visits(folder: Path, count: int, *, first: int = 1, urls: int = 200, at: float = 1e9) -> None:
    """Append made-up visits; URLs are visited again, found unchanged, failed and duplicate."""
    folder.mkdir(exist_ok=True)
    random = np.random.default_rng(SEED + first)
    connection = connect(folder / DATABASE)
    with connection:
        connection.execute("BEGIN")
        if first == 1:
            connection.executemany(
                "INSERT INTO hosts (id, name, domain) VALUES (?, ?, ?)",
                [(n, f"{'zyxwvutsrq'[n % 10]}{n}.example", "example") for n in range(1, 21)],
            )
            connection.executemany(
                "INSERT INTO urls (id, hash, url, host, state, score, depth) VALUES (?, ?, ?, ?, 'visited', 0.5, ?)",
                [(n, n * 1_000_003, f"https://h.example/{n}", n % 20 + 1, n % 9) for n in range(1, urls + 1)],
            )
        for number in range(first, first + count):
            error = random.random() < 0.2
            kind = str(random.choice(["timeout", "status", "dns"]))
            unchanged = not error and random.random() < 0.1
            score = None if error or unchanged else float(random.random())
            connection.execute(
                "INSERT INTO visits (id, url, at, status, error, title, language, content_type, length, wire, "
                "relevance, margin, relevant, queue_score, duplicate_of, unchanged, warc) "
                "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (
                    number,
                    int(random.integers(1, urls + 1)),
                    at + number,
                    (404 if kind == "status" else 0) if error else 304 if unchanged else 200,
                    kind if error else None,
                    f"title {number}",
                    "" if error else str(random.choice(["en", "de", ""])),
                    "" if error else str(random.choice(["text/html", "application/pdf"])),
                    int(random.integers(0, 1000)),
                    int(random.integers(0, 1000)),
                    score,
                    None if score is None else score - 0.5,
                    int(score is not None and score > 0.5),
                    float(random.random()),
                    "https://h.example/1" if not error and random.random() < 0.1 else "",
                    unchanged,
                    "" if error else "pages-00001.warc.gz",
                ),
            )
    connection.close()


class Clock:
    """Goes on by a second whenever it is asked, so that every call looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture
def shelf() -> ColumnShelf:
    return ColumnShelf(clock=Clock())


def read_all(shelf: ColumnShelf, folder: Path) -> Columns:
    """The columns, once they are read."""
    reader = shelf._reader(folder)
    columns = shelf.columns(folder)
    while thread := reader._thread:
        thread.join()
    return shelf.columns(folder) if not columns.complete else columns


def test_the_sums_are_those_of_status_with_pages_seen_again_counted_once(
    tmp_path: Path, shelf: ColumnShelf
) -> None:
    make_visits(tmp_path, 700)
    columns = read_all(shelf, tmp_path)
    status = read_status(connect(tmp_path / DATABASE, readonly=True), tmp_path)
    sums = columns.sums
    assert (sums.visits, sums.pages, sums.relevant) == (status.visits, status.pages, status.relevant)
    assert (sums.duplicates, sums.bytes) == (status.duplicates, status.bytes)
    assert tuple(columns.errors) == status.errors
    assert sums.pages < sums.visits  # URLs were visited again, so this compares something


def test_the_sums_of_a_real_crawl_are_those_of_status_before_and_after_a_refresh(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    shelf = ColumnShelf(clock=Clock())

    def agree() -> int:
        columns = read_all(shelf, folder)
        status = read_status(connect(folder / DATABASE, readonly=True), folder)
        sums = columns.sums
        assert (sums.visits, sums.pages, sums.relevant) == (status.visits, status.pages, status.relevant)
        assert (sums.duplicates, sums.bytes) == (status.duplicates, status.bytes)
        assert tuple(columns.errors) == status.errors
        hosts = {host.host: host.relevant for host in columns.best_hosts(1000)}
        named = host_names(connect(folder / DATABASE, readonly=True), hosts)
        assert {named[number] for number, relevant in hosts.items() if relevant} >= {
            row.name for row in status.hosts if row.relevant
        }
        return status.visits

    with serving() as web:
        crawl_demo(web, folder, pages=40)
        before = agree()
        run_crawl(folder, Quiet(), refresh=True)
    assert agree() > before
    shelf.close()


def test_columns_that_grew_are_those_read_at_once(tmp_path: Path, shelf: ColumnShelf) -> None:
    make_visits(tmp_path, 300)
    before = read_all(shelf, tmp_path)
    standing = before.standing.copy()
    make_visits(tmp_path, 300, first=301)
    grown = read_all(shelf, tmp_path)
    fresh = read_all(ColumnShelf(), tmp_path)
    for name in TYPES:
        array = getattr(fresh, name)
        assert np.array_equal(array, getattr(grown, name), equal_nan=array.dtype.kind == "f"), name
    assert before.read == 300
    assert np.array_equal(before.standing, standing)  # what was given out does not change


def test_many_visits_are_read_behind_the_scenes(
    tmp_path: Path, shelf: ColumnShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns_module, "ON_THE_SPOT", 50)
    monkeypatch.setattr(columns_module, "BATCH", 70)
    make_visits(tmp_path, 400)
    assert shelf.columns(tmp_path).total == 400
    assert read_all(shelf, tmp_path).sums == read_all(ColumnShelf(), tmp_path).sums


def test_what_was_read_is_there_when_the_application_starts_again(tmp_path: Path) -> None:
    make_visits(tmp_path, 1500)
    first = ColumnShelf()
    columns = read_all(first, tmp_path)
    first.close()
    assert list((tmp_path / FOLDER).glob("*/visits.columns"))
    second = ColumnShelf()
    reader = second._reader(tmp_path)
    again = second.columns(tmp_path)
    assert reader._saved == 1500  # nothing was read from the database
    assert again.sums == columns.sums
    assert again.names == columns.names


def test_a_database_that_was_replaced_is_not_taken_for_the_old_one(
    tmp_path: Path, shelf: ColumnShelf
) -> None:
    make_visits(tmp_path, 1500)
    read_all(shelf, tmp_path)
    shelf.close()
    for file in tmp_path.glob(f"{DATABASE}*"):
        file.unlink()
    make_visits(tmp_path, 1500, at=2e9)
    assert read_all(ColumnShelf(), tmp_path).at[0] > 1.9e9
    assert len([place for place in (tmp_path / FOLDER).iterdir() if place.is_dir()]) == 1


def test_visits_that_a_power_cut_took_back_are_read_anew(tmp_path: Path, shelf: ColumnShelf) -> None:
    make_visits(tmp_path, 300)
    read_all(shelf, tmp_path)
    connection = connect(tmp_path / DATABASE)
    connection.execute("DELETE FROM visits WHERE id > 200")
    connection.close()
    make_visits(tmp_path, 100, first=201, at=5e8)
    assert read_all(shelf, tmp_path).at[-1] < 6e8


@pytest.mark.parametrize("spoil", ["cut", "overwrite"])
def test_a_damaged_cache_is_read_anew(tmp_path: Path, spoil: str) -> None:
    make_visits(tmp_path, 1500)
    shelf = ColumnShelf()
    sums = read_all(shelf, tmp_path).sums
    shelf.close()
    (file,) = (tmp_path / FOLDER).glob("*/visits.columns")
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2] if spoil == "cut" else b"not columns" * 100)
    assert read_all(ColumnShelf(), tmp_path).sums == sums


def test_a_crawl_that_nobody_may_write_to_can_be_read(tmp_path: Path, shelf: ColumnShelf) -> None:
    make_visits(tmp_path, 300)
    (tmp_path / FOLDER).write_text("in the way of the folder")
    assert read_all(shelf, tmp_path).read == 300
    shelf.close()
    assert (tmp_path / FOLDER).is_file()


def test_two_processes_may_read_the_same_crawl(tmp_path: Path) -> None:
    make_visits(tmp_path, 1200)
    one, other = ColumnShelf(), ColumnShelf()
    assert read_all(one, tmp_path).sums == read_all(other, tmp_path).sums
    one.close()
    other.close()


def test_a_crawl_without_visits_has_no_columns_and_no_cache(tmp_path: Path, shelf: ColumnShelf) -> None:
    connect(tmp_path / DATABASE).close()
    columns = shelf.columns(tmp_path)
    assert (columns.read, columns.total, columns.complete) == (0, 0, True)
    assert columns.sums.pages == 0
    assert columns.best_hosts(5) == []
    assert len(columns.curve().pages) == 0
    assert not (tmp_path / FOLDER).exists()


def rows_by_sql(folder: Path, condition: str) -> set[int]:
    standing = "id IN (SELECT MAX(id) FROM visits WHERE unchanged = 0 GROUP BY url)"
    connection = connect(folder / DATABASE, readonly=True)
    return {row[0] for row in connection.execute(f"SELECT id FROM visits WHERE {standing} AND {condition}")}


@pytest.mark.parametrize(
    ("choice", "condition"),
    [
        (Choice(), "1"),
        (Choice(language="de"), "language = 'de'"),
        (Choice(language="none"), "language = ''"),
        (Choice(type="application/pdf", relevant=True), "content_type = 'application/pdf' AND relevant"),
        (Choice(error="any"), "error IS NOT NULL"),
        (Choice(error="none"), "error IS NULL"),
        (Choice(error="dns"), "error = 'dns'"),
        (Choice(relevant=False), "NOT relevant"),
        (Choice(min_relevance=0.25, max_relevance=0.75), "relevance BETWEEN 0.25 AND 0.75"),
        (Choice(since=1e9 + 100, until=1e9 + 300), "id BETWEEN 100 AND 300"),
        (Choice(host=3), "url IN (SELECT id FROM urls WHERE host = 3)"),
        (Choice(language="nobody's"), "0"),
    ],
)
def test_a_choice_is_what_the_database_would_choose(tmp_path: Path, choice: Choice, condition: str) -> None:
    make_visits(tmp_path, 600)
    columns = read_all(ColumnShelf(), tmp_path)
    assert set(columns.visit[choose(columns, choice)].tolist()) == rows_by_sql(tmp_path, condition)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("sort", ["relevance", "queue_score", "length", "status", "depth", "margin"])
def test_an_order_is_that_of_the_database_with_what_has_no_value_last(
    tmp_path: Path, sort: str, descending: bool
) -> None:
    make_visits(tmp_path, 500)
    columns = read_all(ColumnShelf(), tmp_path)
    rows = ordered(columns, choose(columns, Choice(every=True)), sort, descending=descending)  # type: ignore[arg-type]
    values = getattr(columns, sort)[rows].astype(float)
    known = values[~np.isnan(values)]
    assert len(rows) == 500
    assert np.isnan(values[len(known) :]).all()
    assert (np.diff(known) <= 0).all() if descending else (np.diff(known) >= 0).all()
    equal = np.flatnonzero(np.diff(known) == 0)
    steps = np.diff(columns.visit[rows].astype(int))[equal]
    assert (steps < 0).all() if descending else (steps > 0).all()


def test_hosts_are_sorted_by_name_when_their_ranks_are_given(tmp_path: Path) -> None:
    make_visits(tmp_path, 300)
    columns = read_all(ColumnShelf(), tmp_path)
    connection = connect(tmp_path / DATABASE, readonly=True)
    ranks = np.zeros(21, np.int64)
    for rank, (host,) in enumerate(connection.execute("SELECT id FROM hosts ORDER BY name")):
        ranks[host] = rank
    rows = ordered(columns, choose(columns, Choice()), "host", descending=False, ranks=ranks)
    names = host_names(connection, range(21))
    said = [names[host] for host in columns.host[rows].tolist()]
    assert said == sorted(said)
    assert len(set(said)) == 20


def test_the_curve_ends_at_the_harvest_rate_and_the_best_hosts_have_most_on_topic(tmp_path: Path) -> None:
    make_visits(tmp_path, 800)
    columns = read_all(ColumnShelf(), tmp_path)
    curve = columns.curve(points=50, window=100)
    pages = columns.sums.pages
    assert curve.pages[-1] == pages
    assert curve.overall[-1] == pytest.approx(columns.sums.relevant / pages)
    assert ((curve.recent >= 0) & (curve.recent <= 1)).all()
    best = columns.best_hosts(5)
    assert [host.relevant for host in best] == sorted((host.relevant for host in best), reverse=True)
    assert sum(host.pages for host in columns.best_hosts(100)) == pages


def test_a_crawl_that_is_gone_is_said_to_be(tmp_path: Path, shelf: ColumnShelf) -> None:
    make_visits(tmp_path / "crawl", 10)
    shelf.columns(tmp_path / "crawl")
    shutil.rmtree(tmp_path / "crawl")
    with pytest.raises((sqlite3.Error, Exception), match="holds no crawl"):
        shelf.columns(tmp_path / "crawl")
