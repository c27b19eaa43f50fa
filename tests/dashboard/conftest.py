"""Small crawls of the demo web, made once, and the application over them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

sys.path.insert(0, str(Path(__file__).parent))

from serving_crawls import client_of, copied, make_crawls


@pytest.fixture(scope="session")
def finished_crawls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two finished crawls, dengue and dengue-breadth; nobody may change them."""
    return make_crawls(tmp_path_factory.mktemp("crawls"))


@pytest.fixture
def crawls_folder(finished_crawls: Path, tmp_path: Path) -> Path:
    """A copy of the finished crawls that a test may change."""
    return copied(finished_crawls, tmp_path / "crawls")


@pytest.fixture
def client(finished_crawls: Path) -> Iterator[TestClient]:
    """A signed-in client of the application over the finished crawls, to look only."""
    with client_of(finished_crawls) as client:
        yield client


@pytest.fixture
def own_client(crawls_folder: Path) -> Iterator[TestClient]:
    """A signed-in client of the application over crawls of its own, which a test may change."""
    with client_of(crawls_folder) as client:
        yield client
