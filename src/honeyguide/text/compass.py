"""Where a topic lies: the direction of its meaning among word vectors, and how much each word speaks for it.

Examples are worth more than the words of the query and the terms of a vocabulary, which count alone where there are
no examples. What other texts say as well is taken off.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Example, Term, Topic
from honeyguide.text.booleans import plain
from honeyguide.text.documents import Documents
from honeyguide.text.embeddings import SHORT, Embeddings
from honeyguide.text.vectors import length

Floats = NDArray[np.float64]

QUERY = 0.3
"""What the query counts for the direction, where the examples together count 1."""

QUERY_WORDS, EXAMPLE_WORDS = 0.5, 1.5
"""What a word of the query and of the examples counts, where a word of other texts counts -1."""

LISTED = 1.0
"""What the terms of a vocabulary count together, where the query counts 1."""

OPENING = 80
"""Words of a text that stand for what is said around a link to it, as its title stands for the link's own."""

NAME = 80
"""Characters of a text without a title that stand for one."""


class Shown(NamedTuple):
    """Texts as if they were links: the vectors of what they are called, and of what they begin with."""

    names: Floats
    openings: Floats


class Compass(NamedTuple):
    """The middle of other texts, the direction from there to the topic, 1 long, and the weights of stems.

    `examples` and `others` are the texts it was made of; the last of the examples is the query. Where there are no
    examples, the terms of a vocabulary stand for them.
    """

    middle: Floats
    direction: Floats
    weights: Mapping[str, float]
    examples: Shown
    others: Shown

    @classmethod
    def of(cls, topic: Topic, documents: Documents, embeddings: Embeddings) -> "Compass":
        """The compass of a topic, seen against its background."""
        others = (*topic.background, *topic.off_topic) or (Example(""),)
        middle = _vectors([_whole(one) for one in others], embeddings).mean(axis=0)
        listed = plain(topic.vocabulary, documents.tokeniser)
        query = Example(" ".join((topic.name, *topic.keywords)))
        asked = _asked(query, listed, middle, embeddings)
        direction = asked
        if topic.examples:
            shown = toward(_vectors([_whole(one) for one in topic.examples], embeddings), middle)
            direction = unit((shown.mean(axis=0) + QUERY * asked)[None])[0]
        wanted = _wanted(query, listed, documents)
        told, usual = _words(topic.examples, documents), _words(others, documents)
        share = QUERY_WORDS if topic.examples else 1.0
        return cls(
            middle,
            direction,
            {
                stem: share * wanted.get(stem, 0.0)
                + EXAMPLE_WORDS * told.get(stem, 0.0)
                - usual.get(stem, 0.0)
                for stem in {**wanted, **told}
            },
            _shown((*(topic.examples or map(_named, listed)), query), middle, embeddings),
            _shown(others, middle, embeddings),
        )


def unit(vectors: Floats) -> Floats:
    """Vectors in rows, each brought to length 1; one of zeros stays."""
    lengths = np.sqrt(np.square(vectors).sum(axis=1, keepdims=True))
    scaled: Floats = vectors / np.where(lengths > 0, lengths, 1.0)
    return scaled


def toward(vectors: Floats, middle: Floats) -> Floats:
    """Where vectors lie seen from a middle, each brought to length 1; texts without words lie nowhere."""
    seen = unit(vectors - middle)
    seen[~vectors.any(axis=1)] = 0.0
    return seen


def _vectors(texts: Sequence[str], embeddings: Embeddings) -> Floats:
    return embeddings.vectors(texts)[:, :SHORT].astype(np.float64)


def _whole(example: Example) -> str:
    return f"{example.title} {example.text}"


def _shown(examples: Sequence[Example], middle: Floats, embeddings: Embeddings) -> Shown:
    openings = [" ".join(_whole(one).split(None, OPENING)[:OPENING]) for one in examples]
    names = [one.title or one.text[:NAME] for one in examples]
    return Shown(toward(_vectors(names, embeddings), middle), toward(_vectors(openings, embeddings), middle))


def _words(texts: Sequence[Example], documents: Documents) -> dict[str, float]:
    """The mean of texts as vectors of length 1, with (1 + log tf) * idf for every stem."""
    mean: dict[str, float] = {}
    for text in texts:
        bag = documents.read(text).stems()
        values = (1 + np.log(bag.counts)) * documents.idf.of(bag.numbers)
        values /= (float(np.sqrt(np.square(values).sum())) or 1.0) * len(texts)
        names = documents.book.stems.list
        for number, value in zip(bag.numbers.tolist(), values.tolist(), strict=True):
            mean[names[number]] = mean.get(names[number], 0.0) + value
    return mean


def _named(term: Term) -> Example:
    """A term as if a page were called so."""
    return Example("", term.text)


def _asked(query: Example, terms: Sequence[Term], middle: Floats, embeddings: Embeddings) -> Floats:
    """The direction of the query and of the terms of a vocabulary, the heavier the more."""
    asked = toward(_vectors([query.text], embeddings), middle)
    if terms:
        weights = np.array([term.weight for term in terms])
        named = toward(_vectors([term.text for term in terms], embeddings), middle)
        asked = unit(asked + LISTED * unit(weights[None] @ named))
    return np.asarray(asked[0])


def _wanted(query: Example, terms: Sequence[Term], documents: Documents) -> dict[str, float]:
    """The words of the query, and those of the terms as a vector of length 1 with weight * idf for every stem."""
    listed: dict[str, float] = {}
    for term in terms:
        for stem in documents.tokeniser.stems(term.text):
            listed[stem] = listed.get(stem, 0.0) + term.weight * documents.background.idf(stem)
    size = length(listed) or 1.0
    wanted = _words([query], documents)
    for stem, weight in listed.items():
        wanted[stem] = wanted.get(stem, 0.0) + LISTED * weight / size
    return wanted
