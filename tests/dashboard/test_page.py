"""The view of a page: verdict, words, way, links."""

import sqlite3
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from honeyguide.dashboard.highlighting import highlighted, terms_of
from honeyguide.dashboard.why import SHOWN_STEPS, WayStep, picture_of, scored
from honeyguide.opening import open_collection
from honeyguide.store.folder import DATABASE

API = "/api/crawls/dengue/pages"


def database(root: Path) -> sqlite3.Connection:
    return sqlite3.connect(root / "dengue" / DATABASE)


def a_visit(root: Path, condition: str) -> int:
    (number,) = database(root).execute(f"SELECT MIN(id) FROM visits WHERE {condition}").fetchone()
    assert number
    return int(number)


def test_words_of_reasons_are_marked_in_any_form_and_the_text_stays_whole() -> None:
    text = "Dengue’s mosquitoes, dengue-fever and Fever dreams; a mosquito."
    spans = highlighted(text, ["its meaning: mosquito, fever", "dengue fever", "what any page has"])
    assert "".join(span.text for span in spans) == text
    assert [(span.text, span.reason) for span in spans if span.reason is not None] == [
        ("mosquitoes", 0),
        ("dengue-fever", 1),
        ("Fever", 0),
        ("mosquito", 0),
    ]


def test_a_reason_names_what_follows_its_colon() -> None:
    assert terms_of("its meaning: dengue, yellow fever") == ["dengue", "yellow fever"]
    assert terms_of("dengue") == ["dengue"]
    assert highlighted("no words", []) == [("no words", None)]
    assert highlighted("", ["x"]) == []


def test_a_page_is_shown_as_why_explains_it(client: TestClient, finished_crawls: Path) -> None:
    visit = a_visit(finished_crawls, "relevant AND queue_parts IS NOT NULL")
    page = client.get(f"{API}/{visit}").json()
    with open_collection(finished_crawls / "dengue") as collection:
        answer = collection.why(page["url"])
    assert [step["url"] for step in page["way"]] == [step.url for step in answer.path]
    assert [step["anchor"] for step in page["way"]] == [step.anchor for step in answer.path]
    assert page["queued"]["score"] == pytest.approx(answer.queued.score)
    assert {part["name"]: part["amount"] for part in page["taken"]["parts"]} == answer.taken.parts  # type: ignore[union-attr]
    assert [(reason["what"], reason["amount"]) for reason in page["verdict"]["reasons"]] == list(
        answer.reasons
    )
    assert page["way"][-1]["score"] == pytest.approx(answer.taken.score)  # type: ignore[union-attr]


def test_a_page_that_never_came_is_named_by_its_address_as_in_the_table(
    client: TestClient, finished_crawls: Path
) -> None:
    visit = a_visit(finished_crawls, "error IS NOT NULL AND title = ''")
    url = client.get(f"{API}/{visit}").json()["url"]
    assert f"<h1><bdi>{url}</bdi></h1>" in client.get(f"/crawls/dengue/pages/{visit}").text


def test_the_text_is_that_of_the_archive_with_its_reasons_marked(
    client: TestClient, finished_crawls: Path
) -> None:
    visit = a_visit(finished_crawls, "relevant")
    page = client.get(f"{API}/{visit}").json()
    marked = {piece["text"].lower() for piece in page["text"] if piece["reason"] is not None}
    assert "dengue" in marked
    assert len("".join(piece["text"] for piece in page["text"])) > 200
    screen = client.get(f"/crawls/dengue/pages/{visit}").text
    assert screen.count("<mark ") == sum(piece["reason"] is not None for piece in page["text"])


def test_links_out_and_in_are_those_of_the_database(client: TestClient, finished_crawls: Path) -> None:
    connection = database(finished_crawls)
    visit = a_visit(finished_crawls, "relevant AND id > 3")
    found = client.get(f"{API}/{visit}/links").json()
    wanted_out = connection.execute(
        "SELECT u.url, l.anchor, u.state FROM links l JOIN urls u ON u.hash = l.target "
        "WHERE l.visit = ? ORDER BY l.rowid",
        (visit,),
    ).fetchall()
    assert [(link["url"], link["anchor"], link["state"]) for link in found["links_out"]] == wanted_out
    wanted_in = connection.execute(
        "SELECT l.visit FROM links l JOIN urls u ON u.hash = l.target JOIN visits v ON v.url = u.id "
        "WHERE v.id = ? AND l.visit != v.id ORDER BY l.rowid",
        (visit,),
    ).fetchall()
    assert [link["visit"] for link in found["links_in"]] == [row[0] for row in wanted_in]
    assert found["count_in"] == len(wanted_in)
    assert found["read"] == found["total"]
    assert any(link["relevance"] is not None for link in found["links_out"])


@pytest.mark.parametrize("path", ["9999", "9999/links"])
def test_a_visit_that_is_not_there_is_not_found(client: TestClient, path: str) -> None:
    answer = client.get(f"{API}/{path}")
    assert (answer.status_code, answer.json()) == (404, {"detail": "There is no such visit in this crawl."})


def test_a_number_that_is_none_is_refused(client: TestClient) -> None:
    assert client.get(f"{API}/0").status_code == 422
    assert client.get(f"{API}/99999999999999999999").status_code == 422


def test_failures_seeds_and_pages_off_topic_have_their_screens_too(
    client: TestClient, finished_crawls: Path
) -> None:
    failed = client.get(f"/crawls/dengue/pages/{a_visit(finished_crawls, 'error IS NOT NULL')}")
    assert failed.status_code == 200
    assert "This visit failed" in failed.text
    seed = client.get("/crawls/dengue/pages/1")
    assert "It is a seed" in seed.text
    assert "1000000000" not in seed.text
    other = client.get(f"/crawls/dengue/pages/{a_visit(finished_crawls, 'label = ' + repr('language'))}").text
    assert "off topic" in other


def test_an_archive_that_is_gone_costs_the_text_only(own_client: TestClient, crawls_folder: Path) -> None:
    visit = a_visit(crawls_folder, "relevant")
    for file in (crawls_folder / "dengue").glob("*.warc.gz"):
        file.unlink()
    page = own_client.get(f"{API}/{visit}")
    assert page.status_code == 200
    assert page.json()["text"] == []
    assert own_client.get(f"/crawls/dengue/pages/{visit}").status_code == 200


def test_labels_that_people_gave_are_shown(own_client: TestClient, crawls_folder: Path) -> None:
    visit = a_visit(crawls_folder, "relevant")
    for relevant in (False, True):
        body = {"visit": visit, "relevant": relevant, "annotator": "Ada"}
        assert own_client.post("/api/crawls/dengue/labels", json=body).status_code == 201
    labels = own_client.get(f"{API}/{visit}").json()["labels"]
    assert [(label["annotator"], label["relevant"]) for label in labels] == [("Ada", True)]
    assert "Ada" in own_client.get(f"/crawls/dengue/pages/{visit}").text


def a_step(number: int) -> WayStep:
    return WayStep(
        visit=number, url=f"https://h.example/{number}", title="", anchor="", context="", place="body",
        origin="page", score=0.5, relevance=None, relevant=False,
    )  # fmt: skip


def test_the_picture_of_a_long_way_leaves_out_its_middle() -> None:
    marks = picture_of([a_step(number) for number in range(40)])
    assert len(marks) == SHOWN_STEPS
    assert [marks[0].number, marks[-1].number] == [0, 39]
    assert sum(mark.left_out for mark in marks) == 40 - SHOWN_STEPS
    assert [mark.y for mark in marks] == sorted({mark.y for mark in marks})


def test_parts_that_cannot_be_read_are_no_parts() -> None:
    assert scored(0.5, "not json").parts == []
    assert scored(0.5, "[1]").parts == []
    assert scored(0.5, '{"anchor": 0.4, "x": "y"}').parts[0].meaning == "the words of the link"
