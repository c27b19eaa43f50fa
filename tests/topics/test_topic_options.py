"""Topics on the command line: what honeyguide crawl takes, says, and refuses."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import command_line
import pytest

from honeyguide.assemble import load
from honeyguide.config import to_toml
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.model import Term


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with serving() as web:
        yield web


def honeyguide(folder: Path, *arguments: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
    contact = os.environ | {"HONEYGUIDE_CONTACT": "me@example.org"}
    return command_line.honeyguide(*arguments, code=code, cwd=folder, env=contact)


def write_topic(web: ServedWeb, folder: Path) -> None:
    settings = {
        "topic": {"name": "dengue fever", "seeds": list(web.seeds)},
        "dns": {"hosts": web.hosts, "allow_private": list(web.hosts)},
        "politeness": {"delay": 0.02},
    }
    (folder / "topic.toml").write_text(to_toml(settings), encoding="utf-8")


def test_a_topic_can_be_given_on_the_command_line(web: ServedWeb, tmp_path: Path) -> None:
    write_topic(web, tmp_path)
    (tmp_path / "a.html").write_text("<main><p>Dengue fever is a disease.</p></main>")
    (tmp_path / "b.txt").write_text("Malaria is another.")
    (tmp_path / "terms.txt").write_text("50 dengue fever\n-20: malaria=X\n")
    (tmp_path / "branch" / "Health" / "Dengue").mkdir(parents=True)
    (tmp_path / "branch" / "Health" / "Dengue" / "c.txt").write_text("Dengue.")
    done = honeyguide(
        tmp_path,
        *("crawl", "topic.toml", "--pages", "3", "--out", "c", "--json"),
        *("--example", "a.html", "--example", web.seeds[0], "--off-topic", "b.txt"),
        *("--example", f"{web.seeds[0]}no-such-page"),
        *("--vocabulary", "terms.txt", "--branch", "branch", "--language", "en", "--diverse"),
    )
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events[:3]] == ["say", "say", "start"]
    assert events[0]["text"] == "Reading 5 examples, 2 from the web."
    assert events[1]["text"].startswith("One example is left out: ")
    topic, settings = load(tmp_path / "c")
    assert (settings["strategy"]["use"], settings["strategy"]["diverse"]) == ("guide", 1.0)
    assert topic.examples[0].text == "Dengue fever is a disease."
    assert [example.url for example in topic.examples[1:]] == [web.seeds[0]]
    assert [example.text for example in topic.off_topic] == ["Malaria is another."]
    assert topic.vocabulary == (Term("dengue fever", 50.0), Term("malaria", -20.0, "X"))
    assert [level.name for level in topic.branch] == ["Dengue", "Health"]
    assert topic.languages == ("en",)


def test_what_is_being_read_is_said(web: ServedWeb, tmp_path: Path) -> None:
    write_topic(web, tmp_path)
    (tmp_path / "a.txt").write_text("Dengue fever is a disease.")
    done = honeyguide(tmp_path, "crawl", "topic.toml", "--pages", "1", "--out", "c", "-e", "a.txt")
    assert done.stderr == "honeyguide: Reading 1 example.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--example", "nowhere.html"], "--example: there is no file nowhere.html"),
        (["--off-topic", "empty.txt"], "--off-topic: the file empty.txt is empty."),
        (["--vocabulary", "nowhere.txt"], "There is no file nowhere.txt."),
        (["--vocabulary", "empty.txt"], "empty.txt holds no term"),
        (["--branch", "nowhere"], "--branch: there is no folder nowhere"),
        (["--example", "http://127.0.0.1:9/"], "No example could be read: http://127.0.0.1:9/ (private-address"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_sentence_and_exit_code_2(
    tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "empty.txt").write_text("")
    done = honeyguide(tmp_path, "crawl", "dengue", "--seed", "https://a.org/", *arguments, code=2)
    assert sentence in done.stderr.splitlines()[-1]
    assert not (tmp_path / "crawls").exists()
