"""Search behind the API and on its page: what it finds, narrows, learns from marks, saves and writes."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from handmade_crawl import Made, make_crawl
from serving_crawls import client_of
from starlette.testclient import TestClient

from honeyguide.dashboard.engines import KeptEngine
from honeyguide.dashboard.kept import Kept
from honeyguide.dashboard.search_query import SearchQuery, narrowings
from honeyguide.search.results import Request
from honeyguide.search.sort import Sort

API = "/api/crawls/dengue/search"


@pytest.fixture
def searched(own_client: TestClient, crawls_folder: Path) -> TestClient:
    """A client whose index is up to date."""
    kept: Kept = own_client.app.state.kept  # type: ignore[attr-defined]
    engine = kept.engines.of(crawls_folder / "dengue")
    engine.keep_up()
    assert engine.settled(30)
    return own_client


def test_a_search_says_how_many_pages_answer_it_and_marks_its_words(searched: TestClient) -> None:
    found = searched.get(API, params={"q": "dengue mosquito"}).json()
    assert found["total"] > 10
    assert len(found["hits"]) == 10
    first = found["hits"][0]
    assert any(span["marked"] and "dengue" in span["text"].lower() for span in first["snippet"])
    assert first["rank"] == 1
    assert {facet["value"] for facet in found["facets"]["relevant"]} <= {"yes", "no"}


def test_a_facet_narrows_to_just_the_pages_it_counted(searched: TestClient) -> None:
    found = searched.get(API, params={"q": "dengue"}).json()
    for name, key in (("host", "host"), ("month", "month"), ("language", "language")):
        facet = found["facets"][name][0]
        narrowed = searched.get(API, params={"q": "dengue", key: facet["value"]}).json()
        assert narrowed["total"] == facet["count"]


def test_a_search_that_cannot_be_read_is_one_sentence(searched: TestClient) -> None:
    for query in ('"open', "AND dengue", "date:soon", "relevant:maybe"):
        refused = searched.get(API, params={"q": query})
        assert refused.status_code == 422
        assert refused.json()["detail"].endswith(".")
        page = searched.get("/crawls/dengue/search", params={"q": query})
        assert page.status_code == 200
        assert "cannot be read" in page.text


def test_marks_change_what_is_searched_for_and_say_its_words(searched: TestClient) -> None:
    found = searched.get(API, params={"q": "dengue"}).json()
    good, bad = found["hits"][0]["url"], found["hits"][1]["url"]
    again = searched.get(API, params={"q": "dengue", "good": good, "bad": bad}).json()
    assert len(again["terms"]) > 5
    assert list(again["terms"].values()) == sorted(again["terms"].values(), reverse=True)
    assert [hit["url"] for hit in again["hits"]] != [hit["url"] for hit in found["hits"]]


def test_more_like_a_page_finds_others(searched: TestClient) -> None:
    url = searched.get(API, params={"q": "dengue"}).json()["hits"][0]["url"]
    like = searched.get(API, params={"like": url}).json()
    assert like["total"]
    assert url not in [hit["url"] for hit in like["hits"]]
    assert searched.get(API, params={"like": "https://nowhere.example/"}).status_code == 422


def test_searches_are_saved_opened_and_forgotten(searched: TestClient) -> None:
    body = {"q": "dengue", "host": ["dengue-watch.test"], "sort": "newest"}
    assert searched.put(f"{API}/saved/mine", json=body).status_code == 200
    saved = searched.get(f"{API}/saved").json()
    assert [(one["name"], one["search"]["q"], one["search"]["sort"]) for one in saved] == [
        ("mine", "dengue", "newest")
    ]
    assert "host=dengue-watch.test" in searched.get("/crawls/dengue/search").text
    assert searched.delete(f"{API}/saved/mine").status_code == 200
    assert searched.get(f"{API}/saved").json() == []
    assert searched.delete(f"{API}/saved/mine").status_code == 422
    assert searched.put(f"{API}/saved/no%20good", json=body).status_code == 422


def test_everything_that_was_found_can_be_had_as_a_file(searched: TestClient) -> None:
    total = searched.get(API, params={"q": "dengue"}).json()["total"]
    table = searched.get(f"{API}/export", params={"q": "dengue"})
    assert "attachment" in table.headers["content-disposition"]
    assert len(list(csv.DictReader(io.StringIO(table.text)))) == total
    lines = searched.get(f"{API}/export", params={"q": "dengue", "ending": "jsonl"}).text.splitlines()
    assert len(lines) == total
    assert json.loads(lines[0])["rank"] == 1


def test_the_index_is_brought_up_to_date_behind_the_scenes(crawls_folder: Path) -> None:
    engine = KeptEngine(crawls_folder / "dengue")
    engine.keep_up()
    assert engine.settled(30)
    state = engine.state()
    assert state.pages > 50
    assert (state.behind, state.elsewhere, state.problem) == (0, False, "")
    assert engine.search(Request("dengue")).total


def test_an_index_that_somebody_else_writes_is_looked_at_again(crawls_folder: Path) -> None:
    now = 0.0
    first = KeptEngine(crawls_folder / "dengue-breadth", clock=lambda: now)
    first._next_update = float("inf")  # this one never writes
    second = KeptEngine(crawls_folder / "dengue-breadth")
    second.engine.index.discard()
    assert second.engine.refresh()
    now = 100.0
    assert first.search(Request("dengue")).total == second.search(Request("dengue")).total > 0


def test_a_choice_that_was_made_can_be_given_up_and_is_in_the_address() -> None:
    query = SearchQuery(q="a b", host=["x.example"], relevant="yes", page=3)
    facets = {
        "host": (("x.example", 4), ("y.example", 2)),
        "relevant": (("yes", 4),),
        "label": (("Fever", 3), ("rule", 1)),
    }
    found = {part.title: part.choices for part in narrowings(query, facets, {"Fever"})}
    assert found["Host"][0].chosen
    assert found["Host"][0].address == "?q=a+b&relevant=yes"
    assert found["Host"][1].address == "?q=a+b&host=x.example&host=y.example&relevant=yes"
    assert found["On topic"][0].address == "?q=a+b&host=x.example"
    assert "Level" not in found  # one value narrows nothing
    assert "Label" not in found


def test_a_request_and_its_address_are_the_same_search() -> None:
    asked = Request(
        "x", hosts=("h",), dates=("2026-11",), labels=("l",), relevant=False, sort=Sort.OLDEST, like="u"
    )
    assert SearchQuery.of(asked).asked(facets=False) == asked


def test_what_pages_say_is_never_markup(searched: TestClient) -> None:
    page = searched.get("/crawls/dengue/search", params={"q": '"<script>alert(1)</script>"'})
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;alert" in page.text


def test_a_hostile_page_is_shown_as_the_text_it_is(tmp_path: Path) -> None:
    title = '"><script>alert("title")</script>\u202e' + "t" * 10_000
    text = "dengue <img src=x onerror=alert(1)> </p></bdi> fever\x00 " * 50
    url = "https://evil.example/?%22%3E%3Cscript%3E"
    make_crawl(tmp_path / "evil", [Made(url, True, title, text)])
    with client_of(tmp_path) as client:
        engine = client.app.state.kept.engines.of(tmp_path / "evil")  # type: ignore[attr-defined]
        engine.keep_up()
        assert engine.settled(30)
        page = client.get("/crawls/evil/search", params={"q": "dengue"}).text
        assert "evil.example" in page
        assert not re.search(r"<(script(?! type=.module)|img src=x)", page)
        shown = client.get("/api/crawls/evil/label/next", params={"annotator": "ada"}).json()[0]
        assert len("".join(span["text"] for span in shown["title"])) <= 400
        assert not {"\x00", "\u202e"} & set(str(shown["pieces"]) + str(shown["title"][0]["text"]))
