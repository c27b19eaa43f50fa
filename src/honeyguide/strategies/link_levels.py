"""The level of a topic's branch that a link points to, by its own words, those around it, or its page (GT 3.2)."""

from collections.abc import Sequence
from functools import lru_cache

from honeyguide.model import Link, Page, Topic, Visit
from honeyguide.strategies.surroundings import place_in_context
from honeyguide.text.booleans import plain
from honeyguide.text.documents import Documents
from honeyguide.text.levels import Levels, LevelTerms, level_terms, level_texts
from honeyguide.text.terms import Recogniser, singular
from honeyguide.text.tokens import pieces

REMEMBERED = 50_000
"""Anchors and contexts of which the level is remembered."""

LONGEST_ANCHOR = 300
"""Characters of an anchor that are read."""

JUDGE = "lexical-levels@"
SCREEN = "screened@"
"""How the names of those judges begin whose labels say the level of a page."""


class LinkLevels:
    """Says for links and pages which level they are most like: 1 for the target, n + 1 for none.

    The level is the one of the largest score, the lower of equals; one that scores 0 everywhere, or has most in
    common with what lies beside the branch, has level n + 1. With `cvalue` terms count by their C-values.
    """

    def __init__(self, levels: Levels, *, w: int) -> None:
        self._levels = levels
        self._boundaries = levels.boundaries()
        self._names = [level.name for level in levels.levels[: levels.branch]]
        self._w = w
        self._words_of = lru_cache(maxsize=REMEMBERED)(self._words_in)
        self._of_cut = lru_cache(maxsize=REMEMBERED)(self._of_words)
        self._of_sides = lru_cache(maxsize=REMEMBERED)(self._of_both)

    @classmethod
    def of(
        cls,
        topic: Topic,
        *,
        w: int,
        cvalue: bool,
        background: bool,
        terms_per_level: int,
        least_cvalue: float,
    ) -> "LinkLevels":
        """The levels of a topic; the words that it is described with stand for examples that it has not."""
        documents = Documents.of(topic)
        recogniser = Recogniser(documents, least=least_cvalue)
        levels = [
            level_terms(name, texts, recogniser, terms_per_level) if texts else LevelTerms(name, {})
            for name, texts in level_texts(topic, background=background)
        ]
        if not levels[0].terms:
            levels[0] = LevelTerms(levels[0].name, _described(topic, documents))
        branch = max(1, len(topic.branch))
        return cls(Levels(levels, documents, branch=branch, cvalue=cvalue, least_cvalue=least_cvalue), w=w)

    @property
    def none(self) -> int:
        """The level of what belongs nowhere, n + 1."""
        return self._levels.branch + 1

    def of_anchor(self, anchor: str) -> int:
        """The level of the words of a link (GT eq. 3.2, 3.5)."""
        return self._of_cut(anchor[:LONGEST_ANCHOR])

    def of_context(self, link: Link) -> int:
        """The level of the w words on each side of a link (GT eq. 3.3, 3.6)."""
        context, anchor, start = link.context, link.anchor, place_in_context(link)
        if start < 0 or not anchor:  # then whole words in the middle
            start, anchor = context.find(" ", len(context) // 2), ""
        if start < 0:
            start = len(context)
        left = context[:start].rsplit(None, self._w)
        right = context[start + len(anchor) :].split(None, self._w)
        return self._of_sides(
            " ".join(left[1:] if len(left) > self._w else left),
            " ".join(right[: self._w]),
        )

    def of_visit(self, visit: Visit) -> int:
        """The level of a page (GT eq. 3.4, 3.7): what the lexical levels judge says, if it was the judge."""
        verdict = visit.verdict
        if verdict is not None and verdict.judge.startswith((JUDGE, SCREEN)):
            return self._names.index(verdict.label) + 1 if verdict.label in self._names else self.none
        return self._of_page(visit.page) if visit.page is not None else self.none

    def outcome(self, visit: Visit) -> float:
        """What a visit was worth, as a level; that of another judge's relevance r is 1 + n * (1 - r)."""
        verdict = visit.verdict
        if verdict is None or verdict.judge.startswith((JUDGE, SCREEN)):
            return float(self.of_visit(visit))
        return 1 + self._levels.branch * (1 - verdict.score)

    def _of_page(self, page: Page) -> int:
        place = self._levels.place(self._levels.compare(page).scores, self._boundaries)
        return place + 1 if 0 <= place < self._levels.branch else self.none

    def _of_words(self, text: str) -> int:
        words = " ".join(self._levels.documents.tokeniser.tokens(text))
        return self._largest(self._levels.profiles.content(words, weighted=self._levels.cvalue))

    def _of_both(self, left: str, right: str) -> int:
        return self._largest(list(map(max, self._side(left), self._side(right))))

    def _side(self, text: str) -> list[float]:
        words = [word for piece in pieces(text) for word in self._words_of(piece)]
        return self._levels.profiles.context_of(words, weighted=self._levels.cvalue)

    def _words_in(self, piece: bytes) -> list[tuple[str, int]]:
        words = self._levels.documents.tokeniser.words_of(piece)
        return [(singular(word), self._levels.profiles.number(word)) for word in words]

    def _largest(self, scores: Sequence[float]) -> int:
        best = max(scores)
        if not best:
            return self.none
        return min(scores.index(best), self._levels.branch) + 1


def _described(topic: Topic, documents: Documents) -> dict[str, float]:
    """The topic's name, its keywords and the words and phrases of its vocabulary as terms."""
    texts = [topic.name, *topic.keywords]
    texts += [term.text for term in plain(topic.vocabulary, documents.tokeniser)]
    told = (" ".join(documents.tokeniser.tokens(text)) for text in texts)
    return dict.fromkeys(filter(None, told), 1.0)
