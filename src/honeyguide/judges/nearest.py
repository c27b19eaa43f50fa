"""The nearest example (BT 4.2): a page is relevant that is close to any of the examples."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.judges.counted import part_weights
from honeyguide.judges.held_back import Floats, Mask, Sample, check_base_rate, texts_of
from honeyguide.judges.reasons import weightiest
from honeyguide.judges.saved import must_be
from honeyguide.judges.stem_table import (
    Repeats,
    StemTable,
    check_cosine_settings,
    even_odds,
    term_frequency,
)
from honeyguide.model import Example, Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents
from honeyguide.text.wordbook import Column

NAME = "nearest@1"

LONGEST_NAME = 80


class Nearest:
    """Judges by the largest cosine of a page to an example; the reasons say to which.

    Words weigh tf * idf with a fixed background. BT calls pages relevant above .75, which only pages reach
    that say nearly the same; unless a `threshold` is given, it lies where a page is as probable as not to be
    on topic, by the cosines of held-back examples and background, if `base_rate` is the share of pages that
    are. BT's tf is linear (`repeats` "linear").
    """

    needs: tuple[str, ...] = ("examples", "background")

    def __init__(
        self,
        *,
        threshold: float | None = None,
        base_rate: float = 0.1,
        repeats: Repeats = "log",
        title_weight: float = 1.0,
        headings_weight: float = 0.0,
        keywords_weight: float = 0.0,
    ) -> None:
        check_base_rate("nearest", base_rate)
        check_cosine_settings("nearest", threshold, repeats)
        self.threshold = threshold
        self.base_rate = base_rate
        self.repeats = repeats
        self.weights = part_weights(
            "nearest", title=title_weight, headings=headings_weight, keywords=keywords_weight
        )

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Take up a topic's examples."""
        documents = documents or Documents.of(topic)
        table = StemTable.of(texts_of(topic), documents, self.weights)
        sample = Sample.of(topic, judge="nearest", worded=np.diff(table.counts.indptr) > 0)
        vectors = table.weighted(documents.background.idfs(table.stems), self.repeats)

        def margins(learned: Mask, asked: Mask) -> Floats:
            examples = np.flatnonzero(learned & sample.on_topic)
            cosines: Floats = (vectors[asked] @ vectors[examples].T).toarray().max(axis=1)
            return cosines

        held_back = sample.margins(margins)
        threshold = even_odds(held_back, sample, self.base_rate) if self.threshold is None else self.threshold
        self._held_back = held_back - threshold
        examples = np.flatnonzero(sample.on_topic & sample.used)
        said = np.flatnonzero(np.diff(vectors[examples].tocsc().indptr))
        self._take(
            [table.stems[column] for column in said.tolist()],
            [table.words[column] for column in said.tolist()],
            vectors[examples][:, said].toarray().T,
            [_name(sample.texts[number]) for number in examples.tolist()],
            threshold,
            documents,
        )
        return self

    def held_back(self) -> Floats:
        """What it would have said of each text without having learned from it, as margins."""
        return self._held_back

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        bag = self._documents.read(page).stems(self.weights)
        values = term_frequency(bag.counts, self.repeats) * self._documents.idf.of(bag.numbers)
        length = float(np.sqrt(np.square(values).sum()))
        rows = self._row.of(bag.numbers)
        said = np.flatnonzero(rows)
        if not said.size:
            return Verdict(0.0, False, -self._threshold, judge=NAME)
        rows = rows[said]
        parts = self._vectors[rows] * (values[said] / length)[:, None]
        nearest = int(parts.sum(axis=0).argmax())
        amounts = parts[:, nearest]
        cosine = min(1.0, float(amounts.sum()))
        reasons = weightiest(amounts, lambda at: self._words[rows[at] - 1])
        margin = cosine - self._threshold
        named = Reason(f"closest to {self._names[nearest]}", 0.0)
        return Verdict(cosine, margin > 0, margin, "", (*reasons, named), NAME)

    def terms(self) -> list[Reason]:
        """The words of the examples, the weightiest in any of them first."""
        heaviest = self._vectors[1:].max(axis=1).tolist()
        found = [Reason(word, weight) for word, weight in zip(self._words, heaviest, strict=True)]
        return sorted(found, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All it knows of the topic."""
        return {
            "judge": NAME,
            "stems": list(self._rows),
            "words": self._words,
            "vectors": self._vectors[1:],
            "names": self._names,
            "threshold": self._threshold,
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        self._take(
            state["stems"],
            state["words"],
            state["vectors"],
            state["names"],
            state["threshold"],
            documents or Documents(),
        )
        return self

    def _take(
        self,
        stems: list[str],
        words: list[str],
        vectors: NDArray[np.float64],
        names: list[str],
        threshold: float,
        documents: Documents,
    ) -> None:
        self._rows = {stem: 1 + row for row, stem in enumerate(stems)}
        self._words = words
        self._vectors = np.vstack((np.zeros(vectors.shape[1]), vectors))
        self._names = names
        self._threshold = threshold
        self._documents = documents
        self._row = Column(documents.book.stems, self._row_of, np.int32)

    def _row_of(self, stem: str) -> int:
        return self._rows.get(stem, 0)


def _name(example: Example) -> str:
    name = example.title or example.url or example.text
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
