"""What words are kinds of, and how near that makes them: WordNet, or concepts that somebody wrote down.

Words are compared by their best pair of senses. Ehrig (BT eq. 3): 0.5 ** distance, the distance being the
shortest path along is-a edges, in either direction; 0 inside one synset. Li (BT eq. 4): exp(-alpha * L) *
tanh(beta * H), L the path up to a common concept and down again, H the depth of that concept; of several
common concepts the one that makes the words most alike counts, which is the most specific one unless the way
to it is a long detour. Depth is counted from the top; where there are several tops, as among WordNet's verbs,
they stand at depth 1 below one that is imagined. A word is as near to itself as can be, known or not.

All concepts are compared with a word at once, in arrays: some milliseconds a word for all of WordNet.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Concept
from honeyguide.text.tokens import Tokeniser
from honeyguide.text.wordnet import WordNet

ALPHA, BETA = 0.2, 0.6
"""What Li et al. found best for the length of the path and the depth of what is common (BT eq. 4)."""

REMEMBERED = 64
"""Words whose nearness to all concepts is remembered."""

FAR = -1
"""The distance to a concept that no path leads to."""

Distances = NDArray[np.int16]
Nearness = NDArray[np.float32]
Key = TypeVar("Key")
Found = TypeVar("Found")


class Lexicon(Protocol):
    """Concepts by number, the words for them, and their is-a edges as two arrays."""

    size: int
    children: NDArray[np.int32]
    parents: NDArray[np.int32]

    def senses(self, word: str) -> list[int]: ...

    def names(self, concept: int, /) -> tuple[str, ...]: ...


class Ontology:
    """Senses, synonyms and distances of words."""

    def __init__(self, lexicon: Lexicon, *, depth: NDArray[np.int16]) -> None:
        self.size = lexicon.size
        self._lexicon = lexicon
        self._depth = depth
        self._up = _Edges(lexicon.children, lexicon.parents, lexicon.size)
        self._down = _Edges(lexicon.parents, lexicon.children, lexicon.size)
        self._distances: dict[str, Distances] = {}
        self._nearness: dict[tuple[str, float, float], Nearness] = {}

    @classmethod
    def wordnet(cls) -> "Ontology":
        """WordNet 3.0, as it comes with the package."""
        lexicon = WordNet.load()
        depth = _depths(lexicon)
        depth[lexicon.nouns :] += 1
        return cls(lexicon, depth=depth)

    @classmethod
    def of(cls, concepts: Sequence[Concept], *, tokeniser: Tokeniser | None = None) -> "Ontology":
        """An ontology of one's own; it must have no cycles, and no parents that are not in it."""
        lexicon = _Written(concepts, tokeniser or Tokeniser())
        depth = _depths(lexicon)
        if np.count_nonzero(depth == 0) > 1:
            depth += 1
        return cls(lexicon, depth=depth)

    @classmethod
    def of_topic(cls, concepts: Sequence[Concept], tokeniser: Tokeniser) -> "Ontology":
        """A topic's own ontology; WordNet if it has none."""
        return cls.of(concepts, tokeniser=tokeniser) if concepts else cls.wordnet()

    def senses(self, word: str) -> list[int]:
        """The concepts that a word, in any of its forms, or a name of several words stands for."""
        return self._lexicon.senses(word)

    def names(self, concept: int) -> tuple[str, ...]:
        """What a concept is called."""
        return self._lexicon.names(concept)

    def synonyms(self, word: str) -> tuple[str, ...]:
        """Other names for what a word stands for, the commonest sense first."""
        names = dict.fromkeys(name for sense in self.senses(word) for name in self.names(sense))
        names.pop(word, None)
        return tuple(names)

    def distance(self, one: str, other: str) -> int | None:
        """The shortest is-a path between two words; None if there is none."""
        if one == other:
            return 0
        found = self.distances(one)[self.senses(other)]
        found = found[found != FAR]
        return int(found.min()) if found.size else None

    def similarity_ehrig(self, one: str, other: str) -> float:
        """0.5 ** distance (BT eq. 3); 0 if no path connects the words."""
        distance = self.distance(one, other)
        return 0.0 if distance is None else 0.5**distance

    def similarity_li(self, one: str, other: str, *, alpha: float = ALPHA, beta: float = BETA) -> float:
        """exp(-alpha * L) * tanh(beta * H) (BT eq. 4)."""
        if one == other:
            return 1.0
        found = self.nearness_li(one, alpha=alpha, beta=beta)[self.senses(other)]
        return float(found.max(initial=0.0))

    def distances(self, word: str) -> Distances:
        """The distance of every concept from a word; FAR where there is none."""
        return _remember(self._distances, word, partial(self._search, word))

    def nearness_ehrig(self, word: str) -> Nearness:
        """0.5 ** distance for every concept."""
        distances = self.distances(word)
        return np.where(distances == FAR, 0.0, np.exp2(-distances.astype(np.float32))).astype(np.float32)

    def nearness_li(self, word: str, *, alpha: float = ALPHA, beta: float = BETA) -> Nearness:
        """Li's similarity of every concept to a word."""
        return _remember(self._nearness, (word, alpha, beta), partial(self._li, word, alpha, beta))

    def depth(self, concept: int) -> int:
        """How far below the top a concept stands, by the shortest way."""
        return int(self._depth[concept])

    def __getstate__(self) -> dict[str, object]:
        # What is remembered is not worth sending to another process.
        return self.__dict__ | {"_distances": {}, "_nearness": {}}

    def _search(self, word: str) -> Distances:
        return _breadth_first(self.senses(word), self.size, (self._up, self._down))

    def _li(self, word: str, alpha: float, beta: float) -> Nearness:
        up = _breadth_first(self.senses(word), self.size, (self._up,))
        common = np.exp(-alpha * up) * np.tanh(beta * self._depth)
        nearness: Nearness = np.where(up == FAR, 0.0, common).astype(np.float32)
        step = np.float32(math.exp(-alpha))
        reached = np.flatnonzero(nearness)
        # Each step down is one factor more; what grows in a round is handed on in the next.
        while reached.size:
            below, starts = self._down.of(reached)
            before = nearness[below]
            np.maximum.at(nearness, below, nearness[starts] * step)
            reached = np.unique(below[nearness[below] > before])
        return nearness


class _Edges:
    """Where edges lead from each node: neighbours one after the other, and where each node's start."""

    def __init__(self, sources: NDArray[np.int32], targets: NDArray[np.int32], size: int) -> None:
        self._targets = targets[np.argsort(sources, kind="stable")]
        self._first = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=size))))

    def of(self, nodes: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """All neighbours of some nodes, and beside each the node it is a neighbour of."""
        first = self._first[nodes]
        times = self._first[nodes + 1] - first
        within = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        return self._targets[np.repeat(first, times) + within], np.repeat(nodes, times)


def _breadth_first(start: Sequence[int], size: int, edges: Sequence[_Edges]) -> Distances:
    distances: Distances = np.full(size, FAR, np.int16)
    frontier = np.array(start, np.intp)
    distances[frontier] = 0
    steps = 0
    while frontier.size:
        steps += 1
        fresh = np.concatenate([kind.of(frontier)[0] for kind in edges])
        frontier = np.unique(fresh[distances[fresh] == FAR]).astype(np.intp)
        distances[frontier] = min(steps, np.iinfo(np.int16).max)
    return distances


def _depths(lexicon: Lexicon) -> NDArray[np.int16]:
    tops = np.setdiff1d(np.arange(lexicon.size), lexicon.children)
    down = _Edges(lexicon.parents, lexicon.children, lexicon.size)
    return _breadth_first(tops.tolist(), lexicon.size, (down,))


def _remember(known: dict[Key, Found], key: Key, work_out: Callable[[], Found]) -> Found:
    found = known.get(key)
    if found is None:
        if len(known) >= REMEMBERED:
            known.clear()
        found = known[key] = work_out()
    return found


class _Written:
    """Concepts that somebody wrote down; their names are found in any form that has the same stems."""

    def __init__(self, concepts: Sequence[Concept], tokeniser: Tokeniser) -> None:
        number = {concept.key: at for at, concept in enumerate(concepts)}
        if len(number) < len(concepts):
            twice = next(concept.key for at, concept in enumerate(concepts) if number[concept.key] != at)
            raise ConfigError(f"The ontology has two concepts {twice!r}.")
        for concept in concepts:
            if unknown := [parent for parent in concept.parents if parent not in number]:
                raise ConfigError(
                    f"The ontology's {concept.key!r} is a kind of {unknown[0]!r}, which is not in it."
                )
        if cycle := find_cycle({concept.key: concept.parents for concept in concepts}):
            raise ConfigError(f"The ontology goes round in a circle: {' is a kind of '.join(cycle)}.")
        edges = [(number[one.key], number[parent]) for one in concepts for parent in one.parents]
        self.size = len(concepts)
        self.children, self.parents = np.array(edges, np.int32).reshape(-1, 2).T
        self._tokeniser = tokeniser
        self._names = [concept.names for concept in concepts]
        self._concepts: dict[str, list[int]] = {}
        for at, concept in enumerate(concepts):
            for key in dict.fromkeys(map(self._key, concept.names)):
                self._concepts.setdefault(key, []).append(at)

    def senses(self, word: str) -> list[int]:
        return self._concepts.get(self._key(word), [])

    def names(self, concept: int) -> tuple[str, ...]:
        return self._names[concept]

    def _key(self, name: str) -> str:
        return " ".join(self._tokeniser.stem(word) or word for word in self._tokeniser.tokens(name))


def find_cycle(parents: Mapping[str, Sequence[str]]) -> list[str]:
    """The keys along one cycle, the first one again at the end; empty if there is none."""
    done: set[str] = set()
    for start in parents:
        if start in done:
            continue
        path = {start: None}
        waiting = [(start, iter(parents[start]))]
        while waiting:
            key, above = waiting[-1]
            parent = next(above, None)
            if parent is None:
                waiting.pop()
                path.pop(key)
                done.add(key)
            elif parent in path:
                around = list(path)
                return [*around[around.index(parent) :], parent]
            elif parent not in done:
                path[parent] = None
                waiting.append((parent, iter(parents.get(parent, ()))))
    return []
