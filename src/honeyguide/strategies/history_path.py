"""History path, or tunnelling (Bergmark 2002; GD 6.5, 9.2.3): how far a page is from the last relevant one."""

import math
from collections.abc import Iterable
from typing import Literal

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy

InLinks = Literal["nearest", "sum"]


class HistoryPath(Strategy):
    """Scores a link by 1 - d, where d is the distance of its page from a relevant one (GD eq. 6.1).

    d = 0 on a relevant page, else min(1, (1 - c) * exp(2 * d_p / C)): c is the page's relevance, d_p the
    distance of the page that led to it, C the cut-off. A page is relevant when its margin is above
    `threshold`; GD tried 0.4 (best), 0.6 and 0.8 on the margins of an SVM; without one the judge decides.
    `inlinks`: of several pages that link to a target the nearest counts, or their scores add up (GD's HP4).
    `add_score`: a relevant page adds its relevance to the fixed 1 of its links (HP6).
    """

    def __init__(
        self,
        *,
        threshold: float | None = None,
        cutoff: float = 20.0,
        inlinks: InLinks = "nearest",
        add_score: bool = False,
    ) -> None:
        if cutoff <= 0:
            raise ConfigError(f"History path's cutoff must be above 0, not {cutoff}.")
        if inlinks not in ("nearest", "sum"):
            raise ConfigError(f"History path takes the nearest in-link or the sum of all, not {inlinks!r}.")
        self.threshold = threshold
        self.cutoff = cutoff
        self.inlinks = inlinks
        self.add_score = add_score

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        relevance = visit.verdict.score if visit.verdict else 0.0
        before = float(visit.candidate.memo["distance"]) if visit.candidate.memo else 0.0
        away = min(1.0, (1 - relevance) * math.exp(2 * before / self.cutoff))
        distance = 0.0 if self._is_relevant(visit) else away
        parts = {"nearness": 1 - distance}
        if self.add_score and distance == 0:
            parts["page"] = relevance
        score, memo, depth = sum(parts.values()), {"distance": distance}, visit.candidate.depth + 1
        links = visit.page.links
        if self.inlinks == "sum":
            links = tuple(reversed({link.url: link for link in reversed(links)}.values()))
        return [Candidate(link, score, depth, memo, parts) for link in links]

    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        better = found if found.score > waiting.score else waiting
        if self.inlinks == "nearest":
            return better
        nearer = min(waiting, found, key=_distance)
        score = waiting.score + found.score
        return nearer._replace(score=score, parts={"nearness of all in-links": score})

    def _is_relevant(self, visit: Visit) -> bool:
        if self.threshold is None:
            return visit.relevant
        return visit.verdict is not None and visit.verdict.margin > self.threshold


def _distance(candidate: Candidate) -> float:
    return float(candidate.memo["distance"]) if candidate.memo else 0.0
