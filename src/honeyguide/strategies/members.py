"""Several strategies over one crawl: each sees every visit, and what each thinks of what waits is kept."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Link, Topic, Visit
from honeyguide.roles import Strategy, VisitLog

Make = Callable[[str], Strategy]


class Found(NamedTuple):
    """A link of a page, its number, and the memo that every strategy wants back."""

    link: Link
    number: int
    depth: int
    memo: Mapping[str, Any]


class Members:
    """Strategies by name, and a table of their scores: a row per strategy, a column per page heard of.

    Where a strategy has not scored a page, or has let it go, the table holds minus infinity.
    """

    def __init__(self, of: Sequence[str], make: Make | None, *, every: int) -> None:
        self.names = tuple(name.strip() for several in of for name in several.split("+"))
        if len(self.names) < 2:
            raise ConfigError("Name at least two strategies, as in of=best-first+pagerank.")
        self._strategies = tuple(map(make, self.names)) if make is not None else ()
        self.waiting = Waiting(every=every)
        self._table = np.full((len(self.names), 1024), -np.inf)

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """The strategies."""
        if not self._strategies:
            raise ConfigError(f"There is nobody here to make the strategies {', '.join(self.names)}.")
        return self._strategies

    @property
    def needs(self) -> tuple[str, ...]:
        """What any of them needs of a topic."""
        return tuple(dict.fromkeys(need for strategy in self._strategies for need in strategy.needs))

    @property
    def scores(self) -> NDArray[np.float64]:
        """What each strategy thinks of each page heard of."""
        return self._table[:, : len(self.waiting.graph)]

    def fit(self, topic: Topic, log: VisitLog | None) -> None:
        """Let all of them learn."""
        for strategy in self.strategies:
            strategy.fit(topic, log)

    def expand(self, visit: Visit) -> list[Found]:
        """Let all of them see a visit; every link that at least one of them would follow."""
        memos = visit.candidate.memo["memos"] if visit.candidate.memo else [None] * len(self.names)
        self.waiting.see(visit)
        size = len(self.waiting.graph)
        if size > self._table.shape[1]:
            self._table = np.concatenate((self._table, np.full((len(self.names), size), -np.inf)), axis=1)
        kept: dict[str, list[Mapping[str, Any] | None]] = {}
        links: dict[str, Candidate] = {}
        for row, (strategy, memo) in enumerate(zip(self.strategies, memos, strict=True)):
            own = replace(visit, candidate=visit.candidate._replace(memo=memo))
            for candidate in strategy.expand(own):
                links.setdefault(candidate.url, candidate)
                of_all = kept.setdefault(candidate.url, [None] * len(self.names))
                of_all[row] = self._settle(row, strategy, candidate)
        return [
            Found(links[url].link, self.waiting.graph.number(url), links[url].depth, {"memos": of_all})
            for url, of_all in kept.items()
        ]

    def refused(self, url: str) -> None:
        """A link of which all may forget."""
        self.waiting.forget(url)
        for strategy in self.strategies:
            strategy.refused(url)

    def parked(self, host: str, is_parked: bool) -> None:
        """A host that is not asked any more, or is again."""
        for strategy in self.strategies:
            strategy.parked(host, is_parked)

    def heed_changes(self) -> bool:
        """Take up what any of them scores differently by now; whether there was anything."""
        any_change = False
        for row, strategy in enumerate(self.strategies):
            for url, score in strategy.changes():
                number = self.waiting.graph.find(url)
                if number is not None:
                    self._table[row, number] = score
                    any_change = True
        return any_change

    def state(self) -> Mapping[str, Any]:
        """All that they and the table know."""
        return {
            "names": list(self.names),
            "members": {str(row): strategy.state() for row, strategy in enumerate(self.strategies)},
            "waiting": self.waiting.state(),
            "scores": self.scores.copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        for row, strategy in enumerate(self.strategies):
            strategy.restore(state["members"][str(row)])
        self.waiting.restore(state["waiting"])
        spare = np.full((len(self.names), 1024), -np.inf)
        self._table = np.concatenate((state["scores"], spare), axis=1)

    def _settle(self, row: int, strategy: Strategy, found: Candidate) -> Mapping[str, Any] | None:
        """Score a link for one strategy, as it wants links combined that are found again."""
        number = self.waiting.graph.number(found.url)
        score = float(self._table[row, number])
        if score > -np.inf:
            found = strategy.combine(found._replace(score=score), found)
        self._table[row, number] = found.score
        return found.memo


def parts_of(names: Iterable[str], amounts: Iterable[float]) -> dict[str, float]:
    """Amounts by name; a name that comes twice gets a number."""
    parts: dict[str, float] = {}
    for name, amount in zip(names, amounts, strict=True):
        parts[name if name not in parts else f"{name} #{len(parts) + 1}"] = float(amount)
    return parts
