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
_NO_SIGN = -1
_NOTHING = (_NO_SIGN,) * 4
_NOBODY = (None, None)
_TAGS = 3
_DEEPEST = 6
_ADDRESS_WORDS = range(3, 15)  # how many letters a word of an address has
_BUILT, _ROOM = 6, 4  # signs of how an address is built, and of its words

_LAST, _LAST_BUT_ONE, _FIRST, _SECOND, _WORD = (crc32(place) for place in (b"b0", b"b1", b"f0", b"f1", b"w"))

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
        (*_written(link.anchor), _tags(link.path) if link.path else _NO_SIGN, *_beside(link, begin))
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
    """The signs that so many checksums in each row are."""
    sums = np.fromiter(chain.from_iterable(rows), np.int64, len(rows) * width)
    return np.where(sums == _NO_SIGN, 0, 1 + sums % (SIGNS - 1)).astype(np.uint16).reshape(-1, width)


def _written(anchor: str) -> tuple[int, int, int, int]:
    """How the words of a link are written, how many they are, and how the first and the last are."""
    return _shaped(tuple([_shape(word) for word in _words(anchor)[:_COUNTED]]))


@lru_cache(maxsize=1 << 14)
def _shaped(shapes: tuple[str, ...]) -> tuple[int, int, int, int]:
    first, last = (shapes[0], shapes[-1]) if shapes else ("", "")
    return (
        _checksum("s" + " ".join(shapes[:_SHAPED])),
        _checksum(f"n{len(shapes)}"),
        _checksum("a" + first),
        _checksum("z" + last),
    )


def _beside(link: Link, begin: int) -> tuple[int, int, int, int]:
    """The words and marks before a link, the nearest first, and after it."""
    if begin < 0:
        return _NOTHING
    context, end = link.context, begin + len(link.anchor)
    backwards = _first_two(context[max(0, begin - _REACH) : begin][::-1])
    onwards = _first_two(context, end, end + _REACH)
    last, last_but_one = backwards.groups() if backwards else _NOBODY
    first, second = onwards.groups() if onwards else _NOBODY
    return (
        _checksum(last[::-1].lower(), _LAST) if last else _NO_SIGN,
        _checksum(last_but_one[::-1].lower(), _LAST_BUT_ONE) if last_but_one else _NO_SIGN,
        _checksum(first.lower(), _FIRST) if first else _NO_SIGN,
        _checksum(second.lower(), _SECOND) if second else _NO_SIGN,
    )


def _address(url: str) -> tuple[int, ...]:
    """What an address is built of, how its last part is written, and its words, the last ones first."""
    whole, asks, _ = url.partition("?")
    folder, _, last = whole.rpartition("/")
    depth, whose, words = _folder(folder)
    stem, _, ending = last.partition(".")
    parts = _parts(stem)
    if last:
        depth += 1
        whose = whose + 1 if whose else int(last[0] == "~")
        words += tuple([part.lower() for part in parts if len(part) in _ADDRESS_WORDS and part.isalpha()])
        words += _address_words(ending)
    found = (
        *_built(min(depth, _DEEPEST), ending[:5], min(whose, _DEEPEST), asks),
        *_stem(tuple([_shape(part) for part in parts[:_SHAPED]]), min(len(parts), _DEEPEST)),
        *[_checksum(word, _WORD) for word in dict.fromkeys(words[: -_ROOM - 1 : -1])],
    )
    return found + _NOTHING[: _BUILT + _ROOM - len(found)]


@lru_cache(maxsize=1 << 14)
def _stem(shapes: tuple[str, ...], parts: int) -> tuple[int, int]:
    """How the last part of an address is written, and of how many pieces it is."""
    return _checksum("s" + " ".join(shapes)), _checksum(f"l{parts}")


@lru_cache(maxsize=1 << 14)
def _folder(folder: str) -> tuple[int, int, tuple[str, ...]]:
    """How deep a folder lies, how deep in somebody's own (~), and its last words."""
    parts = [part for part in folder.split("/")[3:] if part]
    whose = next((len(parts) - at for at, part in enumerate(parts) if part[0] == "~"), 0)
    return len(parts), whose, _address_words("/".join(parts))


@lru_cache(maxsize=1 << 12)
def _address_words(part: str) -> tuple[str, ...]:
    """The last words of a part of an address; no more, for they are remembered."""
    return tuple([word for word in _letters(part.lower()) if len(word) in _ADDRESS_WORDS][-_ROOM:])


@lru_cache(maxsize=1 << 12)
def _built(depth: int, ending: str, whose: int, asks: str) -> tuple[int, int, int, int]:
    """How deep an address lies and what it ends in, apart and together; in whose folder it is, and whether it asks."""
    return (
        _checksum(f"d{depth}"),
        _checksum("e" + ending),
        _checksum(f"m{depth}{ending}"),
        _checksum(f"~{whose}{asks}"),
    )


def _checksum(sign: str, start: int = 0) -> int:
    """A sign before it is made one of so many; `start` is the checksum of what is put before it."""
    return crc32(sign.encode("utf-8", "surrogatepass"), start)


def _shape(word: str) -> str:
    """How a word is written: a number, a year, small or capital letters; short words stand for themselves."""
    if not word.isalpha():
        if word.isdigit():
            return "9999" if len(word) == 4 else "9"
        if any(letter.isdigit() for letter in word):
            return "d"
    if word[0].isupper():
        return "XX" if word.isupper() and len(word) > 1 else "X"
    return word if len(word) <= 3 else "x"


@lru_cache(maxsize=1 << 14)
def _tags(path: str) -> int:
    """The last tags on the way to a link, without their numbers and names."""
    return _checksum("t" + "/".join(_which("", tag) for tag in path.split("/")[-_TAGS:]))
