"""Steering: what is asked becomes a row, and an ended crawl is started again in a process of its own."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from serving_crawls import client_of
from starlette.testclient import TestClient

from honeyguide.dashboard.steering import OUTPUT, resume
from honeyguide.errors import CrawlError
from honeyguide.opening import open_collection
from honeyguide.store.folder import WriterLock

ASK = "/api/crawls/dengue/requests"


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "pause"},
        {"kind": "resume"},
        {"kind": "stop"},
        {"kind": "budget", "pages": 500, "seconds": 60.0},
        {"kind": "seeds", "urls": ["http://a.test/"]},
        {"kind": "block", "host": "a.test"},
        {"kind": "unblock", "host": "a.test"},
    ],
)
def test_what_is_asked_becomes_a_row(own_client: TestClient, body: dict[str, Any]) -> None:
    answer = own_client.post(ASK, json=body)
    assert answer.status_code == 202
    [asked] = own_client.get(ASK).json()
    assert asked["number"] == answer.json()["number"]
    assert asked["arguments"] == {name: value for name, value in body.items() if name != "kind"}
    assert (asked["kind"], asked["by"], asked["answered"]) == (body["kind"], "dashboard", None)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"kind": "dance"},
        {"kind": "pause", "pages": 1},
        {"kind": "budget"},
        {"kind": "budget", "pages": -1},
        {"kind": "budget", "pages": 1e300},
        {"kind": "budget", "pages": "many"},
        {"kind": "seeds", "urls": []},
        {"kind": "seeds", "urls": [1]},
        {"kind": "seeds", "urls": ["http://a.test/", "javascript:alert(1)"]},
        {"kind": "seeds", "urls": ["not an address"]},
        {"kind": "block", "host": "<script>a host</script>"},
        {"kind": "block", "host": ""},
        {"kind": "block", "host": "a" * 300},
        [],
        None,
    ],
)
def test_what_cannot_be_asked_is_a_sentence(own_client: TestClient, body: Any) -> None:
    answer = own_client.post(ASK, json=body)
    assert answer.status_code == 422
    assert isinstance(answer.json()["detail"], str)
    assert own_client.get(ASK).json() == []


def test_a_running_crawl_is_not_started_again(crawls_folder: Path) -> None:
    lock = WriterLock(crawls_folder / "dengue")
    lock.acquire()
    with client_of(crawls_folder) as client:
        answer = client.post("/api/crawls/dengue/start")
    lock.release()
    assert answer.status_code == 422
    assert answer.json() == {"detail": "The crawl is running."}


def test_why_a_crawl_cannot_be_started_is_said_in_its_own_words(crawls_folder: Path) -> None:
    with client_of(crawls_folder) as client:
        answer = client.post("/api/crawls/dengue/start")
    assert answer.status_code == 422
    assert "budget" in answer.json()["detail"]
    assert "Traceback" not in answer.json()["detail"]
    assert (crawls_folder / "dengue" / OUTPUT).is_file()


def test_a_process_that_dies_without_a_word_is_said_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(CrawlError, match="could not be started"):
        resume(tmp_path)


def test_asking_leaves_the_crawl_as_it_was(own_client: TestClient, crawls_folder: Path) -> None:
    with open_collection(crawls_folder / "dengue") as collection:
        before = collection.status()
    own_client.post(ASK, json={"kind": "stop"})
    with open_collection(crawls_folder / "dengue") as collection:
        assert replace(collection.status(), pending=0) == before
