"""What is asked of an index, and what it answers."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from honeyguide.errors import ConfigError
from honeyguide.search.passages import Span
from honeyguide.search.query import (
    All,
    AnyOf,
    Node,
    date_filter,
    host_filter,
    label_filter,
    language_filter,
    parse,
    relevance_filter,
)
from honeyguide.search.sort import Sort

MOST_FEEDBACK = 100
"""Pages that may be marked as good or bad answers."""


@dataclass(frozen=True, slots=True)
class Request:
    """A search: what to find, how to order it and what to show of it.

    `good` and `bad` are addresses of good and bad answers, which change what is searched for; `like` is the address of
    a page that others are to be like. `limit` 0 is no limit.
    """

    query: str = ""
    hosts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    relevant: bool | None = None
    sort: Sort = Sort.SCORE
    like: str = ""
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    page: int = 1
    limit: int = 10
    facets: bool = False

    def __post_init__(self) -> None:
        if self.page < 1 or self.limit < 0:
            raise ConfigError("Pages of results are counted from 1, and a limit is not below 0.")
        if len(self.good) + len(self.bad) > MOST_FEEDBACK:
            raise ConfigError(f"At most {MOST_FEEDBACK} pages can be marked as good or bad answers.")

    def node(self) -> Node:
        """The query together with the filters beside it."""
        parts = [parse(self.query)]
        for filters in (
            map(host_filter, self.hosts),
            map(language_filter, self.languages),
            map(date_filter, self.dates),
            map(label_filter, self.labels),
        ):
            if wanted := tuple(filters):
                parts.append(AnyOf(wanted))
        if self.relevant is not None:
            parts.append(relevance_filter(self.relevant))
        flat = [inner for part in parts for inner in (part.parts if isinstance(part, All) else (part,))]
        return flat[0] if len(flat) == 1 else All(tuple(flat))


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found: text * (1 + weighted relevance + weighted authority) is its score."""

    rank: int
    url: str
    title: str
    host: str
    language: str
    fetched_at: str
    relevant: bool
    label: str
    score: float
    text: float
    relevance: float
    authority: float
    visit: int
    snippet: tuple[Span, ...]

    @property
    def passage(self) -> str:
        """The snippet as plain text."""
        return "".join(span.text for span in self.snippet)

    def row(self) -> dict[str, Any]:
        """The hit as plain values, for tables."""
        return {name: getattr(self, name) for name in COLUMNS}


COLUMNS = (
    "rank",
    "url",
    "title",
    "relevant",
    "label",
    "language",
    "fetched_at",
    "score",
    "text",
    "relevance",
    "authority",
    "passage",
)


@dataclass(frozen=True, slots=True)
class Results:
    """One page of answers, how many there are in all, and how they spread; `terms` is what feedback searched for."""

    request: Request
    total: int
    hits: tuple[Hit, ...]
    facets: dict[str, tuple[tuple[str, int], ...]]
    terms: dict[str, float]

    @property
    def pages(self) -> int:
        """Pages of answers in all."""
        return -(-self.total // self.request.limit) if self.request.limit else 1

    def plain(self) -> dict[str, Any]:
        """The answers as JSON has them; marked words of a snippet are pairs with true."""
        return {
            "query": self.request.query,
            "total": self.total,
            "page": self.request.page,
            "pages": self.pages,
            "hits": [
                hit.row()
                | {"host": hit.host, "visit": hit.visit, "snippet": [list(span) for span in hit.snippet]}
                for hit in self.hits
            ],
            "facets": {name: dict(counts) for name, counts in self.facets.items()},
            "terms": self.terms,
        }


def as_time(seconds: int) -> str:
    """Seconds since 1970 as a date and time in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
