"""A drawing: SVG that takes its colours from the page around it, or stands on its own on white."""

from collections.abc import Iterable
from typing import NamedTuple

from honeyguide.bench.report.markup import Markup, number, tag

WIDTH = 540.0
"""How wide a figure is, so that two stand side by side."""

COLOURS = ("#0067a5", "#d55e00", "#1b9e77", "#5e2a84", "#8d0e04", "#9884f3")
"""Told apart by people with any common kind of colour vision, and at least 3:1 against white."""

DASHES = ("none", "7 3", "2 3", "9 3 2 3")
"""A second sign besides colour, and what tells the seventh contender from the first."""

STYLE = "\n".join(
    (
        "svg { font: 12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }",
        "text { fill: #1f2430; }",
        ".quiet { fill: #5b6270; font-size: 11px; }",
        ".grid { stroke: #e4e7ec; stroke-width: 1; }",
        ".axis { stroke: #8a919e; stroke-width: 1; }",
        ".line { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }",
        ".thin { stroke-width: 1.2; }",
        ".band { fill: currentColor; fill-opacity: .12; stroke: none; }",
        ".dot { fill: currentColor; stroke: none; }",
        ".box { fill: currentColor; fill-opacity: .12; stroke: currentColor; stroke-width: 1.2; }",
        ".ring { fill: none; stroke: currentColor; stroke-width: 1.2; }",
        ".mean { fill: #ffffff; stroke: currentColor; stroke-width: 1.5; }",
        ".leader { stroke: currentColor; stroke-width: 1; opacity: .55; fill: none; }",
        ".cell { fill: #0067a5; }",
        ".refs { color: #6b7280; }",
        *(f".c{index} {{ color: {colour}; }}" for index, colour in enumerate(COLOURS)),
        *(f".d{index} .line {{ stroke-dasharray: {dash}; }}" for index, dash in enumerate(DASHES)),
    )
)


class Drawing(NamedTuple):
    """A figure: its file's name, its title, what it shows for those who cannot see it, its size and its body.

    `note` says how to read it, for a caption.
    """

    name: str
    title: str
    description: str
    width: float
    height: float
    body: Markup
    note: str = ""

    def inline(self) -> Markup:
        """For a page, which brings the colours."""
        return self._svg(self.body, class_="figure", style=f"max-width: {number(self.width)}px")

    def file(self) -> str:
        """For a paper: everything inside, on white."""
        paper = tag("rect", width=self.width, height=self.height, fill="#ffffff")
        style = tag("style", Markup(STYLE))
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + self._svg(
            Markup(style + paper + self.body),
            xmlns="http://www.w3.org/2000/svg",
            width=self.width,
            height=self.height,
        )

    def _svg(self, body: Markup, **attributes: str | float) -> Markup:
        return tag(
            "svg",
            tag("title", self.title, id=f"{self.name}-title"),
            tag("desc", self.description, id=f"{self.name}-desc"),
            body,
            **attributes,
            viewBox=f"0 0 {number(self.width)} {number(self.height)}",
            role="img",
            aria_labelledby=f"{self.name}-title {self.name}-desc",
        )


def text(what: str, x: float, y: float, *, anchor: str | None = None, class_: str | None = None) -> Markup:
    """Words whose middle line is at y."""
    return tag("text", what, x=x, y=y + 4, text_anchor=anchor, class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A straight line."""
    return tag("path", d=path(((x1, y1), (x2, y2))), class_=class_)


def path(points: Iterable[tuple[float, float]]) -> str:
    """The data of a line through points, in few letters: level and upright pieces need one number."""
    pieces: list[str] = []
    here = ("", "")
    for x, y in points:
        there = (number(x), number(y))
        if not pieces:
            pieces.append(f"M{there[0]} {there[1]}")
        elif there[1] == here[1]:
            pieces.append(f"H{there[0]}" if there[0] != here[0] else "")
        elif there[0] == here[0]:
            pieces.append(f"V{there[1]}")
        else:
            pieces.append(f"L{there[0]} {there[1]}")
        here = there
    return "".join(pieces)


def looks(are_references: Iterable[bool]) -> list[str]:
    """A look for every contender: a colour and a dash by rank; grey for a reference to measure others by."""
    drawn: list[str] = []
    ranks = {False: 0, True: 0}
    for is_reference in are_references:
        rank = ranks[is_reference]
        ranks[is_reference] += 1
        if is_reference:
            drawn.append(f"refs d{1 + rank % (len(DASHES) - 1)}")
        else:
            drawn.append(f"c{rank % len(COLOURS)} d{rank // len(COLOURS) % len(DASHES)}")
    return drawn


def shortened(label: str, most: int = 30) -> str:
    """A label that fits: the middle goes, because names differ at their ends."""
    if len(label) <= most:
        return label
    kept = most - 1
    return f"{label[: kept - kept // 2]}…{label[-(kept // 2) :]}"


def width_of(label: str) -> float:
    """About how wide a label is at 12 pixels."""
    return 7.1 * len(label)
