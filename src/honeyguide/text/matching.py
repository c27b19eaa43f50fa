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
from honeyguide.text.documents import TITLE_WORDS, Document, Documents, Weights
from honeyguide.text.pieces import LONGEST_TEXT, Numbers
from honeyguide.text.sequences import Sequences
from honeyguide.text.tokens import Tokeniser
from honeyguide.text.word_classes import Classified


class Match(NamedTuple):
    """A term that a page says: its place in the list of terms, and how often."""

    term: int
    times: int


class Said(NamedTuple):
    """The terms that a page says, by their places in the list of terms and in its order, and how often."""

    terms: NDArray[np.intp]
    times: NDArray[np.float64]
    words: int
    """How many words the main text has."""


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
        self._sequences = Sequences(
            (atom.patterns for node in nodes for atom in node.atoms()), documents.tokeniser
        )
        # A word or phrase is all of one term, or there is more to look at: a boolean, or a number.
        plain: dict[int, int] = {}
        self._more: defaultdict[int, list[tuple[int, Node]]] = defaultdict(list)
        for number, node in enumerate(nodes):
            for sequence in {self._sequences.numbers[atom.patterns] for atom in node.atoms()}:
                if node.atom is None or node.atom.letters:
                    self._more[sequence].append((number, node))
                else:
                    plain.setdefault(sequence, number)
        self._plain = np.array(list(plain), np.intp)
        self._plain_terms = np.array(list(plain.values()), np.intp)

    def find(self, document: Document) -> list[Match]:
        """The terms that the title or main text of a page say."""
        said = self.weigh(document)
        found = zip(said.terms.tolist(), said.times.tolist(), strict=True)
        return [Match(term, round(times)) for term, times in found]

    def weigh(self, document: Document, weights: Weights = Weights()) -> Said:  # noqa: B008 - an immutable value
        """How often a page says each term that it says; every part of the page counts so many times.

        A boolean term is said by the page as a whole: one word of it may stand in a heading, one in the text.
        """
        parts = {name: times for name, times in weights._asdict().items() if times > 0}
        title, text = self._title_and_text(document)
        counts = np.zeros(len(self._sequences))
        for name, weight in parts.items():
            found = self._find(name, title, text, document)
            if found.size:
                counts += weight * np.bincount(found, minlength=len(counts))
        times = counts.take(self._plain)
        said = times.nonzero()[0]
        terms, times = self._plain_terms.take(said), times.take(said)
        if self._more and (rest := self._rest(counts, document, parts)):
            terms = np.append(terms, np.array(list(rest), np.intp))
            order = terms.argsort()
            terms, times = terms.take(order), np.append(times, list(rest.values())).take(order)
        return Said(terms, times, self._sequences.count(text))

    def _title_and_text(self, document: Document) -> tuple[Classified, Classified]:
        both = document.cut_title_and_text()
        if both is None:
            return self._sequences.read(document.cut("title")), self._sequences.read(document.cut("text"))
        pieces, border = both
        return self._sequences.read(pieces).parted(border)

    def _find(self, part: str, title: Classified, text: Classified, document: Document) -> Numbers:
        """The words and phrases in one part of a page; in the title only those that count."""
        if part == "text":
            return self._sequences.find(text)
        if part != "title":
            return self._sequences.find(self._sequences.read(document.cut(part)))
        if not (title.classes > 0).any():
            return title.classes[:0]
        title = self._sequences.only_words(title)
        backed = self._sequences.backed(title, text) if self._sequences.count(text) else None
        which = document.part("title").which if backed is None else backed[backed < TITLE_WORDS]
        # What does not count is as good as a word that nobody wants.
        counting = np.zeros_like(title.classes)
        counting[which] = title.classes[which]
        return self._sequences.find(title._replace(classes=counting))

    def _rest(
        self, counts: NDArray[np.float64], document: Document, parts: dict[str, float]
    ) -> dict[int, float]:
        """The terms that are more than a word or phrase, and how often they are said."""
        waiting = {
            number: node
            for which in counts.nonzero()[0].tolist()
            for number, node in self._more.get(which, ())
        }
        if not waiting:
            return {}

        def times_of(atom: Atom) -> float:
            times = float(counts[self._sequences.numbers[atom.patterns]])
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
