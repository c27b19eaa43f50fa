"""A bench's folder without a bench: plausible crawls made from a seed, tables made of them by the real code."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from honeyguide.bench.metrics import efficiency, harvest_at, mean_precision, precision_at_recall, recall_at
from honeyguide.bench.tables import write_tables

STRATEGIES = {
    "best-first": 3.0,
    "best-first:by=anchor": 2.4,
    "shark-search:decay=0.5": 2.7,
    "breadth-first": 1.0,
}
TOPICS = (
    "Science/Chemistry/Chemical_elements",
    "Geography/European_Geography",
    "History/British_History/British_History_1500_and_before_including_Roman_Britain",
    "Music/Musical_genres_styles_eras_and_events",
    "Design_and_Technology/Railway_transport",
    "People/Philosophers",
)


def make_bench(
    folder: Path,
    *,
    strategies: dict[str, float] = STRATEGIES,
    judges: Sequence[str] = ("cosine",),
    settings: Sequence[str] = ("near", "far"),
    topics: Sequence[str] = TOPICS,
    groups: Sequence[str] = ("",),
    budget: int = 1000,
    references: bool = True,
) -> Path:
    """A folder as honeyguide bench leaves it; a budget of 0 makes it one of protocol K."""
    contenders = {(name, judge): skill for name, skill in strategies.items() for judge in judges}
    if references:
        contenders |= {("omniscient", judges[0]): 8.0, ("true-labels", judges[0]): 4.0}
    logs = []
    for number, (setting, topic, group) in enumerate(
        (setting, topic, group) for setting in settings for topic in topics for group in groups
    ):
        random = np.random.default_rng(number)
        targets = int(random.integers(20, 120))
        reach = random.uniform(0.6, 1.0)
        for (strategy, judge), skill in contenders.items():
            late = 1.0 if setting == settings[0] else 0.6
            logs.append(
                _log(strategy, judge, setting, topic, group, budget, targets, skill * late, reach, random)
            )
    (folder / "crawls").mkdir(parents=True, exist_ok=True)
    for number, log in enumerate(logs):
        (folder / "crawls" / f"{number:05}.json").write_text(json.dumps(log), encoding="utf-8")
    write_tables(folder, logs)
    return folder


def _log(
    strategy: str,
    judge: str,
    setting: str,
    topic: str,
    group: str,
    budget: int,
    targets: int,
    skill: float,
    reach: float,
    random: np.random.Generator,
) -> dict[str, Any]:
    """A crawl that finds a target with a chance that falls as fewer are left."""
    length = budget or 800
    left, hits, fetched, relevance = int(targets * reach), [], [], []
    others = np.argsort(np.arange(2 * length) + random.uniform(0, 400 * skill, 2 * length))
    for fetch in range(1, length + 1):
        chance = min(0.95, skill * 0.35 * (left / targets) ** 1.2 + 0.002)
        found = left > 0 and random.random() < chance
        if found:
            left -= 1
            hits.append(fetch)
            fetched.append(f"http://w.test/target/{len(hits)}")
        else:
            fetched.append(f"http://w.test/other/{others[fetch]}")
        relevance.append(float(np.clip(random.beta(5, 2) if found else random.beta(1.5, 6), 0, 1)))
    wanted = {f"http://w.test/target/{number}" for number in range(1, targets + 1)}
    metrics: dict[str, float] = {"near_topic": 0.3, "similarity": 0.25}
    if budget:
        metrics["efficiency"] = efficiency(fetched, wanted, budget)
        for number in (100, 300, 1000):
            if number <= budget:
                metrics[f"recall_{number}"] = recall_at(fetched, wanted, number)
                metrics[f"harvest_{number}"] = harvest_at(fetched, wanted, number)
    else:
        for name, level in (("10", 0.1), ("50", 0.5), ("100", 1.0)):
            metrics[f"precision_{name}"], metrics[f"f1_{name}"] = precision_at_recall(fetched, wanted, level)
        metrics["mean_precision"] = mean_precision(fetched, wanted)
    return {
        "strategy": strategy,
        "judge": judge,
        "setting": setting,
        "topic": topic,
        "group": group,
        "protocol": "W" if budget else "K",
        "code_version": "0.1.0+0123456789ab",
        "libraries": "numpy 2.0",
        "corpus_digest": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
        "settings": {"examples": 5},
        "budget": budget,
        "figure": "curve" if budget else "recall",
        "targets": targets,
        "metrics": metrics,
        "misses": int(random.integers(0, 400)),
        "links": 26 * length,
        "cpu_seconds": round(length * float(random.uniform(0.001, 0.004)), 4),
        "fit_seconds": 0.1,
        "peak_mb": round(float(random.uniform(5, 60)), 1),
        "hits": hits,
        "fetched": fetched,
        "relevance": [round(value, 6) for value in relevance],
    }
