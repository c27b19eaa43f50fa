"""Many sequences of words, found in a text all at once.

Every word is looked up once, as an array, for the class of words it belongs to (`text.word_classes`): those that
some sequence wants at some place. A sequence of one word is then a class. Longer ones are looked for only where
two words follow each other that some sequence wants, and are followed from there through a trie.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.booleans import Pattern
from honeyguide.text.pieces import Numbers, Pieces
from honeyguide.text.tokens import Tokeniser
from honeyguide.text.word_classes import NOTHING, UNWANTED, Classified, WordClasses

_NO_NUMBERS = np.zeros(0, np.int32)


class Sequences:
    """Finds sequences of patterns, which it numbers from 1 in the order they are given."""

    def __init__(self, wanted: Iterable[tuple[Pattern, ...]], tokeniser: Tokeniser) -> None:
        self.numbers = {patterns: 1 + at for at, patterns in enumerate(dict.fromkeys(wanted))}
        self._classes = WordClasses((pattern for each in self.numbers for pattern in each), tokeniser)
        number_of = self._classes.number_of
        self._trie = _Trie(
            [([number_of[pattern] for pattern in patterns], at) for patterns, at in self.numbers.items()],
            width=len(number_of) + 1,
        )

    def __len__(self) -> int:
        return len(self.numbers) + 1

    def read(self, pieces: Pieces) -> Classified:
        """The words of a text by what is wanted of them."""
        return self._classes.read(pieces)

    def count(self, words: Classified) -> int:
        """How many words a text has."""
        return self._classes.count(words)

    def only_words(self, read: Classified) -> Classified:
        """A text without pieces that are no word, and each word by itself."""
        return self._classes.only_words(read)

    def backed(self, title: Classified, text: Classified) -> NDArray[np.intp] | None:
        """Where the wanted words of a title are whose stems the text says too; None if classes cannot tell."""
        return self._classes.backed(title, text)

    def find(self, words: Classified) -> Numbers:
        """The sequences in a text, each as often as it occurs, and zeros; none goes across punctuation."""
        said = (words.classes > 0).nonzero()[0]
        if not said.size:
            return _NO_NUMBERS
        steps = self._expand(_Steps(said, words.classes.take(said)))
        words_alone = self._trie.words.take(steps.patterns)
        phrases = self._phrases(words, steps)
        return np.append(words_alone, np.array(phrases, np.int32)) if phrases else words_alone

    def _phrases(self, words: Classified, steps: "_Steps") -> list[int]:
        """The longer sequences, by the steps that their first words are."""
        if not self._trie.edges:
            return []
        nodes = self._trie.first.take(steps.patterns)
        following = words.classes.take(steps.at + 1, mode="clip")
        begun = np.logical_and(nodes, following).nonzero()[0]
        if begun.size:
            begun = begun.compress(self._may_go_on(nodes.take(begun), following.take(begun)))
        # Few words start a phrase and are followed by one that it goes on with.
        waiting = list(zip(steps.at.take(begun).tolist(), nodes.take(begun).tolist(), strict=True))
        classes, end = words.classes, len(words.classes)
        found: list[int] = []
        while waiting:
            before, node = waiting.pop()
            at = before + 1
            while at < end and classes[at] == NOTHING:
                at += 1
            if at == end or classes[at] <= UNWANTED:
                continue
            for pattern in self._classes.patterns(int(classes[at])):
                reached = self._trie.edges.get((node, pattern))
                if reached is not None and not words.broken(before, at):
                    waiting.append((at, reached))
                    if reached in self._trie.ends:
                        found.append(self._trie.ends[reached])
        return found

    def _may_go_on(self, nodes: Numbers, following: Numbers) -> NDArray[np.bool_]:
        """Whether the trie may lead on from nodes by what follows; a number, or a word of several patterns, may."""
        pairs = self._trie.pairs
        wanted = nodes * np.int64(self._trie.width) + following
        leads: NDArray[np.bool_] = pairs.take(pairs.searchsorted(wanted), mode="clip") == wanted
        return leads | (following < 0) | (following > self._classes.single)

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
            np.concatenate((steps.patterns[one], fitting)),
        )


class _Steps(NamedTuple):
    """At these places of a text, words that fit these patterns."""

    at: NDArray[np.intp]
    patterns: Numbers


class _Trie:
    """All sequences by their beginnings; node 0 is no node."""

    def __init__(self, sequences: list[tuple[list[int], int]], *, width: int) -> None:
        self.edges: dict[tuple[int, int], int] = {}
        """The node that a pattern leads to from a node."""
        self.ends: dict[int, int] = {}
        """The sequence that ends at a node."""
        self.words = np.zeros(width, np.int32)
        """The sequence that each pattern is, all by itself; 0 if none."""
        self.first = np.zeros(width, np.int32)
        """The node that each pattern leads to as the first of a longer sequence."""
        self.width = width
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
                if (node, pattern) not in self.edges:
                    nodes += 1
                    self.edges[node, pattern] = nodes
                node = self.edges[node, pattern]
            self.ends[node] = number
        self.pairs = np.array(sorted(node * width + pattern for node, pattern in self.edges), np.int64)
        """The edges as numbers."""
