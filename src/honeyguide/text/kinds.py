"""What kinds of things names stand for, by WordNet: a robin is a thrush, a bird, an animal.

Kinds go by numbers from 1. What was learned about birds so holds for a bird that nobody has heard of yet.
"""

import re
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.wordnet import WordNet

SENSES = 2
"""Meanings of a name that count: the commonest."""

ABOVE = 8
"""Kinds that a meaning is of, itself among them: the nearest. Those at the top hold for nearly all things."""

_LONGEST = 80

# What follows tells where a thing is, whose it is, or which site its page is of.
_rest = re.compile(r"\s[-–—]\s|[|,;:()\[\]]|\s(?:of|in|on|for|at|by|to|from|with|and)\s").split
_words = re.compile(r"[\w'.-]+").findall


@lru_cache(maxsize=1 << 15)
def meanings(name: str) -> tuple[int, int]:
    """The kinds that an English name stands for in its two commonest meanings; 0 where there are no more.

    If WordNet lacks the whole name, what it begins with tells: the battle of a nameless bridge is a battle; and if
    that is unknown too, its last words: a red-billed toucan is a toucan.
    """
    text = name[:_LONGEST].strip().lower()
    beginning = _rest(text, maxsplit=1)[0]
    head = _words(beginning)
    lexicon = WordNet.load()
    parts = [head[at:] for at in range(len(head)) if at + 1 == len(head) or lexicon.begins(head[at])]
    for words in parts if beginning == text else [_words(text), *parts]:
        if senses := lexicon.senses(" ".join(words), "n"):
            return senses[0] + 1, senses[1] + 1 if len(senses) > 1 else 0
    return 0, 0


def above(kinds: NDArray[np.integer]) -> NDArray[np.int64]:
    """For each of these kinds itself and the kinds that it is of, the nearest first; 0 where there are no more."""
    table = _table()
    rows: NDArray[np.int64] = table.take(kinds, 0)
    is_new = (rows[..., 0] == 0) & (kinds > 0)
    if not is_new.any():
        return rows
    for kind in np.unique(kinds[is_new]).tolist():
        found = _above(kind)
        table[kind, : len(found)] = found
    return table.take(kinds, 0)


def _above(kind: int) -> list[int]:
    lexicon, starts = WordNet.load(), _starts()
    found = {kind: None}
    for one in (queue := [kind]):
        for parent in lexicon.parents[starts[one - 1] : starts[one]].tolist():
            if parent + 1 not in found:
                found[parent + 1] = None
                queue.append(parent + 1)
        if len(found) >= ABOVE:
            break
    return list(found)[:ABOVE]


@cache
def _table() -> NDArray[np.int64]:
    """The kinds above each kind, as far as somebody asked."""
    return np.zeros((WordNet.load().nouns + 1, ABOVE), np.int64)


@cache
def _starts() -> NDArray[np.int64]:
    """Where among all parents those of each synset start."""
    lexicon = WordNet.load()
    return np.searchsorted(lexicon.children, np.arange(lexicon.nouns + 1))
