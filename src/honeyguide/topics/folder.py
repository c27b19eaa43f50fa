"""A topic as a crawl keeps it: every revision of it, whole, in files that a person can read.

topic/1.toml             the first revision, a topic file like any other
topic/1-examples.jsonl   the texts of its examples, one on a line; so for off-topic, background, corpus,
                         each level of the branch, the session, and the concepts of the ontology

A revision refers to the files of an earlier one for what has not changed. Its TOML file is written last, so
that a revision is there whole or not at all. What somebody noted on a revision, and when, stands in its first
line, as a comment.
"""

import fcntl
import os
import re
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from honeyguide.config import quoted
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.model import Topic
from honeyguide.topics.concepts import concept_to_table
from honeyguide.topics.examples import example_to_table
from honeyguide.topics.files import json_line
from honeyguide.topics.places import Source
from honeyguide.topics.session import step_to_table
from honeyguide.topics.toml import EXAMPLES, LISTS, TEXTS, read_topic_file, topic_from_table
from honeyguide.topics.vocabulary import term_to_table

FOLDER = "topic"
WIDEST = 100
"""A list that makes a longer line is written with one item on a line."""


_NOTE = re.compile(r"# (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z (.+)")
LONGEST_NOTE = 500


class Revision(NamedTuple):
    """One revision of a topic: its number, when it was written, and what was noted on it."""

    number: int
    at: float
    note: str = ""


def write_revision(
    folder: Path, topic: Topic, note: str = "", *, clock: Callable[[], float] = time.time
) -> int:
    """Keep a topic in a crawl's folder as its next revision; returns the revision's number."""
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    with _alone(folder / FOLDER):
        revision = max(revisions(folder), default=0) + 1
        path = topic_path(folder, revision)
        text = "\n".join((*_comment(note, clock), *_lines(topic, path))) + "\n"
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            raise ConfigError(
                f"The topic {topic.name!a} holds half a character ({text[error.start]!a}), which no "
                "file can; write it anew."
            ) from error
        topic_from_table(
            tomllib.loads(text)["topic"], Source(path, text)
        )  # what cannot be read back never counts
        _put(path, data)
    return revision


def read_topic(folder: Path) -> Topic:
    """The newest revision of a crawl's topic."""
    return read_revision(folder, max(revisions(folder), default=1))


def read_revision(folder: Path, revision: int) -> Topic:
    """One revision of a crawl's topic."""
    path = topic_path(folder, revision)
    if not path.is_file():
        raise CrawlError(f"{folder} is no whole crawl: {path.name} is missing; restore it from a copy.")
    return read_topic_file(path)[0]


def revisions(folder: Path) -> list[int]:
    """The numbers of the revisions that a crawl's folder holds."""
    found = (folder / FOLDER).glob("*.toml")
    return sorted(int(path.stem) for path in found if path.stem.isascii() and path.stem.isdigit())


def history(folder: Path) -> list[Revision]:
    """Every revision with what was noted on it, the oldest first."""
    found = []
    for number in revisions(folder):
        path = topic_path(folder, number)
        with path.open(encoding="utf-8") as file:
            noted = _NOTE.fullmatch(file.readline().rstrip("\n"))
        if noted:
            at = datetime.fromisoformat(noted[1]).replace(tzinfo=UTC).timestamp()
            found.append(Revision(number, at, noted[2]))
        else:
            found.append(Revision(number, path.stat().st_mtime))
    return found


def topic_path(folder: Path, revision: int = 1) -> Path:
    """Where a revision of a crawl's topic lies."""
    return folder / FOLDER / f"{revision}.toml"


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Let nobody else write a revision at the same time, who would give it the same number."""
    handle = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _comment(note: str, clock: Callable[[], float]) -> Iterator[str]:
    """The first line of a revision that somebody has noted something on."""
    plain = "".join(character if character.isprintable() else " " for character in note)
    if plain := " ".join(plain.split())[:LONGEST_NOTE]:
        yield f"# {datetime.fromtimestamp(clock(), UTC):%Y-%m-%dT%H:%M:%S}Z {plain}"


def _lines(topic: Topic, path: Path) -> Iterator[str]:
    """The lines of a revision's TOML file; what they refer to has been written when they are made."""
    yield "[topic]"
    for key in (*TEXTS, *LISTS):
        if value := getattr(topic, key):
            yield f"{key} = {_literal(value)}"
    if topic.vocabulary:
        yield f"vocabulary = {_literal([term_to_table(term) for term in topic.vocabulary])}"
    for key in EXAMPLES:
        if examples := getattr(topic, key):
            yield f"{key} = {_literal([_beside(path, key, map(example_to_table, examples))])}"
    if topic.session:
        yield f"session = {quoted(_beside(path, 'session', map(step_to_table, topic.session)))}"
    if topic.ontology:
        yield f"ontology = {quoted(_beside(path, 'ontology', map(concept_to_table, topic.ontology)))}"
    for number, level in enumerate(topic.branch, 1):
        yield "\n[[topic.level]]"
        yield f"name = {quoted(level.name)}"
        if level.examples:
            name = _beside(path, f"level-{number}", map(example_to_table, level.examples))
            yield f"examples = {_literal([name])}"


def _beside(path: Path, part: str, tables: Iterable[Mapping[str, Any]]) -> str:
    """The name of a file beside the TOML file that holds these tables: an earlier revision's if it does."""
    part = part.replace("_", "-")
    data = b"".join(map(json_line, tables))
    for earlier in sorted(path.parent.glob(f"*-{part}.jsonl")):
        if earlier.stat().st_size == len(data) and earlier.read_bytes() == data:
            return earlier.name
    file = path.with_name(f"{path.stem}-{part}.jsonl")
    _put(file, data)
    return file.name


def _put(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _literal(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        items = [_literal(item) for item in value]
        if len(line := f"[{', '.join(items)}]") <= WIDEST and not isinstance(value[0], Mapping):
            return line
        return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    return repr(value) if isinstance(value, float) else quoted(value)
