"""A short breadth-first crawl from which a strategy learns, and what waits until it has."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Visit
from honeyguide.strategies.collected import Collected

LONGEST = 2000
"""Pages that a warm-up may take."""


class Found(NamedTuple):
    """A link found during the warm-up."""

    url: str
    anchor: str


def check_warm_up(strategy: str, pages: int, *, least: int) -> None:
    """Refuse a warm-up that is too short or too long."""
    if not least <= pages <= LONGEST:
        raise ConfigError(f"{strategy}'s warm_up must lie between {least} and {LONGEST}, not at {pages}.")


class WarmUp:
    """Goes breadth-first for so many pages, collects them, and remembers which links were found on them.

    When nothing that was known before and nothing met on the way is relevant, the page that was judged best
    stands for it, so that there is always something to learn from in the end.
    """

    def __init__(self, collected: Collected, *, pages: int) -> None:
        self.collected = collected
        self.parents: dict[int, int] = {}
        self.relevance: dict[int, float] = {}
        self._pages = pages
        self._seen = 0
        self._found: dict[int, list[Found]] = {}

    @property
    def is_over(self) -> bool:
        """Whether enough pages were seen."""
        return self._seen >= self._pages

    def expand(self, visit: Visit) -> list[Candidate]:
        """Where a visit leads, the nearest to the seeds first; the memo says from which row."""
        row = self.collected.see(visit)
        if row is None or visit.page is None:
            return []
        self._seen += 1
        if visit.candidate.memo and "row" in visit.candidate.memo:
            self.parents.setdefault(row, visit.candidate.memo["row"])
        self.relevance.setdefault(row, visit.verdict.score if visit.verdict else 0.0)
        self._found.setdefault(row, [Found(link.url, link.anchor) for link in visit.page.links])
        depth = visit.candidate.depth + 1
        score, memo = -float(depth), {"row": row}
        parts = {"depth": score}
        return [Candidate(link, score, depth, memo, parts) for link in visit.page.links]

    def end(self) -> Collected:
        """What was collected, with something relevant in it."""
        if not self.collected.has_goals:
            self.collected.take_for_goal(max(self.relevance, key=lambda row: self.relevance[row]))
        return self.collected

    def waiting(self) -> Iterator[tuple[int, list[Found]]]:
        """The links to pages that were not seen, by the row of the page they were found on."""
        urls = dict.fromkeys(found.url for several in self._found.values() for found in several)
        wait = frozenset(self.collected.unvisited(urls))
        for row, several in self._found.items():
            yield row, [found for found in several if found.url in wait]

    def state(self) -> Mapping[str, Any]:
        """All that it collected."""
        return {
            "collected": self.collected.state(),
            "parents": [list(pair) for pair in self.parents.items()],
            "relevance": [list(pair) for pair in self.relevance.items()],
            "seen": self._seen,
            "found": [[row, [list(found) for found in several]] for row, several in self._found.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self.collected.restore(state["collected"])
        self.parents = dict(state["parents"])
        self.relevance = dict(state["relevance"])
        self._seen = state["seen"]
        self._found = {row: [Found(*found) for found in several] for row, several in state["found"]}
