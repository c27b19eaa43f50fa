"""The tables of a report: the figures of summary.csv, comparisons, costs, topics."""

import math
from collections.abc import Sequence

from honeyguide.bench.report.findings import Comparison, Findings, Line, Setting
from honeyguide.bench.report.marks import Mark, interval
from honeyguide.bench.report.svg import looks
from honeyguide.bench.report.table_markup import Cell, Column, Table

COSTS = ("misses", "cpu_ms_per_page", "cpu_us_per_link", "peak_mb")
COUNTS = frozenset({"topics"})
WORDS = {
    "mean_precision": "mean precision",
    "near_topic": "near topic",
    "misses": "misses per crawl",
    "cpu_ms_per_page": "CPU ms per page",
    "cpu_us_per_link": "CPU µs per link",
    "peak_mb": "memory MB",
}
MEANINGS = {
    "efficiency": "Area under the found-by-fetch curve as a share of an oracle's, with a 95 % bootstrap interval",
    "recall": "Share of the target pages found after so many fetches",
    "harvest": "Share of target pages among so many fetches",
    "near_topic": "Share of fetched pages on the topic or next to it in its directory",
    "similarity": "Mean cosine of up to 200 fetched pages, drawn by hash, to the most alike page known to be on topic",
    "precision": "Targets over fetches when so many per cent of them are found",
    "f1": "Harmonic mean of precision and recall when so many per cent of the targets are found",
    "mean_precision": "Mean of the precisions at recall .1, .2, ... 1, with a 95 % bootstrap interval",
    "misses": "Links followed out of the snapshot; they cost nothing",
    "cpu_ms_per_page": "Processor time per fetched page, in milliseconds",
    "cpu_us_per_link": "Processor time per link on the fetched pages, in microseconds",
    "peak_mb": "Memory that a crawl added at most, in megabytes",
}


def summary_tables(findings: Findings, setting: Setting) -> list[Table]:
    """The lines of summary.csv, in one table or in one for each category; the best of a column stands out."""
    tables = []
    for category in dict.fromkeys(line.category for line in setting.summary):
        lines = [line for line in setting.summary if line.category == category]
        over = "all categories" if category == "all" else category
        tables.append(
            _summary(f"Means: {over}" if category else "Means over topics", findings, setting, lines)
        )
    return tables


def cost_table(findings: Findings, setting: Setting) -> Table:
    """What each contender cost besides fetches."""
    categories = list(dict.fromkeys(line.category for line in setting.summary))
    lines = [line for line in setting.summary if line.category == categories[0]]
    columns = [name for name in COSTS if any(name in line.figures for line in lines)]
    return Table(
        "What it cost",
        [Column("contender", False), *map(_column, columns)],
        [
            [
                Cell(findings.labels[line.contender]),
                *(
                    _number(line.figures.get(name, math.nan), 2 if name.startswith("cpu_") else 1)
                    for name in columns
                ),
            ]
            for line in lines
        ],
    )


def paired_tables(findings: Findings, setting: Setting) -> list[Table]:
    """The leader against each other contender, then every two of the rest."""
    leader = findings.leader(setting)
    first = [
        pair if pair.one == leader else pair.turned()
        for pair in setting.paired
        if leader in (pair.one, pair.other)
    ]
    rest = [pair for pair in setting.paired if leader not in (pair.one, pair.other)]
    tables = []
    if leader is not None and first:
        tables.append(_paired(f"{findings.labels[leader]} against each other one", findings, setting, first))
    if rest:
        tables.append(_paired("Every other pair", findings, setting, rest))
    return tables


def task_table(findings: Findings, setting: Setting) -> Table:
    """The headline figure of every contender on every topic."""
    present = [spread.contender for spread in setting.spreads]
    grouped = any(task.group for task in setting.tasks)
    rows = []
    for task in setting.tasks:
        values = {run.contender: run.value for run in task.runs}
        best = _best([values[index] for index in values if not findings.is_reference(index)])
        cells = [Cell(task.topic), *([Cell(task.group)] if grouped else ()), _number(task.targets, 0)]
        for index in present:
            value = values.get(index, math.nan)
            cells.append(_number(value, 3, best=value == best and not findings.is_reference(index)))
        rows.append(cells)
    return Table(
        f"{said(setting.headline).capitalize()} on every topic",
        [
            Column("topic", False),
            *([Column("web", False)] if grouped else ()),
            Column("targets"),
            *(Column(findings.labels[index]) for index in present),
        ],
        rows,
    )


def said(column: str) -> str:
    """A column's name in words: recall_100 is recall @ 100."""
    name, _, end = column.rpartition("_")
    if end.isdigit() and name in ("recall", "harvest"):
        return f"{name} @\u00a0{end}"
    if end.isdigit() and name in ("precision", "f1"):
        return f"{'P' if name == 'precision' else 'F1'} at\u00a0{end}\u00a0%"
    return WORDS.get(column, column.replace("_", " "))


def _summary(caption: str, findings: Findings, setting: Setting, lines: Sequence[Line]) -> Table:
    columns = [
        name
        for name in dict.fromkeys(name for line in lines for name in line.figures)
        if name not in COSTS and not name.endswith(("_low", "_high"))
    ]
    fair = [line for line in lines if not findings.is_reference(line.contender)]
    best = {name: _best([line.figures.get(name, math.nan) for line in fair]) for name in columns}
    ends = [
        line.figures[name]
        for line in setting.summary
        for name in (setting.headline, f"{setting.headline}_low", f"{setting.headline}_high")
        if name in line.figures
    ]
    scale = (min(ends, default=0.0), max(ends, default=1.0))
    drawn = looks(contender.is_reference for contender in findings.contenders)
    rows = []
    for line in lines:
        cells = [Cell(findings.labels[line.contender])]
        for name in columns:
            value = line.figures.get(name, math.nan)
            stands_out = name not in COUNTS and value == best[name] and line in fair
            if name == setting.headline:
                low, high = line.figures.get(f"{name}_low"), line.figures.get(f"{name}_high")
                mark = Mark(drawn[line.contender], value, low, high)
                cells.append(_with_interval(mark, scale)._replace(best=stands_out))
            else:
                cells.append(_number(value, 0 if name in COUNTS else 3, best=stands_out))
        rows.append(cells)
    return Table(caption, [Column("contender", False), *map(_column, columns)], rows)


def _paired(caption: str, findings: Findings, setting: Setting, pairs: Sequence[Comparison]) -> Table:
    reach = max((abs(end) for pair in pairs for end in (pair.low, pair.high)), default=0.0) or 1.0
    drawn = looks(contender.is_reference for contender in findings.contenders)
    return Table(
        caption,
        [
            Column("pair", False),
            Column(
                f"difference in {said(setting.headline)}", True, "Mean difference, 95 % bootstrap interval"
            ),
            Column("wins"),
            Column("losses"),
            Column("ties"),
            Column("sign test p", True, "The chance of so uneven a split if both were equally good"),
        ],
        [
            [
                Cell(f"{findings.labels[pair.one]} − {findings.labels[pair.other]}"),
                Cell(
                    f"{pair.difference:+.3f} [{pair.low:+.3f}, {pair.high:+.3f}]",
                    pair.difference,
                    interval(Mark(drawn[pair.one], pair.difference, pair.low, pair.high), -reach, reach),
                ),
                _number(pair.wins, 0),
                _number(pair.losses, 0),
                _number(pair.ties, 0),
                Cell(f"{pair.p:.4f}" if pair.p >= 0.0001 else "< 0.0001", pair.p, best=pair.p < 0.05),
            ]
            for pair in pairs
        ],
    )


def _with_interval(mark: Mark, scale: tuple[float, float]) -> Cell:
    if not math.isfinite(mark.value):
        return Cell("–")
    known = mark.low is not None and mark.high is not None
    says = f"{mark.value:.3f} [{mark.low:.3f}, {mark.high:.3f}]" if known else f"{mark.value:.3f}"
    return Cell(says, mark.value, interval(mark, *scale))


def _column(name: str) -> Column:
    return Column(said(name), True, MEANINGS.get(name) or MEANINGS.get(name.rpartition("_")[0], ""))


def _number(value: float, decimals: int, *, best: bool = False) -> Cell:
    return Cell(f"{value:,.{decimals}f}", value, best=best) if math.isfinite(value) else Cell("–")


def _best(values: Sequence[float]) -> float:
    """The largest of several values, unless they are all the same: then none stands out."""
    known = [value for value in values if math.isfinite(value)]
    return max(known) if len(set(known)) > 1 else math.nan
