"""Apprentice (Chakrabarti et al. 2002; GT 2.7.2.3): learns during the crawl which links lead to good pages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Example, Link, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.outcomes import Outcome, Outcomes
from honeyguide.strategies.page_and_link import Floats, PageAndLink
from honeyguide.strategies.surroundings import surroundings
from honeyguide.text.documents import Documents
from honeyguide.text.snippets import NUMBERS, SnippetReader
from honeyguide.text.soft_bayes import Places, SoftBayes

LEAD = 30
"""Words of an example that stand for the words of a link."""

ZONE = 7919
"""Moves the number of a stem to another one for each zone around the link."""


class Apprentice(Strategy):
    """Scores a link by its page and by what links with such words in and around them have led to.

    score = f * rel(p) + (1 - f) * P(good | words). P is that of naive Bayes over the stems of a link and of
    `window` words on each side; with `zones` a stem in the link, within 2, within 5 and farther away is four
    different ones. It is taught after every visit by the link that was followed, and by every link found
    later to a page visited before: the relevance of the page behind it, as the judge says, is how far it
    counts as good. Where a link has more than `independent` words their sum is scaled down to that many.

    With `told` it starts from titles and first words of the topic's examples and background, as if these had
    been links to good and bad pages. Chakrabarti starts from nothing, after a crawl without apprentice; an
    earlier crawl does that here. His offsets count leaves of the page's tree, these count words; his link
    score contains that of the page's words, here `f` says how much the page as a whole counts.
    """

    needs = ("examples", "background")

    def __init__(
        self,
        *,
        f: float = 0.3,
        window: int = 10,
        smoothing: float = 1.0,
        independent: float = 8.0,
        zones: bool = False,
        told: bool = True,
    ) -> None:
        self._mixture = PageAndLink("Apprentice", f, part="words")
        if not 0 <= window <= 100:
            raise ConfigError(f"Apprentice's window must lie between 0 and 100 words, not at {window}.")
        if not 0 < smoothing <= 1e6:
            raise ConfigError(f"Apprentice's smoothing must lie above 0, not at {smoothing}.")
        if not 0 < independent <= 1e6:
            raise ConfigError(f"Apprentice's independent must lie above 0, not at {independent}.")
        self.f = f
        self.window = window
        self.smoothing = smoothing
        self.independent = independent
        self.zones = zones
        self.told = told
        self._bayes = SoftBayes(smoothing=smoothing)
        self._outcomes = Outcomes()
        self._reader: SnippetReader | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Start from the topic's texts and an earlier crawl, as far as there are any."""
        self._reader = SnippetReader(Documents.of(topic))
        if self.told:
            named = Example(" ".join((topic.name, *topic.keywords)))
            self._read(topic.examples or (named,), 1.0)
            self._read((*topic.off_topic, *topic.background), 0.0)
        for outcomes in self._outcomes.of_log(log) if log is not None else ():
            self._learn(outcomes)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        self._learn(self._outcomes.of(visit))
        return self._mixture.candidates(visit, self._expected(visit.page.links))

    def revise(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        values = self._expected([candidate.link for candidate in candidates])
        return None if values is None else self._mixture.revised(candidates, values)

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        return self._mixture.explained(candidate)

    def state(self) -> Mapping[str, Any]:
        return {"bayes": self._bayes.state(), "outcomes": self._outcomes.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._bayes.restore(state["bayes"])
        self._outcomes.restore(state["outcomes"])

    def _read(self, texts: Sequence[Example], goodness: float) -> None:
        """Take the beginnings of texts for the words of links."""
        links = [Link("", anchor=" ".join((text.title, *text.text.split()[:LEAD]))) for text in texts]
        self._learn([Outcome(link, goodness, 0.0) for link in links])

    def _learn(self, outcomes: list[Outcome]) -> None:
        told = [outcome for outcome in outcomes if outcome.link.anchor or outcome.link.context]
        if told:
            rows, features = self._features([outcome.link for outcome in told])
            self._bayes.learn(rows, features, np.array([outcome.score for outcome in told]))

    def _expected(self, links: Sequence[Link]) -> Floats | None:
        """How probable it is that each link leads to a good page; None as long as nothing is known."""
        if not self._bayes.is_taught or not links:
            return None
        rows, features = self._features(links)
        odds = self._bayes.odds(rows, features, len(links), self.independent)
        odds += np.log(self._bayes.usual / (1 - self._bayes.usual))
        return np.asarray((1 + np.tanh(odds / 2)) / 2)

    def _features(self, links: Sequence[Link]) -> tuple[Places, Places]:
        """The words in and near each link by their numbers, with the zone that they stand in."""
        if self._reader is None:
            raise ConfigError("Apprentice does not know the topic yet; fit it first.")
        around = surroundings(links, self._reader)
        near = around.away <= self.window
        rows, stems = around.rows[near].astype(np.int64), around.stems[near].astype(np.int64)
        if not self.zones:
            return rows, stems
        zone = np.searchsorted((0, 2, 5), around.away[near])
        return rows, (stems + ZONE * zone) % NUMBERS
