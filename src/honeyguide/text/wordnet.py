"""WordNet 3.0: what English words mean, what each meaning is a kind of, and which parts of speech a word can be.

The data file holds its licence, then nine lines: the number of synsets that are nouns, verbs, adjectives and
adverbs (synsets are numbered through, in this order); all lemmas, sorted; how many senses each has; the synsets
of all senses, lemma after lemma; which of the senses occur in tagged text; how often these do; how many
parents each synset has; the parents of all, synset after synset; irregular forms as part:form:lemma.
"""

import gzip
from collections.abc import Iterator
from functools import cache, cached_property
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

PARTS = "nvar"
"""Nouns, verbs, adjectives (satellites included), adverbs."""

_ENDINGS = {
    "n": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "a": "er: est: er:e est:e",
    "r": "",
}
"""What WordNet's morphy takes off a word, and what it puts in its place, in its order."""


class WordNet:
    """The data as arrays. Words are lower-case, with spaces between those of a name."""

    def __init__(self, lines: list[str]) -> None:
        sizes, lemmas, senses, synsets, tagged, counts, above, parents, irregular = lines
        edges = _starts(_numbers(sizes)).tolist()
        self._range_of_part = dict(zip(PARTS, pairwise(edges), strict=True))
        self._lemmas = lemmas.split(" ")
        self._places = dict(zip(self._lemmas, range(len(self._lemmas)), strict=True))
        self._first_sense = _starts(_numbers(senses))
        self._synsets = _numbers(synsets)
        self._tagged = np.zeros(len(self._synsets), np.int32)
        self._tagged[_numbers(tagged)] = _numbers(counts)
        self._irregular: dict[str, list[str]] = {}
        for entry in irregular.split(" "):
            part, form, lemma = entry.split(":")
            self._irregular.setdefault(part + form, []).append(lemma)
        self._endings = {
            part: [
                (ending, instead) for ending, _, instead in (rule.partition(":") for rule in rules.split())
            ]
            for part, rules in _ENDINGS.items()
        }
        self._irregular_forms = {form[1:] for form in self._irregular}
        self._beginnings = {_first_word(name) for name in (*self._lemmas, *self._irregular_forms)}
        self._endings_by_letter: dict[str, list[tuple[str, str]]] = {}
        for rule in dict.fromkeys(rule for rules in self._endings.values() for rule in rules):
            self._endings_by_letter.setdefault(rule[0][-1], []).append(rule)
        self.size: int = edges[-1]
        """How many synsets there are."""
        self.nouns: int = edges[1]
        """How many of them are nouns: the first ones, with one top for all; all others have many."""
        self.children = np.repeat(np.arange(self.size, dtype=np.int32), _numbers(above))
        """The lower end of every is-a edge; the upper ends are in `parents`."""
        self.parents = _numbers(parents)

    @classmethod
    def load(cls) -> "WordNet":
        """The WordNet that comes with the package, read once."""
        return _shipped()

    def bases(self, word: str) -> dict[str, tuple[str, ...]]:
        """The lemmas that a word may be a form of, by part of speech: {"n": ("dog",), "v": ("dog",)} for dogs."""
        found = {part: self._bases(word, part) for part in PARTS}
        return {part: tuple(map(self._name, places)) for part, places in found.items() if places}

    def senses(self, word: str, parts: str = PARTS) -> list[int]:
        """The synsets of a word in any of its forms, the commonest of each part of speech first."""
        if not self._may_be_known(word):
            return []
        found: dict[int, None] = {}
        for part in parts:
            for lemma in self._bases(word, part):
                found.update(dict.fromkeys(self._senses(lemma, part)))
        return list(found)

    def begins(self, word: str) -> bool:
        """Whether any lemma begins with a word, be it one of several words or this one."""
        return _first_word(word) in self._beginnings

    def parts_of_speech(self, word: str) -> dict[str, int]:
        """How often a word in any of its forms was met as each part of speech in tagged text; 0 if it only could."""
        found = {part: self._bases(word, part) for part in PARTS}
        return {
            part: sum(self._count(lemma, part) for lemma in lemmas)
            for part, lemmas in found.items()
            if lemmas
        }

    def names(self, synset: int) -> tuple[str, ...]:
        """The lemmas of a synset, sorted."""
        order, starts = self._lemmas_of_synset
        return tuple(map(self._name, order[starts[synset] : starts[synset + 1]].tolist()))

    def lemmas(self) -> Iterator[str]:
        """Every lemma, sorted."""
        return map(self._name, range(len(self._lemmas)))

    @cached_property
    def _lemmas_of_synset(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        lemma_of_sense = np.repeat(np.arange(len(self._lemmas), dtype=np.int32), np.diff(self._first_sense))
        order = np.argsort(self._synsets, kind="stable")
        return lemma_of_sense[order], _starts(np.bincount(self._synsets, minlength=self.size))

    def _may_be_known(self, word: str) -> bool:
        """Whether any form of a word could be a lemma: most words of the web could not, and cost little."""
        if " " in word and not self.begins(word.partition(" ")[0]):
            return False
        for form in _spelt(word):
            if form in self._places or form in self._irregular_forms:
                return True
            for ending, instead in self._endings_by_letter.get(form[-1:], ()):
                if form.endswith(ending) and form.removesuffix(ending) + instead in self._places:
                    return True
        return False

    def _bases(self, word: str, part: str) -> list[int]:
        """The places of the lemmas that a word may be a form of: as irregular, as it stands, or by its ending."""
        spelt = _spelt(word)
        for form in spelt:
            lemmas = dict.fromkeys([*self._irregular.get(part + form, ()), form])
            if found := [place for lemma in lemmas if (place := self._find(lemma, part)) is not None]:
                return found
        for form in spelt:
            for ending, instead in self._endings[part]:
                if form.endswith(ending) and len(form) > len(ending):
                    place = self._find(form.removesuffix(ending) + instead, part)
                    if place is not None:
                        return [place]
        return []

    def _find(self, lemma: str, part: str) -> int | None:
        """The place of a lemma that can be this part of speech."""
        place = self._places.get(lemma)
        return place if place is not None and self._senses(place, part) else None

    def _senses(self, lemma: int, part: str) -> list[int]:
        """The synsets of a lemma that are this part of speech."""
        low, high = self._range_of_part[part]
        synsets = self._synsets[self._first_sense[lemma] : self._first_sense[lemma + 1]].tolist()
        return [synset for synset in synsets if low <= synset < high]

    def _count(self, lemma: int, part: str) -> int:
        low, high = self._range_of_part[part]
        senses = slice(self._first_sense[lemma], self._first_sense[lemma + 1])
        synsets = self._synsets[senses]
        return int(self._tagged[senses][(low <= synsets) & (synsets < high)].sum())

    def _name(self, lemma: int) -> str:
        return self._lemmas[lemma].replace("_", " ")

    def __reduce__(self) -> tuple[object, ...]:
        # Another process has the file at hand.
        return WordNet.load, ()


def parts_of_speech(word: str) -> dict[str, int]:
    """How often a word in any of its forms was met as each part of speech (n, v, a, r) in tagged text."""
    return WordNet.load().parts_of_speech(word)


@cache
def _shipped() -> WordNet:
    data = gzip.decompress(files("honeyguide.text").joinpath("wordnet-3.0.txt.gz").read_bytes())
    return WordNet([line for line in data.decode("ascii").splitlines() if not line.startswith("#")])


def _spelt(word: str) -> tuple[str, ...]:
    """How a word, or a name of several, may be spelt among the lemmas."""
    return (word,) if " " not in word else (word.replace(" ", "_"), word.replace(" ", "-"))


def _first_word(name: str) -> str:
    """What a name of several words begins with, however they are joined."""
    return name.partition("_")[0].partition("-")[0]


def _numbers(line: str) -> NDArray[np.int32]:
    return np.fromstring(line, np.int32, sep=" ")


def _starts(sizes: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """Where each of these many runs starts, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
