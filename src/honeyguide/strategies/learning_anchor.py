"""Learning anchor (GD 6.6, 9.2.4): learns from the anchors of links that led to clearly good or bad pages."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Link, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.outcomes import Outcome, Outcomes
from honeyguide.strategies.page_and_link import Floats, PageAndLink
from honeyguide.strategies.warm_up import check_warm_up
from honeyguide.text.documents import Documents
from honeyguide.text.plane import Plane
from honeyguide.text.snippets import LONGEST, SnippetReader
from honeyguide.urls import words_of

Training = Literal["online", "static"]

SHARPNESS = 2.0
"""Where the machine is sure, at a margin of 1, the score is 0.88."""


class Lesson(NamedTuple):
    """What a link says, and whether it led to a good page."""

    text: str
    is_good: bool


class LearningAnchor(Strategy):
    """Scores a link by its page and by the side on which a support vector machine sees its anchor.

    score = f * rel(p) + (1 - f) * anchor, anchor = 1 / (1 + exp(-2 * margin)). The machine is taught by the
    anchors of links to pages whose own margin was below -`threshold` or above it (GD tried 0.4, 0.8 and 1.0 on
    margins from about -1.5 to 1.5, and 1.0 was best of all; a judge that knows five examples is hardly ever
    that sure of a good page). "online": it is taught anew every `every` visits; "static": once, by an earlier
    crawl or after `warm_up` visits. `url_words`: the words of the address count with those of the anchor, which
    made it 5.6 % worse in GD. It keeps the last `lessons`. Until it has seen good and bad, the page alone counts.

    Where GD takes the anchors of all links to a page from a database, this takes the link that was followed
    and those found later; GD adds raw margins, here both parts lie between 0 and 1. A link without anchor gets
    what the machine says of a text without words, as in GD.
    """

    def __init__(
        self,
        *,
        f: float = 0.8,
        threshold: float = 0.4,
        training: Training = "online",
        every: int = 25,
        warm_up: int = 100,
        url_words: bool = False,
        lessons: int = 5000,
    ) -> None:
        self._mixture = PageAndLink("Learning anchor", f)
        if not 0 <= threshold <= 1e6:
            raise ConfigError(f"Learning anchor's threshold must not lie below 0, not at {threshold}.")
        if training not in get_args(Training):
            raise ConfigError(f"Learning anchor is trained online or static, not {training!r}.")
        if every < 1 or not 10 <= lessons <= 100_000:
            raise ConfigError("Learning anchor learns every 1 visit or more, from 10 to 100000 lessons.")
        check_warm_up("Learning anchor", warm_up, least=1)
        self.f = f
        self.threshold = threshold
        self.training = training
        self.every = every
        self.warm_up = warm_up
        self.url_words = url_words
        self.lessons = lessons
        self._lessons: deque[Lesson] = deque(maxlen=lessons)
        self._outcomes = Outcomes()
        self._visits = 0
        self._plane: Plane | None = None
        self._reader: SnippetReader | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Learn from an earlier crawl, if there is one; else everything is learned on the way."""
        self._reader = SnippetReader(Documents.of(topic))
        if log is not None:
            for outcomes in self._outcomes.of_log(log):
                self._note(outcomes)
            self._learn()
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        if self.training == "online" or self._plane is None:
            self._visits += 1
            self._note(self._outcomes.of(visit))
            if self._is_due:
                self._learn()
        return self._mixture.candidates(visit, self._expected(visit.page.links))

    def revise(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        values = self._expected([candidate.link for candidate in candidates])
        return None if values is None else self._mixture.revised(candidates, values)

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        return self._mixture.explained(candidate)

    def state(self) -> Mapping[str, Any]:
        return {
            "lessons": [list(lesson) for lesson in self._lessons],
            "outcomes": self._outcomes.state(),
            "visits": self._visits,
            "plane": self._plane.state() if self._plane is not None else None,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._lessons = deque((Lesson(*lesson) for lesson in state["lessons"]), self.lessons)
        self._outcomes.restore(state["outcomes"])
        self._visits = state["visits"]
        self._plane = Plane.restored(state["plane"]) if state["plane"] is not None else None

    @property
    def _is_due(self) -> bool:
        if self.training == "static":
            return self._visits >= self.warm_up
        return self._visits % self.every == 0

    def _note(self, outcomes: list[Outcome]) -> None:
        """Keep the anchors of links that led to something clearly good or bad."""
        clear = [outcome for outcome in outcomes if abs(outcome.margin) > self.threshold]
        lessons = (Lesson(self._text(outcome.link), outcome.margin > 0) for outcome in clear)
        self._lessons.extend(lesson for lesson in lessons if lesson.text.strip())

    def _learn(self) -> None:
        is_good = np.array([lesson.is_good for lesson in self._lessons], np.bool_)
        if is_good.all() or not is_good.any():
            return
        texts = self._reading.read([lesson.text for lesson in self._lessons])
        if len(texts.rows):
            self._plane = Plane.between(texts, is_good)

    def _expected(self, links: Sequence[Link]) -> Floats | None:
        """What the machine makes of the anchor of each link; None as long as it has learned nothing."""
        if self._plane is None:
            return None
        texts = self._reading.read([self._text(link) for link in links])
        return np.asarray(1 / (1 + np.exp(-SHARPNESS * self._plane.margins(texts, len(links)))))

    def _text(self, link: Link) -> str:
        text = f"{link.anchor} {words_of(link.url)}" if self.url_words else link.anchor
        return text[:LONGEST]

    @property
    def _reading(self) -> SnippetReader:
        if self._reader is None:
            raise ConfigError("Learning anchor does not know the topic yet; fit it first.")
        return self._reader
