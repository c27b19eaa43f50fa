"""What the PLSI + PHITS strategy learns: factors of the words and links of a bounded number of documents."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.plsi_phits import Factors, Floats, Places, Table, Tempered, fold_in, learn, of_targets
from honeyguide.text.bags import Counts
from honeyguide.text.documents import Bag, Documents
from honeyguide.text.wordbook import Column, Numbers

HELD_BACK = 10
"""One place in so many is held back from EM."""

SMOOTHING = 0.001
"""The share of every distribution that is spread evenly, so that what was impossible can become possible."""

FIRST_STEPS = 40
"""Steps of EM, at most, on what the topic tells; pages come later."""

MOST_LINKS = 200
"""Links of a page that are in the model; the others have the page's own worth."""


class Settings(NamedTuple):
    """What the model is made like; `pages` are those of the crawl that it is learned from at most."""

    factors: int
    alpha: float
    tempered: Tempered
    pages: int
    steps: int
    seed: int


class Text(NamedTuple):
    """A document of the model: its number in the order of arrival, its words, and the pages it links to."""

    number: int
    columns: Places
    counts: Floats
    links: Places


class Model:
    """Documents about the topic, documents about anything, and pages of the crawl, as mixtures of factors.

    The worth of a factor is the probability that a document about the topic has it rather than one about
    anything: P(z|topic) / (P(z|topic) + P(z|ground)). That of a page or a word is the mean over its factors.
    When there are too many pages, the newer half stays, and of the older the most worth.
    """

    def __init__(self, words: Sequence[str], documents: Documents, settings: Settings) -> None:
        self._settings = settings
        self._documents = documents
        self._texts: list[Text] = []
        self._mixtures = np.zeros((settings.factors, 0))
        self._about_topic = self._given = self._arrived = 0
        self._worth = np.zeros(settings.factors)
        self._know(words, np.zeros((settings.factors, len(words))))

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        given: Counts,
        about: int,
        documents: Documents,
        settings: Settings,
    ) -> "Model":
        """Learned from texts, the first of which are about the topic; the first factor begins as the topic's."""
        model = cls(words, documents, settings)
        number_of = {word: number for number, word in enumerate(words)}
        columns = np.array([number_of.get(word, -1) for word in given.words], np.int64)[given.columns]
        ends = np.cumsum(np.bincount(given.rows, minlength=given.texts))[:-1]
        none = np.zeros(0, np.int64)
        for of_text, counts in zip(np.split(columns, ends), np.split(given.counts, ends), strict=True):
            model._texts.append(model._text(of_text, counts, none))
        model._about_topic, model._given = about, given.texts
        mixtures = np.random.default_rng(settings.seed).dirichlet(np.ones(settings.factors), model._given).T
        mixtures[0, :about] += 4.0
        mixtures[0, about:] *= 0.1
        model._mixtures = mixtures / mixtures.sum(axis=0)
        model._learn(FIRST_STEPS)
        return model

    def columns(self, stems: Numbers) -> Places:
        """The model's number of every stem; -1 for one it does not know."""
        return np.asarray(self._column.of(stems) - 1)

    def see(self, bag: Bag, links: Places) -> float:
        """Take in a page of the crawl; returns its worth."""
        text = self._text(self.columns(bag.numbers), bag.counts, links[:MOST_LINKS])
        # Were it folded in by the words held back too, the first step of EM would seem to lose.
        seen = ~self._drawn(text.number, text.columns)
        mixture = fold_in(self._terms, text.columns[seen], text.counts[seen])
        self._texts.append(text)
        self._mixtures = np.concatenate((self._mixtures, mixture[:, None]), axis=1)
        return float((mixture * self._worth).sum())

    def targets(self) -> tuple[Places, Floats]:
        """Go on learning; the pages that documents of the model link to, and their worth."""
        self._forget()
        return self._learn(self._settings.steps)

    def worth_of(self, words: NDArray[np.integer[Any]]) -> Floats:
        """The worth of words by their numbers."""
        return np.asarray(self._worth_of_words.take(words))

    def state(self) -> Mapping[str, Any]:
        """The documents and all that was learned of them, as arrays and a list of words."""
        return {
            "words": self._words,
            "numbers": np.array([text.number for text in self._texts], np.int64),
            "sizes": np.array([(len(text.columns), len(text.links)) for text in self._texts], np.int64),
            "columns": _joined([text.columns for text in self._texts]),
            "counts": np.concatenate([np.zeros(0), *(text.counts for text in self._texts)]),
            "links": _joined([text.links for text in self._texts]),
            "about": [self._about_topic, self._given, self._arrived],
            "mixtures": self._mixtures,
            "terms": self._terms,
            "worth": self._worth,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        ends = np.cumsum(state["sizes"].reshape(-1, 2), axis=0)[:-1]
        texts = (np.split(state[name], ends[:, 0]) for name in ("columns", "counts"))
        parts = (state["numbers"].tolist(), *texts, np.split(state["links"], ends[:, 1]))
        self._texts = [Text(*text) for text in zip(*parts, strict=True)]
        self._about_topic, self._given, self._arrived = state["about"]
        self._mixtures, self._worth = state["mixtures"], state["worth"]
        self._know(state["words"], state["terms"])

    def _know(self, words: Sequence[str], terms: Floats) -> None:
        self._words = list(words)
        numbers = {word: number for number, word in enumerate(words, 1)}
        self._column = Column(self._documents.book.stems, lambda stem: numbers.get(stem, 0), np.int64)
        self._terms = terms
        # A word is of the factors that say it most, however many documents have them.
        of_words = terms / np.maximum(terms.sum(axis=0), 1e-300)
        self._worth_of_words = (self._worth[:, None] * of_words).sum(axis=0)

    def _text(self, columns: Places, counts: Floats, links: Places) -> Text:
        known = columns >= 0
        self._arrived += 1
        return Text(self._arrived, columns[known], counts[known], links)

    def _forget(self) -> None:
        most, half = self._settings.pages, self._settings.pages // 2
        older = np.arange(self._given, max(self._given, len(self._texts) - half))
        if len(self._texts) - self._given <= most:
            return
        worth = (self._worth[:, None] * self._mixtures[:, older]).sum(axis=0)
        best = np.sort(older[np.argsort(-worth, kind="stable")[: most - half]])
        kept = np.concatenate((np.arange(self._given), best, np.arange(older[-1] + 1, len(self._texts))))
        self._texts = [self._texts[number] for number in kept.tolist()]
        self._mixtures = self._mixtures[:, kept]

    def _learn(self, steps: int) -> tuple[Places, Floats]:
        text, links, targets = self._tables()
        numbers = np.array([text.number for text in self._texts], np.int64)
        words = text.parted(self._held_back(text, numbers, np.arange(text.things)))
        leads = links.parted(self._held_back(links, numbers, targets))
        # Sums depend on how an array lies in memory, and a restored one lies row by row.
        mixtures = np.ascontiguousarray(_smoothed(self._mixtures.T).T)
        start = Factors.of_mixtures(mixtures, words.learned, leads.learned)
        if self._terms.any():
            start = start._replace(terms=self._terms)
        factors, beta = learn(start, words, leads, steps=steps, tempered=self._settings.tempered)
        self._mixtures = factors.mixtures
        topic = factors.mixtures[:, : self._about_topic].mean(axis=1)
        ground = factors.mixtures[:, self._about_topic : self._given].sum(axis=1)
        ground /= max(1, self._given - self._about_topic)
        self._worth = topic / np.maximum(topic + ground, 1e-9)
        self._know(self._words, _smoothed(factors.terms))
        mixed = of_targets(factors, links, beta)
        return targets, (self._worth[:, None] * mixed).sum(axis=0)

    def _tables(self) -> tuple[Table, Table, Places]:
        """The words and the links of all documents, and which pages the columns of the links are."""
        size = len(self._texts)
        rows = np.arange(size)
        of_words = np.repeat(rows, [len(text.columns) for text in self._texts])
        of_links = np.repeat(rows, [len(text.links) for text in self._texts])
        columns = _joined([text.columns for text in self._texts])
        counts = np.concatenate([np.zeros(0), *(text.counts for text in self._texts)])
        targets, places = np.unique(_joined([text.links for text in self._texts]), return_inverse=True)
        alpha = self._settings.alpha
        text = Table.of(of_words, columns, counts, (size, len(self._words)), share=alpha)
        links = Table.of(of_links, places, np.ones(len(places)), (size, len(targets)), share=1 - alpha)
        return text, links, targets

    def _held_back(self, table: Table, numbers: Places, things: Places) -> NDArray[np.bool_]:
        """The same places each time: EM must not have learned before what it is checked by.

        What one document alone holds is not held back, for nothing else tells of it.
        """
        chosen = self._drawn(numbers[table.rows], things[table.columns])
        return chosen & (table.by_thing((~chosen).astype(np.float64))[table.columns] > 0)

    def _drawn(self, document: Places | int, things: Places) -> NDArray[np.bool_]:
        """Places drawn blindly, the same each time."""
        keys = np.asarray(document, np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        keys = keys ^ (things + self._settings.seed).astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
        keys = (keys ^ (keys >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        return np.asarray((keys >> np.uint64(40)) % np.uint64(HELD_BACK) == 0)


def _smoothed(probabilities: Floats) -> Floats:
    """Rows that add up to 1, a little of it spread evenly."""
    return np.asarray((1 - SMOOTHING) * probabilities + SMOOTHING / max(1, probabilities.shape[1]))


def _joined(several: Sequence[Places]) -> Places:
    return np.concatenate([np.zeros(0, np.int64), *several])
