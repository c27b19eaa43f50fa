"""A strategy that is taken up again after a kill stands where it stood."""

import sqlite3
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from honeyguide.assemble import _take_up_strategy
from honeyguide.model import Topic, Visit
from honeyguide.naming import STRATEGIES, make_strategy
from honeyguide.roles import Strategy
from honeyguide.testing import example_visits

TOPIC = Topic("dengue fever", keywords=("mosquito",))


class Saved:
    """What a crawl had saved of a strategy, and after which visit."""

    def __init__(self, number: int = 0, state: dict[str, Any] | None = None) -> None:
        self.number = number
        self.state = state

    def load_state(self, role: str) -> tuple[int, dict[str, Any]] | None:
        return None if self.state is None else (self.number, self.state)


class Log:
    def after(self, number: int) -> Iterator[Visit]:
        return iter(example_visits()[number:])


def made(use: str) -> Strategy:
    table = {"use": use, "warm_up": 2} if use in ("hmm", "context-graph") else {"use": use}
    return make_strategy(table).fit(TOPIC, None)


def seen(use: str, visits: tuple[Visit, ...]) -> Strategy:
    strategy = made(use)
    for visit in visits:
        deque(strategy.expand(visit), maxlen=0)
        deque(strategy.changes(), maxlen=0)
    return strategy


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@pytest.fixture
def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE urls (memo TEXT)")
    connection.execute("INSERT INTO urls VALUES ('{}')")
    return connection


@pytest.mark.parametrize("number", [0, 3])
@pytest.mark.parametrize("use", STRATEGIES)
def test_replayed_it_has_learned_the_same(use: str, number: int, database: sqlite3.Connection) -> None:
    whole = seen(use, example_visits())
    before = {"use": {"use": use}, "learned": seen(use, example_visits()[:number]).state()}
    again = made(use)
    _take_up_strategy(again, {"use": use}, Saved(number, before), Log(), database, print)  # type: ignore[arg-type]
    assert same(again.state(), whole.state())


def test_another_strategy_starts_from_the_first_visit_without_the_notes_of_the_former(
    database: sqlite3.Connection,
) -> None:
    saved = Saved(5, {"use": {"use": "pagerank"}, "learned": seen("pagerank", example_visits()).state()})
    other = made("distiller")
    _take_up_strategy(other, {"use": "distiller"}, saved, Log(), database, print)  # type: ignore[arg-type]
    assert same(other.state(), seen("distiller", example_visits()).state())
    assert database.execute("SELECT memo FROM urls").fetchone() == (None,)


def test_what_another_version_saved_is_learned_again_and_that_is_told(database: sqlite3.Connection) -> None:
    learned = {**seen("guide", example_visits()[:3]).state(), "version": 1}
    again, told = made("guide"), list[str]()
    saved = Saved(3, {"use": {"use": "guide"}, "learned": learned})
    _take_up_strategy(again, {"use": "guide"}, saved, Log(), database, told.append)  # type: ignore[arg-type]
    assert same(again.state(), seen("guide", example_visits()).state())
    (sentence,) = told
    assert "saved by another version of Honeyguide. It goes through the whole crawl again." in sentence
