"""A topic in a crawl's folder: what is written is what is read, whatever becomes of anything outside."""

import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ConfigError, CrawlError
from honeyguide.model import Concept, Example, Level, Step, Term, Topic
from honeyguide.topics.folder import Revision, history, read_revision, read_topic, revisions, write_revision

whole = st.text(min_size=1).filter(str.strip)
lone = st.text(st.characters(), min_size=1).map(lambda text: text + "\ud800")
weights = st.floats(allow_nan=False, allow_infinity=False)
addresses = st.from_regex(r"https?://[a-z]{1,9}/\w*", fullmatch=True)
heavy = st.floats(1e-300, 1e300)
examples = st.builds(Example, text=whole | lone, title=st.text(), url=st.text(), weight=heavy) | st.builds(
    Example, text=st.just(""), title=st.text(), url=addresses, weight=heavy
)
lists = st.lists(st.text(), max_size=4).map(tuple)
terms = st.sampled_from(
    ("dengue", "dengue fever", "mosquito*", '"vector control"', 'a AND (b OR "c d") NOT e', "ZIKA  virus")
)
few_examples = st.lists(examples, max_size=3).map(tuple)


def above_earlier_ones(concepts: list[Concept], places: list[int]) -> tuple[Concept, ...]:
    """The concepts, each with the first as its parent where its place says so; so nothing goes round."""
    return tuple(
        concept._replace(parents=(concepts[0].key,) if at and at in places else ())
        for at, concept in enumerate(concepts)
    )


ontologies = st.builds(
    above_earlier_ones,
    st.lists(st.builds(Concept, key=st.text(), names=lists), max_size=3, unique_by=lambda one: one.key),
    st.lists(st.integers(1, 2), max_size=2),
)
topics = st.builds(
    Topic,
    name=whole,
    keywords=lists,
    languages=lists,
    seeds=lists,
    description=st.text(),
    examples=few_examples,
    background=few_examples,
    corpus=few_examples,
    branch=st.lists(st.builds(Level, name=whole, examples=few_examples), max_size=3).map(tuple),
    off_topic=few_examples,
    vocabulary=st.lists(st.builds(Term, text=terms, weight=weights, label=st.text()), max_size=9).map(tuple),
    ontology=ontologies,
    session=st.lists(st.builds(Step, example=examples, relevant=st.booleans()), max_size=3).map(tuple),
    rules=lists,
    reject=st.lists(terms, max_size=2).map(tuple),
    require=st.lists(terms, max_size=2).map(tuple),
)  # fmt: skip

TOPIC = Topic(
    "dengue fever",
    seeds=("https://seed.example/",),
    vocabulary=(Term("dengue fever", 50.0, "B.16"), Term("malaria", -20.0)),
    examples=(Example("Dengue is a disease.", "Dengue", "https://a.org/"),),
    background=tuple(Example(f"Text number {number}.") for number in range(100)),
    branch=(Level("Dengue", (Example("x"),)), Level("Diseases")),
)


@given(topic=topics)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_what_is_written_is_what_is_read(topic: Topic) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert write_revision(Path(folder), topic) == 1
        assert read_topic(Path(folder)) == topic


@given(first=topics, second=topics)
@settings(max_examples=15, deadline=None, derandomize=True)
def test_every_revision_stays_as_it_was(first: Topic, second: Topic) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        assert [write_revision(folder, topic) for topic in (first, second, first)] == [1, 2, 3]
        assert read_topic(folder) == first
        assert [read_revision(folder, number) for number in (1, 2, 3)] == [first, second, first]


def test_what_has_not_changed_is_not_written_again(tmp_path: Path) -> None:
    write_revision(tmp_path, TOPIC)
    revised = replace(TOPIC, examples=(*TOPIC.examples, Example("Another.")))
    write_revision(tmp_path, revised)
    assert sorted(path.name for path in (tmp_path / "topic").iterdir()) == [
        "1-background.jsonl",
        "1-examples.jsonl",
        "1-level-1.jsonl",
        "1.toml",
        "2-examples.jsonl",
        "2.toml",
    ]
    assert read_revision(tmp_path, 1) == TOPIC
    assert read_topic(tmp_path) == revised


def test_the_files_can_be_read_by_a_person(tmp_path: Path) -> None:
    write_revision(tmp_path, replace(TOPIC, keywords=("fièvre",)))
    assert (tmp_path / "topic" / "1.toml").read_text(encoding="utf-8") == (
        "[topic]\n"
        'name = "dengue fever"\n'
        'keywords = ["fièvre"]\n'
        'seeds = ["https://seed.example/"]\n'
        "vocabulary = [\n"
        '    {term = "dengue fever", weight = 50.0, label = "B.16"},\n'
        '    {term = "malaria", weight = -20.0},\n'
        "]\n"
        'examples = ["1-examples.jsonl"]\n'
        'background = ["1-background.jsonl"]\n'
        "\n"
        "[[topic.level]]\n"
        'name = "Dengue"\n'
        'examples = ["1-level-1.jsonl"]\n'
        "\n"
        "[[topic.level]]\n"
        'name = "Diseases"\n'
    )
    (line,) = (tmp_path / "topic" / "1-examples.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {"title": "Dengue", "url": "https://a.org/", "text": "Dengue is a disease."}


def test_a_revision_that_was_cut_off_does_not_count(tmp_path: Path) -> None:
    write_revision(tmp_path, TOPIC)
    place = tmp_path / "topic"
    (place / "2-examples.jsonl").write_text('{"text": "half')
    (place / "2.toml.new").write_text("[topic]\nname = ")
    (place / "notes.toml").write_text("not a revision")
    assert revisions(tmp_path) == [1]
    assert read_topic(tmp_path) == TOPIC
    assert write_revision(tmp_path, replace(TOPIC, examples=(Example("New."),))) == 2
    assert read_topic(tmp_path).examples == (Example("New."),)


def test_what_is_noted_on_a_revision_stays_with_it(tmp_path: Path) -> None:
    write_revision(tmp_path, TOPIC)
    written = (tmp_path / "topic" / "1.toml").stat().st_mtime
    note = 'ada: "zika"\u202e out,\nnow = no\t\x00table\x7f \x85'
    write_revision(tmp_path, replace(TOPIC, keywords=("zika",)), note, clock=lambda: 1_000_000_000.5)
    write_revision(tmp_path, TOPIC, "x" * 9999, clock=lambda: 0.0)
    assert history(tmp_path) == [
        Revision(1, written),
        Revision(2, 1_000_000_000.0, 'ada: "zika" out, now = no table'),
        Revision(3, 0.0, "x" * 500),
    ]
    assert [read_revision(tmp_path, number).keywords for number in (1, 2, 3)] == [(), ("zika",), ()]


def test_revisions_written_side_by_side_get_numbers_of_their_own(tmp_path: Path) -> None:
    topics = [Topic(f"topic {n}", examples=(Example(f"text {n}"),)) for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda topic: write_revision(tmp_path, topic), topics))
    assert sorted(numbers) == list(range(1, 9))
    assert [read_revision(tmp_path, number) for number in numbers] == topics


def test_a_missing_revision_is_named(tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match=r"1.toml is missing; restore it from a copy"):
        read_topic(tmp_path)
    write_revision(tmp_path, TOPIC)
    (tmp_path / "topic" / "1-background.jsonl").unlink()
    with pytest.raises(ConfigError, match=r"1.toml, line \d+: there is no file .*1-background.jsonl"):
        read_topic(tmp_path)


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        (Topic(" "), "needs a name"),
        (Topic("x\udcff"), "holds half a character"),
        (Topic("x", vocabulary=(Term("(("),)), r"The term '\(\('"),
        (Topic("x", vocabulary=(Term("y", float("inf")),)), "finite"),
        (Topic("x", examples=(Example(""),)), "neither"),
        (Topic("x", branch=(Level(""),)), "a level needs a name"),
        (Topic("x", ontology=(Concept("a", (), ("b",)),)), "'b' is a parent or a child, but no concept"),
    ],
)
def test_a_topic_that_could_not_be_read_again_is_not_kept(
    tmp_path: Path, topic: Topic, sentence: str
) -> None:
    with pytest.raises(ConfigError, match=sentence):
        write_revision(tmp_path, topic)
    assert revisions(tmp_path) == []


def test_a_topic_kept_by_an_earlier_version_is_read(tmp_path: Path) -> None:
    (tmp_path / "topic").mkdir()
    (tmp_path / "topic" / "1.toml").write_text(
        '[topic]\nname = "dengue"\nkeywords = []\nlanguages = ["en"]\nseeds = ["https://a.org/"]\ndescription = ""\n'
    )
    assert read_topic(tmp_path) == Topic("dengue", languages=("en",), seeds=("https://a.org/",))
