"""Text with some words marked, as the API has it: plain text in pieces, never markup."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict


class Span(BaseModel):
    """Plain text, and whether it is marked."""

    model_config = ConfigDict(from_attributes=True)

    text: str
    marked: bool


def spans(text: str, places: Iterable[tuple[int, int]]) -> list[Span]:
    """A text in pieces: those from places are marked, in their order, and the rest is between them."""
    found, last = [], 0
    for start, end in places:
        found += [Span(text=text[last:start], marked=False), Span(text=text[start:end], marked=True)]
        last = end
    found.append(Span(text=text[last:], marked=False))
    return [span for span in found if span.text]
