"""A corpus: a recorded web with labels, opened once for any number of crawls."""

import hashlib
import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from honeyguide.bench.labels import Label as Label
from honeyguide.bench.labels import read_labels as read_labels
from honeyguide.bench.parsed import Parsed, ParsedPages, Progress, parsed_pages
from honeyguide.errors import ConfigError
from honeyguide.fetch.archives import address_of, find_archives
from honeyguide.fetch.offline import OfflineFetcher, OfflineWeb
from honeyguide.model import Page
from honeyguide.roles import Parser

LABELS = "labels.tsv"


class Corpus:
    """A recorded web with its labels and its pages, parsed; nothing in it changes.

    `redirects` are the addresses that lead to pages, each with the next address on the way. `digest` stands
    for the archives and the labels. `reopen` opens the same corpus in another process.
    """

    def __init__(
        self,
        folder: Path,
        *,
        web: OfflineWeb,
        labels: tuple[Label, ...],
        parsed: Parsed,
        digest: str,
        reopen: Callable[[], "Corpus"],
    ) -> None:
        self.folder = folder
        self.web = web
        self.labels = labels
        self.digest = digest
        self.reopen = reopen
        self.pages: Mapping[str, Page] = parsed.pages
        self.failures: Mapping[str, tuple[str, str]] = parsed.failures
        self.redirects: Mapping[str, str] = {
            url: target for url, target in web.redirects.items() if web.final(url)
        }
        self._parser = ParsedPages(parsed)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        labels: Path | None = None,
        cache: Path | None = None,
        on_progress: Progress | None = None,
    ) -> "Corpus":
        """Open a folder of WARC files, or one of them; labels are those beside them unless others are given.

        The first time all pages are parsed, and kept in `cache`; `on_progress` is told how many of how many.
        """
        archives = find_archives(folder)
        beside = folder / LABELS
        if labels is None and beside.is_file():
            labels = beside
        read = read_labels(labels) if labels else ()
        cache = cache or default_cache()
        digests = _digests([*archives, *([labels] if labels else [])], cache)
        web = OfflineWeb.open(archives)
        parsed = parsed_pages(
            web, digest=_together(digests[: len(archives)]), cache=cache, on_progress=on_progress
        )
        return cls(
            folder,
            web=web,
            labels=read,
            parsed=parsed,
            digest=_together(digests),
            reopen=partial(cls.open, folder, labels=labels, cache=cache),
        )

    def canonical(self, url: str) -> str:
        """The address in the web that a URL, as someone spells it, stands for; "" when it is not there."""
        address = address_of(url)
        return address if self.web.status(address) else ""

    def fetcher(
        self, within: Collection[str] | None = None, check_hop: Callable[[str, str], None] | None = None
    ) -> OfflineFetcher:
        """Answers without bodies, for `parser` to make pages of."""
        return OfflineFetcher(self.web, within=within, check_hop=check_hop, bodies=False)

    def parser(self) -> Parser:
        """Knows every page already."""
        return self._parser

    def inside(self, url: str) -> tuple[str, ...]:
        """The other pages of the corpus that a page links to, redirects followed, each once."""
        page = self.pages.get(url)
        found = dict.fromkeys(self.web.final(link.url) for link in page.links) if page else {}
        return tuple(target for target in found if target in self.pages and target != url)


def default_cache() -> Path:
    """Where parsed pages are kept unless told otherwise."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "honeyguide" / "corpora"


def _digests(paths: Sequence[Path], cache: Path) -> list[str]:
    """The digest of each file; known ones are not read again while their size and time stay the same."""
    ledger = cache / "digests.json"
    known: dict[str, list[object]] = {}
    with suppress(OSError, ValueError, TypeError):
        known = dict(json.loads(ledger.read_text(encoding="utf-8")))
    digests = []
    for path in paths:
        try:
            state = path.stat()
            mark = [state.st_size, state.st_mtime_ns]
            entry = known.get(str(path.absolute()))
            if not (isinstance(entry, list) and entry[:2] == mark and len(entry) == 3):
                with path.open("rb") as file:
                    entry = [*mark, hashlib.file_digest(file, "sha256").hexdigest()]
                known[str(path.absolute())] = entry
        except OSError as error:
            raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
        digests.append(str(entry[2]))
    with suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
        unfinished = ledger.with_suffix(f".{os.getpid()}")
        unfinished.write_text(json.dumps(known), encoding="utf-8")
        unfinished.replace(ledger)
    return digests


def _together(digests: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()
