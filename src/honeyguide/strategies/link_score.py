"""Lexical LinkScore (GT 3.2): links whose words are like the terms of a directory's lower levels."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from math import log
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Link, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.link_levels import LinkLevels
from honeyguide.strategies.order_score import Floats, LearnedWeights
from honeyguide.strategies.siblings import Means, Siblings

Rule = Literal["product", "linear"]
Learn = Literal["none", "queue", "crawl"]

FEATURES = ("content", "context", "page", "proximity", "place")
LEARNED = ("proximity", "place")
"""Features that change while the crawl goes on."""

PUBLISHED = {"content": 0.062, "context": 0.627, "page": 0.311, "proximity": 0.3, "place": 0.1}
"""The weights of GT's table 5.5, and what seems right for the two features that GT did not have."""

MOST_READ = 2000
"""Visits of an earlier crawl that are learned from."""


class _Scored(NamedTuple):
    """What links with the same levels get."""

    score: float
    parts: Mapping[str, float]
    memo: Mapping[str, Any] | None


class LinkScore(Strategy):
    """Gives every feature of a link the level of the topic's branch that it is most like, and combines the levels.

    Level 1 is the target, n + 1 none. `content` is the level with the largest mean LS(anchor, t) over its terms t
    (GT eq. 3.2), `context` that with the largest LS(p, t) for any run p of the `w` words on each side of the link
    (eq. 3.3), `page` the level of the link's page (eq. 3.4); with `cvalue` terms count by their C-values (eq. 3.5
    to 3.7). Ties go to the lower level; what scores 0 everywhere has level n + 1. `features` names those that
    count, joined by +. Rule "product": the smallest product of levels first (eq. 3.8); "linear": the smallest
    weighted sum (eq. 3.9), `weights` in the order of `features`, by default those of GT's table 5.5.

    Two features that GT proposes: `proximity` is the mean level of the pages that links near this one led to (see
    `Siblings`), `place` the mean level behind links in that place of a page (text, list, menu, header, footer).
    And weights `learn`ed from the links followed so far, each time there are 10 % more of them and at least
    `every`: those that minimise the OrderScore (eq. 3.10) of the "queue" of them all, as GT did, or of the
    "crawl" as it unfolds, which GT asked for; an earlier crawl is learned from at the beginning.

    Deviations: the product's score is minus its logarithm, which orders alike and of which each level is a part;
    a weight is then an exponent, 1 unless given or learned. The page is judged by the lexical levels judge if the
    crawl has it, and compared with the levels here if not; then what a visit was worth is 1 + n (1 - r), r being
    the judge's relevance. With `background` what is most like the topic's background or off-topic examples
    has level n + 1. A topic without examples has its name, keywords and vocabulary as the only level's terms.
    """

    def __init__(
        self,
        *,
        features: str = "content+context+page",
        rule: Rule = "product",
        weights: tuple[float, ...] = (),
        learn: Learn = "none",
        w: int = 6,
        cvalue: bool = False,
        background: bool = False,
        terms_per_level: int = 300,
        least_cvalue: float = 2.0,
        every: int = 25,
        seed: int = 0,
    ) -> None:
        named = [name.strip() for name in features.split("+")]
        if not set(named) <= set(FEATURES) or len(set(named)) < len(named):
            raise ConfigError(f"Link-score's features are some of {'+'.join(FEATURES)}, not {features!r}.")
        if rule not in get_args(Rule):
            raise ConfigError(f"Link-score's rule is product or linear, not {rule!r}.")
        if learn not in get_args(Learn):
            raise ConfigError(
                f"Link-score learns its weights on the queue, the crawl or none, not {learn!r}."
            )
        if weights and (len(weights) != len(named) or min(weights) <= 0):
            raise ConfigError(
                f"Link-score needs a weight above 0 for each of its {len(named)} features, not {weights}."
            )
        if not 1 <= w <= 12:
            raise ConfigError(f"Link-score's w must lie between 1 and 12, not at {w}.")
        if not 1 <= terms_per_level <= 100_000:
            raise ConfigError(
                f"Link-score's terms_per_level must lie between 1 and 100000, not at {terms_per_level}."
            )
        if not 0 <= least_cvalue <= 1000:
            raise ConfigError(
                f"Link-score's least_cvalue must lie between 0 and 1000, not at {least_cvalue}."
            )
        if every < 1 or seed < 0:
            raise ConfigError("Link-score's every must be at least 1, and its seed cannot be below 0.")
        self.needs = ("examples", "background") if background else ("examples",)
        self.features = features
        self.rule = rule
        self.weights = weights
        self.learn = learn
        self.w = w
        self.cvalue = cvalue
        self.background = background
        self.terms_per_level = terms_per_level
        self.least_cvalue = least_cvalue
        self.every = every
        self.seed = seed
        self._names = tuple(name for name in FEATURES if name in named)
        given = dict(zip(named, weights, strict=True)) if weights else PUBLISHED if rule == "linear" else {}
        self._weights = [given.get(name, 1.0) for name in self._names]
        self._changes = learn != "none" or not set(LEARNED).isdisjoint(named)
        self._learner: LearnedWeights | None = None
        if learn != "none":
            self._learner = LearnedWeights(
                self._weights, scale=self._scaled, unfolding=learn == "crawl", every=every, seed=seed
            )
            self._weights = self._learner.weights
        self._levels: LinkLevels | None = None
        self._siblings = Siblings()
        self._places = Means()
        self._visits = 0

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Take up the terms of the topic's levels; weights and places are learned from an earlier crawl."""
        self._levels = LinkLevels.of(
            topic,
            w=self.w,
            cvalue=self.cvalue,
            background=self.background,
            terms_per_level=self.terms_per_level,
            least_cvalue=self.least_cvalue,
        )
        if log is not None and self._changes:
            self._read(log)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        links, depth = visit.page.links, visit.candidate.depth + 1
        if self._changes:
            noted = visit.candidate.memo
            self._follow(visit, noted["levels"] if noted else None, noted["on"] if noted else 0)
            self._siblings.meet(links)
        page = self._known.of_visit(visit) if "page" in self._names else 0
        scored: dict[tuple[float, ...], _Scored] = {}
        candidates = []
        for link, fixed, moving in zip(links, self._fixed(links, page), self._moving(links), strict=True):
            levels = (*fixed, *moving)
            known = scored.get(levels)
            if known is None:
                parts = self._parts(levels)
                memo = {"levels": list(fixed), "on": self._visits} if self._changes else None
                known = scored[levels] = _Scored(sum(parts.values()), parts, memo)
            candidates.append(Candidate(link, known.score, depth, known.memo, known.parts))
        return candidates

    def revise(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        """Scores by what is learned by now; of a seed, the one it has."""
        if not self._changes:
            return None
        moving = self._moving([candidate.link for candidate in candidates])
        scores: dict[tuple[float, ...], float] = {}
        fresh = []
        for candidate, moved in zip(candidates, moving, strict=True):
            if candidate.memo is None:
                fresh.append(candidate.score)
                continue
            levels = (*candidate.memo["levels"], *moved)
            score = scores.get(levels)
            if score is None:
                score = scores[levels] = sum(self._parts(levels).values())
            fresh.append(score)
        return fresh

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        if candidate.memo is None:
            return None
        return self._parts((*candidate.memo["levels"], *self._moving([candidate.link])[0]))

    def state(self) -> Mapping[str, Any]:
        if not self._changes:
            return {}
        return {
            "visits": self._visits,
            "siblings": self._siblings.state(),
            "places": self._places.state(),
            "learned": self._learner.state() if self._learner else {},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        if state:
            self._visits = state["visits"]
            self._siblings.restore(state["siblings"])
            self._places.restore(state["places"])
            if self._learner is not None:
                self._learner.restore(state["learned"])
                self._weights = self._learner.weights

    @property
    def _known(self) -> LinkLevels:
        if self._levels is None:
            raise ConfigError("Link-score does not know the topic yet; fit it first.")
        return self._levels

    def _fixed(self, links: Sequence[Link], page: int) -> list[tuple[int, ...]]:
        """The levels of links that never change, a row for each."""
        columns = []
        if "content" in self._names:
            columns.append([self._known.of_anchor(link.anchor) for link in links])
        if "context" in self._names:
            columns.append([self._known.of_context(link) for link in links])
        if "page" in self._names:
            columns.append([page] * len(links))
        return list(zip(*columns, strict=True)) if columns else [()] * len(links)

    def _moving(self, links: Sequence[Link]) -> list[tuple[float, ...]]:
        """The levels of links by what was learned so far, a row for each."""
        columns = []
        unknown = (1 + self._known.none) / 2
        if "proximity" in self._names:
            columns.append(self._siblings.expect(links, unknown))
        if "place" in self._names:
            overall = self._siblings.overall(unknown)
            columns.append([self._places.mean(link.place, overall) for link in links])
        return list(zip(*columns, strict=True)) if columns else [()] * len(links)

    def _parts(self, levels: Sequence[float]) -> dict[str, float]:
        scaled = map(log, levels) if self.rule == "product" else levels
        return {
            name: 0.0 - weight * level
            for name, weight, level in zip(self._names, self._weights, scaled, strict=True)
        }

    def _follow(self, visit: Visit, fixed: Sequence[int] | None, found_on: int) -> None:
        """Learn from what a link led to; its levels are not known if it was a seed."""
        link, outcome = visit.candidate.link, self._known.outcome(visit)
        self._visits += 1
        if fixed is not None:
            if self._learner is not None:
                self._learner.add(self._visits, found_on, (*fixed, *self._moving([link])[0]), outcome)
                self._weights = self._learner.weights
            self._places.note(link.place, outcome)
        self._siblings.learn(link, outcome, visit.page.url if visit.page else "")

    def _scaled(self, levels: Floats) -> Floats:
        return np.log(levels) if self.rule == "product" else levels

    def _read(self, log: VisitLog) -> None:
        """Follow an earlier crawl."""
        pages: dict[str, tuple[int, int]] = {}
        for visit in islice((visit for visit in log if visit.page and visit.error is None), MOST_READ):
            link, page = visit.candidate.link, visit.page
            number, level = pages.get(link.source, (0, 0))
            self._follow(visit, self._fixed([link], level)[0] if number else None, number)
            if page is not None:
                self._siblings.meet(page.links)
                pages[page.url] = self._visits, self._known.of_visit(visit)
