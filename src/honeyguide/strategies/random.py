"""The order of chance: the baseline that every other strategy should beat."""

from collections.abc import Iterable

from xxhash import xxh3_64_intdigest

from honeyguide.model import Candidate, Visit
from honeyguide.roles import Strategy


class Random(Strategy):
    """Scores every link by chance.

    The chance is a hash of seed and URL, so it keeps no state and a resumed crawl goes on as it would have.
    Every URL has one chance however often it is found.
    """

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        depth = visit.candidate.depth + 1
        candidates = []
        for link in visit.page.links:
            chance = self._chance(link.url)
            candidates.append(Candidate(link, chance, depth, None, {"chance": chance}))
        return candidates

    def _chance(self, url: str) -> float:
        """A number from 0 up to, but not, 1."""
        digest = xxh3_64_intdigest(url.encode("utf-8", "surrogatepass"), self.seed % (1 << 64))
        return (digest >> 11) / (1 << 53)
