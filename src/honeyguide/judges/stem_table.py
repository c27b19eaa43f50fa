"""Texts as vectors of stems, side by side: what the judges of the vector space learn from."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.judges.calibration import platt
from honeyguide.judges.held_back import Floats, Sample
from honeyguide.model import Example
from honeyguide.text.documents import Documents, Weights

if TYPE_CHECKING:
    from scipy.sparse import csr_array


Repeats = Literal["log", "linear"]


def term_frequency(counts: Floats, repeats: Repeats) -> Floats:
    """What a word counts for that occurs so often; BT eq. 1 is the linear one, up to the length of a vector."""
    frequency: Floats = np.log1p(counts) if repeats == "log" else counts
    return frequency


def check_repeats(judge: str, repeats: str) -> None:
    """Refuse a setting that is none."""
    if repeats not in ("log", "linear"):
        raise ConfigError(f"The {judge} judge's repeats must be log or linear, not {repeats!r}.")


def check_cosine_settings(judge: str, threshold: float | None, repeats: str) -> None:
    """Refuse what no judge by cosines can be set to."""
    if threshold is not None and not 0 <= threshold <= 1:
        raise ConfigError(f"The {judge} judge's threshold must lie between 0 and 1, not at {threshold}.")
    check_repeats(judge, repeats)


def even_odds(cosines: Floats, sample: Sample, base_rate: float) -> float:
    """The cosine at which a page is as probable as not to be on topic, by those of held-back texts."""
    calibration = platt(cosines, sample.on_topic, sample.presumed(base_rate))
    return min(1.0, max(0.0, calibration.margin_at(0.5)))


class StemTable(NamedTuple):
    """A row for every text and a column for every stem, in the order in which stems first occur in the texts.

    `words` says how a stem is spelt where it first occurs.
    """

    stems: list[str]
    words: list[str]
    counts: "csr_array"

    @classmethod
    def of(cls, texts: Iterable[Example], documents: Documents, weights: Weights) -> "StemTable":
        """Count the stems of texts, those of each part of a text so many times."""
        from scipy.sparse import csr_array

        words: dict[str, str] = {}
        columns: dict[str, int] = {}
        places: list[int] = []
        counts = [np.zeros(0)]
        ends = [0]
        for text in texts:
            document = documents.read(text)
            for number in document.bag(weights).numbers.tolist():
                word = documents.book.words.list[number]
                words.setdefault(documents.tokeniser.stem(word), word)
            bag = document.stems(weights)
            # The numbers of stems hold only until the next text is read.
            names = documents.book.stems.list
            places += [columns.setdefault(names[number], len(columns)) for number in bag.numbers.tolist()]
            counts.append(bag.counts)
            ends.append(len(places))
        table = csr_array((np.concatenate(counts), places, ends), shape=(len(ends) - 1, len(columns)))
        return cls(list(columns), [words[stem] for stem in columns], table)

    def rows(self, which: slice) -> "StemTable":
        """Some of the texts; the columns stay."""
        return self._replace(counts=self.counts[which])

    def weighted(self, idf: Floats, repeats: Repeats) -> "csr_array":
        """Rows of length 1 of tf * idf; a row of zeros for a text without words."""
        table = self.counts.copy()
        table.data = term_frequency(table.data, repeats) * idf[table.indices]
        lengths = np.sqrt(table.multiply(table).sum(axis=1))
        table.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(table.indptr))
        return table

    def most_frequent(self, number: int) -> list[int]:
        """The columns of the stems that occur most, if they occur; of equal ones, the first."""
        totals = self.counts.sum(axis=0)
        return [column for column in np.argsort(-totals, kind="stable")[:number].tolist() if totals[column]]
