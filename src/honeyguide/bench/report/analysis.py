"""From the crawls of a bench to what a report shows of them."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from honeyguide.bench.metrics import RECALL_LEVELS, box, overlap_matrix, score_density
from honeyguide.bench.report.axes import ceiling
from honeyguide.bench.report.findings import (
    Comparison,
    Curve,
    Findings,
    Line,
    Run,
    Scores,
    Setting,
    Spread,
    TaskFinding,
)
from honeyguide.bench.report.results import Contender, CrawlLog, Results, Row
from honeyguide.bench.scoring import BY_CURVE
from honeyguide.errors import ConfigError
from honeyguide.statistics import paired

POINTS = 100
"""How many steps a mean curve is drawn with."""

RESAMPLES = 2000

OUTLIERS = 40
"""How many outliers of a judge's scores are drawn: there may be thousands."""

DRAWN = 0.995
"""The share of scores that their figure has room for: one high score would squeeze all others together."""


def analyse(results: Results) -> Findings:
    """Work out everything a report shows."""
    contenders = _ranked(results.crawls)
    number = {contender: index for index, contender in enumerate(contenders)}
    findings = Findings(dict(results.facts), contenders, _labels(contenders))
    for name in dict.fromkeys(row["setting"] for row in results.summary):
        crawls = [crawl for crawl in results.crawls if crawl.setting == name]
        if not crawls:
            raise _no_crawl(name)
        rows = [row for row in results.summary if row["setting"] == name]
        findings.settings.append(_setting(name, crawls, rows, number))
    return findings


def bootstrap_band(values: NDArray[np.float64], seed: int = 0) -> NDArray[np.float64]:
    """The 95 % percentile bootstrap interval of each column's mean, rows being drawn: low and high."""
    rows = len(values)
    drawn = np.random.default_rng(seed).multinomial(rows, [1 / rows] * rows, size=RESAMPLES) / rows
    band: NDArray[np.float64] = np.quantile(drawn @ values, (0.025, 0.975), axis=0)
    return band


def _setting(name: str, crawls: list[CrawlLog], rows: list[Row], number: dict[Contender, int]) -> Setting:
    of: dict[int, list[CrawlLog]] = {}
    for crawl in sorted(crawls, key=lambda crawl: number[crawl.contender]):
        of.setdefault(number[crawl.contender], []).append(crawl)
    by_curve = crawls[0].headline == BY_CURVE
    present, overlap = _overlap(crawls, number)
    span = _span([score for crawl in crawls for score in crawl.relevance])
    return Setting(
        name=name,
        headline=crawls[0].headline,
        summary=_summary(rows, number),
        paired=_paired(of),
        recall=_mean_curves(of, _recall) if by_curve else [],
        harvest=_mean_curves(of, _harvest, 1) if by_curve else [],
        precision={} if by_curve else _precision(of),
        spreads=[_spread(index, own) for index, own in of.items()],
        overlap=overlap,
        overlap_of=present,
        scores=[_scores(index, own, span) for index, own in of.items()],
        score_spreads=[_score_spread(index, own) for index, own in of.items()],
        score_range=span,
        tasks=_tasks(crawls, number),
    )


def _ranked(crawls: Sequence[CrawlLog]) -> list[Contender]:
    values: dict[Contender, list[float]] = {}
    for crawl in crawls:
        values.setdefault(crawl.contender, []).append(crawl.value)
    means = {contender: _mean(own) for contender, own in values.items()}
    return sorted(means, key=lambda contender: (contender.is_reference, -means[contender], contender))


def _labels(contenders: Sequence[Contender]) -> list[str]:
    """The strategy's name, with the judge's where it is needed to tell contenders apart."""
    several = len({contender.judge for contender in contenders if not contender.is_reference}) > 1
    times = Counter(contender.strategy for contender in contenders)
    return [
        f"{contender.strategy} + {contender.judge}"
        if times[contender.strategy] > 1 or (several and not contender.is_reference)
        else contender.strategy
        for contender in contenders
    ]


def _summary(rows: list[Row], number: dict[Contender, int]) -> list[Line]:
    """The lines as the table has them, but references after the others."""
    lines = []
    for row in rows:
        contender = Contender(row["strategy"], row["judge"])
        if contender not in number:
            raise _no_crawl(contender.strategy)
        figures = {column: value for column in row if math.isfinite(value := _figure(row[column]))}
        lines.append(Line(number[contender], row.get("category", ""), figures))
    categories = list(dict.fromkeys(line.category for line in lines))
    fair = sum(not contender.is_reference for contender in number)
    return sorted(lines, key=lambda line: (categories.index(line.category), line.contender >= fair))


def _no_crawl(name: str) -> ConfigError:
    return ConfigError(
        f"summary.csv tells of {name!r}, of which there is no crawl; run honeyguide bench into its folder again."
    )


def _figure(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _mean_curves(
    of: dict[int, list[CrawlLog]],
    values: Callable[[CrawlLog, NDArray[np.int64]], NDArray[np.float64]],
    first: int = 0,
) -> list[Curve]:
    end = max(crawl.budget or len(crawl.fetched) for own in of.values() for crawl in own)
    grid = np.unique(np.linspace(0, max(1, end), min(max(1, end), POINTS) + 1).round().astype(np.int64))[
        first:
    ]
    return [
        _curve(index, grid.tolist(), np.array([values(crawl, grid) for crawl in own]))
        for index, own in of.items()
    ]


def _curve(contender: int, x: list[float], values: NDArray[np.float64]) -> Curve:
    low, high = bootstrap_band(values)
    return Curve(contender, x, _rounded(values.mean(axis=0)), _rounded(low), _rounded(high))


def _found(crawl: CrawlLog, grid: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.searchsorted(np.array(crawl.hits, np.int64), grid, side="right")


def _recall(crawl: CrawlLog, grid: NDArray[np.int64]) -> NDArray[np.float64]:
    return _found(crawl, grid) / max(1, crawl.targets)


def _harvest(crawl: CrawlLog, grid: NDArray[np.int64]) -> NDArray[np.float64]:
    """A crawl that ended early keeps its last rate."""
    fetched = np.minimum(grid, max(1, len(crawl.fetched)))
    rate: NDArray[np.float64] = _found(crawl, grid) / np.maximum(1, fetched)
    return rate


def _precision(of: dict[int, list[CrawlLog]]) -> dict[str, list[Curve]]:
    """For each topic the precision at ten levels of recall, a mean over the webs it was looked for in."""
    topics = sorted({crawl.topic for own in of.values() for crawl in own})
    return {
        topic: [
            _curve(index, list(RECALL_LEVELS), np.array([_at_levels(crawl) for crawl in own]))
            for index, all_own in of.items()
            if (own := [crawl for crawl in all_own if crawl.topic == topic])
        ]
        for topic in topics
    }


def _at_levels(crawl: CrawlLog) -> list[float]:
    needed = [max(1, math.ceil(level * crawl.targets - 1e-9)) for level in RECALL_LEVELS]
    return [n / crawl.hits[n - 1] if n <= len(crawl.hits) else 0.0 for n in needed]


def _spread(contender: int, own: list[CrawlLog]) -> Spread:
    values = [crawl.value for crawl in own if math.isfinite(crawl.value)]
    five = box(values)
    return Spread(contender, *five[:5], mean=_mean(values), outliers=list(five.outliers))


def _paired(of: dict[int, list[CrawlLog]]) -> list[Comparison]:
    values = {
        index: {crawl.task: crawl.value for crawl in own if math.isfinite(crawl.value)}
        for index, own in of.items()
    }
    comparisons = []
    for one, other in combinations(values, 2):
        both = [task for task in values[one] if task in values[other]]
        if both:
            outcome = paired([values[one][task] for task in both], [values[other][task] for task in both])
            comparisons.append(Comparison(one, other, len(both), *outcome))
    return comparisons


def _overlap(crawls: list[CrawlLog], number: dict[Contender, int]) -> tuple[list[int], list[list[float]]]:
    """Over the tasks that every contender crawled, the mean share of pages that each two have in common."""
    present = sorted({number[crawl.contender] for crawl in crawls})
    matrices = []
    for together in _by_task(crawls):
        pages = {number[crawl.contender]: frozenset(crawl.fetched) for crawl in together}
        if len(pages) == len(present):
            matrices.append(overlap_matrix([pages[index] for index in present]))
    if not matrices:
        return [], []
    return present, [_rounded(row) for row in np.mean(matrices, axis=0)]


def _span(scores: Sequence[float]) -> tuple[float, float]:
    """From where to where scores are drawn: far enough for all but the highest few."""
    low, high = np.quantile(scores, (0.0, DRAWN)) if scores else (0.0, 1.0)
    return min(0.0, float(low)), ceiling([float(high)])


def _scores(contender: int, own: list[CrawlLog], span: tuple[float, float]) -> Scores:
    density = score_density([score for crawl in own for score in crawl.relevance], span=span)
    middles = (density.edges[:-1] + density.edges[1:]) / 2
    return Scores(contender, _rounded(middles), _rounded(density.heights))


def _score_spread(contender: int, own: list[CrawlLog]) -> Spread:
    """A box of the scores; of many outliers a few are kept, evenly from the lowest to the highest."""
    scores = [score for crawl in own for score in crawl.relevance]
    five = box(scores)
    places = np.linspace(0, len(five.outliers) - 1, min(OUTLIERS, len(five.outliers))).round().astype(int)
    outliers = _rounded(five.outliers[place] for place in places)
    return Spread(contender, *five[:5], mean=_mean(scores), outliers=outliers)


def _tasks(crawls: list[CrawlLog], number: dict[Contender, int]) -> list[TaskFinding]:
    return [
        TaskFinding(
            topic=together[0].topic,
            group=together[0].group,
            targets=together[0].targets,
            budget=max(crawl.budget for crawl in together),
            runs=[
                Run(
                    number[crawl.contender],
                    len(crawl.fetched),
                    list(crawl.hits),
                    crawl.value if math.isfinite(crawl.value) else 0.0,
                )
                for crawl in sorted(together, key=lambda crawl: number[crawl.contender])
            ],
        )
        for together in _by_task(crawls)
    ]


def _by_task(crawls: list[CrawlLog]) -> list[list[CrawlLog]]:
    tasks: dict[tuple[str, str], list[CrawlLog]] = {}
    for crawl in crawls:
        tasks.setdefault(crawl.task, []).append(crawl)
    return list(tasks.values())


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if math.isfinite(value)]
    return math.fsum(known) / len(known) if known else 0.0


def _rounded(values: Iterable[float]) -> list[float]:
    """Enough digits for any figure, and few enough that a rebuilt numpy gives the same bytes."""
    return [round(float(value), 5) for value in values]
