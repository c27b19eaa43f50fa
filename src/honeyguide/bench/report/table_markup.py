"""A table of a report, as HTML and as Markdown."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from honeyguide.bench.report.markup import Markup, tag

NOTHING = Markup("")


class Cell(NamedTuple):
    """What a cell says, what it sorts by, a small drawing beside it, and whether it stands out."""

    says: str
    sorts: float | None = None
    drawing: Markup = NOTHING
    best: bool = False


class Column(NamedTuple):
    """A heading, whether numbers stand under it, and a word on what it means."""

    name: str
    numeric: bool = True
    meaning: str = ""


class Table(NamedTuple):
    """A caption, columns, and rows whose first cell names them."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    def html(self) -> Markup:
        """For a page, where a script may make the headings sort the rows."""
        head = [
            tag(
                "th",
                column.name,
                scope="col",
                class_="number" if column.numeric else None,
                title=column.meaning or None,
            )
            for column in self.columns
        ]
        rows = [tag("tr", *(self._cell(place, cell) for place, cell in enumerate(row))) for row in self.rows]
        table = tag(
            "table",
            tag("caption", self.caption),
            tag("thead", tag("tr", *head)),
            tag("tbody", *rows),
        )
        return tag("div", table, class_="scroll")

    def markdown(self) -> str:
        """For a README or a letter."""
        lines = [
            f"**{_flat(self.caption)}**",
            "",
            _row(_flat(column.name) for column in self.columns),
            _row("---:" if column.numeric else ":---" for column in self.columns),
            *(
                _row(f"**{_flat(cell.says)}**" if cell.best else _flat(cell.says) for cell in row)
                for row in self.rows
            ),
        ]
        return "\n".join(lines) + "\n"

    def _cell(self, place: int, cell: Cell) -> Markup:
        classes = [
            name for name, holds in (("number", self.columns[place].numeric), ("best", cell.best)) if holds
        ]
        says = (
            tag("span", cell.drawing, tag("span", cell.says), class_="drawn") if cell.drawing else cell.says
        )
        return tag(
            "td" if place else "th",
            says,
            scope=None if place else "row",
            class_=" ".join(classes) or None,
            data_sort=None if cell.sorts is None else repr(float(cell.sorts)),
        )


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _flat(says: str) -> str:
    """Text that cannot leave its cell nor be taken for markup."""
    flat = " ".join(says.split())
    for sign in "\\`*_[]<>|":
        flat = flat.replace(sign, f"\\{sign}")
    return flat
