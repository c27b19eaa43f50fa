"""Words as vectors that lie close together where words mean much the same.

The vectors are those inside the wordllama package: one for each of 32,000 pieces of words, made by training,
256 numbers long. The vector of a word is the mean of its pieces', that of a text the mean of its words'. The
package's own encoder cuts every text into pieces anew; here a word is cut once, when it is first met, so a
page costs one look-up for all its different words. Words are lower-case, as `Wordbook` has them: on pages of
an encyclopedia that told topics apart as well as words spelt as the page spells them.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.text.tensors import read_tensors
from honeyguide.text.wordbook import LONGEST_TEXT, Numbers, Wordbook

Vectors = NDArray[np.float32]
"""One vector, or one in each row."""

Mean = NDArray[np.float64]

SIZE = 256
SHORT = 64
"""The first numbers of a vector are trained to do without the others: enough to tell how long it is."""

LONGEST_SHORT_TEXT = 4096
"""Characters of a text of `vectors` that are read; those texts are links with the words around them."""

_PIECES = 32_000
_WEIGHTS = "weights/l2_supercat_256.safetensors"
_CUTTER = "tokenizers/l2_supercat_tokenizer_config.json"
_AT_ONCE = 200


class Embeddings:
    """The vectors of the words of a wordbook, which bounds how many words there are."""

    def __init__(self, book: Wordbook) -> None:
        self._book = book
        self._known = 1
        self._generation = book.words.generation
        self._first = np.zeros(1 << 12, np.int64)
        self._number = np.zeros(1 << 12, np.int64)
        self._pieces = np.zeros(1 << 13, np.int32)
        self._filled = 0
        self._latest: tuple[Numbers | None, tuple[NDArray[np.int32], NDArray[np.int64]]]
        self._latest = None, (self._pieces[:0], self._number[:0])

    def of(self, words: Numbers) -> Vectors:
        """The vector of each word, in rows."""
        if not len(words):
            return np.zeros((0, SIZE), np.float32)
        pieces, numbers = self.pieces_of(words)
        rows = _resource().table.take(pieces, 0)
        vectors: Vectors = np.add.reduceat(rows, np.cumsum(numbers) - numbers)
        vectors /= numbers[:, None].astype(np.float32)
        return vectors

    def means(self, words: Numbers, begins: NDArray[np.intp], ends: NDArray[np.intp]) -> Mean:
        """The first SHORT numbers of the mean vector of words[begin:end], for each begin and end; zeros for none."""
        if not len(words):
            return np.zeros((len(begins), SHORT))
        from scipy.sparse import csr_array

        pieces, numbers = self.pieces_of(words)
        first = np.zeros(len(words) + 1, np.int32)
        np.cumsum(numbers, out=first[1:])
        starts = first.take(begins)
        counts = first.take(ends) - starts
        edges = np.zeros(len(counts) + 1, np.int32)
        np.cumsum(counts, out=edges[1:])
        places = np.arange(edges[-1]) + np.repeat(starts - edges[:-1], counts)
        shares = np.repeat((1 / numbers).astype(np.float32), numbers).take(places)
        # Adds up row by row, each by itself, so that a text means the same whatever is read along with it.
        sums = csr_array((shares, pieces.take(places), edges), (len(counts), _PIECES)) @ _resource().short
        means: Mean = sums / np.maximum(ends - begins, 1)[:, None]
        return means

    def mean(self, words: Numbers, weights: NDArray[np.float64], *, short: bool = False) -> Mean:
        """The mean of the words' vectors, weighted, or the first SHORT numbers of it; zeros without words."""
        resource = _resource()
        table = resource.short if short else resource.table
        total = float(weights.sum())
        if not len(words) or total <= 0:
            return np.zeros(table.shape[1])
        pieces, numbers = self.pieces_of(words)
        shares = np.repeat((weights / (numbers * total)).astype(np.float32), numbers)
        # Not a matrix product: that would wake threads for what takes a tenth of a millisecond.
        mean: Vectors = np.einsum("i,ij->j", shares, table.take(pieces, 0))
        return mean.astype(np.float64)

    def along(self, direction: Mean) -> "Projection":
        """How far each word's vector reaches in a direction."""
        return Projection(self, direction)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The mean vector of each of many short texts, in rows; zeros for a text without words."""
        found = np.zeros((len(texts), SIZE), np.float32)
        encoded = [text[:LONGEST_SHORT_TEXT].encode("utf-8", "replace") for text in texts]
        start = 0
        while start < len(texts):
            end, room = start, LONGEST_TEXT - 2
            while end < len(texts) and (end == start or len(encoded[end]) < room):
                room -= len(encoded[end]) + 1
                end += 1
            self._add_up(encoded[start:end], found[start:end])
            start = end
        return found

    def _add_up(self, texts: Sequence[bytes], found: Vectors) -> None:
        reading = self._book.read(b"\n".join(texts).decode("utf-8", "replace"))
        if not len(reading.words):
            return
        ends = np.cumsum([len(text) + 1 for text in texts])
        text_of = np.searchsorted(ends, reading.starts, side="right")
        pieces, numbers = self.pieces_of(reading.words)
        rows = _resource().table.take(pieces, 0)
        rows *= np.repeat((1 / numbers).astype(np.float32), numbers)[:, None]
        first_word = np.flatnonzero(np.diff(text_of, prepend=-1))
        first_piece = (np.cumsum(numbers) - numbers)[first_word]
        words = np.diff(first_word, append=len(text_of)).astype(np.float32)
        found[text_of[first_word]] = np.add.reduceat(rows, first_piece) / words[:, None]

    def pieces_of(self, words: Numbers) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """All pieces of the words in order, and how many each word has; asked again, the same arrays."""
        names = self._book.words
        if self._known != len(names) or self._generation != names.generation:
            self._catch_up()
        elif words is self._latest[0]:
            return self._latest[1]
        numbers = self._number.take(words)
        before = np.cumsum(numbers) - numbers
        places = np.arange(int(numbers.sum())) + np.repeat(self._first.take(words) - before, numbers)
        self._latest = words, (self._pieces.take(places), numbers)
        return self._latest[1]

    def _catch_up(self) -> None:
        names = self._book.words
        if self._generation != names.generation:
            self._generation = names.generation
            self._known, self._filled = 1, 0
        for start in range(self._known, len(names), _AT_ONCE):
            pieces, numbers = _resource().cut(names.list[start : start + _AT_ONCE])
            end, filled = start + len(numbers), self._filled + len(pieces)
            self._first = _with_room(self._first, end)
            self._number = _with_room(self._number, end)
            self._pieces = _with_room(self._pieces, filled)
            self._first[start:end] = self._filled + np.cumsum(numbers) - numbers
            self._number[start:end] = numbers
            self._pieces[self._filled : filled] = pieces
            self._known, self._filled = end, filled

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process numbers and cuts what it reads itself.
        return Embeddings, (self._book,)


class Projection:
    """How far words reach in one direction. That of a word is the mean of its pieces', which are worked out once."""

    def __init__(self, embeddings: Embeddings, direction: Mean) -> None:
        self._embeddings = embeddings
        self._direction = direction

    def of(self, words: Numbers) -> Mean:
        """The product of each word's vector and the direction."""
        if not len(words):
            return np.zeros(0)
        pieces, numbers = self._embeddings.pieces_of(words)
        sums: Mean = np.add.reduceat(self._pieces.take(pieces), np.cumsum(numbers) - numbers)
        return sums / numbers

    @cached_property
    def _pieces(self) -> Mean:
        # Not a matrix product, whose last digits may depend on the number of threads.
        products: Mean = np.einsum("ij,j->i", _resource().table, self._direction)
        return products

    def __reduce__(self) -> tuple[Any, ...]:
        return Projection, (self._embeddings, self._direction)


class _Resource(NamedTuple):
    """What the package holds: the vectors, what cuts words into pieces, and which pieces start a word."""

    table: Vectors
    short: Vectors
    cutter: Any
    starts: NDArray[np.bool_]

    def cut(self, words: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The pieces of words that hold no space, and how many each word has."""
        (encoded,) = self.cutter.encode_batch_fast([" ".join(words)], add_special_tokens=False)
        pieces = np.array(encoded.ids, np.int32)
        first = np.flatnonzero(self.starts[pieces])
        return pieces, np.diff(first, append=len(pieces))


@cache
def _resource() -> _Resource:
    # Read-only and 41 MB large, so that all who use it in a process share it.
    try:
        spec = find_spec("wordllama")
        if spec is None or not spec.submodule_search_locations:
            raise FileNotFoundError("it is not installed")
        folder = Path(spec.submodule_search_locations[0])
        table = _table((folder / _WEIGHTS).read_bytes())
        from tokenizers import Tokenizer

        cutter = Tokenizer.from_file(str(folder / _CUTTER))
        starts = np.zeros(_PIECES, np.bool_)
        for piece, number in cutter.get_vocab().items():
            starts[number] = piece.startswith("▁")
    # The cutter's library raises plain exceptions.
    except Exception as error:
        raise ConfigError(
            f"The word vectors of the wordllama package cannot be read ({error}); install it again with "
            "pip install --force-reinstall wordllama."
        ) from error
    return _Resource(table, np.ascontiguousarray(table[:, :SHORT]), cutter, starts)


def _table(data: bytes) -> Vectors:
    table = read_tensors(data)["embedding.weight"]
    if table.shape != (_PIECES, SIZE):
        raise ValueError(f"they are {table.shape}")
    return table.astype(np.float32)


def _with_room(array: NDArray[Any], size: int) -> NDArray[Any]:
    if size <= len(array):
        return array
    longer = np.zeros(2 * size, array.dtype)
    longer[: len(array)] = array
    return longer
