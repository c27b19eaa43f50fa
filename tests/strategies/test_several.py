"""Strategies made of others: combination and portfolio."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from small_crawl import SITE, in_order, see, visit

from honeyguide.errors import ConfigError
from honeyguide.model import Topic
from honeyguide.roles import Strategy
from honeyguide.strategies.backlink import Backlink
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.combination import Combination
from honeyguide.strategies.depth_first import DepthFirst
from honeyguide.strategies.fish_search import FishSearch
from honeyguide.strategies.pagerank import PageRank
from honeyguide.strategies.portfolio import CHOSEN, Portfolio
from honeyguide.testing import check_strategy, example_visits

TOPIC = Topic("dengue fever")
KNOWN: dict[str, Callable[[], Strategy]] = {
    "page": lambda: BestFirst(by="page"),
    "both": BestFirst,
    "backlink": Backlink,
    "breadth": BreadthFirst,
    "depth": DepthFirst,
    "fish": FishSearch,
    "pagerank": lambda: PageRank(every=1),
}


def make(name: str) -> Strategy:
    return KNOWN[name]()


@pytest.mark.parametrize("of", ["both+backlink", "fish+pagerank+depth", "page+page"])
@pytest.mark.parametrize("by", ["scores", "ranks"])
def test_combinations_keep_the_promises_of_a_strategy(of: str, by: str) -> None:
    check_strategy(
        lambda: Combination(of=(of,), by=by, every=2, make=make).fit(TOPIC, None), example_visits()
    )  # type: ignore[arg-type]


@pytest.mark.parametrize("ahead", [1, 3])
def test_portfolios_keep_the_promises_of_a_strategy(ahead: int) -> None:
    check_strategy(
        lambda: Portfolio(of=("both+backlink+fish",), ahead=ahead, make=make).fit(TOPIC, None),
        example_visits(),
    )


CRAWL = [
    visit("a", "bcx", relevance=0.9),
    visit("d", "xye", relevance=0.1),
    visit("f", "xy", relevance=0.1),
]


def test_scores_are_mixed_on_a_common_scale() -> None:
    # By page: b, c, x = .9, y, e = .1; backlinks: x 3, y 2, the others 1.
    scores = see(Combination(of=("page", "backlink"), every=1, make=make), *CRAWL)
    assert in_order(scores) == ["x", "b", "c", "y", "e"]
    # page: mean .58, deviation .392; backlinks: mean 1.6, deviation .8
    assert scores["x"] == pytest.approx(((0.9 - 0.58) / 0.39192 + (3 - 1.6) / 0.8) / 2, abs=1e-4)
    assert scores["e"] == pytest.approx(((0.1 - 0.58) / 0.39192 + (1 - 1.6) / 0.8) / 2, abs=1e-4)


def test_weights_say_how_much_a_strategy_counts() -> None:
    only_links = see(Combination(of=("page", "backlink"), weights=(0.0, 1.0), every=1, make=make), *CRAWL)
    assert in_order(only_links)[:2] == ["x", "y"]


def test_ranks_are_fused() -> None:
    scores = see(Combination(of=("page", "backlink"), by="ranks", every=1, make=make), *CRAWL)
    # x is first by both; y is fourth by page (three are ahead) and second by backlinks.
    assert scores["x"] == pytest.approx((1 / 61 + 1 / 61) / 2)
    assert scores["y"] == pytest.approx((1 / 64 + 1 / 62) / 2)


def test_every_strategy_gets_its_own_memo_back() -> None:
    mix = Combination(of=("fish", "page"), make=make)
    (found,) = mix.expand(visit("a", "b"))
    assert found.memo == {"memos": [{"depth": 2}, None]}


def test_a_link_that_one_strategy_drops_is_that_strategys_worst() -> None:
    mix = Combination(of=("fish", "page"), every=1, make=make)
    tired = visit("a", "b", relevance=0.3)
    tired = replace(tired, candidate=tired.candidate._replace(memo={"memos": [{"depth": 1}, None]}))
    scores = see(mix, visit("c", "de", relevance=0.3), tired)
    assert in_order(scores) == ["d", "e", "b"]


def test_the_strategy_that_pays_gets_more_turns() -> None:
    """Depth-first leads from good to good, breadth-first from bad to bad."""
    portfolio = Portfolio(of=("depth+breadth",), make=make)
    list(portfolio.expand(visit("start", [f"x{n}" for n in range(50)])))
    taken = {"good": 0, "bad": 0}
    (choice,) = portfolio.changes()
    for number in range(60):
        name = choice[0].removeprefix(SITE)
        good = name.startswith("good") or number == 0
        taken["good" if good else "bad"] += 1
        links = [f"good{number}"] if good else []
        list(portfolio.expand(visit(name, links, relevance=0.9 if good else 0.0)))
        (choice,) = portfolio.changes()
        assert choice[1] == CHOSEN
    assert taken["good"] > 4 * taken["bad"]


def test_nothing_is_chosen_while_a_choice_is_under_way() -> None:
    portfolio = Portfolio(of=("depth+breadth",), make=make)
    list(portfolio.expand(visit("a", "bcd")))
    assert len(list(portfolio.changes())) == 1
    assert list(portfolio.changes()) == []


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: Combination(of=("page",), make=make), "at least two"),
        (
            lambda: Combination(of=("page+both",), weights=(1.0,), make=make),
            "2 strategies to combine and 1 weights",
        ),
        (lambda: Combination(of=("page+both",), by="luck", make=make), "by scores or by ranks"),  # type: ignore[arg-type]
        (lambda: Portfolio(memory=0.0), "memory lies between"),
        (lambda: Combination().fit(TOPIC, None), "nobody here to make"),
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: Callable[[], Strategy], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        wrong()
