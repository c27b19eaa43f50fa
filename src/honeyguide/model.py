"""The nouns. Frozen, without behaviour; every other module speaks in these words.

Link and Candidate are made a hundred times per page and cross process borders, so they are named
tuples: four times cheaper to make and to send than frozen dataclasses, and just as immutable.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from honeyguide.errors import ErrorKind


class Place(StrEnum):
    """Where in its page a link stands."""

    BODY = "body"
    LIST = "list"
    NAVIGATION = "navigation"
    HEADER = "header"
    FOOTER = "footer"
    HEAD = "head"


class Origin(StrEnum):
    """What a link was read from."""

    SEED = "seed"
    PAGE = "page"
    SITEMAP = "sitemap"
    FEED = "feed"
    HEADER = "link-header"


class UrlState(StrEnum):
    """What has become of a URL."""

    WAITING = "waiting"
    VISITED = "visited"
    REFUSED = "refused"
    ALIAS = "alias"
    SOURCE = "source"
    """Only named as the page a link was found on; becomes waiting when a link leads to it."""


class Example(NamedTuple):
    """A text that says what is on topic, or what is not; one of little weight counts for less.

    With an address and no text it stands for a page that is still to be fetched, or a file to be read.
    """

    text: str
    title: str = ""
    url: str = ""
    weight: float = 1.0


class Level(NamedTuple):
    """One level of a branch of a web directory, with examples of what belongs there."""

    name: str
    examples: tuple[Example, ...] = ()


class Term(NamedTuple):
    """One entry of a controlled vocabulary: a word, a phrase or a boolean combination, for or against."""

    text: str
    weight: float = 1.0
    label: str = ""


class Concept(NamedTuple):
    """One entry of an ontology: what it is called, and what it is a kind of (by their keys)."""

    key: str
    names: tuple[str, ...]
    parents: tuple[str, ...] = ()


class Step(NamedTuple):
    """One page of a browsing session, and whether the person marked it as on topic."""

    example: Example
    relevant: bool


@dataclass(frozen=True, slots=True)
class Topic:
    """What the crawl is about.

    `off_topic` are examples that look on topic and are not; `background` is text presumed to be off topic,
    `corpus` text of which nothing is known. `branch` is the way up a web directory, the topic's own level
    first. An empty `ontology` means WordNet. `session` is what a person saw, page after page. `rules` are
    sentences for whoever labels pages; a page that says a term to `reject`, or none of those to `require`,
    is not on topic whatever else it says.
    """

    name: str
    keywords: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    description: str = ""
    examples: tuple[Example, ...] = ()
    background: tuple[Example, ...] = ()
    corpus: tuple[Example, ...] = ()
    branch: tuple[Level, ...] = ()
    off_topic: tuple[Example, ...] = ()
    vocabulary: tuple[Term, ...] = ()
    ontology: tuple[Concept, ...] = ()
    session: tuple[Step, ...] = ()
    rules: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    require: tuple[str, ...] = ()


class Link(NamedTuple):
    """A fact the parser saw: this page points there, with these words."""

    url: str
    source: str = ""
    anchor: str = ""
    context: str = ""
    place: str = Place.BODY
    path: str = ""
    origin: str = Origin.PAGE
    nofollow: bool = False


class Candidate(NamedTuple):
    """An opinion about a link: how soon to follow it. Only the order of scores means something."""

    link: Link
    score: float
    depth: int = 0
    memo: Mapping[str, Any] | None = None
    parts: Mapping[str, float] | None = None

    @property
    def url(self) -> str:
        return self.link.url


@dataclass(frozen=True, slots=True)
class Conditions:
    """What is known of an earlier copy, so that the server may answer 304."""

    etag: str = ""
    last_modified: str = ""


class Hop(NamedTuple):
    """One redirect that was followed."""

    url: str
    status: int
    target: str
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Response:
    """What a server answered: the last hop's status and headers, and the body twice.

    `raw` is the body as it came over the wire (still compressed), kept for the archive;
    `body` is the same with content codings undone. `truncated` says why a body was cut, if it was.
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    raw: bytes = b""
    truncated: str = ""
    address: str = ""
    protocol: str = "HTTP/1.1"
    fetched_at: float = 0.0
    elapsed: float = 0.0
    hops: tuple[Hop, ...] = ()

    def header(self, name: str) -> str:
        """The values of a header, joined as HTTP says; names compare without case."""
        wanted = name.lower()
        return ", ".join(value for key, value in self.headers if key.lower() == wanted)


@dataclass(frozen=True, slots=True)
class Page:
    """What a response says to a reader: its own text apart from menus, and where it leads."""

    url: str
    title: str = ""
    text: str = ""
    language: str = ""
    links: tuple[Link, ...] = ()
    canonical: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    content_type: str = ""
    charset: str = ""
    noindex: bool = False
    nofollow: bool = False
    fingerprint: int = 0
    sketch: int = 0


class Reason(NamedTuple):
    """One part of a verdict: what was seen and how much it added to the score."""

    what: str
    amount: float


EXACT_DUPLICATE = "duplicate"
NEAR_DUPLICATE = "near-duplicate"
"""Labels of verdicts on pages whose text was judged before, under another URL; they score 0."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The relevance of a page: a score in [0, 1], what it came from, and who said so."""

    score: float
    relevant: bool
    margin: float = 0.0
    label: str = ""
    reasons: tuple[Reason, ...] = ()
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """One turn of the loop: where we went, what we saw, what we think of it, or what went wrong."""

    candidate: Candidate
    response: Response | None = None
    page: Page | None = None
    verdict: Verdict | None = None
    error: ErrorKind | None = None
    detail: str = ""
    status: int = 0
    duplicate_of: str = ""
    unchanged: bool = False
    transient: bool = False
    at: float = 0.0
    number: int = field(default=0, compare=False)

    @property
    def url(self) -> str:
        return self.candidate.link.url

    @property
    def relevant(self) -> bool:
        return self.verdict is not None and self.verdict.relevant
