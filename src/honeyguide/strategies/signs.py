"""Signs of a link: its words, how they are written, what stands right beside it, and how its address is built.

A sign is a number from 1 to 65535, so that a crawl can learn which signs the links to good pages have. Names of
people are written alike whoever they are, and addresses of home pages are built alike wherever they lie.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Link

Signs = NDArray[np.uint16]

WORDS = 5
"""Words of a link that are signs: the first ones."""

GROUPS: Mapping[str, slice] = {
    "names": slice(0, WORDS),
    "form": slice(5, 10),
    "beside": slice(10, 14),
    "place": slice(14, 24),
}
"""Where in a row the signs of a link's words stand, of how they are written, of what is beside the link, and of its
address; 0 where there are no more.
"""

COUNT = 24
SIGNS = 1 << 16
"""How many different signs there are, 0 among them."""

OF_LINK, OF_ADDRESS = slice(0, GROUPS["place"].start), GROUPS["place"]

_SHAPED, _COUNTED = 4, 6  # words of a link whose form is noted together, and that are counted
_REACH = 30  # characters on either side of a link within which words and marks are beside it
_NOTHING = (0,) * 4
_NOBODY = (None, None)
_TAGS = 3
_DEEPEST = 6
_ADDRESS_WORDS = range(3, 15)  # how many letters a word of an address has
_BUILT, _ROOM = 6, 4  # signs of how an address is built, and of its words

_words = re.compile(r"\w+").findall
_first_two = re.compile(r"\s*(\w+|[^\w\s])(?:\s*(\w+|[^\w\s]))?").match
_letters = re.compile(r"[a-z]+").findall
_parts = re.compile(r"[A-Za-z]+|\d+").findall
_which = re.compile(r"\[\d+\]|#[^/]*").sub


def signs_of_links(links: Sequence[Link], stems: NDArray[np.int32], begins: Iterable[int]) -> Signs:
    """The signs of links, a row each, but for those of their addresses; `stems` are their words by number, `begins`
    where in their contexts they stand, -1 where they do not.
    """
    signs = np.zeros((len(links), OF_LINK.stop), np.uint16)
    own = stems[:, :WORDS]
    signs[:, :WORDS] = np.where(own > 0, signs_of_words(own), 0)
    rows = [
        (*_written(link.anchor), _tags(link.path) if link.path else 0, *_beside(link, begin))
        for link, begin in zip(links, begins, strict=True)
    ]
    signs[:, WORDS:] = _table(rows, OF_LINK.stop - WORDS)
    return signs


def signs_of_words(stems: NDArray[np.int32]) -> NDArray[np.int32]:
    """The signs that words by number are."""
    return np.asarray(1 + stems % (SIGNS - 1))


def signs_of_addresses(urls: Sequence[str]) -> Signs:
    """The signs of addresses, a row each."""
    return _table([_address(url) for url in urls], _BUILT + _ROOM)


def _table(rows: Sequence[Sequence[int]], width: int) -> Signs:
    """Rows of so many numbers as an array."""
    return np.fromiter(chain.from_iterable(rows), np.uint16, len(rows) * width).reshape(-1, width)


@lru_cache(maxsize=1 << 14)
def _written(anchor: str) -> tuple[int, int, int, int]:
    """How the words of a link are written, how many they are, and how the first and the last are."""
    return _shaped(tuple([_shape(word) for word in _words(anchor)[:_COUNTED]]))


@lru_cache(maxsize=1 << 14)
def _shaped(shapes: tuple[str, ...]) -> tuple[int, int, int, int]:
    first, last = (shapes[0], shapes[-1]) if shapes else ("", "")
    return (
        _number("s" + " ".join(shapes[:_SHAPED])),
        _number(f"n{len(shapes)}"),
        _number("a" + first),
        _number("z" + last),
    )


def _beside(link: Link, begin: int) -> tuple[int, ...]:
    """The words and marks before a link, the nearest first, and after it."""
    if begin < 0:
        return _NOTHING
    context, end = link.context, begin + len(link.anchor)
    backwards = _first_two(context[max(0, begin - _REACH) : begin][::-1])
    onwards = _first_two(context, end, end + _REACH)
    last, last_but_one = backwards.groups() if backwards else _NOBODY
    first, second = onwards.groups() if onwards else _NOBODY
    return _before("b0", last), _before("b1", last_but_one), _after("f0", first), _after("f1", second)


@lru_cache(maxsize=1 << 14)
def _before(place: str, backwards: str | None) -> int:
    return _number(place + backwards[::-1].lower()) if backwards else 0


@lru_cache(maxsize=1 << 14)
def _after(place: str, word: str | None) -> int:
    return _number(place + word.lower()) if word else 0


def _address(url: str) -> tuple[int, ...]:
    """What an address is built of, how its last part is written, and its words, the last ones first."""
    whole, asks, _ = url.partition("?")
    folder, _, last = whole.rpartition("/")
    depth, whose, words = _folder(folder)
    stem, _, ending = last.partition(".")
    if last:
        depth += 1
        whose = whose + 1 if whose else int(last[0] == "~")
        words = words + _address_words(last)
    parts = _parts(stem)
    found = (
        *_built(min(depth, _DEEPEST), ending[:5], min(whose, _DEEPEST), asks),
        *_stem(tuple([_shape(part) for part in parts[:_SHAPED]]), min(len(parts), _DEEPEST)),
        *[_word(word) for word in dict.fromkeys(words[: -_ROOM - 1 : -1])],
    )
    return found + _NOTHING[: _BUILT + _ROOM - len(found)]


@lru_cache(maxsize=1 << 14)
def _stem(shapes: tuple[str, ...], parts: int) -> tuple[int, int]:
    """How the last part of an address is written, and of how many pieces it is."""
    return _number("s" + " ".join(shapes)), _number(f"l{parts}")


@lru_cache(maxsize=1 << 15)
def _word(word: str) -> int:
    return _number("w" + word)


@lru_cache(maxsize=1 << 14)
def _folder(folder: str) -> tuple[int, int, tuple[str, ...]]:
    """How deep a folder lies, how deep in somebody's own (~), and its last words."""
    parts = [part for part in folder.split("/")[3:] if part]
    whose = next((len(parts) - at for at, part in enumerate(parts) if part[0] == "~"), 0)
    return len(parts), whose, _address_words("/".join(parts))[-_ROOM:]


def _address_words(part: str) -> tuple[str, ...]:
    return tuple([word for word in _letters(part.lower()) if len(word) in _ADDRESS_WORDS])


@lru_cache(maxsize=1 << 12)
def _built(depth: int, ending: str, whose: int, asks: str) -> tuple[int, int, int, int]:
    """How deep an address lies and what it ends in, apart and together; in whose folder it is, and whether it asks."""
    return (
        _number(f"d{depth}"),
        _number("e" + ending),
        _number(f"m{depth}{ending}"),
        _number(f"~{whose}{asks}"),
    )


def _number(sign: str) -> int:
    return 1 + crc32(sign.encode("utf-8", "surrogatepass")) % (SIGNS - 1)


@lru_cache(maxsize=1 << 14)
def _shape(word: str) -> str:
    """How a word is written: a number, a year, small or capital letters; short words stand for themselves."""
    if word.isdigit():
        return "9999" if len(word) == 4 else "9"
    if not word.isalpha() and any(letter.isdigit() for letter in word):
        return "d"
    if word[0].isupper():
        return "XX" if word.isupper() and len(word) > 1 else "X"
    return word if len(word) <= 3 else "x"


@lru_cache(maxsize=1 << 14)
def _tags(path: str) -> int:
    """The last tags on the way to a link, without their numbers and names."""
    return _number("t" + "/".join(_which("", tag) for tag in path.split("/")[-_TAGS:]))
