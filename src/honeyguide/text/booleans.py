"""How the terms of a controlled vocabulary are written, and what they mean.

    mosquito                       a word, by its stem: mosquitoes too
    mosquito*                      every word that starts so
    dengue fever                   a phrase: the words one after another; quotes around it change nothing
    dengue AND (vaccine OR "vector control") NOT malaria

AND, OR and NOT are written large; NOT alone stands for AND NOT, and binds closest, OR least.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from honeyguide.model import Term
from honeyguide.text.tokens import Tokeniser, pieces

ABSENT = 1e9
"""How often a page says `NOT malaria` that says malaria nowhere: as often as whatever stands beside it."""

DEEPEST = 50

_SIGN = re.compile(r'[()"]|(?<!\S)(?:AND|OR|NOT)(?!\S)')
_LEXEME = re.compile(r'"([^"]*)"|([()])|([^\s()"]+)')


class Pattern(NamedTuple):
    """What one word of a page must be: a word with this stem, this stop word, or any with this beginning."""

    kind: str
    text: str


class Atom(NamedTuple):
    """A word or phrase; one that holds numbers, which are no words, is compared by its `letters` as well."""

    patterns: tuple[Pattern, ...]
    letters: str = ""


class Node(NamedTuple):
    """A boolean combination of atoms: AND, OR or NOT of its parts; "" is an atom."""

    operator: str
    parts: tuple["Node", ...] = ()
    atom: Atom | None = None

    def atoms(self) -> list[Atom]:
        """All its atoms, from left to right."""
        return [self.atom] if self.atom else [atom for part in self.parts for atom in part.atoms()]

    def times(self, times_of: Callable[[Atom], float]) -> float:
        """How often a page says it: AND the smallest of its parts, OR their sum."""
        if self.atom:
            return times_of(self.atom)
        amounts = [part.times(times_of) for part in self.parts]
        if self.operator == "NOT":
            return 0.0 if amounts[0] > 0 else ABSENT
        return min(amounts) if self.operator == "AND" else sum(amounts)


def parse_term(text: str, tokeniser: Tokeniser) -> Node:
    """What a term means; ValueError with a sentence if it means nothing."""
    if not _SIGN.search(text):
        return Node("", atom=_phrase(text, text, tokeniser))
    node = _Parser(text, tokeniser).term()
    if node.times(lambda atom: 0.0) > 0:
        raise ValueError(
            f"The term {text!r} only says what a page must not say, so every other page says it."
        )
    return node


def plain(terms: Iterable[Term], tokeniser: Tokeniser) -> list[Term]:
    """The terms that speak for the topic and are a word or a phrase."""
    return [term for term in terms if term.weight > 0 and not parse_term(term.text, tokeniser).operator]


class _Lexeme(NamedTuple):
    kind: str
    text: str


class _Parser:
    """Reads one term from left to right."""

    def __init__(self, text: str, tokeniser: Tokeniser) -> None:
        self._text = text
        self._tokeniser = tokeniser
        self._left = _lexemes(text)
        self._depth = 0

    def term(self) -> Node:
        if not self._left:
            raise self._wrong("is empty")
        if self._text.count('"') % 2:
            raise self._wrong("opens a quote that it does not close")
        node = self._any()
        if self._sees(")"):
            raise self._wrong('has a ")" too many')
        if self._left:
            raise self._wrong("needs AND, OR or NOT between its parts")
        return node

    def _any(self) -> Node:
        parts = [self._all()]
        while self._takes("OR"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else Node("OR", tuple(parts))

    def _all(self) -> Node:
        parts = [self._one()]
        while self._takes("AND") or self._sees("NOT"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Node("AND", tuple(parts))

    def _one(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._wrong("is nested too deeply")
        if self._takes("NOT"):
            node = Node("NOT", (self._one(),))
        elif self._takes("("):
            node = self._any()
            if not self._takes(")"):
                raise self._wrong('lacks a ")"')
        else:
            node = Node("", atom=self._atom())
        self._depth -= 1
        return node

    def _atom(self) -> Atom:
        if not self._left or self._left[0].kind == "sign":
            what = self._left[0].text if self._left else "nothing"
            raise self._wrong(f"has {what} where a word should stand")
        if self._left[0].kind == "quoted":
            return _phrase(self._left.pop(0).text, self._text, self._tokeniser)
        words = []
        while self._left and self._left[0].kind == "word":
            words.append(self._left.pop(0).text)
        return _phrase(" ".join(words), self._text, self._tokeniser)

    def _sees(self, sign: str) -> bool:
        return self._left[:1] == [_Lexeme("sign", sign)]

    def _takes(self, sign: str) -> bool:
        sees = self._sees(sign)
        if sees:
            self._left.pop(0)
        return sees

    def _wrong(self, why: str) -> ValueError:
        return _wrong(self._text, why)


def _phrase(text: str, whole: str, tokeniser: Tokeniser) -> Atom:
    """A word or phrase that stands in a term."""
    patterns: list[Pattern] = []
    numbers = False
    for chunk in text.split():
        bare = chunk.rstrip("*,;.")
        words = tokeniser.tokens(bare)
        if "*" in bare or ("*" in chunk and not words):
            raise _wrong(whole, "has a * that does not stand at the end of a word")
        if any(map(str.isdigit, bare)):
            numbers |= len(words) < len(pieces(bare))
        for word in words:
            stem = tokeniser.stem(word)
            patterns.append(Pattern("stem", stem) if stem else Pattern("word", word))
        if "*" in chunk:
            patterns[-1] = Pattern("beginning", words[-1])
    if not patterns:
        raise _wrong(
            whole, "has no word to look for, and a number alone is none" if text.strip() else "is empty"
        )
    return Atom(tuple(patterns), _letters(text) if numbers else "")


def _wrong(term: str, why: str) -> ValueError:
    return ValueError(f"The term {term!r} {why}.")


def _lexemes(text: str) -> list[_Lexeme]:
    found = []
    for quoted, sign, word in _LEXEME.findall(text):
        if sign or word in ("AND", "OR", "NOT"):
            found.append(_Lexeme("sign", sign or word))
        else:
            found.append(_Lexeme("word", word) if word else _Lexeme("quoted", quoted))
    return found


def _letters(text: str) -> str:
    """An expression for a phrase letter by letter, whatever spaces or hyphens stand between its words."""
    first, *others = [re.escape(piece.decode("utf-8", "ignore")) for piece in pieces(text)]
    # What must not stand before comes after the first word: what an expression starts with is searched fast.
    start = rf"{first}(?<!\w{first})"
    return r"[\s\-–]+".join((start, *others)) + ("" if text.endswith("*") else r"(?!\w)")
