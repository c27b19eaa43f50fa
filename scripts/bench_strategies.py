"""What every strategy costs per link and per page as the queue grows, alone and with the frontier.

Every strategy and size runs in a process of its own on the same made-up web: pages of 300 words and 50 links, one
in ten of them relevant; three links in ten lead to pages heard of before, the r-th of them 1/r as often as the first;
one in five has no anchor. Sizes are different URLs found. Where these are more than 100,000 pages have more links, so
that a million takes 3,000 pages and not 30,000; how often strategies re-order hangs on how the pages grow in number,
so that what it costs per link is the same. A hundred pages of 50 links follow, of which the median and the longest are
shown. Fetching, parsing, judging and the making of pages are left out; times are the processor's. "Alone" is expand,
changes, explain and revise; a strategy's own combine, called by the frontier in the middle of its work, counts as the
frontier's. Memory is what the process grew by (resident), frontier and links included: breadth-first shows what those
take. `growth` is the slope of log cost against log links, the strategy alone. What orders the queue afresh every N
pages, and above 20 N pages each time it has grown by 5 %, moves 21 times as many links in all as there are in the end,
which is linear; up to that many pages it shows more than 1, because a small crawl is ordered a few times only.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import numpy as np

from honeyguide.config import parse_use
from honeyguide.errors import UserError
from honeyguide.frontier.memory import MemoryFrontier
from honeyguide.model import Candidate, Example, Link, Page, Response, Topic, Verdict, Visit
from honeyguide.naming import STRATEGIES, fitted_strategy
from honeyguide.reading import calm_collector
from honeyguide.roles import Strategy

LINKS = 50
LINKS_UP_TO = 100_000
LAST_PAGES = 100
WORDS = 300
HOSTS = 1000
SUBJECT = ("dengue", "fever", "mosquito", "virus", "outbreak", "aedes", "vaccine", "symptoms", "tropical")


@dataclass(frozen=True, slots=True)
class Figures:
    """What one strategy took at one size: seconds of all links, milliseconds of single pages, megabytes."""

    urls: int
    links: int
    pages: int
    alone: float
    together: float
    usual: float
    longest: float
    memory: float
    stopped: bool


class Web:
    """Pages that are kept nowhere; the same number always makes the same page."""

    def __init__(self) -> None:
        syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
        self._words = [one + two + last for last in ("n", "r") for one in syllables for two in syllables]
        self._found = 1

    def seed(self) -> Candidate:
        """A link that nobody has seen."""
        self._found += 1
        return Candidate(Link(self._url(self._found)), 1.0)

    @property
    def found(self) -> int:
        """How many URLs there are so far."""
        return self._found

    def visit(self, candidate: Candidate, links: int) -> Visit:
        """Go to a page, which has so many links."""
        number = int(candidate.url.rpartition("-")[2])
        random = np.random.default_rng(number)
        relevant = number % 10 == 0
        words = self._text(random, WORDS + 12 * links, 0.1 if relevant else 0.005)
        text, around = " ".join(words[:WORDS]), words[WORDS:]
        page = Page(
            candidate.url, words[0], text, "en", tuple(self._links(random, candidate.url, links, around))
        )
        score = random.uniform(0.5, 1.0) if relevant else random.uniform(0.0, 0.5)
        verdict = Verdict(score, relevant, margin=4 * (score - 0.5))
        return Visit(candidate, Response(candidate.url, 200), page, verdict, status=200)

    def examples(self, share: float, count: int) -> tuple[Example, ...]:
        """Texts, so many words of which are the subject's."""
        made = (self._text(np.random.default_rng((7, n)), WORDS, share) for n in range(count))
        return tuple(Example(" ".join(words), words[0]) for words in made)

    def _links(
        self, random: np.random.Generator, source: str, count: int, around: Sequence[str]
    ) -> Iterator[Link]:
        known = random.random(count) < 0.3
        popular = (self._found ** random.random(count)).astype(int).tolist()
        bare = (random.random(count) < 0.2).tolist()
        for at, (is_known, rank, is_bare) in enumerate(zip(known.tolist(), popular, bare, strict=True)):
            if not is_known:
                self._found += 1
            words = around[12 * at : 12 * at + 12]
            anchor = "" if is_bare else " ".join(words[4:7])
            yield Link(self._url(rank if is_known else self._found), source, anchor, " ".join(words))

    def _text(self, random: np.random.Generator, count: int, share: float) -> list[str]:
        ranks = (len(self._words) ** random.random(count)).astype(int) - 1
        on_subject = (random.random(count) < share).tolist()
        subject = random.integers(0, len(SUBJECT), count).tolist()
        return [
            SUBJECT[which] if is_on else self._words[rank]
            for rank, is_on, which in zip(ranks.tolist(), on_subject, subject, strict=True)
        ]

    @staticmethod
    def _url(number: int) -> str:
        host = int(HOSTS ** ((number * 0.6180339887) % 1.0))
        return f"https://www.site-{host}.example/articles/section/page-{number}"


class Watch:
    """Adds up the processor's time spent on one thing."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._started = 0.0

    def __enter__(self) -> None:
        self._started = time.process_time()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.process_time() - self._started


class Bench:
    """One strategy from an empty queue up to so many links."""

    def __init__(self, use: str, limit: float) -> None:
        self.web = Web()
        topic = Topic(
            "dengue fever",
            keywords=("mosquito", "aedes", "virus"),
            examples=self.web.examples(0.1, 20),
            background=self.web.examples(0.005, 200),
        )
        self.strategy = fitted_strategy(parse_use(use), topic)
        self.limit = limit
        self.alone = Watch()
        self.together = Watch()
        self.before = resident()
        own = type(self.strategy).revise is not Strategy.revise
        self.frontier = MemoryFrontier(
            combine=self.strategy.combine,
            revise=self._revise if own else None,
            refill=self.strategy.refill,
            refused=self.strategy.refused,
            parked=self.strategy.parked,
        )

    async def run(self, urls: int) -> Figures:
        per_page = max(LINKS, LINKS * urls // LINKS_UP_TO)
        pages, stopped = 0, False
        while self.web.found < urls and not stopped:
            await self._turn(per_page)
            pages += 1
            stopped = self.together.seconds > self.limit
        found, alone, together = self.web.found, self.alone.seconds, self.together.seconds
        memory = resident() - self.before
        single = []
        for _ in range(0 if stopped else LAST_PAGES):
            started = self.alone.seconds
            await self._turn(LINKS)
            single.append(1e3 * (self.alone.seconds - started))
        usual, longest = (median(single), max(single)) if single else (np.nan, np.nan)
        return Figures(found, pages * per_page, pages, alone, together, usual, longest, memory / 1e6, stopped)

    async def _turn(self, links: int) -> None:
        with self.together:
            candidate = await self.frontier.pop() or self.web.seed()
        visit = self.web.visit(candidate, links)
        with self.together:
            with self.alone:
                self.strategy.explain(candidate)
            self.frontier.done(visit)
            with self.alone:
                candidates = list(self.strategy.expand(visit))
            self.frontier.push(candidates)
            with self.alone:
                changes = list(self.strategy.changes())
            self.frontier.reorder(changes)

    def _revise(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        with self.alone:
            return self.strategy.revise(candidates)


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def measure(use: str, urls: int, limit: float) -> Figures:
    return asyncio.run(Bench(use, limit).run(urls))


def in_a_process(work: Callable[..., Figures], *arguments: object) -> Figures:
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=calm_collector) as fresh:  # as crawls do
        return fresh.submit(work, *arguments).result()


def growth(results: Sequence[Figures]) -> str:
    """The slope of log cost against log links; nothing where there is only one size."""
    costs = [(one.links, one.alone) for one in results if not one.stopped and one.alone > 0]
    if len(costs) < 2:
        return ""
    links, seconds = np.log(np.array(costs)).T
    return f"{np.polyfit(links, seconds, 1)[0]:.2f}"


def lines(use: str, results: Sequence[Figures]) -> Iterator[str]:
    """Rows of the table, the growth in the last."""
    for at, one in enumerate(results, 1):
        single = "stopped | stopped" if one.stopped else f"{1e3 * one.usual:,.0f} | {one.longest:,.1f}"
        yield (
            f"| {use} | {one.urls:,} | {one.pages:,} | {1e6 * one.alone / one.links:.1f} | {single} "
            f"| {1e6 * one.together / one.links:.1f} | {one.memory:,.0f} "
            f"| {growth(results) if at == len(results) else ''} |"
        )


COLUMNS = (
    "strategy",
    "URLs",
    "pages",
    "alone: µs per link",
    "µs per page",
    "longest page, ms",
    "with frontier: µs per link",
    "MB",
    "growth",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--links", default="1e4,1e5,1e6", help="sizes, with commas between")
    parser.add_argument(
        "--only", action="append", help="a strategy, as NAME or NAME:key=value; may be repeated"
    )
    parser.add_argument("--limit", type=float, default=60.0, help="seconds after which a size is given up")
    arguments = parser.parse_args()
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[threads] = "1"  # for the processes to come: the time of several threads is not that of one
    print(f"| {' | '.join(COLUMNS)} |\n|---|{'--:|' * (len(COLUMNS) - 1)}", flush=True)
    for use in arguments.only or sorted(STRATEGIES):
        results: list[Figures] = []
        try:
            for size in arguments.links.split(","):
                if not results or not results[-1].stopped:
                    results.append(in_a_process(measure, use, round(float(size)), arguments.limit))
        except UserError as error:
            print(f"| {use} | {error} |", flush=True)
        print("\n".join(lines(use, results)), flush=True)


if __name__ == "__main__":
    main()
