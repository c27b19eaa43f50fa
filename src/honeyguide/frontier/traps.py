"""Spider traps: addresses without end that lead nowhere.

Some show in the URL itself: a path that repeats, a query that grows. The others show by their yield.
URLs are grouped by shape, the URL with everything countable taken out:

    https://example.org/events/2026/11/?page=3        example.org/events/{date}/?page={n}
    https://example.org/u/9f86d081884c7d65/item12     example.org/u/{id}/item{n}

A shape that has had its fair number of visits in a row without one that paid is cut off, a calendar
sooner than others. Only open shapes, those with something taken out or a query, can be cut: a path
of plain words names one page. A visit that pays opens its shape again.
"""

import re
from collections.abc import Mapping
from typing import Any

from honeyguide.urls import host_of, origin_of

_MONTH = (
    "0?[1-9]|1[0-2]|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    "|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DAY = r"[12]\d|3[01]|0?[1-9]"
_YEAR = r"(?:19|20)\d\d"
_SEPARATOR = "(?:[/_.-]|%2F)"
_DATE = (
    rf"(?:{_YEAR}{_SEPARATOR}(?:{_MONTH})(?:{_SEPARATOR}(?:{_DAY}))?"
    rf"|(?:{_DAY}){_SEPARATOR}(?:{_MONTH}){_SEPARATOR}{_YEAR}"
    rf"|{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))"
)
# A date that ends a path: with a title after it, it is a post's permanent address and no calendar.
_last_date = re.compile(rf"/{_DATE}(?=(?:/(?:day|week|month|list|agenda|index)?(?:\.\w+)?)?$)", re.IGNORECASE)
_tokens = re.compile(
    r"(?:(?<![A-Za-z0-9%])|(?<=%[0-9A-F]{2}))(?=[A-Za-z]*+[0-9])(?![0-9]++(?![A-Za-z]))"  # letters and digits
    r"(?:[0-9A-Fa-f]{8,}+|[A-Za-z0-9]{12,}+)(?![A-Za-z0-9])[\w-]*+",
    re.ASCII,
)
_numbers = re.compile(r"(?<!%)(?<!%[0-9A-F])[0-9]+")
_may_be_open = re.compile("[0-9?]").search

_is_date = re.compile(rf"{_DATE}(?:\W.*|T.*)?", re.IGNORECASE).fullmatch
_is_calendar_name = re.compile(r"(?:.*[_-])?(?:date|day|week|month|year)", re.IGNORECASE).fullmatch
_SELECTORS = frozenset(("act", "action", "cmd", "do", "mode", "module", "op", "option", "task", "view"))
"""Parameters whose value is a kind of page: view=article and view=calendar are different shapes."""


class Traps:
    """Recognises spider traps by pattern and by yield; remembers a bounded number of shapes."""

    def __init__(
        self,
        *,
        patience: int = 100,
        calendar_patience: int = 8,
        max_segments: int = 15,
        max_parameters: int = 15,
        max_query: int = 512,
        repeats: int = 3,
        max_shapes: int = 10_000,
    ) -> None:
        self._patience = patience
        self._calendar_patience = calendar_patience
        self._max_segments = max_segments
        self._max_parameters = max_parameters
        self._max_query = max_query
        self._repeats = repeats
        self._max_shapes = max_shapes
        # Visits without yield in a row, by shape; the shape met last stands last.
        self._misses: dict[str, int] = {}
        # How many shapes are cut off on a host: most hosts have none, and are asked nothing more.
        self._cut: dict[str, int] = {}

    def refuses(self, url: str) -> str:
        """Why a canonical URL looks like a trap, in a few words; "" when it does not."""
        address, _, query = url.partition("?")
        segments = address.count("/") - 2 - address.endswith("/")
        if segments > self._max_segments:
            return f"trap: path of more than {self._max_segments} segments"
        if segments >= self._repeats and _repeats(address.split("/")[3:], self._repeats):
            return "trap: path repeats itself"
        if query and (reason := self._refuses_query(query)):
            return reason
        if self._cut and _may_be_open(url) and host_of(url) in self._cut:
            shape = _shape(url)
            misses = self._misses.get(shape, 0)
            if misses >= self._patience_with(shape):
                self._misses[shape] = self._misses.pop(shape)  # a trap still met is not the one to forget
                return f"trap: {misses} visits without yield to {shape}"
        return ""

    def learn(self, url: str, paid: bool) -> None:
        """Take note of a visit: it paid when the page was relevant and not a duplicate."""
        shape = _shape(url)
        if not _is_open(shape):
            return
        before = self._misses.pop(shape, 0)
        now = 0 if paid else before + 1
        if now:
            self._misses[shape] = now
        patience = self._patience_with(shape)
        self._count_cut(shape, (now >= patience) - (before >= patience))
        if len(self._misses) > self._max_shapes:
            oldest = next(iter(self._misses))
            self._count_cut(oldest, -(self._misses.pop(oldest) >= self._patience_with(oldest)))

    def state(self) -> dict[str, Any]:
        """What was learned, as JSON values."""
        return {"misses": list(self._misses.items())}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up a state that `state` gave."""
        self._misses = dict(state["misses"][-self._max_shapes :])
        self._cut = {}
        for shape, misses in self._misses.items():
            self._count_cut(shape, misses >= self._patience_with(shape))

    def _refuses_query(self, query: str) -> str:
        if len(query) > self._max_query:
            return f"trap: query of more than {self._max_query} characters"
        parameters = query.count("&") + 1
        if parameters > self._max_parameters:
            return f"trap: more than {self._max_parameters} query parameters"
        if parameters > self._repeats and parameters - len(set(query.split("&"))) >= self._repeats - 1:
            return "trap: query repeats itself"
        if "%2525" in query:
            return "trap: query wrapped in itself"
        return ""

    def _patience_with(self, shape: str) -> int:
        return self._calendar_patience if "{date}" in shape else self._patience

    def _count_cut(self, shape: str, change: int) -> None:
        if change:
            host = shape.partition("/")[0]
            count = self._cut.pop(host, 0) + change
            if count:
                self._cut[host] = count


def _repeats(segments: list[str], times: int) -> bool:
    """Whether segments come again and again; numbers may (volume 1, issue 1, page 1)."""
    distinct = set(segments)
    if len(segments) - len(distinct) < times - 1:
        return False
    if any(segments.count(segment) > times and not segment.isdigit() for segment in distinct):
        return True
    for size in range(1, len(segments) // times + 1):
        for start in range(len(segments) - size * times + 1):
            run = segments[start : start + size]
            if run * times == segments[start : start + size * times] and not "".join(run).isdigit():
                return True
    return False


def _shape(url: str) -> str:
    """The host, path and query of a URL with dates, numbers and tokens taken out."""
    address, _, query = url.partition("?")
    path = _last_date.sub("/{date}", address[len(origin_of(address)) :])
    path = _numbers.sub("{n}", _tokens.sub("{id}", path))
    host = host_of(address)
    return f"{host}{path}?{'&'.join(map(_name_parameter, query.split('&')))}" if query else host + path


def _name_parameter(pair: str) -> str:
    name, _, value = pair.partition("=")
    if not value or (name.lower() in _SELECTORS and value.isidentifier()):
        return pair
    if _is_date(value) or _is_calendar_name(name):
        return name + "={date}"
    return name + "={n}" if value.isdigit() else name + "="


def _is_open(shape: str) -> bool:
    """Whether more than one URL can have this shape."""
    return "?" in shape or "{" in shape.partition("/")[2]
