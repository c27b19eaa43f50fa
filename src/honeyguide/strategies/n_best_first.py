"""N-best-first (AP 5.1; GD calls it BSFSN): take the N best, fetch them all, and only then order again."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Topic, Visit
from honeyguide.roles import Strategy, VisitLog

HELD_BACK = -1e6
"""Added to the score of what is not among the N best, so that it comes after them and keeps its order."""


class NBestFirst(Strategy):
    """Orders links as another strategy does, but only every N fetches; what is found meanwhile waits.

    `of` names the other strategy, with its parameters. N is 10, 25 or 50 in AP, the queue of 256 in GD.
    With the whole queue before it a crawler may follow the first good page too far; N pages at a time spread it.
    """

    def __init__(
        self, *, of: str = "best-first", n: int = 50, make: Callable[[str], Strategy] | None = None
    ) -> None:
        if n < 1:
            raise ConfigError(f"N-best-first needs an n of at least 1, not {n}.")
        self.of = of
        self.n = n
        self._inner = make(of) if make is not None else None
        self.needs = self._inner.needs if self._inner is not None else ()
        self._waiting = Waiting(every=n)
        self._scores = np.full(1024, -np.inf)
        self._left = 0

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Let the other strategy learn."""
        self._ordering.fit(topic, log)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        candidates = list(self._ordering.expand(visit))
        self._waiting.see(visit)
        self._left -= 1
        self._note(candidates)
        return [
            candidate._replace(
                score=candidate.score + HELD_BACK,
                parts={**(candidate.parts or {}), "held back": HELD_BACK},
            )
            for candidate in candidates
        ]

    def refused(self, url: str) -> None:
        self._waiting.forget(url)
        self._ordering.refused(url)

    def parked(self, host: str, is_parked: bool) -> None:
        self._ordering.parked(host, is_parked)

    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        """As the other strategy would; what is among the N best stays there."""
        is_held = waiting.score < HELD_BACK / 2
        chosen = self._ordering.combine(_plain(waiting), _plain(found))
        return chosen._replace(score=chosen.score + HELD_BACK) if is_held else chosen

    def changes(self) -> Iterable[tuple[str, float]]:
        for url, score in self._ordering.changes():
            number = self._waiting.graph.find(url)
            if number is not None and self._scores[number] > -np.inf:
                self._scores[number] = score
        if self._left > 0:
            return ()
        scores = np.where(self._waiting.waits, self._scores[: len(self._waiting.graph)], -np.inf)
        best = _best(scores, self.n)
        self._left = len(best)
        self._scores[best] = -np.inf
        return [(self._waiting.url(number), float(scores[number])) for number in best]

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        return self._ordering.explain(_plain(candidate))

    def state(self) -> Mapping[str, Any]:
        return {
            "inner": self._ordering.state(),
            "waiting": self._waiting.state(),
            "scores": self._scores[: len(self._waiting.graph)].copy(),
            "left": self._left,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._ordering.restore(state["inner"])
        self._waiting.restore(state["waiting"])
        self._scores = np.concatenate((state["scores"], np.full(1024, -np.inf)))
        self._left = state["left"]

    @property
    def _ordering(self) -> Strategy:
        if self._inner is None:
            raise ConfigError("N-best-first needs another strategy that says what is best; name it with of=.")
        return self._inner

    def _note(self, candidates: Iterable[Candidate]) -> None:
        """Keep the best score of every link that is held back."""
        if len(self._scores) < len(self._waiting.graph):
            self._scores = np.concatenate((self._scores, np.full(len(self._waiting.graph), -np.inf)))
        for candidate in candidates:
            number = self._waiting.graph.number(candidate.url)
            self._scores[number] = max(self._scores[number], candidate.score)


def _plain(candidate: Candidate) -> Candidate:
    """A candidate as the other strategy made it."""
    if candidate.score > HELD_BACK / 2:
        return candidate
    parts = {what: amount for what, amount in (candidate.parts or {}).items() if what != "held back"}
    return candidate._replace(score=candidate.score - HELD_BACK, parts=parts)


def _best(scores: NDArray[np.float64], count: int) -> list[int]:
    """The numbers of the highest scores, the lower number first among equals; what has none is left out."""
    if len(scores) > count:
        least = np.partition(scores, -count)[-count]
        numbers = np.flatnonzero(scores >= least)
    else:
        numbers = np.arange(len(scores))
    numbers = numbers[scores[numbers] > -np.inf]
    best: list[int] = numbers[np.lexsort((numbers, -scores[numbers]))][:count].tolist()
    return best
