"""Writes the reference pages that are read off the code: every command and option, every setting."""

import inspect
from pathlib import Path

import typer

from honeyguide.assemble import JUDGES, STRATEGIES, TABLES, find
from honeyguide.cli import app
from honeyguide.config import settable

DOCS = Path(__file__).parent.parent / "docs" / "reference"
GENERATED = "<!-- Made by make reference from the code; a test fails when it is out of date. -->\n"


def commands() -> str:
    group = typer.main.get_command(app)
    lines = ["# Commands", "", GENERATED]
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        options = [p for p in command.params if p.param_type_name == "option"]
        usage = " ".join(p.metavar or p.name.upper() for p in arguments)
        lines += [f"## honeyguide {name}", "", f"`honeyguide {name} {usage} [OPTIONS]`".replace("  ", " "), ""]
        lines += [inspect.cleandoc(command.help or ""), ""]
        if arguments or options:
            lines += ["| argument or option | default | meaning |", "|---|---|---|"]
        for parameter in (*arguments, *options):
            names = ", ".join(f"`{opt}`" for opt in parameter.opts if opt.startswith("-"))
            default = "" if parameter.default in (None, False) else f"`{parameter.default}`"
            label = names or f"`{parameter.metavar or parameter.name.upper()}`"
            lines.append(f"| {label} | {default} | {parameter.help} |")
        lines.append("")
    return "\n".join(lines)


def settings() -> str:
    lines = [
        "# Settings",
        "",
        GENERATED,
        "Every table is a constructor call. In a topic file: `[politeness]` and `delay = 2.0`; on the command line:",
        "`--set politeness.delay=2`; in Python: `settings={\"politeness\": {\"delay\": 2.0}}`. Zero means no limit where a",
        "limit is meant.",
        "",
    ]
    for name, constructors in TABLES.items():
        lines += _table(f"[{name}]", constructors)
    for title, group, builtin in (("strategy", "strategies", STRATEGIES), ("judge", "judges", JUDGES)):
        for use in sorted(builtin):
            lines += _table(f'[{title}] use = "{use}"', (find(builtin, group, use),))
    return "\n".join(lines)


def _table(title: str, constructors: tuple[object, ...]) -> list[str]:
    summary = " ".join((inspect.getdoc(make) or "").split("\n\n")[0].replace("\n", " ") for make in constructors)
    lines = [f"## {title}", "", summary, ""]
    rows = [
        f"| `{key}` | `{_shown(parameter.default)}` |"
        for make in constructors
        for key, parameter in settable(make).items()  # type: ignore[arg-type]
    ]
    return [*lines, "| key | default |", "|---|---|", *rows, ""] if rows else lines


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


PAGES = {"commands.md": commands, "settings.md": settings}

if __name__ == "__main__":
    for file, make in PAGES.items():
        (DOCS / file).write_text(make(), encoding="utf-8")
