"""What the HMM strategy learns: clusters of pages, and how they go with the distance to relevant pages (BT 3.4)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.markov import Markov
from honeyguide.strategies.collected import Collected
from honeyguide.text.bags import Counts, Floats
from honeyguide.text.centroid import Centroid
from honeyguide.text.clusters import k_means, x_means
from honeyguide.text.documents import Bag, Documents
from honeyguide.text.nearest import Nearest

FARTHEST = 3
"""The last level: pages that many links or more from a relevant one."""

MORE = 1.0
"""Added to every count, so that nothing is impossible for not having happened in training."""


class HmmModel:
    """Training pages in clusters, the Markov model of their levels, and the centroid of the relevant ones.

    `unit` are the pages' vectors, `labels` their clusters, `relevant` which of them are relevant.
    """

    def __init__(
        self,
        markov: Markov,
        unit: Counts,
        labels: NDArray[np.intp],
        relevant: NDArray[np.bool_],
        documents: Documents,
        *,
        own_idf: bool,
    ) -> None:
        background = unit.background() if own_idf else documents.background
        self.markov = markov
        self.labels = labels
        self._unit = unit
        self._relevant = relevant
        self._nearest = Nearest(unit, background, documents)
        sums = unit.by_word(unit.counts * relevant[unit.rows])
        self._length = float(np.sqrt(np.square(sums).sum())) or 1.0
        middle = {unit.words[at]: float(sums[at]) / self._length for at in np.flatnonzero(sums).tolist()}
        self.centroid = Centroid(middle, background, documents.tokeniser)
        self._documents = documents
        self._own_idf = own_idf

    @classmethod
    def learned(
        cls, collected: Collected, documents: Documents, *, clusters: int, by_x_means: bool, seed: int
    ) -> "HmmModel":
        """Cluster pages and count: by k-means, the last cluster for relevant pages, or by X-means."""
        levels = collected.levels(FARTHEST)
        counts = collected.bags.chosen(range(len(collected)))
        relevant = levels == 0
        if by_x_means:
            unit = counts.unit(counts.background())
            labels = x_means(unit, clusters, seed=seed)
        else:
            unit = counts.unit(documents.background)
            others = np.flatnonzero(~relevant)
            labels = np.full(len(collected), clusters - 1, np.intp)
            of_others = collected.bags.chosen(others.tolist()).unit(documents.background)
            labels[others] = k_means(of_others, clusters - 1, seed=seed)
        states, number = FARTHEST + 1, int(labels.max(initial=0)) + 1
        emissions = np.bincount(levels * number + labels, minlength=states * number).reshape(states, number)
        markov = Markov.counted(
            collected.shares(FARTHEST),
            collected.transitions(FARTHEST),
            emissions.astype(np.float64),
            more=MORE,
        )
        return cls(markov, unit, labels, relevant, documents, own_idf=by_x_means)

    def __len__(self) -> int:
        return self._unit.texts

    def cosines(self, stems: Bag) -> Floats:
        """How close a page is to every training page."""
        return self._nearest.cosines(stems)

    def cluster(self, cosines: Floats, neighbours: int) -> int | None:
        """The cluster that the nearest training pages vote for, the nearer the louder; None if none is near."""
        nearest = np.argsort(-cosines, kind="stable")[:neighbours]
        votes = np.bincount(self.labels[nearest], cosines[nearest])
        return int(np.argmax(votes)) if votes.any() else None

    def relevance(self, cosines: Floats) -> float:
        """The cosine of a page to the centroid of the relevant pages, from those to all training pages."""
        return min(1.0, float(cosines[self._relevant].sum()) / self._length)

    def relevances(self) -> Floats:
        """The same of every training page."""
        unit = self._unit
        sums = unit.by_word(unit.counts * self._relevant[unit.rows])
        return unit.by_row(unit.counts * sums[unit.columns]) / self._length

    def state(self) -> Mapping[str, Any]:
        """All that was learned."""
        return {
            "markov": self.markov._asdict(),
            "words": self._unit.words,
            "rows": self._unit.rows,
            "columns": self._unit.columns,
            "weights": self._unit.counts,
            "labels": self.labels.astype(np.int32),
            "relevant": self._relevant.astype(np.int8),
            "own_idf": self._own_idf,
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any], documents: Documents) -> "HmmModel":
        """The model that gave this state."""
        labels, relevant = state["labels"].astype(np.intp), state["relevant"].astype(np.bool_)
        unit = Counts(state["words"], state["rows"], state["columns"], state["weights"], len(labels))
        markov = Markov(**state["markov"])
        return cls(markov, unit, labels, relevant, documents, own_idf=state["own_idf"])
