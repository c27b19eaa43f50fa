"""Pages whose links wait are judged anew: which ones, how many, and what becomes of their links."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from example_judge import ByExample
from handmade_crawl import Made, make_crawl

from honeyguide.frontier.sqlite import SqliteFrontier
from honeyguide.model import Candidate, Example, Link, Page, Response, Topic, Verdict, Visit
from honeyguide.parse.pages import PageParser
from honeyguide.rejudging import SAMPLE, Rejudged, Retrospect, inherited, inherits
from honeyguide.store.log import SqliteLog
from honeyguide.store.schema import connect
from honeyguide.strategies.backlink import Backlink
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.guide import Guide


def read(response: Response) -> Page:
    return PageParser().parse(
        Response(response.url, response.status, response.headers, response.raw, response.raw)
    )


BEFORE = ByExample().fit(Topic("dengue"))
AFTER = ByExample().fit(Topic("dengue", examples=(Example("larvae"),)))


class Desk:
    """A crawl of so many pages, and what looks back at it."""

    def __init__(self, folder: Path, n: int, **options: object) -> None:
        texts = ("dengue fever", "larvae", "roses")
        pages = [
            Made(f"https://a.example/{i}", i % 3 == 0, "", f"{texts[i % 3]} {i}", fingerprint=i + 1)
            for i in range(n)
        ]
        pages.append(Made("https://a.example/secret", False, noindex=True))
        pages.append(Made("https://a.example/twice", False, "", "dengue fever 0", fingerprint=1))
        self.folder = make_crawl(folder, pages)
        self.connection = connect(folder / "crawl.db")
        self.frontier = SqliteFrontier(self.connection)
        self.retrospect = Retrospect(
            self.connection,
            SqliteLog(self.connection, folder, read),
            top=self.frontier.top,
            id_of=self.frontier.id_of,
            **options,  # type: ignore[arg-type]
        )


@pytest.fixture
def desk(tmp_path: Path) -> Callable[..., Desk]:
    return lambda n, **options: Desk(tmp_path / "crawl", n, **options)


def test_the_latest_pages_are_looked_at_then_labelled_ones_then_those_behind_the_top_of_the_queue(
    desk: Callable[..., Desk],
) -> None:
    at = desk(SAMPLE + 40, most=SAMPLE + 3)
    at.frontier.push(
        [
            Candidate(Link("https://b.example/1", "https://a.example/4"), 0.9),
            Candidate(Link("https://b.example/2", "https://nobody.example/"), 0.8),
            Candidate(Link("https://b.example/3", "https://a.example/secret"), 0.7),
            Candidate(Link("https://b.example/4", "https://a.example/6"), 0.6),
        ]
    )
    numbers = [row["id"] for row in at.retrospect.rows([3, 3, 99999])]
    assert numbers[:SAMPLE] == list(range(SAMPLE + 40, 40, -1))
    assert numbers[SAMPLE:] == [3, 5]  # the label that names no visit has had its place


def test_harvests_are_compared_on_the_same_pages(desk: Callable[..., Desk]) -> None:
    at = desk(9)
    review = at.retrospect.review(at.retrospect.rows([]), BEFORE, AFTER)
    assert len(review.rejudged) == 9
    assert (review.harvest_before, review.harvest_after) == (3 / 9, 6 / 9)
    assert {visit.url: verdict.relevant for visit, verdict in review.rejudged}["https://a.example/1"]


def test_without_the_judge_from_before_pages_are_judged_and_harvests_not_compared(
    desk: Callable[..., Desk],
) -> None:
    at = desk(9)
    review = at.retrospect.review(at.retrospect.rows([]), None, AFTER)
    assert len(review.rejudged) == 9
    assert (review.harvest_before, review.harvest_after) == (None, None)


def test_judging_anew_ends_when_time_is_up(desk: Callable[..., Desk]) -> None:
    times = iter(range(100))
    at = desk(20, seconds=4.0, clock=lambda: float(next(times)))
    assert len(at.retrospect.review(at.retrospect.rows([]), BEFORE, AFTER).rejudged) == 4


def test_pages_that_cannot_be_read_are_left_out_and_without_pages_there_is_no_harvest(
    desk: Callable[..., Desk],
) -> None:
    at = desk(3)
    rows = at.retrospect.rows([])
    for file in at.folder.glob("pages-*.warc.gz"):
        file.unlink()
    review = at.retrospect.review(rows, BEFORE, AFTER)
    assert (review.rejudged, review.harvest_before, review.harvest_after) == ((), None, None)


def test_only_what_hangs_on_pages_alone_is_inherited() -> None:
    assert inherits(BestFirst())
    assert inherits(BreadthFirst())
    assert not inherits(Backlink())
    assert not inherits(Guide())


def page(name: str, new: float, links: Sequence[str]) -> Rejudged:
    url = f"https://{name}.example/"
    seen = Page(url, links=tuple(Link(f"https://x.example/{link}", url) for link in links))
    visit = Visit(Candidate(Link(url), 0.0), page=seen, verdict=Verdict(0.4, False))
    return Rejudged(visit, Verdict(new, new > 0.5))


def fresh(standing: dict[str, tuple[float, str] | None], *rejudged: Rejudged) -> dict[str, float]:
    """Scores by now of links that wait with a score because of a page."""

    def waiting(url: str) -> Candidate | None:
        found = standing.get(url.removeprefix("https://x.example/"))
        return Candidate(Link(url, f"https://{found[1]}.example/"), found[0]) if found else None

    changes = inherited(BestFirst(by="page"), rejudged, lambda urls: [waiting(url) for url in urls])
    return {url.removeprefix("https://x.example/"): score for url, score in changes}


def test_links_get_what_their_page_is_worth_by_now() -> None:
    waiting = {"1": (0.25, "a"), "2": (0.5, "a"), "3": None}
    assert fresh(waiting, page("a", 0.75, "123")) == {"1": 0.75, "2": 0.75}
    assert fresh(waiting, page("a", 0.125, "1")) == {"1": 0.125}


def test_a_page_stands_for_its_links_also_under_the_address_it_was_asked_for_by() -> None:
    asked = page("b", 0.125, "1")
    moved = Rejudged(
        replace(asked.visit, candidate=Candidate(Link("https://a.example/"), 0.0)), asked.verdict
    )
    assert fresh({"1": (0.5, "a")}, moved) == fresh({"1": (0.5, "b")}, moved) == {"1": 0.125}


def test_what_another_page_says_of_a_link_stands_if_it_is_better() -> None:
    assert fresh({"1": (0.9, "b")}, page("a", 0.75, "1")) == {"1": 0.9}
    assert fresh({"1": (0.5, "b")}, page("a", 0.75, "1")) == {"1": 0.75}
    both = (page("a", 0.125, "1"), page("b", 0.25, "1"))
    assert fresh({"1": (0.5, "a")}, *both) == {"1": 0.25}
