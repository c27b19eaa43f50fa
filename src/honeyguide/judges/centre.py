"""Where the vectors of a topic's texts lie, seen from the middle of other texts, and how near is near enough."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.compass import unit

Floats = NDArray[np.float64]

OFF_TOPIC = 95.0
"""The per cent of the background that the threshold lies above at least half of the way to the examples."""

WITHOUT_EXAMPLES = 99.0


class Centre(NamedTuple):
    """The middle of the background, the direction from there to the topic, 1 long, and the threshold between."""

    middle: Floats
    direction: Floats
    threshold: float

    @classmethod
    def of(cls, examples: Floats, background: Floats, query: Floats | None = None) -> "Centre":
        """The centre of examples or, where there are none, of a query.

        The threshold lies half-way from where nearly all of the background is to where examples lie when each
        is held back in turn; it is never below the former.
        """
        middle = background.mean(axis=0)
        around = unit(background - middle)
        if not len(examples):
            assert query is not None
            direction = unit((query - middle)[None])[0]
            return cls(
                middle, direction, max(0.0, float(np.percentile(around @ direction, WITHOUT_EXAMPLES)))
            )
        vectors = unit(examples - middle)
        direction = unit(vectors.mean(axis=0)[None])[0]
        far = float(np.percentile(around @ direction, OFF_TOPIC))
        others = unit(vectors.sum(axis=0) - vectors) if len(vectors) > 1 else vectors
        near = float(np.median((others * vectors).sum(axis=1)))
        return cls(middle, direction, max(0.0, far, (far + near) / 2))

    def nearness(self, vector: Floats) -> float:
        """The cosine of a text's vector to the direction; 0 for a text that has none."""
        away = vector - self.middle
        length = float(np.sqrt(np.square(away).sum()))
        return float((away * self.direction).sum()) / length if length and vector.any() else 0.0
