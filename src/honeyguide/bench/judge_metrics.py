"""How good a judge is, as pure functions of its scores and of labels it never saw.

`scores` and `relevant` run over the same pages. Equal scores are one step of a ranking: no order among them is
taken for right or wrong. Without a page on topic, or without one off it, a ranking has nothing to show: nan.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

BINS = 10


class Decisions(NamedTuple):
    """How good it is to take a judge's word for it; a share of nothing is 0."""

    precision: float
    recall: float
    f1: float


def roc_auc(scores: ArrayLike, relevant: ArrayLike) -> float:
    """The chance that a page on topic scores more than one off it, a tie counting half (by ranks)."""
    values, truth = np.asarray(scores, float), np.asarray(relevant, bool)
    on, off = int(truth.sum()), int((~truth).sum())
    if not on or not off:
        return math.nan
    _, which, times = np.unique(values, return_inverse=True, return_counts=True)
    middle = np.cumsum(times) - (times - 1) / 2
    return float((middle[which[truth]].sum() - on * (on + 1) / 2) / (on * off))


def average_precision(scores: ArrayLike, relevant: ArrayLike) -> float:
    """The mean over the pages on topic of the precision among all pages that score no less than they do."""
    values, truth = np.asarray(scores, float), np.asarray(relevant, bool)
    if not truth.any():
        return math.nan
    _, which, times = np.unique(-values, return_inverse=True, return_counts=True)
    hits = np.bincount(which, weights=truth, minlength=len(times))
    precision = np.cumsum(hits) / np.cumsum(times)
    return float((hits * precision).sum() / hits.sum())


def decisions(called: ArrayLike, relevant: ArrayLike) -> Decisions:
    """Precision, recall and F1 of the pages that a judge calls relevant."""
    said, truth = np.asarray(called, bool), np.asarray(relevant, bool)
    both, all_said, all_true = int((said & truth).sum()), int(said.sum()), int(truth.sum())
    return Decisions(
        both / all_said if all_said else 0.0,
        both / all_true if all_true else 0.0,
        2 * both / (all_said + all_true) if all_said + all_true else 0.0,
    )


def calibration_error(scores: ArrayLike, relevant: ArrayLike, *, bins: int = BINS) -> float:
    """How far scores are from being probabilities: the expected calibration error.

    Pages are put into bins of equal width by their score; in each, the mean score is compared with the share of
    pages on topic, and the differences are weighed by how many pages a bin holds.
    """
    values, truth = np.asarray(scores, float), np.asarray(relevant, float)
    if not len(values):
        return math.nan
    bin_of: NDArray[np.intp] = np.clip((values * bins).astype(np.intp), 0, bins - 1)
    said = np.bincount(bin_of, weights=values, minlength=bins)
    true = np.bincount(bin_of, weights=truth, minlength=bins)
    return float(np.abs(said - true).sum() / len(values))
