"""Where what is usual ends, by texts that are presumed to be off topic."""

from collections.abc import Sequence

import numpy as np

DEVIATIONS = 4.0


def beyond(usual: Sequence[float], *, least: float) -> float:
    """A threshold that the background hardly ever comes to: some standard deviations above its mean.

    What a crawl meets is more varied than any background, so the threshold lies above the largest of a few.
    """
    values = np.array(usual)
    return max(least, float(values.mean() + DEVIATIONS * values.std()))
