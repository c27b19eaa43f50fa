"""What a crawl is told and scored on, drawn as the protocol of the web of topics says."""

import hashlib
from collections.abc import Iterable

import pytest
from small_web import BIRDS, FISH, LICENCE, OTHERS, STRAYS, write_zoo

from honeyguide.bench import protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.protocol_w import Design
from honeyguide.bench.task import Task, drawn, reachable
from honeyguide.errors import ConfigError

TOPIC = "Animals/Birds"
PAGES = {*BIRDS, LICENCE}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("zoo")
    return Corpus.open(write_zoo(folder / "corpus"), cache=folder / "cache")


def by_hash(urls: Iterable[str], before: str = "", after: str = "") -> list[str]:
    return sorted(urls, key=lambda url: hashlib.sha256((before + url + after).encode()).hexdigest())


def only(tasks: list[Task]) -> Task:
    (task,) = tasks
    return task


def test_things_are_drawn_by_the_hash_of_the_spelt_url() -> None:
    assert drawn(BIRDS, after=TOPIC) == by_hash(BIRDS, after=TOPIC)
    assert drawn(reversed(BIRDS), before="background") == by_hash(BIRDS, before="background")


def test_a_topic_needs_twenty_pages(corpus: Corpus) -> None:
    assert [task.name for task in protocol_w.tasks(corpus, settings=["near"])] == [TOPIC, "Animals/Fish"]


def test_the_crawl_is_told_the_name_the_examples_and_the_background(corpus: Corpus) -> None:
    told = only(protocol_w.tasks(corpus, settings=["near"], topics=[TOPIC])).topic
    assert told.name == "Birds"
    assert told.keywords == ()
    examples = by_hash(PAGES, after=TOPIC)[:5]
    assert [example.url for example in told.examples] == examples
    assert "feathers" in told.examples[0].text or examples[0] == LICENCE
    everything = [*PAGES, *FISH, *OTHERS, *STRAYS]
    drawn_blindly = by_hash(everything, before="background")[:200]
    assert [example.url for example in told.background] == [
        url for url in drawn_blindly if url not in examples
    ]
    assert told.corpus == ()


def test_near_starts_from_examples_and_scores_the_rest(corpus: Corpus) -> None:
    task = only(protocol_w.tasks(corpus, settings=["near"], topics=[TOPIC]))
    examples = by_hash(PAGES, after=TOPIC)[:5]
    assert list(task.topic.seeds) == examples[:3]
    assert task.excluded == set(examples)
    assert task.targets == PAGES - set(examples)
    assert task.relevant == PAGES
    assert task.budget == 1000
    assert task.within is None


def test_far_starts_outside_without_a_link_into_the_topic_from_where_it_can_be_reached(
    corpus: Corpus,
) -> None:
    task = only(protocol_w.tasks(corpus, settings=["far"], topics=[TOPIC]))
    # All but the strays link to the licence, which is a page of the topic but does not count.
    leads_to_birds = {OTHERS[n] for n in range(0, 40, 4)}
    everything = {*FISH, *OTHERS, *STRAYS}
    allowed = [url for url in by_hash(everything, after=TOPIC) if url not in leads_to_birds | set(STRAYS)]
    assert list(task.topic.seeds) == allowed[:3]
    assert task.targets == PAGES - set(by_hash(PAGES, after=TOPIC)[:5])
    assert task.excluded >= set(task.topic.seeds)


def test_the_branch_above_has_examples_that_give_away_no_page_of_the_topic(corpus: Corpus) -> None:
    task = only(protocol_w.tasks(corpus, settings=["near"], topics=[TOPIC]))
    own, above = task.topic.branch
    assert (own.name, above.name) == ("Birds", "Animals")
    assert own.examples == task.topic.examples
    parents = by_hash({*FISH, *OTHERS[:6]}, after="Animals")[:5]
    assert [example.url for example in above.examples] == parents
    assert {url for url, level in task.levels.items() if level == 1} == PAGES
    assert {url for url, level in task.levels.items() if level == 2} == {*FISH, *OTHERS[:6]}


def test_numbers_can_be_others(corpus: Corpus) -> None:
    design = Design(smallest=6, seeds=1, background=10, name="mine")
    tasks = protocol_w.tasks(corpus, settings=["near"], pages=7, examples=2, design=design)
    assert "Stones" in {task.name for task in tasks}
    for task in tasks:
        assert len(task.topic.seeds) == 1
        assert len(task.topic.examples) == 2
        assert 8 <= len(task.topic.background) <= 10
        assert task.budget == 7
        assert task.settings["protocol"] == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"topics": ["Animals/Brids"]}, "did you mean Animals/Birds"),
        ({"settings": ["nearby"]}, "near, far"),
        ({"settings": ["given"]}, "near, far"),
        ({"topics": ["Stones"], "settings": ["far"]}, "use the near setting"),
        ({"topics": ["Stones"], "examples": 6}, "nothing is left to find"),
        ({"design": Design(smallest=1000)}, "1000 pages or more"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    corpus: Corpus, arguments: dict[str, object], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        protocol_w.tasks(corpus, **arguments)  # type: ignore[arg-type]


def test_reaching_follows_links_and_ends_in_circles() -> None:
    links = {"a": ("b",), "b": ("c", "a"), "d": ("a",)}
    assert reachable(links, ["a"]) == {"a", "b", "c"}
