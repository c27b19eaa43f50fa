"""What a judge costs: time and memory, each measured in a fresh process that holds no corpus."""

import gc
import math
import multiprocessing
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from honeyguide.bench.memory import peak_mb
from honeyguide.config import parse_use
from honeyguide.errors import CrawlError
from honeyguide.judges.screened import Screened
from honeyguide.model import Page, Topic
from honeyguide.naming import unfitted_judge
from honeyguide.text.documents import Documents
from honeyguide.topics.growth import grown

STRETCH = 25
"""Pages that are timed together."""

LONGEST = 10.0
"""CPU-seconds after which the speed of a slow judge is known well enough."""


class Cost(NamedTuple):
    """CPU-seconds to take up a topic, pages judged in a CPU-second, the memory that took, and that of all."""

    fit_seconds: float
    pages_per_second: float
    extra_mb: float
    peak_mb: float


def fitted(use: str, topic: Topic, documents: Documents) -> Screened:
    """A judge that has taken up a topic; what it needs and the topic lacks is grown."""
    judge = unfitted_judge(parse_use(use))
    return judge.fit(grown(topic, judge.needs), documents)


def cost(uses: Sequence[str], topic: Topic, warm_up: Sequence[Page], pages: Sequence[Page]) -> Cost:
    """What one judge, or several that share the words of pages, cost in this process.

    The words of examples and pages are found anew. All is fitted once before, so that what is loaded only once
    is not counted as time; it is as memory.
    """
    documents = Documents()
    for page in warm_up:
        _ = documents.read(page).words
    before = peak_mb()
    for use in uses:
        fitted(use, topic, documents)
    del documents
    gc.collect()  # a page's words and the machinery hold on to each other
    documents = Documents()
    begun = time.process_time()
    judges = [fitted(use, topic, documents) for use in uses]
    fit_seconds = time.process_time() - begun
    _assess(judges, warm_up)
    speed = _assess(judges, pages)
    return Cost(fit_seconds, speed, max(0.0, peak_mb() - before), peak_mb())


def cost_apart(uses: Sequence[str], topic: Topic, warm_up: Sequence[Page], pages: Sequence[Page]) -> Cost:
    """The same in a fresh process, so that what it takes is its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as process:
        try:
            return process.submit(cost, uses, topic, warm_up, pages).result()
        except BrokenProcessPool as error:
            raise CrawlError(
                "A process that measured a judge died, perhaps for want of memory; what was finished is kept."
            ) from error


def _assess(judges: Sequence[Screened], pages: Sequence[Page]) -> float:
    """Pages judged in a CPU-second: the median over stretches of pages, for other programs slow down some of them."""
    begun = time.process_time()
    seconds: list[float] = []
    for start in range(0, len(pages), STRETCH):
        stretch = pages[start : start + STRETCH]
        stretch_begun = time.process_time()
        for page in stretch:
            for judge in judges:
                judge.assess(page)
        ended = time.process_time()
        seconds.append((ended - stretch_begun) / len(stretch))
        if ended - begun > LONGEST:
            break
    return 1 / max(statistics.median(seconds or [math.inf]), 1e-9)
