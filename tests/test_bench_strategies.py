"""The measuring of strategies measures what it says."""

import runpy
from pathlib import Path

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parent.parent / "scripts" / "bench_strategies.py"))


@pytest.mark.parametrize("use", ["breadth-first", "n-best-first", "fish-search", "combination"])
def test_any_strategy_can_be_measured(use: str) -> None:
    figures = SCRIPT["measure"](use, 1000, 60.0)
    assert (figures.stopped, figures.links) == (False, 50 * figures.pages)
    assert 1000 <= figures.urls <= figures.links
    assert 0 < figures.alone < figures.together
    assert 0 < figures.usual <= figures.longest


def test_a_strategy_that_takes_too_long_is_stopped() -> None:
    figures = SCRIPT["measure"]("breadth-first", 100_000, 0.0)
    assert (figures.stopped, figures.pages) == (True, 1)
    assert "stopped" in "".join(SCRIPT["lines"]("breadth-first", [figures]))


def test_growth_is_the_exponent_of_the_cost() -> None:
    made = SCRIPT["Figures"]
    results = [made(n, n, n, 1e-6 * n**1.5, 1.0, 0.1, 0.1, 1.0, False) for n in (10_000, 100_000, 1_000_000)]
    assert SCRIPT["growth"](results) == "1.50"
    assert SCRIPT["growth"](results[:1]) == ""
