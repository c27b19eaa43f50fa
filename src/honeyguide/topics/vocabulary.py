"""A controlled vocabulary: what counts for a topic or against it, and how much.

A line is a weight and a term, and if need be a label: `50 dengue fever`, `-20 malaria`,
`30 dengue AND (vaccine OR "vector control")`, `10 mosquito*  = vectors`. What a term may be is said in
text/matching.py. Lines in the format of the Combine crawler, `50: optical glass=B.16, D.14.22`, are told by
their colon: there ? cuts a word short, and @and, @or and @not combine.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from honeyguide.errors import ConfigError
from honeyguide.model import Term
from honeyguide.text.matching import check_term
from honeyguide.topics.files import NUMBER, Kind, brief, finite, meant_lines, must_have_only

KEYS: dict[str, Kind] = {"term": str, "weight": NUMBER, "label": str}

_entry = re.compile(
    r"(?P<weight>[-+]?\d+(?:[.,]\d+)?)(?P<colon>\s*:\s*|\s+)(?P<term>\S.*?)(?:\s*=\s*(?P<label>[^=\"]*))?"
).fullmatch
_operators = re.compile(r"@(and|or|not)(?!\w)", re.IGNORECASE).split
_without_quotes = re.compile(r'"[^"]*"').sub
_bracketed = re.compile(r"(\(*)(.*?)(\)*)").fullmatch


def read_vocabulary(path: Path) -> Iterator[Term]:
    """The terms in a file, in its own format or in Combine's."""
    empty = True
    for where, line in meant_lines(path):
        found = _entry(line.replace("\N{MINUS SIGN}", "-"))
        if found is None:
            raise ConfigError(
                f"{where}: a line is a weight and a term, such as: 50 dengue fever; this one is {brief(line)}."
            )
        text = found["term"]
        if ":" in found["colon"]:
            text = _from_combine(text, where)
        elif "=" in _without_quotes("", text):
            raise ConfigError(
                f"{where}: a line has one label, after one =; this one is {brief(line)}. "
                "A term that holds a = stands in quotes."
            )
        yield sound(Term(text, float(found["weight"].replace(",", ".")), found["label"] or ""), where)
        empty = False
    if empty:
        raise ConfigError(f"{path} holds no term; a line is a weight and a term, such as: 50 dengue fever.")


def vocabulary_from_table(table: Mapping[str, Any], where: object) -> Iterator[Term]:
    """Terms from a table of weights: {"dengue fever" = 50, "malaria" = -20}."""
    for text, weight in table.items():
        if not isinstance(weight, NUMBER) or isinstance(weight, bool):
            raise ConfigError(f"{where}: the weight of {brief(text)} must be a number, not {brief(weight)}.")
        yield sound(Term(text, weight), where)


def vocabulary_from_tables(tables: Iterable[Any], where: object) -> Iterator[Term]:
    """Terms from a list of tables: [{term = "dengue fever", weight = 50, label = "B.16"}]."""
    for table in tables:
        if not isinstance(table, Mapping) or "term" not in table:
            raise ConfigError(f'{where}: an entry is a table such as {{term = "dengue", weight = 50}}.')
        must_have_only(KEYS, table, where)
        yield sound(Term(table["term"], table.get("weight", 1.0), table.get("label", "")), where)


def term_to_table(term: Term) -> dict[str, Any]:
    """A term as one of a list of tables."""
    return {"term": term.text, "weight": float(term.weight)} | ({"label": term.label} if term.label else {})


def sound(term: Term, where: object) -> Term:
    """The term, if it can be looked for and weighed."""
    if not finite(term.weight):
        raise ConfigError(f"{where}: the weight of {brief(term.text)} must be a number that is finite.")
    try:
        check_term(term.text)
    except ValueError as error:
        said = str(error).replace(repr(term.text), brief(term.text)).removesuffix(".")
        raise ConfigError(f"{where}: {said}.") from error
    return term._replace(weight=float(term.weight))


def _from_combine(text: str, where: object) -> str:
    """A term of Combine's in our spelling, where several words in a row stand in quotes."""
    parts = _operators(text.replace('"', " "))
    spelt = [
        part.upper() if number % 2 else _phrase(part.strip(), where, in_brackets=len(parts) > 1)
        for number, part in enumerate(parts)
    ]
    return " ".join(filter(None, spelt))


def _phrase(text: str, where: object, *, in_brackets: bool) -> str:
    opening, inner, closing = "", text, ""
    if in_brackets and (found := _bracketed(text)):
        opening, inner, closing = found.groups()
    words = [word[:-1] + "*" if word.endswith("?") else word for word in inner.split()]
    if any("?" in word for word in words):
        raise ConfigError(f"{where}: the ? in {brief(text)} must stand at the end of a word.")
    phrase = " ".join(words)
    if len(words) > 1 or phrase in ("AND", "OR", "NOT"):
        phrase = f'"{phrase}"'
    return f"{opening}{phrase}{closing}"
