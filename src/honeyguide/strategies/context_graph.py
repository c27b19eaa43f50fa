"""Context graph (Diligenti et al. 2000; GD 6.4, 9.2.2): links of pages that look as if they led to the topic."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.collected import Collected
from honeyguide.strategies.warm_up import WarmUp, check_warm_up
from honeyguide.text.bags import Floats
from honeyguide.text.classes import Classes
from honeyguide.text.documents import Documents

Variant = Literal["plain", "irrelevant", "drop"]

MOST_READ = 20_000
"""Pages of an earlier crawl that are read."""

ALMOST = 1 - 1e-9
"""The surest that a page can be of its layer, so that no layer reaches into the one before it."""


class ContextGraph(Strategy):
    """Puts a page's links into the queue of the layer that the page looks like; the innermost layer goes first.

    Layer 0 are relevant pages, layer i pages that link to layer i - 1; there are `layers` of them, of at most
    `per_layer` pages each (Diligenti: about 300). A link scores the number of layers that lie outside its
    page's layer, plus how sure it is that the page belongs there, which orders the links of one layer.

    Variants (GD 9.2.2): "plain"; "irrelevant" has one more layer outside, of texts known to be off topic (the
    topic's off_topic and background, and pages from which no way is known), which GD found better; "drop"
    forgets the links of pages that are less sure of their layer than `threshold`, 20 % worse in GD.

    Where GD asks search engines for backlinks, the layers come from an earlier crawl or the topic's session,
    and without either from a warm-up: `warm_up` pages fetched breadth-first, after which all that waits is
    scored anew. With warm_up = 0 the levels of the topic's branch stand for the layers. Where GD has a support
    vector machine for every layer and Diligenti naive Bayes with a threshold, this is naive Bayes without one.
    """

    def __init__(
        self,
        *,
        variant: Variant = "irrelevant",
        layers: int = 4,
        per_layer: int = 300,
        threshold: float = 0.5,
        warm_up: int = 100,
    ) -> None:
        if variant not in get_args(Variant):
            raise ConfigError(f"Context graph comes as plain, irrelevant or drop, not as {variant!r}.")
        if not 2 <= layers <= 10:
            raise ConfigError(f"Context graph's layers must lie between 2 and 10, not at {layers}.")
        if per_layer < 1:
            raise ConfigError(f"Context graph's per_layer must be at least 1, not {per_layer}.")
        if not 0 <= threshold <= 1:
            raise ConfigError(f"Context graph's threshold must lie between 0 and 1, not at {threshold}.")
        check_warm_up("Context graph", warm_up, least=0)
        self.variant = variant
        self.layers = layers
        self.per_layer = per_layer
        self.threshold = threshold
        self.warm_up = warm_up
        self._classes: Classes | None = None
        self._warm_up: WarmUp | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Learn the layers, if an earlier crawl or the topic's session tells of ways to relevant pages."""
        self._topic = topic
        self._documents = Documents.of(topic)
        collected = Collected.of(topic, log, self._documents, most=MOST_READ)
        if collected.has_ways:
            self._classes = self._learned(collected)
        elif self.warm_up:
            self._warm_up = WarmUp(Collected.of(topic, None, self._documents, most=0), pages=self.warm_up)
        elif collected.has_goals:
            self._classes = self._learned(collected)
        else:
            raise ConfigError(
                "Context graph needs examples of the topic, or a warm_up of some pages to find its layers in."
            )
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if self._classes is None:
            return self._warming_up.expand(visit)
        if visit.page is None or visit.error is not None:
            return ()
        parts = self._parts(self._classes.of_page(self._documents.read(visit.page).stems()))
        if self._drops(parts):
            return ()
        depth, score = visit.candidate.depth + 1, sum(parts.values())
        return [Candidate(link, score, depth, None, parts) for link in visit.page.links]

    def changes(self) -> Iterable[tuple[str, float]]:
        """What waits, scored once the warm-up is over; a link of several pages has the best score of them.

        When all of them would be dropped it stays where it is, behind everything else.
        """
        if self._classes is not None or not self._warming_up.is_over:
            return ()
        warm_up, self._warm_up = self._warming_up, None
        collected = warm_up.end()
        pages = collected.bags.chosen(range(len(collected)))
        self._classes = self._learned(collected)
        of_rows = [self._parts(probable) for probable in self._classes.of_texts(pages)]
        best: dict[str, float] = {}
        for row, several in warm_up.waiting():
            if not self._drops(of_rows[row]):
                score = sum(of_rows[row].values())
                best.update((found.url, max(score, best.get(found.url, score))) for found in several)
        return best.items()

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        if candidate.memo is None or self._classes is None or candidate.score < 0:
            return None
        layer = float(int(candidate.score))
        return {"layer": layer, "confidence": candidate.score - layer}

    def state(self) -> Mapping[str, Any]:
        if self._classes is not None:
            return {"classes": self._classes.state()}
        return {"warm_up": self._warming_up.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        if "classes" in state:
            self._classes, self._warm_up = Classes.restored(state["classes"], self._documents), None
        else:
            self._warming_up.restore(state["warm_up"])

    @property
    def _warming_up(self) -> WarmUp:
        if self._warm_up is None:
            raise ConfigError("Context graph does not know the topic yet; fit it first.")
        return self._warm_up

    @property
    def _outside(self) -> int:
        """How many layers there are, the one of irrelevant pages included."""
        return self.layers + (self.variant == "irrelevant")

    def _learned(self, collected: Collected) -> Classes:
        levels = collected.levels(self.layers)
        rows = [self._some(np.flatnonzero(levels == layer)) for layer in range(self._outside)]
        if not collected.has_ways:
            for layer, level in enumerate(self._topic.branch[1 : self.layers], 1):
                rows[layer] += [collected.bags.add(text, self._documents) for text in level.examples]
        if self.variant == "irrelevant":
            texts = (*self._topic.off_topic, *self._topic.background)[: self.per_layer]
            rows[-1] += [collected.bags.add(text, self._documents) for text in texts]
        belongs = np.repeat(np.arange(len(rows)), list(map(len, rows)))
        counts = collected.bags.chosen([row for of_layer in rows for row in of_layer])
        return Classes.of(counts, belongs, len(rows), self._documents)

    def _some(self, rows: NDArray[np.intp]) -> list[int]:
        """As many rows as a layer may have, from all over the crawl."""
        if len(rows) > self.per_layer:
            rows = rows[np.arange(self.per_layer) * len(rows) // self.per_layer]
        return [int(row) for row in rows]

    def _parts(self, probable: Floats) -> dict[str, float]:
        layer = int(np.argmax(probable))
        return {"layer": float(self._outside - layer), "confidence": min(float(probable[layer]), ALMOST)}

    def _drops(self, parts: Mapping[str, float]) -> bool:
        return self.variant == "drop" and parts["confidence"] < self.threshold
