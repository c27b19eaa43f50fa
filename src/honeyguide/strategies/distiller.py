"""Classifier and distiller (Chakrabarti, van den Berg and Dom 1999; AP 3.2): relevance, and good hubs."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.graph.hits import hits
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy


class Distiller(Strategy):
    """Scores a link by the relevance of its page, and more if the page is a hub of relevant pages.

    score = rel(p) + share * hub(p), hub(p) from HITS over the crawl in which a page passes on as much of its
    score as it is relevant; the best hub has 1. Of several pages that link to a target, the one that gives
    most counts. The distiller runs every `every` pages and, when the crawl is large, each time it has grown
    by 5 %. The original raises the neighbours of the best hubs only; here every page gets its hub score.
    """

    def __init__(self, *, share: float = 0.5, every: int = 50, iterations: int = 10) -> None:
        if share < 0:
            raise ConfigError(f"The distiller's share cannot be below 0, as {share} is.")
        if every < 1 or iterations < 1:
            raise ConfigError("The distiller's every and iterations must be at least 1.")
        self.share = share
        self.every = every
        self.iterations = iterations
        self._waiting = Waiting(every=every)
        self._relevance = np.zeros(1024)
        self._hubs = np.zeros(0)

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        self._waiting.see(visit)
        if visit.page is None or visit.error is not None:
            return ()
        if len(self._relevance) < len(self._waiting.graph):
            self._relevance = np.concatenate((self._relevance, np.zeros(len(self._waiting.graph))))
        source = self._waiting.graph.number(visit.url)
        relevance = visit.verdict.score if visit.verdict else 0.0
        self._relevance[source] = relevance
        hub = self.share * float(self._hubs[source]) if source < len(self._hubs) else 0.0
        parts = {"page": relevance, "hub": hub}
        depth = visit.candidate.depth + 1
        return [Candidate(link, relevance + hub, depth, None, parts) for link in visit.page.links]

    def refused(self, url: str) -> None:
        self._waiting.forget(url)

    def changes(self) -> Iterable[tuple[str, float]]:
        if not self._waiting.is_due:
            return ()
        graph = self._waiting.graph
        relevance = self._relevance[: len(graph)]
        # What is not fetched yet is an authority by the relevance of those who link to it.
        weights = np.where(graph.told, relevance, 1.0)
        scores = hits(graph, iterations=self.iterations, start=self._hubs, weights=weights)
        best = float(scores.hubs.max(initial=0.0)) or 1.0
        self._hubs = scores.hubs / best
        worth = relevance + self.share * self._hubs
        scored = np.zeros(len(graph))
        np.maximum.at(scored, graph.targets, worth[graph.sources])
        return self._waiting.order(scored)

    def explain(self, candidate: Candidate) -> Mapping[str, float]:
        source = self._waiting.graph.find(candidate.link.source)
        relevance = float(self._relevance[source]) if source is not None else 0.0
        return {"page": relevance, "hub": candidate.score - relevance}

    def state(self) -> Mapping[str, Any]:
        return {
            "waiting": self._waiting.state(),
            "relevance": self._relevance[: len(self._waiting.graph)].copy(),
            "hubs": self._hubs,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._waiting.restore(state["waiting"])
        self._relevance = np.concatenate((state["relevance"], np.zeros(1024)))
        self._hubs = state["hubs"]
