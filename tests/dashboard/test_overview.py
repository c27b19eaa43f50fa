"""The overview: its figures agree with the status command's, live or not."""

import json
import shutil
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from serving_crawls import client_of
from starlette.testclient import TestClient

from honeyguide.dashboard.columns import ColumnShelf
from honeyguide.dashboard.crawls import CrawlAtHand
from honeyguide.dashboard.error_words import words_for
from honeyguide.dashboard.events import MOST_WATCHERS, Streams
from honeyguide.dashboard.queue_scan import BARS, QueueScan
from honeyguide.dashboard.rendering import percent
from honeyguide.dashboard.stock import read_overview, window_of
from honeyguide.errors import ErrorKind
from honeyguide.opening import open_collection
from honeyguide.store.folder import WriterLock
from honeyguide.store.requests import RequestBook, answer
from honeyguide.store.schema import connect


def test_the_figures_are_those_of_the_status_command(client: TestClient, finished_crawls: Path) -> None:
    for name in ("dengue", "dengue-breadth"):
        with open_collection(finished_crawls / name) as collection:
            status = collection.status()
        said = client.get(f"/api/crawls/{name}").json()
        assert said["health"] == status.health
        assert said["sentence"] == status.sentence
        for figure in ("visits", "pages", "relevant", "duplicates", "bytes", "host_count"):
            assert said[figure] == getattr(status, figure), figure
        assert said["harvest"] == pytest.approx(status.harvest)
        assert said["seconds"] == pytest.approx(status.seconds)
        assert said["queue"]["waiting"] == status.waiting
        assert said["queue"]["refused"] == status.refused
        assert sum(said["queue"]["bars"]) + said["queue"]["first"] == status.waiting
        assert {count["kind"]: count["count"] for count in said["errors"]} == dict(status.errors)
        assert {count["kind"]: count["count"] for count in said["queue"]["refusals"]} == dict(status.refusals)
        waiting = {host.name: host.waiting for host in status.hosts}
        for host in said["hosts"]:
            assert host["waiting"] == waiting.get(host["name"], host["waiting"])
        assert not said["running"]


def test_the_curve_ends_where_the_figures_are(client: TestClient) -> None:
    said = client.get("/api/crawls/dengue").json()
    curve = said["curve"]
    assert curve["pages"][-1] == said["pages"]
    assert curve["overall"][-1] == pytest.approx(said["harvest"], abs=1e-4)
    assert curve["recent"][-1] == pytest.approx(said["recent_harvest"], abs=1e-4)
    assert said["window"] == window_of(said["pages"])


def test_what_is_left_of_the_budget_is_said(client: TestClient) -> None:
    said = client.get("/api/crawls/dengue").json()
    assert [part["part"] for part in said["budget"]] == ["pages"]
    assert said["budget"][0]["limit"] == 120
    assert said["budget"][0]["left"] == 120 - said["pages"]


def test_the_page_says_what_the_api_says(client: TestClient) -> None:
    said = client.get("/api/crawls/dengue").json()
    text = client.get("/crawls/dengue/").text
    assert said["sentence"] in text
    assert f'id="relevant">{said["relevant"]:,}<' in text


def test_an_unknown_crawl_is_a_sentence(client: TestClient) -> None:
    answer = client.get("/api/crawls/nothing")
    assert answer.status_code == 404
    assert answer.json() == {"detail": "There is no crawl of this name here."}
    assert "There is no crawl of this name here." in client.get("/crawls/nothing/").text
    for odd in ("..", "%2e%2e", "..%2f..", "%00", "a" * 5000):
        assert client.get(f"/api/crawls/{odd}").status_code in (401, 404, 405)


def test_the_beginning_lists_all_crawls(client: TestClient) -> None:
    names = [crawl["name"] for crawl in client.get("/api/crawls").json()]
    assert names == ["dengue", "dengue-breadth"]
    text = client.get("/").text
    assert 'href="/crawls/dengue-breadth/"' in text


def test_a_single_crawl_opens_at_once(finished_crawls: Path) -> None:
    with client_of(finished_crawls / "dengue") as client:
        answer = client.get("/")
        assert (answer.status_code, answer.headers["location"]) == (307, "/crawls/dengue/")
        assert client.get("/crawls/dengue/").status_code == 200


def test_a_folder_without_crawls_says_what_to_do(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        assert "honeyguide crawl" in client.get("/").text
        assert client.get("/api/crawls").json() == []


def test_a_damaged_crawl_says_so_and_hurts_no_other(crawls_folder: Path) -> None:
    broken = crawls_folder / "broken"
    broken.mkdir()
    (broken / "crawl.db").write_bytes(b"no database at all" * 100)
    with client_of(crawls_folder) as client:
        listed = {crawl["name"]: crawl for crawl in client.get("/api/crawls").json()}
        assert listed["broken"]["health"] == "unreadable"
        assert listed["dengue"]["pages"] > 0
        assert client.get("/api/crawls/broken").status_code in (422, 503)
        assert client.get("/crawls/broken/").status_code in (422, 503)


def test_a_crawl_of_an_odd_name_can_be_opened(crawls_folder: Path) -> None:
    odd = "50% of <b>ünïcode & #1?"
    (crawls_folder / "dengue").rename(crawls_folder / odd)
    with client_of(crawls_folder) as client:
        path = next(crawl["path"] for crawl in client.get("/api/crawls").json() if crawl["name"] == odd)
        text = client.get(path).text
        assert "<b>ünïcode" not in text
        assert client.get(f"/api{path[:-1]}").json()["name"] == odd


def test_a_crawl_without_visits_can_be_looked_at(crawls_folder: Path) -> None:
    connection = sqlite3.connect(crawls_folder / "dengue" / "crawl.db")
    for table in ("visits", "urls", "hosts", "runs", "links"):
        connection.execute(f"DELETE FROM {table}")
    connection.commit()
    connection.close()
    with client_of(crawls_folder) as client:
        said = client.get("/api/crawls/dengue").json()
        assert (said["pages"], said["harvest"], said["speed"], said["curve"]["pages"]) == (0, 0, 0, [])
        assert client.get("/crawls/dengue/").status_code == 200


# Watching


def events(text: str) -> list[dict[str, object]]:
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def test_the_stream_begins_with_how_things_stand(client: TestClient) -> None:
    answer = client.get("/api/crawls/dengue/events?updates=1")
    assert answer.headers["content-type"].startswith("text/event-stream")
    [first] = events(answer.text)
    said = client.get("/api/crawls/dengue").json()
    assert {**first, "at": 0} == {**said, "at": 0}


def test_whatever_is_written_arrives_without_asking(crawls_folder: Path) -> None:
    folder = crawls_folder / "dengue"
    with client_of(crawls_folder) as client:

        def write() -> None:
            time.sleep(0.8)
            with RequestBook(folder) as book:
                book.ask("block", {"host": "a.test"}, "somebody")

        writing = threading.Thread(target=write)
        writing.start()
        answer = client.get("/api/crawls/dengue/events?updates=2")
        writing.join()
    first, second = events(answer.text)
    assert first["requests"] == []
    assert second["requests"][0]["arguments"] == {"host": "a.test"}  # type: ignore[index]


def test_a_crawl_that_is_deleted_ends_its_stream(crawls_folder: Path) -> None:
    with client_of(crawls_folder) as client:
        deleting = threading.Timer(0.8, shutil.rmtree, [crawls_folder / "dengue"])
        deleting.start()
        answer = client.get("/api/crawls/dengue/events?updates=2")
        deleting.join()
        assert len(events(answer.text)) == 1
        assert client.get("/api/crawls/dengue").status_code == 404


def test_every_kind_of_error_is_explained(client: TestClient) -> None:
    assert all(words_for(kind) for kind in ErrorKind)
    assert words_for("status 404")
    assert not words_for("what is this")
    errors = client.get("/api/crawls/dengue").json()["errors"]
    assert errors
    assert all(count["words"] for count in errors)


@pytest.mark.parametrize(("share", "said"), [(0.3625, "36.3"), (0.0, "0.0"), (1 / 3, "33.3"), (1.0, "100.0")])
def test_shares_are_rounded_as_the_scripts_round_them(share: float, said: str) -> None:
    assert percent(share) == f"{said}\N{NO-BREAK SPACE}%"


def test_only_so_many_may_watch(client: TestClient) -> None:
    streams: Streams = client.app.state.streams  # type: ignore[attr-defined]
    streams._watchers = MOST_WATCHERS
    answer = client.get("/api/crawls/dengue/events?updates=1")
    assert answer.status_code == 503
    assert "Too many windows" in answer.json()["detail"]


def test_whoever_leaves_is_not_counted_any_more(client: TestClient) -> None:
    streams: Streams = client.app.state.streams  # type: ignore[attr-defined]
    for _ in range(3):
        client.get("/api/crawls/dengue/events?updates=1")
    assert streams._watchers == 0
    assert not streams._watches


def test_a_running_crawl_is_seen_by_its_lock(crawls_folder: Path) -> None:
    lock = WriterLock(crawls_folder / "dengue")
    with client_of(crawls_folder) as client:
        lock.acquire()
        assert client.get("/api/crawls/dengue").json()["running"]
        lock.release()
        assert not client.get("/api/crawls/dengue").json()["running"]


def test_a_pause_is_seen_when_the_crawl_has_answered(crawls_folder: Path) -> None:
    folder = crawls_folder / "dengue"
    lock = WriterLock(folder)
    lock.acquire()
    with client_of(crawls_folder) as client, RequestBook(folder) as book:
        number = book.ask("pause", {}, "somebody")
        said = client.get("/api/crawls/dengue").json()
        assert (said["paused"], said["pausing"]) == (False, "pause")
        connection = connect(folder / "crawl.db")
        answer(connection, number, "Paused.", at=time.time())
        said = client.get("/api/crawls/dengue").json()
        assert (said["paused"], said["pausing"], said["health"]) == (True, "", "paused")
        answer(connection, book.ask("resume", {}, "somebody"), "Going on.", at=time.time())
        connection.close()
        assert not client.get("/api/crawls/dengue").json()["paused"]
    lock.release()


def test_figures_that_others_read_before_the_last_visit_are_not_settled(crawls_folder: Path) -> None:
    """Two look at a crawl within half a second, and it ends in between: the second must look again."""
    ticks = [0.0]
    shelf = ColumnShelf(clock=lambda: ticks[0])
    crawl = CrawlAtHand("dengue", crawls_folder / "dengue", shelf)
    scan = QueueScan(crawl.folder, clock=lambda: ticks[0])
    first = read_overview(crawl, scan)
    assert first.settled

    connection = connect(crawl.folder / "crawl.db")
    names = [row[1] for row in connection.execute("PRAGMA table_info(visits)") if row[1] != "id"]
    connection.execute(
        f"INSERT INTO visits ({', '.join(names)}) SELECT {', '.join(names)} FROM visits LIMIT 1"
    )
    connection.close()
    second = read_overview(crawl, scan)
    assert (second.visits, second.settled) == (first.visits, False)

    ticks[0] = 2.0
    assert read_overview(crawl, scan).visits == first.visits + 1
    wait_for(scan)
    assert read_overview(crawl, scan).settled
    shelf.close()


# The queue


def wait_for(scan: QueueScan) -> None:
    """Wait until a count that goes on, if any, is done."""
    if thread := scan._thread:
        thread.join()


def test_the_queue_is_counted_at_most_a_tenth_of_the_time(finished_crawls: Path) -> None:
    ticks = iter(range(1000))
    scan = QueueScan(
        finished_crawls / "dengue", clock=lambda: float(next(ticks))
    )  # every look takes a second
    first = scan.queue("one")
    assert first is not None
    for number in range(8):
        assert scan.queue(f"version {number}") is first
        assert scan._thread is None
    scan.queue("later")
    wait_for(scan)
    assert scan.queue("later") is not first


def test_a_queue_that_did_not_change_is_not_counted_again(finished_crawls: Path) -> None:
    scan = QueueScan(finished_crawls / "dengue", clock=lambda: 0.0)
    assert scan.queue("one") is scan.queue("one")


def test_seeds_do_not_flatten_the_bars(crawls_folder: Path) -> None:
    connection = sqlite3.connect(crawls_folder / "dengue" / "crawl.db")
    connection.execute("UPDATE urls SET state = 'waiting', score = 1e9 WHERE id = 1")
    connection.commit()
    connection.close()
    queue = QueueScan(crawls_folder / "dengue").queue("one")
    assert queue is not None
    assert queue.first == 1
    assert queue.high < 100
    assert len(queue.bars) == BARS
