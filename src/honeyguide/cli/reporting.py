"""honeyguide report."""

from pathlib import Path
from typing import Annotated

import typer


def report(
    folder: Annotated[Path, typer.Argument(help="A folder that honeyguide bench wrote.", metavar="DIR")],
) -> None:
    """Write a bench's report: a page to look at, tables, the figures' data, and each figure for papers."""
    from honeyguide.bench.report import write_report

    typer.echo(f"Wrote {write_report(folder)}")
