"""How many relevant pages there are, from the overlap of two crawls: capture and recapture.

Two crawls of one topic are two catches from one pond. The estimate takes them to be independent: crawls from
other seeds and with other strategies come closer to that, and where they do not it is too low.
"""

from collections.abc import Set
from dataclasses import dataclass

from honeyguide.statistics import Share, chapman
from honeyguide.store.collection import Collection
from honeyguide.urls import canonical


@dataclass(frozen=True, slots=True)
class Recapture:
    """How many relevant pages there are, and what share of them each crawl has."""

    first: int
    second: int
    both: int
    total: float
    low: float
    high: float
    first_recall: Share
    second_recall: Share
    joint_recall: Share


def relevant_pages(collection: Collection) -> set[str]:
    """Where a crawl's relevant pages were found in the end, one spelling for each."""
    rows = collection.visits(only_relevant=True)
    return {canonical(row["final"]) or row["address_url"] for row in rows}


def recapture(first: Set[str], second: Set[str]) -> Recapture:
    """What the overlap of two crawls' relevant pages says about those that neither found."""
    total, low, high = chapman(len(first), len(second), len(first & second))

    def recall(found: int) -> Share:
        return Share(found / total, found / high, min(1.0, found / low))

    return Recapture(
        first=len(first),
        second=len(second),
        both=len(first & second),
        total=total,
        low=low,
        high=high,
        first_recall=recall(len(first)),
        second_recall=recall(len(second)),
        joint_recall=recall(len(first | second)),
    )
