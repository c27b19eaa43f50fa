"""The table of pages: rows as the database has them, however they are chosen and sorted."""

import csv
import io
import sqlite3
from itertools import count
from pathlib import Path

import pytest
from serving_crawls import client_of
from starlette.testclient import TestClient

from honeyguide.dashboard.columns import ColumnShelf
from honeyguide.dashboard.crawls import CrawlAtHand
from honeyguide.dashboard.page_table import PageQuery, find_pages
from honeyguide.store.folder import DATABASE

API = "/api/crawls/dengue/pages"
STANDING = "v.id IN (SELECT MAX(id) FROM visits WHERE unchanged = 0 GROUP BY url)"


def database(root: Path) -> sqlite3.Connection:
    return sqlite3.connect(root / "dengue" / DATABASE)


def all_rows(client: TestClient, query: str) -> list[dict[str, object]]:
    """Every row, asked for in small portions."""
    rows: list[dict[str, object]] = []
    offset: int | None = 0
    while offset is not None:
        answer = client.get(f"{API}?{query}&offset={offset}&limit=7")
        assert answer.status_code == 200, answer.text
        rows += answer.json()["rows"]
        offset = answer.json()["next"]
    return rows


def test_the_table_has_every_page_once_the_newest_first(client: TestClient, finished_crawls: Path) -> None:
    wanted = [
        row[0]
        for row in database(finished_crawls).execute(
            f"SELECT id FROM visits v WHERE {STANDING} ORDER BY id DESC"
        )
    ]
    assert [row["visit"] for row in all_rows(client, "")] == wanted


@pytest.mark.parametrize(
    ("query", "condition", "order"),
    [
        ("sort=relevance", "1", "v.relevance IS NULL, v.relevance DESC, v.id DESC"),
        ("sort=relevance&order=asc&error=none", "v.error IS NULL", "v.relevance, v.id"),
        ("sort=host&order=asc", "1", "h.name, v.id"),
        ("relevant=yes&language=en", "v.relevant AND v.language = 'en'", "v.id DESC"),
        ("error=any", "v.error IS NOT NULL", "v.id DESC"),
        ("host=tropical-health.test", "h.name = 'tropical-health.test'", "v.id DESC"),
        ("min_relevance=0.2&max_relevance=0.9", "v.relevance BETWEEN 0.2 AND 0.9", "v.id DESC"),
        ("type=text/html&sort=length&order=asc", "v.content_type = 'text/html'", "v.length, v.id"),
        ("text=DENGUE", "(v.title LIKE '%dengue%' OR u.url LIKE '%dengue%')", "v.id DESC"),
        ("host=nobody.test", "0", "v.id"),
    ],
)
def test_choices_and_orders_are_those_of_the_database(
    client: TestClient, finished_crawls: Path, query: str, condition: str, order: str
) -> None:
    wanted = database(finished_crawls).execute(
        "SELECT v.id FROM visits v JOIN urls u ON u.id = v.url JOIN hosts h ON h.id = u.host "
        f"WHERE {STANDING} AND {condition} ORDER BY {order}"
    )
    assert [row["visit"] for row in all_rows(client, query)] == [row[0] for row in wanted]


def test_empty_values_of_a_form_do_not_matter(client: TestClient) -> None:
    form = "text=&host=&language=&type=&error=&relevant=&min_relevance=&max_relevance=&since=&until=&every="
    assert client.get(f"{API}?{form}").json()["rows"] == client.get(API).json()["rows"]


def test_an_address_that_is_no_page_is_not_there(client: TestClient) -> None:
    for end in ("abc", "-1", "999999"):
        answer = client.get(f"/crawls/dengue/pages/{end}")
        assert answer.status_code == 404
        assert "Input should" not in answer.text


@pytest.mark.parametrize(
    "query",
    ["sort=title", "min_relevance=2", "min_relevance=nan", "since=yesterday", "offset=-1", "limit=9999"],
)
def test_a_wrong_question_is_refused_in_a_sentence(client: TestClient, query: str) -> None:
    answer = client.get(f"{API}?{query}")
    assert answer.status_code == 422
    assert isinstance(answer.json()["detail"], str)


def test_times_are_chosen_by_their_minute(client: TestClient, finished_crawls: Path) -> None:
    (last,) = (
        database(finished_crawls)
        .execute("SELECT strftime('%Y-%m-%dT%H:%M', MAX(at), 'unixepoch') FROM visits")
        .fetchone()
    )
    assert client.get(f"{API}?since=2100-01-01").json()["matching"] == 0
    assert client.get(f"{API}?until={last}").json()["matching"] < client.get(API).json()["matching"]
    assert (
        client.get(f"{API}?since=2000-01-01T00:00").json()["matching"] == client.get(API).json()["matching"]
    )


def test_looking_for_words_ends_in_time_and_goes_on_from_there(finished_crawls: Path) -> None:
    crawl = CrawlAtHand("dengue", finished_crawls / "dengue", ColumnShelf())
    ticks = count()
    found = find_pages(crawl, PageQuery(text="no page says this"), 0, 5, clock=lambda: float(next(ticks)))
    assert found.rows == []
    assert found.looked == found.matching  # a thousand rows are looked through before the clock is asked
    assert found.next is None


def test_the_screen_shows_its_filters_as_they_are_in_the_address(client: TestClient) -> None:
    page = client.get("/crawls/dengue/pages?relevant=yes&sort=relevance&text=dengue&min_relevance=0.5").text
    assert '<option value="yes" selected>' in page
    assert 'aria-sort="descending"><button type="button" class="sort" data-sort="relevance"' in page
    assert 'value="dengue"' in page
    assert 'value="0.5"' in page
    assert "pages.csv?sort=relevance&amp;relevant=yes&amp;min_relevance=0.5&amp;text=dengue" in page


def test_what_words_have_found_is_counted(client: TestClient) -> None:
    found = client.get(API, params={"text": "malaria"}).json()
    assert 0 < len(found["rows"]) < found["matching"]
    assert found["next"] is None
    shown = client.get("/crawls/dengue/pages", params={"text": "malaria"}).text
    assert f">{len(found['rows'])} found</span>" in shown


def test_titles_from_the_web_are_text_and_cut(own_client: TestClient, crawls_folder: Path) -> None:
    with database(crawls_folder) as connection:
        connection.execute(
            "UPDATE visits SET title = '<script>alert(1)</script>' || char(8238) || 'gpj.exe' WHERE id = 5"
        )
        connection.execute("UPDATE visits SET title = ? WHERE id = 6", ("x" * 10_000,))
    page = own_client.get("/crawls/dengue/pages?order=asc").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; gpj.exe" in page
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "x" * 301 not in page


def test_the_csv_has_all_chosen_rows_and_no_cell_that_a_spreadsheet_runs(
    own_client: TestClient, crawls_folder: Path
) -> None:
    with database(crawls_folder) as connection:
        connection.execute(
            "UPDATE visits SET title = '=HYPERLINK(1)' WHERE id = (SELECT MIN(id) FROM visits WHERE relevant)"
        )
    answer = own_client.get(f"{API}.csv?relevant=yes&sort=relevance")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == own_client.get(f"{API}?relevant=yes").json()["matching"]
    assert "'=HYPERLINK(1)" in {row["title"] for row in rows}
    assert float(rows[0]["relevance"]) >= float(rows[-1]["relevance"])
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"].startswith('attachment; filename="dengue-pages.csv"')
    words = own_client.get(f"{API}.csv?text=dengue").text
    assert len(list(csv.reader(io.StringIO(words)))) - 1 == len(all_rows(own_client, "text=dengue"))


def test_choices_name_what_there_is(client: TestClient) -> None:
    choices = client.get(f"{API}/choices").json()
    assert {"name": "en", "count": client.get(f"{API}?language=en").json()["matching"]} in choices[
        "languages"
    ]
    assert choices["hosts"][0]["count"] > 0
    assert [kind["name"] for kind in choices["errors"]]


def test_a_crawl_that_has_visited_nothing_says_so(crawls_folder: Path) -> None:
    with database(crawls_folder) as connection:
        connection.execute("DELETE FROM visits")
    with client_of(crawls_folder) as client:
        assert "has visited nothing yet" in client.get("/crawls/dengue/pages").text
        assert client.get(API).json()["rows"] == []
