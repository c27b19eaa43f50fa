"""Seeds from files that exist already: a list of URLs, or the pages of a WARC."""

import os
from collections.abc import Iterator
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from honeyguide.errors import ConfigError
from honeyguide.urls import canonical

WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")


def valid_seed(url: str) -> str:
    """A seed in canonical form."""
    address = canonical(url.strip()) or (canonical("https://" + url.strip()) if "://" not in url else None)
    if address is None:
        raise ConfigError(f"{url!r} is not a web address; a seed looks like https://example.org/page.")
    return address


def read_seeds(path: Path) -> Iterator[str]:
    """The URLs in a file; in a list, blank lines and lines that start with # do not count."""
    if not os.path.isfile(path):
        raise ConfigError(f"There is no file {path} to read seeds from.")
    if path.name.endswith(WARC_ENDINGS):
        yield from _pages_of_warc(path)
        return
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                if (url := line.strip()) and not url.startswith("#"):
                    yield url
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is neither a WARC nor a list of URLs in UTF-8.") from error


def _pages_of_warc(path: Path) -> Iterator[str]:
    try:
        yield from _answers_of(path)
    except (OSError, ValueError, RuntimeError) as error:
        raise ConfigError(f"{path} cannot be read as a WARC: {error}.") from error


def _answers_of(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            status = record.http_headers.status_code if record.http_headers else 0
            url = record.headers.get("WARC-Target-URI") or ""
            if status == 200 and url.startswith(("http://", "https://")):
                yield url
