"""A page's text with the words that a verdict's reasons name marked in it, in whatever form the text has them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from honeyguide.text.tokens import Tokeniser

LONGEST_PHRASE = 6

_words = re.compile(r"[^\W_]+(?:['’][^\W_]+)*").finditer


class Span(NamedTuple):
    """Some text, and the number of the reason that names it, if one does."""

    text: str
    reason: int | None = None


def terms_of(reason: str) -> list[str]:
    """What a reason names: what follows its colon, piece by piece, or all of it."""
    _, colon, named = reason.rpartition(": ")
    return [term.strip() for term in (named if colon else reason).split(",") if term.strip()]


def highlighted(text: str, reasons: Sequence[str], *, tokeniser: Tokeniser | None = None) -> list[Span]:
    """The text in pieces; together they are the text."""
    stems_of = _Stems(tokeniser or Tokeniser())
    phrases: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for number, reason in enumerate(reasons):
        for term in terms_of(reason):
            stems = tuple(stem for word in _words(term) for stem in stems_of[word[0]])
            # The first reason that names a word is the weightiest.
            if stems and len(stems) <= LONGEST_PHRASE and _is_new(phrases.get(stems[0], ()), stems):
                phrases.setdefault(stems[0], []).append((stems, number))
    for several in phrases.values():
        several.sort(key=lambda item: -len(item[0]))
    spans: list[Span] = []
    end = 0
    for start, stop, number in _places(text, stems_of, phrases):
        if start > end:
            spans.append(Span(text[end:start]))
        spans.append(Span(text[start:stop], number))
        end = stop
    if end < len(text):
        spans.append(Span(text[end:]))
    return spans


def _is_new(known: Sequence[tuple[tuple[str, ...], int]], stems: tuple[str, ...]) -> bool:
    return all(other != stems for other, _ in known)


def _places(
    text: str, stems_of: "_Stems", phrases: dict[str, list[tuple[tuple[str, ...], int]]]
) -> Iterator[tuple[int, int, int]]:
    if not phrases:
        return
    words = [(word.start(), word.end(), stems_of[word[0]]) for word in _words(text)]
    at = 0
    while at < len(words):
        stems = words[at][2]
        for phrase, number in phrases.get(stems[0], ()) if stems else ():
            if all(
                at + step < len(words) and words[at + step][2][:1] == (stem,)
                for step, stem in enumerate(phrase)
            ):
                yield words[at][0], words[at + len(phrase) - 1][1], number
                at += len(phrase) - 1
                break
        at += 1


class _Stems(dict[str, tuple[str, ...]]):
    """The stems of words that were met."""

    def __init__(self, tokeniser: Tokeniser) -> None:
        super().__init__()
        self._tokeniser = tokeniser

    def __missing__(self, word: str) -> tuple[str, ...]:
        stems = self[word] = tuple(self._tokeniser.stems(word))
        return stems
