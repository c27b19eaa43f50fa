"""PLSI and PHITS in one model (Cohn & Hofmann 2001; AP eq. 14-16): factors behind words and links alike.

A document d is a mixture P(z|d) of factors z; a factor says words with P(t|z) and links to pages with P(c|z).
With P(t|d) = sum of P(t|z) P(z|d), and P(c|d) likewise, L = alpha * sum of TF(t,d) log P(t|d) + (1 - alpha) *
sum of LF(d,c) log P(c|d) is maximised by tempered EM, whose expectation P(z|t,d) is proportional to
(P(t|z) P(z|d)) ** beta. Everything is done factor by factor over the filled places of two tables, so that a step
costs factors times places, and without matrix products, whose last digits depend on the machine.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

LEAST = 1e-12
"""What is at least probable, so that no logarithm and no quotient fails."""


class Table(NamedTuple):
    """Documents by things they hold, words or links: for each filled place its row, its column, its weight."""

    rows: Places
    columns: Places
    weights: Floats
    documents: int
    things: int

    @classmethod
    def of(
        cls, rows: Places, columns: Places, counts: Floats, shape: tuple[int, int], *, share: float
    ) -> "Table":
        """Counts as weights: those of a document add up to `share`, however much it holds (Cohn & Hofmann)."""
        sums = np.bincount(rows, counts, shape[0])
        return cls(rows, columns, share * counts / np.maximum(sums, LEAST)[rows], *shape)

    def by_document(self, values: Floats) -> Floats:
        """The sums of each document's values."""
        return np.bincount(self.rows, values, self.documents).astype(np.float64, copy=False)

    def by_thing(self, values: Floats) -> Floats:
        """The sums of each thing's values."""
        return np.bincount(self.columns, values, self.things).astype(np.float64, copy=False)

    def parted(self, held_back: NDArray[np.bool_]) -> "Parted":
        """What is learned from, and what is held back."""
        return Parted(self._only(~held_back), self._only(held_back))

    def _only(self, which: NDArray[np.bool_]) -> "Table":
        return self._replace(rows=self.rows[which], columns=self.columns[which], weights=self.weights[which])


class Parted(NamedTuple):
    """A table in two parts: what is learned from, and what is held back to see whether it was learned."""

    learned: Table
    held_back: Table


class Factors(NamedTuple):
    """P(z|d), P(t|z) and P(c|z): a row for every factor."""

    mixtures: Floats
    terms: Floats
    links: Floats

    @classmethod
    def of_mixtures(cls, mixtures: Floats, text: Table, links: Table) -> "Factors":
        """What the factors say and link to if documents are mixed of them like this."""
        terms, targets = (
            _shares(np.array([table.by_thing(one.take(table.rows) * table.weights) for one in mixtures]))
            for table in (text, links)
        )
        return cls(mixtures, terms, targets)


class Tempered(NamedTuple):
    """How EM is tempered: from 1 on, beta is multiplied by eta as long as that is not below the lowest."""

    lowest: float = 0.8
    eta: float = 0.9


class Learned(NamedTuple):
    """The factors EM ended with, and the beta of the last step it took."""

    factors: Factors
    beta: float


def learn(
    factors: Factors,
    text: Parted,
    links: Parted,
    *,
    steps: int,
    tempered: Tempered = Tempered(),  # noqa: B008 - an immutable value
) -> Learned:
    """Go on with EM from these factors, so many steps at most.

    A step that explains what is held back no better is not taken, and beta is lowered instead; EM ends when
    beta would fall below the lowest. With nothing held back beta stays at 1.
    """
    checked = len(text.held_back.rows) + len(links.held_back.rows) > 0
    best = likelihood(factors, text.held_back, links.held_back)
    learned, beta = Learned(factors, 1.0), 1.0
    for _ in range(steps):
        tried = step(learned.factors, text.learned, links.learned, beta)
        reached = likelihood(tried, text.held_back, links.held_back)
        if reached > best or not checked:
            learned, best = Learned(tried, beta), reached
            continue
        beta *= tempered.eta
        if beta < tempered.lowest:
            break
    return learned


def step(factors: Factors, text: Table, links: Table, beta: float = 1.0) -> Factors:
    """One round of expectation and maximisation; with beta = 1 the likelihood never falls."""
    said, by_text = _expected(factors.mixtures, factors.terms, text, beta)
    linked, by_links = _expected(factors.mixtures, factors.links, links, beta)
    return Factors(_mixed(by_text + by_links), _shares(said), _shares(linked))


def likelihood(factors: Factors, text: Table, links: Table) -> float:
    """L of the places of two tables."""
    total = 0.0
    for things, table in ((factors.terms, text), (factors.links, links)):
        explained = _explained(factors.mixtures, things, table)
        total += float((table.weights * np.log(np.maximum(explained, LEAST))).sum())
    return total


def of_targets(factors: Factors, links: Table, beta: float = 1.0) -> Floats:
    """P(z|c): how a page that is linked to is mixed of factors."""
    return _mixed(_expected(factors.mixtures, factors.links, links, beta)[0])


def fold_in(terms: Floats, columns: Places, counts: Floats, *, steps: int = 10) -> Floats:
    """P(z|d) of a document that was not learned from, by its words: P(t|z) stays as it is."""
    mixture = np.full(len(terms), 1 / len(terms))
    of_words = terms.take(columns, axis=1)
    for _ in range(steps if len(columns) else 0):
        products = mixture[:, None] * of_words
        sums = (products * (counts / np.maximum(products.sum(axis=0), LEAST**2))).sum(axis=1)
        mixture = _mixed(sums[:, None])[:, 0]
    return mixture


def _expected(mixtures: Floats, things: Floats, table: Table, beta: float) -> tuple[Floats, Floats]:
    """The weight of every place shared out between the factors: its sums by thing and by document."""
    if beta != 1:
        mixtures, things = mixtures**beta, things**beta
    of_place = table.weights / np.maximum(_explained(mixtures, things, table), LEAST**2)
    by_thing = np.empty((len(mixtures), table.things))
    by_document = np.empty((len(mixtures), table.documents))
    for factor in range(len(mixtures)):
        # A sum over places of a * b * w is a times the sum of b * w where a is the same for all of them.
        by_thing[factor] = table.by_thing(mixtures[factor].take(table.rows) * of_place)
        by_document[factor] = table.by_document(things[factor].take(table.columns) * of_place)
    return by_thing * things, by_document * mixtures


def _explained(mixtures: Floats, things: Floats, table: Table) -> Floats:
    """The sum of P(z|d) P(t|z) over the factors, at every place."""
    explained = np.zeros(len(table.rows))
    for mixture, thing in zip(mixtures, things, strict=True):
        explained += mixture.take(table.rows) * thing.take(table.columns)
    return explained


def _shares(sums: Floats) -> Floats:
    """Sums by thing as probabilities: those of a factor add up to 1."""
    return np.asarray(sums / np.maximum(sums.sum(axis=1, keepdims=True), LEAST))


def _mixed(sums: Floats) -> Floats:
    """Sums by document as mixtures; a document that holds nothing is of all factors alike."""
    totals = sums.sum(axis=0)
    return np.where(totals > LEAST**2, sums / np.maximum(totals, LEAST**2), 1 / len(sums))
