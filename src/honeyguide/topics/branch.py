"""A branch of a web directory as folders in folders, the topic's own level the deepest.

`branch/Science/Biology/Bioinformatics` is a branch of three levels. Each folder holds examples of what
belongs there and no deeper: files, or a urls.txt with addresses. A level may be empty.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from honeyguide.errors import ConfigError
from honeyguide.model import Level
from honeyguide.topics.examples import examples_in, read_examples
from honeyguide.topics.files import Kind, must_have_only

DEEPEST = 50
"""Folders deeper than this are a loop of links rather than a directory of the web."""

KEYS: dict[str, Kind] = {"name": str, "examples": list}


def read_branch(folder: Path, where: object) -> tuple[Level, ...]:
    """The levels in a folder, the deepest first; the folder is itself one if it holds examples."""
    if not os.path.isdir(folder):
        raise ConfigError(f"{where}: there is no folder {folder} to read a branch from.")
    try:
        chain = list(_chain(folder, where))
        levels = [Level(level.name, tuple(examples_in(level, where))) for level in chain]
    except OSError as error:
        raise ConfigError(f"{where}: {error.filename} cannot be read: {error.strerror}.") from error
    if not levels[0].examples:
        del levels[0]
    if not any(level.examples for level in levels):
        raise ConfigError(f"{where}: no folder of the branch {folder} holds an example.")
    return tuple(reversed(levels))


def levels_from_tables(tables: Iterable[Any], where: object, base: Path) -> Iterator[Level]:
    """The levels that [[topic.level]] tables hold, the topic's own first."""
    for table in tables:
        if not isinstance(table, Mapping):
            raise ConfigError(f"{where}: write a level as [[topic.level]] with a name and examples.")
        must_have_only(KEYS, table, where)
        name = table.get("name", "")
        if not name.strip():
            raise ConfigError(f"{where}: a level needs a name.")
        yield Level(name, tuple(read_examples(table.get("examples", ()), base, where)))


def _chain(folder: Path, where: object) -> Iterator[Path]:
    for _ in range(DEEPEST):
        yield folder
        inner = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
        if not inner:
            return
        if len(inner) > 1:
            raise ConfigError(
                f"{where}: a branch is one folder in the other, and {folder} holds {inner[0].name} "
                f"and {inner[1].name}."
            )
        folder = inner[0]
    raise ConfigError(f"{where}: the branch {folder} is more than {DEEPEST} folders deep.")
