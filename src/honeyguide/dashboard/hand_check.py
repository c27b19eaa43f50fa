"""The hand check: a random sample that people label without seeing the verdict, and what it says of the crawl.

What was drawn is written down, so that everybody labels the same pages, also while the crawl goes on.
"""

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from honeyguide.dashboard.cache import FOLDER
from honeyguide.dashboard.picking import at_random, may_be_shown
from honeyguide.dashboard.visit_columns import Columns
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.handcheck import Opinion, Report, report
from honeyguide.statistics import sample_size
from honeyguide.store.collection import Collection
from honeyguide.store.labels import opinions, read_labels
from honeyguide.store.pages import at_visits

FILE = "hand-check.json"
MOST = 5000
SPELLED = {True: Opinion.YES, False: Opinion.NO, None: Opinion.UNSURE}
"""What a label means to the hand check."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was drawn: the visits in the order in which they are shown, of how many, and when."""

    visits: tuple[int, ...]
    population: int
    only_relevant: bool
    seed: int
    at: float


def default_size() -> int:
    """385: enough for a margin of 5 points at 95 %."""
    return sample_size()


def read_sample(folder: Path) -> Sample | None:
    """The sample that was drawn last; None if there is none that can be read."""
    try:
        table = json.loads((folder / FOLDER / FILE).read_text(encoding="utf-8"))
        visits = tuple(int(number) for number in table["visits"])
        return Sample(
            visits[:MOST],
            int(table["population"]),
            bool(table["only_relevant"]),
            int(table["seed"]),
            float(table["at"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def draw(
    folder: Path,
    columns: Columns,
    *,
    size: int,
    only_relevant: bool = False,
    seed: int = 0,
    clock: Callable[[], float] = time.time,
) -> Sample:
    """Draw a sample in the place of the one before; labels are kept."""
    wanted = may_be_shown(columns)
    if only_relevant:
        wanted &= columns.relevant
    drawn = at_random(columns, wanted, min(size, MOST), seed=seed)
    if not drawn:
        raise CrawlError("There are no pages to draw from yet; wait until the crawl has some.")
    sample = Sample(tuple(drawn), int(wanted.sum()), only_relevant, seed, clock())
    file = folder / FOLDER / FILE
    draft = file.with_suffix(f".{os.getpid()}.draft")
    try:
        file.parent.mkdir(exist_ok=True)
        draft.write_text(json.dumps(asdict(sample)), encoding="utf-8")
        draft.replace(file)
    except OSError as error:
        raise CrawlError(f"The sample cannot be written to {file.parent}: {error.strerror}.") from error
    return sample


def said_of(
    collection: Collection, sample: Sample
) -> tuple[dict[str, dict[str, Opinion | None]], dict[str, bool]]:
    """What each annotator says of the pages of a sample, and what the judge said when it saw them."""
    judged = {
        row["address_url"]: bool(row["relevant"]) for row in at_visits(collection.connection, sample.visits)
    }
    said: dict[str, dict[str, Opinion | None]] = {
        who: {url: SPELLED[theirs[url]] for url in judged if url in theirs}
        for who, theirs in opinions(read_labels(collection.connection)).items()
    }
    return {who: theirs for who, theirs in said.items() if theirs}, judged


def report_on(collection: Collection, sample: Sample) -> Report | None:
    """What the labelled part of a sample says; None while nothing of it is labelled."""
    said, judged = said_of(collection, sample)
    try:
        return report(said, judged)
    except ConfigError:
        return None
