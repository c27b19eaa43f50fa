"""A topic written as TOML: a [topic] table, and beside it any table of settings."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from honeyguide.errors import ConfigError
from honeyguide.model import Topic

FIELDS = ("name", "keywords", "languages", "seeds", "description")

TEMPLATE = """\
# A topic for Honeyguide. Start the crawl with: honeyguide crawl {file}

[topic]
name = {name}
keywords = []                   # more words that pages on the topic use: ["Aedes aegypti", "haemorrhagic"]
languages = ["en"]              # pages in other languages are noted, not judged
seeds = [                       # pages to start from; a few good hubs are worth more than many leaves
    # "https://example.org/links-about-it",
]

[budget]                        # the crawl ends when the first of these is spent; 0 means no limit
pages = 1000
relevant = 0
seconds = 0

[strategy]
use = "best-first"              # honeyguide strategies lists them all
# by = "both"                   # page, anchor or both

[judge]
use = "cosine"                  # honeyguide judges lists them all
# threshold = 0.06              # pages that score more are on topic

[politeness]
delay = 1.0                     # seconds between two requests to one host

[scope]                         # leave empty to follow links anywhere
# domains = ["example.org"]
# exclude = ["/login", "/cart"]
"""


def template(name: str, file: Path) -> str:
    """A commented topic file to start from."""
    return TEMPLATE.format(name=json.dumps(name, ensure_ascii=False), file=file)


def read_tables(path: Path) -> dict[str, dict[str, Any]]:
    """The tables of a TOML file."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"There is no file {path}; honeyguide init writes one to start from.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error
    for key, value in tables.items():
        if not isinstance(value, dict):
            raise ConfigError(
                f"{path}: {key} stands outside any table; put it under [topic] or another table."
            )
    return tables


def read_topic_file(path: Path) -> tuple[Topic, dict[str, dict[str, Any]]]:
    """The topic in a TOML file, and the other tables of settings in it."""
    tables = read_tables(path)
    if "topic" not in tables:
        raise ConfigError(f'{path} has no [topic] table; it needs at least: [topic] and name = "...".')
    return topic_from_table(tables.pop("topic"), str(path)), tables


def topic_from_table(table: Mapping[str, Any], where: str) -> Topic:
    """A topic from a table of plain values."""
    unknown = set(table) - set(FIELDS)
    if unknown:
        raise ConfigError(
            f"{where}: [topic] has no key {', '.join(sorted(unknown))}; the keys are {', '.join(FIELDS)}."
        )
    name = table.get("name", "")
    if not isinstance(name, str) or not name.strip():
        raise ConfigError(f"{where}: [topic] needs a name, in a few words.")
    lists = {}
    for key in ("keywords", "languages", "seeds"):
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ConfigError(f'{where}: [topic] {key} must be a list of texts, such as ["one", "two"].')
        lists[key] = tuple(value)
    return Topic(name=name.strip(), description=str(table.get("description", "")), **lists)


def topic_to_table(topic: Topic) -> dict[str, Any]:
    """The same topic as a table of plain values."""
    return {field: _plain(getattr(topic, field)) for field in FIELDS}


def _plain(value: str | tuple[str, ...]) -> str | list[str]:
    return value if isinstance(value, str) else list(value)
