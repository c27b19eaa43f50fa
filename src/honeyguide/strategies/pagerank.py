"""PageRank as an order of links (AP 5.1): what the pages seen so far think important comes first."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.graph.pagerank import DAMPING, pagerank
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy


class PageRank(Strategy):
    """Scores a link by the PageRank of its target in the graph of the pages fetched so far (AP eq. 11).

    PR(p) = (1 - d) + d * sum of PR(q) / C(q) over the pages q that link to p, d = 0.8, 10 iterations; a page
    whose links are not known jumps everywhere. The queue is ordered afresh every `every` pages (AP's N), and
    when the crawl is large, each time it has grown by 5 %; between orderings a new link has what its own page
    passes on to it. An ordering goes on from the ranks of the last one, where AP start anew.
    """

    def __init__(self, *, d: float = DAMPING, every: int = 50, iterations: int = 10) -> None:
        if not 0 <= d < 1:
            raise ConfigError(f"PageRank's d must lie between 0 and 1, not at {d}.")
        if every < 1 or iterations < 1:
            raise ConfigError("PageRank's every and iterations must be at least 1.")
        self.d = d
        self.every = every
        self.iterations = iterations
        self._waiting = Waiting(every=every)
        self._ranks = np.zeros(0)

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        numbers = self._waiting.see(visit)
        if visit.page is None or not numbers:
            return ()
        source = self._waiting.graph.number(visit.url)
        rank = float(self._ranks[source]) if source < len(self._ranks) else 1.0
        targets = np.array(numbers)
        scores = np.full(len(numbers), (1 - self.d) + self.d * rank / len(set(numbers)))
        ranked = targets < len(self._ranks)
        scores[ranked] = self._ranks[targets[ranked]]
        depth = visit.candidate.depth + 1
        return [
            Candidate(link, score, depth, None, {"pagerank": score})
            for link, score in zip(visit.page.links, scores.tolist(), strict=True)
        ]

    def refused(self, url: str) -> None:
        self._waiting.forget(url)

    def changes(self) -> Iterable[tuple[str, float]]:
        if not self._waiting.is_due:
            return ()
        self._ranks = pagerank(
            self._waiting.graph, damping=self.d, iterations=self.iterations, start=self._ranks
        )
        return self._waiting.order(self._ranks)

    def explain(self, candidate: Candidate) -> Mapping[str, float]:
        return {"pagerank": candidate.score}

    def state(self) -> Mapping[str, Any]:
        return {"waiting": self._waiting.state(), "ranks": self._ranks}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._waiting.restore(state["waiting"])
        self._ranks = state["ranks"]
