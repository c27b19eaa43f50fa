"""One crawl over a recorded web: the same loop, budget and order as any crawl, and nothing by chance."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from small_web import html, write_corpus, write_universities, write_zoo

from honeyguide.bench import protocol_k, protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.experiment import crawl
from honeyguide.bench.oracles import Omniscient, TrueLabels
from honeyguide.bench.replay import REVISE_EVERY, replay
from honeyguide.bench.report.results import Contender
from honeyguide.bench.task import Task
from honeyguide.model import Candidate, Link, Topic, Visit
from honeyguide.naming import make_judge
from honeyguide.roles import Judge, Strategy
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.breadth_first import BreadthFirst

SITE = "http://small.test"


def judge() -> Judge:
    return make_judge({"use": "cosine"}, Topic("birds"))


def small(folder: Path, pages: dict[str, Sequence[str]], redirects: dict[str, str] | None = None) -> Corpus:
    """A web given by its links; short names stand for URLs."""

    def url(name: str) -> str:
        return f"{SITE}/x/{name}"

    written = {url(name): html(name, f"words of {name}", map(url, links)) for name, links in pages.items()}
    moved = {url(name): url(target) for name, target in (redirects or {}).items()}
    labels = [(address, "topic") for address in written]
    return Corpus.open(
        write_corpus(folder / "corpus", written, labels, redirects=moved), cache=folder / "cache"
    )


def task(*seeds: str, targets: Iterable[str] = (), budget: int = 0) -> Task:
    urls = frozenset(f"{SITE}/x/{name}" for name in targets)
    told = Topic("birds", seeds=tuple(f"{SITE}/x/{name}" for name in seeds))
    return Task("topic", "near", told, targets=urls, relevant=urls, budget=budget)


def names(fetched: Iterable[str]) -> list[str]:
    return [url.rpartition("/")[2] for url in fetched]


def test_breadth_first_takes_pages_in_the_order_found(tmp_path: Path) -> None:
    corpus = small(tmp_path, {"a": "bc", "b": "de", "c": "df", "d": "a", "e": "", "f": ""})
    trace = replay(corpus, task("a"), BreadthFirst, judge)
    assert names(trace.fetched) == list("abcdef")
    assert len(trace.relevance) == 6
    assert trace.links == 7
    assert trace.cpu_seconds > 0


def test_a_miss_is_counted_and_costs_no_budget(tmp_path: Path) -> None:
    corpus = small(tmp_path, {"a": ["gone", "b", "lost", "c"], "b": "", "c": ""})
    trace = replay(corpus, task("a", budget=3), BreadthFirst, judge)
    assert names(trace.fetched) == ["a", "b", "c"]
    assert trace.misses == 2


def test_seeds_cost_budget_like_any_page(tmp_path: Path) -> None:
    corpus = small(tmp_path, {"a": "c", "b": "c", "c": ""})
    assert names(replay(corpus, task("a", "b", budget=2), BreadthFirst, judge).fetched) == ["a", "b"]


def test_a_redirect_to_a_page_that_was_fetched_costs_nothing_and_is_not_fetched_again(tmp_path: Path) -> None:
    pages: dict[str, Sequence[str]] = {"a": ["old", "older", "b", "c"], "b": "", "c": ""}
    corpus = small(tmp_path, pages, {"old": "b", "older": "old"})
    trace = replay(corpus, task("a", budget=3), BreadthFirst, judge)
    assert names(trace.fetched) == ["a", "b", "c"]
    assert trace.misses == 0


def test_links_out_of_a_web_of_its_own_are_misses(tmp_path: Path) -> None:
    corpus = Corpus.open(write_universities(tmp_path / "corpus"), cache=tmp_path / "cache")
    student = protocol_k.tasks(corpus, topics=["student"])[0]
    trace = crawl(corpus, student, Contender("breadth-first", "cosine"))
    assert all("cornell" in url for url in trace.fetched)
    assert student.targets <= set(trace.fetched)
    assert len(trace.fetched) == len(set(trace.fetched)) == len(student.within or ()) - 1  # one is lost
    assert trace.misses == 1


def test_the_omniscient_oracle_follows_links_to_targets_first_through_aliases_too(tmp_path: Path) -> None:
    corpus = small(tmp_path, {"a": ["b", "c", "old"], "b": ["e"], "c": "", "d": "", "e": ""}, {"old": "d"})
    goal = task("a", targets="de")
    trace = crawl(corpus, goal, Contender("omniscient", "cosine"))
    assert names(trace.fetched) == ["a", "d", "b", "e", "c"]


def test_the_oracle_of_true_labels_follows_links_on_relevant_pages_first(tmp_path: Path) -> None:
    corpus = small(tmp_path, {"a": "bcd", "b": "e", "c": "f", "d": "", "e": "", "f": ""})
    trace = crawl(corpus, task("a", targets="c"), Contender("true-labels", "cosine"))
    assert names(trace.fetched) == ["a", "b", "c", "f", "d", "e"]


def test_oracles_lead_nowhere_from_failures() -> None:
    failed = Visit(Candidate(Link(f"{SITE}/x/a"), 1.0))
    assert list(Omniscient().expand(failed)) == list(TrueLabels().expand(failed)) == []


class LastFound(Strategy):
    """Turns the queue round whenever it is asked for fresh scores."""

    asked = 0

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is not None:
            yield from (Candidate(link, 0.0, 1) for link in visit.page.links)

    def revise(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        self.asked += 1
        return [float(candidate.url.rpartition("/")[2]) for candidate in candidates]


def test_a_strategy_that_revises_is_asked_every_fifty_fetches(tmp_path: Path) -> None:
    corpus = small(tmp_path, {"0": [str(n) for n in range(1, 120)], **{str(n): "" for n in range(1, 120)}})
    trace = replay(corpus, task("0"), LastFound, judge)
    order = [int(name) for name in names(trace.fetched)]
    assert order[:REVISE_EVERY] == list(range(REVISE_EVERY))
    assert order[REVISE_EVERY:] == list(range(119, REVISE_EVERY - 1, -1))


def test_a_focused_crawl_finds_more_than_a_blind_one(tmp_path: Path) -> None:
    corpus = Corpus.open(write_zoo(tmp_path / "corpus"), cache=tmp_path / "cache")
    birds = protocol_w.tasks(corpus, settings=["near"], topics=["Animals/Birds"], pages=25)[0]

    def found(strategy: str) -> int:
        return len(birds.targets.intersection(crawl(corpus, birds, Contender(strategy, "cosine")).fetched))

    assert found("best-first:by=anchor") > found("breadth-first") + 5
    assert found("omniscient") >= found("best-first:by=anchor")


def test_fitting_is_paid_for_apart_from_crawling(tmp_path: Path) -> None:
    corpus = small(tmp_path, {"a": "b", "b": ""})
    trace = replay(corpus, task("a"), lambda: BestFirst().fit(Topic("birds"), None), judge)
    assert trace.fit_seconds > 0
    assert trace.peak_mb >= 0


PROGRAM = """
import sys
from pathlib import Path
from honeyguide.bench import protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.experiment import contenders, crawl

corpus = Corpus.open(Path(sys.argv[1]), cache=Path(sys.argv[2]))
for task in protocol_w.tasks(corpus, pages=40):
    for contender in contenders(["best-first"], ["cosine"]):
        print(contender, *crawl(corpus, task, contender)[:2])
"""


def test_a_crawl_comes_out_the_same_whatever_the_hash_seed(tmp_path: Path) -> None:
    folder = write_zoo(tmp_path / "corpus")
    seen = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(folder), str(tmp_path / f"cache{seed}")],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    }
    (once,) = seen
    assert once.count(b"\n") == 2 * 2 * 5


@pytest.mark.parametrize("strategy", ["random", "breadth-first", "best-first", "true-labels"])
def test_a_crawl_comes_out_the_same_when_it_is_run_again(tmp_path: Path, strategy: str) -> None:
    corpus = Corpus.open(write_zoo(tmp_path / "corpus"), cache=tmp_path / "cache")
    birds = protocol_w.tasks(corpus, settings=["far"], topics=["Animals/Birds"])[0]
    first, second = (crawl(corpus, birds, Contender(strategy, "cosine")) for _ in range(2))
    assert first[:4] == second[:4]
