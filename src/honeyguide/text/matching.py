"""Terms of a controlled vocabulary, found in one pass over a page's words however many terms there are.

How terms are written is told in `text.booleans`. The words and phrases of all terms are found together; a
boolean term is looked at only on pages that say one of its words.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Term
from honeyguide.text.booleans import ABSENT, Atom, Node, parse_term
from honeyguide.text.documents import Document, Documents, Weights
from honeyguide.text.sequences import Sequences
from honeyguide.text.tokens import Tokeniser
from honeyguide.text.wordbook import LONGEST_TEXT

_NONE = -1
_NO_NUMBERS = np.zeros(0, np.int32)


class Match(NamedTuple):
    """A term that a page says: its place in the list of terms, and how often."""

    term: int
    times: int


class Said(NamedTuple):
    """The terms that a page says, by their places in the list of terms and in its order, and how often."""

    terms: NDArray[np.intp]
    times: NDArray[np.float64]


def check_term(text: str) -> None:
    """Raise ValueError with a sentence if a term cannot be understood."""
    parse_term(text, Tokeniser())


class Matcher:
    """Finds terms in documents; a term that cannot be understood is refused in a sentence.

    Of several words or phrases that are the same, as mosquito and mosquitoes are, the first is found.
    """

    def __init__(self, terms: Sequence[Term], documents: Documents) -> None:
        self.terms = tuple(terms)
        self._documents = documents
        nodes = [_parsed(term, documents.tokeniser) for term in self.terms]
        self._sequences = Sequences((atom.patterns for node in nodes for atom in node.atoms()), documents)
        # A word or phrase is all of one term, or there is more to look at: a boolean, or a number.
        self._term = np.full(len(self._sequences), _NONE, np.intp)
        self._more: defaultdict[int, list[tuple[int, Node]]] = defaultdict(list)
        for number, node in enumerate(nodes):
            for sequence in {self._sequences.numbers[atom.patterns] for atom in node.atoms()}:
                if node.atom is None or node.atom.letters:
                    self._more[sequence].append((number, node))
                elif self._term[sequence] == _NONE:
                    self._term[sequence] = number

    def find(self, document: Document) -> list[Match]:
        """The terms that the title or main text of a page say."""
        said = self.weigh(document)
        return [Match(term, round(times)) for term, times in zip(*map(np.ndarray.tolist, said), strict=True)]

    def weigh(self, document: Document, weights: Weights = Weights()) -> Said:  # noqa: B008 - an immutable value
        """How often a page says each term that it says; every part of the page counts so many times.

        A boolean term is said by the page as a whole: one word of it may stand in a heading, one in the text.
        """
        parts = {name: times for name, times in weights._asdict().items() if times > 0}
        found = [self._sequences.find(document.part(name)) for name in parts]
        times = np.repeat(list(parts.values()), list(map(len, found)))
        said, which = np.unique(np.concatenate((_NO_NUMBERS, *found)), return_inverse=True)
        counts = np.bincount(which, times, len(said)).astype(np.float64, copy=False)
        terms = self._term.take(said)
        plain = (terms != _NONE).nonzero()[0]
        terms, times = terms.take(plain), counts.take(plain)
        if self._more and (rest := self._rest(said.tolist(), counts.tolist(), document, parts)):
            terms = np.concatenate((terms, np.array(list(rest), np.intp)))
            times = np.concatenate((times, np.array(list(rest.values()), np.float64)))
        order = terms.argsort()
        return Said(terms.take(order), times.take(order))

    def _rest(
        self, said: list[int], counts: list[float], document: Document, parts: dict[str, float]
    ) -> dict[int, float]:
        """The terms that are more than a word or phrase, and how often they are said."""
        waiting = {number: node for which in said for number, node in self._more.get(which, ())}
        if not waiting:
            return {}
        counted = dict(zip(said, counts, strict=True))

        def times_of(atom: Atom) -> float:
            times = counted.get(self._sequences.numbers[atom.patterns], 0.0)
            return _spelt(atom.letters, document, parts) if times and atom.letters else times

        found = {number: node.times(times_of) for number, node in waiting.items()}
        return {number: times if times < ABSENT else 1.0 for number, times in found.items() if times > 0}


def _parsed(term: Term, tokeniser: Tokeniser) -> Node:
    try:
        return parse_term(term.text, tokeniser)
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _spelt(letters: str, document: Document, parts: dict[str, float]) -> float:
    """How often a page says what is told letter by letter; in the title only if the text says it too."""
    found = {
        name: len(re.findall(letters, document.text_of(name)[:LONGEST_TEXT].lower()))
        for name in {**parts, "text": 0.0}
    }
    if len(document.words) and not found["text"]:
        found["title"] = 0
    return sum(found[name] * times for name, times in parts.items())
