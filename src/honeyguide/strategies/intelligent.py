"""Intelligent crawling (Aggarwal, Al-Garawi & Yu 2001; BT 2.3): learns what tells of relevant pages as it goes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, Self, get_args
from zlib import crc32

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Page, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.interest import DOUBT, Floats, Interest, Words, log_ratio
from honeyguide.strategies.outcomes import MOST_READ
from honeyguide.text.documents import Documents
from honeyguide.text.snippets import NUMBERS, SnippetReader

LONGEST_TEXT = 12_000
"""Characters of a page's text whose words count."""

MOST_PAGES = 4000
"""Pages whose words are remembered, the latest; what older ones say keeps its last value."""

SIBLINGS = 2.0
"""Pages of average luck that are added to the siblings of every page."""

Relevance = Literal["score", "judged"]
FACTORS = ("content", "url", "links", "siblings")
_TOKENS = re.compile(r"[a-z][a-z0-9]{2,}")


class Intelligent(Strategy):
    """Scores a link by the logarithms of interest ratios I(C, E) = P(C | E) / P(C), learned during the crawl.

    C: the page is relevant; E: something known of it beforehand. score = sum of weight * log I over four kinds:
    content, the product of I(C, w) over the words w of the pages that link to it; url, the same over the tokens
    of its URL; links, p^m * q^n for m relevant and n other pages that link to it, p and q the ratios of links
    from relevant and from other pages; siblings, the share of relevant pages among those visited that the same
    pages link to, divided by P(C). Words count from `significance` standard deviations on. Weights are the four
    parameters divided by the mean of |log I| over all that waits, so that the kinds are balanced, as in the work.

    It starts with no knowledge, so breadth-first, or with the words and tokens of an earlier crawl. What waits
    is ordered afresh every `every` pages, and when the crawl is large, each time it has grown by 5 %. Deviations:
    by `relevance` "score" a page is relevant by as much as the judge says, so that there is something to learn
    from before the first relevant page; "judged" is the work's yes or no. Of several pages that link to a target
    the mean of their content counts, not the union of their words. Ratios are smoothed.
    """

    def __init__(
        self,
        *,
        content: float = 1.0,
        url: float = 1.0,
        links: float = 1.0,
        siblings: float = 1.0,
        relevance: Relevance = "score",
        significance: float = 2.0,
        every: int = 10,
    ) -> None:
        if min(content, url, links, siblings) < 0 or content + url + links + siblings <= 0:
            raise ConfigError("Intelligent crawling needs weights of 0 or more, one of them above 0.")
        if relevance not in get_args(Relevance):
            raise ConfigError(
                f"Intelligent crawling goes by the score or by what is judged, not by {relevance!r}."
            )
        if significance < 0:
            raise ConfigError(f"Intelligent crawling's significance cannot be below 0, as {significance} is.")
        if every < 1:
            raise ConfigError(f"Intelligent crawling's every must be at least 1, not {every}.")
        self.content = content
        self.url = url
        self.links = links
        self.siblings = siblings
        self.relevance = relevance
        self.significance = significance
        self.every = every
        self._reader: SnippetReader | None = None
        self._words, self._tokens = Interest(), Interest()
        self._visits, self._hits = 0, 0.0
        self._edges = np.zeros((2, 2))
        self._forget_graph()
        self._log_words, self._log_tokens = np.zeros(NUMBERS), np.zeros(NUMBERS)
        self._log_links = np.zeros(2)
        self._scale = np.zeros(4)

    def _forget_graph(self) -> None:
        self._waiting = Waiting(every=self.every)
        self._relevant: dict[int, float] = {}
        self._said: dict[int, Words] = {}
        self._named: dict[int, Words] = {}
        self._content = np.zeros(0)
        self._parts = np.zeros((4, 0))

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Learn the words, tokens and links of an earlier crawl, if there is one."""
        self._reader = SnippetReader(Documents.of(topic))
        for visit in islice(log or (), MOST_READ):
            self._see(visit)
        self._edges = self._links_between()
        self._forget_graph()
        self._weigh()
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        numbers = self._see(visit)
        if visit.page is None or visit.error is not None:
            return ()
        for link, number in zip(visit.page.links, numbers, strict=True):
            if number not in self._named:
                self._named[number] = _tokens(link.url)
        words = self._said.get(self._waiting.graph.number(visit.url), np.zeros(0, np.int32))
        parts = np.zeros((4, len(numbers)))
        parts[0] = self._log_words[words].sum()
        parts[1] = self._sums(self._log_tokens, [self._named[number] for number in numbers])
        degree = self._degree(visit)
        parts[2] = degree * self._log_links[1] + (1 - degree) * self._log_links[0]
        parts *= self._scale[:, None]
        scores, depth = parts.sum(axis=0), visit.candidate.depth + 1
        self._waiting.tell(numbers, scores)
        return [
            Candidate(link, score, depth, None, dict(zip(FACTORS, of_link, strict=True)))
            for link, score, of_link in zip(visit.page.links, scores.tolist(), parts.T.tolist(), strict=True)
        ]

    def refused(self, url: str) -> None:
        self._waiting.forget(url)

    def changes(self) -> Iterable[tuple[str, float]]:
        if not self._waiting.is_due:
            return ()
        self._weigh()
        return self._waiting.order(self._order())

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        number = self._waiting.graph.find(candidate.url)
        if number is None or number >= self._parts.shape[1]:
            return None
        parts = self._parts[:, number]
        return dict(zip(FACTORS, parts.tolist(), strict=True)) if parts.sum() == candidate.score else None

    def state(self) -> Mapping[str, Any]:
        said = list(self._said.values())
        return {
            "waiting": self._waiting.state(),
            "relevant": [list(pair) for pair in self._relevant.items()],
            "visits": self._visits,
            "hits": self._hits,
            "words": self._words.state(),
            "tokens": self._tokens.state(),
            "edges": self._edges,
            "said_by": list(self._said),
            "said_lengths": [len(words) for words in said],
            "said": np.concatenate([np.zeros(0, np.int32), *said]),
            "content": self._content,
            "parts": self._parts,
            "log_words": _filled(self._log_words),
            "log_tokens": _filled(self._log_tokens),
            "log_links": self._log_links,
            "scale": self._scale,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._forget_graph()
        self._waiting.restore(state["waiting"])
        self._relevant = dict(state["relevant"])
        self._visits, self._hits = state["visits"], state["hits"]
        self._words.restore(state["words"])
        self._tokens.restore(state["tokens"])
        self._edges = state["edges"]
        ends = np.cumsum(state["said_lengths"]).tolist()
        said = np.split(state["said"].astype(np.int32), ends[:-1]) if ends else []
        self._said = dict(zip(state["said_by"], said, strict=True))
        self._content, self._parts = state["content"], state["parts"]
        self._log_words, self._log_tokens = _unfilled(state["log_words"]), _unfilled(state["log_tokens"])
        self._log_links, self._scale = state["log_links"], state["scale"]
        waits = np.flatnonzero(self._waiting.waits).tolist()
        self._named = {number: _tokens(self._waiting.url(number)) for number in waits}

    def _see(self, visit: Visit) -> list[int]:
        """Learn from what was known of a page before it was visited, and take in where it leads."""
        graph = self._waiting.graph
        if visit.page is None or visit.error is not None:
            return self._waiting.see(visit)
        relevant = self._degree(visit)
        source = graph.find(visit.candidate.link.source)
        if source in self._said:
            self._words.note(self._said[source], relevant)
        self._tokens.note(_tokens(visit.url), relevant)
        self._visits += 1
        self._hits += relevant
        numbers = self._waiting.see(visit)
        node = graph.number(visit.url)
        self._named.pop(node, None)
        if relevant:
            self._relevant[node] = relevant
        words = self._read(visit.page)
        for url in (visit.url, visit.page.url):  # links say where they are on after all redirects
            self._said[graph.number(url)] = words
        while len(self._said) > MOST_PAGES:
            del self._said[next(iter(self._said))]
        return numbers

    def _read(self, page: Page) -> Words:
        """The different words of a page."""
        if self._reader is None:
            raise ConfigError("Intelligent crawling does not know the topic yet; fit it first.")
        return np.unique(self._reader.read_page(page, LONGEST_TEXT))

    @property
    def _share(self) -> float:
        """P(C): how many of the pages visited were relevant."""
        return self._hits / max(self._visits, 1)

    def _degree(self, visit: Visit) -> float:
        """How much of a relevant page one is."""
        if self.relevance == "judged":
            return float(visit.relevant)
        return visit.verdict.score if visit.verdict else 0.0

    def _degrees(self) -> Floats:
        found = np.zeros(len(self._waiting.graph))
        found[list(self._relevant)] = list(self._relevant.values())
        return found

    def _links_between(self) -> Floats:
        """How many links lead from other and relevant pages to other and relevant pages."""
        graph, relevant = self._waiting.graph, self._degrees()
        both = graph.told[graph.targets]
        source, target = relevant[graph.sources[both]], relevant[graph.targets[both]]
        ends = [(1 - source, source), (1 - target, target)]
        between = [[float((one * other).sum()) for other in ends[1]] for one in ends[0]]
        return np.asarray(self._edges + np.array(between))

    def _weigh(self) -> None:
        """Work out the interest ratios anew."""
        share = self._share
        self._log_words = self._words.logs(share, self.significance)
        self._log_tokens = self._tokens.logs(share, self.significance)
        between = self._links_between()
        self._log_links = log_ratio(between[:, 1], between.sum(axis=1), share, DOUBT)

    def _order(self) -> Floats:
        """The scores of all pages heard of."""
        graph, relevant, share = self._waiting.graph, self._degrees(), self._share
        sources, targets, size = graph.sources, graph.targets, len(graph)
        self._content = np.concatenate((self._content, np.zeros(size - len(self._content))))
        self._content[list(self._said)] = self._sums(self._log_words, list(self._said.values()))
        waits = np.flatnonzero(self._waiting.waits)
        self._named = {at: self._named[at] for at in waits.tolist()}
        parts = np.zeros((4, size))
        inlinks = np.maximum(np.bincount(targets, minlength=size), 1)
        parts[0] = np.bincount(targets, self._content[sources], size) / inlinks
        parts[1, waits] = self._sums(self._log_tokens, list(self._named.values()))
        of_page = relevant * self._log_links[1] + (1 - relevant) * self._log_links[0]
        parts[2] = np.bincount(targets, of_page[sources], size)
        both = graph.told[targets]
        seen = np.bincount(sources[both], minlength=size)
        hits = np.bincount(sources[both], relevant[targets[both]], size)
        beside = np.bincount(targets, seen[sources], size).astype(np.float64, copy=False)
        found = np.bincount(targets, hits[sources], size).astype(np.float64, copy=False)
        parts[3] = log_ratio(found, beside, share, SIBLINGS)
        sizes = np.abs(parts[:, waits]).mean(axis=1) if len(waits) else np.zeros(4)
        given = np.array((self.content, self.url, self.links, self.siblings))
        self._scale = np.where(sizes > 0, given / np.where(sizes > 0, sizes, 1.0), 0.0)
        self._parts = parts * self._scale[:, None]
        return np.asarray(self._parts.sum(axis=0))

    @staticmethod
    def _sums(logs: Floats, several: Sequence[Words]) -> Floats:
        """The sums of the logarithms of the words of each."""
        if not several:
            return np.zeros(0)
        rows = np.repeat(np.arange(len(several)), list(map(len, several)))
        return np.bincount(rows, logs[np.concatenate(several)], len(several)).astype(np.float64, copy=False)


def _tokens(url: str) -> Words:
    """The different tokens of a URL, by numbers."""
    found = dict.fromkeys(_TOKENS.findall(url.partition("://")[2].lower()))
    return np.array([1 + crc32(token.encode()) % (NUMBERS - 1) for token in found], np.int32)


def _filled(logs: Floats) -> Mapping[str, Any]:
    places = np.flatnonzero(logs)
    return {"places": places, "logs": logs[places]}


def _unfilled(state: Mapping[str, Any]) -> Floats:
    logs = np.zeros(NUMBERS)
    logs[state["places"]] = state["logs"]
    return logs
