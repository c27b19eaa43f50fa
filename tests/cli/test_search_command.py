"""Searching a crawl as a person does."""

import csv
import json
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest
from command_line import honeyguide
from made_up import MadeUpCrawl

from honeyguide import SearchEngine
from honeyguide.cli import main, search
from honeyguide.config import to_toml
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.errors import ConfigError
from honeyguide.search.index import Index
from honeyguide.search.ranking import Ranking
from honeyguide.search.results import Request


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with serving() as web:
        yield web


@pytest.fixture(scope="module")
def finished(web: ServedWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("searched")
    topic = folder / "topic.toml"
    topic.write_text(
        to_toml(
            {
                "topic": {"name": "dengue fever", "seeds": list(web.seeds)},
                "dns": {"hosts": web.hosts, "allow_private": list(web.hosts)},
                "politeness": {"delay": 0.02, "first_back_off": 0.2},
                "robots": {"retry_after": 1.0},
                "fetch": {"connect_timeout": 2.0, "timeout": 5.0},
            }
        ),
        encoding="utf-8",
    )
    honeyguide("crawl", topic, "--pages", 60, "--out", folder / "crawl")
    return folder / "crawl"


class Answer(NamedTuple):
    """What the program said."""

    stdout: str
    stderr: str


class Ask(Protocol):
    """Runs honeyguide search."""

    def __call__(self, *arguments: object, code: int = 0) -> Answer: ...


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """The command in this process, because starting one for every question takes far longer than answering it."""

    def run(*arguments: object, code: int = 0) -> Answer:
        monkeypatch.setattr(sys, "argv", ["honeyguide", "search", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        answer = Answer(*capsys.readouterr())
        assert end.value.code == code, answer
        return answer

    return run


def test_a_crawl_that_ends_can_be_searched_at_once(ask: Ask, finished: Path) -> None:
    state = json.loads((finished / "search" / "state.json").read_text())
    with sqlite3.connect(finished / "crawl.db") as database:
        assert state["visit"] == database.execute("SELECT MAX(id) FROM visits").fetchone()[0]
    found = json.loads(ask(finished, "dengue mosquitoes", "--no-update", "--json").stdout)
    assert found["total"] >= 5
    assert len(found["hits"]) == min(10, found["total"])
    first = found["hits"][0]
    assert {"url", "title", "score", "text", "relevance", "authority", "snippet"} <= set(first)
    assert first["score"] == pytest.approx(
        first["text"] * (1 + first["relevance"] + 0.5 * first["authority"])
    )
    assert any(marked for _, marked in first["snippet"])


def test_results_are_shown_with_their_words_and_scores(ask: Ask, finished: Path) -> None:
    shown = ask(finished, "mosquito", "--limit", 2, "--facets").stdout
    assert "1. " in shown
    assert "*mosquito" in shown.lower()
    assert "score" in shown
    assert "1 to 2 of" in shown
    assert "language en" in shown
    second = ask(finished, "mosquito", "--limit", 2, "--page", 2).stdout
    assert "\n3. " in "\n" + second
    assert "no more results" in ask(finished, "mosquito", "--page", 900).stdout
    assert "No page answers" in ask(finished, "xyzzy").stdout


def test_filters_feedback_and_order(ask: Ask, finished: Path) -> None:
    def answer(*options: object) -> dict[str, list[dict[str, object]]]:
        return json.loads(ask(finished, *options, "--json").stdout)  # type: ignore[no-any-return]

    everything = answer("dengue", "--limit", 100)["hits"]
    relevant = answer("dengue", "--relevant", "yes", "--limit", 100)["hits"]
    assert 0 < len(relevant) <= len(everything)
    assert all(hit["relevant"] for hit in relevant)
    url, host = str(everything[0]["url"]), str(everything[0]["host"])
    assert {hit["host"] for hit in answer("", "--host", host)["hits"]} == {host}
    assert {hit["language"] for hit in answer("", "--language", "English")["hits"]} == {"en"}
    dates = [str(hit["fetched_at"]) for hit in answer("", "--sort", "newest")["hits"]]
    assert dates == sorted(dates, reverse=True)
    assert url not in [hit["url"] for hit in answer("--like", url)["hits"]]
    assert answer("dengue", "--good", url, "--bad", str(everything[-1]["url"]))["terms"]


def test_a_search_is_saved_run_again_and_listed(ask: Ask, finished: Path) -> None:
    once = ask(finished, "dengue fever", "--relevant", "yes", "--save", "fever", "--json").stdout
    assert ask(finished, "--saved", "fever", "--json").stdout == once
    assert ask(finished, "--saved", "list").stdout == "fever: dengue fever\n"
    both = ask(finished, "malaria", "--saved", "fever", code=2)
    assert "as it was kept" in both.stderr


def test_results_are_exported(ask: Ask, finished: Path, tmp_path: Path) -> None:
    total = json.loads(ask(finished, "dengue", "--json").stdout)["total"]
    ask(finished, "dengue", "--limit", 3, "--export", tmp_path / "found.csv")
    with (tmp_path / "found.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == total
    ask(finished, "dengue", "--export", tmp_path / "found.jsonl")
    lines = (tmp_path / "found.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["rank"] for line in lines] == list(range(1, total + 1))
    again = ask(finished, "dengue", "--export", tmp_path / "found.csv", code=2)
    assert "--force" in again.stderr
    wrong = ask(finished, "dengue", "--export", tmp_path / "found.xls", code=2)
    assert ".csv or .jsonl" in wrong.stderr
    nowhere = ask(finished, "dengue", "--export", tmp_path / "no" / "found.csv", code=2)
    assert "cannot be used" in nowhere.stderr


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (['"dengue'], "quotation mark"),
        (["colour:red"], "no field colour"),
        (["--like", "https://nowhere.test/"], "not among the pages"),
        (["--saved", "unheard-of"], "no saved search"),
        (["dengue", "--save", "a b"], "saved search's name"),
        (["date:today"], "no date"),
    ],
)
def test_what_cannot_be_searched_is_one_sentence(
    ask: Ask, finished: Path, options: list[str], complaint: str
) -> None:
    done = ask(finished, *options, code=2)
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_folder_without_a_crawl_is_one_sentence(ask: Ask, tmp_path: Path) -> None:
    assert "holds no crawl" in ask(tmp_path, "dengue", code=2).stderr


def test_an_index_that_is_damaged_deep_inside_is_rebuilt(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    shutil.copytree(finished, folder)
    whole = SearchEngine(folder).search("dengue mosquito", facets=True)
    for file in (folder / "search" / "index").glob("*.store"):
        data = bytearray(file.read_bytes())
        data[len(data) // 4 : len(data) // 2] = bytes(len(data) // 2 - len(data) // 4)
        file.write_bytes(data)
    again = SearchEngine(folder).search("dengue mosquito", facets=True)
    assert [hit.url for hit in again.hits] == [hit.url for hit in whole.hits]
    assert again.facets == whole.facets


def test_the_engine_says_how_far_it_is_behind(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    shutil.copytree(finished, folder)
    shutil.rmtree(folder / "search")
    engine = SearchEngine(folder, refresh=False)
    assert engine.behind() >= 60
    assert engine.search("dengue").total == 0
    engine.refresh()
    assert engine.behind() == 0
    hit = engine.search("dengue").hits[0]
    assert engine.like(hit.url, limit=3).hits
    with pytest.raises(ConfigError, match="no such option"):
        engine.search("dengue", colour="red")
    with pytest.raises(ConfigError, match="sorted by"):
        engine.search("dengue", sort="size")


def test_a_crawl_that_may_not_spend_time_on_it_leaves_no_index(
    ask: Ask, web: ServedWeb, tmp_path: Path
) -> None:
    topic = tmp_path / "topic.toml"
    topic.write_text(
        to_toml(
            {
                "topic": {"name": "dengue fever", "seeds": list(web.seeds)},
                "dns": {"hosts": web.hosts, "allow_private": list(web.hosts)},
                "politeness": {"delay": 0.02},
                "search": {"seconds_at_end": 0.0},
            }
        ),
        encoding="utf-8",
    )
    honeyguide("crawl", topic, "--pages", 3, "--out", tmp_path / "crawl")
    assert not (tmp_path / "crawl" / "search").exists()
    assert json.loads(ask(tmp_path / "crawl", "--json").stdout)["total"] > 0


def test_nothing_from_a_page_steers_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = MadeUpCrawl().add(
        "https://a.example/",
        "\x1b[31m dengue\x9b2J \u202e[bold]x[/bold]",
        title="\x1b]0;owned\x07[red]T",
        label="\x1b[2J",
        relevance=1.0,
    )
    index = Index.open(tmp_path)
    index.update(crawl)
    search._show(index.search(Request("dengue", facets=True)), Ranking())
    shown = capsys.readouterr().out
    assert all(line.isprintable() for line in shown.splitlines())
    assert "[red]T" in shown
    assert "[bold]x[/bold]" in shown
