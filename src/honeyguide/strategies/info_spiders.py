"""InfoSpiders (Menczer & Belew 2000; BT 2.3, GD 2.4): agents that live on relevant pages, learn and multiply."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Page, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.agents import Agent
from honeyguide.strategies.outcomes import MOST_READ
from honeyguide.strategies.surroundings import Surroundings, surroundings
from honeyguide.text.documents import Documents
from honeyguide.text.snippets import SnippetReader
from honeyguide.text.vectors import Query

LONGEST_TEXT = 20_000
"""Characters of a page's text in which an agent's child looks for a keyword."""


class InfoSpiders(Strategy):
    """Scores a link by what the agent that found it expects of it.

    An agent has keywords, at first the topic's, and a net: the input x_k of a link is the sum over the
    occurrences of keyword k around it of 1 / (1 + d), d stems from the anchor; lambda = tanh(b + sum of w_k x_k).
    score = alpha * lambda + (1 - alpha) * rel(p), p the page the link is on (Pant & Menczer 2002). When the link
    is followed to page u, the net learns with rate `eta` that it should have said
    rel(u) + mu * max of lambda over u's links: Q-learning. The agent gains rel(u) and pays `cost`. With more
    energy than `theta` it halves it with a child, whose keywords are the parent's and the most frequent other
    stem of u, its weights the parent's with noise; a page's links are the parent's or the child's, whoever
    expects more. Below 0 it dies, and what it found goes to the agent that has the most energy.

    Deviations: agents share one queue, best link first, where each walks by itself and chooses by chance (beta
    without end); rel is the judge's, not the cosine to the agent's own keywords; distance is counted in stems,
    not in links; of at most `population` agents the poorest makes room for a child; the last one never dies.
    """

    def __init__(
        self,
        *,
        agents: int = 8,
        population: int = 64,
        alpha: float = 0.5,
        mu: float = 0.5,
        eta: float = 0.1,
        theta: float = 2.0,
        cost: float = 0.1,
        noise: float = 0.1,
        seed: int = 0,
    ) -> None:
        if not 1 <= agents <= population <= 1000:
            raise ConfigError(
                "InfoSpiders start with 1 agent or more, and no more than the population's 1000."
            )
        for name, value in (("alpha", alpha), ("mu", mu)):
            if not 0 <= value <= 1:
                raise ConfigError(f"InfoSpiders' {name} must lie between 0 and 1, not at {value}.")
        if min(eta, cost, noise, seed) < 0:
            raise ConfigError("InfoSpiders' eta, cost, noise and seed cannot be below 0.")
        if theta <= 0:
            raise ConfigError(f"InfoSpiders' theta must be above 0, not {theta}.")
        self.agents = agents
        self.population = population
        self.alpha = alpha
        self.mu = mu
        self.eta = eta
        self.theta = theta
        self.cost = cost
        self.noise = noise
        self.seed = seed
        self._reader: SnippetReader | None = None
        self._living: dict[int, Agent] = {}
        self._born = 0
        self._turns = 0

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Take up the topic's words as keywords, and learn from an earlier crawl as if it were this one."""
        documents = Documents.of(topic)
        words = list(Query.of(topic, documents).words.values())
        self._reader = SnippetReader(documents)
        keywords = list(dict.fromkeys(self._reader.read(words).stems.tolist()))
        for number in range(self.agents):
            weights = np.random.default_rng((self.seed, number)).random(len(keywords) + 1)
            weights[-1] = 0.0
            self._living[number] = Agent(number, self.theta / 2, keywords, weights)
        self._born = self.agents
        for visit in islice(log or (), MOST_READ):
            if visit.page is not None and visit.error is None:
                self._live(visit, visit.page, surroundings(visit.page.links, self._ready), self._in_turn())
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        memo = visit.candidate.memo
        agent = self._agent(memo["agent"]) if memo else self._in_turn()
        if visit.page is None or visit.error is not None:
            agent.energy -= self.cost
            self._bury(agent)
            return ()
        relevance = visit.verdict.score if visit.verdict else 0.0
        links, depth = visit.page.links, visit.candidate.depth + 1
        around = surroundings(links, self._ready)
        child = self._live(visit, visit.page, around, agent)
        page = (1 - self.alpha) * relevance
        promised = self.alpha * agent.estimates(agent.inputs(around))
        finders = [agent.number] * len(links)
        if child is not None:
            others = self.alpha * child.estimates(child.inputs(around))
            finders = np.where(others > promised, child.number, agent.number).tolist()
            promised = np.maximum(promised, others)
        memos = {number: {"agent": number, "page": page} for number in dict.fromkeys(finders)}
        return [
            Candidate(link, net + page, depth, memos[finder], {"net": net, "page": page})
            for link, net, finder in zip(links, promised.tolist(), finders, strict=True)
        ]

    def revise(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """What the agents expect by now; what dead ones found is for those who took it over."""
        scores = [candidate.score for candidate in candidates]
        found: dict[int, list[int]] = {}
        for place, candidate in enumerate(candidates):
            if candidate.memo:
                found.setdefault(self._agent(candidate.memo["agent"]).number, []).append(place)
        for number, places in found.items():
            agent = self._living[number]
            around = surroundings([candidates[place].link for place in places], self._ready)
            nets = self.alpha * agent.estimates(agent.inputs(around))
            for place, net in zip(places, nets.tolist(), strict=True):
                scores[place] = net + _page(candidates[place])
        return scores

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        if not candidate.memo:
            return None
        page = _page(candidate)
        return {"net": candidate.score - page, "page": page}

    def state(self) -> Mapping[str, Any]:
        return {
            "living": [agent.state() for agent in self._living.values()],
            "born": self._born,
            "turns": self._turns,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        agents = [Agent.restored(agent) for agent in state["living"]]
        self._living = {agent.number: agent for agent in agents}
        self._born, self._turns = state["born"], state["turns"]

    @property
    def _ready(self) -> SnippetReader:
        if self._reader is None:
            raise ConfigError("InfoSpiders do not know the topic yet; fit them first.")
        return self._reader

    def _agent(self, number: int) -> Agent:
        """The agent that found a link, or who took it over."""
        if number in self._living:
            return self._living[number]
        return max(self._living.values(), key=lambda agent: agent.energy)

    def _in_turn(self) -> Agent:
        """Who is sent where nobody found the way: one after the other."""
        if not self._living:
            raise ConfigError("InfoSpiders do not know the topic yet; fit them first.")
        self._turns += 1
        return list(self._living.values())[(self._turns - 1) % len(self._living)]

    def _live(self, visit: Visit, page: Page, around: Surroundings, agent: Agent) -> Agent | None:
        """Let an agent learn from the page it came to, and gain or lose by it; returns its child, if any."""
        relevance = visit.verdict.score if visit.verdict else 0.0
        ahead = agent.estimates(agent.inputs(around))
        target = relevance + self.mu * float(ahead.max(initial=0.0))
        way = agent.inputs(surroundings([visit.candidate.link], self._ready))[0]
        agent.learn(way, min(target, 1.0), self.eta)
        agent.energy += relevance - self.cost
        if agent.energy <= self.theta:
            self._bury(agent)
            return None
        if len(self._living) >= self.population:
            others = [other for other in self._living.values() if other is not agent]
            if not others:
                return None
            del self._living[min(others, key=lambda other: other.energy).number]
        child = agent.offspring(self._born, self._new_keyword(page, agent), self.noise, self.seed)
        self._living[child.number] = child
        self._born += 1
        return child

    def _bury(self, agent: Agent) -> None:
        if agent.energy < 0:
            if len(self._living) > 1:
                del self._living[agent.number]
            else:
                agent.energy = 0.0

    def _new_keyword(self, page: Page, agent: Agent) -> int | None:
        """The stem that a page says most often, of those that are no keywords yet."""
        stems = self._ready.read_page(page, LONGEST_TEXT)
        stems = stems[~np.isin(stems, agent.keywords)]
        return int(np.bincount(stems).argmax()) if len(stems) else None


def _page(candidate: Candidate) -> float:
    return float(candidate.memo["page"]) if candidate.memo else 0.0
