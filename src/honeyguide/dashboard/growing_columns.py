"""Columns that are appended to, and written down to be there next time."""

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.dashboard.visit_columns import CODED, TYPES, Columns

MOST_CODES = 65_535
"""Of one column; the last number stands for all that come after."""

OTHER = "other"
ALIGNED = 64


class GrowingColumns:
    """Columns with room at their end; what was given out is never written to again."""

    def __init__(self) -> None:
        self.count = 0
        self._arrays: dict[str, NDArray[Any]] = {name: np.zeros(0, kind) for name, kind in TYPES.items()}
        self._codes: dict[str, dict[str, int]] = {name: {"": 0} for name in CODED}

    @property
    def last(self) -> int:
        """The number of the last visit that is read."""
        return int(self._arrays["visit"][self.count - 1]) if self.count else 0

    def belongs(self, connection: sqlite3.Connection) -> bool:
        """Whether the last visit is still the one that was read."""
        if not self.count:
            return True
        found = connection.execute("SELECT url, at FROM visits WHERE id = ?", (self.last,)).fetchone()
        end = self.count - 1
        return bool(found == (int(self._arrays["url"][end]), float(self._arrays["at"][end])))

    def columns(self, missing: int) -> Columns:
        """What is there; so many visits are known of that are not."""
        arrays = {name: array[: self.count] for name, array in self._arrays.items()}
        for array in arrays.values():
            array.flags.writeable = False
        names = {
            name: (*codes, *(OTHER for _ in range(len(codes) == MOST_CODES)))
            for name, codes in self._codes.items()
        }
        return Columns.of(arrays, names, self.count + missing)

    def take(self, rows: list[tuple[Any, ...]]) -> None:
        """Add visits."""
        if not rows:
            return
        *values, replaced = zip(*rows, strict=True)
        end = self.count + len(rows)
        self._make_room(end)
        for (name, array), column in zip(self._arrays.items(), values, strict=True):
            with np.errstate(over="ignore"):
                array[self.count : end] = (
                    self._coded(name, column) if name in CODED else np.array(column, array.dtype)
                )
        earlier = np.array([number for number in replaced if number is not None], np.int64)
        if len(earlier):
            standing = self._arrays["standing"].copy()
            standing[self._arrays["visit"][:end].searchsorted(earlier)] = False
            self._arrays["standing"] = standing
        self.count = end

    def save(self, file: Path) -> None:
        """Write everything down, all or nothing."""
        head = {"count": self.count, "names": {name: list(codes) for name, codes in self._codes.items()}}
        draft = file.with_suffix(".draft")
        with draft.open("wb") as stream:
            stream.write(_aligned(json.dumps(head).encode() + b"\n"))
            for array in self._arrays.values():
                stream.write(_aligned(array[: self.count].tobytes()))
        draft.replace(file)

    @classmethod
    def load(cls, file: Path) -> "GrowingColumns | None":
        """What `save` wrote; None if it cannot be read, for it can be read from the crawl again.

        The file is mapped into memory: columns that nobody looks at are never read.
        """
        growing = cls()
        try:
            with file.open("rb") as stream:
                line = stream.readline()
            head: Mapping[str, Any] = json.loads(line)
            start = len(_aligned(line))
            for name, kind in TYPES.items():
                array = np.memmap(file, kind, mode="r", offset=start, shape=(int(head["count"]),))
                growing._arrays[name] = array
                start += -(-array.nbytes // ALIGNED) * ALIGNED
            names = {name: {text: code for code, text in enumerate(head["names"][name])} for name in CODED}
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if any(growing._arrays[name].max(initial=0) > len(names[name]) for name in CODED):
            return None
        growing.count, growing._codes = int(head["count"]), names
        return growing

    def _make_room(self, size: int) -> None:
        if size <= len(self._arrays["visit"]):
            return
        room = size + size // 4
        for name, array in self._arrays.items():
            larger = np.zeros(room, array.dtype)
            larger[: self.count] = array[: self.count]
            self._arrays[name] = larger

    def _coded(self, name: str, column: tuple[str, ...]) -> NDArray[np.uint16]:
        codes = self._codes[name]
        for text in sorted(set(column) - codes.keys())[: MOST_CODES - len(codes)]:
            codes[text] = len(codes)
        # A crawl that meets more types than that has met somebody who makes them up.
        return np.array([codes.get(text, MOST_CODES) for text in column], np.uint16)


def _aligned(data: bytes) -> bytes:
    return data.ljust(-(-len(data) // ALIGNED) * ALIGNED, b"\0")
