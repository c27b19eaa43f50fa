"""What strategies learn from that must know ways to relevant pages before they can follow one."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.links import LinkGraph
from honeyguide.graph.paths import Levels, levels, transitions
from honeyguide.model import Example, Page, Step, Topic, Visit
from honeyguide.roles import VisitLog
from honeyguide.text.bags import Bags
from honeyguide.text.documents import Documents


class Collected:
    """Pages with their words, the links between them, and which of them are relevant.

    The relevant ones are the topic's examples, what a person marked in the session, and what the judge found
    relevant. A level is how many links a page is from the nearest of them, as far as links are known.
    """

    def __init__(self, documents: Documents) -> None:
        self.bags = Bags()
        self._graph = LinkGraph()
        self._documents = documents
        self._rows: dict[int, int] = {}
        self._goals: dict[int, None] = {}

    @classmethod
    def of(cls, topic: Topic, log: VisitLog | None, documents: Documents, *, most: int) -> "Collected":
        """The topic's examples and session, and the first pages of an earlier crawl, `most` at the most."""
        collected = cls(documents)
        for number, example in enumerate(topic.examples):
            if example.text.strip():
                collected._add(example.url or f"example {number}", example, relevant=True)
        collected._walk(topic.session)
        if log is not None:
            for visit in islice((visit for visit in log if visit.page), most):
                collected.see(visit)
        return collected

    def __len__(self) -> int:
        return len(self.bags)

    @property
    def has_goals(self) -> bool:
        """Whether anything relevant is known."""
        return bool(self._goals)

    @property
    def has_ways(self) -> bool:
        """Whether anything relevant is known, and links that may lead there."""
        return self.has_goals and len(self._graph.sources) > 0

    def see(self, visit: Visit) -> int | None:
        """Take in a visit; returns the row of its page, if it has one."""
        page = visit.page
        if page is None or visit.error is not None:
            return None
        row = self._add(visit.url, page, relevant=visit.relevant)
        for url in dict.fromkeys((visit.url, page.url)):
            node = self._graph.number(url)
            self._rows.setdefault(node, row)
            self._graph.add(url, [link.url for link in page.links])
            if visit.relevant:
                self._goals[node] = None
        return row

    def unvisited(self, urls: Iterable[str]) -> list[str]:
        """The pages among these whose links are not known."""
        told = self._graph.told
        found = ((url, self._graph.find(url)) for url in urls)
        return [url for url, node in found if node is None or not told[node]]

    def take_for_goal(self, row: int) -> None:
        """Treat the page of a row as relevant."""
        self._goals.update(dict.fromkeys(node for node, of in self._rows.items() if of == row))

    def levels(self, limit: int) -> Levels:
        """The level of every row, `limit` where it is that or more."""
        nodes, rows = np.array(list(self._rows), np.int64), np.array(list(self._rows.values()), np.int64)
        found = np.full(len(self.bags), limit, np.int64)
        np.minimum.at(found, rows, levels(self._graph, self._goals, limit=limit)[nodes])
        return found

    def shares(self, limit: int) -> NDArray[np.float64]:
        """How many pages on the ways are of each level."""
        found = levels(self._graph, self._goals, limit=limit)[self._graph.told]
        return np.bincount(found, minlength=limit + 1).astype(np.float64)

    def transitions(self, limit: int) -> NDArray[np.float64]:
        """How many links lead from pages of one level to pages of another."""
        known = self._graph.told
        known[list(self._goals)] = True
        found = levels(self._graph, self._goals, limit=limit)
        return transitions(self._graph, found, known, states=limit + 1)

    def state(self) -> Mapping[str, Any]:
        """All of it as arrays."""
        return {
            "bags": self.bags.state(),
            "graph": self._graph.state(),
            "nodes": np.array(list(self._rows), np.int64),
            "rows": np.array(list(self._rows.values()), np.int64),
            "goals": np.array(list(self._goals), np.int64),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self.bags.restore(state["bags"])
        self._graph.restore(state["graph"])
        self._rows = dict(zip(state["nodes"].tolist(), state["rows"].tolist(), strict=True))
        self._goals = dict.fromkeys(state["goals"].tolist())

    def _add(self, url: str, page: Page | Example, *, relevant: bool) -> int:
        node = self._graph.number(url)
        if relevant:
            self._goals[node] = None
        if node not in self._rows:
            self._rows[node] = self.bags.add(page, self._documents)
        return self._rows[node]

    def _walk(self, session: Iterable[Step]) -> None:
        """A session is a way of its own: every page leads to the one that was seen next."""
        names = []
        for number, step in enumerate(session):
            names.append(f"step {number}")
            self._add(names[-1], step.example, relevant=step.relevant)
            if step.relevant and step.example.url:
                self._goals[self._graph.number(step.example.url)] = None
        for number, name in enumerate(names):
            self._graph.add(name, names[number + 1 : number + 2])
