from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honeyguide.config import parse_use
from honeyguide.model import Candidate, Link, Page, Topic, Verdict, Visit
from honeyguide.naming import STRATEGIES, make_strategy
from honeyguide.roles import Strategy
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.random import Random
from honeyguide.testing import check_strategy, example_visits

SOURCE = "https://hostile.example/"
TOPIC = Topic("dengue fever", keywords=("mosquito", "Aedes aegypti"))


@pytest.mark.parametrize(
    "use",
    [
        *STRATEGIES,
        "random:seed=7",
        "best-first:by=page",
        "best-first:by=anchor",
        "shark-search:variant=inherited",
        "n-best-first:of=pagerank,n=2",
        "combination:of=fish-search+hits,by=ranks",
        "portfolio:of=shark-search+depth-first,ahead=4",
    ],
)
def test_every_strategy_keeps_its_promises(use: str) -> None:
    check_strategy(lambda: make_strategy(parse_use(use)).fit(TOPIC, None), example_visits())


HOSTILE = (
    Link("https://site.example/1", SOURCE, "dengue " * 20_000, "fever"),
    Link("https://site.example/2", SOURCE, "x" * 100_000, "y " * 50_000),
    Link("https://site.example/3", SOURCE, "\ud800 \x00\n\u202e", "e" + "\u0301" * 5_000),
    Link(
        "https://site.example/" + "a/" * 10_000, SOURCE, "登革热" * 1_000, "蚊子" * 1_000, path="/li" * 1_000
    ),
    Link(SOURCE, SOURCE, "itself"),
    *(Link(f"https://site.example/{number}", SOURCE, "dengue", "fever dengue") for number in [9] * 2_000),
)


@pytest.mark.parametrize("use", STRATEGIES)
def test_hostile_links_neither_hold_a_strategy_up_nor_lead_it_astray(use: str) -> None:
    hostile = Page(SOURCE, "t" * 100_000, "dengue\ud800 fever " * 10_000, "en", HOSTILE)
    seed, verdict = Candidate(Link(SOURCE), 0.5), Verdict(0.6, True, 0.1, judge="example@1")
    again = Candidate(HOSTILE[0], 0.5, 1)
    visits = [Visit(one, page=hostile, verdict=verdict, status=200) for one in (seed, again)]
    check_strategy(
        lambda: make_strategy(parse_use(use)).fit(TOPIC, None), [*visits, *example_visits(), *visits]
    )


class Counting(Strategy):
    """Scores links by how many visits there were; remembers the number, as JSON and as an array."""

    def __init__(self) -> None:
        self.seen = 0

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        self.seen += 1
        if visit.page is None:
            return
        for link in visit.page.links:
            parts = {"seen": float(self.seen)}
            yield Candidate(link, float(self.seen), visit.candidate.depth + 1, {"at": self.seen}, parts)

    def state(self) -> Mapping[str, Any]:
        return {"seen": self.seen, "more": {"array": np.array([self.seen])}}

    def restore(self, state: Mapping[str, Any]) -> None:
        assert state["more"]["array"].tolist() == [state["seen"]]
        self.seen = state["seen"]


def test_a_strategy_that_learns_and_remembers_passes() -> None:
    check_strategy(Counting, example_visits())


def test_a_strategy_may_say_how_its_parts_make_the_score() -> None:
    check_strategy(Counting, example_visits(), explain=lambda parts: parts["seen"])
    with pytest.raises(AssertionError, match="explain a score"):
        check_strategy(Counting, example_visits(), explain=lambda parts: 2 * parts["seen"])


class Forgetful(Counting):
    def state(self) -> Mapping[str, Any]:
        return {"seen": 0, "more": {"array": np.array([0])}}


class Unsure(Counting):
    """Explains by what it has not saved."""

    def __init__(self) -> None:
        super().__init__()
        self.all = 0

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        self.all += 1
        return super().expand(visit)

    def explain(self, candidate: Candidate) -> Mapping[str, float]:
        return {"all": float(self.all)}


class Unstorable(Counting):
    def state(self) -> Mapping[str, Any]:
        return {"seen": {1, 2}}


class Positional(BreadthFirst):
    def __init__(self, depth: int = 3) -> None:
        self.depth = depth


class Demanding(BreadthFirst):
    def __init__(self, *, depth: int) -> None:
        self.depth = depth


class Reading(BreadthFirst):
    def __init__(self) -> None:
        Path(__file__).read_text()


class Wrong(Strategy):
    """Breadth-first with every candidate changed by `spoil`."""

    def __init__(self) -> None:
        self.calls = 0

    def expand(self, visit: Visit) -> Iterator[Candidate]:
        for candidate in BreadthFirst().expand(visit):
            self.calls += 1
            yield self.spoil(candidate)

    def spoil(self, candidate: Candidate) -> Candidate:
        return candidate


class Shallow(Wrong):
    def spoil(self, candidate: Candidate) -> Candidate:
        return candidate._replace(depth=0)


class Inventing(Wrong):
    def spoil(self, candidate: Candidate) -> Candidate:
        return candidate._replace(link=Link("https://invented.example/"))


class Unordered(Wrong):
    def spoil(self, candidate: Candidate) -> Candidate:
        return candidate._replace(score=float("nan"))


class Unexplained(Wrong):
    def spoil(self, candidate: Candidate) -> Candidate:
        return candidate._replace(parts=None)


class Misexplained(Wrong):
    def spoil(self, candidate: Candidate) -> Candidate:
        return candidate._replace(parts={"page": 0.5, "anchor": 0.7})


class OpaqueMemo(Wrong):
    def spoil(self, candidate: Candidate) -> Candidate:
        return candidate._replace(memo={"path": {1, 2}})


class OpaqueParts(Wrong):
    def spoil(self, candidate: Candidate) -> Candidate:
        return candidate._replace(parts={1: candidate.score})  # type: ignore[dict-item]


class Stubborn(Wrong):
    def expand(self, visit: Visit) -> Iterator[Candidate]:
        if visit.page is None:
            yield Candidate(Link(visit.url), 0.0, visit.candidate.depth + 1, None, {"again": 0.0})
        else:
            yield from super().expand(visit)


class Miscounting(Wrong):
    def revise(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        return [0.0]


class Mixing(Wrong):
    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        return found._replace(link=Link("https://mixed.example/"))


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (Forgetful, "goes on differently"),
        (Unsure, "explains or revises differently"),
        (Positional, "depth is not one"),
        (Reading, "reads data"),
        (Shallow, "one step deeper"),
        (Inventing, "is no link of"),
        (Unordered, "has no order"),
        (Unexplained, "without parts"),
        (Misexplained, "explain a score"),
        (OpaqueMemo, "memo of .* is not JSON"),
        (OpaqueParts, "parts of .* are not JSON"),
        (Stubborn, "leads nowhere"),
        (Miscounting, "one score for every candidate"),
        (Mixing, "keeps the URL"),
    ],
)
def test_a_strategy_that_breaks_a_promise_is_caught(broken: type[Strategy], sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_strategy(broken, example_visits())


def test_a_constructor_that_asks_for_something_is_caught() -> None:
    with pytest.raises(AssertionError, match="depth is not one"):
        check_strategy(lambda: Demanding(depth=1), example_visits())


def test_a_state_that_cannot_be_stored_is_caught() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        check_strategy(Unstorable, example_visits())


def test_strategies_made_alike_that_differ_are_caught() -> None:
    seeds = iter(range(100))
    with pytest.raises(AssertionError, match="a second strategy made alike differs"):
        check_strategy(lambda: Random(seed=next(seeds)), example_visits())


def test_files_can_be_opened_again_after_a_check() -> None:
    check_strategy(BreadthFirst, example_visits())
    assert Path(__file__).read_text()
