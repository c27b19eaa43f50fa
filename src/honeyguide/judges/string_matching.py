"""String matching (GD 7.5): a page is about what its words and phrases say, by a weighted vocabulary."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.judges.counted import part_weights
from honeyguide.judges.held_back import Floats
from honeyguide.judges.outliers import beyond
from honeyguide.judges.reasons import weightiest
from honeyguide.judges.saved import must_be
from honeyguide.judges.stem_table import Repeats, check_repeats, term_frequency
from honeyguide.model import Example, Page, Reason, Term, Topic, Verdict
from honeyguide.text.documents import Documents
from honeyguide.text.matching import Matcher

NAME = "string-matching@1"

SHORTEST = 100
"""Words that a page is taken to have at least: one word of the vocabulary makes no page of ten relevant."""

THRESHOLD = 0.1
"""Where a topic has no other texts to tell what is usual."""


class StringMatching:
    """Judges by the terms of a controlled vocabulary that a page says.

    A page's sum is that of w * log(1 + n) over the terms it says, divided by the square root of its number of
    words; w is a term's weight as a share of the largest, below 0 for terms that speak against the topic,
    and n how often it is said, in the title `title_weight` times. With `repeats` "linear" n stands for its
    logarithm, as in Combine. The score is sum / (sum + threshold), or 0 for a sum below 0: one half is where
    relevance starts. Unless a `threshold` is given it lies where the background hardly ever comes to.

    GD gives no formula beyond the sum.
    """

    needs: tuple[str, ...] = ("vocabulary", "background")
    learns = False

    def __init__(
        self,
        *,
        threshold: float | None = None,
        repeats: Repeats = "log",
        title_weight: float = 3.0,
        headings_weight: float = 0.0,
        keywords_weight: float = 0.0,
    ) -> None:
        if threshold is not None and not 0 < threshold <= 1e6:
            raise ConfigError(f"The string-matching judge's threshold must lie above 0, not at {threshold}.")
        check_repeats("string-matching", repeats)
        self.threshold = threshold
        self.repeats = repeats
        self.weights = part_weights(
            "string-matching", title=title_weight, headings=headings_weight, keywords=keywords_weight
        )

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Take up a topic's vocabulary."""
        if not any(term.weight > 0 for term in topic.vocabulary):
            raise ConfigError(
                f"The string-matching judge looks for a vocabulary, and the topic {topic.name!r} has none that "
                "speaks for it; give it terms with weights, or examples to take them from."
            )
        documents = documents or Documents.of(topic)
        self._take(topic.vocabulary, self.threshold or THRESHOLD, documents)
        if self.threshold is None and topic.background:
            usual = [float(self._said(text)[1].sum()) for text in topic.background]
            self._threshold = beyond(usual, least=THRESHOLD / 10)
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        terms, amounts = self._said(page)
        total = float(amounts.sum())
        margin = total - self._threshold
        if total <= 0:
            return Verdict(0.0, False, margin, judge=NAME)
        score = 1 / (1 + self._threshold / total)
        reasons = weightiest(amounts * (score / total), lambda at: self._matcher.terms[terms[at]].text)
        return Verdict(score, margin > 0, margin, "", reasons, NAME)

    def terms(self) -> list[Reason]:
        """The vocabulary, the weightiest first."""
        found = [
            Reason(term.text, weight)
            for term, weight in zip(self._matcher.terms, self._weight.tolist(), strict=True)
        ]
        return sorted(found, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {
            "judge": NAME,
            "terms": [term.text for term in self._matcher.terms],
            "weights": [term.weight for term in self._matcher.terms],
            "threshold": self._threshold,
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        terms = tuple(map(Term, state["terms"], state["weights"]))
        self._take(terms, state["threshold"], documents or Documents())
        return self

    def _take(self, terms: tuple[Term, ...], threshold: float, documents: Documents) -> None:
        self._documents = documents
        self._matcher = Matcher(terms, documents)
        weights = np.array([term.weight for term in terms])
        self._weight = weights / np.abs(weights).max()
        self._threshold = threshold

    def _said(self, page: Page | Example) -> tuple[NDArray[np.intp], Floats]:
        """The terms that a page says, and what each adds to its sum."""
        document = self._documents.read(page)
        said = self._matcher.weigh(document, self.weights)
        times = term_frequency(said.times, self.repeats)
        length = max(SHORTEST, said.words)
        return said.terms, self._weight.take(said.terms) * times / np.sqrt(length)
