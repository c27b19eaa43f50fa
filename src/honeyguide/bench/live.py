"""A crawl of the real web measured as a recorded one is, with labels that it never saw."""

from dataclasses import dataclass
from pathlib import Path

from honeyguide.bench.labels import read_labels
from honeyguide.bench.metrics import Box, box, efficiency, found_curve, harvest_at, hosts_reached, recall_at
from honeyguide.bench.scoring import AFTER
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.fetch.archives import address_of
from honeyguide.opening import open_collection

FETCHED = """
SELECT CASE v.final WHEN '' THEN u.url ELSE v.final END, v.relevance, v.error IS NULL
FROM visits v JOIN urls u ON u.id = v.url WHERE v.status > 0 AND v.unchanged = 0 ORDER BY v.id
"""


@dataclass(frozen=True, slots=True)
class LiveFigures:
    """What a crawl found of the pages with a label; harvest and recall by fetches, the last of them all."""

    topic: str
    labelled: int
    fetched: int
    found: int
    harvest: dict[int, float]
    recall: dict[int, float]
    efficiency: float
    hosts: int
    scores: Box


def measure(crawl: Path, labels: Path, topic: str = "") -> LiveFigures:
    """Score a crawl, finished or not; `topic` picks one of several labels."""
    name, targets = _targets(labels, topic)
    with open_collection(crawl) as collection:
        rows = collection.connection.execute(FETCHED).fetchall()
    if not rows:
        raise CrawlError(f"{crawl} has fetched no page yet.")
    fetched = [address_of(url) for url, _, _ in rows]
    marks = [*(number for number in AFTER if number < len(fetched)), len(fetched)]
    return LiveFigures(
        topic=name,
        labelled=len(targets),
        fetched=len(fetched),
        found=int(found_curve(fetched, targets)[-1]),
        harvest={number: harvest_at(fetched, targets, number) for number in marks},
        recall={number: recall_at(fetched, targets, number) for number in marks},
        efficiency=efficiency(fetched, targets),
        hosts=hosts_reached(fetched),
        scores=box([relevance for _, relevance, read in rows if read and relevance is not None]),
    )


def _targets(file: Path, topic: str) -> tuple[str, frozenset[str]]:
    labels = read_labels(file)
    names = list(dict.fromkeys(label.label for label in labels))
    if not names:
        raise ConfigError(f"{file} has no labels.")
    if topic and topic not in names:
        raise ConfigError(f"{file} has no label {topic!r}; it has {_some(names)}.")
    if not topic and len(names) > 1:
        raise ConfigError(f"{file} has several labels; choose one with --topic: {_some(names)}.")
    name = topic or names[0]
    return name, frozenset(address_of(label.url) for label in labels if label.label == name)


def _some(names: list[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
