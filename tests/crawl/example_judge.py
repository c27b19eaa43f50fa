"""A judge that learns from examples and nothing else, so that tests can see what it has learned."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.judges.reasons import sigmoid
from honeyguide.judges.saved import must_be
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents

NAME = "by-example@1"


class ByExample:
    """Words of examples count for, those of off-topic examples against; `reach` says how steeply."""

    needs: tuple[str, ...] = ()

    def __init__(self, *, reach: float = 5.0) -> None:
        self.reach = reach

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        if "unfit" in topic.keywords and topic.off_topic:
            raise ConfigError("Off-topic examples are too much for this judge.")
        weights: Counter[str] = Counter(dict.fromkeys(topic.name.lower().split(), 1.0))  # type: ignore[arg-type]
        for sign, examples in ((1, topic.examples), (-1, topic.off_topic)):
            for example in examples:
                for word in set(example.text.lower().split()):
                    weights[word] += sign * example.weight  # type: ignore[assignment]
        self._weights = dict(weights)
        return self

    def assess(self, page: Page) -> Verdict:
        words = set(page.text.lower().split())
        total = sum(self._weights.get(word, 0.0) for word in words) / max(1, len(words))
        score = sigmoid(self.reach * total)
        return Verdict(score, total > 0, total, "", (Reason("words", score),), NAME)

    def terms(self) -> list[Reason]:
        return [Reason(word, weight) for word, weight in self._weights.items()]

    def state(self) -> Mapping[str, Any]:
        return {
            "judge": NAME,
            "words": list(self._weights),
            "weights": np.array(list(self._weights.values()), np.float64),
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        must_be(NAME, state)
        self._weights = dict(zip(state["words"], state["weights"].tolist(), strict=True))
        return self
