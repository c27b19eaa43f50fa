"""Nouns and adjectives of a text, well enough to find its noun phrases and far faster than a full tagger.

What a word may be comes from a lexicon made of WordNet, or from its ending if the lexicon does not list it: the
lexicon holds only the words whose endings mislead. What it is then follows from the words beside it: after
"the" a word that may be a noun or a verb is a noun, after "to" a verb. All rules together are one table from
three kinds of word to a tag, so a page is tagged by looking its words up as arrays.
"""

import gzip
from enum import IntEnum
from importlib.resources import files
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.documents import Document
from honeyguide.text.stopwords import ENGLISH
from honeyguide.text.wordbook import Column, Names

Tags = NDArray[np.int8]


class Tag(IntEnum):
    """What a word is in its place."""

    OTHER = 0
    NOUN = 1
    ADJECTIVE = 2


class Kind(IntEnum):
    """What a word may be, wherever it stands; the letters are those of the lexicon."""

    BREAK = 0
    OTHER = ord("o")
    NOUN = ord("n")
    ADJECTIVE = ord("a")
    ADJECTIVE_OR_NOUN = ord("e")
    NOUN_OR_VERB = ord("b")
    VERB_OR_NOUN = ord("v")
    PARTICIPLE = ord("d")
    GERUND = ord("g")
    DETERMINER = ord("t")
    PREPOSITION = ord("p")
    BEFORE_VERB = ord("m")
    BE = ord("i")


_FUNCTION_WORDS = {
    Kind.DETERMINER: """a an the this that these those my your his her its our their whose each every another
        any some no both several many few""",
    Kind.PREPOSITION: """of in on at by for from with without within into onto upon over under between among
        amongst through throughout during against about across after before behind below above beside besides
        beyond near off out per since than toward towards until up via as like and or""",
    Kind.BEFORE_VERB: """to will would shall should may might can could must cannot can't won't wouldn't
        couldn't shouldn't don't doesn't didn't do does did i you he she it we they who not never also""",
    Kind.BE: "is are was were be been being am isn't aren't wasn't weren't became become becomes",
    Kind.OTHER: """two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty
        seventy eighty ninety hundred thousand million billion trillion first second third fourth fifth sixth
        seventh eighth ninth tenth last half early earlier late later former prior today back alone including
        according following despite whilst http www""",
}
_ENDINGS = {
    Kind.OTHER: ("ly",),
    Kind.GERUND: ("ing",),
    Kind.PARTICIPLE: ("ed",),
    Kind.ADJECTIVE: ("ous", "ful", "less", "ic", "al", "able", "ible", "ive", "ish", "ary", "ean"),
    Kind.ADJECTIVE_OR_NOUN: ("ian", "ese"),
}
_NOMINAL = frozenset((Kind.NOUN, Kind.ADJECTIVE, Kind.ADJECTIVE_OR_NOUN, Kind.NOUN_OR_VERB))


def guessed(word: str) -> Kind:
    """What a word may be by its ending alone."""
    if len(word) > 4:
        for kind, endings in _ENDINGS.items():
            if word.endswith(endings):
                return kind
    return Kind.NOUN


def resolved(before: Kind, kind: Kind, after: Kind) -> Tag:
    """What a word is, by what it and the words beside it may be."""
    noun_follows = after in _NOMINAL or after == Kind.VERB_OR_NOUN
    if kind == Kind.NOUN:
        return Tag.NOUN
    if kind == Kind.ADJECTIVE:
        return Tag.ADJECTIVE
    if kind == Kind.ADJECTIVE_OR_NOUN:
        return Tag.ADJECTIVE if noun_follows or before == Kind.BE else Tag.NOUN
    if kind == Kind.NOUN_OR_VERB:
        is_verb = before == Kind.BEFORE_VERB or (after == Kind.DETERMINER and before in _NOMINAL)
        return Tag.OTHER if is_verb else Tag.NOUN
    if kind == Kind.VERB_OR_NOUN:
        is_verb = after in (Kind.DETERMINER, Kind.BEFORE_VERB) or before in (
            Kind.BEFORE_VERB,
            Kind.NOUN,
            Kind.NOUN_OR_VERB,
            Kind.OTHER,
        )
        return Tag.OTHER if is_verb else Tag.NOUN
    if kind == Kind.PARTICIPLE:
        is_verb = not noun_follows or before in (Kind.BE, Kind.BEFORE_VERB, Kind.NOUN)
        return Tag.OTHER if is_verb else Tag.ADJECTIVE
    if kind == Kind.GERUND:
        is_verb = after in (Kind.DETERMINER, Kind.BEFORE_VERB) or before in (Kind.BE, Kind.BEFORE_VERB)
        return Tag.OTHER if is_verb else Tag.NOUN
    return Tag.OTHER


class Tagger:
    """Tags the words that `names` numbers."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._lexicon = _lexicon()
        self._kinds = Column(names, self._place_of, np.int16)

    def tags(self, document: Document) -> Tags:
        """The tag of every word of the main text."""
        return self.tagged(document.words, document.breaks)

    def tagged(self, words: NDArray[np.int32], breaks: NDArray[np.bool_]) -> Tags:
        """The tags of words in order, where `breaks` says which of them punctuation stands before."""
        kinds = np.zeros(len(words) + 2, np.int16)
        kinds[1:-1] = self._kinds.of(words)
        before = kinds[:-2] * ~breaks
        after = kinds[2:].copy()
        after[:-1] *= ~breaks[1:]
        tags: Tags = _TABLE[before, kinds[1:-1], after]
        return tags

    def kind(self, word: str) -> Kind:
        """What a word may be."""
        return self._lexicon.get(word) or guessed(word)

    def _place_of(self, word: str) -> int:
        return _PLACES[self.kind(word)]

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process loads the lexicon itself.
        return Tagger, (self._names,)


def _lexicon() -> dict[str, Kind]:
    """The words whose endings mislead, stop words and function words."""
    data = files("honeyguide.text").joinpath("tagging-en.txt.gz").read_bytes()
    lexicon: dict[str, Kind] = {}
    for line in gzip.decompress(data).decode().splitlines():
        if not line.startswith("#"):
            letter, _, words = line.partition("\t")
            lexicon.update(dict.fromkeys(words.split(" "), Kind(ord(letter))))
    lexicon.update(dict.fromkeys(ENGLISH, Kind.OTHER))
    for kind, words in _FUNCTION_WORDS.items():
        lexicon.update(dict.fromkeys(words.split(), kind))
    return lexicon


_PLACES = {kind: place for place, kind in enumerate(Kind)}
_TABLE = np.array(
    [resolved(*three) for three in product(Kind, repeat=3)],
    np.int8,
).reshape((len(Kind),) * 3)
