"""honeyguide strategies, init and doctor."""

from pathlib import Path
from typing import Annotated

import typer

from honeyguide.errors import ConfigError


def strategies() -> None:
    """List the ways to order links, with their parameters, and names for them with a judge."""
    from honeyguide.naming import PRESETS, STRATEGIES

    show_names(STRATEGIES, "strategies")
    typer.echo("\nPresets: one name for a strategy and a judge")
    for name, (strategy, judge) in PRESETS.items():
        typer.echo(f"  {name}: --strategy {strategy} --judge {judge}")


def init(
    file: Annotated[Path, typer.Argument(help="The file to write.")] = Path("topic.toml"),
    name: Annotated[str, typer.Option("--name", help="What the topic is called.")] = "dengue fever",
) -> None:
    """Write a commented topic file to start from."""
    from honeyguide.topics.toml import template

    if file.exists():
        raise ConfigError(f"{file} exists; honeyguide init never overwrites a file.")
    try:
        file.write_text(template(name, file), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}.") from error
    typer.echo(f"Wrote {file}. Add seeds to it, then run: honeyguide crawl {file}")


def doctor() -> None:
    """Check the installation and say what is missing."""
    from honeyguide.doctor import examine

    findings = examine()
    for finding in findings:
        typer.echo(f"{'ok     ' if finding.ok else finding.severity} {finding.what}: {finding.detail}")
    if any(not finding.ok and finding.severity == "MISSING" for finding in findings):
        raise typer.Exit(1)


def show_names(builtin: dict[str, str], group: str) -> None:
    """The implementations of a role, with their parameters and what they do."""
    import inspect

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from honeyguide.config import settable
    from honeyguide.naming import find, names

    table = Table(box=None, padding=(0, 2))
    for column in ("name", "parameters", "what it does"):
        table.add_column(column, header_style="dim")
    for name in sorted(names(builtin, group)):
        made = find(builtin, group, name)
        parameters = "\n".join(f"{key}={value.default}" for key, value in settable(made).items())
        summary = (inspect.getdoc(made) or "").split("\n\n")[0].replace("\n", " ")
        table.add_row(Text(name, style="bold"), Text(parameters), Text(summary))
    Console(highlight=False).print(table)
