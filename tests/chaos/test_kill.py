"""Killed without warning, again and again, a crawl loses nothing and repeats only what was in flight."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from honeyguide.assemble import create
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.model import Topic
from honeyguide.store.requests import RequestBook, read_requests

KILLS = 20
IN_FLIGHT_SECONDS = 4.0
"""How long before a kill a request that had to be repeated may have begun: the slow pages of the web take this long."""


def test_twenty_kills_lose_nothing(tmp_path: Path) -> None:
    chance = random.Random(5)
    folder = tmp_path / "crawl"
    with serving(log=tmp_path / "requests.jsonl") as web:
        start_crawl_folder(web, folder)
        kills: list[float] = []
        while len(kills) < KILLS:
            process = resume(folder)
            try:
                with RequestBook(folder) as book:
                    book.ask("block", {"host": f"h{len(kills)}.example"}, "ada")
                process.wait(chance.uniform(0.5, 1.4))
                pytest.fail(
                    f"the crawl ended after {len(kills)} kills, before it could be killed {KILLS} times"
                )
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                kills.append(time.time())
                process.wait()
        last = resume(folder)
        assert last.wait(120) == 0
        requests = web.requests()

    with sqlite3.connect(folder / "crawl.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        visits = database.execute(
            "SELECT u.url, v.final, v.error, v.warc, v.warc_offset, v.duplicate_of FROM visits v "
            "JOIN urls u ON u.id = v.url ORDER BY v.id"
        ).fetchall()
    assert max(Counter(url for url, *_ in visits).values()) == 1

    fetched = Counter(final for _, final, error, *_ in visits if error is None)
    wanted = {entry.url for entry in web.manifest if entry.fetchable}
    assert wanted - set(fetched) == set()
    assert {url: n for url, n in fetched.items() if n > 1} == {}

    archived = list(archived_records(folder))
    kept = [(warc, offset) for _, _, _, warc, offset, _ in visits if warc]
    assert len(kept) == len(set(kept))
    assert set(kept) <= {place for place, _, _ in archived}
    assert {url for _, kind, url in archived if kind == "response"} >= set(fetched) - noindex_pages(folder)

    check_repeats(requests, kills)
    check_steering(folder)


def start_crawl_folder(web: ServedWeb, folder: Path) -> None:
    create(
        folder,
        Topic("dengue fever", seeds=web.seeds),
        {
            "strategy": {"use": "breadth-first"},
            "judge": {
                "use": "cosine"
            },  # ready at once, so that every run gets something done before it is killed
            "budget": {"pages": 0},
            "crawl": {"sitemaps": True},
            "dns": {"hosts": web.hosts, "allow_private": list(web.hosts)},
            "politeness": {"delay": 0.1, "first_back_off": 0.2},
            "robots": {"retry_after": 1.0},
            "fetch": {"timeout": 10.0, "connect_timeout": 2.0},
        },
    )


def resume(folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "honeyguide", "resume", str(folder), "--json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def check_steering(folder: Path) -> None:
    """Every request was carried out once: had one been done and not answered, its host were blocked already."""
    with sqlite3.connect(folder / "crawl.db") as database:
        asked = read_requests(database)
        blocked = {
            name for (name,) in database.execute("SELECT name FROM hosts WHERE parked LIKE 'blocked:%'")
        }
    database.close()
    assert blocked == {f"h{number}.example" for number in range(KILLS)}
    assert [request.answer for request in asked] == [
        f"h{number}.example is blocked; 0 links that wait there stay where they are."
        for number in range(KILLS)
    ]


def archived_records(folder: Path) -> "list[tuple[tuple[str, int], str, str]]":
    found = []
    for file in sorted(folder.glob("pages-*.warc.gz")):
        with file.open("rb") as stream:
            records = ArchiveIterator(stream, check_digests="raise")
            for record in records:
                url = record.rec_headers.get_header("WARC-Target-URI") or ""
                record.raw_stream.read()
                found.append(((file.name, records.get_record_offset()), record.rec_type, url))
    return found


def noindex_pages(folder: Path) -> set[str]:
    with sqlite3.connect(folder / "crawl.db") as database:
        return {url for (url,) in database.execute("SELECT final FROM visits WHERE noindex")}


def check_repeats(requests: "list[dict[str, object]]", kills: list[float]) -> None:
    """A URL was asked for again only after an answer that asks for it, or when a kill caught it in flight."""
    times: dict[tuple[str, str], list[tuple[float, int]]] = defaultdict(list)
    for request in requests:
        if request["target"] != "/robots.txt":
            key = (str(request["host"]), str(request["target"]))
            times[key].append((float(str(request["began"])), int(str(request["status"]))))
    repeats = 0
    for key, asked in times.items():
        for began, status in asked[:-1]:
            if status >= 400 or status == 0:
                continue
            assert any(0 <= kill - began < IN_FLIGHT_SECONDS for kill in kills), (key, asked)
            repeats += 1
    assert repeats <= KILLS * 16
