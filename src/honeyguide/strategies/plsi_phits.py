"""PLSI + PHITS (Cohn & Hofmann 2001; AP eq. 14-16): links and words as mixtures of the same hidden factors."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.graph.plsi_phits import Floats, Places, Tempered
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Example, Link, Topic, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.plsi_phits_model import Model, Settings
from honeyguide.text.background_pages import background_pages
from honeyguide.text.bags import Bags, Counts
from honeyguide.text.documents import Documents
from honeyguide.text.snippets import SnippetReader
from honeyguide.text.vectors import Query

MOST_GIVEN = 300
"""Texts about anything that are learned from, and as many about the topic; of more, evenly spread ones."""

COMPARED = 2000
"""Texts of the corpus compared with the query where there are no examples: of more, one in so many, fewer than 4000."""

NEAREST = 30
"""Of these the nearest, which stand for examples."""

LONGEST_WORDS = 400
"""Characters of a link's anchor and context that are read."""

MOST_WORDS = 100
"""Words that links say of a page, after which no others are noted."""


class PlsiPhits(Strategy):
    """Scores a link by how much its target and its words share the topic's factors.

    L = alpha * sum of TF(t,d) log sum of P(t|z) P(z|d) + (1 - alpha) * sum of LF(d,c) log sum of P(c|z) P(z|d)
    is maximised over words t and links c of documents d by tempered EM (AP eq. 16): beta falls from 1 to
    `beta`, by the factor `eta`, when one place in ten that is held back is no better explained.

    AP give neither the number of factors nor how pages are ranked that were not visited. Here a factor is worth
    P(z|topic) / (P(z|topic) + P(z|ground)), the topic being the query and the examples (without any, the texts of
    the corpus nearest to the query, as AP do for SS2), the ground the topic's background and corpus or the texts
    that come with the package. The score is (1 - share) * l +
    share * (sum of w + l) / (words + 1): l = sum of P(z|c) times worth, w the same with P(z|t) for each word of
    the anchors and contexts of the links. Until the next ordering a new link has the worth of its page, folded in.

    Ordered afresh every `every` pages, and in a large crawl each time it has grown by 5 %, so that the total
    stays within n log n: EM goes on from the last solution for `steps` steps, over what the topic tells and
    `pages` pages of the crawl at most. Counts are shares of their document's, as in Cohn & Hofmann: AP's eq. 16
    prints them raw, and a page has many more words than links. No judge is asked.
    """

    def __init__(
        self,
        *,
        factors: int = 20,
        alpha: float = 0.5,
        beta: float = 0.8,
        eta: float = 0.9,
        share: float = 0.5,
        terms: int = 1000,
        pages: int = 1000,
        every: int = 50,
        steps: int = 5,
        seed: int = 0,
    ) -> None:
        if not 2 <= factors <= 200:
            raise ConfigError(f"PLSI's factors must lie between 2 and 200, not at {factors}.")
        for name, value in (("alpha", alpha), ("share", share)):
            if not 0 <= value <= 1:
                raise ConfigError(f"PLSI's {name} must lie between 0 and 1, not at {value}.")
        for name, value in (("beta", beta), ("eta", eta)):
            if not 0 < value <= 1:
                raise ConfigError(f"PLSI's {name} must be above 0 and at most 1, not {value}.")
        for name, number in (("terms", terms), ("pages", pages), ("every", every), ("steps", steps)):
            if number < 1:
                raise ConfigError(f"PLSI's {name} must be at least 1, not {number}.")
        if seed < 0:
            raise ConfigError(f"PLSI's seed cannot be below 0, as {seed} is.")
        self.factors = factors
        self.alpha = alpha
        self.beta = beta
        self.eta = eta
        self.share = share
        self.terms = terms
        self.pages = pages
        self.every = every
        self.steps = steps
        self.seed = seed
        self._model: Model | None = None
        self._waiting = Waiting(every=every)
        self._linked = np.full(1024, np.nan)
        self._sums, self._said = np.zeros(1024), np.zeros(1024)
        self._about, self._words = array("i"), array("i")

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Learn factors from the texts that the topic gives; an earlier crawl has nothing to add."""
        documents = self._documents = Documents.of(topic)
        self._snippets = SnippetReader(documents)
        query = Example("\n".join((topic.name, *topic.keywords)))
        ground = _spread((*topic.background, *topic.off_topic, *topic.corpus)) or background_pages()
        examples = _spread(topic.examples) or _nearest(topic, documents)
        given, about = _counted((query, *examples), ground, documents)
        if not about:
            raise ConfigError(f"The topic {topic.name!r} has no words to look for; give it keywords.")
        words = _vocabulary(documents.tokeniser.stems(query.text), given, about, self.terms)
        settings = Settings(
            factors=self.factors,
            alpha=self.alpha,
            tempered=Tempered(lowest=self.beta, eta=self.eta),
            pages=self.pages,
            steps=self.steps,
            seed=self.seed,
        )
        self._model = Model.of(words, given, about, documents, settings)
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        numbers = self._waiting.see(visit)
        if visit.page is None or visit.error is not None:
            return ()
        links, at = visit.page.links, np.array(numbers, np.int64)
        targets, first = np.unique(at, return_index=True)
        others = targets[np.argsort(first)]
        others = others[others != self._waiting.graph.number(visit.url)]
        worth = self._learned.see(self._documents.read(visit.page).stems(), others)
        self._make_room()
        new = targets[np.isnan(self._linked[targets])]
        self._linked[new] = worth
        self._note_words([links[place] for place in first.tolist()], targets)
        linked, said = self._parts(at)
        self._waiting.tell(numbers, linked + said)
        depth = visit.candidate.depth + 1
        return [
            Candidate(link, by_links + by_words, depth, None, {"links": by_links, "words": by_words})
            for link, by_links, by_words in zip(links, linked.tolist(), said.tolist(), strict=True)
        ]

    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        """What is thought by now of all links to the page; a seed stays first, and the link found first stays."""
        if waiting.parts is None:
            return waiting
        return waiting._replace(score=found.score, parts=found.parts)

    def refused(self, url: str) -> None:
        self._waiting.forget(url)

    def changes(self) -> Iterable[tuple[str, float]]:
        if not self._waiting.is_due:
            return ()
        targets, worth = self._learned.targets()
        self._linked[targets] = worth
        size = len(self._waiting.graph)
        about, words = np.array(self._about, np.int32), np.array(self._words, np.int32)
        waits = self._waiting.waits[about]
        about, words = about[waits], words[waits]
        self._about, self._words = array("i", about.tobytes()), array("i", words.tobytes())
        self._sums[:size] = np.bincount(about, self._learned.worth_of(words), size)
        linked, said = self._parts(np.arange(size))
        return self._waiting.order(linked + said)

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        number = self._waiting.graph.find(candidate.url)
        if number is None or number >= len(self._linked) or np.isnan(self._linked[number]):
            return None
        linked, said = self._parts(np.array([number]))
        return {"links": float(linked[0]), "words": float(said[0])}

    def state(self) -> Mapping[str, Any]:
        size = len(self._waiting.graph)
        return {
            "waiting": self._waiting.state(),
            "model": self._learned.state(),
            "linked": self._linked[:size].copy(),
            "sums": self._sums[:size].copy(),
            "said": self._said[:size].copy(),
            "about": np.array(self._about, np.int32),
            "words": np.array(self._words, np.int32),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._waiting.restore(state["waiting"])
        self._learned.restore(state["model"])
        self._linked = np.concatenate((state["linked"], np.full(1024, np.nan)))
        self._sums, self._said = (np.concatenate((state[name], np.zeros(1024))) for name in ("sums", "said"))
        self._about, self._words = (
            array("i", state[name].astype(np.int32).tobytes()) for name in ("about", "words")
        )

    @property
    def _learned(self) -> Model:
        if self._model is None:
            raise ConfigError("PLSI does not know the topic yet; fit it first.")
        return self._model

    def _parts(self, numbers: Places) -> tuple[Floats, Floats]:
        """What the links to pages and the words of those links add to their scores."""
        linked = self._linked[numbers]
        said = (self._sums[numbers] + linked) / (self._said[numbers] + 1)
        return (1 - self.share) * linked, self.share * said

    def _note_words(self, links: Sequence[Link], targets: Places) -> None:
        heard = self._said[targets] < MOST_WORDS
        targets = targets[heard]
        which, words = self._words_of([link for link, is_heard in zip(links, heard, strict=True) if is_heard])
        self._sums[targets] += np.bincount(which, self._learned.worth_of(words), len(targets))
        self._said[targets] += np.bincount(which, minlength=len(targets))
        self._about.frombytes(targets[which].astype(np.int32).tobytes())
        self._words.frombytes(words.astype(np.int32).tobytes())

    def _words_of(self, links: Sequence[Link]) -> tuple[Places, Places]:
        """The known words of the links' anchors and contexts: whose each is, and which."""
        texts = [f"{link.anchor[:LONGEST_WORDS]} {link.context}"[:LONGEST_WORDS] for link in links]
        read = self._snippets.read(texts)
        columns = self._learned.columns(read.names)
        known = columns >= 0
        return read.rows[known], columns[known]

    def _make_room(self) -> None:
        size = len(self._waiting.graph)
        if size > len(self._linked):
            self._linked = np.concatenate((self._linked, np.full(size, np.nan)))
            self._sums = np.concatenate((self._sums, np.zeros(size)))
            self._said = np.concatenate((self._said, np.zeros(size)))


def _spread(texts: Sequence[Example]) -> list[Example]:
    told = [text for text in texts if text.text.strip()]
    most = min(len(told), MOST_GIVEN)
    return [told[place * len(told) // most] for place in range(most)]


def _nearest(topic: Topic, documents: Documents) -> list[Example]:
    """The texts of the corpus that have most in common with the query: a few words alone are no document."""
    texts = topic.corpus[:: max(1, len(topic.corpus) // COMPARED)]
    if not texts:
        return []
    query = Query.of(topic, documents)
    cosines = np.array([query.cosine(text.text) for text in texts])
    best = np.argsort(-cosines, kind="stable")[:NEAREST]
    return [texts[place] for place in best.tolist() if cosines[place] > 0]


def _counted(topic: Iterable[Example], ground: Iterable[Example], documents: Documents) -> tuple[Counts, int]:
    """The texts that say anything, those about the topic first, and how many of them those are."""
    bags = Bags()
    about = [bags.add(text, documents) for text in topic]
    every = bags.chosen([*about, *(bags.add(text, documents) for text in ground)])
    says = np.flatnonzero(every.by_row(every.counts) > 0)
    return bags.chosen(says.tolist()), int((says < len(about)).sum())


def _vocabulary(query: Iterable[str], given: Counts, about: int, size: int) -> list[str]:
    """The words of the query first, then those that examples share, then those that most texts say."""
    of_topic = given.by_word((given.rows < about).astype(np.float64))
    of_all = given.by_word(np.ones(len(given.rows)))
    shared = np.argsort(-of_topic, kind="stable")[: size // 2]
    numbers = [*shared[of_topic[shared] > 1].tolist(), *np.argsort(-of_all, kind="stable").tolist()]
    return list(islice(dict.fromkeys([*query, *(given.words[number] for number in numbers)]), size))
