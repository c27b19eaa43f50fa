"""Hidden Markov model (BT 2.5, 3.4): how soon a page's links may come to a relevant page, by the way so far."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self, get_args

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.collected import Collected
from honeyguide.strategies.hmm_model import FARTHEST, HmmModel
from honeyguide.strategies.warm_up import LONGEST, WarmUp, check_warm_up
from honeyguide.text.bags import Floats
from honeyguide.text.documents import Documents

Variant = Literal["plain", "hybrid", "anchor"]
Clustering = Literal["k-means", "x-means"]
Relevance = Literal["centroid", "judge"]


class Hmm(Strategy):
    """Scores a link by the probability that the page it leads to is relevant, given all pages on the way there.

    The hidden state L_i of a page is how many links it is from a relevant one (0, 1, 2, 3 or more), what is
    seen of it the cluster it falls into, by a vote of its `neighbours` nearest training pages. With pi, A and
    B counted in training, a(L_j, t) = b(j, c_t) * sum of a(L_i, t - 1) * a_ij, which starts with pi, and
    a(L_j, t + 1) = sum of a(L_i, t) * a_ij (BT eq. 5, 6): hmm(p) = a(L_0, t + 1). Where two differ by less
    than `epsilon`, the probability in two steps decides: the first is rounded down to a multiple of it.

    Clustering "k-means": `clusters` of them, the last of which holds the relevant pages; "x-means": that many
    or more, relevant pages not apart, idf from the training pages. Variants: "plain"; "hybrid" (eq. 11),
    (rel(p) + hmm(p)) / 2; "anchor" (eq. 12), (hmm(p) + (rel(p) + cos(a, c_r)) / 2) / 2, with c_r the centroid
    of the relevant training pages. `relevance`: rel(p) is what the judge says, or cos(p, c_r) as in BT.

    BT train on a person's session; so does this if the topic has one, or on an earlier crawl, and without
    either on a warm-up: `warm_up` pages breadth-first, after which all that waits is scored anew. The topic's
    examples are relevant pages too. Unlike in BT a(L, t) is brought to a sum of 1 at every step, or depth alone
    would decide, all counts have 1 added, and votes are weighted by cosine.
    """

    def __init__(
        self,
        *,
        variant: Variant = "anchor",
        clustering: Clustering = "k-means",
        clusters: int = 5,
        neighbours: int = 10,
        epsilon: float = 0.01,
        relevance: Relevance = "judge",
        warm_up: int = 100,
        seed: int = 0,
    ) -> None:
        for name, value, valid in (
            ("variant", variant, Variant),
            ("clustering", clustering, Clustering),
            ("relevance", relevance, Relevance),
        ):
            if value not in get_args(valid):
                raise ConfigError(f"The HMM's {name} is {' or '.join(get_args(valid))}, not {value!r}.")
        if not 2 <= clusters <= 100:
            raise ConfigError(f"The HMM's clusters must lie between 2 and 100, not at {clusters}.")
        if neighbours < 1:
            raise ConfigError(f"The HMM's neighbours must be at least 1, not {neighbours}.")
        if not 0 <= epsilon < 1:
            raise ConfigError(f"The HMM's epsilon must lie between 0 and 1, not at {epsilon}.")
        if seed < 0:
            raise ConfigError(f"The HMM's seed cannot be below 0, as {seed} is.")
        check_warm_up("The HMM", warm_up, least=1)
        self.variant = variant
        self.clustering = clustering
        self.clusters = clusters
        self.neighbours = neighbours
        self.epsilon = epsilon
        self.relevance = relevance
        self.warm_up = warm_up
        self.seed = seed
        self._model: HmmModel | None = None
        self._warm_up: WarmUp | None = None
        self._ways = np.zeros((0, FARTHEST + 1))

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Learn from an earlier crawl or the topic's session, if they tell of ways to relevant pages."""
        self._documents = Documents.of(topic)
        collected = Collected.of(topic, log, self._documents, most=LONGEST)
        if collected.has_ways:
            self._model = self._learned(collected)
        else:
            self._warm_up = WarmUp(Collected.of(topic, None, self._documents, most=0), pages=self.warm_up)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if self._model is None:
            return self._warming_up.expand(visit)
        if visit.page is None or visit.error is not None:
            return ()
        model = self._model
        cosines = model.cosines(self._documents.read(visit.page).stems())
        now = model.markov.now(self._before(visit.candidate, model), model.cluster(cosines, self.neighbours))
        judged = visit.verdict.score if visit.verdict else 0.0
        relevance = model.relevance(cosines) if self.relevance == "centroid" else judged
        links, depth, memo = visit.page.links, visit.candidate.depth + 1, {"now": now.tolist()}
        scored = self._scored(model, now, relevance, [link.anchor for link in links])
        return [
            Candidate(link, score, depth, memo, parts)
            for link, (score, parts) in zip(links, scored, strict=True)
        ]

    def changes(self) -> Iterable[tuple[str, float]]:
        """What waits, scored once the warm-up is over; a link of several pages has the best score of them."""
        if self._model is not None or not self._warming_up.is_over:
            return ()
        warm_up, self._warm_up = self._warming_up, None
        model = self._model = self._learned(warm_up.end())
        ways = np.tile(model.markov.initial, (len(model), 1))
        for row in warm_up.relevance:
            before = ways[warm_up.parents[row]] if row in warm_up.parents else model.markov.initial
            ways[row] = model.markov.now(before, int(model.labels[row]))
        self._ways = ways
        judged = [warm_up.relevance.get(row, 0.0) for row in range(len(model))]
        relevances = model.relevances().tolist() if self.relevance == "centroid" else judged
        best: dict[str, float] = {}
        for row, several in warm_up.waiting():
            scored = self._scored(model, ways[row], relevances[row], [found.anchor for found in several])
            for found, (score, _) in zip(several, scored, strict=True):
                best[found.url] = max(score, best.get(found.url, score))
        return best.items()

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        if (
            self._model is None
            or candidate.memo is None
            or "row" not in candidate.memo
            or candidate.score < 0
        ):
            return None
        return {"best of the links found in the warm-up": candidate.score}

    def state(self) -> Mapping[str, Any]:
        if self._model is None:
            return {"warm_up": self._warming_up.state()}
        return {"model": self._model.state(), "ways": self._ways}

    def restore(self, state: Mapping[str, Any]) -> None:
        if "model" in state:
            self._model, self._warm_up = HmmModel.restored(state["model"], self._documents), None
            self._ways = state["ways"]
        else:
            self._warming_up.restore(state["warm_up"])

    @property
    def _warming_up(self) -> WarmUp:
        if self._warm_up is None:
            raise ConfigError("The HMM does not know the topic yet; fit it first.")
        return self._warm_up

    def _learned(self, collected: Collected) -> HmmModel:
        return HmmModel.learned(
            collected,
            self._documents,
            clusters=self.clusters,
            by_x_means=self.clustering == "x-means",
            seed=self.seed,
        )

    def _before(self, candidate: Candidate, model: HmmModel) -> Floats:
        """How likely each level was for the page that led to this one."""
        if not candidate.memo:
            return model.markov.initial
        if "row" in candidate.memo:
            return np.asarray(self._ways[candidate.memo["row"]])
        return np.array(candidate.memo["now"])

    def _scored(
        self, model: HmmModel, now: Floats, relevance: float, anchors: Sequence[str]
    ) -> list[tuple[float, dict[str, float]]]:
        """The scores of a page's links, and what they are made of."""
        ahead = model.markov.ahead(now)
        one, two = float(ahead[0]), 0.0
        if self.epsilon:
            one, two = (
                self.epsilon * int(one / self.epsilon),
                self.epsilon * float(model.markov.ahead(ahead)[0]),
            )
        if self.variant == "plain":
            return [(one + two, {"next step": one, "two steps": two})] * len(anchors)
        one, two = one / 2, two / 2
        if self.variant == "hybrid":
            parts = {"next step": one, "two steps": two, "page": relevance / 2}
            return [(sum(parts.values()), parts)] * len(anchors)
        page = relevance / 4
        of_page = one + two + page
        return [
            (of_page + anchor / 4, {"next step": one, "two steps": two, "page": page, "anchor": anchor / 4})
            for anchor in model.centroid.cosines(anchors)
        ]
