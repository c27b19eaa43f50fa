"""Which pages to show to a person: where a label teaches most, pages unlike each other, or a random sample.

Everything is worked out of the columns, so that it takes milliseconds at a million visits.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.dashboard.visit_columns import Columns
from honeyguide.model import Page
from honeyguide.store.pages import CHOICE, NOT_JUDGED
from honeyguide.text.bags import Bags
from honeyguide.text.documents import Documents

Rows = NDArray[np.intp]
WIDTH = 4096
"""Places that the words of pages are counted in; two words may share one."""


def may_be_shown(columns: Columns) -> NDArray[np.bool_]:
    """The newest good visits whose pages were kept and are no copies of others."""
    shown: NDArray[np.bool_] = columns.standing & columns.kept & ~columns.duplicate & (columns.error == 0)
    return shown


def unseen(columns: Columns, urls: Collection[int], visits: Collection[int] = ()) -> NDArray[np.bool_]:
    """Those that may be shown, without the pages of these URLs and without these visits."""
    wanted = may_be_shown(columns)
    if urls:
        wanted &= ~np.isin(columns.url, np.fromiter(urls, np.int64, len(urls)))
    if visits:
        wanted &= ~np.isin(columns.visit, np.fromiter(visits, np.int64, len(visits)))
    return wanted


def borderline(
    columns: Columns, wanted: NDArray[np.bool_], n: int, margins: Mapping[int, float] | None = None
) -> list[int]:
    """The visits that the judge was least sure of, from as many hosts as there are; `margins` are newer ones."""
    unjudged = [code for code, name in enumerate(columns.names["label"]) if name in NOT_JUDGED]
    judged = wanted & ~np.isnan(columns.margin) & ~np.isin(columns.label, unjudged)
    rows = np.flatnonzero(judged)
    unsure = np.abs(columns.margin[rows])
    if margins:
        visits = np.fromiter(margins, np.int64, len(margins))
        known = np.isin(columns.visit[rows], visits)
        unsure[known] = [abs(margins[visit]) for visit in columns.visit[rows[known]].tolist()]
    return spread(columns, _least(rows, unsure, CHOICE * n), n)


def at_random(columns: Columns, wanted: NDArray[np.bool_], n: int, *, seed: int = 0) -> list[int]:
    """Visits at random and in random order; the same seed and the same visits give the same."""
    rows = np.flatnonzero(wanted)
    chosen = np.random.default_rng(seed).permutation(rows)[:n]
    return [int(visit) for visit in columns.visit[chosen]]


def spread(columns: Columns, rows: Rows, n: int) -> list[int]:
    """The visits of the first n rows, taken from each host in turn."""
    turns: Counter[int] = Counter()
    queue = []
    for place, (row, host) in enumerate(zip(rows.tolist(), columns.host[rows].tolist(), strict=True)):
        turns[host] += 1
        queue.append((turns[host], place, row))
    return [int(columns.visit[row]) for _, _, row in sorted(queue)[:n]]


def by_turns(columns: Columns, wanted: NDArray[np.bool_], n: int, *, seed: int = 0) -> list[int]:
    """Visits at random, from as many hosts as there are."""
    rows = np.flatnonzero(wanted)
    some = np.random.default_rng(seed).permutation(rows)[: CHOICE * CHOICE * n]
    return spread(columns, some, n)


def unlike(pages: Sequence[Page], seen: Sequence[Page], documents: Documents) -> list[int]:
    """The order of pages in which each is as unlike those before it, and those seen already, as can be.

    The farthest first (Gonzalez 1985), by the cosine of their words.
    """
    if not pages:
        return []
    bags = Bags()
    rows = [bags.add(page, documents) for page in (*pages, *seen)]
    vectors = _vectors(bags, rows, documents)
    new, old = vectors[: len(pages)], vectors[len(pages) :]
    nearest = (new @ old.T).max(axis=1) if len(old) else new @ new.mean(axis=0)
    order: list[int] = []
    for _ in pages:
        place = int(nearest.argmin())
        order.append(place)
        nearest = np.maximum(nearest, new @ new[place])
        nearest[order] = np.inf
    return order


def _vectors(bags: Bags, rows: list[int], documents: Documents) -> NDArray[np.float32]:
    counts = bags.chosen(rows).unit(documents.background)
    vectors = np.zeros((counts.texts, WIDTH), np.float32)
    np.add.at(vectors, (counts.rows, counts.columns % WIDTH), counts.counts)
    return vectors


def _least(rows: Rows, values: NDArray[np.float32], n: int) -> Rows:
    """The n rows of the least values, in their order."""
    if len(rows) > n:
        few = np.argpartition(values, n)[:n]
        rows, values = rows[few], values[few]
    return rows[np.lexsort((rows, values))]
