"""Fits the weights of guide to crawls that were made, as if guide had gone the same way."""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from honeyguide.errors import CrawlError
from honeyguide.loop import as_followed
from honeyguide.naming import fitted_strategy
from honeyguide.opening import open_collection
from honeyguide.store.folder import must_hold_crawl
from honeyguide.strategies.guide import Guide
from honeyguide.strategies.guide_fitting import Fitted, fit
from honeyguide.strategies.observer import Observed, Observer
from honeyguide.strategies.promises import shipped
from honeyguide.topics.folder import read_topic

LEAST = 30
"""Pages that a crawl must have for weights to be fitted to it."""

Progress = Callable[[int, int], None]


def observed(folder: Path, *, visits: int, on_progress: Progress = lambda done, of: None) -> Observed:
    """What guide would have known along a crawl of the URLs that were visited later, and what they turned out to be.

    Links that were never followed are left out, for nobody knows what is behind them.
    """
    must_hold_crawl(folder)
    with open_collection(folder) as collection:
        outcomes = {row["url"]: row["relevant"] for row in collection.rows(text=False)}
        on_topic = sum(outcomes.values())
        if len(outcomes) < LEAST:
            raise CrawlError(
                f"{folder} has {len(outcomes)} pages, too few to fit weights to: {LEAST} are needed."
            )
        if not 0 < on_topic < len(outcomes):
            only = "on" if on_topic else "off"
            raise CrawlError(f"All pages of {folder} are {only} topic; weights need pages of both kinds.")
        topic, log = read_topic(folder), collection.log()
        guide = fitted_strategy({"use": "guide"}, topic)
        assert isinstance(guide, Guide)
        observer, total = Observer(guide, outcomes.get), min(visits, len(log))
        for number, visit in enumerate(islice(log, visits)):
            on_progress(number, total)
            deque(observer.expand(as_followed(visit)), maxlen=0)
            deque(observer.changes(), maxlen=0)
        on_progress(total, total)
    if not observer.looks:
        raise CrawlError(
            f"At no moment did links to pages of both kinds wait in {folder}; crawl on, or name another crawl."
        )
    return Observed(topic.name, tuple(observer.looks))


def refit(crawls: Sequence[Observed], on_progress: Progress = lambda done, of: None) -> Fitted:
    """The weights of the package, moved towards what would have served some crawls."""
    return fit(crawls, towards=shipped(), on_progress=on_progress)


def sources(folders: Iterable[Path], crawls: Sequence[Observed]) -> dict[str, Any]:
    """What weights were fitted to, as plain data."""
    digest = hashlib.sha256()
    for crawl in crawls:
        digest.update(crawl.topic.encode() + b"\0")
        for look in crawl.looks:
            digest.update(look.features.tobytes() + look.relevant.tobytes() + str(look.pages).encode())
    return {"crawls": [folder.absolute().name for folder in folders], "observed": digest.hexdigest()}
