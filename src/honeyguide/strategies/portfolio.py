"""Several strategies that compete: each has its own order, and the one whose pages pay gets more of the crawl."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.members import Make, Members

CHOSEN = 1e6
"""The score of what was chosen, so that it comes before all that was not."""

PATIENCE = 20
"""Pages, for each link chosen ahead, after which a choice that was not visited is given up."""


class Portfolio(Strategy):
    """Lets strategies take turns by what their choices have brought (a bandit, UCB1 with forgetting).

    After every visit the strategy with the largest mean relevance + `curiosity` * sqrt(ln T / t) chooses the
    link it likes best, t of T choices having been its own; earlier choices count `memory` times as much with
    every further one. `ahead` links are chosen before the first has been visited, so that many workers find
    something to do. What nobody has chosen waits behind, in the order in which it was found.
    """

    def __init__(
        self,
        *,
        of: tuple[str, ...] = ("best-first", "shark-search", "backlink"),
        curiosity: float = 0.15,
        memory: float = 0.995,
        ahead: int = 1,
        make: Make | None = None,
    ) -> None:
        if curiosity < 0 or not 0 < memory <= 1 or ahead < 1:
            raise ConfigError(
                "A portfolio's curiosity cannot be below 0, its memory lies between 0 and 1, "
                "and it chooses at least 1 link ahead."
            )
        self._members = Members(of, make, every=1)
        self.needs = self._members.needs
        self.of = of
        self.curiosity = curiosity
        self.memory = memory
        self.ahead = ahead
        self._turns = np.zeros(len(self._members.names))
        self._paid = np.zeros(len(self._members.names))
        self._chosen: dict[int, tuple[int, int]] = {}

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Let all strategies learn."""
        self._members.fit(topic, log)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        number = self._members.waiting.graph.find(visit.url)
        chosen = self._chosen.pop(number, None) if number is not None else None
        if chosen is not None:
            chooser, _ = chosen
            self._turns *= self.memory
            self._paid *= self.memory
            self._turns[chooser] += 1
            self._paid[chooser] += visit.verdict.score if visit.verdict else 0.0
        return [
            Candidate(one.link, score, one.depth, one.memo, {"found as number": score})
            for one in self._members.expand(visit)
            for score in (-float(one.number),)
        ]

    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        """The later memos, with the place of the one that waits."""
        return found._replace(score=max(waiting.score, found.score))

    def refused(self, url: str) -> None:
        self._members.refused(url)

    def parked(self, host: str, is_parked: bool) -> None:
        self._members.parked(host, is_parked)

    def changes(self) -> Iterable[tuple[str, float]]:
        self._members.heed_changes()
        waiting = self._members.waiting
        self._give_up(waiting.pages - PATIENCE * self.ahead)
        waits = waiting.waits.copy()
        waits[list(self._chosen)] = False
        changed = []
        while len(self._chosen) < self.ahead and waits.any():
            for row in self._order():
                scores = np.where(waits, self._members.scores[row], -np.inf)
                number = int(np.argmax(scores))
                if scores[number] > -np.inf:
                    break
            else:
                break
            self._chosen[number] = row, waiting.pages
            waits[number] = False
            changed.append((waiting.url(number), CHOSEN))
        return changed

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        number = self._members.waiting.graph.find(candidate.url)
        chosen = self._chosen.get(number) if number is not None else None
        return {f"chosen by {self._members.names[chosen[0]]}": candidate.score} if chosen else None

    def state(self) -> Mapping[str, Any]:
        return {
            "members": self._members.state(),
            "turns": self._turns,
            "paid": self._paid,
            "chosen": [[number, *choice] for number, choice in self._chosen.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._members.restore(state["members"])
        self._turns, self._paid = state["turns"], state["paid"]
        self._chosen = {number: (row, at) for number, row, at in state["chosen"]}

    def _give_up(self, before: int) -> None:
        """Wait no longer for what was chosen before so many pages: a parked host, or a page known by now."""
        waiting = self._members.waiting
        for number in [number for number, (_, at) in self._chosen.items() if at < before]:
            del self._chosen[number]
            waiting.forget(waiting.url(number))

    def _order(self) -> list[int]:
        """The strategies, the most promising first; whoever has never chosen comes before all others."""
        total = float(self._turns.sum()) + len(self._chosen)

        def promise(row: int) -> float:
            turns = float(self._turns[row]) + sum(chooser == row for chooser, _ in self._chosen.values())
            if turns < 1e-9:
                return math.inf
            return float(self._paid[row]) / turns + self.curiosity * math.sqrt(math.log(1 + total) / turns)

        return sorted(range(len(self._turns)), key=lambda row: -promise(row))
