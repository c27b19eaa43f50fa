"""HITS as an order of links (AP eq. 12-13): what good hubs link to comes first."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.graph.hits import hits
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy


class Hits(Strategy):
    """Scores a link by how good an authority its target is in the graph of the pages fetched so far.

    authority(p) = sum of hub(q) over the pages q that link to p, hub(q) = sum of authority(p) over the pages
    it links to, both normalised after each of 10 iterations. Ordered afresh every `every` pages, and when the
    crawl is large, each time it has grown by 5 %, going on from the hubs of the last ordering. Until then a new
    link has the hub score of its page. Scores are scaled so that the best authority has 1.
    """

    def __init__(self, *, every: int = 50, iterations: int = 10) -> None:
        if every < 1 or iterations < 1:
            raise ConfigError("HITS' every and iterations must be at least 1.")
        self.every = every
        self.iterations = iterations
        self._waiting = Waiting(every=every)
        self._hubs = np.zeros(0)
        self._authorities = np.zeros(0)

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        numbers = self._waiting.see(visit)
        if visit.page is None:
            return ()
        source = self._waiting.graph.number(visit.url)
        hub = float(self._hubs[source]) if source < len(self._hubs) else 0.0
        depth = visit.candidate.depth + 1
        return [
            Candidate(link, score, depth, None, {"authority": score})
            for link, number in zip(visit.page.links, numbers, strict=True)
            for score in (float(self._authorities[number]) if number < len(self._authorities) else hub,)
        ]

    def refused(self, url: str) -> None:
        self._waiting.forget(url)

    def changes(self) -> Iterable[tuple[str, float]]:
        if not self._waiting.is_due:
            return ()
        scores = hits(self._waiting.graph, iterations=self.iterations, start=self._hubs)
        best = float(scores.authorities.max(initial=0.0)) or 1.0
        self._hubs, self._authorities = scores.hubs, scores.authorities / best
        return self._waiting.order(self._authorities)

    def explain(self, candidate: Candidate) -> Mapping[str, float]:
        return {"authority": candidate.score}

    def state(self) -> Mapping[str, Any]:
        return {"waiting": self._waiting.state(), "hubs": self._hubs, "authorities": self._authorities}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._waiting.restore(state["waiting"])
        self._hubs, self._authorities = state["hubs"], state["authorities"]
