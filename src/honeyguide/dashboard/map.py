"""The map: the hosts of a crawl and the links between them, or the pages around one page.

A crawl has tens of thousands of hosts; the map shows those with the most pages on topic and the strongest links
between them, and more of both when asked. Places are worked out here, once for the same picture.
"""

from typing import Annotated

import numpy as np
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from honeyguide.dashboard.columns import Columns, host_names
from honeyguide.dashboard.crawls import Crawl, CrawlAtHand, NotFound
from honeyguide.dashboard.host_graph import Drawn, Floats, HostLinks, Ints
from honeyguide.dashboard.layout import lay_out
from honeyguide.dashboard.legible import legible
from honeyguide.dashboard.page_graph import Neighbourhood, neighbourhood
from honeyguide.dashboard.rendering import render
from honeyguide.store.folder import DATABASE
from honeyguide.store.schema import connect

pages = APIRouter()
api = APIRouter(tags=["map"])

USUAL = 120
MOST = 600
LINKS_EACH = 4
"""The strongest links of a host that are drawn; those that others draw to it come on top."""

SMALLEST, LARGEST = 0.008, 0.05
"""Radii, where the picture is 2 wide."""


class Node(BaseModel):
    """A host or a page, and where it is drawn in [-1, 1] x [-1, 1]."""

    key: str = Field(description="The name of a host, or the number of a visit.")
    label: str
    pages: int
    relevant: int
    failures: int
    share: float | None = Field(description="The share of pages on topic, or the relevance of a page.")
    x: float
    y: float
    r: float
    hops: int = Field(description="Steps from the page in the middle; 0 on a map of hosts.")


class Graph(BaseModel):
    """Nodes, and links between them: the numbers of two nodes and how many links there are."""

    nodes: list[Node]
    links: list[tuple[int, int, int]]
    of: int = Field(description="How many nodes there are in all.")
    ready: bool = Field(description="Whether all links of the crawl are read; if not, ask again.")
    read: int
    total: int


@api.get("/crawls/{crawl}/map/hosts")
def map_of_hosts(
    crawl: Crawl, count: Annotated[int, Query(ge=1, le=MOST, description="How many hosts.")] = USUAL
) -> Graph:
    """The hosts with the most pages on topic, and the strongest links between them."""
    return host_map(crawl, count)


@api.get("/crawls/{crawl}/map/pages/{visit}")
def map_of_pages(
    crawl: Crawl,
    visit: Annotated[int, Path(ge=1, le=(1 << 31) - 1)],
    hops: Annotated[int, Query(ge=1, le=2)] = 1,
) -> Graph:
    """The visited pages one or two links away from a page, in both directions."""
    return page_map(crawl, visit, hops)


@pages.get("/crawls/{crawl}/map")
def map_screen(
    request: Request, crawl: Crawl, around: Annotated[int | None, Query(ge=1, le=(1 << 31) - 1)] = None
) -> HTMLResponse:
    """The map; what it shows is fetched by its script."""
    title = ""
    if around is not None:
        connection = connect(crawl.folder / DATABASE, readonly=True)
        try:
            found = connection.execute(
                "SELECT v.title, u.url FROM visits v JOIN urls u ON u.id = v.url WHERE v.id = ?", (around,)
            ).fetchone()
        finally:
            connection.close()
        if found is None:
            raise NotFound("There is no such visit in this crawl.")
        title = legible(found[0] or found[1], 120)
    return render(request, "map.html", crawl=crawl, around=around, title=title, most=MOST, usual=USUAL)


def host_map(crawl: CrawlAtHand, count: int) -> Graph:
    """The best hosts of a crawl, drawn."""
    columns = crawl.columns()
    links = crawl.shelf.links(crawl.folder)
    graph = crawl.shelf.host_graph(crawl.folder)
    between = graph.at_hand(columns, links)
    best = columns.best_hosts(count)
    drawn = graph.picture(
        (columns.read, between.links, count),
        lambda: _drawn_hosts(np.array([host.host for host in best], np.int64), between, columns),
    )
    connection = connect(crawl.folder / DATABASE, readonly=True)
    try:
        names = host_names(connection, (host.host for host in best))
    finally:
        connection.close()
    places, radii, edges = drawn
    return Graph(
        nodes=[
            Node(
                key=names.get(host.host, ""),
                label=legible(names.get(host.host, ""), 80),
                pages=host.pages,
                relevant=host.relevant,
                failures=host.failures,
                share=host.relevant / host.pages if host.pages else None,
                x=round(float(places[number, 0]), 4),
                y=round(float(places[number, 1]), 4),
                r=round(float(radii[number]), 4),
                hops=0,
            )
            for number, host in enumerate(best)
        ],
        links=edges,
        of=int(np.count_nonzero(columns.host_sums[:, 0] + columns.host_sums[:, 2])) if columns.read else 0,
        ready=columns.complete and links.complete and not graph.working,
        read=columns.read + links.read,
        total=columns.total + links.total,
    )


def page_map(crawl: CrawlAtHand, visit: int, hops: int) -> Graph:
    """The pages around a page, drawn."""
    columns = crawl.columns()
    links = crawl.shelf.links(crawl.folder)
    connection = connect(crawl.folder / DATABASE, readonly=True)
    try:
        found = neighbourhood(connection, links, visit, hops)
    finally:
        connection.close()
    if found is None:
        raise NotFound("There is no such visit in this crawl.")
    places, radii = _drawn_pages(found)
    return Graph(
        nodes=[
            Node(
                key=str(page.visit),
                label=legible(page.title or page.url, 80),
                pages=1,
                relevant=int(page.relevant),
                failures=0,
                share=page.relevance,
                x=round(float(places[number, 0]), 4),
                y=round(float(places[number, 1]), 4),
                r=round(float(radii[number]), 4),
                hops=page.hops,
            )
            for number, page in enumerate(found.pages)
        ],
        links=found.links,
        of=found.of,
        ready=columns.complete and links.complete,
        read=columns.read + links.read,
        total=columns.total + links.total,
    )


def _drawn_hosts(hosts: Ints, between: HostLinks, columns: Columns) -> Drawn:
    """Places and radii of hosts, and the strongest links between them."""
    pages = columns.host_sums[hosts, 0] if len(hosts) else np.zeros(0, np.int64)
    radii = SMALLEST + (LARGEST - SMALLEST) * np.sqrt(pages / max(1, int(pages.max(initial=0))))
    number_of = np.full(max(int(hosts.max(initial=-1)), _largest(between)) + 1, -1, np.int64)
    number_of[hosts] = np.arange(len(hosts))
    sources, targets = number_of[between.sources], number_of[between.targets]
    inside = (sources >= 0) & (targets >= 0)
    sources, targets, counts = sources[inside], targets[inside], between.counts[inside]
    kept = _strongest(sources, counts) | _strongest(targets, counts)
    sources, targets, counts = sources[kept], targets[kept], counts[kept]
    places = lay_out(len(hosts), sources, targets, counts.astype(np.float64), radii)
    edges = list(zip(sources.tolist(), targets.tolist(), counts.tolist(), strict=True))
    return places, radii, edges


def _largest(between: HostLinks) -> int:
    return int(max(between.sources.max(initial=-1), between.targets.max(initial=-1)))


def _strongest(ends: Ints, counts: Ints) -> NDArray[np.bool_]:
    """Which links are among the strongest of their end."""
    order = np.lexsort((-counts, ends))
    sorted_ends = ends[order]
    rank = np.arange(len(ends)) - sorted_ends.searchsorted(sorted_ends)
    kept = np.zeros(len(ends), np.bool_)
    kept[order] = rank < LINKS_EACH
    return kept


def _drawn_pages(found: Neighbourhood) -> tuple[Floats, Floats]:
    count = len(found.pages)
    radii = np.full(count, 0.022)
    radii[:1] = 0.04
    ends = np.array([link[:2] for link in found.links], np.int64).reshape(-1, 2)
    return lay_out(count, ends[:, 0], ends[:, 1], np.ones(len(ends)), radii), radii
