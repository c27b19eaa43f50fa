"""honeyguide steer: ask something of a crawl, whether it runs or not, and hear what came of it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import honeyguide
from demo_crawl import demo_settings

from honeyguide.api import crawl
from honeyguide.assemble import create
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.model import Topic


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with serving() as web:
        yield web


@pytest.fixture
def folder(web: ServedWeb, tmp_path: Path) -> Path:
    settings = demo_settings(web, strategy="best-first", pages=0, delay=0.2)
    settings |= {"judge": {"use": "cosine"}, "reading": {"processes": 0}}
    create(tmp_path / "crawl", Topic("dengue fever", seeds=web.seeds), settings)
    return tmp_path / "crawl"


def test_a_running_crawl_is_steered_from_another_terminal(folder: Path) -> None:
    run = crawl("dengue fever", out=folder)
    for visit in run:
        if visit.number == 3:
            break_off = honeyguide("steer", folder, "pause", "--by", "ada").stdout
            assert break_off == "The crawl is paused; what was in flight is finished and kept.\n"
            shown = honeyguide("status", folder).stdout
            assert "ada has paused the crawl" in " ".join(shown.split())
            done = honeyguide("steer", folder, "seeds", "no address", code=2)
            assert done.stderr == ("honeyguide: 0 seeds are new, 1 was refused (not a web address).\n")
            assert honeyguide("steer", folder, "block", "a.example").stdout.startswith("a.example is blocked")
            assert "10,000 pages" in honeyguide("steer", folder, "budget", "--pages", "10000").stdout
            assert honeyguide("steer", folder, "resume").stdout == "The crawl goes on.\n"
            assert honeyguide("steer", folder, "stop").stdout == "The crawl has stopped; it can be resumed.\n"
    status = json.loads(honeyguide("status", folder, "--json").stdout)
    assert (status["health"], status["pending"]) == ("interrupted", 0)


def test_what_is_asked_of_a_crawl_that_does_not_run_waits_for_it(folder: Path) -> None:
    done = honeyguide("steer", folder, "block", "a.example")
    assert "Request 1, block, is written down. It is done when the crawl is resumed" in done.stdout
    assert "1 request has no answer yet" in honeyguide("status", folder).stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("pause",), "No crawl runs in"),
        (("block",), "Name one host"),
        (("block", "a.example", "b.example"), "Name one host"),
        (("seeds",), "Name the pages to start from"),
        (("budget",), "Say how much"),
        (("stop", "now"), "stop takes no 'now'"),
        (("pause", "--pages", "3"), "--pages belongs to"),
        (("block", "a.example", "--by", " "), "--by must name somebody"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(
    folder: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in honeyguide("steer", folder, *arguments, code=2).stderr


def test_a_folder_without_a_crawl_is_said_so(tmp_path: Path) -> None:
    assert "holds no crawl" in honeyguide("steer", tmp_path, "stop", code=2).stderr


def test_a_spent_crawl_goes_on_after_its_budget_was_raised(web: ServedWeb, folder: Path) -> None:
    honeyguide("resume", folder, "--pages", "5")
    assert "is spent; raise it" in honeyguide("resume", folder, code=2).stderr
    honeyguide("steer", folder, "budget", "--pages", "8")
    honeyguide("resume", folder)
    assert json.loads(honeyguide("status", folder, "--json").stdout)["pages"] == 8
