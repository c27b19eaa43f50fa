"""Files that a person wrote, read line by line, or refused in a sentence that says where."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from honeyguide.errors import ConfigError

Kind = type | tuple[type, ...]
NUMBER = (int, float)

LONGEST_SHOWN = 80
"""Characters of a value that a sentence quotes."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_drop_remark = re.compile(r"(?:^|\s)#.*$").sub


def read_text(path: Path) -> str:
    """The text of a file in UTF-8."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise ConfigError(f"There is no file {path}.") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    if data.startswith(_UTF16):
        raise ConfigError(f"{path} is in UTF-16; save it in UTF-8.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: this is not UTF-8; save the file in UTF-8.") from error


def meant_lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines of a file that are no remarks, each with the place where it stands.

    A remark is what follows a # at the beginning of a line, or one with a blank before it.
    """
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if meant := _drop_remark("", line).strip():
            yield f"{path}, line {number}", meant


def read_json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a file of JSON lines, each with the place where it stands."""
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{where}: this is not a line of JSON ({error}).") from error
        if not isinstance(value, dict):
            raise ConfigError(f'{where}: a line is one JSON object, such as {{"text": "...", "url": "..."}}.')
        yield where, value


def json_line(table: Mapping[str, Any]) -> bytes:
    """One line of JSON: letters as they are, unless the line holds half a character (a lone surrogate)."""
    try:
        return json.dumps(table, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(table).encode() + b"\n"


def brief(value: object) -> str:
    """A value as a sentence quotes it, cut where it gets long."""
    try:
        text = repr(value)
    except ValueError:  # Python spells no whole number of thousands of digits.
        return "a number of thousands of digits"
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def finite(number: float) -> bool:
    """Whether a number is finite, and not too large to be counted with."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def must_have_only(keys: Mapping[str, Kind], table: Mapping[str, Any], where: object) -> None:
    """Raise unless a table has none but these keys, each with a value of its type."""
    for key, value in table.items():
        if key not in keys:
            raise ConfigError(f"{where}: there is no key {key!r} here; the keys are: {', '.join(keys)}.")
        wanted = keys[key]
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise ConfigError(f"{where}: {key} must be {_WORDS[wanted]}, not {brief(value)}.")


_WORDS: Mapping[Kind, str] = {
    str: "a text",
    bool: "true or false",
    list: "a list",
    NUMBER: "a number",
}
