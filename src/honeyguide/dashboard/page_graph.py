"""The visited pages around one page: those it links to and those that link to it, one or two steps away."""

import json
import sqlite3
from dataclasses import dataclass

from honeyguide.dashboard.links import LinkReader

MOST_PAGES = 120
MOST_LINKS_IN = 2000
MOST_LINKS = 1000

PAGES = """
SELECT u.id, u.hash, u.url, v.id, v.title, v.relevance, v.relevant
FROM urls u JOIN visits v ON v.id = (SELECT MAX(w.id) FROM visits w WHERE w.url = u.id AND w.unchanged = 0)
WHERE u.id IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class PageNear:
    """A visited page and its distance from the middle."""

    visit: int
    url: str
    title: str
    relevance: float | None
    relevant: bool
    hops: int


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Pages, the one in the middle first, and links between them by their numbers; `of` is how many were met."""

    pages: list[PageNear]
    links: list[tuple[int, int, int]]
    of: int


def neighbourhood(
    connection: sqlite3.Connection, links: LinkReader, visit: int, hops: int
) -> Neighbourhood | None:
    """The pages around a visit; None if there is no such visit."""
    row = connection.execute(
        "SELECT v.url, u.hash, u.url, v.id, v.title, v.relevance, v.relevant "
        "FROM visits v JOIN urls u ON u.id = v.url WHERE v.id = ?",
        (visit,),
    ).fetchone()
    if row is None:
        return None
    near: dict[int, tuple[int, PageNear]] = {row[1]: (row[0], _page(row, 0))}
    met = 1
    edge = [row[1]]
    for step in range(1, hops + 1):
        found = _around(connection, links, edge, near)
        met += len(found)
        # The best first: a map of the parts that matter.
        found.sort(key=lambda other: (-(other[5] or 0.0), other[3]))
        room = MOST_PAGES * step // hops - len(near)
        chosen = found[: max(0, room)]
        near |= {other[1]: (other[0], _page(other, step)) for other in chosen}
        edge = [other[1] for other in chosen]
    return Neighbourhood([page for _, page in near.values()], _between(links, near), met)


def _page(row: tuple[int, int, str, int, str, float | None, int], hops: int) -> PageNear:
    _, _, url, visit, title, relevance, relevant = row
    return PageNear(visit, url, title, relevance, bool(relevant), hops)


def _around(
    connection: sqlite3.Connection,
    links: LinkReader,
    hashes: list[int],
    near: dict[int, tuple[int, PageNear]],
) -> list[tuple[int, int, str, int, str, float | None, int]]:
    """The visited pages that these link to or are linked from, without those that are known."""
    targets: set[int] = set()
    for known in hashes:
        targets.update(links.out_of(near[known][1].visit)[1].tolist())
    _, visits, _ = links.into(hashes, most=MOST_LINKS_IN)
    sources = connection.execute(
        "SELECT DISTINCT url FROM visits WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(set(visits.tolist()))),),
    )
    numbers = set(links.url_numbers(targets).values()) | {number for (number,) in sources}
    rows = connection.execute(PAGES, (json.dumps(sorted(numbers)),))
    return [row for row in rows if row[1] not in near]


def _between(links: LinkReader, near: dict[int, tuple[int, PageNear]]) -> list[tuple[int, int, int]]:
    """The links among these pages, by their order."""
    number_of = {known: number for number, known in enumerate(near)}
    found: dict[tuple[int, int], int] = {}
    for known, (_, page) in near.items():
        for target in links.out_of(page.visit)[1].tolist():
            if target in number_of and target != known:
                pair = (number_of[known], number_of[target])
                found[pair] = found.get(pair, 0) + 1
    return [(source, target, times) for (source, target), times in found.items()][:MOST_LINKS]
