"""The figures of one crawl: by what it found when, or by precision at levels of recall, as its task says."""

from collections.abc import Mapping

from honeyguide.bench.metrics import (
    efficiency,
    found_curve,
    harvest_at,
    hosts_reached,
    mean_precision,
    near_topic_rate,
    precision_at_recall,
    recall_at,
)
from honeyguide.bench.replay import Trace
from honeyguide.bench.task import CURVE, RECALL, Task

AFTER = (100, 300, 1000)
"""Fetches after which recall and harvest are read."""

RECALLS = {"10": 0.1, "50": 0.5, "100": 1.0}
"""Levels of recall at which precision and F1 are read."""

BY_CURVE, BY_RECALL = "efficiency", "mean_precision"
"""The figure that sums up a crawl, of the one kind and of the other."""


def headline(kind: str) -> str:
    """The figure that sums up a crawl scored by one kind of figures."""
    return BY_RECALL if kind == RECALL else BY_CURVE


def score(task: Task, trace: Trace) -> Mapping[str, float]:
    """Every figure of a crawl, by the name of its column."""
    fetched, targets = trace.fetched, task.targets
    figures: dict[str, float] = {}
    if task.figure == CURVE:
        figures["efficiency"] = efficiency(fetched, targets, task.budget)
        for number in AFTER:
            if number <= task.budget or not task.budget:
                figures[f"recall_{number}"] = recall_at(fetched, targets, number)
                figures[f"harvest_{number}"] = harvest_at(fetched, targets, number)
    else:
        for name, level in RECALLS.items():
            at = precision_at_recall(fetched, targets, level)
            figures[f"precision_{name}"], figures[f"f1_{name}"] = at
        figures["mean_precision"] = mean_precision(fetched, targets)
    figures["found"] = float(found_curve(fetched, targets)[-1])
    figures["near_topic"] = near_topic_rate(fetched, task.levels)
    figures["hosts"] = float(hosts_reached(fetched))
    return figures


def hits(task: Task, trace: Trace) -> list[int]:
    """The numbers of the fetches, from 1 on, that found a target."""
    curve = found_curve(trace.fetched, task.targets)
    return [fetch for fetch in range(1, len(curve)) if curve[fetch] > curve[fetch - 1]]
