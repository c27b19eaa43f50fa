"""A crawl says what its topic might gain: terms, examples, and pages worth labelling."""

import json
import tomllib
from pathlib import Path

import pytest
import typer
from demo_crawl import crawl_demo
from handmade_crawl import Made, make_crawl
from typer.testing import CliRunner

from honeyguide.assemble import load
from honeyguide.cli.labelling import grow, label
from honeyguide.demo.server import serving
from honeyguide.errors import CrawlError
from honeyguide.growing import Proposal, propose, to_toml
from honeyguide.model import Example, Topic
from honeyguide.opening import open_collection
from honeyguide.store.labels import LabelBook
from honeyguide.store.schema import connect
from honeyguide.topics.toml import read_topic_file

app = typer.Typer()
app.command()(label)
app.command()(grow)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("growing") / "crawl"
    with serving() as web:
        crawl_demo(web, folder, pages=80, delay=0.01)
    return folder


def proposals(folder: Path, topic: Topic | None = None, **wanted: int) -> Proposal:
    with open_collection(folder) as collection:
        return propose(collection, topic or load(folder)[0], **wanted)


def test_a_real_crawl_proposes_the_words_of_its_topic(demo: Path) -> None:
    found = proposals(demo)
    assert found.relevant_pages > 10
    assert found.other_pages > 10
    texts = [term.text for term in found.terms]
    assert any("mosquito" in text or "aedes" in text for text in texts), texts
    assert "dengue fever" not in texts
    assert found.terms[0].weight == 100
    assert [term.weight for term in found.terms] == sorted(
        (term.weight for term in found.terms), reverse=True
    )
    assert {source for term in found.terms for source in term.sources} >= {"text"}
    assert len({page.url.split("/")[2] for page in found.examples}) >= 3
    assert found == proposals(demo)


def made(texts: list[tuple[str, bool, str]]) -> list[Made]:
    return [
        Made(f"https://{host}/{n}", relevant, f"Page {n}", text, fingerprint=n + 1)
        for n, (host, relevant, text) in enumerate(texts)
    ]


LARVAE = "Larvae are counted. The breteau index says how many larvae live there."
BOILERPLATE = "Our newsletter arrives weekly. The newsletter is free."


def test_the_words_of_one_site_and_those_of_other_pages_are_no_terms(tmp_path: Path) -> None:
    pages = made(
        [
            ("a.example", True, f"{LARVAE} Weather matters. Acme tools help. Acme tools work."),
            ("a.example", True, f"{LARVAE} Acme tools are here. Acme tools help."),
            ("b.example", True, f"{LARVAE} The weather matters."),
            ("c.example", False, "The weather today. Weather reports."),
            ("d.example", False, "The weather today is fine weather."),
        ]
    )
    found = proposals(make_crawl(tmp_path / "crawl", pages))
    texts = {term.text for term in found.terms}
    assert texts & {"breteau index", "larvae", "breteau"}
    assert not texts & {"acme tools", "acme", "tools", "weather"}


def test_people_are_believed_before_the_judge(tmp_path: Path) -> None:
    folder = make_crawl(
        tmp_path / "crawl",
        made(
            [
                ("a.example", True, BOILERPLATE),
                ("b.example", True, BOILERPLATE),
                ("c.example", False, LARVAE),
                ("d.example", False, LARVAE),
            ]
        ),
    )
    with LabelBook(folder) as book:
        for number, relevant in ((1, False), (2, False), (3, True), (4, True)):
            host = "abcd"[number - 1]
            book.write(f"https://{host}.example/{number - 1}", number, relevant, "ada")
    found = proposals(folder)
    assert [page.url for page in found.examples] == ["https://c.example/2", "https://d.example/3"]
    assert found.borderline == ()
    assert "newsletter" not in {term.text for term in found.terms}
    assert {term.text for term in found.terms} & {"larvae", "breteau index"}


def test_what_the_topic_has_is_not_proposed_again(tmp_path: Path) -> None:
    folder = make_crawl(tmp_path / "crawl", made([(f"{h}.example", True, LARVAE) for h in "abc"]))
    topic = Topic("larvae", keywords=("Breteau index",), examples=(Example("x", url="https://a.example/0"),))
    found = proposals(folder, topic, examples=5)
    assert not {term.text for term in found.terms} & {"larvae", "breteau index"}
    assert [page.url for page in found.examples] == ["https://b.example/1", "https://c.example/2"]


def test_a_crawl_without_pages_on_topic_says_so(tmp_path: Path) -> None:
    folder = make_crawl(tmp_path / "crawl", made([("a.example", False, LARVAE)]))
    with pytest.raises(CrawlError, match="no pages on topic to learn from"):
        proposals(folder)


def test_a_crawl_that_an_older_version_made_can_be_grown_from(tmp_path: Path) -> None:
    folder = make_crawl(tmp_path / "crawl", made([(f"{h}.example", True, LARVAE) for h in "ab"]))
    with connect(folder / "crawl.db") as database:
        database.execute("DROP TABLE labels")
        database.execute("PRAGMA user_version = 1")
    database.close()
    assert len(proposals(folder).borderline) == 2


def test_the_file_that_is_written_is_a_topic_file(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "grown.toml"
    done = CliRunner().invoke(app, ["grow", str(demo), "--terms", "5", "--examples", "3", "--out", str(file)])
    assert done.exit_code == 0, done.exception
    assert "5 terms and 3 examples written" in done.output
    topic, _ = read_topic_file(file)
    assert topic.name == "dengue fever"
    assert len(topic.vocabulary) == 5
    assert len(topic.examples) == 3
    again = CliRunner().invoke(app, ["grow", str(demo), "--out", str(file)])
    assert isinstance(again.exception, CrawlError)


def test_titles_with_odd_characters_do_not_break_the_file(tmp_path: Path) -> None:
    odd = 'A "title"\n[scope]\x1b[2J # \\'
    pages = [Made(f"https://{h}.example/", True, odd, LARVAE, fingerprint=ord(h)) for h in "ab"]
    folder = make_crawl(tmp_path / "crawl", pages)
    text = to_toml(proposals(folder), Path("odd\nfolder"))
    assert set(tomllib.loads(text)) == {"topic"}
    assert "\x1b" not in text


def test_proposals_are_printed_or_given_as_json(demo: Path) -> None:
    shown = CliRunner().invoke(app, ["grow", str(demo)], env={"COLUMNS": "120"}).output
    for words in ("pages on topic beside", "Examples", "Worth labelling", "--out FILE"):
        assert words in shown
    found = json.loads(CliRunner().invoke(app, ["grow", str(demo), "--json"]).output)
    assert len(found["terms"]) == 30
    assert len(found["examples"]) == 10
