"""The tables of a bench of judges.

judgements.csv  one row per judge and topic, with all figures, or the sentence that says what the judge misses
judges.csv      one line per judge, the best first: means over topics, 95 % bootstrap intervals, costs
"""

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from honeyguide.statistics import bootstrap_interval

Log = Mapping[str, Any]
Row = dict[str, Any]

TOLD, CEILING, COST, TOGETHER = "told", "ceiling", "cost", "together"
"""What a log may be of."""

WITH_INTERVAL = ("roc_auc", "average_precision")
MEANS = ("precision", "recall", "f1", "calibration_error")
COSTS = ("pages_per_second", "fit_seconds", "extra_mb")


@dataclass(frozen=True)
class Findings:
    """What a bench of judges came to: a line per judge, and a sentence on each that missed something.

    `peak_mb` is the most memory that one process took in which so many of them were fitted together.
    """

    judges: list[Row]
    missing: list[str]
    together: int = 0
    peak_mb: float = 0.0


def write_judge_tables(out: Path, logs: Sequence[Log]) -> Findings:
    """Write both tables; what does not fit into them is in the findings."""
    told, ceilings = _of(logs, TOLD), _of(logs, CEILING)
    by_piece = {_piece(log): log.get("figures", {}).get("ceiling", "") for log in ceilings}
    _write(out / "judgements.csv", [_row(log, by_piece.get(_piece(log), "")) for log in told])
    costs = {log["judge"]: log["figures"] for log in _of(logs, COST)}
    lines = [
        _line(judge, group, by_piece, costs.get(judge, {}))
        for judge, group in _by_judge(told).items()
        if any("figures" in log for log in group)
    ]
    lines.sort(key=lambda line: -line["average_precision"])
    _write(out / "judges.csv", lines)
    findings = Findings(lines, list(_missing(told)))
    for log in _of(logs, TOGETHER):
        peak = round(log["figures"]["peak_mb"], 1)
        findings = replace(findings, together=len(log["judges"]), peak_mb=peak)
    return findings


def _row(log: Log, ceiling: float | str) -> Row:
    kept = ("judge", "protocol", "setting", "topic", "group")
    figures = {key: _rounded(value) for key, value in log.get("figures", {}).items()}
    return {
        **{key: log[key] for key in kept},
        **figures,
        "ceiling": _rounded(ceiling),
        "missing": log.get("missing", ""),
        **{key: log[key] for key in ("code_version", "libraries", "corpus_digest")},
        "settings": json.dumps(log["settings"], ensure_ascii=False, sort_keys=True),
    }


def _line(judge: str, logs: Sequence[Log], ceilings: Mapping[Any, Any], costs: Mapping[str, float]) -> Row:
    figures = [log["figures"] for log in logs if "figures" in log]
    line: Row = {"judge": judge, "topics": len(figures)}
    for name in WITH_INTERVAL:
        values = _known(row[name] for row in figures)
        low, high = bootstrap_interval(values)
        line |= {name: _mean(values), f"{name}_low": _rounded(low), f"{name}_high": _rounded(high)}
    known = _known(ceilings.get(_piece(log), "") for log in logs if "figures" in log)
    line["ceiling"] = _mean(known) if known else ""
    line |= {name: _mean(_known(row[name] for row in figures)) for name in MEANS}
    return line | {name: round(costs[name], 3) if name in costs else "" for name in COSTS}


def _missing(logs: Sequence[Log]) -> Iterable[str]:
    """A line for each judge that could not be fitted to some topics."""
    for judge, group in _by_judge(logs).items():
        sentences = [log["missing"] for log in group if "missing" in log]
        if sentences:
            number = "none" if len(sentences) == len(group) else f"{len(group) - len(sentences)}"
            yield f"{judge} was fitted to {number} of {len(group)} topics: {sentences[0]}"


def _of(logs: Iterable[Log], kind: str) -> list[Log]:
    return [log for log in logs if log["kind"] == kind]


def _piece(log: Log) -> tuple[str, str, str]:
    return log["judge"], log["topic"], log["group"]


def _by_judge(logs: Iterable[Log]) -> dict[str, list[Log]]:
    groups: dict[str, list[Log]] = {}
    for log in logs:
        groups.setdefault(log["judge"], []).append(log)
    return groups


def _known(values: Iterable[float | str]) -> list[float]:
    return [value for value in values if isinstance(value, int | float) and not math.isnan(value)]


def _mean(values: Sequence[float]) -> float:
    return float(_rounded(math.fsum(values) / len(values)))


def _rounded(value: Any) -> Any:
    return "" if isinstance(value, float) and math.isnan(value) else round(value, 6) if value != "" else ""


def _write(path: Path, rows: Sequence[Row]) -> None:
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
