"""Fish-search (De Bra and Post 1994; BT 2.3, GT 2.7): schools of fish that breed where there is food."""

from collections.abc import Iterable, Mapping
from typing import Any

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy

ZONE = 1e9
"""Between the front of the list, its middle and its end."""


class FishSearch(Strategy):
    """Follows the links of relevant pages first, and lets lines of irrelevant pages die out.

    Relevance is boolean. A page has a depth left: `depth` again below a relevant page, one less than its own
    below any other; at 0 its links are dropped. The first `a` * `width` links of a relevant page go to the
    front of the list, the first `width` of another page behind those, all further links to the end. What
    comes to the front or the middle goes before what is there already, as in the original.
    """

    def __init__(self, *, depth: int = 3, width: int = 20, a: float = 1.5) -> None:
        if depth < 1 or width < 1 or a <= 0:
            raise ConfigError("Fish-search needs a depth and a width of at least 1, and an a above 0.")
        self.depth = depth
        self.width = width
        self.a = a
        self._visits = 0

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        self._visits += 1
        left = self.depth if visit.relevant else self._left(visit) - 1
        if left <= 0:
            return ()
        front, wide = (2 * ZONE, int(self.a * self.width)) if visit.relevant else (ZONE, self.width)
        near = {"zone": front, "visited as number": float(self._visits)}
        far = {"zone": 0.0, "visited as number": -float(self._visits)}
        memo, step = {"depth": left}, visit.candidate.depth + 1
        return [
            Candidate(link, sum(parts.values()), step, memo, parts)
            for place, link in enumerate(visit.page.links)
            for parts in (near if place < wide else far,)
        ]

    def state(self) -> Mapping[str, Any]:
        return {"visits": self._visits}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._visits = state["visits"]

    def _left(self, visit: Visit) -> int:
        """How deep the fish that came here may still go; a seed may go all the way."""
        memo = visit.candidate.memo
        return int(memo["depth"]) if memo else self.depth
