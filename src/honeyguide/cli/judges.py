"""honeyguide judges, and judges bench."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.text import Text

    from honeyguide.bench.judge_tables import Findings

app = typer.Typer(invoke_without_command=True)

SETTINGS = {"K": "5-examples"}
"""The setting of a protocol that tells a judge what it needs; seeds do not matter, so one of them is enough."""

SLOW = ("minilm",)
"""Judges that are compared only when they are named: a corpus takes them hours."""


COLUMNS = (
    "topics", "ROC-AUC", "average precision", "ceiling", "precision", "recall", "F1", "calibration error",
    "pages /CPU-s", "fit s", "extra MB",
)  # fmt: skip


@app.callback()
def judges(context: typer.Context) -> None:
    """List the ways to judge pages, with their parameters."""
    if context.invoked_subcommand is None:
        from honeyguide.cli.listing import show_names
        from honeyguide.naming import JUDGES

        show_names(JUDGES, "judges")


@app.command()
def bench(
    corpus: Annotated[
        Path, typer.Argument(help="A folder with a recorded web and its labels.", metavar="CORPUS")
    ],
    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judges",
            help="What to compare: NAME or NAME:key=value,key=value, several with commas; may be repeated. "
            "[default: all that are quick]",
        ),
    ] = None,
    topics: Annotated[
        list[str] | None,
        typer.Option("--topics", help="Topics, with commas between; may be repeated. [default: all]"),
    ] = None,
    protocol: Annotated[
        str, typer.Option("--protocol", help="W, K, or a protocol file (.toml).", metavar="W|K|FILE")
    ] = "W",
    labels: Annotated[
        Path | None,
        typer.Option("--labels", help="A file of labels in place of the corpus's own.", metavar="FILE"),
    ] = None,
    examples: Annotated[
        int | None, typer.Option("--examples", min=0, help="Examples that a judge is given.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Topics at a time. [default: one per processor]")
    ] = None,
    ceiling: Annotated[
        bool, typer.Option("--ceiling/--no-ceiling", help="Also what each would reach with all labels.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of the results.", metavar="DIR")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
) -> None:
    """Compare judges on the labelled pages of a recorded web.

    Each judge is told what a crawl would be told of a topic, and scored on all pages that it was not told of.
    Stopped and started again with the same --out, it goes on where it was.
    """
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(threads, "1")  # topics run side by side; and sums come out alike on any machine
    from honeyguide.bench.judge_bench import run
    from honeyguide.cli.bench import open_corpus, parts, progress, protocol_of, split_uses

    told, tasks_of = protocol_of(protocol)
    opened = open_corpus(corpus, labels or told)
    tasks = tasks_of(
        opened,
        settings=[SETTINGS.get(protocol.upper(), "near")],
        topics=parts(topics or ()) or None,
        examples=examples,
    )
    uses, unusable = _usable() if judges is None else (split_uses(judges), [])
    folder = out or Path("benches") / f"{corpus.resolve().name}-{Path(protocol).stem}-judges"
    with progress("judgements") as on_progress:
        findings = run(
            opened,
            tasks,
            uses,
            folder,
            jobs=jobs or os.cpu_count() or 1,
            ceiling=ceiling,
            on_progress=on_progress,
        )
    if json:
        _print_json(findings, unusable, folder)
    else:
        _show(findings, unusable, folder)


def _usable() -> tuple[list[str], list[str]]:
    """The judges that can be made here without being told anything, and a line on each that cannot."""
    from honeyguide.errors import ConfigError
    from honeyguide.naming import JUDGES, names, unfitted_judge

    uses, unusable = [], []
    for name in sorted(set(names(JUDGES, "judges")) - set(SLOW)):
        try:
            unfitted_judge({"use": name})
            uses.append(name)
        except (ConfigError, ImportError) as error:
            unusable.append(f"{name} cannot be used: {error}")
    return uses, unusable


def _print_json(findings: "Findings", unusable: list[str], folder: Path) -> None:
    import json

    figures: dict[str, Any] = {
        "judges": findings.judges,
        "fitted_together": findings.together,
        "peak_mb": findings.peak_mb,
        "missing": [*unusable, *findings.missing],
        "out": str(folder),
    }
    typer.echo(json.dumps(figures, indent=2))


def _show(findings: "Findings", unusable: list[str], folder: Path) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(box=None, padding=(0, 1))
    table.add_column("judge", header_style="dim", no_wrap=True)
    for column in COLUMNS:
        table.add_column(column.replace(" ", "\n", 1), header_style="dim", justify="right", no_wrap=True)
    for line in findings.judges:
        table.add_row(
            Text(line["judge"]),
            f"{line['topics']}",
            _between(line, "roc_auc"),
            _between(line, "average_precision"),
            *(_share(line[name]) for name in ("ceiling", "precision", "recall", "f1", "calibration_error")),
            f"{line['pages_per_second']:,.0f}",
            f"{line['fit_seconds']:.2f}",
            f"{line['extra_mb']:.0f}",
        )
    screen, console.width = console.width, 1000
    console.width = max(screen, console.measure(table).maximum)  # a table cut off helps nobody
    console.print(table)
    for sentence in (*unusable, *findings.missing):
        typer.echo(sentence)
    if findings.together:
        who = "1 judge" if findings.together == 1 else f"{findings.together} judges"
        typer.echo(
            f"A process with {who} fitted took {findings.peak_mb:.0f} MB at its peak, without the corpus."
        )
    typer.echo(f"The tables are {folder / 'judges.csv'} and {folder / 'judgements.csv'}.")


def _between(line: dict[str, Any], name: str) -> "Text":
    from rich.text import Text

    low, high = _share(line[f"{name}_low"]), _share(line[f"{name}_high"])
    return Text.assemble(_share(line[name]), (f" {low}-{high}", "dim"))


def _share(value: Any) -> str:
    return f"{value:.3f}".removeprefix("0") if value != "" else "-"
