"""A browsing session: the pages a person saw, in their order, each marked as on topic or not.

In a file, a line is a mark and an address or a file: `+ https://example.org/page`, `- saved/page.html`. The
words relevant and irrelevant are marks too. A file that ends in .jsonl holds objects with the same keys as
the tables of a topic file: relevant, and those of an example.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Step
from honeyguide.topics.examples import example_from_table, example_to_table, read_examples
from honeyguide.topics.files import brief, meant_lines, read_json_lines

MARKS = {"+": True, "-": False, "relevant": True, "irrelevant": False}


def read_session(path: Path) -> Iterator[Step]:
    """The steps of the session in a file."""
    if path.suffix == ".jsonl":
        for where, table in read_json_lines(path):
            yield step_from_table(table, where, path.parent)
        return
    for where, line in meant_lines(path):
        mark, *rest = line.split(maxsplit=1)
        if mark.lower() not in MARKS or not rest:
            raise ConfigError(
                f"{where}: a line is + or - and an address, such as: + https://example.org/page; "
                f"this one is {brief(line)}."
            )
        yield Step(_one(read_examples(rest, path.parent, where), where), MARKS[mark.lower()])


def session_from_tables(tables: Iterable[Any], where: object, base: Path) -> Iterator[Step]:
    """The steps that a list of tables holds."""
    for table in tables:
        if not isinstance(table, Mapping):
            raise ConfigError(
                f'{where}: a step is a table such as {{url = "https://...", relevant = true}}, not {brief(table)}.'
            )
        yield step_from_table(table, where, base)


def step_from_table(table: Mapping[str, Any], where: object, base: Path) -> Step:
    """One step: an example, and whether it was marked as on topic."""
    relevant = table.get("relevant")
    if not isinstance(relevant, bool):
        raise ConfigError(f"{where}: a step says relevant = true or relevant = false.")
    rest = {key: value for key, value in table.items() if key != "relevant"}
    return Step(example_from_table(rest, where, base), relevant)


def step_to_table(step: Step) -> dict[str, Any]:
    """The same step as a table."""
    return {"relevant": step.relevant, **example_to_table(step.example)}


def _one(examples: Iterator[Example], where: object) -> Example:
    found = list(examples)
    if len(found) != 1:
        raise ConfigError(f"{where}: a line names one page, and this one names {len(found)}.")
    return found[0]
