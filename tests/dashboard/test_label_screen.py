"""Labelling behind the API: which pages come, what is written, taken back, learned, and what the hand check says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from honeyguide.dashboard.background import Stage
from honeyguide.dashboard.columns import ColumnShelf
from honeyguide.dashboard.label_outcome import name_of
from honeyguide.dashboard.picking import at_random, borderline, by_turns, may_be_shown, unlike, unseen
from honeyguide.dashboard.visit_columns import Columns
from honeyguide.model import Page
from honeyguide.opening import open_collection
from honeyguide.store.folder import WriterLock
from honeyguide.store.labels import read_labels
from honeyguide.text.documents import Documents

API = "/api/crawls/dengue"


@pytest.fixture
def columns(finished_crawls: Path) -> Iterator[Columns]:
    shelf = ColumnShelf()
    yield shelf.columns(finished_crawls / "dengue")
    shelf.close()


def pages_for(client: TestClient, **query: Any) -> list[dict[str, Any]]:
    answer = client.get(f"{API}/label/next", params={"annotator": "ada", **query})
    assert answer.status_code == 200, answer.text
    return list(answer.json())


def say(client: TestClient, visit: int, relevant: bool | None, who: str = "ada") -> int:
    written = client.post(f"{API}/labels", json={"visit": visit, "relevant": relevant, "annotator": who})
    assert written.status_code == 201, written.text
    return int(written.json()["number"])


@pytest.mark.parametrize("mode", ["teaches", "diverse"])
def test_pages_come_without_their_verdict_and_none_comes_twice(own_client: TestClient, mode: str) -> None:
    first = pages_for(own_client, mode=mode, count=5)
    assert len(first) == 5
    assert not {"relevance", "relevant", "margin"} & set(first[0])
    assert first[0]["pieces"]
    later = pages_for(own_client, mode=mode, count=5, skip=[page["visit"] for page in first])
    assert not {page["visit"] for page in first} & {page["visit"] for page in later}


def test_a_labelled_page_does_not_come_again_to_the_same_person(own_client: TestClient) -> None:
    page = pages_for(own_client, count=1)[0]
    say(own_client, page["visit"], True)
    assert page["visit"] not in [other["visit"] for other in pages_for(own_client, count=20)]
    bobs = pages_for(own_client, count=20, annotator="bob")
    assert page["visit"] in [other["visit"] for other in bobs]


def test_a_label_is_written_and_taken_back(own_client: TestClient, crawls_folder: Path) -> None:
    page = pages_for(own_client, count=1)[0]
    number = say(own_client, page["visit"], None, "  ada\tlovelace ")
    with open_collection(crawls_folder / "dengue") as collection:
        (label,) = read_labels(collection.connection)
    assert (label.url, label.relevant, label.annotator) == (page["url"], None, "ada lovelace")
    assert own_client.delete(f"{API}/labels/{number}").json() == {"number": number, "visit": page["visit"]}
    assert own_client.delete(f"{API}/labels/{number}").status_code == 404
    assert own_client.get(f"{API}/labels").json()["annotators"] == []


def test_what_cannot_be_labelled_is_refused_in_a_sentence(own_client: TestClient) -> None:
    for body, status in (
        ({"visit": 10**9, "relevant": True, "annotator": "ada"}, 404),
        ({"visit": 1, "relevant": True, "annotator": " \u200b"}, 422),
        ({"visit": 0, "relevant": True, "annotator": "ada"}, 422),
        ({"visit": 1, "relevant": "maybe", "annotator": "ada"}, 422),
    ):
        refused = own_client.post(f"{API}/labels", json=body)
        assert refused.status_code == status, refused.text
        assert refused.json()["detail"]


def test_how_far_people_agree_is_told(own_client: TestClient) -> None:
    visits = [page["visit"] for page in pages_for(own_client, count=6)]
    for visit, ada, bob in zip(visits, (1, 1, 0, 0, 1, 0), (1, 1, 0, 1, 1, 0), strict=True):
        say(own_client, visit, bool(ada))
        say(own_client, visit, bool(bob), "bob")
    told = own_client.get(f"{API}/labels").json()
    assert (told["on"], told["off"]) == (3, 2)  # on one they are divided
    (pair,) = told["agreements"]
    assert pair["pages"] == 6
    assert pair["raw"] == pytest.approx(5 / 6)
    assert pair["kappa"] == pytest.approx(2 / 3)


def test_labels_of_a_crawl_that_rests_are_tried_out_here(own_client: TestClient, crawls_folder: Path) -> None:
    assert own_client.get(f"{API}/learning").json() == {"running": False, "lessons": [], "estimate": None}
    for page in pages_for(own_client, count=6):
        say(own_client, page["visit"], "dengue" in str(page["title"]).lower())
    own_client.get(f"{API}/learning")
    crawl = own_client.app.state.crawls.get("dengue")  # type: ignore[attr-defined]
    job = own_client.app.state.kept.background.get(name_of(crawl))  # type: ignore[attr-defined]
    assert job.wait(60)
    assert job.stage is Stage.DONE, job.problem
    estimate = own_client.get(f"{API}/learning").json()["estimate"]
    assert estimate["stage"] == "done"
    assert estimate["pages"] > 50
    assert "Harvest estimate" in estimate["sentence"]
    assert "when the crawl is resumed" in estimate["sentence"]
    assert (
        round(estimate["pages"] * (estimate["after"] - estimate["before"]))
        == estimate["gained"] - estimate["lost"]
    )


def test_labels_of_a_running_crawl_are_left_to_it(own_client: TestClient, crawls_folder: Path) -> None:
    say(own_client, pages_for(own_client, count=1)[0]["visit"], True)
    lock = WriterLock(crawls_folder / "dengue")
    lock.acquire()
    told = own_client.get(f"{API}/learning").json()
    lock.release()
    assert told["running"]
    assert told["estimate"] is None


def test_the_hand_check_draws_a_sample_and_says_what_people_make_of_it(own_client: TestClient) -> None:
    assert own_client.get(f"{API}/hand-check").json() is None
    assert pages_for(own_client, mode="check") == []
    drawn = own_client.post(f"{API}/hand-check", json={"size": 20}).json()
    assert drawn["drawn"] == 20
    assert drawn["population"] > 50
    assert drawn["on_topic"] is None
    pages = pages_for(own_client, mode="check", count=20)
    assert len(pages) == 20
    for place, page in enumerate(pages[:10]):
        say(own_client, page["visit"], place < 7)
    told = own_client.get(f"{API}/hand-check").json()
    assert told["labelled"] == {"ada": 10}
    assert told["on_topic"]["value"] == pytest.approx(0.7)
    assert told["on_topic"]["low"] < 0.7 < told["on_topic"]["high"]
    assert told["judge_agreement"]["pages"] == 10
    left = [page["visit"] for page in pages_for(own_client, mode="check", count=20)]
    assert left == [page["visit"] for page in pages[10:]]


def test_another_seed_draws_another_sample(own_client: TestClient) -> None:
    samples = []
    for seed in (1, 1, 2):
        own_client.post(f"{API}/hand-check", json={"size": 20, "seed": seed})
        samples.append([page["visit"] for page in pages_for(own_client, mode="check", count=20)])
    assert samples[0] == samples[1] != samples[2]


def test_the_least_sure_pages_come_first_and_hosts_take_turns(columns: Columns) -> None:
    wanted = may_be_shown(columns)
    chosen = borderline(columns, wanted, 10)
    rows = np.searchsorted(columns.visit, chosen)
    hosts = columns.host[rows].tolist()
    assert len(set(hosts)) == min(10, len(set(columns.host[wanted].tolist())))
    every = borderline(columns, wanted, int(wanted.sum()))
    first = {columns.host[columns.row_of(visit) or 0]: visit for visit in reversed(every)}
    assert chosen[0] in first.values()


def test_newer_margins_count_instead_of_the_stored_ones(columns: Columns) -> None:
    wanted = may_be_shown(columns)
    surest = borderline(columns, wanted, int(wanted.sum()))[-1]
    assert borderline(columns, wanted, 1, {surest: 0.0}) == [surest]


def test_a_random_choice_depends_on_the_seed_alone(columns: Columns) -> None:
    wanted = may_be_shown(columns)
    assert at_random(columns, wanted, 10, seed=3) == at_random(columns, wanted, 10, seed=3)
    assert at_random(columns, wanted, 10, seed=3) != at_random(columns, wanted, 10, seed=4)
    left_out = {int(columns.url[columns.row_of(visit) or 0]) for visit in by_turns(columns, wanted, 5)}
    assert not left_out & set(columns.url[unseen(columns, left_out)].tolist())


def test_pages_unlike_those_before_come_first() -> None:
    fever = [
        Page(f"https://a.example/{n}", text="dengue fever mosquito virus outbreak clinic") for n in range(3)
    ]
    garden = Page("https://b.example/", text="roses tulips spade compost allotment bulbs")
    assert unlike([*fever, garden], [fever[0]], Documents())[0] == 3
    assert sorted(unlike([*fever, garden], [], Documents())) == [0, 1, 2, 3]
    assert unlike([], fever, Documents()) == []
