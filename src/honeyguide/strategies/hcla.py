"""Hypertext content latent analysis (AP 4): the words and links of a crawl as one table, in few dimensions."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Example, Page, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.hcla_table import HypertextTable
from honeyguide.text.background_pages import background_pages
from honeyguide.text.chosen_terms import ChosenTerms, Said
from honeyguide.text.documents import Documents
from honeyguide.text.svd_updating import Factors
from honeyguide.text.vectors import Query

By = Literal["examples", "query"]
Floats = NDArray[np.float64]

MOST_TEXTS = 10_000
"""Texts of the corpus that the first dimensions are learned from."""

FROM_LOG = 2000
"""Pages of an earlier crawl that are among them."""

MOST_EXAMPLES = 50
"""Examples that a link is compared with: the first ones."""

AT_ONCE = 10_000
"""Waiting links that are scored in one go."""

TINY = 1e-12
"""What is shorter has no direction."""

SURE = 1 - 1e-5
"""The largest cosine that noisy-or is told, so that a product of all its complements is above 0."""


class Hcla(Strategy):
    """Scores a link by the cosine of its target to the topic in the dimensions of words and links together.

    The table C has `terms` stems and all fetched pages as rows; a corpus, the fetched pages and those that wait
    as columns: the words of the fetched pages (L) and the links to them (G), the links to those that wait (R)
    and, with `anchors`, the words in and around these links (O, else 0). With U the first `k` left singular
    vectors of C and c a waiting page's column, its score is (U'c)'(U'q) / (|U'c| |q|) (AP eq. 19). `by` query:
    q is the topic's name and keywords. By examples: 1 - prod(1 - cos) over the topic's examples (AP 6), taken
    to the power 1 / their number, which leaves the order as it is and keeps many examples from making
    everything 1; a topic without examples goes by its query. `links_weight` is how much links count
    beside words in the columns of C. The words and the links of a waiting page each have length 1 in the
    dimensions before the words count by `share` and the links by the rest: AP, whose O is 0, need not weigh them.

    The corpus are the topic's examples, background and corpus, texts that come with the package, and an
    earlier crawl, if there is one. The queue is ordered afresh every `n` pages (AP's N) and, when the crawl is
    large, each time it has grown by 5 %, so that all orderings together cost n log n; until then a new link has
    what its own words and its page, folded in, say.

    Unlike in AP a page also links to itself, so that its words count for its links; waiting pages are folded
    in and do not turn U, which their number would turn to the pages with most links; and the part of new
    columns outside U is kept, as Zha and Simon do: as printed in AP the update sees no link at all.
    """

    def __init__(
        self,
        *,
        k: int = 50,
        n: int = 50,
        terms: int = 1000,
        anchors: bool = True,
        links_weight: float = 0.3,
        share: float = 0.25,
        by: By = "examples",
    ) -> None:
        if not 1 <= k <= 500:
            raise ConfigError(f"HCLA's k must lie between 1 and 500, not at {k}.")
        if n < 1:
            raise ConfigError(f"HCLA's n must be at least 1, not {n}.")
        if not 10 <= terms <= 100_000:
            raise ConfigError(f"HCLA's terms must lie between 10 and 100000, not at {terms}.")
        if not 0 < links_weight <= 1000:
            raise ConfigError(f"HCLA's links_weight must lie above 0 and up to 1000, not at {links_weight}.")
        if not 0 <= share <= 1:
            raise ConfigError(f"HCLA's share must lie between 0 and 1, not at {share}.")
        if by not in get_args(By):
            raise ConfigError(f"HCLA goes by examples or query, not by {by!r}.")
        self.k = k
        self.n = n
        self.terms = terms
        self.anchors = anchors
        self.links_weight = links_weight
        self.share = share
        self.by = by
        self._waiting = Waiting(every=n)
        self._said: list[Said] = []
        self._scores = np.zeros(0)
        self._by_words = np.zeros(0)

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Learn the dimensions of the corpus, and where the topic lies in them."""
        self._documents = Documents.of(topic)
        examples = [example for example in topic.examples if example.text.strip()]
        visited = islice((visit.page for visit in log or () if visit.page), FROM_LOG)
        texts: list[Example | Page] = [
            *examples,
            *visited,
            *topic.background,
            *topic.corpus,
            *background_pages(),
        ]
        query = Query.of(topic, self._documents).weights
        chosen, table = ChosenTerms.of(
            texts[:MOST_TEXTS], self._documents, most=self.terms, first=query, own=len(examples)
        )
        if self.by == "examples" and examples:
            sought = table[: min(len(examples), MOST_EXAMPLES)].toarray()
        else:
            sought = chosen.vector(query)[None]
        self._take(chosen, sought, Factors.of(table, self.k))
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        found = self._waiting.see(visit)
        if visit.page is None or visit.error is not None:
            return ()
        graph, links = self._waiting.graph, visit.page.links
        node, words = graph.number(visit.url), self._terms.of_page(visit.page)
        self._table.add(node, words, heard_of=len(graph))
        if not found:
            return ()
        numbers = np.array(found, np.int64)
        row = self._table.folded(node, words, np.unique(numbers))
        by_words = np.zeros((len(links), len(row)))
        if self.anchors:
            said = self._terms.of_short_texts([f"{link.anchor} {link.context}" for link in links])
            by_words = self._terms.table(said, len(links)) @ self._table.term_rows
            self._said.append(Said(numbers[said.texts], said.terms))
        scores, alone = self._scored(by_words, row)
        # What has been ordered keeps its score until the next time.
        known = np.flatnonzero(numbers < len(self._scores))
        known = known[~np.isnan(self._scores[numbers[known]])]
        scores[known], alone[known] = self._scores[numbers[known]], self._by_words[numbers[known]]
        depth = visit.candidate.depth + 1
        return [
            Candidate(link, score, depth, None, {"words": words, "links": score - words})
            for link, score, words in zip(links, scores.tolist(), alone.tolist(), strict=True)
        ]

    def refused(self, url: str) -> None:
        self._waiting.forget(url)

    def changes(self) -> Iterable[tuple[str, float]]:
        if not self._waiting.is_due:
            return ()
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            self._table.enter(self._waiting.graph)
            self._aim()
            self._order()
        return self._waiting.order(self._scores)

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        node = self._waiting.graph.find(candidate.url)
        if node is None or node >= len(self._scores) or self._scores[node] != candidate.score:
            return None
        words = float(self._by_words[node])
        return {"words": words, "links": candidate.score - words}

    def state(self) -> Mapping[str, Any]:
        return {
            "stems": self._terms.stems,
            "sought": self._sought,
            "table": self._table.state(),
            "waiting": self._waiting.state(),
            "said": self._all_said()._asdict(),
            "scores": self._scores,
            "by_words": self._by_words,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._take(ChosenTerms(state["stems"], self._documents), state["sought"], self._table.factors)
        self._table.restore(state["table"])
        self._waiting.restore(state["waiting"])
        self._said = [Said(**state["said"])]
        self._scores, self._by_words = state["scores"], state["by_words"]
        self._aim()

    def _take(self, terms: ChosenTerms, sought: Floats, factors: Factors) -> None:
        self._terms = terms
        self._sought = sought
        self._table = HypertextTable(
            factors, terms=len(terms.stems), dimensions=self.k, links_weight=self.links_weight
        )
        self._aim()

    def _aim(self) -> None:
        """Where what is sought lies in the dimensions; AP measure a query by its length before."""
        places = self._sought @ self._table.term_rows
        measured = places if len(self._sought) > 1 else self._sought
        self._aims = (places / np.maximum(_lengths(measured), TINY)[:, None]).T

    def _order(self) -> None:
        """Score all that waits."""
        waits = self._waiting.waits
        nodes = np.flatnonzero(waits)
        linked = self._table.waiting(self._waiting.graph, waits)
        said = self._all_said()
        chosen = waits[said.texts]
        self._said = [Said(said.texts[chosen], said.terms[chosen])]
        numbers = (np.cumsum(waits) - 1)[self._said[0].texts]
        worded = self._terms.table(Said(numbers, self._said[0].terms), len(nodes))
        self._scores, self._by_words = np.full((2, len(waits)), np.nan)
        for start in range(0, len(nodes), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            self._scores[nodes[some]], self._by_words[nodes[some]] = self._scored(
                worded[some] @ self._table.term_rows, linked[some] @ self._table.page_rows
            )

    def _scored(self, by_words: Floats, by_links: Floats) -> tuple[Floats, Floats]:
        """The scores of places that words and links add up to, and what the words alone make of them.

        A page of the crawl is one among thousands of texts, so its row is hundreds of times shorter than a
        term's: unless each part has length 1 in the dimensions too, any word at all outweighs all links.
        """
        words, links = self.share * _directions(by_words), (1 - self.share) * _directions(by_links)
        whole = words + links
        lengths = _lengths(whole)
        inverse = (1.0 / np.where(lengths > TINY, lengths, np.inf))[:, None]
        return self._together(whole @ self._aims * inverse), self._together(words @ self._aims * inverse)

    def _together(self, cosines: Floats) -> Floats:
        """The cosine to the query, or noisy-or over the examples."""
        number = cosines.shape[1]
        if number == 1:
            return cosines[:, 0]
        return np.asarray(1.0 - np.prod(1.0 - np.clip(cosines, 0.0, SURE), axis=1) ** (1.0 / number))

    def _all_said(self) -> Said:
        """The words of all links, in the order found."""
        none = np.zeros(0, np.int64)
        return Said(*map(np.concatenate, zip(Said(none, none), *self._said, strict=True)))


def _lengths(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt(np.square(vectors).sum(axis=-1)))


def _directions(vectors: Floats) -> Floats:
    """Vectors of length 1; one too short to have a direction becomes 0."""
    lengths = _lengths(vectors)[..., None]
    return np.asarray(vectors / np.where(lengths > TINY, lengths, np.inf))
