"""Matched anchor, GD's SVM + SM anchor (9.4.2): the page as the judge sees it, the anchor by a vocabulary."""

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Example, Term, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.page_and_link import PageAndLink
from honeyguide.text.documents import Documents
from honeyguide.text.matching import Matcher

REMEMBERED = 20_000
LONGEST_REMEMBERED = 200


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
        self._matches: _Matches | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Take up the vocabulary, or the topic's name and keywords if there is none; nothing is learned."""
        words = (Term(text) for text in (topic.name, *topic.keywords))
        terms = topic.vocabulary or tuple(words)
        if not any(term.weight > 0 for term in terms):
            raise ConfigError(
                f"Matched anchor looks for a vocabulary, and the topic {topic.name!r} has no term that speaks for "
                "it; give it terms with weights, or examples to take them from."
            )
        self._matches = _Matches(terms, Documents.of(topic))
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        if self._matches is None:
            raise ConfigError("Matched anchor does not know the topic yet; fit it first.")
        values = list(map(self._matches.__getitem__, [link.anchor for link in visit.page.links]))
        return self._mixture.candidates(visit, np.array(values))


class _Matches(dict[str, float]):
    """What anchors say of a vocabulary, those met before remembered: menus repeat on every page of a site."""

    def __init__(self, terms: Sequence[Term], documents: Documents) -> None:
        super().__init__()
        self._matcher = Matcher(terms, documents)
        self._documents = documents
        weights = np.array([term.weight for term in terms])
        self._weights = weights / np.abs(weights).max()

    def __missing__(self, anchor: str) -> float:
        said = self._matcher.weigh(self._documents.read(Example(anchor)))
        value = min(1.0, max(0.0, float(self._weights.take(said.terms).sum())))
        if len(anchor) <= LONGEST_REMEMBERED:
            if len(self) >= REMEMBERED:
                self.clear()
            self[anchor] = value
        return value
