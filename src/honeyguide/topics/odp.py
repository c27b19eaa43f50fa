"""Branches of the Open Directory (ODP, DMOZ, Curlie), read from the dumps of the whole of it.

content.rdf.u8 lists pages, structure.rdf.u8 categories; both are XML in name only: broken UTF-8, control
characters, bare ampersands, lines without end. A strict parser stops at the first of them, and is slow behind a
reader that mends them. But only the pages of a handful of categories are wanted, so the file is searched as
bytes, block after block, for their names, and only what surrounds a hit is read as text, with never more than
two blocks in memory.
"""

import difflib
import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from isal import igzip, isal_zlib

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Level

BLOCK = 1 << 23
LONGEST_ENTRY = 1 << 22
"""Bytes within which an entry must end."""

HEAD = 1 << 16
"""Bytes within which a dump must show that it is one."""

ROOT = "Top"
_DAMAGED: tuple[type[Exception], ...] = (OSError, EOFError, isal_zlib.error)  # type: ignore[assignment]
_PAGE, _PAGE_END = b"<ExternalPage", b"</ExternalPage>"
_CATEGORY = re.compile(rb'<Topic\s+(?:r:id|r:about|about)="([^"\n]{1,2000})"')
_ADDRESS = re.compile(rb'\babout="([^"]*)"')
_TITLE = re.compile(rb"<d:Title>(.*?)</d:Title>", re.DOTALL)
_DESCRIPTION = re.compile(rb"<d:Description>(.*?)</d:Description>", re.DOTALL)
_MARKUP_OR_CONTROL = re.compile(r"<[^<>]{1,200}>|[\x00-\x20\x7f-\x9f]+")


class Block(NamedTuple):
    """A part of a dump that starts at this byte of it (unpacked) and does not cut an entry in two."""

    start: int
    data: bytes


def read_branch(
    content: Path,
    branch: str,
    *,
    per_level: int = 50,
    below: bool = False,
    progress: Callable[[int, int], None] = lambda done, size: None,
) -> tuple[Level, ...]:
    """The levels of a branch such as Top/Science/Biology, the last category first, from a dump of pages.

    Each level has up to `per_level` of the pages listed under its category itself, the first in the dump; with
    `below`, those of its sub-categories count as the first level's too. A level may have none. `progress` is
    told the bytes of the file read so far, and their number.
    """
    if per_level < 1:
        raise ConfigError(f"A level needs at least one page, not {per_level}.")
    parts = [part for part in branch.strip().replace(" ", "_").split("/") if part]
    parts = parts if parts[:1] == [ROOT] else [ROOT, *parts]
    if len(parts) < 2:
        raise ConfigError(
            f"{branch!r} names no branch; one looks like {ROOT}/Science/Biology/Bioinformatics."
        )
    paths = ["/".join(parts[:size]) for size in range(len(parts), 1, -1)]
    levels: dict[bytes, list[Example]] = {_written(path): [] for path in paths}
    target = _written(paths[0])
    # A category's name is followed by the end of its tag, or by a slash where those below count too.
    names = b"|".join(re.escape(name) for name in levels) + (
        b"|" + re.escape(target) + b"/[^<]*" if below else b""
    )
    wanted = re.compile(rb"<topic>\s*(" + names + rb")\s*</topic>")
    exists = False
    for block in _blocks(content, progress):
        exists = exists or b'"' + target + b'"' in block.data
        for hit in wanted.finditer(block.data):
            found = levels.get(hit[1])
            found = levels[target] if found is None else found
            if len(found) < per_level:
                found.append(_example(_entry(block, hit, content)))
        if all(len(found) >= per_level for found in levels.values()):
            break
    if not exists and not levels[target]:
        raise ConfigError(_no_such(content, paths[0]))
    return tuple(
        Level(path.rpartition("/")[2].replace("_", " "), tuple(found))
        for path, found in zip(paths, levels.values(), strict=True)
    )


def list_branches(
    dump: Path,
    prefix: str = ROOT,
    *,
    progress: Callable[[int, int], None] = lambda done, size: None,
) -> Iterator[str]:
    """The categories of a dump, of pages or of structure, whose path starts with this, in the dump's order."""
    start = _written(prefix)
    for block in _blocks(dump, progress):
        for hit in _CATEGORY.finditer(block.data):
            if hit[1].startswith(start):
                yield _text(hit[1])


def levels_to_toml(levels: Sequence[Level]) -> str:
    """The levels as [[topic.level]] tables of a topic file, the topic's own first."""
    lines = []
    for level in levels:
        lines += ["[[topic.level]]", f"name = {_quoted(level.name)}", "examples = ["]
        for example in level.examples:
            fields = {"text": example.text, "title": example.title, "url": example.url}
            lines.append(
                f"    {{ {', '.join(f'{key} = {_quoted(text)}' for key, text in fields.items())} }},"
            )
        lines += ["]", ""]
    return "\n".join(lines)


def _blocks(path: Path, progress: Callable[[int, int], None]) -> Iterator[Block]:
    """The dump in blocks; refuses what is no dump, or not all of one."""
    start, rest, ended = 0, b"", b""
    try:
        size = path.stat().st_size
        with path.open("rb") as file, _unpacked(file) as source:
            while fresh := source.read(BLOCK):
                data = rest + fresh
                if start == 0 and not ended and b"<RDF" not in data[:HEAD]:
                    raise ConfigError(
                        f"{path} is no dump of a directory: <RDF does not stand in its first lines."
                    )
                ended = data[-HEAD:]
                cut = _end_of_entries(data, start, path)
                yield Block(start, data[:cut])
                start, rest = start + cut, data[cut:]
                progress(file.tell(), size)
            if not ended:
                raise ConfigError(f"{path} is empty.")
            if b"</RDF>" not in ended:
                raise ConfigError(
                    f"{path} was cut short: it ends at byte {start + len(rest)} without </RDF>."
                )
            yield Block(start, rest)
    except FileNotFoundError as error:
        raise ConfigError(f"There is no file {path}.") from error
    except _DAMAGED as error:
        raise ConfigError(f"{path} cannot be read after byte {start + len(rest)}: {_said(error)}.") from error


def _unpacked(file: IO[bytes]) -> IO[bytes]:
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    return igzip.GzipFile(fileobj=file) if packed else file


def _end_of_entries(data: bytes, start: int, path: Path) -> int:
    """Where the last whole entry ends; what comes after waits for the next block."""
    end = data.rfind(_PAGE_END)
    if end >= 0:
        return end + len(_PAGE_END)
    opened = data.find(_PAGE)
    if opened < 0:
        # No pages here, so any line's end will do; failing that, no name is as long as what is kept.
        return data.rfind(b"\n") + 1 or max(0, len(data) - HEAD)
    if len(data) - opened > LONGEST_ENTRY:
        raise ConfigError(f"{path}, line {_line_at(path, start + opened)}: <ExternalPage> has no end.")
    return opened


def _entry(block: Block, hit: re.Match[bytes], path: Path) -> bytes:
    """The page that a category's name stands in."""
    start = block.data.rfind(_PAGE, 0, hit.start())
    end = block.data.find(_PAGE_END, hit.end())
    whole = start >= 0 and end >= 0
    if not whole or _PAGE_END in block.data[start : hit.start()] or _PAGE in block.data[hit.end() : end]:
        line = _line_at(path, block.start + hit.start())
        raise ConfigError(
            f"{path}, line {line}: <topic> stands in no whole <ExternalPage>; the dump is damaged."
        )
    entry = block.data[start:end]
    if not _ADDRESS.search(entry, 0, entry.find(b">") + 1):
        raise ConfigError(
            f"{path}, line {_line_at(path, block.start + start)}: <ExternalPage> has no address."
        )
    return entry


def _example(entry: bytes) -> Example:
    address, title, description = (
        _text(found[1]) if (found := pattern.search(entry)) else ""
        for pattern in (_ADDRESS, _TITLE, _DESCRIPTION)
    )
    return Example(
        f"{title}. {description}" if title and description else title or description, title, address
    )


def _text(raw: bytes) -> str:
    """What bytes of a dump say; html.unescape leaves an ampersand that starts no entity alone."""
    return _MARKUP_OR_CONTROL.sub(" ", html.unescape(raw.decode("utf-8", "replace"))).strip()


def _written(path: str) -> bytes:
    try:
        return html.escape(path, quote=False).encode()
    except UnicodeEncodeError as error:
        raise ConfigError(f"{path!a} is no category: it holds half a character.") from error


def _no_such(dump: Path, path: str) -> str:
    """A sentence for a branch that does not exist, with names that come near."""
    parent, _, name = path.rpartition("/")
    near = {
        other: None
        for other in list_branches(dump)
        if other.endswith(f"/{name}")
        or (other.startswith(f"{parent}/") and other.count("/") == path.count("/"))
    }
    by_name = difflib.get_close_matches(path, near, 3, 0.5)
    perhaps = f"; did you mean {' or '.join(by_name)}?" if by_name else "."
    return f"{dump} has no category {path}{perhaps}"


def _line_at(path: Path, byte: int) -> int:
    """The line in which a byte stands; counted again from the start, because only a complaint asks for it."""
    with path.open("rb") as file, _unpacked(file) as source:
        lines, left = 1, byte
        while left > 0 and (data := source.read(min(BLOCK, left))):
            lines += data.count(b"\n")
            left -= len(data)
    return lines


def _said(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(reason).rstrip(".")


def _quoted(text: str) -> str:
    # JSON's spelling of a text is TOML's too, but for one character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
