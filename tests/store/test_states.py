"""What roles have learned, kept in a crawl's database however much it is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honeyguide.store import sqlite as module
from honeyguide.store.schema import connect
from honeyguide.store.sqlite import SqliteStore, read_state
from honeyguide.store.warc import Archive


def store(folder: Path) -> SqliteStore:
    return SqliteStore(connect(folder / "crawl.db"), Archive(folder), lambda url: None)


def state(size: int) -> dict[str, Any]:
    return {"name": "honey", "deep": {"numbers": np.arange(size), "none": np.zeros(0)}}


def test_what_does_not_fit_into_a_row_goes_on_in_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PART", 1000)
    one = store(tmp_path)
    one.save_state("strategy", state(2000))
    one.save_state("strategy 2 go", state(3))
    one.save_state("traps", state(5))
    number, found = one.load_state("strategy") or (-1, {})
    assert number == 0
    assert found["name"] == "honey"
    assert np.array_equal(found["deep"]["numbers"], np.arange(2000))
    longest = "SELECT MAX(LENGTH(state)) FROM states"
    assert one.connection.execute(longest).fetchone() == (1000,)
    one.commit()
    one.close()
    again = connect(tmp_path / "crawl.db", readonly=True)
    assert len((read_state(again, "strategy") or (0, {}))[1]["deep"]["numbers"]) == 2000
    assert len((read_state(again, "traps") or (0, {}))[1]["deep"]["numbers"]) == 5


def test_of_what_was_larger_before_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PART", 1000)
    one = store(tmp_path)
    one.save_state("strategy", state(2000))
    one.save_state("strategy", {"name": "wax"})
    assert one.load_state("strategy") == (0, {"name": "wax"})
    assert one.connection.execute("SELECT COUNT(*) FROM states").fetchone() == (1,)
    assert one.load_state("judge") is None
