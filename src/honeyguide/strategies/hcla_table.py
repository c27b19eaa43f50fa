"""AP's table of words and links in a few dimensions, growing with the crawl."""

from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.links import LinkGraph
from honeyguide.text.chosen_terms import Weighed
from honeyguide.text.svd_updating import Factors

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


class Links(NamedTuple):
    """Links between pages by their numbers in the table, or -1, and those of their targets in the graph."""

    sources: Whole
    targets: Whole
    nodes: Whole


class HypertextTable:
    """Terms and fetched pages are the rows, the texts of a corpus and fetched pages the columns (AP fig. 4).

    The column of a fetched page holds its words, the pages that link to it, and itself, as if it did; words
    and links each have length 1 before `links_weight` tells how much the links count, and a column has length
    1 then. A link found later to a page that is in the table already makes its row longer: no column is
    brought to length 1 again. Only what is new enters the decomposition.
    """

    def __init__(self, factors: Factors, *, terms: int, dimensions: int, links_weight: float) -> None:
        self.factors = factors
        self._terms = terms
        self._dimensions = dimensions
        length = float(np.hypot(1.0, links_weight))
        self._of_words, self._of_links = 1.0 / length, links_weight / length
        self._numbers = np.full(1024, -1, np.int64)
        self._inlinks = np.zeros(0)
        self._fresh: list[Weighed] = []

    @property
    def term_rows(self) -> Floats:
        """The rows of the terms."""
        return self.factors.rows[: self._terms]

    @property
    def page_rows(self) -> Floats:
        """The rows of the pages that were entered."""
        return self.factors.rows[self._terms :]

    def add(self, node: int, words: Weighed, *, heard_of: int) -> None:
        """A page was fetched: it is entered next time. The graph has heard of so many pages."""
        if len(self._numbers) < heard_of:
            self._numbers = np.concatenate((self._numbers, np.full(heard_of, -1, np.int64)))
        if self._numbers[node] < 0:
            self._numbers[node] = len(self._inlinks) + len(self._fresh)
            self._fresh.append(words)

    def folded(self, node: int, words: Weighed, targets: Whole) -> Floats:
        """The row that a page would have in the dimensions as they are."""
        factors = self.factors
        if not len(factors.sizes):
            return np.zeros(0)
        column = self._of_words * (words.weights @ self.term_rows[words.terms]) / factors.sizes
        numbers = self._numbers[targets]
        known = numbers[(numbers >= 0) & (numbers < len(self._inlinks)) & (targets != node)]
        pages = factors.columns[len(factors.columns) - len(self._inlinks) :][known]
        total = column + (pages / np.sqrt(1.0 + self._inlinks[known])[:, None]).sum(axis=0)
        return np.asarray(self._of_links * total / factors.sizes)

    def enter(self, graph: LinkGraph) -> None:
        """Take the pages fetched since last time into the table."""
        from scipy.sparse import csr_array

        if not self._fresh:
            return
        old, new = len(self._inlinks), len(self._fresh)
        links = self._links(graph)
        inside = links.targets >= 0
        sources, targets = links.sources[inside], links.targets[inside]
        self._inlinks = np.bincount(targets, minlength=old + new).astype(np.float64)
        weights = self._of_links / np.sqrt(1.0 + self._inlinks)
        columns = len(self.factors.columns)
        back = (sources >= old) & (targets < old)
        rows = csr_array(
            (weights[targets[back]], (sources[back] - old, columns - old + targets[back])),
            shape=(new, columns),
        )
        grown = self.factors.with_rows(rows, self._dimensions)
        own, said = np.arange(old, old + new), [len(words.terms) for words in self._fresh]
        into = targets >= old
        linked, linking = np.concatenate((targets[into], own)), np.concatenate((sources[into], own))
        values = [weights[linked], *(self._of_words * words.weights for words in self._fresh)]
        places = [self._terms + linking, *(words.terms for words in self._fresh)]
        table = csr_array(
            (
                np.concatenate(values),
                (
                    np.concatenate((linked - old, np.repeat(np.arange(new), said))),
                    np.concatenate(places),
                ),
            ),
            shape=(new, self._terms + old + new),
        )
        self.factors = grown.with_columns(table, self._dimensions)
        self._fresh = []

    def waiting(self, graph: LinkGraph, waits: NDArray[np.bool_]) -> "csr_array":
        """The links to the pages that wait: a row for each of these, a column for each page entered (AP's R)."""
        from scipy.sparse import csr_array

        links = self._links(graph)
        chosen = waits[links.nodes]
        sources, targets = links.sources[chosen], (np.cumsum(waits) - 1)[links.nodes[chosen]]
        number = int(waits.sum())
        weights = 1.0 / np.sqrt(np.maximum(1, np.bincount(targets, minlength=number)))
        return csr_array((weights[targets], (targets, sources)), shape=(number, len(self._inlinks)))

    def state(self) -> Mapping[str, Any]:
        """All of it as arrays."""
        return {
            "rows": self.factors.rows,
            "sizes": self.factors.sizes,
            "columns": self.factors.columns,
            "numbers": self._numbers.copy(),
            "inlinks": self._inlinks,
            "fresh_terms": np.concatenate([np.zeros(0, np.int64), *(words.terms for words in self._fresh)]),
            "fresh_weights": np.concatenate([np.zeros(0), *(words.weights for words in self._fresh)]),
            "fresh_ends": np.array(list(accumulate(len(words.terms) for words in self._fresh)), np.int64),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self.factors = Factors(state["rows"], state["sizes"], state["columns"])
        self._numbers, self._inlinks = state["numbers"].copy(), state["inlinks"]
        inner = state["fresh_ends"][:-1]
        self._fresh = (
            list(map(Weighed, np.split(state["fresh_terms"], inner), np.split(state["fresh_weights"], inner)))
            if len(state["fresh_ends"])
            else []
        )

    def _links(self, graph: LinkGraph) -> Links:
        nodes = graph.targets.astype(np.int64)
        return Links(self._numbers[graph.sources], self._numbers[nodes], nodes)
