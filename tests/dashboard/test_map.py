"""The map: hosts and pages that matter, the links between them, and places that stay the same."""

import sqlite3
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from honeyguide.dashboard.columns import ColumnShelf
from honeyguide.dashboard.crawls import CrawlAtHand
from honeyguide.dashboard.layout import lay_out
from honeyguide.dashboard.map import LINKS_EACH, host_map
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect

API = "/api/crawls/dengue/map"

HOST_LINKS = """
SELECT a.name, b.name, COUNT(*) FROM links l
JOIN visits v ON v.id = l.visit JOIN urls s ON s.id = v.url JOIN hosts a ON a.id = s.host
JOIN urls t ON t.hash = l.target JOIN hosts b ON b.id = t.host
WHERE v.id IN (SELECT MAX(id) FROM visits WHERE unchanged = 0 GROUP BY url) AND a.id != b.id
    AND t.id IN (SELECT url FROM visits WHERE unchanged = 0)
GROUP BY 1, 2
"""


def database(root: Path) -> sqlite3.Connection:
    return sqlite3.connect(root / "dengue" / DATABASE)


def test_links_between_hosts_are_counted_as_the_database_has_them(
    client: TestClient, finished_crawls: Path
) -> None:
    graph = client.get(f"{API}/hosts?count=600").json()
    names = [node["key"] for node in graph["nodes"]]
    wanted = {
        (source, target): times for source, target, times in database(finished_crawls).execute(HOST_LINKS)
    }
    found = {(names[source], names[target]): times for source, target, times in graph["links"]}
    assert found.items() <= wanted.items()
    assert len(found) > 10
    assert graph["ready"]
    for name in names:  # the strongest of each host are there
        strongest = sorted((times for (source, _), times in wanted.items() if source == name), reverse=True)
        drawn = sorted((times for (source, _), times in found.items() if source == name), reverse=True)
        assert drawn[:LINKS_EACH] == strongest[:LINKS_EACH]


def test_nodes_are_the_hosts_with_most_on_topic(client: TestClient, finished_crawls: Path) -> None:
    everything = client.get(f"{API}/hosts").json()
    few = client.get(f"{API}/hosts?count=3").json()
    assert [node["key"] for node in few["nodes"]] == [node["key"] for node in everything["nodes"][:3]]
    assert few["of"] == len(everything["nodes"])
    relevant = [node["relevant"] for node in everything["nodes"]]
    assert relevant == sorted(relevant, reverse=True)
    assert sum(relevant) == client.get("/api/crawls/dengue/pages?relevant=yes").json()["matching"]
    assert all(-1 <= node["x"] <= 1 and -1 <= node["y"] <= 1 for node in everything["nodes"])


def test_the_map_around_a_page_has_its_neighbours_and_two_steps_more(
    client: TestClient, finished_crawls: Path
) -> None:
    connection = database(finished_crawls)
    (visit,) = connection.execute("SELECT MIN(id) FROM visits WHERE relevant AND id > 3").fetchone()
    near = client.get(f"{API}/pages/{visit}").json()
    wanted = {
        str(row[0])
        for row in connection.execute(
            "SELECT w.id FROM links l JOIN urls t ON t.hash = l.target JOIN visits w ON w.url = t.id "
            "WHERE l.visit = ?1 "
            "UNION SELECT l.visit FROM links l JOIN urls t ON t.hash = l.target JOIN visits v ON v.url = t.id "
            "WHERE v.id = ?1 UNION SELECT ?1",
            (visit,),
        )
    }
    assert {node["key"] for node in near["nodes"]} == wanted
    assert near["nodes"][0]["key"] == str(visit)
    assert all(0 in link[:2] or link[0] != link[1] for link in near["links"])
    far = client.get(f"{API}/pages/{visit}?hops=2").json()
    assert {node["key"] for node in far["nodes"]} >= wanted
    assert {node["hops"] for node in far["nodes"]} == {0, 1, 2}


def test_a_page_that_is_not_there_has_no_map(client: TestClient) -> None:
    assert client.get(f"{API}/pages/99999").status_code == 404
    assert client.get("/crawls/dengue/map?around=99999").status_code == 404
    assert client.get(f"{API}/hosts?count=100000").status_code == 422


def test_the_screen_names_the_page_in_the_middle(client: TestClient) -> None:
    assert 'data-around="7"' in client.get("/crawls/dengue/map?around=7").text
    assert "Find a host" in client.get("/crawls/dengue/map").text


def test_an_empty_crawl_has_an_empty_map(own_client: TestClient, crawls_folder: Path) -> None:
    with database(crawls_folder) as connection:
        connection.execute("DELETE FROM visits")
        connection.execute("DELETE FROM links")
    graph = own_client.get(f"{API}/hosts").json()
    assert (graph["nodes"], graph["links"], graph["of"]) == ([], [], 0)


def places_of(count: int, links: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    random = np.random.default_rng(0)
    ends = random.integers(0, count, (2, links))
    return lay_out(count, ends[0], ends[1], random.random(links), np.full(count, 0.01))


def test_the_same_graph_is_always_drawn_the_same_way() -> None:
    assert np.array_equal(places_of(80, 200), places_of(80, 200))


def test_linked_nodes_are_closer_than_others_and_no_two_overlap() -> None:
    # Two rings with nothing between them.
    first = np.arange(20)
    sources = np.concatenate((first, first + 20))
    targets = np.concatenate(((first + 1) % 20, (first + 1) % 20 + 20))
    places = lay_out(40, sources, targets, np.ones(40), np.full(40, 0.02))
    distances = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    apart = distances[np.triu_indices(40, 1)]
    assert distances[sources, targets].mean() < 0.5 * apart.mean()
    assert apart.min() > 0.03


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 25), st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24)), max_size=40))
def test_any_graph_gets_finite_places_in_the_square(count: int, links: list[tuple[int, int]]) -> None:
    links = [link for link in links if max(link) < count]
    ends = np.array(links, np.int64).reshape(-1, 2)
    places = lay_out(count, ends[:, 0], ends[:, 1], np.ones(len(ends)), np.full(count, 0.02))
    assert places.shape == (count, 2)
    assert np.isfinite(places).all()
    assert (np.abs(places) <= 1 + 1e-9).all()


@pytest.fixture(scope="module")
def many_hosts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of 30,000 hosts with three pages each and eight links a page."""
    folder = tmp_path_factory.mktemp("many")
    connection = connect(folder / DATABASE)
    random = np.random.default_rng(0)
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO hosts (id, name, domain, visits) VALUES (?, ?, ?, 3)",
        ((n, f"h{n}.example", "example") for n in range(1, 30_001)),
    )
    connection.executemany(
        "INSERT INTO urls (id, hash, url, host, state, score, depth) VALUES (?, ?, ?, ?, 'visited', 0, 1)",
        (
            (n, n * 7_046_029_254_386_353 % (1 << 62), f"https://x/{n}", n % 30_000 + 1)
            for n in range(1, 90_001)
        ),
    )
    connection.executemany(
        "INSERT INTO visits (id, url, at, status, relevance, relevant, queue_score) VALUES (?, ?, ?, 200, ?, ?, 0)",
        ((n, n, float(n), (n % 10) / 10, int(n % 10 > 6)) for n in range(1, 90_001)),
    )
    targets = random.integers(1, 90_001, 90_000 * 8)
    connection.executemany(
        "INSERT INTO links (visit, target, anchor, place) VALUES (?, ?, '', 'body')",
        (
            (row // 8 + 1, target * 7_046_029_254_386_353 % (1 << 62))
            for row, target in enumerate(targets.tolist())
        ),
    )
    connection.execute("COMMIT")
    connection.close()
    return folder


def test_thirty_thousand_hosts_are_drawn_in_a_moment(many_hosts: Path) -> None:
    shelf = ColumnShelf()
    crawl = CrawlAtHand("many", many_hosts, shelf)
    for _ in range(600):
        if (graph := host_map(crawl, 300)).ready:
            break
        time.sleep(0.05)  # links are read and counted behind the scenes
    assert graph.ready
    assert (len(graph.nodes), graph.of) == (300, 30_000)
    started = time.process_time()
    again = host_map(crawl, 300)
    assert time.process_time() - started < 0.3
    assert again.nodes == graph.nodes
    started = time.process_time()
    host_map(crawl, 120)
    assert time.process_time() - started < 2
    shelf.close()
