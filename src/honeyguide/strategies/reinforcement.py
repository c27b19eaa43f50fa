"""Reinforcement learning (Rennie & McCallum 1999; AP 3.3): links by all that lies behind them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.graph.links import LinkGraph
from honeyguide.graph.rewards import discounted
from honeyguide.graph.waiting import GROWTH
from honeyguide.model import Candidate, Link, Origin, Page, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.outcomes import MOST_READ
from honeyguide.strategies.warm_up import check_warm_up
from honeyguide.text.documents import Documents
from honeyguide.text.snippets import NUMBERS, SnippetReader
from honeyguide.text.worth import Worth

MOST_LINKS = 8000
"""Links that are learned from: the latest."""

EACH = 5
"""Links to one page that are learned from: a menu tells the same thing on every page."""

TITLE = 120
"""Characters of a page's title that go with its links."""


Words = NDArray[np.int32]


class Reinforcement(Strategy):
    """Scores a link by the total discounted reward that following it is expected to bring.

    Q(link) = r(u) + gamma * r(next page) + gamma^2 * ..., where r is 1 on a relevant page and 0 elsewhere, u the
    page the link leads to, and the crawl goes on from u to the nearest relevant page it has not had yet. Q is
    worked out on the known part of the web and the links sorted into `bins`: Q >= 1 (relevant itself),
    Q >= gamma, Q >= gamma^2 ..., the rest. A naive Bayes classifier learns the words of each bin's links: anchor,
    context and, as words of another kind, the title of their page. A new link is worth the mean Q of each bin
    times the probability of the bin (Rennie & McCallum: gamma = 0.5, 3 bins the best).

    They train on whole web sites beforehand; so does this if there is an earlier crawl. Without one it goes
    breadth-first for `warm_up` pages, then learns from those. Either way it learns anew, from the crawl so far,
    each time that has grown by `every` pages, and when it is large, by 5 %. Deviations: Q is known only as far as
    the crawl has come; when nothing relevant was met, the page judged best stands for it; 20 words of a text
    count in full, those of a longer one count for less each.
    """

    def __init__(self, *, gamma: float = 0.5, bins: int = 3, warm_up: int = 100, every: int = 25) -> None:
        if not 0 <= gamma < 1:
            raise ConfigError(f"Reinforcement's gamma must lie between 0 and 1, not at {gamma}.")
        if not 2 <= bins <= 8:
            raise ConfigError(f"Reinforcement's bins must lie between 2 and 8, not at {bins}.")
        if every < 1:
            raise ConfigError(f"Reinforcement's every must be at least 1, not {every}.")
        check_warm_up("Reinforcement", warm_up, least=1)
        self.gamma = gamma
        self.bins = bins
        self.warm_up = warm_up
        self.every = every
        self._reader: SnippetReader | None = None
        self._worth: Worth | None = None
        self._graph = LinkGraph()
        self._goals: dict[int, None] = {}
        self._best = (-1.0, 0)
        self._pages = 0
        self._learned_at = 0
        self._examples: dict[int, list[Words]] = {}
        self._held = 0
        self._found: dict[str, tuple[Link, str]] = {}

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Learn from an earlier crawl, if there is one."""
        self._reader = SnippetReader(Documents.of(topic))
        for visit in islice(log or (), MOST_READ):
            if visit.page is not None and visit.error is None:
                self._see(visit, visit.page, "")
        if self._examples:
            self._learn()
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        self._found.pop(visit.url, None)
        page = visit.page
        if page is None or visit.error is not None:
            return ()
        memo = visit.candidate.memo
        self._found.pop(page.url, None)
        self._see(visit, page, memo["title"] if memo else "")
        links, depth, title = page.links, visit.candidate.depth + 1, page.title[:TITLE]
        if self._worth is None:
            scores = [-float(depth)] * len(links)
            for link in links:
                if not self._graph.is_told(self._graph.number(link.url)):
                    self._found.setdefault(link.url, (link, title))
            name = "depth"
        else:
            scores, name = self._scored(self._worth, links, [title] * len(links)), "future reward"
        memo = {"title": title}
        return [
            Candidate(link, score, depth, memo, {name: score})
            for link, score in zip(links, scores, strict=True)
        ]

    def changes(self) -> Iterable[tuple[str, float]]:
        """What waits, scored once the warm-up is over; nothing after that, since `revise` is asked."""
        grown = self._pages - self._learned_at
        if self._worth is not None:
            if grown >= max(self.every, GROWTH * self._pages):
                self._learn()
            return ()
        if self._pages < self.warm_up or not self._examples:
            return ()
        worth = self._learn()
        found, self._found = self._found, {}
        links, titles = [link for link, _ in found.values()], [title for _, title in found.values()]
        return zip(found, self._scored(worth, links, titles), strict=True)

    def revise(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        """What is expected of waiting links by now, of a seed the score it has; None while the warm-up lasts."""
        if self._worth is None:
            return None
        titles = [str(candidate.memo["title"]) if candidate.memo else "" for candidate in candidates]
        scores = self._scored(self._worth, [candidate.link for candidate in candidates], titles)
        return [
            candidate.score if candidate.link.origin == Origin.SEED else score
            for candidate, score in zip(candidates, scores, strict=True)
        ]

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        return {"future reward" if candidate.score >= 0 else "depth": candidate.score}

    def state(self) -> Mapping[str, Any]:
        several = [(target, words) for target, of_target in self._examples.items() for words in of_target]
        return {
            "worth": self._worth.state() if self._worth else {},
            "graph": self._graph.state(),
            "goals": list(self._goals),
            "best": list(self._best),
            "pages": self._pages,
            "learned_at": self._learned_at,
            "targets": [target for target, _ in several],
            "lengths": [len(words) for _, words in several],
            "words": np.concatenate([np.zeros(0, np.int32), *(words for _, words in several)]),
            "found": [[list(link), title] for link, title in self._found.values()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._worth = Worth.restored(state["worth"]) if state["worth"] else None
        self._graph.restore(state["graph"])
        self._goals = dict.fromkeys(state["goals"])
        self._best = (state["best"][0], state["best"][1])
        self._pages, self._learned_at = state["pages"], state["learned_at"]
        self._examples, self._held, at = {}, len(state["targets"]), 0
        for target, length in zip(state["targets"], state["lengths"], strict=True):
            self._examples.setdefault(target, []).append(state["words"][at : at + length].astype(np.int32))
            at += length
        links = [(Link(*link), title) for link, title in state["found"]]
        self._found = {link.url: (link, title) for link, title in links}

    def _see(self, visit: Visit, page: Page, title: str) -> None:
        """Take in a page: the links that led here or lead to pages known before are examples.

        It goes by the address that was asked for and by the one that it was redirected to.
        """
        node = self._graph.number(visit.url)
        self._pages += 1
        self._best = max(self._best, (visit.verdict.score if visit.verdict else 0.0, -node))
        for url in dict.fromkeys((visit.url, page.url)):
            self._graph.add(url, [link.url for link in page.links])
            if visit.relevant:
                self._goals[self._graph.number(url)] = None
        way = visit.candidate.link
        chosen = [(node, way, title)] if way.anchor or way.context else []
        for link in page.links:
            target = self._graph.number(link.url)
            if link.url not in (visit.url, page.url) and self._graph.is_told(target):
                chosen.append((target, link, page.title[:TITLE]))
        chosen = [one for one in chosen if len(self._examples.get(one[0], ())) < EACH]
        rows, words = self._words([link for _, link, _ in chosen], [named for _, _, named in chosen])
        ends = np.searchsorted(rows, np.arange(1, len(chosen)))
        for (target, _, _), of_link in zip(chosen, np.split(words, ends), strict=False):
            several = self._examples.setdefault(target, [])
            if len(several) < EACH:
                several.append(of_link)
                self._held += 1
        while self._held > MOST_LINKS:
            self._held -= len(self._examples.pop(next(iter(self._examples))))

    def _learn(self) -> Worth:
        """Work out Q for the links that are known to have led somewhere, and learn their words."""
        self._learned_at = self._pages
        goals = list(self._goals) or [-self._best[1]]
        targets = [target for target, several in self._examples.items() for _ in several]
        texts = [words for several in self._examples.values() for words in several]
        worths = discounted(self._graph, goals, targets, self.gamma)
        steps = self.gamma ** np.arange(self.bins - 1)
        bins = (worths[:, None] < steps - 1e-12).sum(axis=1)
        rows = np.repeat(np.arange(len(texts)), list(map(len, texts)))
        self._worth = Worth.of(rows, np.concatenate(texts), bins, worths, self.bins)
        return self._worth

    def _scored(self, worth: Worth, links: Sequence[Link], titles: Sequence[str]) -> list[float]:
        rows, words = self._words(links, titles)
        scores: list[float] = worth.estimates(rows, words, len(links)).tolist()
        return scores

    def _words(self, links: Sequence[Link], titles: Sequence[str]) -> tuple[NDArray[np.intp], Words]:
        """The words of links, in their order, those of the titles of their pages told apart."""
        if self._reader is None:
            raise ConfigError("Reinforcement does not know the topic yet; fit it first.")
        own = self._reader.read([f"{link.anchor}\n{link.context}" for link in links])
        different = dict.fromkeys(titles)
        named = self._reader.read(list(different))
        borders = np.searchsorted(named.rows, np.arange(len(different) + 1)).tolist()
        of_title = {title: slice(*borders[at : at + 2]) for at, title in enumerate(different)}
        rows = np.repeat(
            np.arange(len(links)), [of_title[title].stop - of_title[title].start for title in titles]
        )
        stems = np.concatenate([np.zeros(0, np.int32), *(named.stems[of_title[title]] for title in titles)])
        rows, words = np.concatenate((own.rows, rows)), np.concatenate((own.stems, stems + NUMBERS))
        order = np.argsort(rows, kind="stable")
        return rows[order], words[order].astype(np.int32)
