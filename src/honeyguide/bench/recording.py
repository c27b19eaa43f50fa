"""A crawl made into a corpus: what it fetched, and what its judge found on topic as labels."""

import shutil
from pathlib import Path
from typing import NamedTuple

from honeyguide.assemble import load, open_collection
from honeyguide.bench.corpus import LABELS
from honeyguide.errors import ConfigError, CrawlError


class Recording(NamedTuple):
    """What was written."""

    files: int
    labels: int


def record_crawl(crawl: Path, out: Path) -> Recording:
    """Copy a crawl's archive, as far as it is committed, into a new folder and write labels beside it."""
    topic, _ = load(crawl)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} exists and is not an empty folder; choose another one.")
    with open_collection(crawl) as collection:
        ends = collection.connection.execute(
            "SELECT warc, MAX(warc_offset + warc_length) FROM visits WHERE warc != '' GROUP BY warc"
        ).fetchall()
        if not ends:
            raise CrawlError(f"{crawl} has fetched no page yet.")
        urls = dict.fromkeys(
            row["final"] or row["address_url"] for row in collection.visits(only_relevant=True)
        )
    label = " ".join(topic.name.split())
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, end in ends:
            _copy(crawl / name, out / name, end)
        lines = ["url\ttopic", *(f"{url}\t{label}" for url in urls)]
        (out / LABELS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{out} cannot be written: {error.strerror}.") from error
    return Recording(len(ends), len(urls))


def _copy(source: Path, target: Path, end: int) -> None:
    with source.open("rb") as reading, target.open("wb") as writing:
        shutil.copyfileobj(reading, writing, 1 << 20)
        writing.truncate(end)
