"""The topic behind the API: shown, edited, tried out on the collection, applied and undone."""

import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from honeyguide.dashboard.background import Background, Job, Stage
from honeyguide.dashboard.topic_edit import ExampleMeant, LevelMeant, TermSeen, TopicEdit, edited, seen
from honeyguide.errors import ConfigError
from honeyguide.model import Example, Level, Term, Topic
from honeyguide.opening import open_collection
from honeyguide.store.folder import WriterLock
from honeyguide.store.requests import read_requests
from honeyguide.topics.folder import read_topic

API = "/api/crawls/dengue/topic"
TOPIC = Topic(
    "dengue",
    keywords=("fever",),
    vocabulary=(Term("mosquito", 5.0, "A.1"),),
    examples=(Example("one text", "One"), Example("two texts", "Two", "https://a.example/")),
    branch=(Level("Dengue", (Example("own level"),)), Level("Fevers", (Example("above"),))),
)


def no_page(url: str) -> Example:
    raise ConfigError(f"no page {url}")


def settled(client: TestClient, path: str) -> dict[str, Any]:
    """What work behind the scenes came to."""
    for _ in range(600):
        found: dict[str, Any] = client.get(path).json()
        if found["stage"] != "running":
            return found
        time.sleep(0.05)
    raise AssertionError(f"{path} is still at work")


def test_an_edit_that_says_nothing_changes_nothing() -> None:
    assert edited(TOPIC, TopicEdit(revision=1), no_page) == TOPIC


def test_every_part_can_be_edited_and_the_rest_stays() -> None:
    edit = TopicEdit(
        revision=1,
        keywords=["  break bone ", "fever", "fever"],
        vocabulary=[TermSeen(text="aedes AND virus", weight=-3)],
        examples=[
            ExampleMeant(kept=1),
            ExampleMeant(text=" pasted ", title="P"),
            ExampleMeant(url="https://b.example/"),
        ],
        levels=[LevelMeant(name="Fevers", examples=[ExampleMeant(kept=0)]), LevelMeant(name="Health")],
        reject=["malaria"],
    )
    page = Example("a page", "Page", "https://b.example/")
    changed = edited(TOPIC, edit, lambda url: page)
    assert changed.keywords == ("break bone", "fever")
    assert changed.vocabulary == (Term("aedes AND virus", -3.0, ""),)
    assert changed.examples == (TOPIC.examples[1], Example("pasted", "P"), page)
    assert changed.branch == (Level("Fevers", (Example("above"),)), Level("Health"))
    assert changed.reject == ("malaria",)
    assert (changed.name, changed.off_topic) == (TOPIC.name, TOPIC.off_topic)


@pytest.mark.parametrize(
    "part",
    [
        {"vocabulary": [TermSeen(text="(open AND", weight=1)]},
        {"reject": ["AND"]},
        {"examples": [ExampleMeant(kept=7)]},
        {"examples": [ExampleMeant()]},
        {"off_topic": [ExampleMeant(url="https://nowhere.example/")]},
    ],
    ids=str,
)
def test_what_a_topic_cannot_say_is_refused(part: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        edited(TOPIC, TopicEdit(revision=1, **part), no_page)


def test_a_topic_is_shown_without_its_texts() -> None:
    shown = seen(Topic("x", examples=(Example("word " * 10_000, "T" * 5000),)), 3, "blend")
    assert shown.examples[0].characters == 50_000
    assert len(shown.examples[0].opening) <= 160
    assert len(shown.examples[0].title) == 300
    assert shown.revision == 3


def test_the_topic_of_a_crawl_is_shown_explained_and_added_to(client: TestClient) -> None:
    shown = client.get(API).json()
    assert (shown["name"], shown["revision"], shown["judge"]) == ("dengue fever", 1, "blend")
    explained = settled(client, f"{API}/explanation")
    assert explained["stage"] == "done"
    assert {word["word"] for word in explained["words"]} == {"dengue", "fever"}
    assert "keywords" in {gap["what"] for gap in explained["gaps"]}
    assert explained["looks_for"]
    suggested = settled(client, f"{API}/suggestions")
    assert suggested["terms"]
    assert suggested["examples"]


def test_an_edit_is_tried_out_before_it_is_applied(client: TestClient) -> None:
    edit = {
        "revision": 1,
        "vocabulary": [{"text": "garden", "weight": 100}],
        "keywords": ["garden", "recipe"],
    }
    assert client.get(f"{API}/preview").status_code in (200, 404)
    begun = client.post(f"{API}/preview", json={"edit": edit})
    assert begun.status_code == 202, begun.text
    tried = settled(client, f"{API}/preview")
    assert tried["stage"] == "done", tried["sentence"]
    assert tried["pages"] == tried["population"] > 50
    assert tried["after"] - tried["before"] == tried["gained"] - tried["lost"]
    assert tried["gained"] + tried["lost"] > 0
    assert len(tried["would_not"]) == tried["lost"]
    assert "Of all" in tried["sentence"]
    assert client.get(API).json()["revision"] == 1


def test_an_edit_that_changes_nothing_changes_no_verdict(client: TestClient) -> None:
    client.post(f"{API}/preview", json={"edit": {"revision": 1}, "which": "unsure"})
    tried = settled(client, f"{API}/preview")
    assert (tried["gained"], tried["lost"]) == (0, 0)


def test_an_edit_is_applied_noted_and_undone(own_client: TestClient, crawls_folder: Path) -> None:
    url = own_client.get("/api/crawls/dengue/label/next", params={"annotator": "ada"}).json()[0]["url"]
    edit = {"revision": 1, "keywords": ["break-bone fever"], "examples": [{"url": url}]}
    applied = own_client.post(f"{API}/revisions", json={"edit": edit, "note": "said by Ada"}).json()
    assert applied["revision"] == 2
    assert applied["request"] is None
    assert "resumed" in applied["sentence"]
    topic = read_topic(crawls_folder / "dengue")
    assert topic.keywords == ("break-bone fever",)
    assert topic.examples[0].url == url
    assert topic.examples[0].text
    stale = own_client.post(f"{API}/revisions", json={"edit": edit})
    assert stale.status_code == 422
    assert "changed meanwhile" in stale.json()["detail"]
    undone = own_client.post(f"{API}/revisions/1/restore", json={}).json()
    assert undone["revision"] == 3
    assert read_topic(crawls_folder / "dengue").keywords == ()
    assert [one["note"] for one in own_client.get(f"{API}/revisions").json()[:2]] == [
        "as in revision 1",
        "said by Ada",
    ]
    assert own_client.get(f"{API}/revisions/2").json()["keywords"] == ["break-bone fever"]
    assert own_client.post(f"{API}/revisions/9/restore", json={}).status_code == 404


def test_a_running_crawl_is_asked_to_go_by_the_new_revision(
    own_client: TestClient, crawls_folder: Path
) -> None:
    lock = WriterLock(crawls_folder / "dengue")
    lock.acquire()
    applied = own_client.post(
        f"{API}/revisions", json={"edit": {"revision": 1, "keywords": ["x-ray"]}, "by": "ada"}
    )
    lock.release()
    assert applied.status_code == 201, applied.text
    with open_collection(crawls_folder / "dengue") as collection:
        (request,) = read_requests(collection.connection)
    assert (request.number, request.kind, dict(request.arguments), request.by) == (
        applied.json()["request"],
        "topic",
        {"revision": 2},
        "ada",
    )


def test_a_page_that_was_not_kept_is_no_example(own_client: TestClient) -> None:
    edit = {"revision": 1, "examples": [{"url": "https://nowhere.example/page"}]}
    refused = own_client.post(f"{API}/revisions", json={"edit": edit})
    assert refused.status_code == 422
    assert "paste its text" in refused.json()["detail"]


def test_newer_work_ends_the_older_and_the_same_is_not_begun_again() -> None:
    background = Background()
    begun: list[str] = []

    def endless(job: Job) -> None:
        begun.append("endless")
        while True:
            job.step(1, 2)
            time.sleep(0.001)

    first = background.start("a", 1, endless)
    assert background.start("a", 1, endless) is first
    second = background.start("a", 2, lambda job: 42)
    assert first.wait(5)
    assert second.wait(5)
    assert (first.stage, second.stage, second.result) == (Stage.CANCELLED, Stage.DONE, 42)
    assert begun == ["endless"]


def test_what_fails_behind_the_scenes_is_said_and_may_be_tried_again() -> None:
    background = Background()

    def fails(_: Job) -> None:
        raise ConfigError("That cannot be.")

    def breaks(_: Job) -> None:
        raise RuntimeError("secret detail")

    first = background.start("a", 1, fails)
    assert first.wait(5)
    assert (first.stage, first.problem) == (Stage.FAILED, "That cannot be.")
    second = background.start("a", 1, breaks)
    assert second.wait(5)
    assert second is not first
    assert "secret" not in second.problem
