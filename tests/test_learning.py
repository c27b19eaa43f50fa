"""Labels change the judge of a crawl, also while it runs; nothing that goes wrong in learning stops it."""

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from demo_crawl import demo_settings
from example_judge import ByExample
from handmade_crawl import Made, make_crawl

from honeyguide import assemble
from honeyguide.api import Crawling, crawl
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.display import Quiet
from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.judges.revised import Revised
from honeyguide.learning import Labelled, Learner, revised
from honeyguide.model import Example, Page, Response, Topic
from honeyguide.parse.pages import PageParser
from honeyguide.reading import InlineReader
from honeyguide.rejudging import Rejudged, Retrospect
from honeyguide.running import run_crawl
from honeyguide.self_training import SelfTraining
from honeyguide.store.labelled import LabelledPages
from honeyguide.store.labels import LabelBook
from honeyguide.store.lessons import Lesson, read_lessons
from honeyguide.store.log import SqliteLog
from honeyguide.store.pages import Pick, pick
from honeyguide.store.schema import connect
from honeyguide.store.sqlite import SqliteStore
from honeyguide.store.warc import Archive
from honeyguide.topics.folder import write_revision


class Desk:
    """A finished crawl with a learner at work on it, and somebody who labels its pages."""

    def __init__(self, folder: Path, topic: Topic, *, log: list[str], training: SelfTraining) -> None:
        self.folder = folder
        self.topic = topic
        self.log = log
        self.training = training
        self.now = 0.0
        self.fits = 0
        self.published: list[Any] = []
        self.open()

    def open(self, **changes: Any) -> Learner:
        """Take the crawl up, as after a restart."""
        self.connection = connect(self.folder / "crawl.db")
        frontier = SqliteFrontier(self.connection)
        self.store = SqliteStore(self.connection, Archive(self.folder), frontier.id_of)
        arguments: dict[str, Any] = {
            "settings": {"use": "by-example"},
            "fit": self.fit,
            "unfitted": ByExample,
            "pages": LabelledPages(self.connection, self.folder, self.read, log=collecting(self.log)),
            "states": self.store,
            "training": self.training,
            "log": collecting(self.log),
            "retrospect": Retrospect(
                self.connection,
                SqliteLog(self.connection, self.folder, self.read),
                top=frontier.top,
                id_of=frontier.id_of,
            ),
            "clock": lambda: self.now,
        }
        self.learner = Learner(self.topic, **(arguments | changes))
        self.learner.publish = self.published.append
        return self.learner

    def fit(self, topic: Topic) -> ByExample:
        self.fits += 1
        return ByExample().fit(topic)

    def read(self, response: Response) -> Page:
        return PageParser().parse(
            Response(response.url, response.status, response.headers, response.raw, response.raw)
        )

    def label(self, number: int, relevant: bool | None, annotator: str = "ada") -> None:
        (url,) = self.connection.execute(
            "SELECT u.url FROM visits v JOIN urls u ON u.id = v.url WHERE v.id = ?", (number,)
        ).fetchone()
        with LabelBook(self.folder) as book:
            book.write(url, number, relevant, annotator)

    async def between_visits(self, seconds: float = 100.0) -> None:
        self.now += seconds
        self.learner.look()
        await self.learner.settled()
        self.learner.save()
        self.store.commit()

    def close(self) -> None:
        self.store.close()

    def opinion(self, text: str) -> str:
        verdict = self.learner.judge.assess(Page("https://x.example/", text=text))
        return f"{verdict.judge}: {'yes' if verdict.relevant else 'no'}"


class Collecting(logging.Handler):
    """Keeps what is logged."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def collecting(lines: list[str]) -> logging.Logger:
    log = logging.Logger("test")
    log.addHandler(Collecting(lines))
    return log


PAGES = [
    Made("https://a.example/1", True, "Mosquitoes", "breteau index larvae", fingerprint=1),
    Made("https://b.example/2", False, "Gardens", "roses pruning winter", fingerprint=2),
    Made("https://c.example/3", True, "Travel", "dengue cheap flights", fingerprint=3),
]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def make(pages: list[Made] = PAGES, topic: Topic | None = None, **training: Any) -> Desk:
        folder = make_crawl(tmp_path / f"crawl{len(desks)}", pages)
        desks.append(Desk(folder, topic or Topic("dengue"), log=[], training=SelfTraining(**training)))
        return desks[-1]

    yield make
    for one in desks:
        one.close()


def test_a_topic_is_revised_by_what_people_say() -> None:
    topic = Topic(
        "x",
        examples=(Example("given", url="https://a.example/"), Example("pasted")),
        off_topic=(Example("not", url="https://b.example/"),),
    )
    new = revised(
        topic,
        [
            Labelled(Example("seen", url="https://c.example/"), True),
            Labelled(Example("given", url="https://a.example/"), False),
            Labelled(Example("not", url="https://b.example/"), True),
            Labelled(Example(" ", url="https://d.example/"), True),
        ],
    )
    assert [example.text for example in new.examples] == ["pasted", "seen", "not"]
    assert [example.text for example in new.off_topic] == ["given"]
    assert all(example.weight == 1.0 for example in new.examples)


async def test_a_label_becomes_a_new_judge_that_signs_with_its_revision(desk: Callable[..., Desk]) -> None:
    at = desk()
    assert at.opinion("breteau larvae") == "by-example@1: no"
    await at.between_visits()
    assert (at.fits, at.published) == (1, [])
    at.label(1, True)
    at.label(3, False)
    await at.between_visits()
    assert at.opinion("breteau larvae") == "by-example@1 r1: yes"
    assert at.opinion("cheap flights") == "by-example@1 r1: no"
    assert [judge.revision for judge in at.published] == [1]
    assert at.log == ["topic revision 1: 1 pages labelled on topic, 1 off topic, 0 sure pages"]


async def test_looking_is_rare_and_learning_takes_a_tenth_of_the_time_at_most(
    desk: Callable[..., Desk],
) -> None:
    at = desk()
    await at.between_visits()
    at.label(1, True)
    await at.between_visits(0.5)
    assert at.published == []
    fit = at.learner._fit

    def slow(topic: Topic) -> Any:
        at.now += 20.0
        return fit(topic)

    at.learner._fit = slow
    await at.between_visits(0.6)
    assert at.learner.revision == 1
    at.label(2, False)
    await at.between_visits(100.0)
    assert at.learner.revision == 1
    await at.between_visits(100.0)
    assert at.learner.revision == 2


async def test_unsure_labels_and_labels_that_change_nothing_fit_nothing(desk: Callable[..., Desk]) -> None:
    at = desk()
    at.label(1, None)
    await at.between_visits()
    at.label(1, True)
    await at.between_visits()
    at.label(1, True, "bob")
    await at.between_visits()
    assert at.fits == 2
    assert at.learner.revision == 1


async def test_a_saved_judge_is_taken_up_without_fitting_while_nothing_has_changed(
    desk: Callable[..., Desk],
) -> None:
    at = desk()
    at.label(1, True)
    await at.between_visits()
    assert at.fits == 2
    at.close()
    at.open()
    assert at.fits == 2
    assert at.opinion("breteau larvae") == "by-example@1 r1: yes"


async def test_labels_given_while_the_crawl_stood_still_are_learned_before_it_goes_on(
    desk: Callable[..., Desk],
) -> None:
    at = desk()
    at.label(1, True)
    await at.between_visits()
    at.label(2, False)
    at.close()
    lessons: list[Lesson] = []
    learner = at.open()
    learner.reorder, learner.keep = lambda rejudged: 7, lessons.append
    assert at.opinion("roses pruning") == "by-example@1 r1: no"
    await learner.catch_up()
    assert at.fits == 3
    assert at.opinion("roses pruning") == "by-example@1 r2: no"
    assert [(lesson.revision, lesson.labels_on, lesson.labels_off, lesson.moved) for lesson in lessons] == [
        (2, 1, 1, 7)
    ]
    await learner.catch_up()
    assert at.fits == 3


async def test_other_settings_or_another_topic_fit_the_judge_again(desk: Callable[..., Desk]) -> None:
    at = desk()
    await at.between_visits()
    at.close()
    at.open(settings={"use": "by-example", "reach": 2.0})
    assert (at.fits, at.learner.revision) == (2, 1)
    await at.between_visits()
    at.close()
    at.topic = Topic("malaria")
    at.open(settings={"use": "by-example", "reach": 2.0})
    assert at.fits == 3
    assert at.opinion("malaria") == "by-example@1 r2: yes"


OTHER = {"use": "by-example", "reach": 2.0}


@pytest.mark.parametrize(
    ("topic", "changes", "compared"),
    [("roses", {}, True), ("dengue", {"settings": OTHER}, False)],
    ids=["another topic", "another judge"],
)
async def test_what_waits_follows_a_topic_or_judge_chosen_while_the_crawl_stood_still(
    desk: Callable[..., Desk], topic: str, changes: dict[str, Any], compared: bool
) -> None:
    at = desk()
    await at.between_visits()
    at.close()
    at.topic = Topic(topic)
    lessons: list[Lesson] = []
    learner = at.open(**changes)
    learner.reorder, learner.keep = len, lessons.append
    for _ in range(2):
        await learner.catch_up()
        assert [(lesson.revision, lesson.moved) for lesson in lessons] == [(1, 3)]
    assert at.fits == 2
    assert at.opinion(topic) == "by-example@1 r1: yes"
    (lesson,) = lessons
    harvests = (lesson.harvest_before, lesson.harvest_after)
    assert harvests == ((1 / 3, 1 / 3) if compared else (None, None))


@pytest.mark.parametrize("labelled", [False, True])
async def test_what_could_not_be_moved_in_one_run_is_moved_in_the_next(
    desk: Callable[..., Desk], labelled: bool
) -> None:
    at = desk()
    await at.between_visits()
    if labelled:
        at.label(1, True)
    else:
        at.topic = Topic("roses")
    moved: list[Sequence[Rejudged]] = []
    for reorders in (False, True, True):
        at.close()
        learner = at.open()
        learner.reorder = (lambda rejudged: moved.append(rejudged) or 0) if reorders else None
        await learner.catch_up()
        await at.between_visits()
        assert learner.revision == 1
    assert [len(rejudged) for rejudged in moved] == [3]


async def test_moving_what_waits_that_failed_is_tried_again_in_the_next_run(
    desk: Callable[..., Desk],
) -> None:
    at = desk()
    await at.between_visits()
    at.topic = Topic("roses")
    moved: list[int] = []

    def fails(rejudged: Sequence[Rejudged]) -> int:
        raise RuntimeError("no room")

    for reorder in (fails, lambda rejudged: moved.append(len(rejudged)) or 0):
        at.close()
        learner = at.open()
        learner.reorder = reorder
        await learner.catch_up()
        await at.between_visits()
    assert moved == [3]
    assert "learning failed; the judge stays as it is" in at.log


async def test_where_nothing_was_visited_another_topic_leaves_no_lesson(desk: Callable[..., Desk]) -> None:
    at = desk(pages=[])
    await at.between_visits()
    at.close()
    at.topic = Topic("roses")
    lessons: list[Lesson] = []
    learner = at.open()
    learner.keep = lessons.append
    await learner.catch_up()
    assert (learner.revision, lessons) == (1, [])


async def test_a_judge_saved_by_another_version_is_fitted_anew_and_that_is_told(
    desk: Callable[..., Desk],
) -> None:
    at = desk()
    await at.between_visits()
    _, state = at.store.load_state("judge") or (0, {})
    at.store.save_state("judge", state | {"judge": state["judge"] | {"judge": "by-example@0"}})
    at.store.commit()
    at.close()
    at.open()
    assert (at.fits, at.learner.revision) == (2, 1)
    assert "by-example@0, and this version of Honeyguide reads by-example@1" in at.log[-1]


async def test_labels_that_cannot_be_learned_leave_the_judge_as_it_is(desk: Callable[..., Desk]) -> None:
    at = desk(topic=Topic("dengue", keywords=("unfit",)))
    at.label(2, False)
    await at.between_visits()
    assert at.learner.revision == 0
    assert at.log == ["the labels cannot be learned: Off-topic examples are too much for this judge."]
    at.close()
    await at.open().catch_up()
    assert at.opinion("dengue") == "by-example@1: yes"
    assert len(at.log) == 2


async def test_labels_that_cannot_be_learned_do_not_undo_those_that_could(desk: Callable[..., Desk]) -> None:
    at = desk(topic=Topic("dengue", keywords=("unfit",)))
    at.label(1, True)
    await at.between_visits()
    at.label(2, False)
    await at.between_visits()
    at.close()
    await at.open().catch_up()
    assert at.opinion("breteau larvae") == "by-example@1 r1: yes"
    at.close()
    at.open(settings={"use": "by-example", "reach": 2.0})
    assert at.opinion("breteau larvae") == "by-example@1 r2: no"


async def test_another_topic_is_learned_together_with_the_labels_and_then_counts(
    desk: Callable[..., Desk],
) -> None:
    at = desk()
    at.label(1, True)
    await at.between_visits()
    heard: list[tuple[Lesson | None, str]] = []
    lessons: list[Lesson] = []
    at.learner.keep = lessons.append
    assert at.learner.turn_to(Topic("roses"), lambda lesson, why: heard.append((lesson, why)))
    assert not at.learner.turn_to(Topic("tulips"), lambda lesson, why: None)
    await at.learner.settled()
    assert heard == [(lessons[0], "")]
    assert (lessons[0].revision, lessons[0].labels_on, lessons[0].labels_off) == (2, 1, 0)
    assert at.learner.topic == Topic("roses")
    assert at.opinion("roses") == "by-example@1 r2: yes"
    assert at.opinion("breteau larvae") == "by-example@1 r2: yes"
    assert at.opinion("dengue") == "by-example@1 r2: no"
    at.learner.save()
    at.store.commit()
    at.close()
    at.topic = Topic("roses")
    fits = at.fits
    at.open()
    assert (at.fits, at.learner.revision) == (fits, 2)


async def test_a_topic_that_cannot_be_learned_leaves_the_old_one_as_it_is(desk: Callable[..., Desk]) -> None:
    at = desk()
    heard: list[tuple[Lesson | None, str]] = []
    at.label(2, False)
    await at.between_visits()
    for topic in (Topic("roses", keywords=("unfit",)), Topic("tulips")):
        at.learner.turn_to(topic, lambda lesson, why: heard.append((lesson, why)))
        await at.learner.settled()

        def broken(topic: Topic) -> Any:
            raise ZeroDivisionError

        at.learner._fit = broken
    assert heard == [
        (None, "Off-topic examples are too much for this judge."),
        (None, "Fitting the judge to it failed; crawl.log says how."),
    ]
    assert at.opinion("dengue") == "by-example@1 r1: yes"
    assert at.learner.topic == Topic("dengue")


async def test_a_bug_in_a_judge_does_not_stop_the_crawl(desk: Callable[..., Desk]) -> None:
    at = desk()

    def broken(topic: Topic) -> Any:
        raise ZeroDivisionError

    at.learner._fit = broken
    at.label(1, True)
    await at.between_visits()
    assert at.opinion("dengue") == "by-example@1: yes"
    assert at.log == ["learning failed; the judge stays as it is"]


async def test_learning_that_is_under_way_when_the_crawl_ends_is_given_up(desk: Callable[..., Desk]) -> None:
    at = desk()
    at.label(1, True)
    at.now += 100
    at.learner.look()
    await at.learner.close()
    assert at.published == []


SURE = [
    Made(f"https://s{n}.example/{n}", True, f"On {n}", "dengue breteau larvae", fingerprint=n + 1)
    for n in range(6)
] + [
    Made(f"https://o{n}.example/{n}", False, f"Off {n}", "roses pruning", fingerprint=n + 20)
    for n in range(3)
]


def sure_topic() -> Topic:
    return Topic(
        "dengue",
        examples=(Example("dengue larvae breteau"), Example("dengue fever")),
        off_topic=(Example("roses pruning garden"),),
        background=(Example("stock market news"),),
    )


async def test_sure_pages_are_not_learned_unless_asked_for(desk: Callable[..., Desk]) -> None:
    at = desk(SURE, sure_topic(), every=1, at_least=0.8, at_most=0.3)
    await at.between_visits()
    assert at.learner.revision == 0


async def test_sure_pages_become_examples_no_more_than_people_gave(desk: Callable[..., Desk]) -> None:
    at = desk(SURE, sure_topic(), confident=True, every=2, at_least=0.8, at_most=0.3)
    topics: list[Topic] = []
    fit = at.learner._fit
    at.learner._fit = lambda topic: topics.append(topic) or fit(topic)  # type: ignore[func-returns-value]
    await at.between_visits()
    assert at.learner.revision == 0
    await at.between_visits()
    assert at.learner.revision == 1, at.log
    assert [example.weight for example in topics[-1].examples] == [1.0, 1.0, 0.3, 0.3]
    assert [example.weight for example in topics[-1].off_topic] == [1.0, 0.3, 0.3]
    assert at.log == ["topic revision 1: 0 pages labelled on topic, 0 off topic, 4 sure pages"]
    for _ in range(4):
        await at.between_visits()
    assert at.learner.revision == 1  # the same pages again teach nothing new
    at.close()
    at.open()
    assert at.learner.revision == 1
    for _ in range(2):
        await at.between_visits()
    assert at.learner.revision == 1


async def test_a_label_starts_again_from_what_people_said(desk: Callable[..., Desk]) -> None:
    at = desk(SURE, sure_topic(), confident=True, every=2, at_least=0.8, at_most=0.3)
    topics: list[Topic] = []
    fit = at.learner._fit
    at.learner._fit = lambda topic: topics.append(topic) or fit(topic)  # type: ignore[func-returns-value]
    await at.between_visits()
    await at.between_visits()
    at.label(1, True)
    await at.between_visits()
    assert at.learner.revision == 2
    assert {example.weight for example in topics[-1].examples} == {1.0}


async def test_a_judge_that_would_drift_on_its_own_errors_is_dropped(desk: Callable[..., Desk]) -> None:
    at = desk(SURE, sure_topic(), confident=True, every=1, at_least=0.8, at_most=0.3)
    fit = at.learner._fit

    def greedy(topic: Topic) -> Any:
        """Taught by itself, it calls everything on topic."""
        judge = fit(topic)
        if any(example.weight < 1 for example in topic.examples):
            judge._weights |= dict.fromkeys(("roses", "pruning", "garden", "stock"), 9.0)
        return judge

    at.learner._fit = greedy
    await at.between_visits()
    assert at.learner.revision == 0
    assert len(at.log) == 1
    assert "sure pages were not learned: average precision" in at.log[0]
    assert at.opinion("roses pruning") == "by-example@1: no"


async def test_an_inline_reader_judges_by_the_judge_published_last() -> None:
    reader = InlineReader(PageParser(), Revised(ByExample().fit(Topic("dengue")), 0))
    answer = Response("https://x.example/", 200, (("Content-Type", "text/html"),), b"<p>dengue")
    assert (await reader.read(answer))[1].judge == "by-example@1"
    reader.publish(Revised(ByExample().fit(Topic("dengue")), 3))
    assert (await reader.read(answer))[1].judge == "by-example@1 r3"


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with serving() as web:
        yield web


@pytest.fixture
def by_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(assemble.JUDGES, "by-example", "example_judge:ByExample")
    here = str(Path(__file__).parent / "crawl")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([here, os.environ.get("PYTHONPATH", "")]))


def judges_of(folder: Path) -> list[str]:
    with sqlite3.connect(folder / "crawl.db") as database:
        return [
            row[0] for row in database.execute("SELECT judge FROM visits WHERE judge LIKE 'by-%' ORDER BY id")
        ]


@pytest.mark.parametrize("processes", [0, 2])
def test_labels_written_while_a_crawl_runs_change_its_later_verdicts(
    web: ServedWeb, tmp_path: Path, by_example: None, processes: int
) -> None:
    settings = demo_settings(web, strategy="best-first", pages=400, delay=0.1)
    settings |= {"judge": {"use": "by-example"}, "reading": {"processes": processes}}
    folder = tmp_path / "crawl"
    run = crawl(Topic("dengue fever", seeds=web.seeds), out=folder, settings=settings)
    labelled = 0
    for visit in run:
        if visit.number == 15:
            with run.collection() as collection, LabelBook(folder) as book:
                for row in pick(collection.connection, Pick.RANDOM, 4, annotator="ada"):
                    book.write(row["address_url"], row["id"], "dengue" in row["title"].lower(), "ada")
                    labelled += 1
        if visit.verdict and visit.verdict.judge.endswith(" r1"):
            break
    assert labelled == 4
    found = judges_of(folder)
    assert found[:5] == ["by-example@1"] * 5
    assert found[-1] == "by-example@1 r1"
    assert "topic revision 1: " in (folder / "crawl.log").read_text()

    with run.collection() as collection:
        pages = collection.status().pages
        answer = collection.why(visit.url).visit
        assert answer is not None
        assert str(answer["judge"]).endswith("@1 r1")
    run_crawl(folder, Quiet(), changes={"budget": {"pages": pages + 20}, "politeness": {"delay": 0.01}})
    (later,) = set(judges_of(folder)[len(found) :])
    assert later in (
        "by-example@1 r1",
        "by-example@1 r2",
    )  # r2 if it looked while the labels were being written


def test_a_crawl_that_is_not_running_learns_when_it_is_resumed(
    web: ServedWeb, tmp_path: Path, by_example: None
) -> None:
    settings = demo_settings(web, strategy="best-first", pages=12, delay=0.01)
    settings |= {"judge": {"use": "by-example"}}
    folder = tmp_path / "crawl"
    run = crawl(Topic("dengue fever", seeds=web.seeds), out=folder, settings=settings)
    assert {verdict.judge for visit in run if (verdict := visit.verdict)} <= {
        "by-example@1",
        "screened@1",
        "",
    }
    with run.collection() as collection, LabelBook(folder) as book:
        (row,) = pick(collection.connection, Pick.RANDOM, 1, annotator="ada")
        book.write(row["address_url"], row["id"], True, "ada")
    more = [visit for visit in crawl("dengue fever", out=folder, pages=20) if visit.verdict]
    assert any(visit.verdict.judge == "by-example@1 r1" for visit in more if visit.verdict)


@pytest.fixture
def standing(web: ServedWeb, tmp_path: Path) -> Crawling:
    """A crawl by guide that has spent its budget; it lies in `crawl`."""
    settings = demo_settings(web, strategy="guide", pages=30, delay=0.01)
    run = crawl(Topic("dengue fever", seeds=web.seeds), out=tmp_path / "crawl", settings=settings)
    assert len(list(run)) >= 30
    return run


def test_what_waits_is_ordered_anew_by_labels_given_while_the_crawl_stood_still(
    standing: Crawling, tmp_path: Path
) -> None:
    run, folder = standing, tmp_path / "crawl"
    with run.collection() as collection, LabelBook(folder) as book:
        for row in pick(collection.connection, Pick.RANDOM, 6, annotator="ada"):
            book.write(row["address_url"], row["id"], "dengue" in row["title"].lower(), "ada")
    assert "have moved" not in (folder / "crawl.log").read_text()
    assert list(crawl("dengue fever", out=folder, pages=32))
    with run.collection() as collection:
        lessons = read_lessons(collection.connection)
    assert [lesson.revision for lesson in lessons] == [1]
    assert lessons[0].moved > 0


def test_what_waits_is_ordered_anew_by_a_topic_chosen_while_the_crawl_stood_still(
    standing: Crawling, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    write_revision(folder, Topic("rose gardens", keywords=("pruning",)), "other things")
    run_crawl(folder, Quiet(), changes={"budget": {"pages": 32}})
    with standing.collection() as collection:
        (lesson,) = read_lessons(collection.connection)
    assert lesson.revision == 1
    assert lesson.moved > 0
    assert (lesson.harvest_before or 0.0) > 0.0 == lesson.harvest_after


def test_what_waits_is_ordered_anew_by_a_judge_chosen_while_the_crawl_stood_still(
    standing: Crawling, tmp_path: Path
) -> None:
    run_crawl(
        tmp_path / "crawl", Quiet(), changes={"budget": {"pages": 32}, "judge": {"use": "bm25", "k1": 2.0}}
    )
    with standing.collection() as collection:
        (lesson,) = read_lessons(collection.connection)
    assert lesson.revision == 1
    assert lesson.moved > 0
    assert (lesson.harvest_before, lesson.harvest_after) == (None, None)


def test_links_go_back_to_where_they_were_when_a_topic_is_taken_back_while_the_crawl_stands_still(
    web: ServedWeb, tmp_path: Path
) -> None:
    settings = demo_settings(web, strategy="best-first", pages=30, delay=0.01)
    folder = tmp_path / "crawl"
    dengue = Topic("dengue fever", seeds=web.seeds)
    run = crawl(dengue, out=folder, settings=settings)
    assert list(run)

    def scores() -> dict[str, float]:
        connection = connect(folder / "crawl.db")
        top = SqliteFrontier(connection).top(10_000)
        connection.close()
        return {candidate.url: candidate.score for candidate in top}

    before = scores()
    found: set[str] = set()
    changed: list[int] = []
    for pages, topic in ((31, Topic("rose gardens", keywords=("pruning",))), (32, dengue)):
        write_revision(folder, topic, "another mind")
        visits = list(crawl(topic.name, out=folder, pages=pages))
        found.update(link.url for visit in visits if visit.page for link in visit.page.links)
        after = scores()
        same = before.keys() & after.keys() - found
        changed.append(sum(after[url] != before[url] for url in same))
    assert len(same) > 100
    assert changed[0] > 100
    assert changed[1] == 0
