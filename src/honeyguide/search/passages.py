"""The piece of a page's text that shows best why it was found, with the words marked."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import tantivy

WIDTH = 240
BEFORE = 60
"""Characters shown before the first marked word."""

PIECE = 400
"""Characters of a text that are read at once, if they may hold a wanted word."""

MOST_PIECES = 20


class Span(NamedTuple):
    """Plain text, and whether it is a word that was searched for."""

    text: str
    marked: bool = False


class Mark(NamedTuple):
    """Where in a text a wanted word is."""

    start: int
    end: int
    term: str


def passage(
    text: str, terms: Collection[str], analyser: tantivy.TextAnalyzer, *, width: int = WIDTH
) -> tuple[Span, ...]:
    """The stretch with the most different wanted words; the beginning of the text where there are none."""
    marks = [mark for piece in _pieces(text, terms) for mark in _marks(text, piece, terms, analyser)]
    first = _best_start(marks, width - BEFORE)
    start = _word_start(text, max(0, marks[first].start - BEFORE)) if marks else 0
    end = _word_end(text, start + width)
    spans = [Span("… ")] if start else []
    place = start
    for mark in marks[first:]:
        if mark.end > end:
            break
        spans += [Span(shown(text[place : mark.start])), Span(shown(text[mark.start : mark.end]), True)]
        place = mark.end
    spans += [Span(shown(text[place:end])), *([Span(" …")] if end < len(text) else [])]
    return tuple(span for span in spans if span.text)


def shown(text: str) -> str:
    """Text from the web on one line, without any character that would steer a terminal or turn the writing around."""
    if not (plain := text).isprintable():
        plain = "".join(character if character.isprintable() else " " for character in text)
    blank = {True: " ", False: ""}
    return (
        blank[plain[:1] == " "] + " ".join(plain.split()) + blank[plain[-1:] == " " and bool(plain.strip())]
    )


def _pieces(text: str, terms: Collection[str]) -> Iterator[tuple[int, int]]:
    """The stretches of a text that may hold a wanted word: a stem and its words start alike but for an ending."""
    beginnings = tuple({term[: max(2, len(term) - 2)] for term in terms})
    start = taken = 0
    while start < len(text) and taken < MOST_PIECES and terms:
        end = _word_end(text, start + PIECE)
        folded = text[start:end].lower()
        if any(beginning in folded for beginning in beginnings):
            yield start, end
            taken += 1
        start = end


def _marks(
    text: str, piece: tuple[int, int], terms: Collection[str], analyser: tantivy.TextAnalyzer
) -> Iterator[Mark]:
    start, end = piece
    for token in analyser.pre_tokenize(text[start:end]).tokens:
        term = token.text
        if term in terms:
            yield Mark(start + token.char_offset_from, start + token.char_offset_to, term)


def _best_start(marks: list[Mark], width: int) -> int:
    """The mark after which the most different words, and then the most words, lie within the width."""
    best, best_value, last = 0, (0, 0), 0
    held: dict[str, int] = {}
    for first, mark in enumerate(marks):
        while last < len(marks) and marks[last].end <= mark.start + width:
            held[marks[last].term] = held.get(marks[last].term, 0) + 1
            last += 1
        value = (len(held), last - first)
        if value > best_value:
            best, best_value = first, value
        if last > first:
            held[mark.term] -= 1
            if not held[mark.term]:
                del held[mark.term]
        else:
            last = first + 1
    return best


def _word_start(text: str, place: int) -> int:
    """The beginning of the first word from a place on, unless it is far."""
    if place == 0:
        return 0
    blank = text.find(" ", place, place + 30)
    return blank + 1 if blank >= 0 else place


def _word_end(text: str, place: int) -> int:
    if place >= len(text):
        return len(text)
    blank = text.rfind(" ", max(0, place - 30), place)
    return blank if blank > 0 else place
