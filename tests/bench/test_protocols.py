"""The protocol of the universities, and protocols that people write themselves."""

import hashlib
import os
from pathlib import Path

import pytest
from made_archive import record, redirect
from made_archive import write as write_archive
from small_web import OTHERS, write_universities, write_zoo

from honeyguide.bench import protocol_k, protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.protocol_file import read_protocol
from honeyguide.errors import ConfigError

CORPORA = os.environ.get("HONEYGUIDE_CORPORA", "")
needs_corpora = pytest.mark.skipif(not CORPORA, reason="HONEYGUIDE_CORPORA names no folder of corpora")


@pytest.fixture(scope="module")
def universities(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("universities")
    return Corpus.open(write_universities(folder / "corpus"), cache=folder / "cache")


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("zoo")
    return Corpus.open(write_zoo(folder / "corpus"), cache=folder / "cache")


def test_every_university_is_a_web_of_its_own_from_its_department_page(universities: Corpus) -> None:
    tasks = protocol_k.tasks(universities, topics=["student"])
    assert [(task.name, task.group, task.setting) for task in tasks] == [
        ("student", name, "query") for name in ("cornell", "texas", "washington", "wisconsin")
    ]
    for task in tasks:
        assert task.topic.seeds == (f"http://www.cs.{task.group}.test/",)
        assert task.within is not None
        assert all(f".{task.group}." in url for url in task.within)
        assert task.budget == 0


def test_recall_is_relative_to_what_can_be_reached(universities: Corpus) -> None:
    task = protocol_k.tasks(universities, topics=["student"])[0]
    lost = "http://www.cs.cornell.test/people/lost"
    assert lost in task.relevant
    assert lost not in task.targets
    assert len(task.targets) == 6


def test_the_query_of_the_paper_is_the_topic_and_nothing_is_labelled(universities: Corpus) -> None:
    task = protocol_k.tasks(universities, topics=["student"])[0]
    query = (task.topic.name, *task.topic.keywords)
    assert " ".join(query) == "student university interests favourite activities graduate home"
    assert task.topic.examples == task.topic.background == ()
    texts = {example.url for example in task.topic.corpus}
    assert not any(".cornell." in url for url in texts)
    for name in ("texas", "washington", "wisconsin", "misc"):
        assert f"http://www.cs.{name}.test/" in texts


def test_examples_come_from_the_other_three_universities(universities: Corpus) -> None:
    tasks = protocol_k.tasks(universities, settings=["5-examples", "20-examples"], topics=["student"])
    assert {task.setting for task in tasks} == {"5-examples", "20-examples"}
    task = tasks[0]
    students = [
        f"http://www.cs.{name}.test/people/{page}"
        for n, name in ((1, "texas"), (2, "washington"), (3, "wisconsin"))
        for page in (*(f"student{k}" for k in range(6 + n)), "lost")
    ]
    first = sorted(students, key=lambda url: hashlib.sha256(f"{url}student".encode()).hexdigest())[:5]
    assert [example.url for example in task.topic.examples] == first
    background = [example.url for example in task.topic.background]
    assert background
    assert not set(background) & set(first)
    assert not any(".cornell." in url or ".misc." in url for url in background)
    assert protocol_k.tasks(universities, topics=["student"], examples=5)[0].topic == task.topic


@pytest.mark.parametrize(
    ("arguments", "words"),
    [({"topics": ["staff"]}, "course, faculty"), ({"settings": ["near"]}, "query, 5-examples")],
)
def test_what_protocol_k_does_not_know_is_said(
    universities: Corpus, arguments: dict[str, list[str]], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        protocol_k.tasks(universities, **arguments)  # type: ignore[arg-type]


def test_protocol_k_needs_universities(zoo: Corpus) -> None:
    with pytest.raises(ConfigError, match="third column"):
        protocol_k.tasks(zoo)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_protocol_file_has_its_own_numbers_topics_and_seeds(zoo: Corpus, tmp_path: Path) -> None:
    file = write(
        tmp_path / "mine.toml",
        f"""
        [protocol]
        labels = "other.tsv"
        settings = ["near", "given"]
        smallest = 6
        examples = 3
        background = 20
        seeds = 2
        pages = 50

        [topics."Animals/Birds"]
        name = "feathered friends"
        keywords = ["wings"]
        seeds = ["{OTHERS[3]}"]
        """,
    )
    protocol = read_protocol(file)
    assert protocol.labels == tmp_path / "other.tsv"
    tasks = protocol.tasks(zoo)
    assert [(task.setting, task.name) for task in tasks] == [
        ("near", "Animals"),
        ("near", "Animals/Birds"),
        ("near", "Animals/Fish"),
        ("near", "Stones"),
        ("given", "Animals/Birds"),
    ]
    given = tasks[-1]
    assert given.topic.name == "feathered friends"
    assert given.topic.keywords == ("wings",)
    assert given.topic.seeds == (OTHERS[3],)
    assert len(given.topic.examples) == 3
    assert given.budget == 50
    assert given.settings["protocol"] == "mine"
    assert protocol.tasks(zoo, settings=["near"], topics=["Animals/Fish"], pages=9)[0].budget == 9


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[protocol]\nbudget = 3", "has no key budget"),
        ("[protocol]\npages = 'many'", "whole number"),
        ("[protocol]\npages = -1", "cannot be -1"),
        ("[protocol", "not valid TOML"),
        ("[other]", "no place for other"),
        ("protocol = 3", "must be a table"),
        ("[topics]\nBirds = 1", "must be a table"),
        ("[topics.Birds]\ncolour = 'red'", "has no key colour"),
    ],
)
def test_a_wrong_protocol_file_is_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_protocol(write(tmp_path / "wrong.toml", text))


def test_a_protocol_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_protocol(tmp_path / "none.toml")


def test_seeds_that_are_no_pages_are_a_sentence(zoo: Corpus, tmp_path: Path) -> None:
    text = '[protocol]\nsettings=["given"]\n[topics."Animals/Birds"]\nseeds = ["http://elsewhere.test/"]'
    with pytest.raises(ConfigError, match=r"The seed http://elsewhere\.test/ of Animals/Birds is not a page"):
        read_protocol(write(tmp_path / "mine.toml", text)).tasks(zoo)


def test_a_topic_that_the_labels_do_not_know_is_a_sentence(zoo: Corpus, tmp_path: Path) -> None:
    text = '[topics."Animals/Brids"]\nkeywords = ["nest"]'
    with pytest.raises(ConfigError, match="did you mean Animals/Birds"):
        read_protocol(write(tmp_path / "mine.toml", text)).tasks(zoo)


def test_seeds_are_the_pages_that_recorded_redirects_lead_to(tmp_path: Path) -> None:
    pages = [f"http://a.test/{number}" for number in range(4)]
    write_archive(tmp_path / "web.warc", [*map(record, pages), redirect("http://a.test/old", pages[3])])
    rows = [f"{url}\tLetters" for url in pages]
    write(tmp_path / "labels.tsv", "\n".join(["url\ttopic", *rows, "http://b.test/\tLost"]))
    corpus = Corpus.open(tmp_path, cache=tmp_path / "cache")
    text = '[protocol]\nsettings=["given"]\nsmallest=1\nexamples=0\n[topics.Letters]\nseeds = ["http://a.test/old"]'
    protocol = read_protocol(write(tmp_path / "mine.toml", text))
    (task,) = protocol.tasks(corpus)
    assert task.topic.seeds == (pages[3],)
    with pytest.raises(ConfigError, match="none of its labelled URLs is a page of the corpus"):
        protocol.tasks(corpus, settings=["near"], topics=["Lost"])


def test_a_university_with_a_budget_is_still_scored_by_recall(universities: Corpus) -> None:
    tasks = protocol_k.tasks(universities, topics=["student"], pages=5)
    assert {(task.budget, task.figure) for task in tasks} == {(5, "recall")}
    assert protocol_k.tasks(universities, topics=["student"])[0].figure == "recall"


@needs_corpora
def test_the_real_webs_give_the_tasks_of_their_protocols() -> None:
    wikispeedia = Corpus.open(Path(CORPORA) / "wikispeedia")
    tasks = protocol_w.tasks(wikispeedia)
    assert len(tasks) == 2 * 48
    assert all(len(task.topic.seeds) == 3 and len(task.topic.examples) == 5 for task in tasks)
    webkb = Corpus.open(Path(CORPORA) / "webkb")
    assert {(task.group, task.topic.seeds) for task in protocol_k.tasks(webkb)} == {
        ("cornell", ("http://www.cs.cornell.edu/",)),
        ("texas", ("http://www.cs.utexas.edu/",)),
        ("washington", ("http://www.cs.washington.edu/",)),
        ("wisconsin", ("http://www.cs.wisc.edu/",)),
    }
