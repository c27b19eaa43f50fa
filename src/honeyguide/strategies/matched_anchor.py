"""Matched anchor, GD's SVM + SM anchor (9.4.2): the page as the judge sees it, the anchor by a vocabulary."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Example, Term, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.page_and_link import PageAndLink
from honeyguide.text.booleans import Pattern, parse_term
from honeyguide.text.documents import Documents
from honeyguide.text.matching import Matcher
from honeyguide.text.tokens import pieces

LONGEST = 400
"""Characters of an anchor that are read."""

REMEMBERED = 20_000
"""Anchors, and pieces of them, of which it is remembered what they say: menus repeat on every page of a site."""


class MatchedAnchor(Strategy):
    """Scores a link by its page and by the terms of the topic's vocabulary that its anchor says.

    score = f * rel(p) + (1 - f) * SM(anchor); SM is the sum of the weights of the terms said, each as a share
    of the largest in the vocabulary and once however often it is said, held between 0 and 1. With the svm judge
    it is GD's SVM + SM anchor, with string-matching its string matching of page and anchor. A link
    whose anchor says nothing gets the page's part alone, and comes later, as in GD. GD gives no normalisation.
    """

    needs = ("vocabulary",)

    def __init__(self, *, f: float = 0.8) -> None:
        self._mixture = PageAndLink("Matched anchor", f)
        self.f = f
        self._anchors: _Anchors | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Take up the vocabulary, or the topic's name and keywords if there is none; nothing is learned."""
        words = (Term(text) for text in (topic.name, *topic.keywords))
        terms = topic.vocabulary or tuple(words)
        if not any(term.weight > 0 for term in terms):
            raise ConfigError(
                f"Matched anchor looks for a vocabulary, and the topic {topic.name!r} has no term that speaks for "
                "it; give it terms with weights, or examples to take them from."
            )
        self._anchors = _Anchors(terms, Documents.of(topic))
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        if self._anchors is None:
            raise ConfigError("Matched anchor does not know the topic yet; fit it first.")
        values = map(self._anchors.worth, [link.anchor[:LONGEST] for link in visit.page.links])
        return self._mixture.candidates(visit, np.array(list(values)))


class _Anchors:
    """What anchors say of a vocabulary. Most say none of its words, which is found out piece by piece, and cheap."""

    def __init__(self, terms: Sequence[Term], documents: Documents) -> None:
        self._documents = documents
        self._matcher = Matcher(terms, documents)
        weights = np.array([term.weight for term in terms])
        self._weights = weights / np.abs(weights).max()
        atoms = [atom for term in terms for atom in parse_term(term.text, documents.tokeniser).atoms()]
        needed = [_most_telling(atom.patterns) for atom in atoms]
        self._words = {pattern.text for pattern in needed if pattern.kind != "beginning"}
        self._beginnings = tuple({pattern.text for pattern in needed if pattern.kind == "beginning"})
        self._is_needed = lru_cache(REMEMBERED)(self._holds_needed)
        self.worth = lru_cache(REMEMBERED)(self._worth)

    def _worth(self, anchor: str) -> float:
        """The weights of all terms that an anchor says, held between 0 and 1."""
        if not any(map(self._is_needed, pieces(anchor))):
            return 0.0
        said = self._matcher.weigh(self._documents.read(Example(anchor)))
        return min(1.0, max(0.0, float(self._weights.take(said.terms).sum())))

    def _holds_needed(self, piece: bytes) -> bool:
        tokeniser = self._documents.tokeniser
        return any(
            (tokeniser.stem(word) or word) in self._words or word.startswith(self._beginnings)
            for word in tokeniser.words_of(piece)
        )


def _most_telling(patterns: Sequence[Pattern]) -> Pattern:
    """The word without which a phrase is not said: rather not a stop word."""
    return next((pattern for pattern in patterns if pattern.kind != "word"), patterns[0])
