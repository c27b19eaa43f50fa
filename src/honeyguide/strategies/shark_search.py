"""Shark-search (Hersovici et al. 1998; AP 5.1): relevance is passed on, and fades along the way."""

from collections.abc import Iterable
from typing import Literal, Self

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.text.vectors import Query

Variant = Literal["original", "inherited"]


class SharkSearch(Strategy):
    """Scores a link by what it inherits from the pages before it and by the words in and around it.

    inherited = delta * rel(p) if rel(p) > `nothing`, else delta * what p inherited itself; neighbourhood =
    beta * cos(q, anchor) + (1 - beta) * context, context = 1 if the anchor says anything of the topic, else
    cos(q, words around); score = gamma * inherited + (1 - gamma) * neighbourhood. Hersovici's rel(p) > 0 is a
    cosine of exactly 0; judges that are never sure of it need `nothing` somewhat above.

    The variant "inherited" is AP's (SS1 with the cosine judge, SS2 with BM25 weights): no anchors, and always
    delta times the relevance of the parent, delta^2 times that of the grandparent and so on.
    """

    def __init__(
        self,
        *,
        variant: Variant = "original",
        delta: float = 0.5,
        beta: float = 0.8,
        gamma: float = 0.5,
        nothing: float = 0.05,
    ) -> None:
        for name, value in (("delta", delta), ("beta", beta), ("gamma", gamma), ("nothing", nothing)):
            if not 0 <= value <= 1:
                raise ConfigError(f"Shark-search's {name} must lie between 0 and 1, not at {value}.")
        if variant not in ("original", "inherited"):
            raise ConfigError(f"Shark-search comes as original or inherited, not as {variant!r}.")
        self.variant = variant
        self.delta = delta
        self.beta = beta
        self.gamma = gamma
        self.nothing = nothing
        self._query: Query | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Take up the topic's words; there is nothing to learn from an earlier crawl."""
        if self.variant == "original":
            self._query = Query.of(topic)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        links, depth = visit.page.links, visit.candidate.depth + 1
        relevance = visit.verdict.score if visit.verdict else 0.0
        before = float(visit.candidate.memo["inherited"]) if visit.candidate.memo else 0.0
        if self.variant == "inherited":
            inherited = self.delta * (relevance + before)
            memo = {"inherited": inherited}
            return [Candidate(link, inherited, depth, memo, memo) for link in links]
        if self._query is None:
            raise ConfigError("Shark-search does not know the topic yet; fit it first.")
        inherited = self.delta * (relevance if relevance > self.nothing else before)
        memo = {"inherited": inherited}
        anchors = self._query.cosines([link.anchor for link in links])
        candidates = []
        for link, anchor in zip(links, anchors, strict=True):
            context = 1.0 if anchor > 0 else self._query.cosine(link.context)
            parts = {
                "inherited": self.gamma * inherited,
                "anchor": (1 - self.gamma) * self.beta * anchor,
                "context": (1 - self.gamma) * (1 - self.beta) * context,
            }
            candidates.append(Candidate(link, sum(parts.values()), depth, memo, parts))
        return candidates
