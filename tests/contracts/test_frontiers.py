import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from frontier_contract import FrontierContract

from honeyguide.frontier.memory import MemoryFrontier
from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.store.schema import connect


class TestMemoryFrontier(FrontierContract):
    @pytest.fixture
    def make(self) -> Callable[..., Any]:
        return MemoryFrontier


class TestSqliteFrontier(FrontierContract):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Iterator[Callable[..., Any]]:
        opened: list[sqlite3.Connection] = []

        def make(**options: Any) -> SqliteFrontier:
            connection = connect(tmp_path / f"{len(opened)}.db")
            connection.execute("BEGIN")
            opened.append(connection)
            return SqliteFrontier(connection, **options)

        yield make
        for connection in opened:
            connection.close()
