"""Figures with axes: curves with bands, box plots, densities one above the other."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from honeyguide.bench.report.axes import Axis, ceiling, percent, spread, written
from honeyguide.bench.report.markup import Markup, joined, tag
from honeyguide.bench.report.svg import WIDTH, Drawing, line, path, shortened, text, width_of

LABEL = 14.0
"""How far apart the labels at the ends of curves are."""


class Series(NamedTuple):
    """One curve: its label, its look, its points and perhaps a band around it."""

    label: str
    look: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


class Frame(NamedTuple):
    """What the axes of a figure are called and how their ticks are written; None ends an axis by itself."""

    across: str
    up: str
    x_high: float | None = None
    y_high: float | None = None
    x_ticks: Callable[[float, Sequence[float]], str] = written
    y_ticks: Callable[[float, Sequence[float]], str] = percent


class Box(NamedTuple):
    """Five numbers, the mean and the outliers of one contender."""

    label: str
    look: str
    low: float
    first: float
    median: float
    third: float
    high: float
    mean: float
    outliers: Sequence[float] = ()


def curves(
    name: str, title: str, description: str, series: Sequence[Series], frame: Frame, *, width: float = WIDTH
) -> Drawing:
    """Curves over one another, each labelled where it ends."""
    labels = [shortened(one.label) for one in series]
    right = width - 26 - max((width_of(label) for label in labels), default=0.0)
    height = max(330.0, LABEL * len(series) + 80)
    x, y = _axes(series, frame, Axis(0, 1, 58, right), Axis(0, 1, height - 44, 14))
    ends = [(x.at(one.x[-1]), y.at(one.y[-1])) if one.x else (x.end, y.start) for one in series]
    places = spread([end[1] for end in ends], LABEL, y.end, y.start)
    drawn = [
        tag(
            "g",
            *_curve(one, x, y),
            tag("path", d=path([(end[0], end[1]), (x.end + 12, place)]), class_="leader"),
            tag("circle", cx=x.end + 14, cy=place, r=3, class_="dot"),
            text(label, x.end + 21, place),
            class_=f"series {one.look}",
        )
        for one, label, end, place in reversed(list(zip(series, labels, ends, places, strict=True)))
    ]
    return Drawing(
        name,
        title,
        description,
        width,
        height,
        joined([_framed(x, y, frame), tag("g", *drawn, class_="all")]),
    )


def panels(
    name: str,
    title: str,
    description: str,
    series: Sequence[Series],
    others: Sequence[Series],
    frame: Frame,
    *,
    width: float = 2 * WIDTH + 36,
) -> Drawing:
    """A small panel for every curve and its band, with the others in grey behind it."""
    columns = min((4, 5, 3), key=lambda number: -len(series) % number)  # few empty places
    high, gap = 150.0, 26.0
    wide = (width + gap) / columns - gap
    x, y = _axes([*series, *others], frame, Axis(0, 1, 44, wide - 20), Axis(0, 1, high - 24, 24))
    behind = tag("path", d="".join(_line(one, x, y) for one in others), class_="grid", fill="none")
    drawn = [
        tag(
            "g",
            _ticks(x, y, frame, most=3),
            behind,
            tag("g", *_curve(one, x, y), class_=one.look),
            text(shortened(one.label, int(wide / 8)), x.start, 8),
            transform=f"translate({index % columns * (wide + gap):g} {index // columns * (high + gap):g})",
        )
        for index, one in enumerate(series)
    ]
    rows = -(-len(series) // columns)
    return Drawing(
        name,
        title,
        description,
        width,
        rows * (high + gap) - gap + 4,
        joined(drawn),
    )


def boxes(name: str, title: str, description: str, rows: Sequence[Box], across: str) -> Drawing:
    """Lying box plots: the box holds the middle half, the line is the median, the dot the mean."""
    left, height = _left(row.label for row in rows), 26.0 * len(rows) + 54
    top = ceiling([max((row.high, *row.outliers)) for row in rows])
    x = Axis(0, top, left, WIDTH - 18)
    drawn = []
    for index, row in enumerate(rows):
        y = 21 + 26.0 * index
        at = x.at
        drawn.append(
            tag(
                "g",
                text(shortened(row.label), left - 10, y, anchor="end"),
                line(at(row.low), y, at(row.first), y, "line thin"),
                line(at(row.third), y, at(row.high), y, "line thin"),
                tag(
                    "rect",
                    x=at(row.first),
                    y=y - 7,
                    width=max(0.5, at(row.third) - at(row.first)),
                    height=14,
                    rx=2,
                    class_="box",
                ),
                line(at(row.median), y - 7, at(row.median), y + 7, "line"),
                *(tag("circle", cx=at(value), cy=y, r=2.2, class_="ring") for value in row.outliers),
                tag("circle", cx=at(row.mean), cy=y, r=3, class_="mean"),
                class_=row.look.split(" ")[0],
            )
        )
    return Drawing(
        name, title, description, WIDTH, height, joined([_ruler(x, 8, height - 46, across), *drawn])
    )


def ridges(
    name: str, title: str, description: str, rows: Sequence[Series], across: str, x_range: tuple[float, float]
) -> Drawing:
    """One density above the other on a common scale, each filled down to its own line."""
    step = 34.0
    left, height = _left(row.label for row in rows), step * len(rows) + 66
    top = max((max(row.y, default=0.0) for row in rows), default=0.0) or 1.0
    x = Axis(*x_range, left, WIDTH - 18)
    drawn = []
    for index, row in enumerate(rows):
        foot = 20 + step * (index + 1)
        up = Axis(0, top, foot, foot - step * 1.35)
        points = [(x.at(a), up.at(b)) for a, b in zip(row.x, row.y, strict=True)]
        area = [(x.start, foot), *points, (x.end, foot)] if points else []
        drawn.append(
            tag(
                "g",
                tag("path", d=path(area) + "Z" if area else "", class_="band"),
                tag("path", d=path(points), class_="line thin"),
                line(x.start, foot, x.end, foot, "grid"),
                text(shortened(row.label), left - 10, foot - 6, anchor="end"),
                class_=f"series {row.look}",
            )
        )
    return Drawing(
        name,
        title,
        description,
        WIDTH,
        height,
        joined([_ruler(x, 8, height - 46, across), tag("g", *drawn, class_="all")]),
    )


def steps(hits: Sequence[int], end: int, targets: int) -> tuple[list[float], list[float]]:
    """The found-by-fetch curve of one crawl as the corners of its steps, as shares of the targets."""
    x, y = [0.0], [0.0]
    for found, fetch in enumerate(hits, 1):
        x += [fetch, fetch]
        y += [y[-1], found / max(1, targets)]
    return [*x, float(max(end, hits[-1] if hits else 0))], [*y, y[-1]]


def _axes(series: Sequence[Series], frame: Frame, x: Axis, y: Axis) -> tuple[Axis, Axis]:
    x_high, y_high = frame.x_high, frame.y_high
    if x_high is None:
        x_high = max((max(one.x, default=0.0) for one in series), default=0.0) or 1.0
    if y_high is None:
        y_high = ceiling([value for one in series for value in (*one.y, *one.high)])
    return x._replace(high=x_high), y._replace(high=y_high)


def _line(one: Series, x: Axis, y: Axis) -> str:
    return path((x.at(a), y.at(b)) for a, b in zip(one.x, one.y, strict=True))


def _curve(one: Series, x: Axis, y: Axis) -> list[Markup]:
    parts = []
    if one.low and one.high:
        there = [(x.at(a), y.at(b)) for a, b in zip(one.x, one.high, strict=True)]
        back = [(x.at(a), y.at(b)) for a, b in zip(one.x, one.low, strict=True)]
        parts.append(tag("path", d=path([*there, *reversed(back)]) + "Z", class_="band"))
    parts.append(tag("path", d=_line(one, x, y), class_="line"))
    return parts


def _framed(x: Axis, y: Axis, frame: Frame) -> Markup:
    middle = (y.start + y.end) / 2
    return joined(
        [
            _ticks(x, y, frame),
            text(frame.across, (x.start + x.end) / 2, y.start + 36, anchor="middle", class_="quiet"),
            tag(
                "text",
                frame.up,
                transform=f"translate(12 {middle:.1f}) rotate(-90)",
                text_anchor="middle",
                class_="quiet",
            ),
        ]
    )


def _ticks(x: Axis, y: Axis, frame: Frame, most: int = 6) -> Markup:
    across, up = x.ticks(most), y.ticks(most)
    parts = [line(x.start, y.at(value), x.end, y.at(value), "grid") for value in up]
    parts += [
        text(frame.y_ticks(value, up), x.start - 6, y.at(value), anchor="end", class_="quiet") for value in up
    ]
    parts += [
        text(frame.x_ticks(value, across), x.at(value), y.start + 14, anchor="middle", class_="quiet")
        for value in across
    ]
    return joined([*parts, line(x.start, y.start, x.end, y.start, "axis")])


def _ruler(x: Axis, top: float, foot: float, across: str) -> Markup:
    values = x.ticks()
    parts = [line(x.at(value), top, x.at(value), foot, "grid") for value in values]
    parts += [
        text(written(value, values), x.at(value), foot + 14, anchor="middle", class_="quiet")
        for value in values
    ]
    middle = (x.start + x.end) / 2
    return joined(
        [
            *parts,
            line(x.start, foot, x.end, foot, "axis"),
            text(across, middle, foot + 34, anchor="middle", class_="quiet"),
        ]
    )


def _left(labels: Iterable[str]) -> float:
    return 22.0 + max((width_of(shortened(label)) for label in labels), default=0.0)
