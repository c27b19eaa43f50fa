"""An ontology as a crawl keeps it: one concept on a line of JSON."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from honeyguide.errors import ConfigError
from honeyguide.model import Concept
from honeyguide.topics.files import Kind, must_have_only, read_json_lines

KEYS: dict[str, Kind] = {"key": str, "names": list, "parents": list}


def read_concepts(path: Path) -> Iterator[tuple[str, Concept]]:
    """The concepts in a file, each with the place where it stands."""
    for where, table in read_json_lines(path):
        must_have_only(KEYS, table, where)
        names, parents = table.get("names", []), table.get("parents", [])
        if "key" not in table or not all(isinstance(text, str) for text in (*names, *parents)):
            raise ConfigError(f"{where}: a concept has a key, and names and parents that are texts.")
        yield where, Concept(table["key"], tuple(names), tuple(parents))


def concept_to_table(concept: Concept) -> dict[str, Any]:
    """The same concept as a table."""
    return concept._asdict()
