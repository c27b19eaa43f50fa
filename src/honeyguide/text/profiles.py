"""Lexical profiles of terms, and how alike terms are to those of the levels of a directory (GT 3.1, 3.2).

The profile P(t) of a term is all runs of words in it. With h the head of a term, its last word,

    LS(s, t) = |P(h_s) & P(h_t)| / (|P(h_s)| + |P(h_t)|) + |P(s) & P(t)| / (|P(s)| + |P(t)|)      (GT eq. 3.1)

so LS of equal terms is 1 and of terms without a common word 0. The thesis compares words as its term recogniser
gives them, which unifies spelling and number: so words compare in lower case and as singulars.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.terms import Terms, singular

LONGEST_CONTEXT = 24
"""Words of an anchor or a context that are read; the thesis found 4 to 9 on each side of a link to be best."""

Pattern = tuple[int, ...]


def profile(words: Sequence[str]) -> set[tuple[str, ...]]:
    """All runs of words in a term."""
    compared = tuple(map(singular, words))
    return set(_runs(compared))


def lexical_similarity(one: str, other: str) -> float:
    """LS of two terms (GT eq. 3.1); of an empty one, 0."""
    first, second = one.lower().split(), other.lower().split()
    if not first or not second:
        return 0.0
    here, there = profile(first), profile(second)
    heads = 0.5 if singular(first[-1]) == singular(second[-1]) else 0.0
    return heads + len(here & there) / (len(here) + len(there))


class Nearest(NamedTuple):
    """For each level, the largest value that any of its terms gives, and which term; -1 where it is 0."""

    values: tuple[float, ...]
    terms: tuple[int, ...]


class Profiles:
    """The terms of several levels, each with its C-value, by the runs of words in them.

    A term is compared only with terms that share a word with it, and what was worked out is remembered.
    Of a word only its number in the levels' vocabulary matters, 0 for a word that no level has: so all terms
    that differ only in words unknown here are one pattern, and a crawl meets few new ones.
    """

    def __init__(self, levels: Sequence[Mapping[str, float]], *, remembered: int = 50_000) -> None:
        self.levels = [dict(level) for level in levels]
        self._remembered = remembered
        self.terms = [term for level in self.levels for term in level]
        self._weights = [weight for level in self.levels for weight in level.values()]
        self._level_of = [number for number, level in enumerate(self.levels) for _ in level]
        self._numbers: dict[str, int] = {}
        self._heads: list[int] = []
        self._sizes: list[int] = []
        self._holding: dict[Pattern, list[int]] = {}
        for place, term in enumerate(self.terms):
            words = [
                self._numbers.setdefault(singular(word), len(self._numbers) + 1) for word in term.split()
            ]
            self._heads.append(words[-1])
            runs = set(_runs(tuple(words)))
            self._sizes.append(len(runs))
            for run in runs:
                self._holding.setdefault(run, []).append(place)
        self._longest = max(map(len, self._holding), default=0)
        self._nearest: dict[tuple[bytes, float | None], Nearest] = {}
        self._best_of: dict[tuple[Pattern, int, bool], tuple[float, ...]] = {}

    def number(self, word: str) -> int:
        """The number of a word in the vocabulary of all levels; 0 if no level has it."""
        return self._numbers.get(singular(word), 0)

    def nearest(self, term: str) -> Nearest:
        """For each level max LS(p, t) over its terms t (the summand of GT eq. 3.4)."""
        return self._largest(*self._pattern(term.lower().split()))

    def nearest_weighted(self, term: str, weight: float) -> Nearest:
        """For each level max (C_p + C_t)/2 * LS(p, t), `weight` being C_p (the summand of GT eq. 3.7)."""
        return self._largest(*self._pattern(term.lower().split()), weight)

    def content(self, text: str, *, weighted: bool = False) -> list[float]:
        """For each level the mean over its terms of LS(text, t), or of C_t * LS (GT eq. 3.2, 3.5).

        The text, an anchor, is taken as one term.
        """
        totals = [0.0] * len(self.levels)
        for term, similarity in self._similar(*self._pattern(text.lower().split()[:LONGEST_CONTEXT])):
            totals[self._level_of[term]] += similarity * (self._weights[term] if weighted else 1.0)
        return [
            total / len(level) if level else 0.0 for total, level in zip(totals, self.levels, strict=True)
        ]

    def context(self, text: str, *, weighted: bool = False) -> list[float]:
        """For each level the maximum of LS(p, t), or C_t * LS, over all runs p of a text (GT eq. 3.3, 3.6)."""
        words = [(singular(word), self.number(word)) for word in text.lower().split()]
        return self.context_of(words, weighted=weighted)

    def context_of(self, words: Sequence[tuple[str, int]], *, weighted: bool = False) -> list[float]:
        """The same of a text whose words are given as singulars, each with its `number`."""
        words = words[:LONGEST_CONTEXT]
        known = [place for place, word in enumerate(words) if word[1]]
        if not known:
            return [0.0] * len(self.levels)
        compared, numbers = zip(*words, strict=True)
        differ = len(set(compared)) == len(compared)
        runs = []
        # A run is never nearer to a term than the same run without unknown words at its ends.
        for at, first in enumerate(known):
            for last in known[at:]:
                length = last + 1 - first
                size = length * (length + 1) // 2 if differ else _profile_size(compared[first : last + 1])
                runs.append(self._best((numbers[first : last + 1], size, weighted)))
        return list(map(max, zip(*runs, strict=True))) if len(runs) > 1 else list(runs[0])

    def nearest_of(
        self, terms: Terms, numbers: NDArray[np.int32], *, weighted: bool = False
    ) -> tuple[NDArray[np.int64], list[Nearest]]:
        """`nearest`, or `nearest_weighted`, for all terms of a page: which have a word in common, and theirs.

        `numbers` are those of `number` for each of the page's words.
        """
        rows, patterns = self._patterns(terms, numbers)
        keys = patterns.view(f"V{patterns.itemsize * patterns.shape[1]}").ravel().tolist()
        weights = terms.values[rows].tolist() if weighted else [None] * len(rows)
        if len(self._nearest) > self._remembered:
            self._nearest.clear()
        found: list[Nearest] = []
        for row, key in enumerate(zip(keys, weights, strict=True)):
            nearest = self._nearest.get(key)
            if nearest is None:
                size, *words = patterns[row].tolist()
                pattern = tuple(number for number in words if number >= 0)
                nearest = self._nearest[key] = self._largest(pattern, size, weights[row])
            found.append(nearest)
        return rows, found

    def _patterns(
        self, terms: Terms, numbers: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The terms with known words, and of each the size of its profile, its words' numbers, then -1."""
        steps = np.arange(int(terms.lengths.max(initial=0)))
        places = np.minimum(terms.starts[:, None] + steps, len(numbers) - 1)
        inside = steps < terms.lengths[:, None]
        known = numbers[places]
        rows = np.flatnonzero((known * inside).any(axis=1))
        known, inside, lengths = known[rows], inside[rows], terms.lengths[rows]
        patterns = np.empty((len(rows), len(steps) + 1), np.int32)
        patterns[:, 0] = lengths * (lengths + 1) // 2
        patterns[:, 1:] = np.where(inside, known, -1)
        words = terms.words[places[rows]]
        ordered = np.sort(np.where(inside, words, -1 - steps), axis=1)
        for row in np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1)).tolist():
            # A word said twice makes some runs the same.
            patterns[row, 0] = _profile_size(tuple(words[row, : lengths[row]].tolist()))
        return rows, patterns

    def page_score(self, terms: Mapping[str, float], *, weighted: bool = False) -> list[float]:
        """For each level the PageScore of a page with these terms and C-values (GT eq. 3.4, 3.7)."""
        if not terms:
            return [0.0] * len(self.levels)
        found = [
            self.nearest_weighted(term, weight) if weighted else self.nearest(term)
            for term, weight in terms.items()
        ]
        return [
            sum(values) / len(terms) for values in zip(*(nearest.values for nearest in found), strict=True)
        ]

    def _best(self, run: tuple[Pattern, int, bool]) -> tuple[float, ...]:
        """For each level max LS(p, t), or C_t * LS, over its terms; remembered, as runs of words come again."""
        best = self._best_of.get(run)
        if best is None:
            pattern, size, weighted = run
            largest = [0.0] * len(self.levels)
            for term, similarity in self._similar(pattern, size):
                value = similarity * (self._weights[term] if weighted else 1.0)
                level = self._level_of[term]
                largest[level] = max(largest[level], value)
            if len(self._best_of) >= self._remembered:
                self._best_of.clear()
            best = self._best_of[run] = tuple(largest)
        return best

    def _pattern(self, words: Sequence[str]) -> tuple[Pattern, int]:
        compared = tuple(map(singular, words))
        return tuple(self._numbers.get(word, 0) for word in compared), _profile_size(compared)

    def _largest(self, pattern: Pattern, size: int, weight: float | None = None) -> Nearest:
        values, terms = [0.0] * len(self.levels), [-1] * len(self.levels)
        for term, similarity in self._similar(pattern, size):
            if weight is not None:
                similarity *= (weight + self._weights[term]) / 2
            level = self._level_of[term]
            if similarity > values[level]:
                values[level], terms[level] = similarity, term
        return Nearest(tuple(values), tuple(terms))

    def _similar(self, pattern: Pattern, size: int) -> list[tuple[int, float]]:
        """Every term that shares a word with a pattern whose profile has that size, and LS of the two."""
        common: dict[int, int] = {}
        runs = {run for run in _runs(pattern, self._longest) if run in self._holding}
        for run in sorted(runs):
            for term in self._holding[run]:
                common[term] = common.get(term, 0) + 1
        return [
            (term, (0.5 if self._heads[term] == pattern[-1] else 0.0) + number / (size + self._sizes[term]))
            for term, number in common.items()
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        return Profiles, (self.levels,)


def _profile_size(words: tuple[Any, ...]) -> int:
    size = len(words)
    return size * (size + 1) // 2 if len(set(words)) == size else len(set(_runs(words)))


def _runs(words: tuple[Any, ...], longest: int | None = None) -> list[tuple[Any, ...]]:
    size = len(words)
    return [
        words[start:end]
        for start in range(size)
        for end in range(start + 1, min(size, start + (longest or size)) + 1)
    ]
