"""A protocol of one's own, in a TOML file: protocol W with other numbers, labels, topics and seeds.

[protocol]
labels = "labels.tsv"         # beside this file; default: the corpus's own
settings = ["near", "far"]    # and "given" for topics that name their seeds below
topics = []                   # default: every label with enough pages
smallest = 20                 # pages a topic must have
examples = 5
background = 200
seeds = 3
pages = 1000                  # the budget; 0: until nothing is left

[topics."Science/Biology/Birds"]
name = "birds"                # default: the words of the label's last part
keywords = ["plumage", "nest"]
seeds = ["http://zoo.example/"]
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honeyguide.bench import protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.protocol_w import Design, Told
from honeyguide.bench.task import Task
from honeyguide.config import construct
from honeyguide.errors import ConfigError


@dataclass(frozen=True, slots=True)
class ProtocolFile:
    """What a protocol file says."""

    design: Design
    settings: tuple[str, ...]
    topics: tuple[str, ...]
    labels: Path | None

    def tasks(
        self,
        corpus: Corpus,
        *,
        settings: Sequence[str] | None = None,
        topics: Sequence[str] | None = None,
        pages: int | None = None,
        examples: int | None = None,
    ) -> list[Task]:
        """The tasks of the protocol; what is given here goes before what the file says."""
        return protocol_w.tasks(
            corpus,
            settings=self.settings if settings is None else settings,
            topics=(self.topics or None) if topics is None else topics,
            pages=pages,
            examples=examples,
            design=self.design,
        )


def read_protocol(path: Path) -> ProtocolFile:
    """A protocol from its file."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The protocol {path} cannot be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error
    if strange := sorted(set(tables) - {"protocol", "topics"}):
        raise ConfigError(
            f"{path} has no place for {strange[0]}; its tables are [protocol] and [topics.NAME]."
        )
    told = {
        topic: construct(Told, _table(table, path, f"topics.{topic}"), name=f"topics.{topic}")
        for topic, table in _table(tables.get("topics", {}), path, "topics").items()
    }

    def protocol(
        *,
        labels: str = "",
        settings: tuple[str, ...] = protocol_w.SETTINGS,
        topics: tuple[str, ...] = (),
        smallest: int = Design.smallest,
        examples: int = Design.examples,
        background: int = Design.background,
        seeds: int = Design.seeds,
        pages: int = Design.pages,
    ) -> ProtocolFile:
        design = Design(smallest, examples, background, seeds, pages, path.stem, told)
        return ProtocolFile(design, settings, topics, path.parent / labels if labels else None)

    return construct(protocol, _table(tables.get("protocol", {}), path, "protocol"), name="protocol")


def _table(value: Any, path: Path, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{path}: {name} must be a table.")
    return value
