"""The same from Python, with and without a running event loop."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_crawl import demo_settings

from honeyguide import Topic, crawl
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.errors import CrawlError


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with serving() as web:
        yield web


def settings(web: ServedWeb) -> dict[str, dict[str, object]]:
    return demo_settings(web, strategy="best-first", pages=30, delay=0.01)


def test_visits_come_as_they_happen_and_the_collection_as_rows(web: ServedWeb, tmp_path: Path) -> None:
    run = crawl(Topic("dengue fever", seeds=web.seeds), out=tmp_path / "c", settings=settings(web))
    visits = list(run)
    assert sum(visit.status > 0 for visit in visits) == 30
    assert [visit.number for visit in visits] == list(range(1, len(visits) + 1))
    rows = run.rows(only_relevant=True)
    assert len(rows) == sum(visit.relevant for visit in visits)
    assert all("text" in row and row["relevance"] > 0 for row in rows)
    with run.collection() as collection:
        assert collection.status().pages == 30
    found = run.search("dengue", limit=100)
    assert 0 < found.total == len(found.hits)
    assert {hit.url for hit in found.hits} <= {row["url"] for row in run.rows()}


async def test_a_running_event_loop_is_no_obstacle(web: ServedWeb, tmp_path: Path) -> None:
    assert asyncio.get_running_loop()
    run = crawl("dengue fever", seeds=web.seeds, out=tmp_path / "c", pages=5, settings=settings(web))
    assert sum(visit.status > 0 for visit in run) == 5


def test_leaving_the_loop_stops_the_crawl_and_calling_again_goes_on(web: ServedWeb, tmp_path: Path) -> None:
    slow = demo_settings(web, strategy="best-first", pages=150, delay=0.3)
    for visit in crawl("dengue fever", seeds=web.seeds, out=tmp_path / "c", settings=slow):
        if visit.number == 8:
            break
    run = crawl("dengue fever", out=tmp_path / "c")
    with run.collection() as collection:
        before = collection.status()
    assert 8 <= before.visits < 150
    assert before.health == "interrupted"
    for visit in run:
        if visit.number == before.visits + 5:
            break
    with run.collection() as collection:
        assert collection.status().visits >= before.visits + 5


def test_a_folder_with_another_topic_is_refused_and_pages_can_be_raised(
    web: ServedWeb, tmp_path: Path
) -> None:
    few = demo_settings(web, strategy="best-first", pages=3, delay=0.01)
    assert len(list(crawl("dengue fever", seeds=web.seeds, out=tmp_path / "c", settings=few))) >= 3
    assert list(crawl("dengue fever", out=tmp_path / "c")) == []
    assert sum(visit.status > 0 for visit in crawl("dengue fever", out=tmp_path / "c", pages=6)) == 3
    with pytest.raises(CrawlError, match="holds a crawl on 'dengue fever'"):
        crawl("football", out=tmp_path / "c")


def test_errors_reach_the_one_who_iterates(web: ServedWeb, tmp_path: Path) -> None:
    run = crawl("dengue fever", seeds=web.seeds, out=tmp_path / "c", pages=3, settings=settings(web))
    list(run)
    (tmp_path / "c" / "crawl.db").write_bytes(b"not a database" * 1000)
    with pytest.raises(CrawlError, match="damaged"):
        list(run)
