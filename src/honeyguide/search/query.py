"""How searches are written, and what they mean.

    dengue mosquito                  pages that say both, by their stems: mosquitoes too
    "aedes aegypti"                  a phrase: the words one after another
    dengue (vaccine OR cure) NOT malaria
    title:dengue host:who.int lang:en relevant:yes label:language
    date:2026-11  date:2026-01..2026-03  relevance:0.8..

AND, OR and NOT are written large; AND may be left out and -malaria is NOT malaria. NOT binds closest, OR least.
An empty search finds every page.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from honeyguide.errors import ConfigError
from honeyguide.text.languages import primary

LONGEST_QUERY = 2000
MOST_WORDS = 100
DEEPEST = 30

TEXT_FIELDS = {"title": "title", "text": "text", "heading": "headings", "anchor": "anchors", "url": "address"}
"""The fields that hold words: as they are written, and as the index calls them."""

FILTERS = ("host", "lang", "label", "relevant", "date", "relevance")
FIELDS = (*TEXT_FIELDS, *FILTERS)

_LEXEME = re.compile(
    r"\s*(?:(?P<sign>[()])|(?P<minus>-)(?=[^\s)-])|"
    rf"(?P<field>(?i:{'|'.join(FIELDS)}|language)|\w+(?=:\S)):|"
    r'(?P<text>"[^"]*"|[^\s()"]+))'
)
_DAY = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")


class Words(NamedTuple):
    """A word, or several in a row, in one field of the index or in any."""

    text: str
    field: str = ""


class Exactly(NamedTuple):
    """A field that has exactly this value."""

    field: str
    value: str | bool


class Between(NamedTuple):
    """A number in a field that lies between two, the lower one included; None is no bound."""

    field: str
    low: float | None
    high: float | None
    with_high: bool = False


class All(NamedTuple):
    """Every part holds."""

    parts: tuple["Node", ...]


class AnyOf(NamedTuple):
    """At least one part holds."""

    parts: tuple["Node", ...]


class Not(NamedTuple):
    """The part does not hold."""

    part: "Node"


Node = Words | Exactly | Between | All | AnyOf | Not


class Lexeme(NamedTuple):
    """A piece of a written search."""

    kind: str
    text: str


def parse(query: str) -> Node:
    """What a search means; what cannot be read is said in a sentence."""
    if len(query) > LONGEST_QUERY:
        raise ConfigError(f"The search is longer than {LONGEST_QUERY} characters; shorten it.")
    if query.count('"') % 2:
        raise ConfigError("The search has a quotation mark that is not closed.")
    lexemes = list(_lexemes(query.encode("utf-8", "replace").decode()))
    if len(lexemes) > MOST_WORDS:
        raise ConfigError(f"The search has more than {MOST_WORDS} words and signs; shorten it.")
    if not lexemes:
        return All(())
    reader = _Reader(lexemes)
    node = reader.any_of(0)
    if not reader.is_done():
        raise ConfigError("The search has a closing parenthesis that was never opened.")
    return node


def positive_words(node: Node) -> Iterator[Words]:
    """The words that a page should say, from left to right."""
    if isinstance(node, Words):
        yield node
    elif isinstance(node, All | AnyOf):
        for part in node.parts:
            yield from positive_words(part)


def conditions(node: Node) -> Node:
    """What a search asks for beside words: its filters and what it excludes."""
    parts = node.parts if isinstance(node, All) else (node,)
    return All(tuple(part for part in parts if not any(positive_words(part))))


def host_filter(host: str) -> Node:
    """Pages of a host or of a whole domain."""
    return Exactly("site", host.strip().lower().rstrip("."))


def language_filter(language: str) -> Node:
    """Pages in a language, by its code or its English name."""
    return Exactly("language", primary(language))


def label_filter(label: str) -> Node:
    """Pages that the judge gave a label, such as the level they are on."""
    return Exactly("label", label)


def date_filter(when: str) -> Node:
    """Pages that were fetched on a day, in a month, in a year or between two of them."""
    return _dates(when)


def relevance_filter(relevant: bool) -> Node:
    """Pages that were judged to be on topic, or not to be."""
    return Exactly("relevant", relevant)


def _lexemes(query: str) -> Iterator[Lexeme]:
    place = 0
    query = query.rstrip()
    while place < len(query):
        match = _LEXEME.match(query, place)
        assert match is not None
        kind = match.lastgroup or ""
        yield Lexeme(kind, match[kind])
        place = match.end()


class _Reader:
    """Reads lexemes from left to right."""

    def __init__(self, lexemes: list[Lexeme]) -> None:
        self._lexemes = lexemes
        self._next = 0

    def is_done(self) -> bool:
        return self._next == len(self._lexemes)

    def any_of(self, depth: int) -> Node:
        parts = [self._all(depth)]
        while self._take("OR"):
            parts.append(self._all(depth))
        return AnyOf(tuple(parts)) if len(parts) > 1 else parts[0]

    def _all(self, depth: int) -> Node:
        parts = [self._one(depth)]
        while not self.is_done() and not self._sees("OR") and not self._sees(")"):
            self._take("AND")
            parts.append(self._one(depth))
        return All(tuple(parts)) if len(parts) > 1 else parts[0]

    def _one(self, depth: int) -> Node:
        if self.is_done() or self._sees(")") or self._sees("AND") or self._sees("OR"):
            raise ConfigError(
                "The search lacks a word before or after AND, OR, NOT or a parenthesis; "
                "to search for such a word itself, put it in quotes."
            )
        if depth > DEEPEST:
            raise ConfigError("The search has too many parentheses or NOTs inside each other.")
        if self._take("NOT") or self._take("-"):
            return Not(self._one(depth + 1))
        if self._take("("):
            inner = self.any_of(depth + 1)
            if not self._take(")"):
                raise ConfigError("The search has an opening parenthesis that is not closed.")
            return inner
        lexeme = self._lexemes[self._next]
        self._next += 1
        if lexeme.kind != "field":
            return Words(_words(lexeme.text))
        if self.is_done() or self._lexemes[self._next].kind != "text":
            raise ConfigError(f"The search says nothing after {lexeme.text}:, where a value belongs.")
        value = self._lexemes[self._next].text
        self._next += 1
        return _in_field(lexeme.text, value)

    def _sees(self, text: str) -> bool:
        return not self.is_done() and self._lexemes[self._next].text == text

    def _take(self, text: str) -> bool:
        taken = self._sees(text)
        self._next += taken
        return taken


def _in_field(name: str, written: str) -> Node:
    field, value = name.lower(), written.strip('"')
    if field in TEXT_FIELDS:
        return Words(_words(written), TEXT_FIELDS[field])
    if field in ("lang", "language"):
        return language_filter(value)
    if field == "host":
        return host_filter(value)
    if field == "label":
        return label_filter(value)
    if field == "relevant":
        if value.lower() not in ("yes", "no"):
            raise ConfigError(f"relevant:{value} is neither relevant:yes nor relevant:no.")
        return relevance_filter(value.lower() == "yes")
    if field == "date":
        return date_filter(value)
    if field == "relevance":
        return _numbers(value)
    raise ConfigError(
        f"There is no field {name}, only {', '.join(FIELDS)}; to search for the words, put them in quotes."
    )


def _words(written: str) -> str:
    text = written.strip('"')
    if written.endswith("*"):
        raise ConfigError(
            f"{written} has a wildcard, which there is none for; words are found by their stems."
        )
    if not any(map(str.isalnum, text)):
        raise ConfigError(f"{written} holds no letter and no digit to search for.")
    return text


def _numbers(value: str) -> Between:
    low, dots, high = value.partition("..")
    try:
        bounds = [float(bound) if bound else None for bound in (low, high if dots else low)]
    except ValueError:
        bounds = [None, None]
    if bounds == [None, None] or any(bound is not None and not 0 <= bound <= 1 for bound in bounds):
        raise ConfigError(
            f"relevance:{value} is no range of numbers from 0 to 1, such as relevance:0.5..0.9."
        )
    return Between("relevance", bounds[0], bounds[1], with_high=True)


def _dates(value: str) -> Between:
    low, dots, high = value.partition("..")
    if not dots:
        high = low
    first, last = _day(low, value), _day(high, value)
    if first is None and last is None:
        raise _no_date(value)
    return Between("fetched", first[0] if first else None, last[1] if last else None)


def _day(text: str, whole: str) -> tuple[float, float] | None:
    """The first second of a day, month or year, and of what comes after it."""
    if not text:
        return None
    match = _DAY.fullmatch(text)
    try:
        if match is None:
            raise _no_date(whole)
        year, month, day = (int(part) if part else 0 for part in match.groups())
        first = datetime(year, month or 1, day or 1, tzinfo=UTC)
        last = datetime(year, month or 12, day or monthrange(year, month or 12)[1], tzinfo=UTC)
        return first.timestamp(), (last + timedelta(days=1)).timestamp()
    except (ValueError, OverflowError) as error:
        raise _no_date(whole) from error


def _no_date(value: str) -> ConfigError:
    return ConfigError(
        f"date:{value} is no date; write date:2026-11-15, date:2026-11, or a range such as date:2026-01..2026-03."
    )
