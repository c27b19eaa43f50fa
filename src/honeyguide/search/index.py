"""The full-text index of a collection: kept up to date with its crawl, and searched."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import tantivy

from honeyguide.errors import ConfigError
from honeyguide.search.analysis import Analysers
from honeyguide.search.entry import Entry
from honeyguide.search.failures import reading_index
from honeyguide.search.feedback import READ, rocchio, vector
from honeyguide.search.fields import FACETS, read_entry, schema
from honeyguide.search.links import Standing
from honeyguide.search.matching import Matcher
from honeyguide.search.passages import passage, shown
from honeyguide.search.query import Node, conditions
from honeyguide.search.ranking import Ranked, Ranking, best
from honeyguide.search.results import Hit, Request, Results, as_time
from honeyguide.search.upkeep import Shelf, Source, find
from honeyguide.urls import canonical, url_hash

MOST_VALUES = 20
"""Values of a facet that are listed."""

COUNTING = {
    name: {"terms": {"field": name, "size": 10 * MOST_VALUES, "segment_size": 65_000}} for name in FACETS
}
"""More values than are listed, and many more of each segment, so that the counts are right and ties in order."""

LANGUAGES = {"language": {"terms": {"field": "language", "size": 200}}}


class View(NamedTuple):
    """The index as it was at some moment, whoever writes to it meanwhile."""

    searcher: tantivy.Searcher
    standing: Standing
    matcher: Matcher


class Index:
    """Finds pages; sees the index as it was when it was opened or last looked at.

    Any thread may search. A search sees one view from beginning to end, also if another thread looks again.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._schema = schema()
        self._analysers = Analysers()
        self.look()

    @classmethod
    def open(cls, folder: Path, *, log: logging.Logger | None = None) -> "Index":
        """The index in a folder; an empty one if there is none that can be used yet."""
        return cls(Shelf(folder, log or logging.getLogger("honeyguide")))

    def update(self, source: Source, *, stop: Callable[[], bool] = lambda: False) -> bool:
        """Index what a crawl has brought since last time; False if somebody else is at it, or it was stopped."""
        done = self._shelf.update(source, stop=stop)
        self.look()
        return done

    def look(self) -> None:
        """See what is in the folder by now, which another process may have put there."""
        index = self._shelf.open() or _empty()
        searcher = index.searcher()
        found = searcher.aggregate(tantivy.Query.all_query(), LANGUAGES)
        languages = tuple(sorted(bucket["key"] for bucket in found["language"]["buckets"]))
        matcher = Matcher(self._schema, self._analysers, languages)
        self._view = View(searcher, self._shelf.standing(), matcher)

    @property
    def visit(self) -> int:
        """The last visit of the crawl that is indexed."""
        return self._shelf.visit()

    def __len__(self) -> int:
        return self._view.searcher.num_docs

    def entry(self, url: str) -> Entry:
        """What the index holds of a page."""
        return self._entry(self._view, url)

    def _entry(self, view: View, url: str) -> Entry:
        address = canonical(url)
        if address is None:
            raise ConfigError(f"{url!r} is not a web address.")
        entry = find(view.searcher, self._schema, url_hash(address))
        if entry is None:
            raise ConfigError(f"{address} is not among the pages that can be searched.")
        return entry

    def search(self, request: Request | str, *, ranking: Ranking | None = None) -> Results:
        """The pages that answer a request, the best first."""
        asked = Request(request) if isinstance(request, str) else request
        with reading_index(self._shelf.folder):
            return self._answer(self._view, asked, asked.node(), ranking or Ranking())

    def discard(self) -> None:
        """Give up an index that turned out to be damaged; the next update rebuilds it."""
        self._shelf.discard()

    def _answer(self, view: View, asked: Request, node: Node, ranking: Ranking) -> Results:
        query, terms, weights = self._query(view, asked, node)
        first = (asked.page - 1) * asked.limit
        wanted = first + asked.limit if asked.limit else view.searcher.num_docs
        ranked, total = best(
            view.searcher,
            query,
            wanted=wanted,
            ranking=ranking,
            standing=view.standing,
            sort=asked.sort,
        )
        return Results(
            request=asked,
            total=total,
            hits=self._hits(view, ranked.cut(first, wanted), first, frozenset(terms)),
            facets=_facets(view, query) if asked.facets else {},
            terms=weights,
        )

    def _query(
        self, view: View, request: Request, node: Node
    ) -> tuple[tantivy.Query, list[str], dict[str, float]]:
        """What to ask tantivy, the words to mark, and their weights if feedback chose them."""
        terms = view.matcher.terms(node)
        if not (request.like or request.good or request.bad):
            return view.matcher.query(node), terms, {}
        like = [self._entry(view, request.like)] if request.like else []
        liked = (*like, *(self._entry(view, url) for url in request.good))
        good = [_vector(view, self._terms(entry)) for entry in liked]
        bad = [_vector(view, self._terms(self._entry(view, url))) for url in request.bad]
        weights = rocchio(_vector(view, terms), good, bad)
        if not weights:
            raise ConfigError(
                "Nothing is left to search for: give some words, or a page that is a good answer."
            )
        query = view.matcher.weighted(weights, conditions(node), without=[entry.key for entry in like])
        return query, list(weights), weights

    def _terms(self, entry: Entry) -> list[str]:
        text = f"{entry.title}\n{entry.text[:READ]}"
        return [term for term in self._analysers.of(entry.language).analyze(text) if not term.isdecimal()]

    def _hits(self, view: View, ranked: Ranked, first: int, terms: frozenset[str]) -> tuple[Hit, ...]:
        hits = []
        for place, address in enumerate(ranked.addresses):
            entry = read_entry(view.searcher.doc(address))
            hits.append(
                Hit(
                    rank=first + place + 1,
                    url=entry.url,
                    title=shown(entry.title).strip(),
                    host=entry.host,
                    language=entry.language,
                    fetched_at=as_time(entry.fetched),
                    relevant=entry.relevant,
                    label=entry.label,
                    score=float(ranked.score[place]),
                    text=float(ranked.text[place]),
                    relevance=float(ranked.relevance[place]),
                    authority=float(ranked.authority[place]),
                    visit=entry.visit,
                    snippet=passage(entry.text, terms, self._analysers.of(entry.language)),
                )
            )
        return tuple(hits)


def _vector(view: View, terms: list[str]) -> dict[str, float]:
    searcher = view.searcher
    return vector(terms, searcher.num_docs, lambda term: searcher.doc_freq("text", term))


def _facets(view: View, query: tantivy.Query) -> dict[str, tuple[tuple[str, int], ...]]:
    found = view.searcher.aggregate(query, COUNTING)
    facets = {}
    for name in FACETS:
        counts = [
            (_value(name, bucket["key"]), int(bucket["doc_count"])) for bucket in found[name]["buckets"]
        ]
        told = sorted((-count, value) for value, count in counts if value)
        facets[name] = tuple((value, -count) for count, value in told[:MOST_VALUES])
    return facets


def _value(facet: str, key: str | float) -> str:
    return ("yes" if key else "no") if facet == "relevant" else str(key)


def _empty() -> tantivy.Index:
    """An index of no page, in memory."""
    return tantivy.Index(schema())
