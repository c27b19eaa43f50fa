"""A search as it is written in an address: what is asked, and how a click narrows it."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, Self
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field

from honeyguide.search.query import LONGEST_QUERY
from honeyguide.search.results import MOST_FEEDBACK, Request
from honeyguide.search.sort import Sort

LONGEST_URL = 4000

Value = Annotated[str, Field(min_length=1, max_length=300)]
Address = Annotated[str, Field(min_length=1, max_length=LONGEST_URL)]
Values = Annotated[list[Value], Field(max_length=20)]
Addresses = Annotated[list[Address], Field(max_length=MOST_FEEDBACK)]


class SearchQuery(BaseModel):
    """What to find, how to order it and what to show of it.

    `good` and `bad` are addresses of good and bad answers, which change what is searched for; `like` is that of a page
    which others are to be like.
    """

    model_config = ConfigDict(extra="forbid")

    q: Annotated[
        str, Field(max_length=LONGEST_QUERY, description="Words, phrases, AND, OR, NOT, field:value")
    ] = ""
    host: Values = []
    language: Values = []
    month: Annotated[Values, Field(description="A day, month, year or range, such as 2026-11")] = []
    label: Values = []
    relevant: Literal["", "yes", "no"] = ""
    sort: Sort = Sort.SCORE
    like: Annotated[str, Field(max_length=LONGEST_URL)] = ""
    good: Addresses = []
    bad: Addresses = []
    page: Annotated[int, Field(ge=1, le=100_000)] = 1
    limit: Annotated[int, Field(ge=1, le=100)] = 10

    @classmethod
    def of(cls, asked: Request) -> Self:
        """The same as the engine has it; what is longer than an address may be is cut."""
        return cls.model_construct(
            q=asked.query,
            host=list(asked.hosts),
            language=list(asked.languages),
            month=list(asked.dates),
            label=list(asked.labels),
            relevant="" if asked.relevant is None else "yes" if asked.relevant else "no",
            sort=asked.sort,
            like=asked.like,
            good=list(asked.good),
            bad=list(asked.bad),
        )

    def asked(self, *, page: int | None = None, limit: int | None = None, facets: bool = True) -> Request:
        """The search as the engine takes it."""
        return Request(
            query=self.q,
            hosts=tuple(self.host),
            languages=tuple(self.language),
            dates=tuple(self.month),
            labels=tuple(self.label),
            relevant=None if not self.relevant else self.relevant == "yes",
            sort=self.sort,
            like=self.like,
            good=tuple(self.good),
            bad=tuple(self.bad),
            page=self.page if page is None else page,
            limit=self.limit if limit is None else limit,
            facets=facets,
        )

    def address(self, **changes: Any) -> str:
        """The query of an address that asks for this, or for this with changes."""
        said = self.model_dump(mode="json", exclude_defaults=True) | changes
        defaults = DEFAULTS
        pairs = [
            (name, one)
            for name, value in said.items()
            if value != defaults[name]
            for one in (value if isinstance(value, list) else [value])
        ]
        return "?" + urlencode(pairs)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is asked but everything."""
        return self.model_copy(update={"page": 1, "limit": 10, "sort": Sort.SCORE}) == SearchQuery()


DEFAULTS: dict[str, Any] = SearchQuery().model_dump(mode="json")


class Choice(NamedTuple):
    """A value of a facet, how many answers have it, and the address without or with it."""

    value: str
    pages: int
    address: str
    chosen: bool


class Narrowing(NamedTuple):
    """A facet and its values."""

    title: str
    choices: tuple[Choice, ...]


def narrowings(
    query: SearchQuery, facets: Mapping[str, Iterable[tuple[str, int]]], levels: Collection[str]
) -> list[Narrowing]:
    """What a search can be narrowed by, each value as an address; what is chosen can be given up again."""
    labels = list(facets.get("label", ()))
    parts = (
        ("Host", "host", facets.get("host", ())),
        ("On topic", "relevant", facets.get("relevant", ())),
        ("Language", "language", facets.get("language", ())),
        ("Month", "month", facets.get("month", ())),
        ("Level", "label", [entry for entry in labels if entry[0] in levels]),
        ("Label", "label", [entry for entry in labels if entry[0] not in levels]),
    )
    found = []
    for title, name, counts in parts:
        chosen = getattr(query, name)
        values = tuple(_choice(query, name, chosen, value, count) for value, count in counts)
        if values and (len(values) > 1 or any(choice.chosen for choice in values)):
            found.append(Narrowing(title, values))
    return found


def _choice(query: SearchQuery, name: str, chosen: Any, value: str, count: int) -> Choice:
    if isinstance(chosen, list):
        is_chosen = value in chosen
        others = [one for one in chosen if one != value]
        changed: Any = others if is_chosen else [*others, value]
    else:
        is_chosen = chosen == value
        changed = "" if is_chosen else value
    return Choice(value, count, query.address(**{name: changed, "page": 1}), is_chosen)
