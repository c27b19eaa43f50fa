"""The hand check: pages drawn at random, labelled by people who are not shown the judge's verdict (GD 10).

A sample is a table for any spreadsheet, in which people write; what they made of it is read back whatever
their spreadsheet has done to the file.
"""

import csv
import heapq
import io
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from honeyguide.errors import ConfigError, CrawlError
from honeyguide.handcheck import Opinion, Opinions
from honeyguide.store.collection import Collection
from honeyguide.store.export import defused

WORDS_SHOWN = 60
LONGEST_SHOWN = 600
"""Characters of a cell: some scripts put no spaces between words."""


SPELLINGS = {
    **dict.fromkeys(("yes", "y", "on", "on topic", "1", "true"), Opinion.YES),
    **dict.fromkeys(("no", "n", "off", "off topic", "0", "false"), Opinion.NO),
    **dict.fromkeys(("unsure", "unknown", "?"), Opinion.UNSURE),
}


class Drawn(NamedTuple):
    """One page of a sample, as a person sees it; label and annotator are theirs to fill in."""

    number: int
    url: str
    title: str
    text: str
    label: str = ""
    annotator: str = ""


def draw(
    collection: Collection, n: int, *, seed: int = 0, only_relevant: bool = False
) -> tuple[list[Drawn], int]:
    """Up to n kept pages at random and in random order, duplicates left out; and how many there were to draw from."""
    generator = random.Random(seed)
    population = 0

    def ticket(_: object) -> float:
        nonlocal population
        population += 1
        return generator.random()

    pages = (row for row in collection.visits(only_relevant=only_relevant) if not row["duplicate_of"])
    chosen = heapq.nsmallest(n, pages, key=ticket)
    try:
        drawn = [
            Drawn(number, row["address_url"], _opening(row["title"]), _opening(collection.text_of(row)))
            for number, row in enumerate(chosen, 1)
        ]
    except OSError as error:
        raise CrawlError(f"The archive of {collection.folder} cannot be read: {error}.") from error
    return drawn, population


def write_sample(file: Path, sample: Iterable[Drawn]) -> None:
    """A table for any spreadsheet; a file that exists is never touched, for it may hold somebody's work."""
    try:
        # The mark at the start tells spreadsheets that it is UTF-8.
        with file.open("x", encoding="utf-8-sig", errors="replace", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(Drawn._fields)
            writer.writerows([defused(cell) for cell in page] for page in sample)
    except FileExistsError as error:
        raise CrawlError(
            f"{file} exists and may hold labels; choose another file with --out, or move it away first."
        ) from error
    except OSError as error:
        raise CrawlError(f"{file} cannot be written: {error.strerror}.") from error


def read_opinions(files: Sequence[Path]) -> Opinions:
    """The labels of one or several files, by annotator.

    A label is that of the annotator its row names, or whom the other rows name, or else of somebody called as
    the file is; a label in a column called "label anna" is anna's.
    """
    opinions: dict[str, dict[str, Opinion | None]] = {}
    names = Counter(file.stem for file in files)
    for file in files:
        owner = file.stem if names[file.stem] == 1 else str(file)
        for line, url, annotator, label in _cells(file):
            said = SPELLINGS.get(label.lower())
            if label and said is None:
                raise ConfigError(
                    f"{file}, line {line}: {label!r} is no label; "
                    "labels are yes, no and unsure (or on and off, 1 and 0), empty for not yet."
                )
            theirs = opinions.setdefault(annotator or owner, {})
            before = theirs.get(url)
            if before and said and before is not said:
                raise ConfigError(
                    f"{file}, line {line}: {annotator or owner} says {said} of {url} and said {before} before."
                )
            theirs[url] = said or before
    return opinions


def verdicts(collection: Collection) -> dict[str, bool]:
    """What the judge said of every page that a sample may hold."""
    return {
        row["address_url"]: bool(row["relevant"]) for row in collection.visits() if not row["duplicate_of"]
    }


def _opening(text: str) -> str:
    words = " ".join(text[: 20 * LONGEST_SHOWN].split()[:WORDS_SHOWN])
    readable = "".join(character for character in words if character.isprintable())
    return readable if len(readable) <= LONGEST_SHOWN else readable[: LONGEST_SHOWN - 1] + "…"


def _cells(file: Path) -> Iterator[tuple[int, str, str, str]]:
    """Every cell for a label: its line, the page it is for, whose it is if the file says so, and what it says."""
    text = _decoded(file)
    head = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    try:
        columns = {(name or "").strip().lower(): name for name in rows.fieldnames or ()}
        labels = [name for name in columns if name.partition(" ")[0] == "label"]
        missing = [name for name, has in (("url", "url" in columns), ("label", labels)) if not has]
        if missing:
            raise ConfigError(
                f"{file}, line 1: there is no column {' and no column '.join(missing)}; "
                f"a sample has the columns {', '.join(Drawn._fields)}."
            )
        table = [
            (rows.line_num, {name: (row[column] or "").strip() for name, column in columns.items()})
            for row in rows
        ]
    except csv.Error as error:
        raise ConfigError(
            f"{file}, line {rows.line_num + 1}: this is not a table of a sample: {error}."
        ) from error
    named = {cells.get("annotator", "") for _, cells in table} - {""}
    usual = named.pop() if len(named) == 1 else ""
    for line, cells in table:
        for name in labels if cells["url"] else ():
            whose = columns[name].strip()[len("label") :].strip() or cells.get("annotator") or usual
            yield line, cells["url"], whose, cells[name]


def _decoded(file: Path) -> str:
    """Whatever a spreadsheet has made of a file: UTF-16, UTF-8, or the encoding of an older Windows."""
    try:
        data = file.read_bytes()
    except FileNotFoundError as error:
        raise ConfigError(f"There is no file {file}; draw a sample with: honeyguide sample draw.") from error
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.") from error
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
