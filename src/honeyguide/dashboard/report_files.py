"""The bench reports that lie beneath a folder: found by their name and their title, never trusted."""

import base64
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from stat import S_ISREG
from zlib import crc32

from honeyguide.errors import CrawlError

FILE = "report.html"
TITLE = b"<title>Honeyguide bench report</title>"
HEAD = 1 << 16
LARGEST = 64 << 20
DEEPEST = 5
MOST_FOLDERS = 20_000
MOST_REPORTS = 500
MOST_SCRIPTS = 10
MOST_FACTS = 10
LONGEST_FACT = 300
SKIPPED = frozenset({"figures", "search", "dashboard", "topic", "node_modules"})

_not_plain = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report: its name in addresses, the folder it lies in as seen from the root, and when it was written."""

    name: str
    folder: str
    file: Path
    at: float
    size: int

    @property
    def number(self) -> int:
        """A number for it in addresses of the other origin."""
        return crc32(self.folder.encode("utf-8", "surrogateescape"))

    def facts(self) -> list[tuple[str, str]]:
        """What the report says it is about, from the tables beside it."""
        try:
            with (self.file.parent / "report.md").open("rb") as stream:
                lines = stream.read(HEAD).decode("utf-8", "replace").splitlines()
        except OSError:
            return []
        told = (line[2:].partition(": ") for line in lines[:40] if line.startswith("- "))
        return [(name[:60], value.replace("\\", "")[:LONGEST_FACT]) for name, colon, value in told if colon][
            :MOST_FACTS
        ]

    def read(self) -> bytes:
        """The page itself."""
        try:
            with self.file.open("rb") as stream:
                return stream.read(LARGEST)
        except OSError as error:
            raise CrawlError(f"The report in {self.folder} cannot be read ({error.strerror}).") from error


def find_reports(root: Path) -> list[ReportFile]:
    """The reports beneath a folder, the newest first."""
    found: list[ReportFile] = []
    names: set[str] = set()
    for folder in sorted(_folders(root)):
        file = folder / FILE
        if len(found) >= MOST_REPORTS or not (written := _is_report(file)):
            continue
        inside = folder.relative_to(root).as_posix()
        plain = _not_plain.sub("-", inside).strip("-.") or "report"
        name, number = plain[:100], 2
        while name in names:
            name, number = f"{plain[:100]}-{number}", number + 1
        names.add(name)
        found.append(ReportFile(name, inside, file, written.st_mtime, written.st_size))
    return sorted(found, key=lambda report: (-report.at, report.name))


def script_hashes(page: bytes) -> list[str]:
    """What a content security policy calls the scripts that stand in a page itself."""
    scripts = _Scripts()
    scripts.feed(page.decode("utf-8", "replace"))
    scripts.close()
    return [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in scripts.texts[:MOST_SCRIPTS]
    ]


class _Scripts(HTMLParser):
    """Gathers the texts of scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.texts: list[str] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self._open = True
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._open = False


def _folders(root: Path) -> Iterator[Path]:
    """The folder and those beneath it, but no links to others, nor what cannot hold a report."""
    waiting = [(root, 0)]
    seen = 0
    while waiting and seen < MOST_FOLDERS:
        folder, depth = waiting.pop()
        seen += 1
        yield folder
        if depth == DEEPEST:
            continue
        try:
            with os.scandir(folder) as entries:
                waiting += [
                    (Path(entry.path), depth + 1)
                    for entry in entries
                    if entry.is_dir(follow_symlinks=False)
                    and entry.name not in SKIPPED
                    and not entry.name.startswith(".")
                ]
        except OSError:
            continue


def _is_report(file: Path) -> os.stat_result | None:
    try:
        written = file.lstat()
        if not S_ISREG(written.st_mode) or written.st_size > LARGEST:
            return None
        with file.open("rb") as stream:
            return written if TITLE in stream.read(HEAD) else None
    except OSError:
        return None
