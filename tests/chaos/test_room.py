"""Too little disk or memory: the crawl waits or stops with a sentence, and loses nothing."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_crawl import demo_settings
from warcio.archiveiterator import ArchiveIterator

from honeyguide.assemble import create
from honeyguide.demo.server import serving
from honeyguide.model import Topic
from honeyguide.resources import MEGABYTE, Room


class Tank:
    """Something that can be filled and emptied."""

    def __init__(self, free_mb: int) -> None:
        self.free = free_mb * MEGABYTE

    def __call__(self, folder: Path) -> int:
        return self.free


def test_a_shortage_is_said_in_a_sentence_and_passes(tmp_path: Path) -> None:
    disk, memory, now = Tank(500), Tank(500), [0.0]
    room = Room(tmp_path, disk=disk, memory=memory, clock=lambda: now[0])
    assert room.shortage() == ""
    disk.free = 10 * MEGABYTE
    assert room.shortage() == ""  # looked at a moment ago
    now[0] = 1.0
    assert room.shortage().startswith("Only 10 MB of disk space left (200 MB wanted)")
    disk.free, now[0] = 500 * MEGABYTE, 2.0
    assert room.shortage() == ""
    memory.free, now[0] = 1, 3.0
    assert "memory" in room.shortage()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    if os.geteuid() != 0 or mount is None:
        pytest.skip("a small disk can only be mounted by root")
    made = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("this machine does not let a small disk be mounted")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def resume(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "honeyguide", "resume", str(folder), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_full_disk_stops_the_crawl_with_a_sentence_and_it_resumes(small_disk: Path, tmp_path: Path) -> None:
    folder = small_disk / "crawl"
    with serving() as web:
        settings = demo_settings(web, strategy="breadth-first", pages=300, delay=0.01)
        create(folder, Topic("dengue fever", seeds=web.seeds), settings | {"room": {"min_disk_mb": 0}})
        ballast = small_disk / "ballast"
        ballast.write_bytes(b"x" * 600_000)
        full = resume(folder)
        assert full.returncode == 2, full.stderr
        assert "is full; the crawl is saved up to its last page" in full.stderr
        assert "Traceback" not in full.stderr
        saved = visits(folder)
        assert 0 < saved < 300

        moved = tmp_path / "moved"
        ballast.unlink()
        shutil.copytree(folder, moved)
        again = resume(moved, "--pages", str(saved + 40))
        assert again.returncode == 0, again.stderr
    assert visits(moved) > saved
    with sqlite3.connect(moved / "crawl.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for file in moved.glob("pages-*.warc.gz"):
        with file.open("rb") as stream:
            assert sum(record.rec_type == "response" for record in ArchiveIterator(stream)) >= saved * 0.8


def visits(folder: Path) -> int:
    with sqlite3.connect(folder / "crawl.db") as database:
        return int(database.execute("SELECT COUNT(*) FROM visits").fetchone()[0])


def test_a_crawl_waits_for_room_and_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with serving() as web:
        settings = demo_settings(web, strategy="breadth-first", pages=20, delay=0.01)
        create(folder, Topic("dengue fever", seeds=web.seeds), settings | {"room": {"min_disk_mb": 10**9}})
        process = subprocess.Popen(
            [sys.executable, "-m", "honeyguide", "resume", str(folder)], stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        assert "of disk space left" in process.stderr.readline()
        process.terminate()
        assert process.wait(20) == 0
        assert visits(folder) == 0
