"""A topic written as TOML: a [topic] table, and beside it any table of settings.

Whatever is long may lie in files of its own; their paths start from the folder of the topic file.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from honeyguide.config import quoted
from honeyguide.errors import ConfigError
from honeyguide.model import Concept, Example, Level, Step, Term, Topic
from honeyguide.topics.branch import levels_from_tables, read_branch
from honeyguide.topics.examples import LONGEST_NAME, read_examples
from honeyguide.topics.files import brief, read_text
from honeyguide.topics.places import Source
from honeyguide.topics.session import read_session, session_from_tables
from honeyguide.topics.vocabulary import (
    read_vocabulary,
    sound,
    vocabulary_from_table,
    vocabulary_from_tables,
)

TEXTS = ("name", "description")
LISTS = ("keywords", "languages", "seeds", "rules", "reject", "require")
EXAMPLES = ("examples", "off_topic", "background", "corpus")
KEYS = (*TEXTS, *LISTS, *EXAMPLES, "vocabulary", "branch", "level", "ontology", "session")
WORDNET = "wordnet"

TEMPLATE = """\
# A topic for Honeyguide. Start the crawl with: honeyguide crawl {file}

[topic]
name = {name}
keywords = []                   # more words that pages on the topic use: ["Aedes aegypti", "haemorrhagic"]
languages = ["en"]              # pages in other languages are noted, not judged
seeds = [                       # pages to start from; a few good hubs are worth more than many leaves
    # "https://example.org/links-about-it",
]
# examples = ["https://example.org/good", "pages/*.html", {{text = "Pasted text."}}]   # pages on the topic
# off_topic = ["https://example.org/looks-like-it"]      # pages that look on topic and are not
# vocabulary = {{"dengue fever" = 50, "mosquito*" = 10, "malaria" = -20}}               # or "terms.txt"
# rules = ["News counts, shops do not."]                 # sentences for whoever labels pages
# reject = ["add to cart"]      # a page that says one of these is not on topic
# require = ["dengue"]          # nor is one that says none of these
# branch = "branch"             # folders in folders, as in a web directory: Science/Biology/...
# ontology = "terms.obo"        # or SKOS or TSV; without the line it is WordNet
# session = "session.txt"       # pages in the order you saw them, each marked + or -
# background = ["other/"]       # pages presumed off topic; corpus = [...] is text of any kind

[budget]                        # the crawl ends when the first of these is spent; 0 means no limit
pages = 1000
relevant = 0
seconds = 0

[strategy]
use = "best-first"              # honeyguide strategies lists them all
# by = "both"                   # page, anchor or both

[judge]
use = "blend"                   # honeyguide judges lists them all
# threshold = 0.2               # pages more probable than this to be on topic are

[politeness]
delay = 1.0                     # seconds between two requests to one host

[scope]                         # leave empty to follow links anywhere
# domains = ["example.org"]
# exclude = ["/login", "/cart"]
"""


def template(name: str, file: Path) -> str:
    """A commented topic file to start from."""
    if not name.strip():
        raise ConfigError("A topic needs a name, in a few words.")
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise ConfigError(f"The name {name!a} holds half a character, which no file can.") from error
    # The file is named in a remark, which ends with its line and holds no control characters.
    shown = "".join(letter if letter.isprintable() else "?" for letter in str(file))
    return TEMPLATE.format(name=quoted(name), file=shown)


def read_tables(path: Path) -> dict[str, dict[str, Any]]:
    """The tables of a TOML file."""
    return _parse(path, _text_of(path))


def read_topic_file(path: Path) -> tuple[Topic, dict[str, dict[str, Any]]]:
    """The topic in a TOML file, and the other tables of settings in it."""
    text = _text_of(path)
    tables = _parse(path, text)
    if "topic" not in tables:
        raise ConfigError(f'{path} has no [topic] table; it needs at least: [topic] and name = "...".')
    return topic_from_table(tables.pop("topic"), Source(path, text)), tables


def topic_from_table(table: Mapping[str, Any], source: Source) -> Topic:
    """A topic from a table of plain values."""
    for key in table:
        if key not in KEYS:
            raise ConfigError(f"{source.at(key)}: [topic] has no key {key}; the keys are: {', '.join(KEYS)}.")
    for key in TEXTS:
        if not isinstance(table.get(key, ""), str):
            raise ConfigError(f"{source.at(key)}: [topic] {key} must be a text, not {brief(table[key])}.")
    if not table.get("name", "").strip():
        raise ConfigError(f"{source.at('name')}: [topic] needs a name, in a few words.")
    lists: dict[str, Any] = {key: tuple(_texts(table, key, source)) for key in LISTS}
    examples: dict[str, Any] = {key: tuple(_examples(table, key, source)) for key in EXAMPLES}
    for key in ("reject", "require"):
        for text in lists[key]:
            sound(Term(text), source.at(key, text))
    return Topic(
        name=table["name"],
        description=table.get("description", ""),
        **lists,
        **examples,
        vocabulary=tuple(_vocabulary(table, source)),
        branch=tuple(_branch(table, source)),
        ontology=_ontology(table, lists["languages"], source),
        session=tuple(_session(table, source)),
    )


def _text_of(path: Path) -> str:
    if not os.path.exists(path):
        raise ConfigError(f"There is no file {path}; honeyguide init writes one to start from.")
    return read_text(path)


def _parse(path: Path, text: str) -> dict[str, dict[str, Any]]:
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error
    for key, value in tables.items():
        if not isinstance(value, dict):
            raise ConfigError(
                f"{path}: {key} stands outside any table; put it under [topic] or another table."
            )
    return tables


def _texts(table: Mapping[str, Any], key: str, source: Source) -> list[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f'{source.at(key)}: [topic] {key} must be a list of texts, such as ["one", "two"].')
    return value


def _examples(table: Mapping[str, Any], key: str, source: Source) -> Iterator[Example]:
    value = table.get(key, [])
    if not isinstance(value, list):
        raise ConfigError(
            f"{source.at(key)}: [topic] {key} must be a list of web addresses, files and texts, "
            f'such as ["https://example.org/page", "pages/*.html", {{text = "..."}}].'
        )
    for entry in value:
        yield from read_examples([entry], source.path.parent, source.at(key, _shown(entry)))


def _shown(entry: object) -> object:
    """The text by which an entry of a list can be found in the file."""
    return next(iter(entry.values()), None) if isinstance(entry, Mapping) else entry


def _vocabulary(table: Mapping[str, Any], source: Source) -> Iterator[Term]:
    value = table.get("vocabulary", [])
    if isinstance(value, str):
        yield from read_vocabulary(_path(value, "vocabulary", source))
    elif isinstance(value, Mapping):
        for term, weight in value.items():
            yield from vocabulary_from_table({term: weight}, source.at("vocabulary", term))
    elif isinstance(value, list):
        yield from vocabulary_from_tables(value, source.at("vocabulary"))
    else:
        raise ConfigError(
            f"{source.at('vocabulary')}: [topic] vocabulary must be a file or a table of weights, "
            f'such as {{"dengue fever" = 50, "malaria" = -20}}.'
        )


def _branch(table: Mapping[str, Any], source: Source) -> Iterator[Level]:
    folder, levels = table.get("branch"), table.get("level", [])
    if folder is not None and levels:
        raise ConfigError(f"{source.at('branch')}: [topic] has a branch and levels; one of the two will do.")
    if folder is not None:
        if not isinstance(folder, str):
            raise ConfigError(f"{source.at('branch')}: [topic] branch must be a folder, not {brief(folder)}.")
        yield from read_branch(source.path.parent / os.path.expanduser(folder), source.at("branch"))
    elif not isinstance(levels, list):
        raise ConfigError(f"{source.at('level')}: write levels as [[topic.level]], the topic's own first.")
    else:
        for number, level in enumerate(levels):
            yield from levels_from_tables([level], source.at("level", nth=number), source.path.parent)


def _ontology(table: Mapping[str, Any], languages: tuple[str, ...], source: Source) -> tuple[Concept, ...]:
    value = table.get("ontology", WORDNET)
    if value == WORDNET:
        return ()
    if not isinstance(value, str):
        raise ConfigError(f'{source.at("ontology")}: [topic] ontology must be a file or "{WORDNET}".')
    path = _path(value, "ontology", source)
    from honeyguide.topics.ontology import read_ontology

    return read_ontology(path, languages=languages or ("en",))


def _session(table: Mapping[str, Any], source: Source) -> Iterator[Step]:
    value = table.get("session", [])
    if isinstance(value, str):
        path = _path(value, "session", source)
        steps = list(read_session(path))
        if not steps:
            raise ConfigError(f"{source.at('session')}: the session {path} is empty.")
        yield from steps
    elif isinstance(value, list):
        yield from session_from_tables(value, source.at("session"), source.path.parent)
    else:
        raise ConfigError(
            f"{source.at('session')}: [topic] session must be a file or a list of tables, "
            f'such as [{{url = "https://...", relevant = true}}].'
        )


def _path(value: str, key: str, source: Source) -> Path:
    path = source.path.parent / os.path.expanduser(value)
    if not os.path.isfile(path):
        missing = brief(value) if len(value) > LONGEST_NAME or "\n" in value else path
        raise ConfigError(f"{source.at(key, value)}: there is no file {missing}.")
    return path
