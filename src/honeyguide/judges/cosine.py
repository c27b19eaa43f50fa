"""The vector space judge (BT 3.1, 4.2): how close a page's words are to the topic's."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.languages import complaint
from honeyguide.text.lexicon import Lexicon
from honeyguide.text.vectors import Query

NAME = "cosine@1"
_REASONS = 8


class Cosine:
    """Judges by the cosine of a page's title and main text to the topic's name and keywords.

    Words weigh tf * idf with a fixed background of English (BT eq. 1); a word of the title counts
    `title_weight` times, but only if the main text says it too. The score is the cosine, its reasons are
    what each word of the topic adds to it, and a page is relevant when it scores more than `threshold`.

    Cosines to a handful of words are small: a page spends most of its words on other things. On an
    encyclopedia, the default threshold balanced precision and recall best over 14 topics, both for topics
    of a name only (precision .41, recall .49) and with some six keywords more (.47, .77). Below 0.04 most
    pages found only mention the topic; above 0.12 most pages on it are missed.

    A page in a language the topic does not ask for is never judged as if it were in one: it scores 0.
    A topic that names no language means English; a page whose language is unknown is judged.
    """

    def __init__(self, *, threshold: float = 0.06, title_weight: float = 3.0) -> None:
        if not 0 <= threshold <= 1:
            raise ConfigError(f"The cosine judge's threshold must lie between 0 and 1, not at {threshold}.")
        if not 0 <= title_weight <= 1000:
            raise ConfigError(
                f"The cosine judge's title_weight must lie between 0 and 1000, not at {title_weight}."
            )
        self.threshold = threshold
        self.title_weight = title_weight
        self._languages: tuple[str, ...] = ()
        self._lexicon: Lexicon | None = None

    def fit(self, topic: Topic) -> Self:
        """Take up a topic."""
        query = Query.of(topic)
        stems = tuple(query.weights)
        self._languages = topic.languages or ("en",)
        self._words = tuple(query.words[stem] for stem in stems)
        self._weights = np.array([query.weights[stem] * query.background.idf(stem) for stem in stems])
        self._lexicon = Lexicon(stems, background=query.background, tokeniser=query.tokeniser)
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        if self._lexicon is None:
            raise ConfigError("The cosine judge does not know the topic yet; fit it first.")
        if page.language and (why := complaint(page.language, self._languages)):
            return Verdict(0.0, False, -self.threshold, "language", (Reason(why, 0.0),), NAME)
        counts, length = self._lexicon.measure(((page.text, 1.0), (page.title, self.title_weight)))
        if counts.any():
            counts = counts * self._backed(counts, page.title)
        if not counts.any():
            return Verdict(0.0, False, -self.threshold, judge=NAME)
        amounts = counts * self._weights / length
        score = min(1.0, float(amounts.sum()))
        return Verdict(
            score, score > self.threshold, score - self.threshold, "", self._reasons(amounts.tolist()), NAME
        )

    def _backed(self, counts: NDArray[np.float64], title: str) -> NDArray[np.bool_]:
        """Which of the topic's words the main text says itself: a title may only carry the name of its site."""
        assert self._lexicon is not None
        in_title, _ = self._lexicon.measure(((title, self.title_weight),))
        return counts > in_title

    def _reasons(self, amounts: list[float]) -> tuple[Reason, ...]:
        found = [
            Reason(word, amount) for word, amount in zip(self._words, amounts, strict=True) if amount > 0
        ]
        found.sort(key=lambda reason: -reason.amount)
        if len(found) > _REASONS:
            found[_REASONS:] = [Reason("other terms", sum(reason.amount for reason in found[_REASONS:]))]
        return tuple(found)

    def state(self) -> Mapping[str, Any]:
        """Nothing: this judge does not learn."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Nothing to take up."""
