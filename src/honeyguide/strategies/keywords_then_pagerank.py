"""Keywords on the page first, PageRank among equals (AP 3.3, after Cho, Garcia-Molina and Page 1998)."""

from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.graph.pagerank import DAMPING, pagerank
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.text.vectors import Query


class KeywordsThenPageRank(Strategy):
    """Scores a link by how many of the topic's words its page says, and among equals by PageRank.

    score = number of different topic words on the page + PR / (1 + PR): a rank never outweighs a word. Of
    several pages that link to a target, the one that says the most words counts. Ranks as in `pagerank`,
    ordered afresh every `every` pages and, when the crawl is large, each time it has grown by 5 %.
    """

    def __init__(self, *, d: float = DAMPING, every: int = 50, iterations: int = 10) -> None:
        if not 0 <= d < 1:
            raise ConfigError(f"PageRank's d must lie between 0 and 1, not at {d}.")
        if every < 1 or iterations < 1:
            raise ConfigError("The numbers every and iterations must be at least 1.")
        self.d = d
        self.every = every
        self.iterations = iterations
        self._waiting = Waiting(every=every)
        self._ranks = np.zeros(0)
        self._words = np.zeros(1024)
        self._query: Query | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Take up the topic's words; there is nothing to learn from an earlier crawl."""
        self._query = Query.of(topic)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        numbers = self._waiting.see(visit)
        if visit.page is None or not numbers:
            return ()
        assert self._query is not None, "fit comes first"
        said = self._query.weights.keys() & set(
            self._query.tokeniser.stems(f"{visit.page.title}\n{visit.page.text}")
        )
        words = float(len(said))
        if len(self._words) < len(self._waiting.graph):
            self._words = np.concatenate((self._words, np.zeros(len(self._waiting.graph))))
        np.maximum.at(self._words, numbers, words)
        depth = visit.candidate.depth + 1
        return [
            Candidate(link, words + rank, depth, None, {"words": words, "pagerank": rank})
            for link, number in zip(visit.page.links, numbers, strict=True)
            for rank in (self._part(number),)
        ]

    def refused(self, url: str) -> None:
        self._waiting.forget(url)

    def changes(self) -> Iterable[tuple[str, float]]:
        if not self._waiting.is_due:
            return ()
        self._ranks = pagerank(
            self._waiting.graph, damping=self.d, iterations=self.iterations, start=self._ranks
        )
        return self._waiting.order(self._words[: len(self._ranks)] + self._ranks / (1 + self._ranks))

    def explain(self, candidate: Candidate) -> Mapping[str, float]:
        words = float(np.floor(candidate.score))
        return {"words": words, "pagerank": candidate.score - words}

    def state(self) -> Mapping[str, Any]:
        return {
            "waiting": self._waiting.state(),
            "ranks": self._ranks,
            "words": self._words[: len(self._waiting.graph)].copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._waiting.restore(state["waiting"])
        self._ranks = state["ranks"]
        self._words = np.concatenate((state["words"], np.zeros(1024)))

    def _part(self, number: int) -> float:
        """A rank squeezed below 1; a page that was not ranked yet has the least rank."""
        rank = float(self._ranks[number]) if number < len(self._ranks) else 1 - self.d
        return rank / (1 + rank)
