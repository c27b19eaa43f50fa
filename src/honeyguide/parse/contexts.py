"""The words of a page's links and the words around them, in one pass over its text.

An adapter writes marks into the document and has the whole page rendered as text once. For a link, a mark
takes the place of its words, which the adapter then tells; around long links, and around the main content
and what does not belong to it (menus, header, footer), there is a mark at either end. Cut at the marks, the
text falls into passages: what lies around a link is its context, and what lies in the main content and
not outside of it is the page's own text.
"""

import re
from collections.abc import Mapping, Sequence

MAIN = "m"
"""The name of the marks around a page's main content."""
OUTSIDE = "x"
"""The name of the marks around what is not the page's own text."""

_START, _END = "\x01", "\x02"
_marks = re.compile(f"{_START}([mx]|[0-9]{{1,6}})([()]?){_END}").split
_drop_signs = {ord(_START): None, ord(_END): None}

_MAX_ANCHOR = 60
_MAX_WORD = 40
_ALL_NEAR = 16
"""A passage of fewer characters for each word of the window holds no words far from a link."""

# Thai, Lao, Burmese, Khmer, Japanese and Chinese put no space between words.
_spaceless = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]"
).findall
_SAMPLED = 16


def instead(name: str) -> str:
    """The mark that takes the place of a link's words."""
    return f"{_START}{name}{_END}"


def opening(name: str) -> str:
    """The mark that goes before what it names."""
    return f"{_START}{name}({_END}"


def closing(name: str) -> str:
    """The mark that goes after what it names."""
    return f"{_START}{name}){_END}"


def without_signs(markup: str) -> str:
    """The same markup without the characters that marks are made of."""
    if _START in markup or _END in markup:
        return markup.translate(_drop_signs)
    return markup


class Words:
    """The words of a page that are near its links, in the order of the page."""

    def __init__(self, text: str, *, window: int) -> None:
        spaceless = _is_spaceless(text)
        self._glue = "" if spaceless else " "
        self._window = 2 * window if spaceless else window
        self._longest = 4 * _MAX_ANCHOR if spaceless else _MAX_ANCHOR
        self._short = 0 if spaceless else _ALL_NEAR * window
        self._words: list[str] = []

    def __len__(self) -> int:
        return len(self._words)

    def pass_by(self, passage: str) -> None:
        """Add the words of a passage without links; of a long one only those that can be near a link."""
        if len(passage) < self._short:
            self._words += passage.split()
            return
        if not self._glue:
            self._words += " ".join(passage.split())
            return
        words = passage.split(None, self._window)
        if len(words) > self._window:
            tail = words.pop().rsplit(None, self._window)
            words += tail[1:] if len(tail) > self._window else tail
        self._words += words

    def walk(
        self, text: str, links: Sequence[tuple[int, int]], anchors: Sequence[str], longest: int
    ) -> list[tuple[int, int]]:
        """Add the words of a text with links at some places in it; from which word to which theirs are.

        Links of more characters than the longest are passages, whose words are not all kept.
        """
        words, short, is_spaced = self._words, self._short, bool(self._glue)
        spans = []
        done = 0
        for (start, end), anchor in zip(links, anchors, strict=True):
            passage = text[done:start]
            if len(passage) < short:
                words += passage.split()
            else:
                self.pass_by(passage)
            first = len(words)
            if end - start > longest:
                self.pass_by(text[start:end])
            else:
                words += anchor.split() if is_spaced else anchor
            spans.append((first, len(words)))
            done = end
        self.pass_by(text[done:])
        return spans

    def stop_at(self, anchor: str) -> tuple[int, int]:
        """Add the words of a link; from which word to which they are."""
        words = self._words
        start = len(words)
        words += anchor.split() if self._glue else anchor
        return start, len(words)

    def around(self, start: int, end: int, label: str) -> str:
        """The words around a link and its own; where it has none, or too many, its label takes their place."""
        window = self._window
        first, last = start - window if start > window else 0, end + window
        if 0 < end - start <= self._longest:
            words = self._words[first:last]
            phrase = self._glue.join(words)
            return phrase if len(phrase) <= _MAX_WORD * len(words) else self._phrase(first, last)
        return " ".join(filter(None, (self._phrase(first, start), label, self._phrase(end, last))))

    def _phrase(self, start: int, end: int) -> str:
        words = self._words[start:end]
        phrase = self._glue.join(words)
        if len(phrase) > _MAX_WORD * len(words):
            # Shortened in place, so that a giant word is copied once and not for every link near it.
            words = self._words[start:end] = [word[:_MAX_WORD] for word in words]
            phrase = self._glue.join(words)
        return phrase


class MarkedText:
    """A page's text cut at its marks. Links go by the names in their marks, their numbers as strings."""

    def __init__(self, text: str, anchors: Mapping[str, str], *, window: int) -> None:
        self._words = Words(text, window=window)
        self._spans: dict[str, tuple[int, int]] = {}
        self._main: list[str] = []
        self._visible: list[str] = []
        self._cut(text, anchors)

    @property
    def main(self) -> str:
        """The text of the main content, without what stands outside of it."""
        return "".join(self._main).strip()

    @property
    def visible(self) -> str:
        """All text, without what stands outside of it."""
        return "".join(self._visible).strip()

    @property
    def share(self) -> float:
        """How much of the visible text that is not links the main content holds, from 0 to 1."""
        return sum(map(len, self._main[::2])) / (sum(map(len, self._visible[::2])) or 1)

    def context(self, name: str, label: str) -> str:
        """The words around a link; where the link itself has none, its label takes their place."""
        span = self._spans.get(name)
        return label if span is None else self._words.around(*span, label)

    def _cut(self, text: str, anchors: Mapping[str, str]) -> None:
        words, spans = self._words, self._spans
        main, visible, depth = False, True, 0
        pieces = _marks(text)
        for piece, name, side in zip(pieces[::3], [*pieces[1::3], ""], [*pieces[2::3], ""], strict=True):
            words.pass_by(piece)
            anchor = "" if side else anchors.get(name, "")
            if visible:
                self._visible += piece, anchor
                if main:
                    self._main += piece, anchor
            if not side:
                spans[name] = words.stop_at(anchor)
            elif name == OUTSIDE:
                depth = depth + 1 if side == "(" else max(0, depth - 1)
                visible = depth == 0
            elif name == MAIN:
                main = side == "("
            elif side == "(":
                spans[name] = len(words), len(words)
            elif name in spans:
                spans[name] = spans[name][0], len(words)


def _is_spaceless(text: str) -> bool:
    """Whether a good part of a text is in a script without spaces between words."""
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        sample = text[::_SAMPLED]
        return 5 * len(_spaceless(sample)) > len(sample)
    return False
