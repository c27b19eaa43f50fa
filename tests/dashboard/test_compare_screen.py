"""Two crawls side by side: what both found, what one alone, and the figures that come of it."""

from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from honeyguide.dashboard.overlap import Side, best_first, overlap
from honeyguide.dashboard.visit_columns import TYPES, Columns
from honeyguide.opening import open_collection

PAIR = {"one": "dengue", "other": "dengue-breadth"}


def urls_of(folder: Path) -> dict[str, bool]:
    with open_collection(folder) as collection:
        return {row["address_url"]: bool(row["relevant"]) for row in collection.visits()}


@pytest.fixture
def urls(finished_crawls: Path) -> tuple[dict[str, bool], dict[str, bool]]:
    return urls_of(finished_crawls / "dengue"), urls_of(finished_crawls / "dengue-breadth")


def listed(client: TestClient, which: str) -> list[str]:
    found, page = [], 1
    while True:
        answer = client.get("/api/compare/pages", params={**PAIR, "which": which, "page": page}).json()
        found += [row["url"] for row in answer["rows"]]
        if page >= answer["pages"]:
            assert len(found) == answer["total"]
            return found
        page += 1


def test_the_overlap_is_that_of_the_addresses(
    client: TestClient, urls: tuple[dict[str, bool], dict[str, bool]]
) -> None:
    one, other = urls
    told = client.get("/api/compare", params=PAIR).json()
    assert set(listed(client, "both")) >= set(one) & set(other)
    assert set(one) - set(other) <= set(listed(client, "one"))
    assert set(other) - set(one) <= set(listed(client, "other"))
    assert told["both"] == len(listed(client, "both"))
    assert [side["only"] for side in told["sides"]] == [
        len(listed(client, "one")),
        len(listed(client, "other")),
    ]
    assert told["both_relevant"] == sum(one[url] and other[url] for url in set(one) & set(other))


def test_pages_on_topic_come_first_and_lead_to_both_crawls(client: TestClient) -> None:
    rows = client.get("/api/compare/pages", params=PAIR).json()["rows"]
    relevant = [row["relevant"][0] for row in rows]
    assert relevant == sorted(relevant, reverse=True)
    assert all(visit for visit in rows[0]["visits"])
    only = client.get("/api/compare/pages", params={**PAIR, "which": "other"}).json()["rows"]
    assert only[0]["visits"][0] is None


def test_curves_end_where_a_crawl_ended(client: TestClient) -> None:
    told = client.get("/api/compare", params=PAIR).json()
    curves = told["curves"]
    assert len(curves["pages"]) == len(curves["found"][0]) == len(curves["harvest"][1])
    assert curves["found"][0][-1] == pytest.approx(told["sides"][0]["relevant"])
    assert curves["found"][1][-1] is None
    assert told["estimate"]["low"] <= told["estimate"]["total"] <= told["estimate"]["high"]


def test_a_crawl_is_not_compared_with_itself(client: TestClient) -> None:
    assert client.get("/api/compare", params={"one": "dengue", "other": "dengue"}).status_code == 422
    assert client.get("/api/compare", params={"one": "dengue", "other": "nobody"}).status_code == 404
    assert client.get("/compare", params={"one": "dengue", "other": "dengue"}).status_code == 200


def test_a_crawl_that_is_gone_is_not_silently_replaced_by_another(client: TestClient) -> None:
    for named in ({"one": "nobody"}, {"one": "dengue", "other": "nobody"}):
        assert client.get("/compare", params=named).status_code == 404
    chosen = client.get("/compare", params={"other": "dengue"}).text
    assert 'data-one="dengue-breadth" data-other="dengue"' in chosen


def made(relevance: list[float]) -> Columns:
    count = len(relevance)
    arrays = {name: np.zeros(count, kind) for name, kind in TYPES.items()}
    arrays["visit"] = np.arange(1, count + 1, dtype="i4")
    arrays["relevance"] = np.array(relevance, "f4")
    arrays["relevant"] = arrays["relevance"] >= 0.5
    arrays["standing"] = np.ones(count, np.bool_)
    return Columns.of(arrays, dict.fromkeys(("error", "language", "type", "label"), ("",)), count)


def test_two_sides_are_laid_beside_each_other_by_hash() -> None:
    one = Side(made([0.9, 0.1, 0.6]), np.array([-5, 3, 9]), np.array([2, 0, 1]))
    other = Side(made([0.2, 0.8]), np.array([3, 11]), np.array([1, 0]))
    found = overlap(one, other)
    assert found.both_one.tolist() == [1]
    assert found.both_other.tolist() == [0]
    assert found.only_one.tolist() == [0, 2]
    assert found.only_other.tolist() == [1]
    assert best_first(one, np.arange(3)).tolist() == [1, 0, 2]
