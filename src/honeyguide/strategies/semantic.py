"""The semantic crawlers (BT 2.4, 3.3): anchors that mean what the topic means, in other words."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Literal, Self, get_args

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.text.documents import Documents
from honeyguide.text.ontology import Ontology
from honeyguide.text.related import By, Related, Terms, frequencies, idf_of, key_of, names_of
from honeyguide.text.vectors import cosine

Variant = Literal["synset", "ehrig", "ssrm", "connected", "two-steps"]

SIMILARITIES: Mapping[str, By] = {
    "ehrig": "ehrig",
    "ssrm": "li",
    "connected": "connected",
    "two-steps": "two-steps",
}
"""How alike two words are for each variant that sums it up over all pairs."""

LONGEST = 400
"""Characters of an anchor that are read."""

REMEMBERED = 20_000
"""Anchors, and words of them, whose worth is remembered: menus repeat on every page of a site."""


class Semantic(Strategy):
    """Scores a link by how near its anchor's words come to the topic's in WordNet, or in the topic's ontology.

    `synset` (BT eq. 10): (rel(p) + cos(a+, q+)) / 2, where q+ is the topic's name and keywords, a+ the anchor, both
    with their synonyms and tf * idf weights. rel(p) is the verdict of the crawl's judge; BT's is cos(p, q+), which
    is what the judge `semantic` says. The others go by the anchor alone. `ehrig` (eq. 8): the sum of sim(k, l) *
    w(k) * w(l) over all words k of the anchor and l of the topic, with tf weights and sim = 0.5 ** distance (eq.
    3); `connected` and `two-steps` (BT 2.4): sim = 1 up to a distance of 1 or 2, else 0; `ssrm` (eq. 9): Li's sim
    (eq. 4), tf * idf weights, divided by the lengths of both vectors. tf = f / max f.

    BT does not say of which sense synonyms are taken: here of the commonest. Only is-a edges are known, so
    `connected` follows no others. Names of several words are looked for where they are near the topic. A word
    that the ontology lacks is like itself alone, in all forms with the same stem.
    """

    def __init__(self, *, variant: Variant = "synset") -> None:
        if variant not in get_args(Variant):
            raise ConfigError(
                f"The semantic strategy comes as {', '.join(get_args(Variant))}, not as {variant!r}."
            )
        self.variant = variant
        self._worth: Callable[[str], float] | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Take up the topic's words; there is nothing to learn from an earlier crawl."""
        documents = Documents.of(topic)
        ontology = Ontology.of_topic(topic.ontology, documents.tokeniser)
        query = frequencies(topic, ontology, documents.tokeniser)
        measure: _Expanded | _Summed
        if self.variant == "synset":
            measure = _Expanded(query, ontology, documents)
        else:
            by, is_ssrm = SIMILARITIES[self.variant], self.variant == "ssrm"
            measure = _Summed(query, ontology, documents, by=by, idf=is_ssrm)
        self._worth = lru_cache(REMEMBERED)(measure.worth)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        if self._worth is None:
            raise ConfigError("The semantic strategy does not know the topic yet; fit it first.")
        links, depth = visit.page.links, visit.candidate.depth + 1
        worths = map(self._worth, [link.anchor[:LONGEST] for link in links])
        if self.variant != "synset":
            return [
                Candidate(link, worth, depth, None, {"anchor": worth})
                for link, worth in zip(links, worths, strict=True)
            ]
        page = visit.verdict.score if visit.verdict else 0.0
        return [
            Candidate(link, (page + worth) / 2, depth, None, {"page": page / 2, "anchor": worth / 2})
            for link, worth in zip(links, worths, strict=True)
        ]


class _Expanded:
    """The cosine of texts to a query, both with the synonyms of their words."""

    def __init__(self, query: Mapping[str, float], ontology: Ontology, documents: Documents) -> None:
        self._ontology, self._documents = ontology, documents
        self._synonyms = lru_cache(REMEMBERED)(self._find_synonyms)
        self._is_near = lru_cache(REMEMBERED)(self._shares_a_synonym)
        self._query = self._vector(query.items())
        tokeniser = documents.tokeniser
        names = [name for term in query for name in names_of(term, ontology)]
        self._terms = Terms(
            {key: name for name in names if len(key := key_of(name, tokeniser)) > 1}, tokeniser
        )

    def worth(self, text: str) -> float:
        """cos(a+, q+)."""
        terms = [term for _, term in self._terms.of(text)]
        if not any(map(self._is_near, terms)):
            return 0.0
        return cosine(self._vector((term, 1.0) for term in terms), self._query)

    def _vector(self, terms: Iterable[tuple[str, float]]) -> Mapping[str, float]:
        vector: defaultdict[str, float] = defaultdict(float)
        for term, times in terms:
            for synonym, idf in self._synonyms(term).items():
                vector[synonym] += times * idf
        return vector

    def _shares_a_synonym(self, term: str) -> bool:
        return not self._query.keys().isdisjoint(self._synonyms(term))

    def _find_synonyms(self, term: str) -> dict[str, float]:
        """A term and its synonyms, by their stems, each with its idf."""
        tokeniser, background = self._documents.tokeniser, self._documents.background
        found: dict[str, float] = {}
        for name in names_of(term, self._ontology):
            found.setdefault(" ".join(key_of(name, tokeniser)), idf_of(name, background, tokeniser))
        return found


class _Summed:
    """The similarities of all words of a text to all terms of a query, summed up."""

    def __init__(
        self, query: Mapping[str, float], ontology: Ontology, documents: Documents, *, by: By, idf: bool
    ) -> None:
        self._documents, self._has_idf = documents, idf
        weights = {term: frequency * self._idf(term) for term, frequency in query.items()}
        self._related = Related(weights, ontology, documents.tokeniser, by=by)
        self._length = math.hypot(*weights.values())
        self._terms = Terms(self._related.phrases, documents.tokeniser)
        self._weighed = lru_cache(REMEMBERED)(self._weigh)

    def worth(self, text: str) -> float:
        """The sum with the text's tf (eq. 8), or with tf * idf and divided by the vectors' lengths (eq. 9)."""
        terms = self._terms.of(text)
        weighed = [self._weighed(term) for _, term in terms]
        total = sum([value for _, value in weighed])
        if total <= 0:
            return 0.0
        # Words of an anchor seldom repeat, and counting them would cost as much as all the rest.
        counts = Counter([stems for stems, _ in terms]) if len(dict(terms)) < len(terms) else None
        if not self._has_idf:
            return total / max(counts.values()) if counts else total
        idfs = {stems: idf for (stems, _), (idf, _) in zip(terms, weighed, strict=True)}
        weights = [times * idfs[stems] for stems, times in counts.items()] if counts else idfs.values()
        return total / (self._length * math.hypot(*weights))

    def _weigh(self, term: str) -> tuple[float, float]:
        """The idf of a term, and that times its similarities to all of the query's."""
        idf = self._idf(term)
        return idf, idf * self._related.value(term, self._related.key(term))

    def _idf(self, term: str) -> float:
        if not self._has_idf:
            return 1.0
        return idf_of(term, self._documents.background, self._documents.tokeniser)
