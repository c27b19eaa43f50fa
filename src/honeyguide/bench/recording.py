"""A crawl made into a corpus: what it fetched, with labels: what its judge found on topic, or people."""

import codecs
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from honeyguide.assemble import load
from honeyguide.bench.corpus import LABELS
from honeyguide.bench.labels import Label, read_labels
from honeyguide.bench.sample import read_opinions
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.handcheck import Opinion
from honeyguide.opening import open_collection


class Recording(NamedTuple):
    """What was written."""

    files: int
    labels: int


def record_crawl(crawl: Path, out: Path, labels: Sequence[Path] = ()) -> Recording:
    """Copy a crawl's archive, as far as it is committed, into a new folder and write labels beside it.

    They are the judge's verdicts unless people's are given: labelled samples, or files of labels.
    """
    topic, _ = load(crawl)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} exists and is not an empty folder; choose another one.")
    with open_collection(crawl) as collection:
        ends = collection.connection.execute(
            "SELECT warc, MAX(warc_offset + warc_length) FROM visits WHERE warc != '' GROUP BY warc"
        ).fetchall()
        if not ends:
            raise CrawlError(f"{crawl} has fetched no page yet.")
        finals = {row["address_url"]: row["final"] or row["address_url"] for row in collection.visits()}
        found = [finals[row["address_url"]] for row in collection.visits(only_relevant=True)]
    name = " ".join(topic.name.split())
    told = by_hand(labels, name) if labels else [Label(url, name) for url in found]
    kept = list(dict.fromkeys(label._replace(url=finals.get(label.url, label.url)) for label in told))
    grouped = any(label.group for label in kept)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, end in ends:
            _copy(crawl / name, out / name, end)
        lines = ["\t".join(("url", "topic", "group")[: 2 + grouped])]
        lines += ["\t".join(label[: 2 + grouped]) for label in kept]
        (out / LABELS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{out} cannot be written: {error.strerror}.") from error
    return Recording(len(ends), len(kept))


def by_hand(files: Sequence[Path], topic: str) -> list[Label]:
    """What people say: files of labels as they are; of samples, the pages that more call on topic than off."""
    tables = [file for file in files if _is_labels(file)]
    said: dict[str, int] = {}
    for opinions in read_opinions([file for file in files if file not in tables]).values():
        for url, opinion in opinions.items():
            said[url] = said.get(url, 0) + (opinion is Opinion.YES) - (opinion is Opinion.NO)
    on_topic = [Label(url, topic) for url, balance in said.items() if balance > 0]
    return [label for file in tables for label in read_labels(file)] + on_topic


def _is_labels(file: Path) -> bool:
    """Whether a file is one of labels, which starts with the column url and a tab, not a sample."""
    try:
        with file.open("rb") as stream:
            return stream.read(8).removeprefix(codecs.BOM_UTF8).startswith(b"url\t")
    except OSError as error:
        raise ConfigError(f"The labels {file} cannot be read: {error.strerror}.") from error


def _copy(source: Path, target: Path, end: int) -> None:
    with source.open("rb") as reading, target.open("wb") as writing:
        shutil.copyfileobj(reading, writing, 1 << 20)
        writing.truncate(end)
