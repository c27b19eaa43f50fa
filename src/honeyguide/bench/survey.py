"""What a corpus is like: how much of it there is, how it hangs together, and what its labels say."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from honeyguide.bench.corpus import Corpus
from honeyguide.urls import host_of

STARTS = 100
"""Pages from which it is tried how much of the corpus can be reached."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label: its pages in the corpus, and those of them that some other page links to."""

    label: str
    group: str
    pages: int
    linked: int


@dataclass(frozen=True, slots=True)
class Survey:
    """The figures of a corpus.

    Links are counted once for each pair of pages, redirects followed; links of a page to itself do not
    count. `recorded` is what the archives hold before several spellings of one address become one.
    """

    pages: int
    redirects: int
    unreadable: int
    recorded: Mapping[str, int]
    hosts: int
    links_inside: int
    links_out: int
    unlinked: int
    reach_median: float
    reach_most: float
    labels: tuple[Labelled, ...]
    strays: int
    """Labels of URLs that are not in the archives."""
    digest: str


def survey(corpus: Corpus) -> Survey:
    """Count everything."""
    inside = {url: corpus.inside(url) for url in corpus.pages}
    linked = {target for targets in inside.values() for target in targets}
    reach = _reaches(inside) or [0.0]
    return Survey(
        pages=len(corpus.pages),
        redirects=len(corpus.redirects),
        unreadable=len(corpus.failures),
        recorded=dict(corpus.web.recorded),
        hosts=len({host_of(url) for url in corpus.pages}),
        links_inside=sum(map(len, inside.values())),
        links_out=sum(_leading_out(corpus, url) for url in corpus.pages),
        unlinked=len(inside) - len(linked),
        reach_median=median(reach),
        reach_most=max(reach),
        labels=tuple(_labelled(corpus, linked)),
        strays=sum(not corpus.canonical(row.url) for row in corpus.labels),
        digest=corpus.digest,
    )


def _leading_out(corpus: Corpus, url: str) -> int:
    return sum(not corpus.web.final(link.url) for link in corpus.pages[url].links)


def _labelled(corpus: Corpus, linked: set[str]) -> Iterable[Labelled]:
    pages: dict[tuple[str, str], set[str]] = {}
    for row in corpus.labels:
        if (key := corpus.canonical(row.url)) in corpus.pages:
            pages.setdefault((row.label, row.group), set()).add(key)
    by_size = sorted(pages.items(), key=lambda item: (-len(item[1]), item[0]))
    return (Labelled(label, group, len(keys), len(keys & linked)) for (label, group), keys in by_size)


def _reaches(inside: Mapping[str, tuple[str, ...]]) -> list[float]:
    """The shares of the corpus that can be reached from pages drawn blindly, but the same each time."""
    drawn = sorted(inside, key=lambda url: hashlib.sha256(url.encode("utf-8", "replace")).digest())[:STARTS]
    return [len(_reached(inside, start)) / len(inside) for start in drawn]


def _reached(inside: Mapping[str, tuple[str, ...]], start: str) -> set[str]:
    reached = {start}
    fresh = [start]
    while fresh:
        found = {target for url in fresh for target in inside[url]} - reached
        reached |= found
        fresh = list(found)
    return reached
