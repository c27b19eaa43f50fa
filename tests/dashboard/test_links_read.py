"""The links of a crawl as numbers: found from either end, grown with the crawl, never trusted blindly."""

from pathlib import Path

import numpy as np
import pytest

from honeyguide.dashboard import links as links_module
from honeyguide.dashboard.cache import FOLDER
from honeyguide.dashboard.columns import ColumnShelf
from honeyguide.dashboard.links import LinkReader, search
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect


def hash_of(number: int) -> int:
    return (number * 0x9E3779B97F4A7C15) % (1 << 64) - (1 << 63)


def make(folder: Path, first: int, last: int) -> None:
    """Append URLs and visits of these numbers; each links to its own number, its double and the first."""
    connection = connect(folder / DATABASE)
    with connection:
        connection.execute("BEGIN")
        connection.execute("INSERT OR IGNORE INTO hosts (id, name, domain) VALUES (1, 'h', 'h')")
        for number in range(first, last + 1):
            connection.execute(
                "INSERT INTO urls (id, hash, url, host, state, score, depth) VALUES (?, ?, ?, 1, 'visited', 0, 1)",
                (number, hash_of(number), f"https://h/{number}"),
            )
            connection.execute(
                "INSERT INTO visits (id, url, at, status, queue_score) VALUES (?, ?, ?, 200, 0)",
                (number, number, float(number)),
            )
            connection.executemany(
                "INSERT INTO links VALUES (?, ?, 'words', 'body', '')",
                [(number, hash_of(target)) for target in (number, 2 * number, 1)],
            )
    connection.close()


def read_all(shelf: ColumnShelf, folder: Path) -> LinkReader:
    links = shelf.links(folder)
    while thread := links._thread:
        thread.join()
    return shelf.links(folder)


def check(links: LinkReader, last: int) -> None:
    assert links.complete
    first, targets = links.out_of(7)
    assert first == 18
    assert targets.tolist() == [hash_of(7), hash_of(14), hash_of(1)]
    rows, visits, found = links.into([hash_of(14)], most=100)
    assert visits.tolist() == [7, 14]
    assert rows.tolist() == [19, 39]
    assert set(found.tolist()) == {hash_of(14)}
    assert len(links.into([hash_of(1)], most=5)[0]) == 5
    wanted = {hash_of(number): number for number in (1, 5, last)}
    assert links.url_numbers([*wanted, hash_of(10**6)]) == wanted


@pytest.mark.parametrize("batch", [10, 100_000])
def test_links_are_found_from_both_ends_however_they_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(links_module, "BATCH", batch)
    monkeypatch.setattr(links_module, "ON_THE_SPOT", batch)
    make(tmp_path, 1, 40)
    shelf = ColumnShelf()
    check(read_all(shelf, tmp_path), 40)
    make(tmp_path, 41, 60)
    check(read_all(shelf, tmp_path), 60)
    shelf.close()


def test_what_was_read_is_kept_and_checked(tmp_path: Path) -> None:
    make(tmp_path, 1, 40)
    shelf = ColumnShelf()
    read_all(shelf, tmp_path)
    shelf.close()
    (file,) = (tmp_path / FOLDER).glob("*/links.targets")
    assert file.stat().st_size == 8 * 120
    make(tmp_path, 41, 60)
    shelf = ColumnShelf()
    check(read_all(shelf, tmp_path), 60)
    shelf.close()


@pytest.mark.parametrize("name", ["links.targets", "links.visits", "urls.hashes"])
@pytest.mark.parametrize("damage", ["cut", "zeros", "gone"])
def test_damaged_files_are_read_anew(tmp_path: Path, name: str, damage: str) -> None:
    make(tmp_path, 1, 40)
    shelf = ColumnShelf()
    read_all(shelf, tmp_path)
    shelf.close()
    (file,) = (tmp_path / FOLDER).glob(f"*/{name}")
    data = file.read_bytes()
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes(data[: len(data) // 2 + 3] if damage == "cut" else data[:-40] + bytes(40))
    shelf = ColumnShelf()
    check(read_all(shelf, tmp_path), 40)
    shelf.close()


def test_a_crawl_that_nobody_may_write_to_has_links_too(tmp_path: Path) -> None:
    make(tmp_path, 1, 40)
    (tmp_path / FOLDER).write_text("in the way of the folder")
    shelf = ColumnShelf()
    check(read_all(shelf, tmp_path), 40)
    shelf.close()


def test_a_search_finds_what_a_scan_finds() -> None:
    random = np.random.default_rng(0)
    numbers = random.integers(-(1 << 62), 1 << 62, 10_000)
    wanted = [*numbers[::997].tolist(), 5, -5]
    places, found = search(numbers, wanted)
    assert places.tolist() == np.flatnonzero(np.isin(numbers, wanted)).tolist()
    assert found.tolist() == numbers[places].tolist()
    assert search(numbers, [])[0].tolist() == []
    assert search(numbers[:0], wanted)[0].tolist() == []
