"""What a bench left in its folder, read back and checked: nothing in it is taken on trust."""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from honeyguide.bench.scoring import headline
from honeyguide.bench.task import CURVE, RECALL
from honeyguide.errors import ConfigError

REFERENCES = frozenset({"omniscient", "true-labels"})
"""Strategies that cheat (bench/oracles.py): something to measure the others by."""

Row = Mapping[str, str]


class Contender(NamedTuple):
    """A strategy together with the judge it was run with."""

    strategy: str
    judge: str

    @property
    def is_reference(self) -> bool:
        return self.strategy.partition(":")[0] in REFERENCES


@dataclass(frozen=True, slots=True)
class CrawlLog:
    """One crawl: who made it, on what task, what it fetched and at which fetches it found a target."""

    contender: Contender
    setting: str
    topic: str
    group: str
    budget: int
    figure: str
    targets: int
    hits: tuple[int, ...]
    fetched: tuple[str, ...]
    relevance: tuple[float, ...]
    metrics: Mapping[str, float]

    @property
    def headline(self) -> str:
        """The name of the figure that sums it up."""
        return headline(self.figure)

    @property
    def value(self) -> float:
        """The figure that sums it up; nan where it is not in the log."""
        return self.metrics.get(self.headline, math.nan)

    @property
    def task(self) -> tuple[str, str]:
        """What it has in common with the crawls it can be compared with, within a setting."""
        return (self.topic, self.group)


@dataclass(frozen=True, slots=True)
class Results:
    """All of a bench: the crawls, the table of their means, and what they were made with."""

    crawls: tuple[CrawlLog, ...]
    summary: tuple[Row, ...]
    facts: Mapping[str, tuple[str, ...]]


def read_results(folder: Path) -> Results:
    """Read a folder that honeyguide bench wrote."""
    if not folder.is_dir():
        raise ConfigError(f"{folder} is not a folder; name one that honeyguide bench wrote.")
    summary = _table(folder / "summary.csv", ("strategy", "judge", "setting"))
    files = sorted((folder / "crawls").glob("*.json"))
    if not files or not summary:
        raise ConfigError(f"{folder} holds no finished crawls; run honeyguide bench into it first.")
    known: dict[str, str] = {}  # every crawl names the same pages: keep each name once
    facts: dict[str, set[str]] = {"protocol": set(), "corpus_digest": set(), "code_version": set()}
    crawls = []
    for file in files:
        log = _json(file)
        crawls.append(_crawl(file, log, known))
        for fact, values in facts.items():
            if log.get(fact):
                values.add(str(log[fact]))
    crawls.sort(key=lambda crawl: (crawl.setting, crawl.topic, crawl.group, crawl.contender))
    return Results(tuple(crawls), summary, {fact: tuple(sorted(values)) for fact, values in facts.items()})


def _table(file: Path, needed: Sequence[str]) -> tuple[Row, ...]:
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines, restval="")
            rows = tuple({key: value for key, value in row.items() if key is not None} for row in reader)
            columns = reader.fieldnames or ()
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(
            f"{file} cannot be read ({reason}); name a folder that honeyguide bench wrote."
        ) from error
    missing = [column for column in needed if column not in columns]
    if missing:
        raise ConfigError(f"{file} has no column {missing[0]}; run honeyguide bench into its folder again.")
    return rows


def _json(file: Path) -> Mapping[str, Any]:
    try:
        log = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{file} is not a crawl log; delete it and run honeyguide bench again.") from error
    if not isinstance(log, dict):
        raise ConfigError(f"{file} is not a crawl log; delete it and run honeyguide bench again.")
    return log


def _crawl(file: Path, log: Mapping[str, Any], known: dict[str, str]) -> CrawlLog:
    try:
        fetched = tuple(known.setdefault(url, url) for url in map(str, log["fetched"]))
        hits = tuple(int(hit) for hit in log["hits"])
        if list(hits) != sorted({hit for hit in hits if hit > 0}):
            raise ValueError("hits are fetch numbers in order")
        return CrawlLog(
            contender=Contender(str(log["strategy"]), str(log["judge"])),
            setting=str(log["setting"]),
            topic=str(log.get("topic") or log.get("category") or ""),
            group=str(log.get("group") or ""),
            budget=max(0, int(log["budget"])),
            figure=_kind(log),
            targets=max(0, int(log["targets"])),
            hits=hits,
            fetched=fetched,
            relevance=tuple(score for score in map(float, log["relevance"]) if math.isfinite(score)),
            metrics={str(name): float(value) for name, value in log["metrics"].items() if _is_number(value)},
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else error
        raise ConfigError(
            f"{file} is not a crawl log ({reason}); delete it and run honeyguide bench again."
        ) from error


def _kind(log: Mapping[str, Any]) -> str:
    kind = str(log["figure"])
    if kind not in (CURVE, RECALL):
        raise ValueError(f"{kind!r} is no kind of figures")
    return kind


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
