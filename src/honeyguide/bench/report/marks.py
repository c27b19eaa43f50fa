"""Drawings small enough to stand in a line of text or in the cell of a table."""

from collections.abc import Sequence
from typing import NamedTuple

from honeyguide.bench.report.axes import Axis
from honeyguide.bench.report.markup import Markup, tag
from honeyguide.bench.report.svg import line, path


class Mark(NamedTuple):
    """A value with an interval around it, or without."""

    look: str
    value: float
    low: float | None = None
    high: float | None = None
    label: str = ""


def interval(mark: Mark, low: float, high: float, *, width: float = 120.0) -> Markup:
    """A mean with its interval, small enough for the cell of a table; where 0 lies inside, it is shown."""
    x = Axis(low, high, 6, width - 6)
    parts = [line(x.start, 9, x.end, 9, "grid")]
    if low < 0 < high:
        parts.append(line(x.at(0), 2, x.at(0), 16, "axis"))
    if mark.low is not None and mark.high is not None:
        parts.append(tag("path", d=path([(x.at(mark.low), 9), (x.at(mark.high), 9)]), class_="whisker"))
    parts.append(tag("circle", cx=x.at(mark.value), cy=9, r=3.6, class_="dot"))
    return _small(parts, width, mark.look.split(" ")[0])


def strip(marks: Sequence[Mark], high: float, *, width: float = 260.0) -> Markup:
    """One dot for every contender on one line from 0."""
    x = Axis(0, high, 6, width - 6)
    parts = [line(x.start, 9, x.end, 9, "grid")]
    parts += [
        tag(
            "circle",
            tag("title", f"{mark.label}: {mark.value:.3f}"),
            cx=x.at(mark.value),
            cy=9,
            r=3.8,
            class_=f"dot {mark.look.split(' ')[0]}",
        )
        for mark in reversed(marks)
    ]
    return _small(parts, width, "strip")


def key(look: str) -> Markup:
    """A piece of a contender's line, for a legend."""
    return _small([tag("path", d="M1 9H25", class_="line")], 26.0, look)


def _small(parts: Sequence[Markup], width: float, class_: str) -> Markup:
    return tag(
        "svg",
        *parts,
        width=width,
        height=18,
        viewBox=f"0 0 {width:g} 18",
        class_=f"small {class_}",
        aria_hidden="true",
    )
