"""What strategies learn from before a crawl, and that they need it once."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from handmade_crawl import Made, make_crawl
from small_web import html, write_corpus, zoo

from honeyguide.assemble import assembled, create, trained_strategy
from honeyguide.assemble import resolve_settings as resolve
from honeyguide.errors import ConfigError, ErrorKind
from honeyguide.fetch.offline import OfflineWeb
from honeyguide.model import Candidate, Link, Page, Response, Topic, Verdict, Visit
from honeyguide.opening import open_collection
from honeyguide.parse.pages import PageParser
from honeyguide.training import JudgedLog, RecordedCrawl, Training

BIRDS = Topic("birds", keywords=("feathers", "wings", "eggs"), seeds=("https://seed.example/",))
A, B, C, D, OLD = (f"http://web.test/{name}/x" for name in "abcdo")


class Strict:
    """A judge that finds only one word relevant."""

    def __init__(self, word: str) -> None:
        self.word = word

    def assess(self, page: Page) -> Verdict:
        found = self.word in page.text
        return Verdict(float(found), found, judge="strict")


class Visits:
    def __init__(self, *visits: Visit) -> None:
        self.visits = visits

    def __iter__(self) -> Iterator[Visit]:
        return iter(self.visits)

    def __len__(self) -> int:
        return len(self.visits)

    def backlinks(self, url: str) -> Iterable[str]:
        return [visit.url for visit in self.visits if visit.page and url in map(_url, visit.page.links)]


def _url(link: Link) -> str:
    return link.url


def visit(url: str, text: str, **more: Any) -> Visit:
    page = Page(url, text=text, links=(Link(A),))
    return Visit(Candidate(Link(url), 0.0), Response(url, 200), page, Verdict(0.5, True), **more)


@pytest.fixture
def web(tmp_path: Path) -> Path:
    pages = {
        A: html("A", "first", (OLD, C)),
        B: html("B", "second", (A,)),
        C: html("C", "third", (B, C, "http://web.test/nowhere/x")),
        D: html("D", "alone", ()),
    }
    return write_corpus(tmp_path / "web", pages, [], redirects={OLD: B})


def recorded(folder: Path) -> RecordedCrawl:
    return RecordedCrawl(OfflineWeb.open([folder / "web.warc"]), PageParser())


def test_a_recorded_web_is_read_as_if_it_had_been_crawled_breadth_first(web: Path) -> None:
    visits = list(recorded(web))
    assert [(one.url, one.page.url if one.page else "") for one in visits] == [
        (A, A),
        (OLD, B),
        (C, C),
        (D, D),
    ]
    assert [(one.candidate.link.source, one.candidate.depth) for one in visits] == [
        ("", 0),
        (A, 1),
        (A, 1),
        ("", 0),
    ]
    assert visits[2].candidate.link.anchor == "c number /x"
    assert [one.number for one in visits] == [1, 2, 3, 4]
    assert len(recorded(web)) == 4
    assert list(recorded(web).backlinks(B)) == [C]
    assert list(recorded(web).backlinks(OLD)) == [A]


def test_a_page_that_cannot_be_read_is_a_failed_visit(web: Path) -> None:
    class Helpless:
        def parse(self, response: Response) -> Page:
            from honeyguide.errors import ParseError

            raise ParseError(ErrorKind.PARSE, "too hard")

    visits = list(RecordedCrawl(OfflineWeb.open([web / "web.warc"]), Helpless()))
    assert {(one.error, one.detail, one.status) for one in visits} == {(ErrorKind.PARSE, "too hard", 200)}


def test_pages_are_judged_as_the_new_crawl_judges() -> None:
    kept = visit(B, "wanted words")
    log = JudgedLog(
        Visits(
            visit(A, "other words"),
            kept,
            visit(C, "wanted", duplicate_of=B),
            Visit(Candidate(Link(D), 0.0), error=ErrorKind.TIMEOUT),
        ),
        Strict("wanted"),
    )
    assert not log.was_read
    assert [one.verdict and one.verdict.score for one in log] == [0.0, 1.0, 0.5, None]
    assert log.was_read
    assert (len(log), list(log.backlinks(A))) == (4, [A, B, C])


async def test_an_earlier_crawl_gives_pages_links_and_verdicts(tmp_path: Path) -> None:
    text = "Birds have feathers. " * 20
    folder = make_crawl(tmp_path / "earlier", [Made(A, False, text=text), Made(B, True, noindex=True)])
    with open_collection(folder) as collection:
        first, second = JudgedLog(collection.log(), Strict("feathers"))
    assert first.page is not None
    assert "Birds have feathers." in first.page.text
    assert (first.relevant, first.verdict and first.verdict.judge) == (True, "strict")
    assert second.verdict is not None
    assert second.verdict.judge == "made@1"


def trained(folder: Path, path: Path, use: str = "hmm", **more: Any) -> None:
    create(folder, BIRDS, {"strategy": {"use": use, **more}, "training": {"path": str(path)}})


async def test_a_strategy_learns_from_a_recorded_web_once(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "zoo", zoo(), [])
    trained(tmp_path / "crawl", corpus)
    warnings: list[str] = []
    async with assembled(tmp_path / "crawl", warn=warnings.append) as crawl:
        learned = crawl.strategy.state()
    assert "model" in learned
    shutil.rmtree(corpus)
    async with assembled(tmp_path / "crawl", warn=warnings.append) as crawl:
        again = crawl.strategy.state()
    np.testing.assert_equal(again, learned)
    assert warnings == []


async def test_what_was_learned_is_there_even_if_the_crawl_is_killed_at_once(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "zoo", zoo(), [])
    trained(tmp_path / "crawl", corpus)
    async with assembled(tmp_path / "crawl"):
        shutil.copytree(tmp_path / "crawl", tmp_path / "killed")
    shutil.rmtree(corpus)
    async with assembled(tmp_path / "killed") as crawl:
        assert "model" in crawl.strategy.state()


async def test_material_that_has_gone_before_it_was_learned_from_is_one_sentence(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "zoo", zoo(), [])
    trained(tmp_path / "crawl", corpus)
    corpus.rename(tmp_path / "moved")
    with pytest.raises(ConfigError, match=r"nothing to train with.*training.path"):
        async with assembled(tmp_path / "crawl"):
            pass
    async with assembled(
        tmp_path / "crawl", changes={"training": {"path": str(tmp_path / "moved")}}
    ) as crawl:
        assert "model" in crawl.strategy.state()


async def test_other_material_makes_another_strategy(tmp_path: Path) -> None:
    one, other = (write_corpus(tmp_path / name, zoo(), []) for name in ("one", "other"))
    trained(tmp_path / "crawl", one)
    async with assembled(tmp_path / "crawl"):
        shutil.rmtree(other)
    with pytest.raises(ConfigError, match="nothing to train with"):
        async with assembled(tmp_path / "crawl", changes={"training": {"path": str(other)}}):
            pass


async def test_a_strategy_that_learns_nothing_before_says_so(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "zoo", zoo(), [])
    trained(tmp_path / "crawl", corpus, "best-first")
    warnings: list[str] = []
    async with assembled(tmp_path / "crawl", warn=warnings.append):
        pass
    assert warnings == [
        "The strategy best-first learns nothing before a crawl; --train makes no difference to it."
    ]
    shutil.rmtree(corpus)
    async with assembled(tmp_path / "crawl", warn=warnings.append):
        assert len(warnings) == 1


def test_what_is_inside_another_strategy_learns_too(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "zoo", zoo(), [])
    warnings: list[str] = []
    tables = {"strategy": {"use": "n-best-first", "of": "hmm"}, "training": {"path": str(corpus)}}
    trained_strategy(resolve(tables, BIRDS), BIRDS, warnings.append)
    assert warnings == []


def test_what_is_neither_a_crawl_nor_an_archive_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("no archive")
    for wrong in ("empty", "notes.txt", "nowhere"):
        with pytest.raises(ConfigError, match=f"{wrong} is nothing to train with"):
            trained(tmp_path / "crawl", tmp_path / wrong)
        assert not (tmp_path / "crawl").exists()
    Training().check()


def test_the_material_is_found_again_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_corpus(tmp_path / "zoo", zoo(), [])
    monkeypatch.chdir(tmp_path)
    assert resolve({"training": {"path": "zoo"}}, BIRDS)["training"] == {"path": str(tmp_path / "zoo")}
