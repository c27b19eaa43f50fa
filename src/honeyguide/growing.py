"""More of a topic from a crawl on it: terms, examples, and pages that are worth a person's look.

Terms are what pages on topic say and others do not: their noun phrases by C-value, what they give as meta
keywords, and the anchors that lead to them (GD 4.3). Where people have labelled a page, what they say counts
and not the judge. Hosts take turns, so that no site's own words pass for the topic's.
"""

import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from honeyguide.config import quoted
from honeyguide.errors import CrawlError
from honeyguide.model import Page, Term, Topic
from honeyguide.store.collection import Collection
from honeyguide.store.labels import Decision, decisions, read_labels
from honeyguide.store.pages import Pick, at_visits, pick, spread, surest
from honeyguide.text.documents import Documents
from honeyguide.text.matching import Matcher, check_term
from honeyguide.text.terms import Recogniser

MOST_PAGES = 300
"""Pages on topic, and others, that are looked at."""

MOST_CANDIDATES = 500
LONGEST_TERM = 5
LONGEST_CANDIDATE = 200
HEAVIEST = 100.0
"""The weight of the first term; the others weigh less."""

ANCHORS = """
SELECT l.anchor, COUNT(DISTINCT s.host) AS hosts
FROM links l JOIN visits w ON w.id = l.visit JOIN urls s ON s.id = w.url
WHERE l.anchor != '' AND l.target IN
    (SELECT u.hash FROM urls u JOIN visits v ON v.url = u.id WHERE v.relevant)
GROUP BY l.anchor ORDER BY hosts DESC, COUNT(*) DESC, l.anchor LIMIT ?
"""


class ProposedTerm(NamedTuple):
    """A term, how much it might weigh, and how many pages on topic and others say it."""

    text: str
    weight: float
    relevant_pages: int
    other_pages: int
    sources: tuple[str, ...]


class ProposedPage(NamedTuple):
    """A page, and how relevant the judge found it."""

    url: str
    title: str
    relevance: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a topic might gain from a crawl."""

    topic: str
    relevant_pages: int
    other_pages: int
    terms: tuple[ProposedTerm, ...]
    examples: tuple[ProposedPage, ...]
    borderline: tuple[ProposedPage, ...]


class Material(NamedTuple):
    """Pages of a crawl, on topic or not, each with its host."""

    hosts: tuple[str, ...]
    pages: tuple[Page, ...]


def propose(
    collection: Collection, topic: Topic, *, terms: int = 30, examples: int = 10, borderline: int = 10
) -> Proposal:
    """Terms, examples and borderline pages that the topic does not have yet."""
    decided = decisions(read_labels(collection.connection))
    on_topic = _rows(collection.connection, decided, relevant=True)
    off_topic = _rows(collection.connection, decided, relevant=False)
    if not on_topic:
        raise CrawlError(
            f"{collection.folder} holds no pages on topic to learn from; label some with honeyguide label."
        )
    inside, outside = _read(collection, on_topic), _read(collection, off_topic)
    anchors = collection.connection.execute(ANCHORS, (MOST_CANDIDATES,)).fetchall()
    known = {example.url for example in topic.examples}
    return Proposal(
        topic=topic.name,
        relevant_pages=len(inside.pages),
        other_pages=len(outside.pages),
        terms=tuple(_terms(topic, inside, outside, anchors)[:terms]),
        examples=tuple(
            _proposed(row) for row in on_topic[: examples + len(known)] if row["address_url"] not in known
        )[:examples],
        borderline=tuple(map(_proposed, pick(collection.connection, Pick.BORDERLINE, borderline))),
    )


def to_toml(found: Proposal, folder: Path) -> str:
    """The proposals as a topic file to take from."""
    lines = [
        f"# Proposed by: honeyguide topic grow {_one_line(str(folder))}",
        "# Strike out what is wrong and move the rest into your topic file.",
        "",
        "[topic]",
        f"name = {quoted(found.topic)}",
    ]
    if found.examples:
        lines += ["examples = [", *(f"    {_page_line(page)}" for page in found.examples), "]"]
    if found.borderline:
        lines += ["# Nobody is sure about these; honeyguide label shows them:"]
        lines += [f"# {_page_line(page)}" for page in found.borderline]
    if found.terms:
        lines += ["", "[topic.vocabulary]"]
        lines += [
            f"{quoted(term.text)} = {term.weight:g}"
            f"  # {term.relevant_pages} pages on topic, {term.other_pages} others; {', '.join(term.sources)}"
            for term in found.terms
        ]
    return "\n".join(lines) + "\n"


def _rows(
    connection: sqlite3.Connection, decided: Mapping[str, Decision], *, relevant: bool
) -> list[sqlite3.Row]:
    """What people say is on topic (or not) first, then what the judge was surest of; hosts take turns."""
    said = at_visits(connection, [known.visit for known in decided.values() if known.relevant is relevant])
    judged = surest(connection, MOST_PAGES, relevant=relevant, beyond=0.0 if relevant else 1.0)
    return [
        *spread(said, MOST_PAGES),
        *(row for row in judged if row["address_url"] not in decided),
    ][:MOST_PAGES]


def _read(collection: Collection, rows: Sequence[sqlite3.Row]) -> Material:
    try:
        read = [(row["host"], collection.page_of(row)) for row in rows]
    except OSError as error:
        raise CrawlError(f"The archive of {collection.folder} cannot be read: {error}.") from error
    kept = [(host, page) for host, page in read if page is not None and page.text.strip()]
    return Material(tuple(host for host, _ in kept), tuple(page for _, page in kept))


def _terms(
    topic: Topic, inside: Material, outside: Material, anchors: Iterable[tuple[str, int]]
) -> list[ProposedTerm]:
    documents = Documents.of(topic)
    sources = _candidates(inside, anchors, documents)
    has = (topic.name, *topic.keywords, *(term.text for term in topic.vocabulary))
    known = {_stems(text, documents) for text in has}
    candidates = [text for text in sources if _stems(text, documents) not in known and _is_term(text)]
    matcher = Matcher([Term(text) for text in candidates], documents)
    said, on_hosts = _count(matcher, inside, documents)
    elsewhere, _ = _count(matcher, outside, documents)
    least_hosts = min(2, len(set(inside.hosts)))
    found = []
    for number, text in enumerate(candidates):
        if said[number] < 2 or len(on_hosts[number]) < least_hosts:
            continue
        share = said[number] / len(inside.pages)
        usual = max((elsewhere[number] + 0.5) / (len(outside.pages) + 1), _background(text, documents))
        if (strength := share * math.log(share / usual)) > 0:
            found.append((strength, text, said[number], elsewhere[number]))
    found.sort(key=lambda entry: (-entry[0], entry[1]))
    return [
        ProposedTerm(
            text, max(1.0, round(HEAVIEST * strength / found[0][0])), ours, theirs, tuple(sources[text])
        )
        for strength, text, ours, theirs in found
    ]


def _candidates(
    inside: Material, anchors: Iterable[tuple[str, int]], documents: Documents
) -> dict[str, list[str]]:
    """What might be a term, and where it was seen; of several forms of a word, the first."""
    keywords: defaultdict[str, set[str]] = defaultdict(set)
    for host, page in zip(inside.hosts, inside.pages, strict=True):
        for keyword in page.keywords:
            keywords[keyword].add(host)
    seen = {
        "text": Recogniser(documents).terms_of(inside.pages, most=MOST_CANDIDATES),
        "meta keywords": sorted(keywords, key=lambda text: (-len(keywords[text]), text))[:MOST_CANDIDATES],
        "anchors": [anchor for anchor, _ in anchors],
    }
    forms: dict[tuple[str, ...], str] = {}
    sources: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for source, texts in seen.items():
        for text in map(partial(_trimmed, documents=documents), texts):
            if 0 < len(text.split()) <= LONGEST_TERM:
                sources[forms.setdefault(_stems(text, documents), text)][source] = None
    return {text: list(found) for text, found in sources.items()}


def _count(
    matcher: Matcher, material: Material, documents: Documents
) -> tuple[defaultdict[int, int], defaultdict[int, set[str]]]:
    """How many pages say each term, and on which hosts."""
    pages: defaultdict[int, int] = defaultdict(int)
    hosts: defaultdict[int, set[str]] = defaultdict(set)
    for host, page in zip(material.hosts, material.pages, strict=True):
        for match in matcher.find(documents.read(page)):
            pages[match.term] += 1
            hosts[match.term].add(host)
    return pages, hosts


def _background(text: str, documents: Documents) -> float:
    """The share of pages at large that may say a term: no more than say its rarest word."""
    stems = documents.tokeniser.stems(text)
    return math.exp(-max(map(documents.background.idf, stems))) if stems else 1.0


def _trimmed(text: str, documents: Documents) -> str:
    """The words of a text, without stop words at its ends."""
    words = documents.tokeniser.tokens(text[:LONGEST_CANDIDATE])
    told = [place for place, word in enumerate(words) if documents.tokeniser.stem(word)]
    return " ".join(words[told[0] : told[-1] + 1]) if told else ""


def _stems(text: str, documents: Documents) -> tuple[str, ...]:
    return tuple(documents.tokeniser.stems(text))


def _is_term(text: str) -> bool:
    try:
        check_term(text)
    except ValueError:
        return False
    return True


def _proposed(row: sqlite3.Row) -> ProposedPage:
    return ProposedPage(row["address_url"], row["title"], row["relevance"])


def _page_line(page: ProposedPage) -> str:
    return f"{quoted(page.url)},  # {page.relevance:.2f} {_one_line(page.title)}"


def _one_line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)
