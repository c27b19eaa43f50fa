"""A heat map: a share for every two, darker for more, each with its number."""

from collections.abc import Sequence

from honeyguide.bench.report.markup import Markup, joined, tag
from honeyguide.bench.report.svg import WIDTH, Drawing, shortened, text, width_of

DARKEST = 0.72
"""How much of the colour a share of 1 has: as much as leaves the number on it readable."""


def heat_map(
    name: str, title: str, description: str, labels: Sequence[str], shares: Sequence[Sequence[float]]
) -> Drawing:
    """Shares of rows with columns in per cent; what each has with itself is left out."""
    short = [shortened(label) for label in labels]
    longest = max(map(width_of, short), default=0.0)
    left, top = 22 + longest, 16 + 0.72 * longest
    side = min(46.0, max(28.0, (WIDTH - left - 10) / max(1, len(labels))))
    drawn = []
    for row, label in enumerate(short):
        y = top + side * row
        x = left + side * (row + 0.5)
        drawn.append(text(label, left - 8, y + side / 2, anchor="end"))
        drawn.append(tag("text", label, transform=f"translate({x:.1f} {top - 6:.1f}) rotate(-45)"))
        drawn += [
            _cell(left + side * column, y, side, shares[row][column])
            for column in range(len(labels))
            if column != row
        ]
    end = left + side * len(labels)
    leaning = max(
        (left + side * (at + 0.5) + 0.72 * width_of(label) for at, label in enumerate(short)), default=0
    )
    return Drawing(
        name,
        title,
        description,
        max(WIDTH, end + 10, leaning + 10),
        top + side * len(labels) + 8,
        joined(drawn),
    )


def _cell(x: float, y: float, side: float, share: float) -> Markup:
    opacity = DARKEST * min(1.0, max(0.0, share)) + 0.03
    return joined(
        [
            tag(
                "rect",
                x=x + 1,
                y=y + 1,
                width=side - 2,
                height=side - 2,
                rx=2,
                class_="cell",
                fill_opacity=f"{opacity:.2f}",
            ),
            text(f"{share * 100:.0f}", x + side / 2, y + side / 2, anchor="middle"),
        ]
    )
