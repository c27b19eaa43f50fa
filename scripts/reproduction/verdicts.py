"""When a claim holds, when it does not, and when that cannot be told.

What is compared is the mean difference over tasks with its 95 % interval. A difference counts if the interval
leaves out 0, two are alike if it stays near 0, and nothing is told from fewer tasks than LEAST.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from honeyguide.bench.report.results import Contender
from honeyguide.statistics import Paired, share, wilson

from .evidence import EFFICIENCY, Evidence, Figure

HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be told"
LEAST = 6
"""With fewer tasks even a contender that always wins could do so by chance (sign test, p > .05)."""

NEXT_TO_NOTHING = 0.02
"""Figures that differ by no more are alike."""


class Finding(NamedTuple):
    """What became of a claim: the verdict, what decided it, and other figures that belong to it."""

    verdict: str
    found: str
    figures: tuple[str, ...] = ()


def is_above(pair: Paired) -> str:
    """Of the claim that one is better than the other."""
    if _tasks(pair) < LEAST or pair.low <= 0 <= pair.high:
        return OPEN
    return HOLDS if pair.low > 0 else FAILS


def is_alike(pair: Paired) -> str:
    """Of the claim that the two differ by next to nothing."""
    if _tasks(pair) < LEAST:
        return OPEN
    if pair.low >= -NEXT_TO_NOTHING and pair.high <= NEXT_TO_NOTHING:
        return HOLDS
    return FAILS if pair.low > NEXT_TO_NOTHING or pair.high < -NEXT_TO_NOTHING else OPEN


def is_no_better(pair: Paired) -> str:
    """Of the claim that one does not gain on the other."""
    if _tasks(pair) < LEAST:
        return OPEN
    if pair.low > 0:
        return FAILS
    return HOLDS if pair.difference <= 0 else OPEN


def comes_to(times: int, cases: int, published: float) -> str:
    """Of the claim that something is so in some share of the cases, or in more."""
    part = share(times, cases)
    if part is None or cases < LEAST:
        return OPEN
    return FAILS if part.high < published else HOLDS if part.value >= published else OPEN


def in_cases(times: int, cases: int) -> str:
    """A share in words, with its 95 % interval."""
    low, high = wilson(times, cases)
    return f"{times} of {cases} ({low:.0%} to {high:.0%})"


def all_of(verdicts: Iterable[str]) -> str:
    """Of a claim that says several things at once."""
    known = set(verdicts)
    return FAILS if FAILS in known else HOLDS if known == {HOLDS} else OPEN


def in_order(
    evidence: Evidence, ranks: Sequence[Sequence[Contender]], figure: Figure = EFFICIENCY
) -> Finding:
    """Of the claim that contenders come in this order, those of one rank being alike: every pair is checked."""
    of = {who: number for number, rank in enumerate(ranks) for who in rank}
    pairs = {(one, other): evidence.compare(one, other, figure) for one, other in combinations(of, 2)}
    verdicts = {
        (one, other): (is_alike if of[one] == of[other] else is_above)(pair)
        for (one, other), pair in pairs.items()
    }
    told = Counter(verdicts.values())
    counted = f"{told[HOLDS]} as published, {told[FAILS]} not, {told[OPEN]} cannot be told"
    steps = {pair: pairs[pair] for pair in pairwise(of)}
    each = ", ".join(map(difference, steps.values()))
    found = (
        f"{means_of(evidence, list(of), figure)}; each less the next: {each}; of {len(pairs)} pairs {counted}"
    )
    against = [
        f"the other way: {versus(other, one, evidence.compare(other, one, figure))}"
        for (one, other), verdict in verdicts.items()
        if verdict == FAILS and (one, other) not in steps
    ]
    lines = [versus(one, other, pair) for (one, other), pair in steps.items()]
    return Finding(all_of(verdicts.values()), found, (*lines, *against))


def above(
    evidence: Evidence, ones: Sequence[Contender], others: Sequence[Contender], figure: Figure = EFFICIENCY
) -> Finding:
    """Of the claim that each of some is better than each of others."""
    return _each(evidence, ones, others, figure, is_above)


def no_better(
    evidence: Evidence, ones: Sequence[Contender], other: Contender, figure: Figure = EFFICIENCY
) -> Finding:
    """Of the claim that none of some is better than another."""
    return _each(evidence, ones, [other], figure, is_no_better)


def _each(
    evidence: Evidence,
    ones: Sequence[Contender],
    others: Sequence[Contender],
    figure: Figure,
    verdict: Callable[[Paired], str],
) -> Finding:
    pairs = {(one, other): evidence.compare(one, other, figure) for one in ones for other in others}
    differences = ", ".join(map(difference, pairs.values()))
    found = f"{means_of(evidence, [*ones, *others], figure)}; the former less the latter: {differences}"
    lines = tuple(versus(one, other, pair) for (one, other), pair in pairs.items())
    return Finding(all_of(map(verdict, pairs.values())), found, lines)


def means_of(evidence: Evidence, whom: Sequence[Contender], figure: Figure = EFFICIENCY) -> str:
    """Everybody's mean."""
    return ", ".join(f"{named(who)} {evidence.mean(who, figure):.3f}" for who in whom)


def versus(one: Contender, other: Contender, pair: Paired) -> str:
    """One pair in a line: difference, interval, wins and losses."""
    return (
        f"{named(one)} - {named(other)}: {difference(pair)}, "
        f"{pair.wins} wins, {pair.losses} losses of {_tasks(pair)}"
    )


def difference(pair: Paired) -> str:
    """A mean difference with its interval."""
    return f"{pair.difference:+.3f} ({pair.low:+.3f} to {pair.high:+.3f})"


def named(who: Contender) -> str:
    """A contender's name, with its judge."""
    return f"{who.strategy} [{who.judge}]"


def _tasks(pair: Paired) -> int:
    return pair.wins + pair.losses + pair.ties
