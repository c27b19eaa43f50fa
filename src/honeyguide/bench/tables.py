"""The tables of an experiment: a row per crawl, a line per contender, and each against the best.

rows.csv     one row per crawl, with all its figures, what it cost, and what code, corpus and settings made it
summary.csv  means over tasks with 95 % bootstrap intervals
paired.csv   every contender against the best one, and against breadth-first, task by task
"""

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from honeyguide.bench.report.results import REFERENCES
from honeyguide.bench.scoring import AFTER, BY_CURVE, BY_RECALL, RECALLS, headline
from honeyguide.bench.task import CURVE
from honeyguide.statistics import bootstrap_interval, paired

Log = Mapping[str, Any]
Row = dict[str, Any]

EVERY_CATEGORY = "all"
_WHO = ("strategy", "judge", "setting")
_CURVE_FIGURES = (
    *(f"recall_{number}" for number in AFTER),
    *(f"harvest_{number}" for number in AFTER),
    "near_topic",
    "similarity",
)
_RECALL_FIGURES = (*(f"precision_{name}" for name in RECALLS), *(f"f1_{name}" for name in RECALLS))


def write_tables(out: Path, logs: Sequence[Log]) -> None:
    """Write the three tables."""
    _write(out / "rows.csv", map(row, logs))
    _write(out / "summary.csv", summary(logs))
    _write(out / "paired.csv", comparisons(logs))


def row(log: Log) -> Row:
    """One crawl as a row."""
    kept = ("strategy", "judge", "setting", "topic", "group", "targets")
    return {
        **{key: log[key] for key in kept},
        "fetched": len(log["fetched"]),
        **log["metrics"],
        "misses": log["misses"],
        "links": log["links"],
        "cpu_seconds": log["cpu_seconds"],
        "cpu_ms_per_page": _milliseconds([log]),
        "cpu_us_per_link": _microseconds([log]),
        "fit_seconds": log["fit_seconds"],
        "peak_mb": log["peak_mb"],
        "code_version": log["code_version"],
        "libraries": log["libraries"],
        "corpus_digest": log["corpus_digest"],
        "settings": json.dumps(log["settings"], ensure_ascii=False, sort_keys=True),
    }


def summary(logs: Sequence[Log]) -> list[Row]:
    """A line per contender and setting, the best first; scored by recall, one per category and one for all."""
    made = [
        line
        for group in _grouped(logs, _WHO).values()
        for line in (_by_curve(group) if group[0]["figure"] == CURVE else _by_recall(group))
    ]
    settings = list(dict.fromkeys(log["setting"] for log in logs))
    return sorted(
        made,
        key=lambda line: (
            settings.index(line["setting"]),
            line.get("category", EVERY_CATEGORY) != EVERY_CATEGORY,
            line.get("category", ""),
            -line[BY_CURVE if BY_CURVE in line else BY_RECALL],
        ),
    )


def comparisons(logs: Sequence[Log]) -> list[Row]:
    """Every contender against the best of a setting that does not cheat, and against breadth-first."""
    lines: list[Row] = []
    for (setting,), group in _grouped(logs, ("setting",)).items():
        figure = headline(group[0]["figure"])
        values = {
            who: {(log["topic"], log["group"]): log["metrics"][figure] for log in own}
            for who, own in _grouped(group, ("strategy", "judge")).items()
        }
        fair = [who for who in values if who[0] not in REFERENCES]
        best = max(fair, key=lambda who: math.fsum(values[who].values()), default=None)
        base = next((who for who in values if who[0] == "breadth-first"), None)
        for rival in dict.fromkeys(filter(None, (best, base))):
            for who, own in values.items():
                tasks = [task for task in own if task in values[rival]]
                if who == rival or not tasks:
                    continue
                pair = paired([own[task] for task in tasks], [values[rival][task] for task in tasks])
                lines.append(
                    {
                        "setting": setting,
                        "strategy": who[0],
                        "judge": who[1],
                        "against": rival[0],
                        "against_judge": rival[1],
                        "role": "best" if rival == best else "baseline",
                        "figure": figure,
                        "tasks": len(tasks),
                        **{key: _rounded(value) for key, value in pair._asdict().items()},
                        "p": float(f"{pair.p:.3g}"),
                    }
                )
    return lines


def _by_curve(logs: Sequence[Log]) -> list[Row]:
    values = [log["metrics"][BY_CURVE] for log in logs]
    low, high = bootstrap_interval(values)
    return [
        {
            **_who(logs),
            "topics": len(logs),
            "efficiency": _rounded(_mean(values)),
            "efficiency_low": _rounded(low),
            "efficiency_high": _rounded(high),
            **_means(logs, _CURVE_FIGURES),
            **_costs(logs),
        }
    ]


def _by_recall(logs: Sequence[Log]) -> list[Row]:
    """Means over the webs of each category, then over the categories."""
    lines = []
    by_category = _grouped(logs, ("topic",))
    for (category,), group in by_category.items():
        low, high = bootstrap_interval([log["metrics"][BY_RECALL] for log in group])
        lines.append(
            {
                **_who(logs),
                "category": category,
                "topics": len(group),
                **_means(group, _RECALL_FIGURES),
                "mean_precision": _rounded(_mean([log["metrics"][BY_RECALL] for log in group])),
                "mean_precision_low": _rounded(low),
                "mean_precision_high": _rounded(high),
                **_means(group, ("similarity",)),
                **_costs(group),
            }
        )
    low, high = bootstrap_interval([log["metrics"][BY_RECALL] for log in logs])
    figures = (*_RECALL_FIGURES, "mean_precision")
    whole = {
        **_who(logs),
        "category": EVERY_CATEGORY,
        "topics": len(logs),
        **{figure: _rounded(_mean([line[figure] for line in lines])) for figure in figures},
        "mean_precision_low": _rounded(low),
        "mean_precision_high": _rounded(high),
        **_means(logs, ("similarity",)),
        **_costs(logs),
    }
    return [whole, *lines]


def _who(logs: Sequence[Log]) -> Row:
    return {key: logs[0][key] for key in _WHO}


def _means(logs: Sequence[Log], figures: Iterable[str]) -> Row:
    return {
        figure: _rounded(_mean([log["metrics"][figure] for log in logs]))
        if all(figure in log["metrics"] for log in logs)
        else ""
        for figure in figures
    }


def _costs(logs: Sequence[Log]) -> Row:
    return {
        "misses": round(_mean([log["misses"] for log in logs]), 1),
        "cpu_ms_per_page": _milliseconds(logs),
        "peak_mb": max(log["peak_mb"] for log in logs),
        "cpu_us_per_link": _microseconds(logs),
    }


def _milliseconds(logs: Sequence[Log]) -> float:
    pages = sum(len(log["fetched"]) for log in logs)
    return round(1000 * sum(log["cpu_seconds"] for log in logs) / pages, 3) if pages else 0.0


def _microseconds(logs: Sequence[Log]) -> float:
    links = sum(log["links"] for log in logs)
    return round(1e6 * sum(log["cpu_seconds"] for log in logs) / links, 3) if links else 0.0


def _grouped(logs: Iterable[Log], keys: Sequence[str]) -> dict[tuple[str, ...], list[Log]]:
    groups: dict[tuple[str, ...], list[Log]] = {}
    for log in logs:
        groups.setdefault(tuple(log[key] for key in keys), []).append(log)
    return groups


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _rounded(value: float) -> float:
    return round(value, 6)


def _write(path: Path, rows: Iterable[Row]) -> None:
    lines = list(rows)
    columns = list(dict.fromkeys(column for line in lines for column in line))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(lines)
