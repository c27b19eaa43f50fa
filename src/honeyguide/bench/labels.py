"""Labels: what people say pages are about. They score a crawl, which never sees them."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from honeyguide.errors import ConfigError


class Label(NamedTuple):
    """A page, as its URL is spelt in the file, what it is about, and the part of the web it belongs to."""

    url: str
    label: str
    group: str = ""


def read_labels(path: Path) -> tuple[Label, ...]:
    """The labels in a file: a heading, then lines of url, label and perhaps group with tabs between them."""
    try:
        with path.open(encoding="utf-8-sig", newline=None) as lines:
            return tuple(_labels(path, lines))
    except OSError as error:
        raise ConfigError(f"The labels {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"The labels {path} are not text in UTF-8.") from error


def _labels(path: Path, lines: Iterator[str]) -> Iterator[Label]:
    heading = next(lines, "").rstrip("\n").split("\t")
    if heading[0] != "url" or len(heading) not in (2, 3):
        raise ConfigError(
            f"{path}, line 1: the heading must be url, a name for the labels and perhaps one for groups, "
            "with tabs between them."
        )
    for number, line in enumerate(lines, 2):
        cells = line.rstrip("\n").split("\t")
        if cells == [""]:
            continue
        if len(cells) != len(heading) or not cells[0] or not cells[1]:
            raise ConfigError(
                f"{path}, line {number}: there must be {len(heading)} cells with tabs between them, "
                "a URL and a label first."
            )
        yield Label(*cells)
