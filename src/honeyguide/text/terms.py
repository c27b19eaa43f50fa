"""The terms of a text: its noun phrases, ranked by the C-value (GT eq. 2.1; Frantzi, Ananiadou & Mima 2000).

Candidates are adjectives and nouns in a row that end in a noun, up to some words long, without stop words:
whole noun phrases and what is nested in them. With |a| the words of a candidate, f(a) how often it occurs and
T_a the longer terms that contain it,

    C(a) = log2(|a| + 1) * f(a)                                          if a is not nested,
           log2(|a| + 1) * (f(a) - (1/|T_a|) * sum of f(b) for b in T_a) otherwise.

log2(|a|), as printed, gives every single word 0; it is used where single words are not asked for. As in the
method's worked example, an occurrence counts in f(b) once: not again if it lies inside a term longer than b.
Candidates are worked through from the longest; what does not reach the least C-value is no term, and
contains none. Words compare in lower case and nouns as singulars.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Page
from honeyguide.text.documents import Document, Documents
from honeyguide.text.tagging import Tag, Tagger
from honeyguide.text.wordbook import Column

LONGEST = 5
"""Words of the longest term; longer noun phrases are mostly lists and headings run together."""

FEWEST = 20
"""Terms that a text should have: of one too short to repeat itself, all candidates are terms."""

MOST_WORDS = 1_000_000
"""Words of several texts after which no further text is read: their terms are known by then."""

_SINGULARS = {
    "men": "man",
    "women": "woman",
    "children": "child",
    "feet": "foot",
    "teeth": "tooth",
    "mice": "mouse",
    "geese": "goose",
    "wolves": "wolf",
    "leaves": "leaf",
    "lives": "life",
    "knives": "knife",
    "wives": "wife",
    "viruses": "virus",
    "species": "species",
    "series": "series",
    "news": "news",
    "movies": "movie",
    "analyses": "analysis",
    "hypotheses": "hypothesis",
    "bacteria": "bacterium",
    "phenomena": "phenomenon",
    "criteria": "criterion",
    "vertices": "vertex",
    "matrices": "matrix",
}


def singular(word: str) -> str:
    """A noun in the singular, by its ending; other words stay as they are, near enough to compare them."""
    if not word.endswith("s") or len(word) < 4:
        return _SINGULARS.get(word, word)
    if word in _SINGULARS:
        return _SINGULARS[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("oes") and len(word) > 5:
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


class Terms(NamedTuple):
    """Different terms of a text in the order in which they first occur: where, how long, their C-values.

    `words` are the text's words as they compare.
    """

    words: NDArray[np.int32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    values: NDArray[np.float64]


class Recogniser:
    """Finds terms; `least` is the C-value that makes one, `singles` whether one word may be one."""

    def __init__(
        self, documents: Documents, *, least: float = 2.0, singles: bool = True, longest: int = LONGEST
    ) -> None:
        if not 1 <= longest <= LONGEST:
            raise ConfigError(f"A term has between 1 and {LONGEST} words, not up to {longest}.")
        self._documents = documents
        self._words = documents.book.words
        self._tagger = Tagger(self._words)
        self._singulars = Column(self._words, self._singular_number, np.int32)
        self.least = least
        self.singles = singles
        self.longest = longest

    def terms(self, document: Document) -> Terms:
        """The terms of one page; `starts` are places among `document.words`."""
        breaks = document.breaks
        tags = self._tagger.tagged(document.words, breaks)
        return self._ranked(self._singulars.of(document.words), tags, breaks)

    def terms_of(self, pages: Iterable[Page | Example], *, most: int | None = None) -> dict[str, float]:
        """The terms of several texts taken together, by C-value; of equal ones the first comes first.

        A term is spelt as where it first occurs.
        """
        spelt: list[str] = []
        compared: list[int] = []
        numbers: dict[str, int] = {}
        parts: list[tuple[NDArray[np.int8], NDArray[np.bool_]]] = []
        for page in pages:
            if len(spelt) >= MOST_WORDS:
                break
            document = self._documents.read(page)
            words = [self._words.list[number] for number in document.words.tolist()]
            spelt += words
            # Numbered here, because the wordbook may start afresh between two texts.
            compared += [numbers.setdefault(singular(word), len(numbers)) for word in words]
            breaks = document.breaks
            parts.append((self._tagger.tagged(document.words, breaks), breaks))
        if not spelt:
            return {}
        found = self._ranked(
            np.array(compared, np.int32),
            np.concatenate([tags for tags, _ in parts]),
            np.concatenate([breaks for _, breaks in parts]),
        )
        ranks = np.argsort(-found.values, kind="stable")[:most]
        return {
            " ".join(spelt[start : start + length]): value
            for start, length, value in zip(
                found.starts[ranks].tolist(),
                found.lengths[ranks].tolist(),
                found.values[ranks].tolist(),
                strict=True,
            )
        }

    def _ranked(self, words: NDArray[np.int32], tags: NDArray[np.int8], breaks: NDArray[np.bool_]) -> Terms:
        places = np.flatnonzero(tags)
        apart = (np.diff(places, prepend=-2) != 1) | breaks[places]
        ranked = partial(
            c_values,
            words[places],
            tags[places] == Tag.NOUN,
            apart,
            longest=self.longest,
            weight=_with_singles if self.singles else _without_singles,
        )
        found = ranked(least=self.least)
        if len(found.starts) < FEWEST and self.least > 0:
            found = ranked(least=0.0)
        return found._replace(words=words, starts=places[found.starts])

    def _singular_number(self, word: str) -> int:
        return self._words.number(singular(word))

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._documents, self.least, self.singles, self.longest)


def _again(documents: Documents, least: float, singles: bool, longest: int) -> Recogniser:
    return Recogniser(documents, least=least, singles=singles, longest=longest)


def _with_singles(length: int) -> float:
    return float(np.log2(length + 1))


def _without_singles(length: int) -> float:
    return float(np.log2(length))


def c_values(
    words: NDArray[np.int32],
    ends: NDArray[np.bool_],
    apart: NDArray[np.bool_],
    *,
    least: float = 0.0,
    longest: int = LONGEST,
    weight: Callable[[int], float] = _with_singles,
) -> Terms:
    """The terms among noun phrases that stand one after another, by their words' numbers.

    `ends` says which words may end a term, `apart` which begin a new phrase. A term has a C-value above 0 and
    of `least` or more.
    """
    grams = _grams(words, ends, apart, longest)
    found: list[tuple[NDArray[Any], ...]] = []
    for length in range(len(grams), 0, -1):
        gram = grams[length - 1]
        own = gram.counts - gram.nested / np.maximum(gram.within, 1)
        values = weight(length) * own
        terms = np.flatnonzero((values >= least) & (values > 0))
        starts = gram.first[terms]
        found.append((starts, np.full(len(terms), length), values[terms]))
        # What stands inside a longer term was counted there.
        alone = (gram.counts - gram.nested)[terms]
        for shorter in range(1, length) if len(terms) else ():
            _nest(grams[shorter - 1], starts, alone, length - shorter)
    starts, lengths, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((lengths, starts))
    return Terms(words, starts[order], lengths[order], values[order])


class _Grams(NamedTuple):
    """The different runs of so many words: where each first ends a term, how often, and inside how many."""

    at: NDArray[np.int64]
    """The number of the run that starts at each place; -1 where no candidate starts."""
    first: NDArray[np.int64]
    counts: NDArray[np.float64]
    nested: NDArray[np.float64]
    within: NDArray[np.float64]


def _grams(
    words: NDArray[np.int32], ends: NDArray[np.bool_], apart: NDArray[np.bool_], longest: int
) -> list[_Grams]:
    size = len(words)
    # For every word how many of its phrase are left, itself included.
    begins = np.append(np.flatnonzero(apart), size)
    left = np.repeat(begins[1:], np.diff(begins)) - np.arange(size)
    starts = np.arange(size)
    runs = words.astype(np.int64)
    grams = []
    for length in range(1, longest + 1):
        if length > 1:
            kept = np.flatnonzero(left[starts] >= length)
            starts = starts[kept]
            # A run is the run of all its words but the last, and the last.
            runs = (runs[kept] << 32) | words[starts + length - 1]
        _, runs = np.unique(runs, return_inverse=True)
        candidates = np.flatnonzero(ends[starts + length - 1])
        places, numbers = starts[candidates], runs[candidates]
        at = np.full(size, -1)
        at[places] = numbers
        kinds = int(runs.max(initial=-1)) + 1
        first = np.zeros(kinds, np.int64)
        first[numbers[::-1]] = places[::-1]
        counts = np.bincount(numbers, minlength=kinds).astype(np.float64)
        grams.append(_Grams(at, first, counts, np.zeros(kinds), np.zeros(kinds)))
    return grams


def _nest(shorter: _Grams, starts: NDArray[np.int64], alone: NDArray[np.float64], last_offset: int) -> None:
    """Note for shorter candidates that terms found at `starts`, each so often, contain them."""
    earlier: list[NDArray[np.int64]] = []
    for offset in range(last_offset + 1):
        inside = shorter.at[starts + offset]
        fresh = inside >= 0
        for other in earlier:
            fresh &= inside != other
        numbers = inside[fresh]
        np.add.at(shorter.nested, numbers, alone[fresh])
        np.add.at(shorter.within, numbers, 1.0)
        earlier.append(inside)
