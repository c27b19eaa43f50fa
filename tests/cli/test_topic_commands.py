"""honeyguide topic show, as a person uses it."""

import json
import re
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from command_line import honeyguide

from honeyguide.explaining import explain, telling
from honeyguide.model import Concept, Example, Level, Step, Term, Topic
from honeyguide.text.documents import Documents
from honeyguide.topics.toml import read_topic_file

TOPIC = """\
[topic]
name = "dengue fever"
description = "A disease that mosquitoes carry."
keywords = ["Aedes aegypti", "home", "the 2007"]
languages = ["en", "es"]
seeds = ["https://www.who.int/dengue"]
examples = ["pages/*.txt", {text = "Dengue haemorrhagic fever and its vaccine", title = "Vaccine"}]
off_topic = [{text = "Yellow fever in monkeys", title = "Monkeys"}]
vocabulary = {"dengue fever" = 50, "mosquito*" = 10, "malaria" = -20}
rules = ["News counts, shops do not."]
reject = ["add to cart"]

[judge]
use = "cosine"
threshold = 0.2
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.txt").write_text("Dengue is spread by Aedes mosquitoes.")
    path = tmp_path / "topic.toml"
    path.write_text(TOPIC)
    return path


def topic(*arguments: object, command: str = "show", code: int = 0) -> "subprocess.CompletedProcess[str]":
    return honeyguide("topic", command, *arguments, code=code)


def shown(*arguments: object) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(topic(*arguments, "--json").stdout)
    return figures


def test_all_that_a_topic_says_is_shown(file: Path) -> None:
    done = topic(file)
    assert done.stderr == ""
    for words in (
        "A disease that mosquitoes carry.",
        "en, es",
        "https://www.who.int/dengue",
        "Aedes aegypti, home, the 2007",
        "Vaccine",
        "Monkeys",
        "they say: dengue",
        "mosquito*",
        "-20",
        "News counts, shops do not.",
        "add to cart",
        "WordNet",
        "'home' is a common word",
        "No judge looks for the keyword 'the 2007'",
        "judges by levels have none",
    ):
        assert words in done.stdout, words
    assert re.search(r"^cosine +aegypti", done.stdout, re.MULTILINE)


def test_one_judge_is_shown_with_its_parameters(file: Path) -> None:
    figures = shown(file, "--judge", "cosine:title_weight=1")
    (opinion,) = figures["judges"]
    assert opinion["judge"] == "cosine"
    assert opinion["terms"][0]["what"] == "aegypti"
    amounts = [term["amount"] for term in opinion["terms"]]
    assert amounts == sorted(amounts, reverse=True)
    assert "'solomon' is none of the judges" in topic(file, "--judge", "solomon", code=2).stderr


def test_plain_words_are_a_topic_and_what_it_lacks_is_told() -> None:
    figures = shown("jaguar cars", "--judge", "cosine")
    assert figures["name"] == "jaguar cars"
    missing = {gap["what"]: gap["remedy"] for gap in figures["missing"]}
    assert "--seed" in missing["seeds"]
    assert "--keyword" in missing["keywords"]
    assert "--example" in missing["examples"]
    assert {"vocabulary", "branch", "languages"} <= set(missing)
    assert "background" not in missing


def test_in_other_languages_than_english_a_background_is_missing() -> None:
    explanation = explain(Topic("Denguefieber", languages=("de",)), [{"use": "blend"}])
    assert "usually like" in {gap.what: gap.meaning for gap in explanation.gaps}["background"]
    assert [term.what for term in explanation.opinions[0].terms] == ["denguefieber"]


def test_examples_on_the_web_are_not_fetched_unasked(tmp_path: Path) -> None:
    path = tmp_path / "web.toml"
    path.write_text('[topic]\nname = "dengue"\nexamples = ["http://127.0.0.1:1/a"]\n')
    figures = shown(path, "--judge", "cosine")
    assert figures["examples"] == [
        {"title": "", "url": "http://127.0.0.1:1/a", "weight": 1.0, "characters": 0}
    ]
    assert figures["missing"][0]["what"] == "1 text"
    assert "--fetch" in figures["missing"][0]["remedy"]
    assert "not read yet" in topic(path, "--judge", "cosine").stdout
    refused = topic(path, "--judge", "cosine", "--fetch", code=2).stderr
    assert "http://127.0.0.1:1/a" in refused


def test_files_are_read(file: Path) -> None:
    figures = shown(file, "--judge", "cosine")
    assert figures["examples"][0]["characters"] == len("Dengue is spread by Aedes mosquitoes.")
    assert all("text" not in gap["what"] for gap in figures["missing"])
    said = {word["word"]: word["examples"] for word in figures["words"]}
    assert said["dengue"] == 2
    assert said["home"] == 0


def test_what_is_no_topic_is_one_sentence(tmp_path: Path) -> None:
    for argument, words in (
        ("none.toml", "There is no file none.toml"),
        (tmp_path, "holds no crawl"),
        (" ", "The topic is empty"),
    ):
        done = topic(argument, code=2)
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        assert words in done.stderr


def test_control_characters_of_a_title_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.toml"
    path.write_text(
        '[topic]\nname = "a \\u001b[31m [bold]b"\nexamples = [{text = "x", title = "\\u001b]0;\\u0007"}]\n'
    )
    done = topic(path, "--judge", "cosine")
    assert "\x1b" not in done.stdout
    assert "[bold]b" in done.stdout


def test_words_that_texts_say_more_than_others_do_are_telling() -> None:
    documents = Documents()
    texts = [Example("the mosquito and the people"), Example("a mosquito bites people at home")]
    words = telling(texts, documents, most=2)
    assert words[0].what == "mosquito"
    assert len(words) == 2
    assert words[0].amount > words[1].amount
    again = Documents()
    again.read(Example("people home bites first so that numbers differ")).stems()
    assert telling(texts, again, most=2) == words


def test_ambiguities_are_told_with_their_reasons() -> None:
    texts = tuple(Example(f"text {n} about banks and rivers") for n in range(5))
    subject = Topic(
        "bank",
        keywords=("qqzzx", "river"),
        examples=texts,
        background=tuple(Example("rivers and boats") for _ in range(4)),
        vocabulary=(Term("loan", 1.0), Term("loan", 2.0)),
    )
    told = "\n".join(explain(subject, []).ambiguities)
    for words in (
        "'bank' is a common word",
        "'bank' means many things",
        "'qqzzx' is in no word list",
        "'qqzzx' is said by none of the 5 examples",
        "'river' stands in 4 of the 4 background texts",
        "'loan' more than once",
    ):
        assert words in told, words
    assert "'river' is a common" not in told


def test_levels_session_and_ontology_are_explained() -> None:
    subject = Topic(
        "bees",
        branch=(Level("bees", (Example("bees make honey in hives"),)), Level("insects")),
        session=(
            Step(Example("a page about honey"), True),
            Step(Example("", url="http://a.test/"), False),
        ),
        ontology=(Concept("1", ("bee",)),),
    )
    explanation = explain(subject, [{"use": "cosine"}])
    assert "honey" in {word.what for word in explanation.telling["level 1"]}
    assert "level 2" not in explanation.telling, "a level without examples says nothing"
    assert {word.word: word.senses for word in explanation.words} == {"bees": 1}
    assert explanation.gaps[0].what == "1 text"
    assert explanation.opinions[0].terms[0].what == "bees"


DUMP = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
<Topic r:id="Top/Science/Biology"/>
<ExternalPage about="http://life.example/"><d:Title>Life &amp; cells</d:Title>
  <topic>Top/Science/Biology</topic></ExternalPage>
<Topic r:id="Top/Science/Biology/Genetics"/>
<ExternalPage about="http://genes.example/"><d:Title>Genes</d:Title>
  <topic>Top/Science/Biology/Genetics</topic></ExternalPage>
</RDF>
"""


def test_a_branch_of_a_directory_becomes_a_topic_file(tmp_path: Path) -> None:
    (tmp_path / "content.rdf.u8").write_text(DUMP)
    out = tmp_path / "genetics.toml"
    imported = partial(topic, tmp_path / "content.rdf.u8", command="import-odp")
    said = imported("Science/Biology/Genetics", "--out", out).stdout
    assert "level 2     1 examples  Biology" in said
    made = read_topic_file(out)[0]
    assert made.name == "Genetics"
    assert made.seeds == ("http://genes.example/",)
    assert [level.name for level in made.branch] == ["Genetics", "Biology", "Science"]
    again = imported("Science/Biology/Genetics", "--out", out, code=2)
    assert "exists" in again.stderr
    unknown = imported("Science/Biology/Genetic", code=2)
    assert "did you mean Top/Science/Biology/Genetics?" in unknown.stderr
