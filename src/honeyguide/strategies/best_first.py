"""Best-first (BT 3.2): links of relevant pages, and links whose anchors say the topic's words."""

from collections.abc import Iterable
from typing import Literal, Self, get_args

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.text.vectors import Query

By = Literal["page", "anchor", "both"]


class BestFirst(Strategy):
    """Scores a link by the relevance of its page, by the cosine of its anchor to the topic, or by both.

    page: rel(p); anchor: cos(q, a); both (BT eq. 7): (rel(p) + cos(q, a)) / 2. BT's rel(p) is cos(q, p),
    which is what the cosine judge says; here it is the verdict of whatever judge the crawl has.
    A link without anchor text has an anchor score of 0.
    """

    def __init__(self, *, by: By = "both") -> None:
        if by not in get_args(By):
            raise ConfigError(f"Best-first goes by page, anchor or both, not by {by!r}.")
        self.by = by
        self._query: Query | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Take up the topic's words; there is nothing to learn from an earlier crawl."""
        if self.by != "page":
            self._query = Query.of(topic)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        if visit.page is None or visit.error is not None:
            return ()
        links = visit.page.links
        depth = visit.candidate.depth + 1
        page = visit.verdict.score if visit.verdict else 0.0
        if self.by == "page":
            parts = {"page": page}
            return [Candidate(link, page, depth, None, parts) for link in links]
        if self._query is None:
            raise ConfigError("Best-first does not know the topic yet; fit it first.")
        anchors = self._query.cosines([link.anchor for link in links])
        if self.by == "anchor":
            return [
                Candidate(link, anchor, depth, None, {"anchor": anchor})
                for link, anchor in zip(links, anchors, strict=True)
            ]
        return [
            Candidate(link, (page + anchor) / 2, depth, None, {"page": page / 2, "anchor": anchor / 2})
            for link, anchor in zip(links, anchors, strict=True)
        ]
