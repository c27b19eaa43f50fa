"""The lexical levels judge (GT 3.2.3, GN 3.2): which level of a directory a page's terms are most like."""

from collections.abc import Mapping
from typing import Any, Self

from honeyguide.errors import ConfigError
from honeyguide.judges.reasons import weightiest
from honeyguide.judges.saved import must_be
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents
from honeyguide.text.levels import Comparison, Levels, LevelTerms, level_terms, level_texts
from honeyguide.text.terms import Recogniser

NAME = "lexical-levels@1"
NONE = "none"
"""The label of a page that belongs to no level: level n + 1 of the thesis."""

_TIE = 1e-12
"""The margin of a page just as much like a level above: it goes to the target, the method being optimistic."""


class LexicalLevels:
    """Judges by how much a page's terms are like those of each level of the topic's branch; made for English.

    The PageScore of a level is the mean over the page's terms p of max LS(p, t) over the level's terms t (GT
    eq. 3.4), or with `cvalue` of max (C_p + C_t)/2 * LS(p, t) (eq. 3.7). A page belongs to the level with the
    largest PageScore, the lower of equals; to none if that is 0 or, with `boundary`, does not exceed the
    level's boundary score: the mean PageScore of the other levels' terms. It is relevant if it belongs to the
    first level, the target. `strict` also asks for the vocabulary of the level above (GT, further work: "food"
    without "genetics" is a false positive): as much of it as that example of the target has which has least.

    The score is s / (s + r), s being the PageScore of the target and r what it has to exceed: the largest
    other PageScore or the boundary score. So relevant pages score 1/2 and more, others 1/2 and less, and each
    term of the page adds its share. With `strict` it is the smaller of this and the same for the level above.

    With `background` the topic's background and off-topic examples are two further levels beside the branch, as
    few pages of a large web share no word with it. A topic without a branch has its examples as the only
    level. Each level keeps its `terms_per_level` terms of largest C-value; those under `least_cvalue` are no
    terms, on a page neither. C-values of a level are divided by its number of examples, so that levels
    compare with each other and with pages.
    """

    def __init__(
        self,
        *,
        cvalue: bool = False,
        strict: bool = False,
        boundary: bool = True,
        background: bool = True,
        terms_per_level: int = 300,
        least_cvalue: float = 2.0,
    ) -> None:
        if not 1 <= terms_per_level <= 100_000:
            raise ConfigError(
                f"The lexical levels judge's terms_per_level must lie between 1 and 100000, not at {terms_per_level}."
            )
        if not 0 <= least_cvalue <= 1000:
            raise ConfigError(
                f"The lexical levels judge's least_cvalue must lie between 0 and 1000, not at {least_cvalue}."
            )
        self.needs: tuple[str, ...] = ("background",) if background else ()
        self.cvalue = cvalue
        self.strict = strict
        self.boundary = boundary
        self.background = background
        self.terms_per_level = terms_per_level
        self.least_cvalue = least_cvalue

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Take up a topic with a branch, or with examples and a background."""
        documents = documents or Documents.of(topic)
        recogniser = Recogniser(documents, least=self.least_cvalue)
        examples = level_texts(topic, background=self.background)
        if not examples[0][1]:
            raise ConfigError(
                f"The lexical levels judge needs example pages of the topic {topic.name!r} itself; give it a branch "
                "of a directory with examples for the first level, or examples."
            )
        levels = [level_terms(name, texts, recogniser, self.terms_per_level) for name, texts in examples]
        branch = max(1, len(topic.branch))
        if not levels[0].terms:
            raise ConfigError(
                f"The examples of {levels[0].name!r}, the first level of the topic {topic.name!r}, hold no "
                "terms; give the lexical levels judge longer examples."
            )
        if not any(level.terms for level in levels[1:]):
            raise ConfigError(
                f"The lexical levels judge compares levels, and of the topic {topic.name!r} only the first has "
                "terms; give its branch examples for a level above, or the topic a background."
            )
        if self.strict and not any(level.terms for level in levels[1:branch]):
            raise ConfigError(
                "The strict lexical levels judge asks for the vocabulary of a level above, and the topic "
                f"{topic.name!r} has none with terms; give its branch examples there, or set strict to false."
            )
        self._take(levels, branch, documents)
        self._boundaries = self._levels.boundaries() if self.boundary else [0.0] * len(levels)
        if self.strict:
            of_examples = [
                self._levels.compare(text).scores[self._above] for text in examples[0][1] if text.text
            ]
            self._least_above = min(of_examples)
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page; its label is the name of its level."""
        found = self._levels.compare(page)
        level = self._level(found.scores)
        score, of_level = self._score(found.scores)
        reasons: tuple[Reason, ...] = ()
        if score:
            reasons = weightiest(
                found.parts[:, of_level] * (score / found.scores[of_level]),
                lambda at: self._match(page, found, at, of_level),
            )
        relevant = level == 0
        margin = max(score - 0.5, _TIE) if relevant else min(score - 0.5, 0.0)
        label = self._levels.levels[level].name if 0 <= level < self._levels.branch else NONE
        return Verdict(score, relevant, margin, label, reasons, NAME)

    def terms(self) -> list[Reason]:
        """The terms of the target, those of largest C-value first."""
        return sorted(map(Reason._make, self._levels.levels[0].terms.items()), key=lambda term: -term.amount)

    def state(self) -> Mapping[str, Any]:
        """The terms of all levels, and what a page has to exceed."""
        return {
            "judge": NAME,
            "names": [level.name for level in self._levels.levels],
            "terms": [list(level.terms) for level in self._levels.levels],
            "cvalues": [list(level.terms.values()) for level in self._levels.levels],
            "branch": self._levels.branch,
            "boundaries": self._boundaries,
            "least_above": self._least_above,
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        levels = [
            LevelTerms(name, dict(zip(terms, values, strict=True)))
            for name, terms, values in zip(state["names"], state["terms"], state["cvalues"], strict=True)
        ]
        self._take(levels, int(state["branch"]), documents or Documents())
        self._boundaries = list(state["boundaries"])
        self._least_above = float(state["least_above"])
        return self

    def _take(self, levels: list[LevelTerms], branch: int, documents: Documents) -> None:
        self._levels = Levels(
            levels, documents, branch=branch, cvalue=self.cvalue, least_cvalue=self.least_cvalue
        )
        self._above = next((number for number in range(1, branch) if levels[number].terms), 0)
        self._least_above = 0.0

    def _level(self, scores: list[float]) -> int:
        """The place of the level that a page with these PageScores belongs to; -1 for none."""
        best = self._levels.place(scores, self._boundaries)
        if self.strict and best == 0 and not 0 < scores[self._above] >= self._least_above:
            return -1
        return best

    def _score(self, scores: list[float]) -> tuple[float, int]:
        """The score of a page with these PageScores, and the level whose terms explain it."""
        score = _share(scores[0], max(*scores[1:], self._boundaries[0]))
        above = _share(scores[self._above], self._least_above) if self.strict else 1.0
        return (above, self._above) if above < score else (score, 0)

    def _match(self, page: Page, found: Comparison, at: int, level: int) -> str:
        """What a term of the page is called, and the term of a level that it is like."""
        row = found.rows[at]
        start = int(found.terms.starts[row])
        documents = self._levels.documents
        numbers = documents.read(page).words[start : start + int(found.terms.lengths[row])]
        said = " ".join(documents.book.words.list[number] for number in numbers.tolist())
        wanted = self._levels.profiles.terms[found.nearest[at].terms[level]]
        return said if said == wanted else f"{said} (like {wanted})"


def _share(own: float, other: float) -> float:
    return own / (own + other) if own else 0.0
