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
from honeyguide.text.word_classes import Classified, WordClasses

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

    def backed(self, title: Classified, text: Classified) -> NDArray[np.intp] | None:
        """Where the wanted words of a title are whose stems the text says too; None if classes cannot tell."""
        return self._classes.backed(title, text)

    def find(self, words: Classified) -> Numbers:
        """The sequences in a text, each as often as it occurs, and zeros; none goes across punctuation."""
        said = words.classes.nonzero()[0]
        if not said.size:
            return _NO_NUMBERS
        steps = self._expand(_Steps(said, np.zeros(len(said), np.int32), words.classes.take(said)))
        words_alone = self._trie.words.take(steps.patterns)
        phrases = self._phrases(words, steps)
        return np.append(words_alone, np.array(phrases, np.int32)) if phrases else words_alone

    def _phrases(self, words: Classified, steps: "_Steps") -> list[int]:
        """The longer sequences, by the steps that their first words are."""
        nodes = self._trie.first.take(steps.patterns)
        following = words.classes.take(steps.at + 1, mode="clip")
        begun = ((nodes > 0) & (following > 0)).nonzero()[0]
        # Few words start a phrase and are followed by one that any phrase wants.
        waiting = list(zip((steps.at.take(begun) + 1).tolist(), nodes.take(begun).tolist(), strict=True))
        found: list[int] = []
        while waiting:
            at, node = waiting.pop()
            if at == len(words.classes):
                continue
            for pattern in self._classes.patterns(int(words.classes[at])):
                reached = self._trie.edges.get((node, pattern))
                if reached is not None and not words.broken(at):
                    waiting.append((at + 1, reached))
                    if reached in self._trie.ends:
                        found.append(self._trie.ends[reached])
        return found

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
