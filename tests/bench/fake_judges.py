"""Judges that are simple enough to know what they must say."""

from collections.abc import Mapping
from typing import Any, Self

from honeyguide.errors import ConfigError
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents


class Counting:
    """Scores a page by the share of its words that are among some words."""

    needs: tuple[str, ...] = ()

    def __init__(self, *, threshold: float = 0.05) -> None:
        self.threshold = threshold
        self.words: set[str] = set()

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        self.words = set(topic.name.lower().split())
        return self

    def assess(self, page: Page) -> Verdict:
        words = page.text.lower().split()
        score = sum(word in self.words for word in words) / max(1, len(words))
        return Verdict(score, score > self.threshold, score - self.threshold, judge="counting@1")

    def terms(self) -> list[Reason]:
        return [Reason(word, 1.0) for word in sorted(self.words)]

    def state(self) -> Mapping[str, Any]:
        return {"judge": "counting@1", "words": sorted(self.words)}

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        self.words = set(state["words"])
        return self


class Learning(Counting):
    """Takes its words from the examples, less those of the background; needs a minimum of examples."""

    needs = ("examples", "background")

    def __init__(self, *, threshold: float = 0.05, fewest: int = 1) -> None:
        super().__init__(threshold=threshold)
        self.fewest = fewest

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        if len(topic.examples) < self.fewest:
            raise ConfigError(f"The learning judge needs {self.fewest} examples, not {len(topic.examples)}.")
        said = (word for example in topic.examples for word in example.text.lower().split())
        self.words = set(said)
        for text in topic.background:
            self.words -= set(text.text.lower().split())
        return self


class Unusable:
    """A judge whose library is not installed."""

    def __init__(self) -> None:
        raise ConfigError("The unusable judge needs something that is not installed.")


JUDGES = {
    "counting": "fake_judges:Counting",
    "learning": "fake_judges:Learning",
    "unusable": "fake_judges:Unusable",
}
