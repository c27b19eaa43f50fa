"""How near words are to the words of a query, by an ontology: worked out once a word, looked up from then on.

The query's terms are compared with every concept of the ontology beforehand, so a word of a page only has to be
found in it. A word that is a term's own, or has the same stem, is as near as can be, known to the ontology or not.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.ontology import Nearness, Ontology
from honeyguide.text.tokens import Tokeniser

By = Literal["ehrig", "li", "synonyms"]
Key = tuple[str, ...]
"""The stems of a name's words: the same for all its forms."""

MOST_CELLS = 8_000_000
"""Terms times concepts that are compared beforehand; beyond that the lightest terms count as mere words."""

MOST_PHRASES = 5_000
"""Names of several words that are looked for: those of the nearest concepts."""

LONGEST_NAME = 5
"""Words of a name that are looked up together."""


def terms_of(texts: Iterable[str], ontology: Ontology, tokeniser: Tokeniser) -> Iterator[str]:
    """The terms of a query: the longest names that the ontology knows, and all other words but stop words."""
    for text in texts:
        words = tokeniser.tokens(text)
        at = 0
        while at < len(words):
            names = [" ".join(words[at : at + size]) for size in range(LONGEST_NAME, 1, -1)]
            name = next((name for name in names if ontology.senses(name)), words[at])
            if " " in name or tokeniser.stem(name):
                yield name
            at += name.count(" ") + 1


class Related:
    """The weighted terms of a query, and the similarity of any word or phrase to each of them.

    Similar by `ehrig` or `li`: see Ontology; by `synonyms`: 1 for a name of the term's commonest sense. What is
    less than `least` counts as nothing, but for synonyms: by `li` those of a concept near the top are little alike.
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        ontology: Ontology,
        tokeniser: Tokeniser,
        *,
        by: By,
        least: float = 0.0,
    ) -> None:
        self.terms = sorted(weights, key=lambda term: (-weights[term], term))
        self.weights = np.array([weights[term] for term in self.terms])
        self._ontology, self._tokeniser = ontology, tokeniser
        self._by, self._least = by, least
        self._compared = self.terms[: max(1, MOST_CELLS // max(1, ontology.size))]
        self._nearness = np.array([self._near(term) for term in self._compared], np.float32)
        self._own: dict[Key, list[int]] = {}
        for place, term in enumerate(self.terms):
            self._own.setdefault(self.key(term), []).append(place)
        self.phrases = self._find_phrases()

    def similarities(self, name: str, key: Key) -> NDArray[np.float64] | None:
        """The similarity of a word or phrase to each term; None if it is similar to none."""
        senses, own = self._ontology.senses(name), self._own.get(key)
        if not senses and own is None:
            return None
        found = np.zeros(len(self.terms))
        if senses:
            found[: len(self._compared)] = self._nearness[:, senses].max(axis=1)
        if own is not None:
            found[own] = 1.0
        return found

    def value(self, name: str, key: Key) -> float:
        """The similarities to all terms, each times the term's weight, summed up."""
        found = self.similarities(name, key)
        return 0.0 if found is None else float((self.weights * found).sum())

    def nearest(self, name: str, key: Key) -> str:
        """The term that a word or phrase is, or else the one to which it owes most of its value."""
        if key in self._own:
            return self.terms[self._own[key][0]]
        found = self.similarities(name, key)
        return "" if found is None else self.terms[int(np.argmax(self.weights * found))]

    def synonyms(self) -> dict[Key, str]:
        """The terms and the other names of their commonest senses."""
        names = [*self.terms]
        for term in self._compared:
            for sense in self._ontology.senses(term)[:1]:
                names += self._ontology.names(sense)
        found: dict[Key, str] = {}
        for name in names:
            found.setdefault(self.key(name), name)
        return found

    def key(self, name: str) -> Key:
        """The stems of a name's words; a stop word among them stands for itself."""
        return tuple(self._tokeniser.stem(word) or word for word in self._tokeniser.tokens(name))

    def _near(self, term: str) -> Nearness:
        """How near every concept is to a term."""
        if self._by == "synonyms":
            nearness: Nearness = np.zeros(self._ontology.size, np.float32)
            nearness[self._ontology.senses(term)[:1]] = 1.0
            return nearness
        nearness = (
            self._ontology.nearness_li(term) if self._by == "li" else self._ontology.nearness_ehrig(term)
        )
        enough = nearness >= self._least
        enough[self._ontology.senses(term)] = True
        return np.where(enough, nearness, np.float32(0))

    def _find_phrases(self) -> dict[Key, str]:
        """The names of several words that are worth looking for."""
        phrases = {self.key(term): term for term in self.terms if " " in term}
        total = (self.weights[: len(self._compared), None] * self._nearness).sum(axis=0)
        nearest = np.argsort(-total, kind="stable")[: 2 * MOST_PHRASES]
        for concept in nearest[total[nearest] > 0].tolist():
            for name in self._ontology.names(concept):
                if len(phrases) < MOST_PHRASES and 1 < len(key := self.key(name)) <= LONGEST_NAME:
                    phrases.setdefault(key, " ".join(self._tokeniser.tokens(name)))
        return phrases

    def __reduce__(self) -> tuple[object, ...]:
        # Comparing anew takes some milliseconds a term; sending what was compared, megabytes.
        weights = dict(zip(self.terms, self.weights.tolist(), strict=True))
        again = partial(Related, weights, self._ontology, self._tokeniser, by=self._by, least=self._least)
        return again, ()
