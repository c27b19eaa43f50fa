"""The score of a link as a mixture: so much of the page it stands on, the rest of what its own words say."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Visit

Floats = NDArray[np.float64]


class PageAndLink:
    """score = f * page + (1 - f) * link (GD 6.6), both from 0 to 1; the page alone where the link is unknown.

    The memo of a candidate holds what its page scored, so that it can be scored anew.
    """

    def __init__(self, strategy: str, f: float, *, part: str = "anchor") -> None:
        if not 0 <= f <= 1:
            raise ConfigError(f"{strategy}'s f must lie between 0 and 1, not at {f}.")
        self.f = f
        self._part = part

    def candidates(self, visit: Visit, values: Floats | None) -> list[Candidate]:
        """A candidate for every link of a visited page, given what their words say."""
        if visit.page is None:
            return []
        page, depth = visit.verdict.score if visit.verdict else 0.0, visit.candidate.depth + 1
        links, memo = visit.page.links, {"page": page}
        if values is None:
            return [Candidate(link, page, depth, memo, memo) for link in links]
        of_page, part = self.f * page, self._part
        return [
            Candidate(link, of_page + value, depth, memo, {"page": of_page, part: value})
            for link, value in zip(links, ((1 - self.f) * values).tolist(), strict=True)
        ]

    def revised(self, candidates: Sequence[Candidate], values: Floats) -> list[float]:
        """Fresh scores by what the words of the links say by now; one of another's making keeps its score."""
        pages = np.array([one.memo["page"] if one.memo else np.nan for one in candidates])
        scores = self.f * pages + (1 - self.f) * values
        fresh: list[float] = np.where(np.isnan(pages), [one.score for one in candidates], scores).tolist()
        return fresh

    def explained(self, candidate: Candidate) -> Mapping[str, float] | None:
        """The parts of a score, whenever it was given."""
        if candidate.memo is None or candidate.score == candidate.memo["page"]:
            return None
        of_page = self.f * candidate.memo["page"]
        return {"page": of_page, self._part: candidate.score - of_page}
