"""Several strategies mixed into one order, by their scores or by their ranks."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.members import Make, Members, parts_of

By = Literal["scores", "ranks"]
K = 60.0
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""


class Combination(Strategy):
    """Mixes strategies: `of` names them, joined by +, `weights` say how much each counts (default: all alike).

    By scores: the weighted sum of scores, each strategy's brought to mean 0 and deviation 1 over what waits.
    By ranks: the weighted sum of 1 / (60 + rank), which needs no common scale (reciprocal rank fusion). The
    scale is the one of the last ordering, every `every` pages and, when the crawl is large, each time it has
    grown by 5 %; until then a new link is scored on the old scale.
    """

    def __init__(
        self,
        *,
        of: tuple[str, ...] = ("best-first", "backlink"),
        by: By = "scores",
        weights: tuple[float, ...] = (),
        every: int = 25,
        make: Make | None = None,
    ) -> None:
        self._members = Members(of, make, every=every)
        self.needs = self._members.needs
        names = self._members.names
        if weights and len(weights) != len(names):
            raise ConfigError(f"There are {len(names)} strategies to combine and {len(weights)} weights.")
        if by not in ("scores", "ranks"):
            raise ConfigError(f"Strategies are combined by scores or by ranks, not by {by!r}.")
        if every < 1:
            raise ConfigError("A combination's every must be at least 1.")
        self.of = of
        self.by = by
        self.weights = weights
        self.every = every
        self._shares = np.array(weights or [1 / len(names)] * len(names))
        self._known = [np.zeros(0) for _ in names]

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Let all strategies learn."""
        self._members.fit(topic, log)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        found = self._members.expand(visit)
        if not found:
            return []
        numbers = [one.number for one in found]
        amounts = self._amounts(self._members.scores[:, numbers])
        self._members.waiting.tell(numbers, amounts.sum(axis=0))
        return [
            Candidate(
                one.link, float(column.sum()), one.depth, one.memo, parts_of(self._members.names, column)
            )
            for one, column in zip(found, amounts.T, strict=True)
        ]

    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        """The later one: its score was made of what all strategies think of both."""
        return found

    def refused(self, url: str) -> None:
        self._members.refused(url)

    def parked(self, host: str, is_parked: bool) -> None:
        self._members.parked(host, is_parked)

    def changes(self) -> Iterable[tuple[str, float]]:
        self._members.heed_changes()
        waiting = self._members.waiting
        if not waiting.is_due:
            return ()
        scores = self._members.scores[:, waiting.waits]
        self._known = [np.sort(row[row > -np.inf]) for row in scores]
        return waiting.order(self._amounts(self._members.scores).sum(axis=0))

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        number = self._members.waiting.graph.find(candidate.url)
        if number is None:
            return None
        return parts_of(self._members.names, self._amounts(self._members.scores[:, [number]])[:, 0])

    def state(self) -> Mapping[str, Any]:
        known = {str(row): values for row, values in enumerate(self._known)}
        return {"members": self._members.state(), "known": known}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._members.restore(state["members"])
        self._known = [state["known"][str(row)] for row in range(len(self._known))]

    def _amounts(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each strategy adds to the score of each page, on the scale of the last ordering."""
        scaled = np.zeros(scores.shape)
        for row, (values, known) in enumerate(zip(scores, self._known, strict=True)):
            if self.by == "ranks":
                ahead = len(known) - np.searchsorted(known, values, side="right")
                scaled[row] = np.where(values > -np.inf, 1 / (K + 1 + ahead), 0.0)
            else:
                there = known if len(known) else values[values > -np.inf]
                if len(there):
                    spread = float(there.std()) or 1.0
                    scaled[row] = (np.maximum(values, there.min()) - float(there.mean())) / spread
        return self._shares[:, None] * scaled
