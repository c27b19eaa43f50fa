"""The levels of a topic's branch of a directory as lists of terms, and pages compared with them (GT 3.1, 3.2.3)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Example, Page, Topic
from honeyguide.text.documents import Documents
from honeyguide.text.profiles import Nearest, Profiles
from honeyguide.text.terms import Recogniser, Terms
from honeyguide.text.wordbook import Column


class LevelTerms(NamedTuple):
    """A level, and the terms of its examples with their C-values for each example."""

    name: str
    terms: Mapping[str, float]


class Comparison(NamedTuple):
    """The terms of a page, those like a term of some level, and what each adds to the PageScores."""

    terms: Terms
    rows: NDArray[np.int64]
    nearest: list[Nearest]
    parts: NDArray[np.float64]
    scores: list[float]


class Levels:
    """Levels that a page may belong to: the first `branch` of them the topic's own and those above it.

    Those after them lie beside the branch. With `cvalue` terms count by their C-values (GT eq. 3.7); what is
    under `least_cvalue` is no term of a page.
    """

    def __init__(
        self,
        levels: Sequence[LevelTerms],
        documents: Documents,
        *,
        branch: int,
        cvalue: bool = False,
        least_cvalue: float = 2.0,
    ) -> None:
        self.levels = tuple(levels)
        self.branch = branch
        self.cvalue = cvalue
        self.documents = documents
        self.profiles = Profiles([level.terms for level in levels])
        self._recogniser = Recogniser(documents, least=least_cvalue)
        self._numbers = Column(documents.book.words, self.profiles.number, np.int32)

    def compare(self, page: Page | Example) -> Comparison:
        """What a page has in common with each level (GT eq. 3.4)."""
        terms = self._recogniser.terms(self.documents.read(page))
        rows, nearest = self.profiles.nearest_of(terms, self._numbers.of(terms.words), weighted=self.cvalue)
        parts = np.array([found.values for found in nearest]).reshape(len(rows), len(self.levels))
        parts /= max(1, len(terms.starts))
        return Comparison(terms, rows, nearest, parts, parts.sum(axis=0).tolist())

    def boundaries(self) -> list[float]:
        """The boundary scores: for each level the mean PageScore that the other levels' terms have there."""
        pages = [
            (number, self.profiles.page_score(level.terms, weighted=self.cvalue))
            for number, level in enumerate(self.levels)
            if level.terms
        ]
        others = [[scores[at] for number, scores in pages if number != at] for at in range(len(self.levels))]
        return [sum(scores) / len(scores) if scores else 0.0 for scores in others]

    def place(self, scores: Sequence[float], boundaries: Sequence[float]) -> int:
        """The place of the level that a page with these PageScores belongs to; -1 for none."""
        # Of equals the lowest level of the branch, but rather what is known to lie beside it.
        best = max(range(len(scores)), key=lambda at: (scores[at], at >= self.branch, -at))
        return best if scores[best] > boundaries[best] else -1


def level_texts(topic: Topic, *, background: bool) -> list[tuple[str, Sequence[Example]]]:
    """The levels of a topic with the texts of each, its own first; with what lies beside them if asked for."""
    own = (topic.branch[0].examples if topic.branch else ()) or topic.examples
    levels: list[tuple[str, Sequence[Example]]] = [
        (topic.branch[0].name if topic.branch else topic.name, own)
    ]
    levels += [(level.name, level.examples) for level in topic.branch[1:]]
    others = [("off topic", topic.off_topic), ("background", topic.background)] if background else []
    return levels + [(name, texts) for name, texts in others if texts]


def level_terms(name: str, texts: Sequence[Example], recogniser: Recogniser, most: int) -> LevelTerms:
    """The terms of largest C-value of a level's texts, each divided by the number of texts."""
    found = recogniser.terms_of(texts, most=most)
    return LevelTerms(name, {term: value / len(texts) for term, value in found.items()})
