"""What the servers saw: every rule of politeness, checked from their side, with sixteen workers."""

import itertools
import re
from collections import defaultdict
from typing import Any

import pytest
from demo_crawl import crawl_demo

from honeyguide.demo.server import ServedWeb, serving
from honeyguide.demo.web import build

DELAY = 0.15
SLACK = 0.005
"""Two clocks in two processes: the server writes the end of an answer a moment after its last byte is out."""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> tuple[ServedWeb, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("manners")
    with serving(log=folder / "requests.jsonl") as web:
        crawl_demo(web, folder / "crawl", strategy="best-first", pages=260, delay=DELAY)
        return web, sorted(web.requests(), key=lambda request: float(request["began"]))


def by_address(requests: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    groups = defaultdict(list)
    for request in requests:
        groups[request["address"]].append(request)
    return groups


def test_no_host_is_asked_sooner_than_allowed(seen: tuple[ServedWeb, list[dict[str, Any]]]) -> None:
    _, requests = seen
    assert len(requests) > 200
    for address, asked in by_address(requests).items():
        for before, after in itertools.pairwise(asked):
            gap = after["began"] - before["ended"]
            assert gap >= DELAY - SLACK, (address, before, after)


def test_crawl_delay_is_obeyed(seen: tuple[ServedWeb, list[dict[str, Any]]]) -> None:
    web, requests = seen
    delays = crawl_delays(web)
    assert delays
    checked = 0
    for asked in by_address(requests).values():
        delay = delays.get(asked[0]["host"], 0.0)
        for before, after in itertools.pairwise(asked):
            if delay > DELAY and before["target"] != "/robots.txt":
                assert after["began"] - before["ended"] >= delay - SLACK, (before, after)
                checked += 1
    assert checked > 3


def test_no_disallowed_path_is_ever_asked_for(seen: tuple[ServedWeb, list[dict[str, Any]]]) -> None:
    web, requests = seen
    forbidden = {
        entry.url for entry in web.manifest if entry.kind in ("robots-disallowed", "host-disallowed")
    }
    assert forbidden
    asked = {f"http://{request['host']}:{web.port}{request['target']}" for request in requests}
    assert asked & forbidden == set()


def test_robots_txt_is_the_first_thing_every_host_is_asked_for(
    seen: tuple[ServedWeb, list[dict[str, Any]]],
) -> None:
    _, requests = seen
    for asked in by_address(requests).values():
        assert asked[0]["target"] == "/robots.txt"


def test_retry_after_is_obeyed(seen: tuple[ServedWeb, list[dict[str, Any]]]) -> None:
    web, requests = seen
    twin = build(port=web.port)
    waits = 0
    for asked in by_address(requests).values():
        for before, after in itertools.pairwise(asked):
            if before["status"] in (429, 503):
                headers = dict(twin.answer(before["host"], before["target"], {}, 1).headers)
                assert after["began"] - before["ended"] >= float(headers["Retry-After"]) - SLACK, (
                    before,
                    after,
                )
                waits += 1
    assert waits


def crawl_delays(web: ServedWeb) -> dict[str, float]:
    """What each host's robots.txt asks for, read with a pattern rather than with the code under test."""
    twin = build(port=web.port)
    delays = {}
    for host in web.hosts:
        body = twin.answer(host, "/robots.txt", {}, 9).body
        if found := re.search(rb"(?im)^crawl-delay:\s*([\d.]+)", body):
            delays[host] = float(found[1])
    return delays
