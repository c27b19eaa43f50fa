"""A page's text as a person is shown it who has to say whether it is on topic."""

import re
from collections.abc import Iterator

from honeyguide.model import Topic
from honeyguide.text.tokens import Tokeniser

FIRST_SHOWN = 900
MORE_SHOWN = 3000
"""Characters of a page's text that are shown at first, and each time more is asked for."""

_WORD = re.compile(r"[^\W_]+")


def pieces_of(text: str) -> Iterator[str]:
    """A text in pieces to show one after the other, cut between words; without what steers a terminal or a reader."""
    lines = [" ".join(_printable(line).split()) for line in text.splitlines()]
    whole = "\n".join(line for line in lines if line)
    start, size = 0, FIRST_SHOWN
    while start < len(whole):
        end = start + size
        if end < len(whole):
            end = max(whole.rfind(" ", start, end), whole.rfind("\n", start, end))
            end = end if end > start else start + size
        yield whole[start:end].strip()
        start, size = end, MORE_SHOWN


class TopicWords:
    """Finds the words that a topic names, in whatever form a text has them."""

    def __init__(self, topic: Topic) -> None:
        self._tokeniser = Tokeniser()
        named = (topic.name, *topic.keywords, *(term.text for term in topic.vocabulary if term.weight > 0))
        self._stems = {stem for text in named for stem in self._tokeniser.stems(text)}

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where in a text they start and end."""
        for word in _WORD.finditer(text):
            if not self._stems.isdisjoint(self._tokeniser.stems(word[0])):
                yield word.span()


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)
