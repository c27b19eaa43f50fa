"""Ontologies that somebody wrote down: SKOS as RDF/XML or Turtle, OBO, and tables of two columns or more.

RDF: whatever has a label or is a skos:Concept or owl:Class is a concept; its names are skos:prefLabel,
skos:altLabel, skos:hiddenLabel and rdfs:label, its parents skos:broader and rdfs:subClassOf, and the other way
round skos:narrower. Of Turtle, blank nodes and lists are passed over.
OBO: id, name, exact synonyms and is_a of every [Term] that is not obsolete.
Tables (.tsv): child TAB parent TAB more names of the child. A line without a parent names a top; a child with
several parents has several lines. Empty lines and lines that start with # are passed over.
JSON lines (.jsonl): as a crawl keeps its ontology.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from honeyguide.errors import ConfigError
from honeyguide.model import Concept
from honeyguide.text.ontology import find_cycle
from honeyguide.topics.concepts import read_concepts
from honeyguide.topics.files import read_text
from honeyguide.topics.rdf import Triple, read_rdf_xml, read_turtle

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_CLASSES = (_SKOS + "Concept", "http://www.w3.org/2002/07/owl#Class", _RDFS + "Class")
_LABELS = (_SKOS + "prefLabel", _RDFS + "label", _SKOS + "altLabel", _SKOS + "hiddenLabel")
_PARENTS = (_SKOS + "broader", _SKOS + "broaderGeneric", _RDFS + "subClassOf")
_CHILDREN = (_SKOS + "narrower", _SKOS + "narrowerGeneric")


class Fact(NamedTuple):
    """What one line says of a concept: that it is one, a name of it, or a parent."""

    line: int
    key: str
    kind: Literal["is", "name", "parent"]
    value: str = ""
    language: str = ""


def read_ontology(path: Path, *, languages: Sequence[str] = ("en",)) -> tuple[Concept, ...]:
    """The concepts of a file, in the order in which it names them; of labels, those in these languages.

    A concept without a label in any of them keeps the labels it has.
    """
    text = read_text(path)
    if not text.strip():
        raise ConfigError(f"The ontology {path} is empty.")
    if path.suffix.lower() == ".jsonl":
        return _kept(path)
    reader = _READERS.get(path.suffix.lower()) or _recognised(text)
    if reader is None:
        raise ConfigError(
            f"{path} is in no form that is read: SKOS (RDF/XML or Turtle), OBO, or a table (.tsv)."
        )
    return _concepts(list(reader(text, path)), path, languages)


def _recognised(text: str) -> "Reader | None":
    """The reader for what the text looks like, where the file's name does not say."""
    head = text.lstrip()[:4000]
    if head.startswith("<?xml") or "<rdf:RDF" in head:
        return _rdf_xml
    if head.startswith("format-version:") or "\n[Term]" in f"\n{head}":
        return _obo
    if head.lower().startswith(("@prefix", "prefix ", "@base")):
        return _turtle
    return _table if "\t" in head else None


def _rdf_xml(text: str, path: Path) -> Iterator[Fact]:
    return _facts(read_rdf_xml(text, path))


def _turtle(text: str, path: Path) -> Iterator[Fact]:
    return _facts(read_turtle(text, path))


def _facts(triples: Iterable[Triple]) -> Iterator[Fact]:
    for line, subject, predicate, value, language in triples:
        if predicate == _TYPE and value in _CLASSES:
            yield Fact(line, subject, "is")
        elif predicate in _LABELS:
            yield Fact(line, subject, "name", value, language)
        elif predicate in _PARENTS:
            yield Fact(line, subject, "parent", value)
        elif predicate in _CHILDREN:
            yield Fact(line, value, "parent", subject)


def _obo(text: str, path: Path) -> Iterator[Fact]:
    lines_of: dict[str, int] = {}
    for stanza in _stanzas(text):
        tags = [(line, tag, value) for line, tag, value in stanza if tag]
        if any(tag == "is_obsolete" and value == "true" for _, tag, value in tags):
            continue
        start = stanza[0][0]
        keys = [value.partition(" !")[0].strip() for _, tag, value in tags if tag == "id"]
        if len(keys) != 1 or not keys[0]:
            raise ConfigError(f"{path}, line {start}: a [Term] needs one id, and this one has {len(keys)}.")
        key = keys[0]
        if key in lines_of:
            raise ConfigError(
                f"{path}, line {start}: the term {key} was there before, in line {lines_of[key]}."
            )
        lines_of[key] = start
        yield Fact(start, key, "is")
        for line, tag, value in tags:
            if tag == "name":
                yield Fact(line, key, "name", _unescaped(value))
            elif tag == "synonym":
                quote, scope = _synonym(value, line, path)
                if scope in ("", "EXACT"):
                    yield Fact(line, key, "name", quote)
            elif tag == "is_a":
                yield Fact(line, key, "parent", value.partition(" !")[0].split("{")[0].strip())


def _stanzas(text: str) -> Iterator[list[tuple[int, str, str]]]:
    """The [Term] stanzas as lines of tag and value; the first line of each is its heading, without a tag."""
    stanza: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("["):
            if stanza:
                yield stanza
            stanza = [(number, "", "")] if line.strip() == "[Term]" else []
        elif stanza and not line.startswith("!"):
            tag, _, value = line.partition(":")
            stanza.append((number, tag.strip(), value.strip()))
    if stanza:
        yield stanza


def _synonym(value: str, line: int, path: Path) -> tuple[str, str]:
    """The text between the quotes of a synonym, and its scope."""
    at = 1
    while value.startswith('"') and at < len(value) and value[at] != '"':
        at += 2 if value[at] == "\\" else 1
    if not value.startswith('"') or at >= len(value):
        raise ConfigError(
            f'{path}, line {line}: a synonym stands in quotes: synonym: "breakbone fever" EXACT [].'
        )
    scope = value[at + 1 :].split("[")[0].split()
    return _unescaped(value[1:at]), scope[0] if scope else ""


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\,", ",").replace("\\:", ":").replace("\\\\", "\\")


def _table(text: str, path: Path) -> Iterator[Fact]:
    lines_of: dict[tuple[str, str], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        child, parent, *names = [*map(str.strip, line.split("\t")), ""]
        if not child:
            raise ConfigError(
                f"{path}, line {number}: the line names no child; write child TAB parent TAB more names."
            )
        before = lines_of.setdefault((child, parent), number)
        if before != number:
            what = f"{child!r} under {parent!r}" if parent else f"{child!r} as a top"
            raise ConfigError(f"{path}, line {number}: {what} was there before, in line {before}.")
        yield Fact(number, child, "is")
        yield Fact(number, child, "name", child)
        for name in filter(None, names):
            yield Fact(number, child, "name", name)
        if parent:
            yield Fact(number, child, "parent", parent)


Reader = Callable[[str, Path], Iterator[Fact]]
_READERS: dict[str, Reader] = {
    ".rdf": _rdf_xml,
    ".xml": _rdf_xml,
    ".owl": _rdf_xml,
    ".skos": _rdf_xml,
    ".ttl": _turtle,
    ".turtle": _turtle,
    ".obo": _obo,
    ".tsv": _table,
}


def _concepts(facts: list[Fact], path: Path, languages: Sequence[str]) -> tuple[Concept, ...]:
    """The concepts that facts make, once nothing is missing and nothing goes round in a circle."""
    labels: dict[str, dict[str, list[str]]] = {}
    parents: dict[str, dict[str, str]] = {}
    for fact in facts:
        if fact.kind != "parent":
            by_language = labels.setdefault(fact.key, {})
            if fact.kind == "name" and fact.value.strip():
                by_language.setdefault(fact.language, []).append(" ".join(fact.value.split()))
        else:
            parents.setdefault(fact.key, {}).setdefault(fact.value, f"{path}, line {fact.line}")
    if not labels:
        raise ConfigError(f"{path} holds no concepts.")
    names = {key: _names(by_language, languages) or (key,) for key, by_language in labels.items()}
    _must_be_sound(names, parents)
    return tuple(Concept(key, names[key], tuple(parents.get(key, ()))) for key in labels)


def _kept(path: Path) -> tuple[Concept, ...]:
    """The concepts of a file of JSON lines, exactly as they were written."""
    found = list(read_concepts(path))
    places: dict[str, str] = {}
    for where, concept in found:
        if concept.key in places:
            raise ConfigError(
                f"{where}: the concept {concept.key!r} was there before: {places[concept.key]}."
            )
        places[concept.key] = where
    concepts = tuple(concept for _, concept in found)
    _must_be_sound(
        {concept.key: concept.names or (concept.key,) for concept in concepts},
        {concept.key: dict.fromkeys(concept.parents, where) for where, concept in found},
    )
    return concepts


def _must_be_sound(names: Mapping[str, Sequence[str]], parents: Mapping[str, Mapping[str, str]]) -> None:
    """Raise if a parent or a child is no concept, or if parents go round in a circle.

    `parents` says of each concept what it is a kind of, and where that is written.
    """
    for key, several in parents.items():
        for end in (key, *several) if several else ():
            if end not in names:
                where = next(iter(several.values())) if end == key else several[end]
                raise ConfigError(f"{where}: {end!r} is a parent or a child, but no concept of this file.")
    if cycle := find_cycle({key: tuple(parents.get(key, ())) for key in names}):
        around = " is a kind of ".join(repr(names[key][0]) for key in cycle)
        raise ConfigError(f"{parents[cycle[0]][cycle[1]]}: the ontology goes round in a circle: {around}.")


def _names(by_language: dict[str, list[str]], languages: Sequence[str]) -> tuple[str, ...]:
    wanted = [
        name
        for language, names in by_language.items()
        if not language or language.lower().partition("-")[0] in languages
        for name in names
    ]
    every = wanted or [name for names in by_language.values() for name in names]
    return tuple(dict.fromkeys(every))
