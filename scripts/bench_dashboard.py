"""How long the web application's server takes for its screens over a crawl of a million visits.

The crawl is made up and written straight into the tables of a crawl: 30,000 hosts, the r-th with 1/r as many pages as
the first, twice as many URLs as visits, twelve links a page. "Cold" is the first look at a crawl that the application
has never seen, which reads the visits behind the scenes; "kept" the first look after it was started again; all else is
the usual case, each request made many times. Times are those of requests to the application within this process,
without a network.
"""

import argparse
import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from starlette.testclient import TestClient

from honeyguide.assemble import create
from honeyguide.dashboard.access import Access
from honeyguide.dashboard.app import create_app
from honeyguide.health import Health
from honeyguide.model import Response, Topic
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect
from honeyguide.store.warc import Archive, Place
from honeyguide.urls import url_hash

HOSTS = 30_000
LINKS = 12
RECORDS = 200
BATCH = 50_000
START = 1.78e9
NAME = "million"
WORDS = (
    "dengue",
    "fever",
    "mosquito",
    "virus",
    "season",
    "hospital",
    "city",
    "garden",
    "music",
    "river",
    "market",
)
ERRORS = ("timeout", "dns", "status", "robots", "connect")
LANGUAGES = ("en", "es", "de", "pt", "fr", "")
TABLES = {
    "newest first": "",
    "most relevant first": "sort=relevance",
    "by host": "sort=host&order=asc",
    "by score, on topic, English": "sort=queue_score&relevant=yes&language=en",
    "one host, by relevance": "host=site-3.example&sort=relevance",
    "failures": "error=any",
    "relevance from .4 to .6, by time": "min_relevance=0.4&max_relevance=0.6",
    "words in the title": "text=dengue+river",
    "words that nobody says": "text=nobody-says-this",
}
TYPES = ("text/html", "text/html", "text/html", "application/pdf", "text/plain")


def make_crawl(folder: Path, visits: int) -> None:
    """Write a crawl of so many visits."""
    create(folder, Topic("dengue fever", keywords=("dengue",), seeds=("https://site-0.example/",)), {})
    places = list(archive_pages(folder))
    random = np.random.default_rng(0)
    shares = 1 / np.arange(1, HOSTS + 1)
    hosts = random.choice(HOSTS, size=2 * visits, p=shares / shares.sum())
    hosts[0] = 0
    relevance = np.clip(random.beta(0.6, 1.2, visits) + 0.3 * (hosts[:visits] % 7 == 0), 0, 1)
    failed = random.random(visits) < 0.08
    connection = connect(folder / DATABASE)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    pages = np.bincount(hosts[:visits], minlength=HOSTS)
    good = np.bincount(hosts[:visits], (relevance > 0.5) & ~failed, minlength=HOSTS)
    bad = np.bincount(hosts[:visits], failed, minlength=HOSTS)
    connection.executemany(
        "INSERT INTO hosts (id, name, domain, visits, relevant, failures) VALUES (?, ?, ?, ?, ?, ?)",
        (
            (n + 1, f"site-{n}.example", f"site-{n}.example", int(pages[n]), int(good[n]), int(bad[n]))
            for n in range(HOSTS)
        ),
    )
    hashes = write_urls(connection.executemany, hosts, visits, random)
    write_visits(connection.executemany, relevance, failed, places, random)
    write_links(connection.executemany, hashes, visits, random)
    connection.execute(
        "INSERT INTO runs (started, ended, outcome) VALUES (?, ?, ?)", (START, START + visits, Health.SPENT)
    )
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def archive_pages(folder: Path) -> Iterator[Place]:
    """Some pages of 600 words, which all visits share."""
    archive = Archive(folder)
    random = np.random.default_rng(1)
    for number in range(RECORDS):
        words = " ".join(random.choice(WORDS, 600).tolist())
        body = f"<html><head><title>Page {number}</title></head><body><p>{words}</p></body></html>".encode()
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        yield archive.write(Response("https://site-0.example/", 200, headers, body, body, fetched_at=START))
    archive.close()


def write_urls(
    write: Callable[[str, Iterable[Any]], Any], hosts: Any, visits: int, random: np.random.Generator
) -> list[int]:
    hashes: list[int] = []
    scores = random.random(len(hosts)).tolist()

    def rows() -> Iterator[tuple[Any, ...]]:
        for number, host in enumerate(hosts.tolist(), 1):
            url = (
                f"https://site-{host}.example/articles/{number}.html"
                if number > 1
                else "https://site-0.example/"
            )
            hashes.append(url_hash(url))
            state = "visited" if number <= visits else "waiting"
            source = number // 8 or None
            yield (
                number,
                hashes[-1],
                url,
                host + 1,
                state,
                scores[number - 1],
                min(9, number),
                source,
                "Read more",
            )

    write(
        "INSERT INTO urls (id, hash, url, host, state, score, depth, source, anchor) VALUES (?,?,?,?,?,?,?,?,?)",
        rows(),
    )
    return hashes


def write_visits(
    write: Callable[[str, Iterable[Any]], Any],
    relevance: Any,
    failed: Any,
    places: list[Place],
    random: np.random.Generator,
) -> None:
    reasons = json.dumps([["dengue", 0.31], ["mosquito", 0.12], ["football", -0.08], ["other terms", 0.05]])
    parts = json.dumps({"anchor": 0.4, "page": 0.3})
    kinds = random.integers(0, 30, (len(relevance), 3)).tolist()

    def rows() -> Iterator[tuple[Any, ...]]:
        for number, (score, error, (a, b, c)) in enumerate(
            zip(relevance.tolist(), failed.tolist(), kinds, strict=True), 1
        ):
            if error:
                kind = ERRORS[a % len(ERRORS)]
                status = 404 if kind == "status" else 0
                nothing = ("", "", "", 0, 0, 0, None, None, 0, None)
                yield (
                    number,
                    number,
                    START + number,
                    status,
                    kind,
                    "it failed",
                    *nothing,
                    0.1,
                    None,
                    0.2,
                    "",
                    0,
                    0,
                )
            else:
                yield (
                    number,
                    number,
                    START + number,
                    200,
                    None,
                    "",
                    f"{WORDS[a % len(WORDS)]} and {WORDS[b % len(WORDS)]} in {WORDS[c % len(WORDS)]}, part {number}",
                    LANGUAGES[a % len(LANGUAGES)],
                    TYPES[b % len(TYPES)],
                    4000 + 100 * a,
                    1500 + 40 * b,
                    600,
                    score,
                    score - 0.5,
                    int(score > 0.5),
                    reasons,
                    score * 0.9,
                    parts,
                    0.2,
                    *places[number % len(places)],
                )

    write(
        "INSERT INTO visits (id, url, at, status, error, detail, title, language, content_type, length, wire, words, "
        "relevance, margin, relevant, reasons, queue_score, queue_parts, elapsed, warc, warc_offset, warc_length) "
        "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        rows(),
    )


def write_links(
    write: Callable[[str, Iterable[Any]], Any], hashes: list[int], visits: int, random: np.random.Generator
) -> None:
    table = np.array(hashes, np.int64)
    for first in range(1, visits + 1, BATCH):
        numbers = np.repeat(np.arange(first, min(first + BATCH, visits + 1)), LINKS)
        # Half of the links lead to pages that many others link to as well.
        near = (len(table) * random.random(len(numbers)) ** 4).astype(np.int64)
        far = random.integers(0, len(table), len(numbers))
        targets = table[np.where(random.random(len(numbers)) < 0.5, near, far)]
        write(
            "INSERT INTO links (visit, target, anchor, place) VALUES (?, ?, 'Read more about it', 'body')",
            zip(numbers.tolist(), targets.tolist(), strict=True),
        )


class Screens:
    """Asks the application, and notes how long it takes."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open()

    def _open(self) -> None:
        access = Access()
        headers = {"authorization": f"Bearer {access.token}"}
        app = create_app(self._root, access=access)
        self._client = TestClient(app, base_url="http://127.0.0.1:8000", headers=headers)
        self._client.__enter__()

    def reopen(self) -> None:
        self._client.__exit__(None, None, None)
        self._open()

    def close(self) -> None:
        self._client.__exit__(None, None, None)

    def once(self, path: str) -> tuple[float, float]:
        """The milliseconds that a request takes, and those of the processor."""
        began, worked = time.perf_counter(), time.process_time()
        answer = self._client.get(path)
        taken = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - worked)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:300])
        return taken

    def json(self, path: str) -> Any:
        return self._client.get(path).json()


def measure(root: Path, crawl: str, visits: int, rounds: int) -> None:
    """Ask for every screen, and print how long it took."""
    screens = Screens(root)
    here, api = f"/crawls/{crawl}", f"/api/crawls/{crawl}"
    random = np.random.default_rng(2)

    def say(what: str, paths: Iterable[str]) -> None:
        taken = np.array([screens.once(path) for path in paths])
        usual, slow, work = np.median(taken[:, 0]), np.percentile(taken[:, 0], 95), np.median(taken[:, 1])
        print(f"{what:<44} {usual:8.1f} {slow:8.1f} {work:10.1f}   {len(taken)}", flush=True)

    print(f"{'milliseconds':<44} {'median':>8} {'p95':>8} {'processor':>10}   requests")
    say("first screen, cold", [f"{here}/"])
    say("first screen, while visits are read", [f"{here}/"] * 10)
    began = time.perf_counter()
    while (found := screens.json(f"{api}/pages?limit=1"))["read"] < found["total"]:
        time.sleep(0.2)
    print(f"{'all visits read after':<44} {time.perf_counter() - began:8.1f} s")
    screens.reopen()
    say("first screen, kept from before", [f"{here}/"])
    say("first screen", [f"{here}/"] * rounds)
    say("its figures by the API", [f"{api}"] * rounds)
    say("table of pages, as a page", [f"{here}/pages"] * rounds)
    for what, query in TABLES.items():
        say(f"table, {what}", [f"{api}/pages?{query}"] * rounds)
    depths = random.integers(0, visits, rounds)
    say("table, somewhere by relevance", [f"{api}/pages?sort=relevance&offset={depth}" for depth in depths])
    numbers = random.integers(1, visits + 1, 2 * rounds).tolist()
    say("page view", [f"{here}/pages/{number}" for number in numbers])
    began = time.perf_counter()
    while (found := screens.json(f"{api}/pages/1/links"))["read"] < found["total"]:
        time.sleep(0.2)
    print(f"{'all links read after':<44} {time.perf_counter() - began:8.1f} s ({found['total']:,} rows)")
    say("links of a page", [f"{api}/pages/{number}/links" for number in numbers])
    began = time.perf_counter()
    while not screens.json(f"{api}/map/hosts")["ready"]:
        time.sleep(0.2)
    print(f"{'links between hosts counted after':<44} {time.perf_counter() - began:8.1f} s")
    say(f"map of 120 of {HOSTS:,} hosts", [f"{api}/map/hosts"] * rounds)
    say("map of hosts, drawn anew", [f"{api}/map/hosts?count={count}" for count in range(100, 200, 9)])
    say("map of 600 hosts, drawn anew", [f"{api}/map/hosts?count={count}" for count in range(590, 600, 2)])
    say("map around a page", [f"{api}/map/pages/{number}" for number in numbers])
    say("map around a page, two steps", [f"{api}/map/pages/{number}?hops=2" for number in numbers])
    screens.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--visits", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=20, help="how often each request is made")
    parser.add_argument("--dir", help="where to make the crawl; default: the system's temporary folder")
    parser.add_argument(
        "--keep", type=Path, help="a folder to make it in and keep it, or where it is already"
    )
    arguments = parser.parse_args()
    with TemporaryDirectory(dir=arguments.dir) as temporary:
        root = arguments.keep or Path(temporary)
        if not (root / NAME / DATABASE).exists():
            began = time.perf_counter()
            make_crawl(root / NAME, arguments.visits)
            size = sum(file.stat().st_size for file in (root / NAME).iterdir() if file.is_file())
            print(
                f"made up {arguments.visits:,} visits in {time.perf_counter() - began:.0f} s, {size / 1e9:.1f} GB"
            )
        shutil.rmtree(root / NAME / "dashboard", ignore_errors=True)
        measure(root, NAME, arguments.visits, arguments.rounds)


if __name__ == "__main__":
    main()
