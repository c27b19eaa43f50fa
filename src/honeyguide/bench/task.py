"""What one crawl of an experiment is told, and what it is scored on; and how examples and seeds are drawn."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from honeyguide.bench.corpus import Corpus
from honeyguide.model import Example, Topic

CURVE, RECALL = "curve", "recall"
"""The kinds of figures that a crawl may be scored by."""


@dataclass(frozen=True, slots=True)
class Task:
    """One crawl to be made by every strategy: the crawl sees `topic` and `within`, the bench all the rest.

    `relevant` are all pages that are on topic by their labels, `targets` those that are scored: not the ones
    the crawl was told of, which are `excluded`. A budget of 0 means until nothing is left. `figure` says what
    sums a crawl up: CURVE, what it found when, or RECALL, precision at levels of recall. `levels` say how far
    from the topic a page is in its directory, 1 being the topic itself. `settings` are what the protocol chose,
    as plain values, written with every result.
    """

    name: str
    setting: str
    topic: Topic
    targets: frozenset[str]
    relevant: frozenset[str]
    excluded: frozenset[str] = frozenset()
    budget: int = 1000
    figure: str = CURVE
    within: frozenset[str] | None = None
    group: str = ""
    levels: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


def drawn(urls: Iterable[str], *, before: str = "", after: str = "") -> list[str]:
    """URLs in an order that nobody chose: by the sha256 of the URL between two texts."""

    def digest(url: str) -> str:
        return hashlib.sha256(f"{before}{url}{after}".encode()).hexdigest()

    return sorted(set(urls), key=lambda url: (digest(url), url))


def keys_of(corpus: Corpus, urls: Iterable[str]) -> list[str]:
    """The corpus's pages that URLs as spelt stand for, each once; what is not a page there is left out."""
    return list(dict.fromkeys(key for url in urls if (key := corpus.canonical(url)) in corpus.pages))


def examples_of(corpus: Corpus, keys: Iterable[str]) -> tuple[Example, ...]:
    """Pages as a crawl is told of them."""
    pages = corpus.pages
    return tuple(Example(pages[key].text, pages[key].title, key) for key in keys)


def links_inside(corpus: Corpus, keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Where each page leads within a set of pages."""
    allowed = frozenset(keys)
    return {
        key: tuple(target for target in corpus.inside(key) if target in allowed) for key in sorted(allowed)
    }


def reachable(links: Mapping[str, Sequence[str]], start: Iterable[str]) -> set[str]:
    """The pages that links lead to from some pages, those pages included."""
    found = set(start)
    waiting = list(found)
    while waiting:
        for target in links.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def reversed_links(links: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Which pages lead to each."""
    backlinks: dict[str, list[str]] = {}
    for source, targets in links.items():
        for target in targets:
            backlinks.setdefault(target, []).append(source)
    return backlinks


def with_aliases(corpus: Corpus, keys: Collection[str]) -> frozenset[str]:
    """Pages together with every URL that redirects to one of them."""
    pages = frozenset(keys)
    return pages | {alias for alias in corpus.redirects if corpus.web.final(alias) in pages}
