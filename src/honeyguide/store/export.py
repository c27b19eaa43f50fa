"""A collection in the formats other tools read."""

import csv
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from honeyguide.errors import ConfigError
from honeyguide.store.collection import COLUMNS, Collection
from honeyguide.store.warc import Place, info_member, read_member

ROWS_PER_GROUP = 1000


def to_jsonl(collection: Collection, path: Path, only_relevant: bool) -> int:
    """One JSON object per line, with the page's own text."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in collection.rows(only_relevant=only_relevant):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def to_csv(collection: Collection, path: Path, only_relevant: bool) -> int:
    """A table for spreadsheets; cells that a spreadsheet would run as a formula are defused."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in collection.rows(only_relevant=only_relevant):
            writer.writerow({key: defused(value) for key, value in row.items()})
            count += 1
    return count


def to_parquet(collection: Collection, path: Path, only_relevant: bool) -> int:
    """A columnar table for data frames."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ConfigError(
            "Parquet needs pyarrow, which is not installed; install it with: pip install 'honeyguide[parquet]'"
        ) from error
    kinds = {"relevant": pa.bool_(), "relevance": pa.float64(), "queue_score": pa.float64()}
    kinds |= dict.fromkeys(("status", "words", "depth", "warc_offset"), pa.int64())
    schema = pa.schema([(column, kinds.get(column, pa.string())) for column in COLUMNS])
    rows = collection.rows(only_relevant=only_relevant)
    count = 0
    with pq.ParquetWriter(path, schema) as writer:
        while group := list(islice(rows, ROWS_PER_GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema))
            count += len(group)
    return count


def to_warc(collection: Collection, path: Path, only_relevant: bool) -> int:
    """One WARC file with the records as they were archived, byte for byte."""
    count = 0
    with path.open("wb") as file:
        file.write(info_member(path.name))
        for place in _places(collection, only_relevant):
            file.write(read_member(collection.folder, place))
            count += 1
    return count


def _places(collection: Collection, only_relevant: bool) -> Iterator[Place]:
    for row in collection.visits(only_relevant=only_relevant):
        if row["warc"]:
            yield Place(row["warc"], row["warc_offset"], row["warc_length"])


def defused(value: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


FORMATS: dict[str, tuple[str, Callable[[Collection, Path, bool], int]]] = {
    "jsonl": (".jsonl", to_jsonl),
    "csv": (".csv", to_csv),
    "parquet": (".parquet", to_parquet),
    "warc": (".warc.gz", to_warc),
}
"""Every format by name: the usual ending of a file in it, and what writes one."""
