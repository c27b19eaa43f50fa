"""How telling a word is: inverse document frequencies that are fixed before the crawl starts.

Weights taken from the crawl so far would make the topic's own words look common the better the crawl
goes (BT 3.2.1), so they come from a background: the one shipped here, of English at large, or the
document frequencies of any other corpus.
"""

import gzip
import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.text.tokens import Tokeniser

_GZIP = b"\x1f\x8b"
_HEADER = "# Inverse document frequencies of stems: a weight, a tab, the stems that have it.\n"


class Background:
    """The inverse document frequency of every stem; a stem it does not know is as rare as can be."""

    def __init__(self, table: Mapping[str, float], *, rarest: float) -> None:
        self.rarest = rarest
        self._table = _Table(table, rarest)

    @classmethod
    def load(cls) -> "Background":
        """The background of English that comes with the package."""
        data = files("honeyguide.text").joinpath("background-en.txt.gz").read_bytes()
        return cls._of_lines(gzip.decompress(data).decode().splitlines(), "background-en.txt.gz")

    @classmethod
    def read(cls, path: Path) -> "Background":
        """The background that `write` has written, or anybody in the same format; gzipped or not."""
        try:
            data = path.read_bytes()
            text = (gzip.decompress(data) if data.startswith(_GZIP) else data).decode()
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise ConfigError(f"The background {path} cannot be read: {error}.") from error
        return cls._of_lines(text.splitlines(), str(path))

    @classmethod
    def _of_lines(cls, lines: Iterable[str], where: str) -> "Background":
        table: dict[str, float] = {}
        rarest = 0.0
        for number, line in enumerate(lines, 1):
            if line.startswith("#"):
                continue
            weight, tab, stems = line.partition("\t")
            try:
                value = float(weight)
            except ValueError:
                value = math.nan
            if not tab or not 0 <= value < math.inf:
                raise ConfigError(
                    f"{where}, line {number}: a line is a weight, a tab and the stems that have it, "
                    f"not {line[:80]!r}."
                )
            table.update(dict.fromkeys(stems.split(), value))
            rarest = max(rarest, value)
        return cls(table, rarest=rarest)

    @classmethod
    def from_texts(cls, texts: Iterable[str], tokeniser: Tokeniser) -> "Background":
        """The background of a corpus: the texts of its documents."""
        counts: Counter[str] = Counter()
        documents = 0
        for text in texts:
            counts.update(tokeniser.counts(text).keys())
            documents += 1
        return cls.from_counts(counts, documents)

    @classmethod
    def from_counts(cls, document_frequency: Mapping[str, int], documents: int) -> "Background":
        """The background of a corpus: how many of its documents hold each stem (BT eq. 1)."""
        if documents < 1:
            raise ConfigError("A background needs at least one document to count words in.")
        # A stem counted in more documents than there are must not get a negative weight.
        table = {
            stem: max(0.0, math.log(documents / number))
            for stem, number in document_frequency.items()
            if number > 0
        }
        return cls(table, rarest=math.log(documents))

    def write(self, path: Path) -> None:
        """Write it down for `read`, to two decimals; the same table makes the same file."""
        stems_of: defaultdict[str, list[str]] = defaultdict(list)
        for stem, weight in self._table.items():
            stems_of[f"{weight:.2f}"].append(stem)
        stems_of[f"{self.rarest:.2f}"] += ()
        lines = [
            f"{weight}\t{' '.join(sorted(stems))}\n"
            for weight, stems in sorted(stems_of.items(), key=lambda entry: float(entry[0]))
        ]
        path.write_bytes(gzip.compress((_HEADER + "".join(lines)).encode(), compresslevel=9, mtime=0))

    def idf(self, stem: str) -> float:
        """The inverse document frequency of one stem."""
        return self._table[stem]

    def idfs(self, stems: Iterable[str]) -> NDArray[np.float64]:
        """The inverse document frequencies of many stems."""
        return np.fromiter(map(self._table.__getitem__, stems), np.float64)

    def __len__(self) -> int:
        return len(self._table)

    def __contains__(self, stem: str) -> bool:
        return stem in self._table


class _Table(dict[str, float]):
    """A dict that answers for every stem without growing."""

    def __init__(self, table: Mapping[str, float], rarest: float) -> None:
        super().__init__(table)
        self._rarest = rarest

    def __missing__(self, stem: str) -> float:
        return self._rarest
