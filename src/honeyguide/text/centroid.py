"""The middle of some texts, and how close anchors are to it."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from honeyguide.text.background import Background
from honeyguide.text.tokens import Tokeniser

REMEMBERED = 20_000
LONGEST_REMEMBERED = 200


class Centroid:
    """A vector of length 1 in the space of stems, and the cosines of short texts to it, which it remembers."""

    def __init__(self, weights: Mapping[str, float], background: Background, tokeniser: Tokeniser) -> None:
        self._weights = weights
        self._background = background
        self._tokeniser = tokeniser
        self._known: dict[str, float] = {}

    def cosine(self, text: str) -> float:
        """The cosine of a text to the centroid."""
        counts = Counter(self._tokeniser.stems(text))
        pairs = [(stem, times * self._background.idf(stem)) for stem, times in counts.items()]
        length = math.hypot(*(weight for _, weight in pairs))
        product = sum([weight * self._weights.get(stem, 0.0) for stem, weight in pairs])
        return min(1.0, product / length) if length > 0 else 0.0

    def cosines(self, texts: Sequence[str]) -> list[float]:
        """The cosines of many short texts, such as the anchors of a page."""
        known, found = self._known, []
        for text in texts:
            value = known.get(text)
            if value is None:
                value = self.cosine(text)
                if len(text) <= LONGEST_REMEMBERED:
                    if len(known) >= REMEMBERED:
                        known.clear()
                    known[text] = value
            found.append(value)
        return found
