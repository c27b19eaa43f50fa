"""Many sequences of words, found in a text all at once.

Every word is looked up once, as an array, for the class of words it belongs to: those that some sequence wants
at some place. A sequence of one word is then a class. Longer ones are looked for only where two words follow
each other that start one, and are followed from there through a trie, all of them in step.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.booleans import Pattern
from honeyguide.text.documents import Documents, Part
from honeyguide.text.wordbook import Column, Numbers

_NO_NUMBERS = np.zeros(0, np.int32)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MOST_BITS = 22


class Sequences:
    """Finds sequences of patterns, which it numbers from 1 in the order they are given."""

    def __init__(self, wanted: Iterable[tuple[Pattern, ...]], documents: Documents) -> None:
        self.numbers = {patterns: 1 + at for at, patterns in enumerate(dict.fromkeys(wanted))}
        self._classes = _Classes(self.numbers, documents)
        number_of = self._classes.number_of
        self._trie = _Trie(
            [([number_of[pattern] for pattern in patterns], at) for patterns, at in self.numbers.items()],
            width=len(number_of) + 1,
        )

    def __len__(self) -> int:
        return len(self.numbers) + 1

    def find(self, part: Part) -> Numbers:
        """The sequences in a text, each as often as it occurs; none goes across punctuation."""
        classes = self._classes.of(part.words)
        said = classes.nonzero()[0]
        if not said.size:
            return _NO_NUMBERS
        steps = self._expand(_Steps(said, np.zeros(len(said), np.int32), classes.take(said)))
        words = self._trie.words.take(steps.patterns)
        return np.concatenate((words[words > 0], *self._phrases(classes, part, steps)))

    def _phrases(self, classes: Numbers, part: Part, first: "_Steps") -> list[Numbers]:
        nodes = self._trie.first.take(first.patterns)
        at = first.at + 1
        alive = (nodes > 0) & (at < len(classes))
        found: list[Numbers] = []
        while True:
            at, nodes = at[alive], nodes[alive]
            if not at.size:
                return found
            steps = self._expand(_Steps(at, nodes, classes.take(at)))
            at, nodes = self._trie.follow(steps)
            if not at.size:
                return found
            unbroken = ~part.breaks.take(at)
            at, nodes = at[unbroken] + 1, nodes[unbroken]
            ends = self._trie.ends.take(nodes)
            found.append(ends[ends > 0])
            alive = at < len(classes)

    def _expand(self, steps: "_Steps") -> "_Steps":
        """A step for each pattern, where a word fits several; none where it fits no pattern."""
        several = (steps.patterns > self._classes.single).nonzero()[0]
        if not several.size:
            return steps
        patterns = [self._classes.patterns(number) for number in steps.patterns[several].tolist()]
        again = np.repeat(several, list(map(len, patterns)))
        fitting = np.array([pattern for each in patterns for pattern in each], np.int32)
        one = (steps.patterns <= self._classes.single).nonzero()[0]
        return _Steps(
            np.concatenate((steps.at[one], steps.at[again])),
            np.concatenate((steps.nodes[one], steps.nodes[again])),
            np.concatenate((steps.patterns[one], fitting)),
        )


class _Steps(NamedTuple):
    """From these nodes of the trie, at these places of the text, by these patterns."""

    at: NDArray[np.intp]
    nodes: Numbers
    patterns: Numbers


class _Classes:
    """Words by what they fit. A word that fits one pattern is of that pattern's class, numbered from 1; a word
    that fits beginnings, and perhaps a stem too, is of a class for just these patterns, numbered after those.
    """

    def __init__(self, wanted: Iterable[tuple[Pattern, ...]], documents: Documents) -> None:
        patterns = dict.fromkeys(pattern for each in wanted for pattern in each)
        self.number_of = {pattern: 1 + at for at, pattern in enumerate(patterns)}
        self.single = len(self.number_of)
        self._several: list[tuple[int, ...]] = []
        self._class_of: dict[tuple[int, ...], int] = {}
        self._lengths = sorted({len(pattern.text) for pattern in patterns if pattern.kind == "beginning"})
        self._tokeniser = documents.tokeniser
        self._column = Column(documents.book.words, self._classify, np.int32)

    def of(self, words: Numbers) -> Numbers:
        """The class of every word; 0 for one that nobody wants."""
        return self._column.of(words)

    def patterns(self, number: int) -> tuple[int, ...]:
        """The patterns that a class of words fits."""
        return (number,) if number <= self.single else self._several[number - self.single - 1]

    def _classify(self, word: str) -> int:
        stem = self._tokeniser.stem(word)
        own = self.number_of.get(Pattern("stem", stem) if stem else Pattern("word", word), 0)
        beginnings = tuple(
            self.number_of[pattern]
            for length in self._lengths
            if length <= len(word) and (pattern := Pattern("beginning", word[:length])) in self.number_of
        )
        if not beginnings:
            return own
        several = (own, *beginnings) if own else beginnings
        if several not in self._class_of:
            self._several.append(several)
            self._class_of[several] = self.single + len(self._several)
        return self._class_of[several]


class _Trie:
    """All sequences by their beginnings, as arrays; node 0 is no node."""

    def __init__(self, sequences: list[tuple[list[int], int]], *, width: int) -> None:
        self._width = width
        edges: dict[int, int] = {}
        ends: dict[int, int] = {}
        self.words = np.zeros(width, np.int32)
        """The sequence that each pattern is, all by itself; 0 if none."""
        self.first = np.zeros(width, np.int32)
        """The node that each pattern leads to as the first of a longer sequence."""
        nodes = 0
        for patterns, number in sequences:
            if len(patterns) == 1:
                self.words[patterns[0]] = number
                continue
            if not self.first[patterns[0]]:
                nodes += 1
                self.first[patterns[0]] = nodes
            node = int(self.first[patterns[0]])
            for pattern in patterns[1:]:
                key = node * width + pattern
                if key not in edges:
                    nodes += 1
                    edges[key] = nodes
                node = edges[key]
            ends[node] = number
        self.ends = np.zeros(nodes + 1, np.int32)
        """The sequence that ends at each node; 0 if none."""
        self.ends[list(ends)] = list(ends.values())
        keys = np.fromiter(edges, np.int64, len(edges))
        order = np.argsort(keys)
        self._keys = np.append(keys[order], np.iinfo(np.int64).max)
        self._nodes = np.append(np.fromiter(edges.values(), np.int32, len(edges))[order], np.int32(0))
        bits = min(_MOST_BITS, max(10, (16 * len(edges)).bit_length()))
        self._shift = np.uint64(64 - bits)
        self._likely = np.zeros(1 << bits, np.bool_)
        self._likely[self._hash(keys)] = True

    def follow(self, steps: _Steps) -> tuple[NDArray[np.intp], Numbers]:
        """Where the steps lead that the trie allows: places of the text as they were, and nodes."""
        keys = steps.nodes * np.int64(self._width) + steps.patterns
        # Most steps lead nowhere, which a table of hashes says sooner than a search.
        likely = self._likely.take(self._hash(keys)).nonzero()[0]
        keys = keys.take(likely)
        found = self._keys.searchsorted(keys)
        right = (self._keys.take(found) == keys).nonzero()[0]
        return steps.at.take(likely.take(right)), self._nodes.take(found.take(right))

    def _hash(self, keys: NDArray[np.int64]) -> NDArray[np.intp]:
        return (keys.view(np.uint64) * _MIX >> self._shift).astype(np.intp)
