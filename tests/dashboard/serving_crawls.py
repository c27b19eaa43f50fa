"""Crawls to look at, and clients that are signed in to the application over them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demo_crawl import crawl_demo
from starlette.testclient import TestClient

from honeyguide.dashboard.access import Access
from honeyguide.dashboard.app import create_app
from honeyguide.demo.server import serving

TOKEN = "a-token-of-the-tests"
HERE = "http://127.0.0.1:8000"


def make_crawls(root: Path) -> Path:
    """A folder of two small crawls of the demo web: dengue, and dengue-breadth by another strategy."""
    with serving() as web:
        crawl_demo(web, root / "dengue", pages=120)
        crawl_demo(web, root / "dengue-breadth", pages=60, strategy="breadth-first")
    return root


def copied(root: Path, target: Path) -> Path:
    """The same crawls for a test that changes them; databases are closed, so copying files is enough."""
    shutil.copytree(root, target, dirs_exist_ok=True)
    return target


@contextmanager
def client_of(root: Path, **access: object) -> Iterator[TestClient]:
    """A client of the application over a folder, signed in by the token."""
    app = create_app(root, access=Access(token=TOKEN, **access))  # type: ignore[arg-type]
    headers = {"authorization": f"Bearer {TOKEN}", "x-honeyguide": "1"}
    with TestClient(app, base_url=HERE, headers=headers, follow_redirects=False) as client:
        yield client
