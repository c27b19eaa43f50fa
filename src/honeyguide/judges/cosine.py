"""The vector space judge (BT 3.1, 4.2): how close a page's words are to the topic's."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.judges.reasons import weightiest
from honeyguide.judges.saved import must_be
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents, Weights
from honeyguide.text.vectors import Query
from honeyguide.text.wordbook import Column

NAME = "cosine@1"


class Cosine:
    """Judges by the cosine of a page's title and main text to the topic's name and keywords.

    Words weigh tf * idf with a fixed background (BT eq. 1); a word of the title counts `title_weight` times,
    but only if the main text says it too. The score is the cosine, its reasons are what each word of the
    topic adds to it, and a page is relevant when it scores more than `threshold`.

    Cosines to a handful of words are small: a page spends most of its words on other things. On an
    encyclopedia, the default threshold balanced precision and recall best over 14 topics, both for topics
    of a name only (precision .41, recall .49) and with some six keywords more (.47, .77). Below 0.04 most
    pages found only mention the topic; above 0.12 most pages on it are missed.
    """

    needs: tuple[str, ...] = ()
    learns = False

    def __init__(self, *, threshold: float = 0.06, title_weight: float = 3.0) -> None:
        if not 0 <= threshold <= 1:
            raise ConfigError(f"The cosine judge's threshold must lie between 0 and 1, not at {threshold}.")
        if not 0 <= title_weight <= 1000:
            raise ConfigError(
                f"The cosine judge's title_weight must lie between 0 and 1000, not at {title_weight}."
            )
        self.threshold = threshold
        self.title_weight = title_weight

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Take up a topic."""
        documents = documents or Documents.of(topic)
        query = Query.of(topic, documents)
        idf = documents.background.idf
        self._take(
            {stem: (query.words[stem], weight * idf(stem)) for stem, weight in query.weights.items()},
            documents,
        )
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        document = self._documents.read(page)
        whole = document.stems(Weights(title=self.title_weight))
        weights = self._weight.of(whole.numbers)
        wanted = np.flatnonzero(weights)
        if wanted.size:
            # A title may only carry the name of its site, so the main text must say the word itself.
            said = np.isin(whole.numbers[wanted], document.stems(Weights(title=0.0)).numbers)
            wanted = wanted[said]
        if not wanted.size:
            return Verdict(0.0, False, -self.threshold, judge=NAME)
        length = float(np.sqrt(np.square(whole.counts * self._documents.idf.of(whole.numbers)).sum()))
        numbers = whole.numbers[wanted]
        reasons = weightiest(
            whole.counts[wanted] * weights[wanted] / length, lambda at: self._name(numbers[at])
        )
        score = min(1.0, sum(reason.amount for reason in reasons))
        return Verdict(score, score > self.threshold, score - self.threshold, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """What it looks for, the weightiest first."""
        found = [Reason(word, weight) for word, weight in self._terms.values()]
        return sorted(found, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {"judge": NAME, "terms": self._terms}

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        self._take(
            {stem: (word, weight) for stem, (word, weight) in state["terms"].items()},
            documents or Documents(),
        )
        return self

    def _take(self, terms: dict[str, tuple[str, float]], documents: Documents) -> None:
        self._terms = terms
        self._documents = documents
        self._weight = Column(documents.book.stems, self._weight_of)

    def _weight_of(self, stem: str) -> float:
        return self._terms[stem][1] if stem in self._terms else 0.0

    def _name(self, number: int) -> str:
        return self._terms[self._documents.book.stems.list[number]][0]
