"""Crawls to look at, and the application over them: in the process, with clients signed in, or as it is run."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

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


@dataclass(frozen=True)
class Served:
    """A running `honeyguide serve`: its link with the token, its origin, and the folder it shows."""

    link: str
    folder: Path
    process: "subprocess.Popen[str]" = field(repr=False)

    @property
    def origin(self) -> str:
        parts = urlsplit(self.link)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def token(self) -> str:
        return self.link.partition("token=")[2]


@contextmanager
def serve(folder: Path, *options: str, environment: Mapping[str, str] | None = None) -> Iterator[Served]:
    """Run `honeyguide serve` over a folder until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "honeyguide", "serve", str(folder), "--no-open", *options],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | (environment or {}),
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"honeyguide serve printed no link: {line!r}"
        yield Served(found[0], folder, process)
    finally:
        process.terminate()
        process.wait(timeout=20)
