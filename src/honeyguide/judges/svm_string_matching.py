"""SVM + SM (GD 9.4): a support vector machine and string matching, half and half; the best of all in GD."""

from collections.abc import Callable
from typing import Literal

from honeyguide.errors import ConfigError
from honeyguide.judges.combination import Combination
from honeyguide.judges.topical import TopicJudge


def svm_string_matching(
    *,
    make: Callable[[str], TopicJudge],
    share: float = 0.5,
    calibration: Literal["platt", "isotonic", "none"] = "platt",
    precision: float = 0.0,
    base_rate: float = 0.1,
) -> Combination:
    """The combination of both, `share` of it the machine's, which learns; the rest is the vocabulary's."""
    if not 0 <= share <= 1:
        raise ConfigError(f"The svm-string-matching judge's share must lie between 0 and 1, not at {share}.")
    return Combination(
        make=make,
        members=("svm", "string-matching"),
        weights=(share, 1 - share),
        calibration=calibration,
        precision=precision,
        base_rate=base_rate,
    )
