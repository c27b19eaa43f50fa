"""What results may be ordered by: a file of its own, so that naming it loads no index."""

from enum import StrEnum


class Sort(StrEnum):
    """What results are ordered by."""

    SCORE = "score"
    RELEVANCE = "relevance"
    AUTHORITY = "authority"
    NEWEST = "newest"
    OLDEST = "oldest"
