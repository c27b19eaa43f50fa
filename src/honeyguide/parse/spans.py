"""A page's text with the spans of its links and parts, as a renderer that can tell them gives it.

What `contexts` does with marks in a document, this does with places in its text, and more cheaply. A link
without words has no place in a text: one sign has to be written into it, which does not get out of here.
"""

from collections.abc import Iterable, Sequence

from honeyguide.parse.contexts import Words
from honeyguide.parse.head import squeeze
from honeyguide.parse.layout import LONG_ANCHOR

Span = tuple[int, int]
SIGN = "\x01"
"""What stands for the words of a link that has none."""


class SpannedText:
    """A page's text; links go by their numbers as strings, and do not overlap."""

    def __init__(
        self, text: str, links: Sequence[Span], *, main: Span, outside: Iterable[Span], window: int
    ) -> None:
        self.anchors = [_anchor(text[start:end]) for start, end in links]
        """The words of each link."""
        self._text = text
        self._links = links
        self._main = main
        self._outside = _merged(outside)
        self._words = Words(text, window=window)
        self._places = self._words.walk(text, links, self.anchors, LONG_ANCHOR)

    @property
    def main(self) -> str:
        """The text of the main content, without what stands outside of it."""
        return self.between(self._main)

    @property
    def visible(self) -> str:
        """All text, without what stands outside of it."""
        return self.between((0, len(self._text)))

    @property
    def share(self) -> float:
        """How much of the visible text that is not links the main content holds, from 0 to 1."""
        return self._unlinked(self._main) / (self._unlinked((0, len(self._text))) or 1)

    def context(self, name: str, label: str) -> str:
        """The words around a link; where the link itself has none, its label takes their place."""
        start, end = self._places[int(name)]
        return self._words.around(start, end, label)

    def between(self, span: Span) -> str:
        """A part of the text, without what stands outside of it."""
        return "".join([self._text[start:end] for start, end in self._inside(span)]).replace(SIGN, "").strip()

    def _inside(self, span: Span) -> Iterable[Span]:
        """What is left of a span without the parts that are outside."""
        start, last = span
        for begin, end in self._outside:
            if begin >= last:
                break
            if end > start:
                if begin > start:
                    yield start, begin
                start = end
        if start < last:
            yield start, last

    def _unlinked(self, span: Span) -> int:
        """How many characters of a span are neither outside nor words of links."""
        count = 0
        links = iter(self._links)
        start, end = next(links, (len(self._text), 0))
        for first, last in self._inside(span):
            count += last - first
            while start < last:
                if start >= first and end - start <= LONG_ANCHOR:
                    count -= end - start
                start, end = next(links, (len(self._text), 0))
        return count


def _anchor(words: str) -> str:
    if len(words) > LONG_ANCHOR:
        return squeeze(words, LONG_ANCHOR)
    anchor = " ".join(words.split())
    return "" if anchor == SIGN else anchor


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, none within another."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
