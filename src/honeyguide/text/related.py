"""How near words are to the words of a query, by an ontology: worked out once a word, looked up from then on.

The query's terms are compared with every concept of the ontology beforehand, so a word of a page only has to be
found in it. A word that is a term's own, or has the same stem, is as near as can be, known to the ontology or not.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Topic
from honeyguide.text.background import Background
from honeyguide.text.ontology import FAR, Nearness, Ontology
from honeyguide.text.tokens import Tokeniser, pieces

By = Literal["ehrig", "li", "synonyms", "connected", "two-steps"]
Key = tuple[str, ...]
"""The stems of a name's words: the same for all its forms."""

MOST_CELLS = 8_000_000
"""Terms times concepts that are compared beforehand; beyond that the lightest terms count as mere words."""

MOST_PHRASES = 5_000
"""Names of several words that are looked for: those of the nearest concepts."""

LONGEST_NAME = 5
"""Words of a name that are looked up together."""

REMEMBERED = 50_000
"""Pieces of short texts whose words are remembered."""

STEPS = {"connected": 1, "two-steps": 2}
"""Is-a edges between a term and what counts as the same, in Ehrig's boolean variants (BT 2.4)."""


def frequencies(topic: Topic, ontology: Ontology, tokeniser: Tokeniser) -> dict[str, float]:
    """The terms of a topic's name and keywords with their tf, f / max f (BT eq. 1)."""
    counts = Counter(terms_of((topic.name, *topic.keywords), ontology, tokeniser))
    if not counts:
        raise ConfigError(f"The topic {topic.name!r} has no words to look for; give it keywords.")
    most = max(counts.values())
    return {term: times / most for term, times in counts.items()}


def terms_of(texts: Iterable[str], ontology: Ontology, tokeniser: Tokeniser) -> Iterator[str]:
    """The terms of a query: the longest names that the ontology knows, and all other words but stop words."""

    def known(words: Sequence[str]) -> str:
        name = " ".join(words)
        return name if ontology.senses(name) else ""

    for text in texts:
        words = tokeniser.tokens(text)
        for at, name in _longest(words, known):
            if name or tokeniser.stem(words[at]):
                yield name or words[at]


class Terms:
    """Reads short texts: the longest of some names of several words, and all other words but stop words."""

    def __init__(self, names: Mapping[Key, str], tokeniser: Tokeniser) -> None:
        self._names, self._tokeniser = names, tokeniser
        self._openings = {key[:2] for key in names}
        self._words = lru_cache(REMEMBERED)(self._read)

    def of(self, text: str) -> list[tuple[str, str]]:
        """The terms in order, each with the stems of its words before it: the same for all its forms."""
        words = [word for piece in pieces(text) for word in self._words(piece)]
        stems = [stem for stem, _ in words]
        if self._openings.isdisjoint(pairwise(stems)):
            return [word for word in words if word[1]]
        found = _longest(stems, lambda run: self._names.get(tuple(run), ""))
        terms = [(" ".join(self._key(name)), name) if name else words[at] for at, name in found]
        return [term for term in terms if term[1]]

    def _key(self, name: str) -> Key:
        return key_of(name, self._tokeniser)

    def _read(self, piece: bytes) -> tuple[tuple[str, str], ...]:
        """The stem of every word of a piece, and the word; a stop word stands for its stem and is no term."""
        words = [(self._tokeniser.stem(word), word) for word in self._tokeniser.words_of(piece)]
        return tuple((stem or word, word if stem else "") for stem, word in words)


def _longest(words: Sequence[str], name_of: Callable[[Sequence[str]], str]) -> Iterator[tuple[int, str]]:
    """Where the longest names of several words stand, and each word that belongs to none, with no name."""
    at = 0
    while at < len(words):
        sizes = range(min(LONGEST_NAME, len(words) - at), 1, -1)
        found = ((name, size) for size in sizes if (name := name_of(words[at : at + size])))
        name, size = next(found, ("", 1))
        yield at, name
        at += size


def key_of(name: str, tokeniser: Tokeniser) -> Key:
    """The stems of a name's words; a stop word among them stands for itself."""
    return tuple(tokeniser.stem(word) or word for word in tokeniser.tokens(name))


def idf_of(name: str, background: Background, tokeniser: Tokeniser) -> float:
    """A name of several words is as telling as the most telling of them."""
    return max((background.idf(stem) for stem in map(tokeniser.stem, name.split()) if stem), default=0.0)


def names_of(term: str, ontology: Ontology) -> list[str]:
    """A term, and the names of its commonest sense."""
    return [term, *(name for sense in ontology.senses(term)[:1] for name in ontology.names(sense))]


class Related:
    """The weighted terms of a query, and the similarity of any word or phrase to each of them.

    Similar by `ehrig` or `li`: see Ontology; by `synonyms`: 1 for a name of the term's commonest sense; by
    `connected` or `two-steps`: 1 up to that distance. What is less than `least` counts as nothing, but for
    synonyms: by `li` those of a concept near the top are little alike.
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
        found: dict[Key, str] = {}
        for name in (
            *self.terms,
            *(name for term in self._compared for name in names_of(term, self._ontology)),
        ):
            found.setdefault(self.key(name), name)
        return found

    def key(self, name: str) -> Key:
        """The stems of a name's words; a stop word among them stands for itself."""
        return key_of(name, self._tokeniser)

    def _near(self, term: str) -> Nearness:
        """How near every concept is to a term."""
        if self._by == "synonyms":
            nearness: Nearness = np.zeros(self._ontology.size, np.float32)
            nearness[self._ontology.senses(term)[:1]] = 1.0
            return nearness
        if self._by in STEPS:
            distances = self._ontology.distances(term)
            return np.where((distances != FAR) & (distances <= STEPS[self._by]), 1, 0).astype(np.float32)
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
