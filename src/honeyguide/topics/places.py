"""Where in a topic file something stands; worked out only when it has to be said."""

import json
import re
from pathlib import Path
from typing import NamedTuple


class Source(NamedTuple):
    """The file that a topic is read from."""

    path: Path
    text: str

    def at(self, key: str, value: object = None, *, nth: int = 0) -> "Place":
        """The place of a key of [topic], of a text in its value, or of one of several tables of that name."""
        return Place(self, key, value, nth)


class Place(NamedTuple):
    """As a text, the file and the line, as far as it can be told."""

    source: Source
    key: str
    value: object
    nth: int

    def __str__(self) -> str:
        lines = self.source.text.splitlines()
        key = re.escape(self.key)
        named = re.compile(rf"\s*(?:\"?{key}\"?\s*=|\[\[?topic\.{key}\]\]?)").match
        starts = [number for number, line in enumerate(lines) if named(line)]
        if not starts:
            return str(self.source.path)
        found = first = starts[self.nth if self.nth < len(starts) else 0]
        if isinstance(self.value, str):
            spelt = (self.value, json.dumps(self.value, ensure_ascii=False)[1:-1])
            rest = enumerate(lines[first:], first)
            found = next((number for number, line in rest if any(text in line for text in spelt)), first)
        return f"{self.source.path}, line {found + 1}"
