"""A hidden Markov model: states that are not seen, each of which leads to others and shows itself by signs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Markov(NamedTuple):
    """The model of BT 2.5: how likely each state is at first (pi), after each other one (A), by its signs (B)."""

    initial: Floats
    transitions: Floats
    emissions: Floats

    @classmethod
    def counted(cls, initial: Floats, transitions: Floats, emissions: Floats, *, more: float) -> "Markov":
        """The model of counts, `more` added to each so that nothing is impossible."""
        return cls(_shares(initial, more), _shares(transitions, more), _shares(emissions, more))

    def now(self, before: Floats, sign: int | None) -> Floats:
        """How likely each state is, given what was likely one step before and the sign seen since (BT eq. 5).

        a(j, t) = b(j, sign) * sum over i of a(i, t - 1) * a(i, j), then brought to a sum of 1.
        """
        after = self.ahead(before)
        if sign is not None:
            after = after * self.emissions[:, sign]
        return np.asarray(after / after.sum())

    def ahead(self, now: Floats) -> Floats:
        """How likely each state is one step on (BT eq. 6)."""
        return np.asarray(np.einsum("i,ij->j", now, self.transitions))


def _shares(counts: Floats, more: float) -> Floats:
    raised = counts + more
    shares: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return shares
