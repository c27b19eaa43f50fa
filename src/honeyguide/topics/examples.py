"""Examples as a person gives them: web addresses, files, folders, patterns of file names, pasted text.

Nothing is fetched or parsed here. An example that stands for a page has its address and no text; a file's
address begins with file://, and so does that of an earlier crawl, which stands for its pages on topic.
"""

import glob
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Topic
from honeyguide.topics.files import NUMBER, Kind, brief, finite, meant_lines, must_have_only, read_json_lines
from honeyguide.urls import canonical

URL_LIST = "urls.txt"
"""A file of this name holds the addresses of examples, one on a line."""

LONGEST_NAME = 200
"""Characters; what is longer and no file is taken for a text that somebody pasted."""

KEYS: dict[str, Kind] = {"title": str, "url": str, "weight": NUMBER, "text": str}
FILE = "file://"

_WEB = ("http://", "https://")
_CRAWL = "crawl.db"
"""What makes a folder a crawl's rather than one of examples."""


def read_examples(entries: Iterable[Any], base: Path, where: object) -> Iterator[Example]:
    """The examples that a list names; paths start from `base`."""
    for entry in entries:
        if isinstance(entry, Mapping):
            yield example_from_table(entry, where, base)
        elif not isinstance(entry, str):
            raise ConfigError(
                f"{where}: an example is a web address, a file, a folder or a table such as "
                f'{{text = "..."}}, not {brief(entry)}.'
            )
        else:
            yield from _named(entry.strip(), base, where)


def example_from_table(table: Mapping[str, Any], where: object, base: Path) -> Example:
    """The example in a table: a pasted text, or an address with a title or a weight of its own."""
    must_have_only(KEYS, table, where)
    example = Example(**{"text": "", **table})
    if not finite(example.weight) or example.weight <= 0:
        raise ConfigError(
            f"{where}: an example's weight must be more than 0 and finite, not {brief(example.weight)}."
        )
    if example.text.strip():
        return example
    if not example.url.strip():
        raise ConfigError(f"{where}: an example needs a text or an address, and this one has neither.")
    if "://" in example.url:
        if not example.url.strip().startswith(FILE):
            _address(example.url.strip(), where)
        return example
    path = _path(example.url, base)
    _must_exist(path, example.url, where)
    return example._replace(url=_file(path, where).url)


def example_to_table(example: Example) -> dict[str, Any]:
    """The same example as a table, without what goes without saying."""
    defaults = Example("")
    values = {key: getattr(example, key) for key in KEYS}
    return {key: value for key, value in values.items() if value != getattr(defaults, key)}


def examples_in(folder: Path, where: object) -> Iterator[Example]:
    """The examples that a folder holds: its files in the order of their names, but no hidden ones."""
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            yield from _from_file(path, where)


def untold(topic: Topic) -> Iterator[Example]:
    """Every example of a topic that has no text yet."""
    every = chain(
        topic.examples,
        topic.off_topic,
        topic.background,
        topic.corpus,
        chain.from_iterable(level.examples for level in topic.branch),
        (step.example for step in topic.session),
    )
    return (example for example in every if not example.text.strip())


def path_of(url: str) -> Path:
    """The file or folder that a file:// address, or a path, names."""
    if not url.startswith(FILE):
        return Path(url)
    try:
        return Path(os.fsdecode(unquote_to_bytes(urlsplit(url).path)))
    except ValueError as error:
        raise ConfigError(f"{brief(url)} is not the address of a file.") from error


def _named(entry: str, base: Path, where: object) -> Iterator[Example]:
    if not entry:
        raise ConfigError(f"{where}: an example is empty.")
    if entry.startswith(FILE):
        entry = str(path_of(entry))
    elif "://" in entry:
        yield _address(entry, where)
        return
    path = _path(entry, base)
    if os.path.isdir(path):
        yield from _from_folder(path, where)
    elif os.path.exists(path) or not glob.has_magic(entry):
        _must_exist(path, entry, where)
        yield from _from_file(path, where)
    else:
        found = sorted(glob.glob(os.path.expanduser(entry), root_dir=base, recursive=True))
        files = [base / name for name in found if os.path.isfile(base / name)]
        if not files:
            _must_be_a_name(entry, where)
            raise ConfigError(f"{where}: no file is called {entry} in {base}.")
        for file in files:
            yield from _from_file(file, where)


def _from_folder(folder: Path, where: object) -> Iterator[Example]:
    if os.path.exists(folder / _CRAWL):
        yield Example("", url=_uri(folder))
        return
    try:
        found = list(examples_in(folder, where))
    except OSError as error:
        raise ConfigError(f"{where}: {folder} cannot be read: {error.strerror}.") from error
    if not found:
        raise ConfigError(f"{where}: the folder {folder} holds no files.")
    yield from found


def _from_file(path: Path, where: object) -> Iterator[Example]:
    if path.suffix == ".jsonl":
        lines = list(read_json_lines(path))
        if not lines:
            raise ConfigError(f"{where}: the file {path} is empty.")
        yield from (example_from_table(table, place, path.parent) for place, table in lines)
    elif path.name == URL_LIST:
        yield from (_address(line, place) for place, line in meant_lines(path))
    else:
        yield _file(path, where)


def _file(path: Path, where: object) -> Example:
    try:
        with path.open("rb") as file:
            while not (start := file.read(4096)).strip():
                if not start:
                    raise ConfigError(f"{where}: the file {path} is empty.")
    except OSError as error:
        raise ConfigError(f"{where}: {path} cannot be read: {error.strerror}.") from error
    return Example("", url=_uri(path))


def _must_exist(path: Path, entry: str, where: object) -> None:
    if not os.path.exists(path):
        _must_be_a_name(entry, where)
        raise ConfigError(f"{where}: there is no file {path}; a web address begins with https://.")
    if not os.path.isfile(path) and not os.path.isdir(path):
        raise ConfigError(f"{where}: {path} is no ordinary file.")


def _must_be_a_name(entry: str, where: object) -> None:
    """Raise if what is no file, nor an address, looks like a text that somebody pasted."""
    if len(entry) > LONGEST_NAME or "\n" in entry:
        start = " ".join(entry[:60].split())
        raise ConfigError(f"{where}: '{start}...' is no file; write a pasted text as {{text = \"...\"}}.")


def _address(text: str, where: object) -> Example:
    address = canonical(text) if text.startswith(_WEB) else None
    if address is None:
        if not text.startswith(_WEB):
            _must_be_a_name(text, where)
        raise ConfigError(
            f"{where}: {brief(text)} is not a web address; one looks like https://example.org/page."
        )
    return Example("", url=address)


def _path(entry: str, base: Path) -> Path:
    return base / os.path.expanduser(entry)


def _uri(path: Path) -> str:
    return Path(os.path.abspath(path)).as_uri()
