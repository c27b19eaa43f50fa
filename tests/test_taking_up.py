"""A strategy that is taken up again after a kill stands where it stood."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honeyguide import taking_up
from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.loop import SEED_SCORE, as_followed
from honeyguide.model import Candidate, Hop, Link, Origin, Page, Response, Topic, UrlState, Visit
from honeyguide.naming import STRATEGIES, make_strategy
from honeyguide.roles import Strategy
from honeyguide.store.schema import connect
from honeyguide.taking_up import take_up_strategy
from honeyguide.testing import example_visits

TOPIC = Topic("dengue fever", keywords=("mosquito",))


def visits() -> tuple[Visit, ...]:
    """Among them one that a redirect led elsewhere, and one of a page whose links are not to be followed."""
    found = [replace(visit, number=number) for number, visit in enumerate(example_visits(), 1)]
    moved = found[4]
    assert moved.page
    here = "https://site0.example/4"
    hops = (Hop(moved.url, 301, here),)
    found[4] = replace(moved, page=replace(moved.page, url=here), response=Response(here, 200, hops=hops))
    closed = found[6]
    assert closed.page
    found[6] = replace(closed, page=Page(closed.url, nofollow=True, links=closed.page.links))
    return tuple(found)


class Crawl:
    """What a crawl does with a strategy and its queue, and what it keeps of them."""

    def __init__(self, folder: Path, use: str) -> None:
        self.use = use
        self.connection = connect(folder / "crawl.db")
        self.strategy = made(use)
        self.frontier = self.opened(self.strategy)
        self.number, self.state = 0, dict[str, Any]()

    def opened(self, strategy: Strategy) -> SqliteFrontier:
        return SqliteFrontier(
            self.connection, combine=strategy.combine, refused=strategy.refused, parked=strategy.parked
        )

    def see(self, seen: Sequence[Visit]) -> None:
        for visit in seen:
            row = self.frontier.id_of(visit.url)
            if row is None:
                self.frontier.push([visit.candidate])
                row = self.frontier.id_of(visit.url)
            self.connection.execute(
                "INSERT INTO visits (id, url, at, status, queue_score) VALUES (?, ?, 0, 200, 0)",
                (visit.number, row),
            )
            self.frontier.done(visit)
            for candidate in self.strategy.expand(as_followed(visit)):
                if candidate.url.endswith("/2"):
                    self.frontier.refuse(candidate.link, "out of scope")
                else:
                    self.frontier.push([candidate])
            self.frontier.reorder(self.strategy.changes())

    def save(self) -> None:
        (number,) = self.connection.execute("SELECT COALESCE(MAX(id), 0) FROM visits").fetchone()
        self.number, self.state = number, {"use": {"use": self.use}, "learned": self.strategy.state()}

    def resumed(self, use: str = "", told: list[str] | None = None) -> Strategy:
        """The strategy as another process takes it up."""
        again = made(use or self.use)
        frontier = self.opened(again)
        sentences = told if told is not None else []
        log: Any = self
        store: Any = self
        take_up_strategy(
            again, {"use": use or self.use}, store, frontier, log, self.connection, sentences.append
        )
        self.frontier = frontier
        return again

    def waiting(self) -> dict[str, float]:
        """The URLs that wait and their scores."""
        rows = self.connection.execute("SELECT url, score FROM urls WHERE state = ?", (UrlState.WAITING,))
        return dict(rows.fetchall())

    def begin(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """As the store does now and then; not possible while something is read."""
        self.connection.execute("COMMIT")
        self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def load_state(self, role: str) -> tuple[int, dict[str, Any]] | None:
        return (self.number, self.state) if self.state else None

    def after(self, number: int) -> Iterator[Visit]:
        """As the log has them: what was passed on the way to a page is not kept."""
        seen = visits()
        for (row,) in self.connection.execute("SELECT id FROM visits WHERE id > ? ORDER BY id", (number,)):
            visit = seen[row - 1]
            yield replace(visit, response=replace(visit.response, hops=()) if visit.response else None)


def made(use: str) -> Strategy:
    table = {"use": use, "warm_up": 2} if use in ("hmm", "context-graph") else {"use": use}
    return make_strategy(table).fit(TOPIC, None)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@pytest.mark.parametrize("number", [0, 3, 5])
@pytest.mark.parametrize("use", STRATEGIES)
def test_replayed_it_has_learned_the_same(use: str, number: int, tmp_path: Path) -> None:
    crawl = Crawl(tmp_path, use)
    crawl.see(visits()[:number])
    crawl.save()
    crawl.see(visits()[number:])
    assert same(crawl.resumed().state(), crawl.strategy.state())


def test_what_does_not_wait_in_the_queue_does_not_wait_for_guide_either(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path, "guide")
    crawl.see(visits())
    crawl.save()
    crawl.number = 0
    del crawl.state["learned"]
    for guide in (crawl.strategy, crawl.resumed()):
        assert set(guide.waiting()) == set(crawl.waiting())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("first", "then"), [("best-first", "guide"), ("guide", "best-first"), ("guide", "shark-search")]
)
def test_what_waits_is_ordered_by_another_strategy_that_is_chosen(
    first: str, then: str, tmp_path: Path
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    crawl, other = Crawl(tmp_path / "one", first), Crawl(tmp_path / "other", then)
    for one in (crawl, other):
        one.see(visits())
        one.save()
    before = crawl.waiting()
    crawl.resumed(then)
    assert before != crawl.waiting() == pytest.approx(other.waiting())


@pytest.mark.parametrize(
    ("first", "then"), [("guide", "guide"), ("best-first", "guide"), ("guide", "best-first")]
)
def test_a_seed_that_waits_keeps_its_place_though_pages_link_to_it(
    first: str, then: str, tmp_path: Path
) -> None:
    (tmp_path / "before").mkdir()
    before, crawl = Crawl(tmp_path / "before", first), Crawl(tmp_path, first)
    before.see(visits())
    linked = next(iter(before.waiting()))
    crawl.save()
    crawl.frontier.push([Candidate(Link(linked, origin=Origin.SEED), SEED_SCORE)])
    crawl.see(visits())
    again = crawl.resumed(then)
    assert crawl.waiting()[linked] == SEED_SCORE
    assert linked not in getattr(again, "waiting", list)(), "guide moves nothing that it does not think waits"


def test_another_strategy_starts_from_the_first_visit_without_the_notes_of_the_former(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path, "shark-search")
    crawl.see(visits())
    crawl.save()
    count = "SELECT COUNT(*) FROM urls WHERE memo IS NOT NULL"
    assert crawl.connection.execute(count).fetchone() != (0,)
    (tmp_path / "other").mkdir()
    other = Crawl(tmp_path / "other", "distiller")
    other.see(visits())
    assert same(crawl.resumed("distiller").state(), other.strategy.state())
    assert crawl.connection.execute(count).fetchone() == (0,)


def test_what_another_version_saved_is_learned_again_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl, told = Crawl(tmp_path, "guide"), list[str]()
    crawl.see(visits())
    crawl.save()
    monkeypatch.setattr(taking_up, "AT_ONCE", 2)
    crawl.state["learned"] = {**crawl.state["learned"], "version": 1}
    crawl.connection.execute("UPDATE urls SET score = -1")
    assert same(crawl.resumed(told=told).state(), crawl.strategy.state())
    (sentence,) = told
    assert "saved by another version of Honeyguide. It goes through the whole crawl again." in sentence
    assert -1 not in crawl.waiting().values(), "what it found worth then may be found worth otherwise now"
