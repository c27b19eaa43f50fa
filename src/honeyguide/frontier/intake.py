"""What comes in: new URLs are queued, waiting ones combined with what was found, and the others forgotten."""

import math
from collections.abc import Callable, Sequence

from honeyguide.frontier.ledger import Ledger
from honeyguide.frontier.rows import SOURCE, UNDER_WAY, WAITING, Rows
from honeyguide.frontier.shelf import Shelf
from honeyguide.model import Candidate
from honeyguide.roles import Strategy
from honeyguide.urls import url_hash

Combine = Callable[[Candidate, Candidate], Candidate]


class Intake:
    """Takes in candidates a batch at a time; without `combine` the better score stands. `refused` is told of those
    that are forgotten.
    """

    def __init__(
        self,
        ledger: Ledger,
        shelf: Shelf,
        rows: Rows,
        *,
        combine: Combine | None,
        refused: Callable[[str], None],
    ) -> None:
        self._ledger = ledger
        self._refused = refused
        self._shelf = shelf
        self._rows = rows
        # The default rule needs nothing but scores, which are in memory: no row has to be read for it.
        is_default = getattr(combine, "__func__", None) is Strategy.combine
        self._combine = None if is_default else combine

    def take_in(self, batch: Sequence[Candidate]) -> int:
        """Queue what is new, and see to what waits; returns the number new."""
        batch = [one if type(one.score) is float and one.score == one.score else _sane(one) for one in batch]
        sources = self._ledger.source_rows(batch)
        hashes = [url_hash(one.link.url) for one in batch]
        states = self._rows.states
        fresh: dict[int, Candidate] = {}
        again: list[tuple[int, Candidate]] = []
        new = 0
        for candidate, key, row in zip(batch, hashes, self._ledger.find_all(hashes), strict=True):
            if not row:
                fresh[key] = self._choose(fresh[key], candidate) if key in fresh else candidate
            elif states[row] == WAITING:
                again.append((row, candidate))
            elif states[row] == SOURCE:
                self._ledger.queue_source(row, candidate, sources[candidate.link.source])
                new += 1
            elif states[row] != UNDER_WAY:
                self._refused(candidate.link.url)
        if again:
            self._take_again(again)
        if fresh:
            self._ledger.queue(fresh, sources)
        return new + len(fresh)

    def _take_again(self, again: Sequence[tuple[int, Candidate]]) -> None:
        """Combine what waits with what was found, and write down what has changed."""
        changed: dict[int, Candidate] = {}
        if self._combine is None:
            scores = self._rows.scores
            for row, found in again:
                if found.score > (changed[row].score if row in changed else scores[row]):
                    changed[row] = found
        else:
            rows = list(dict.fromkeys(row for row, _ in again))
            standing = dict(zip(rows, self._shelf.read(rows), strict=True))
            for row, found in again:
                chosen = self._choose(standing[row], found)
                if chosen != standing[row]:
                    standing[row] = changed[row] = chosen
        if changed:
            self._ledger.rewrite(changed)

    def _choose(self, waiting: Candidate, found: Candidate) -> Candidate:
        if self._combine is not None:
            return _sane(self._combine(waiting, found))
        return found if found.score > waiting.score else waiting


def as_score(score: float) -> float:
    """A score as a plain float; what is not a number comes last."""
    number = float(score)
    return -math.inf if math.isnan(number) else number


def _sane(candidate: Candidate) -> Candidate:
    return candidate._replace(score=as_score(candidate.score))
