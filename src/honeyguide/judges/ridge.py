"""Ridge regression on few texts with many features, and what it would say of each text without that text."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Regression(NamedTuple):
    """How much each text pulls, and the value that the others alone would give it."""

    pulls: Floats
    held_back: Floats


def ridge(kernel: Floats, targets: Floats, shares: Floats, penalty: float) -> Regression:
    """Fit values to targets, given how alike each two texts are; a text counts by its share of all.

    The value of anything is the sum of the texts' pulls, each times how alike it and the text are. What a text
    would get if the regression had never seen it needs no second one (Allen's PRESS).
    """
    inverse = np.linalg.inv(kernel + np.diag(penalty / shares))
    pulls = inverse @ targets
    return Regression(pulls, targets - pulls / np.diag(inverse))
