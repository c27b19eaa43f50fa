"""How alike the pages of a crawl are to the pages known to be on topic (BT 4.2).

Labels say yes or no; this says how near a page comes that has no label. It is read off samples, drawn by hash
and so the same for all: measuring every page would cost more than some crawls do.
"""

from collections.abc import Iterable

from honeyguide.bench.corpus import Corpus
from honeyguide.bench.metrics import average_similarity
from honeyguide.bench.task import Task, drawn
from honeyguide.text.background import Background
from honeyguide.text.tokens import Tokeniser
from honeyguide.text.vectors import tfidf

SAMPLED = 200
"""Fetched pages, and known relevant ones, that are looked at."""


def similarity(corpus: Corpus, task: Task, fetched: Iterable[str]) -> float:
    """The mean over fetched pages of their largest cosine to a known relevant page; those that parse count."""
    background, tokeniser = Background.load(), Tokeniser()

    def vectors(urls: Iterable[str]) -> list[dict[str, float]]:
        chosen = drawn(url for url in urls if url in corpus.pages)[:SAMPLED]
        return [tfidf(tokeniser.counts(corpus.pages[url].text), background) for url in chosen]

    return round(average_similarity(vectors(fetched), vectors(task.relevant)), 6)
