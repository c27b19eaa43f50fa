"""How fast a collection is indexed and searched, and how much room the index takes.

Made-up pages of 300 words, each word as often as the background that ships with the package says that pages have it,
with 20 links each, to the r-th page 1/r as often as to the first. Searches are one word, two, either of two, a phrase
or a word in one language, the words as often as on the pages; each asks for ten results with snippets, and for facets.
"Indexing" is the processor's time for all that `Index.update` does, the making of pages left out; a second update adds
a hundred pages.
"""

import argparse
import gzip
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from honeyguide.model import Candidate, Link, Page, Verdict, Visit
from honeyguide.search.index import Index
from honeyguide.search.results import Request
from honeyguide.urls import url_hash

WORDS = 300
LINKS = 20
HOSTS = 1000
LANGUAGES = ("en", "en", "en", "de", "fr")
SECONDS_PER_PAGE = 60
START = 1.78e9


class Vocabulary:
    """The words of the shipped background, and how often pages have them."""

    def __init__(self) -> None:
        data = files("honeyguide.text").joinpath("background-en.txt.gz").read_bytes()
        self.words: list[str] = []
        shares: list[float] = []
        for line in gzip.decompress(data).decode().splitlines():
            weight, tab, stems = line.partition("\t")
            if tab:
                self.words += stems.split()
                shares += [np.exp(-float(weight))] * len(stems.split())
        self._sums = np.cumsum(shares)

    def draw(self, random: np.random.Generator, count: int) -> list[str]:
        places = self._sums.searchsorted(random.random(count) * self._sums[-1])
        return [self.words[place] for place in places.tolist()]


class MadeUpCrawl:
    """A crawl that is kept nowhere, and the same whenever it is read; knows how long it took to make."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.seconds = 0.0
        self.vocabulary = Vocabulary()

    def last(self) -> int:
        return self.pages

    def after(self, number: int) -> Iterator[Visit]:
        for one in range(number + 1, self.pages + 1):
            started = time.thread_time()
            visit = self.visit(one)
            self.seconds += time.thread_time() - started
            yield visit

    def links(self, until: int) -> Iterator[tuple[int, int, str]]:
        started = time.thread_time()
        random = np.random.default_rng(0)
        shares = np.cumsum(1 / np.arange(1, until + 1))
        keys = [url_hash(self.url(number)) for number in range(1, until + 1)]
        self.seconds += time.thread_time() - started
        for source in keys:
            started = time.thread_time()
            targets = shares.searchsorted(random.random(LINKS) * shares[-1]).tolist()
            found = [(source, keys[target], f"page {target}") for target in targets]
            self.seconds += time.thread_time() - started
            yield from found

    def visit(self, number: int) -> Visit:
        random = np.random.default_rng(number)
        words = self.vocabulary.draw(random, WORDS)
        score = float(random.random())
        page = Page(
            self.url(number),
            title=" ".join(words[:6]),
            text=" ".join(words),
            language=LANGUAGES[number % len(LANGUAGES)],
            headings=(" ".join(words[20:24]), " ".join(words[80:85])),
        )
        verdict = Verdict(score, score > 0.5, label="on topic" if score > 0.5 else "off topic")
        return Visit(
            Candidate(Link(page.url), 0.0),
            page=page,
            verdict=verdict,
            status=200,
            at=START + SECONDS_PER_PAGE * number,
            number=number,
        )

    @staticmethod
    def url(number: int) -> str:
        return f"https://www.site-{number % HOSTS}.example/articles/some-words-{number}.html"


@dataclass(frozen=True, slots=True)
class Figures:
    """What one size showed."""

    pages: int
    indexed_per_cpu_second: float
    bytes_per_page: float
    usual_ms: float
    slow_ms: float
    usual_cpu_ms: float
    slow_cpu_ms: float
    found: float
    update_seconds: float


def measure(pages: int, searches: int, folder: Path) -> Figures:
    crawl = MadeUpCrawl(pages)
    index = Index.open(folder)
    started = time.process_time()
    index.update(crawl)
    spent = time.process_time() - started - crawl.seconds
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    times, work, found = [], [], []
    for query in queries(crawl.vocabulary, searches):
        began, worked = time.perf_counter(), time.process_time()
        results = index.search(Request(query, facets=True))
        times.append(1000 * (time.perf_counter() - began))
        work.append(1000 * (time.process_time() - worked))
        found.append(results.total)
    crawl.pages += 100
    began, made = time.process_time(), crawl.seconds
    index.update(crawl)
    update = time.process_time() - began - (crawl.seconds - made)
    assert len(index) == pages + 100
    taken = [*np.percentile(times, [50, 95]).tolist(), *np.percentile(work, [50, 95]).tolist()]
    return Figures(pages, pages / spent, size / pages, *taken, float(np.median(found)), update)


def queries(vocabulary: Vocabulary, count: int) -> Iterator[str]:
    random = np.random.default_rng(1)
    shapes = ("{0}", "{0} {1}", "{0} OR {1}", '"{0} {1}"', "{0} lang:de")
    for number in range(count):
        yield shapes[number % len(shapes)].format(*vocabulary.draw(random, 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--searches", type=int, default=1000)
    parser.add_argument("--dir", help="where to put the index; default: the system's temporary folder")
    arguments = parser.parse_args()
    with TemporaryDirectory(dir=arguments.dir) as folder:
        figures = measure(arguments.pages, arguments.searches, Path(folder) / "search")
    print(f"{figures.pages:,} pages of {WORDS} words")
    print(f"indexed           {figures.indexed_per_cpu_second:,.0f} pages per CPU-second")
    print(f"index             {figures.bytes_per_page:,.0f} bytes a page")
    print(f"search, p50       {figures.usual_ms:.1f} ms, of the processor {figures.usual_cpu_ms:.1f} ms")
    print(f"search, p95       {figures.slow_ms:.1f} ms, of the processor {figures.slow_cpu_ms:.1f} ms")
    print(f"pages found       {figures.found:,.0f} (median)")
    print(f"100 pages more    {figures.update_seconds:.1f} CPU-seconds")


if __name__ == "__main__":
    main()
