"""The figures of a report, drawn from its findings."""

from collections.abc import Sequence

from honeyguide.bench.report.analysis import OUTLIERS
from honeyguide.bench.report.figures import Box, Frame, Series, boxes, curves, panels, ridges, steps
from honeyguide.bench.report.findings import Curve, Findings, Setting, Spread, TaskFinding
from honeyguide.bench.report.heat_map import heat_map
from honeyguide.bench.report.svg import Drawing, looks
from honeyguide.bench.report.tables import said

CROWD = 4
"""With more contenders than this their bands would hide one another, so each gets a panel of its own."""


def setting_figures(findings: Findings, setting: Setting, slug: str) -> list[Drawing]:
    """The figures of one setting, in the order they are shown."""
    drawn: list[Drawing] = []
    of = f"({setting.name})"
    if setting.recall:
        frame = Frame("pages fetched", "targets found", y_high=1.0)
        drawn += _curves(findings, setting.recall, frame, f"{slug}-recall", f"Recall by fetch {of}")
        frame = Frame("pages fetched", "share of targets among them")
        drawn += _curves(findings, setting.harvest, frame, f"{slug}-harvest", f"Harvest rate by fetch {of}")
    for number, (topic, own) in enumerate(setting.precision.items(), 1):
        frame = Frame("recall", "precision", x_high=1.0, y_high=1.0)
        name = f"{slug}-precision-{number}"
        drawn += _curves(findings, own, frame, name, f"Precision by recall: {topic} {of}", over="webs")
    drawn += [_boxes(findings, setting, slug), _scores(findings, setting, slug)]
    drawn.append(_score_boxes(findings, setting, slug))
    if setting.overlap:
        drawn.append(_overlap(findings, setting, slug))
    if setting.paired:
        drawn.append(_won(findings, setting, slug))
    return drawn


def task_figure(findings: Findings, task: TaskFinding, name: str) -> Drawing:
    """The curves of all contenders on one topic."""
    look_of = _looks(findings)
    series = []
    for run in task.runs:
        x, y = steps(run.hits, task.budget or run.fetched, task.targets)
        series.append(Series(findings.labels[run.contender], look_of[run.contender], x, y))
    where = f" at {task.group}" if task.group else ""
    return curves(
        name,
        f"Targets found by fetch: {task.topic}{where}",
        f"{task.targets} targets; " + _told([(one.label, one.y[-1]) for one in series], "found"),
        series,
        Frame("pages fetched", "targets found", y_high=1.0),
        width=720,
    )


def _curves(
    findings: Findings, own: Sequence[Curve], frame: Frame, name: str, title: str, over: str = "topics"
) -> list[Drawing]:
    look_of = _looks(findings)
    series = [
        Series(
            findings.labels[curve.contender],
            look_of[curve.contender],
            curve.x,
            curve.mean,
            () if findings.is_reference(curve.contender) else curve.low,
            () if findings.is_reference(curve.contender) else curve.high,
        )
        for curve in own
    ]
    ends = _told([(one.label, one.y[-1]) for one in series], "at the end")
    plain, banded = f"Means over {over}.", f"Means over {over} with 95 % bootstrap bands."
    fair = [one for one in series if one.low]
    if len(fair) <= CROWD:
        return [curves(name, title, f"{banded} {ends}", series, frame)._replace(note=banded)]
    bare = [one._replace(low=(), high=()) for one in series]
    apart = panels(f"{name}-panels", f"{title}, one by one", f"{banded} {ends}", fair, bare, frame)
    return [
        curves(name, title, f"{plain} {ends}", bare, frame, width=apart.width)._replace(note=plain),
        apart._replace(note=f"{banded} In grey the others."),
    ]


def _boxes(findings: Findings, setting: Setting, slug: str) -> Drawing:
    rows = _rows(findings, setting.spreads)
    headline = said(setting.headline)
    note = "Box: the middle half of the topics; line: median; circle: mean; rings: outliers."
    return boxes(
        f"{slug}-boxes",
        f"{headline.capitalize()} over topics ({setting.name})",
        f"{note} {_told([(row.label, row.median) for row in rows], 'median')}",
        rows,
        headline,
    )._replace(note=note)


def _score_boxes(findings: Findings, setting: Setting, slug: str) -> Drawing:
    rows = _rows(findings, setting.score_spreads)
    note = f"Box: the middle half of the pages; line: median; circle: mean; rings: up to {OUTLIERS} of the outliers."
    return boxes(
        f"{slug}-score-boxes",
        f"Judge's scores of the fetched pages, as boxes ({setting.name})",
        f"{note} {_told([(row.label, row.median) for row in rows], 'median')}",
        rows,
        "score",
    )._replace(note=note)


def _rows(findings: Findings, spreads: Sequence[Spread]) -> list[Box]:
    look_of = _looks(findings)
    return [
        Box(
            findings.labels[one.contender],
            look_of[one.contender],
            one.low,
            one.first,
            one.median,
            one.third,
            one.high,
            one.mean,
            one.outliers,
        )
        for one in spreads
    ]


def _scores(findings: Findings, setting: Setting, slug: str) -> Drawing:
    look_of = _looks(findings)
    note = "Densities of area 1 on a common scale, without the highest 0.5 % of scores."
    return ridges(
        f"{slug}-scores",
        f"Judge's scores of the fetched pages ({setting.name})",
        note,
        [
            Series(findings.labels[one.contender], look_of[one.contender], one.x, one.density)
            for one in setting.scores
        ],
        "score",
        setting.score_range,
    )._replace(note=note)


def _overlap(findings: Findings, setting: Setting, slug: str) -> Drawing:
    note = "Pages that both fetched, in per cent of those that either did; mean over topics."
    labels = [findings.labels[index] for index in setting.overlap_of]
    title = f"Pages fetched by both ({setting.name})"
    return heat_map(f"{slug}-overlap", title, note, labels, setting.overlap)._replace(note=note)


def _won(findings: Findings, setting: Setting, slug: str) -> Drawing:
    present = [spread.contender for spread in setting.spreads]
    shares = {(index, index): 0.5 for index in present}
    for pair in setting.paired:
        shares[pair.one, pair.other] = (pair.wins + pair.ties / 2) / pair.tasks
        shares[pair.other, pair.one] = (pair.losses + pair.ties / 2) / pair.tasks
    note = "Topics on which the row does better than the column, in per cent; a tie counts half."
    return heat_map(
        f"{slug}-won",
        f"Topics won ({setting.name})",
        note,
        [findings.labels[index] for index in present],
        [[shares.get((row, column), 0.5) for column in present] for row in present],
    )._replace(note=note)


def _told(values: Sequence[tuple[str, float]], what: str) -> str:
    return (
        f"{what[:1].upper()}{what[1:]}: " + ", ".join(f"{label} {value:.2f}" for label, value in values) + "."
    )


def _looks(findings: Findings) -> list[str]:
    return looks(contender.is_reference for contender in findings.contenders)
