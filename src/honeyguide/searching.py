"""Searching a collection, from the command line, from Python or behind a web page.

>>> from honeyguide import SearchEngine
>>> engine = SearchEngine("crawls/dengue-fever")
>>> for hit in engine.search('"aedes aegypti" relevant:yes', limit=5).hits:
...     print(hit.rank, hit.title, hit.url)
"""

import csv
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO

from honeyguide.errors import ConfigError
from honeyguide.opening import make_ranking, open_collection, open_index, update_index
from honeyguide.search.failures import DamagedIndex
from honeyguide.search.index import Index
from honeyguide.search.ranking import Ranking
from honeyguide.search.results import COLUMNS, Request, Results
from honeyguide.search.saved import SavedSearches
from honeyguide.search.sort import Sort
from honeyguide.store.export import defused
from honeyguide.store.folder import SEARCH
from honeyguide.store.index_source import IndexSource

LOG = logging.getLogger("honeyguide")
ENDINGS = (".csv", ".jsonl")


class SearchEngine:
    """Searches the pages of one crawl, which may still be running; `refresh` takes in what is new."""

    def __init__(self, folder: Path | str, *, refresh: bool = True, ranking: Ranking | None = None) -> None:
        self.folder = Path(folder)
        self.index: Index = open_index(self.folder, log=LOG)
        self.ranking = ranking or make_ranking(self.folder)
        if refresh:
            self.refresh()

    def behind(self) -> int:
        """How many visits of the crawl are not indexed yet."""
        with open_collection(self.folder) as collection:
            return max(0, IndexSource(collection).last() - self.index.visit)

    def refresh(self, *, stop: Callable[[], bool] = lambda: False) -> bool:
        """Index what is new; False if another process is at it, or it was stopped: what is there is searched."""
        try:
            return update_index(self.index, self.folder, stop=stop)
        except OSError as error:
            raise ConfigError(
                f"The search index in {self.folder / SEARCH} cannot be written ({error.strerror}); "
                "--no-update searches what is there."
            ) from error

    def search(self, request: Request | str = "", **options: Any) -> Results:
        """The pages that answer a request; the options are the fields of `Request`."""
        asked = Request(request) if isinstance(request, str) else request
        asked = _with(asked, options)
        try:
            return self.index.search(asked, ranking=self.ranking)
        except DamagedIndex:
            self.index.discard()
        self.refresh()
        return self.index.search(asked, ranking=self.ranking)

    def like(self, url: str, **options: Any) -> Results:
        """The pages that are most like one of the collection."""
        return self.search(Request(like=url), **options)

    @cached_property
    def saved(self) -> SavedSearches:
        """Searches that were given a name."""
        return SavedSearches(self.folder / SEARCH / "saved.toml")

    def export(self, request: Request, file: Path) -> int:
        """Write everything that answers a request as CSV or JSON lines, by the file's ending."""
        if file.suffix not in ENDINGS:
            raise ConfigError(f"{file} must end in {' or '.join(ENDINGS)}, which says what to write.")
        results = self.search(request, page=1, limit=0, facets=False)
        with file.open("w", encoding="utf-8", newline="") as stream:
            write_results(results, stream, file.suffix)
        return len(results.hits)


def write_results(results: Results, stream: TextIO, ending: str) -> None:
    """Write what was found as CSV or JSON lines, by a file's ending."""
    rows = (hit.row() for hit in results.hits)
    if ending == ".csv":
        writer = csv.DictWriter(stream, COLUMNS)
        writer.writeheader()
        writer.writerows({key: defused(value) for key, value in row.items()} for row in rows)
    else:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _with(request: Request, options: dict[str, Any]) -> Request:
    try:
        changed = replace(request, **options)
    except TypeError as error:
        raise ConfigError(f"A search has no such option: {', '.join(options)}.") from error
    if changed.sort not in set(Sort):
        raise ConfigError(f"Results are sorted by {', '.join(Sort)}, not by {changed.sort!r}.")
    return replace(changed, sort=Sort(changed.sort))
