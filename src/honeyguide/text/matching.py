"""Terms of a controlled vocabulary, found in one pass over a page's words however many terms there are.

A term is a word (`mosquito`), a word by its beginning (`mosquito*`), an exact phrase (`dengue fever`), or a
boolean combination of these (`dengue AND (vaccine OR "vector control") NOT malaria`).
"""

from collections.abc import Sequence
from typing import NamedTuple

from honeyguide.model import Term
from honeyguide.text.documents import Document, Documents


class Match(NamedTuple):
    """A term that a page says: its place in the list of terms, and how often."""

    term: int
    times: int


class Matcher:
    """Finds terms in documents."""

    def __init__(self, terms: Sequence[Term], documents: Documents) -> None:
        self.terms = tuple(terms)
        self._documents = documents

    def find(self, document: Document) -> list[Match]:
        """The terms that the title or main text of a page say."""
        return []
