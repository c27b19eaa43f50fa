"""Searches that were given a name, in a TOML file that people may edit."""

import re
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

from honeyguide.config import checked, to_toml
from honeyguide.errors import ConfigError
from honeyguide.search.results import Request
from honeyguide.search.sort import Sort

_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")
_PASSING = ("page", "facets")
"""What a request says of showing its answers, which is not saved."""


class SavedSearches:
    """The saved searches of one collection, one table each."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def all(self) -> dict[str, Request]:
        """Every saved search by its name."""
        return {name: _request(name, table) for name, table in sorted(self._tables().items())}

    def get(self, name: str) -> Request:
        """The search of this name."""
        tables = self._tables()
        if name not in tables:
            known = f"the saved ones are: {', '.join(sorted(tables))}" if tables else "none is saved"
            raise ConfigError(f"There is no saved search {name!r}; {known}.")
        return _request(name, tables[name])

    def put(self, name: str, request: Request) -> None:
        """Save a search, in the place of another of the same name."""
        if not _NAME.fullmatch(name):
            raise ConfigError(f"{name!r} cannot be a saved search's name; use letters, digits, - and _.")
        request.node()
        defaults = asdict(Request())
        said = {
            key: value
            for key, value in asdict(request).items()
            if key not in _PASSING and value != defaults[key]
        }
        self._write(self._tables() | {name: {"query": request.query, **said}})

    def remove(self, name: str) -> None:
        """Forget a search."""
        self.get(name)
        self._write({other: table for other, table in self._tables().items() if other != name})

    def _tables(self) -> dict[str, dict[str, Any]]:
        try:
            tables = tomllib.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ConfigError(f"The saved searches in {self._file} cannot be read: {error}.") from error
        return {name: table for name, table in tables.items() if isinstance(table, dict)}

    def _write(self, tables: dict[str, dict[str, Any]]) -> None:
        draft = self._file.with_suffix(".draft")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(to_toml(dict(sorted(tables.items()))), encoding="utf-8")
            draft.replace(self._file)
        except OSError as error:
            raise ConfigError(f"The search cannot be saved in {self._file}: {error.strerror}.") from error


def _request(name: str, table: dict[str, Any]) -> Request:
    sort = table.get("sort", Sort.SCORE)
    if sort not in set(Sort):
        raise ConfigError(f"{name}.sort must be one of {', '.join(Sort)}, not {sort!r}.")
    said = {key: value for key, value in table.items() if key != "sort"}
    return Request(**checked(Request, said, name=name), sort=Sort(sort))
