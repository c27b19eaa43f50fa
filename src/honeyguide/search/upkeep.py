"""Keeping an index up to date with a crawl, by one process at a time.

CRAWL/search/index        what tantivy writes
CRAWL/search/links.npz    what was worked out of the links: authorities, and which anchors are indexed
CRAWL/search/state.json   the last visit that is indexed, written after what it speaks of
CRAWL/search/saved.toml   saved searches, which outlive the index
CRAWL/search/lock         held by whoever writes
"""

import fcntl
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from logging import Logger
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import tantivy

from honeyguide.model import Visit
from honeyguide.search.analysis import Analysers
from honeyguide.search.entry import Entry
from honeyguide.search.failures import DamagedIndex, reading_index
from honeyguide.search.fields import VERSION, document, read_entry, schema
from honeyguide.search.links import Link, Linkage, Standing, digest
from honeyguide.urls import url_hash

BATCH = 1000
"""Visits that become durable together."""

HEAP = 64_000_000


class Source(Protocol):
    """A crawl that is indexed."""

    def last(self) -> int: ...

    def after(self, number: int) -> Iterator[Visit]: ...

    def links(self, until: int) -> Iterable[Link]: ...


class Upkeep:
    """Says how much of the work is done when a crawl ends; the rest is left to whoever searches first."""

    def __init__(self, *, seconds_at_end: float = 60.0) -> None:
        if seconds_at_end < 0:
            raise ValueError(f"seconds_at_end must not be below 0, but is {seconds_at_end}")
        self.seconds_at_end = seconds_at_end


class Shelf:
    """The folder of one index: opens what is in it, and writes to it."""

    def __init__(self, folder: Path, log: Logger) -> None:
        self.folder = folder
        self._log = log
        self._analysers = Analysers()
        self._schema = schema()

    def open(self) -> tantivy.Index | None:
        """The index, if there is one that can be used."""
        place = str(self.folder / "index")
        if self._state().get("version") != VERSION:
            return None
        try:
            with reading_index(self.folder):
                if not tantivy.Index.exists(place):
                    return None
                index = tantivy.Index(self._schema, path=place)
                index.config_reader(reload_policy="manual")
                index.searcher().search(tantivy.Query.all_query(), limit=1)
        except (DamagedIndex, OSError):
            return None
        return index

    def standing(self) -> Standing:
        """What is known of the links between pages."""
        return Standing.load(self.folder / "links.npz")

    def visit(self) -> int:
        """The last visit that is indexed."""
        visit = self._state().get("visit")
        return visit if isinstance(visit, int) else 0

    def update(self, source: Source, *, stop: Callable[[], bool] = lambda: False) -> bool:
        """Index the visits since the last one that is; False if another process is at it, or it was stopped."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._alone() as alone:
            if not alone:
                return False
            try:
                return self._update(source, stop)
            except DamagedIndex:
                self._forget()
            return self._update(source, stop)

    def discard(self) -> None:
        """Give up an index that turned out to be damaged; the next update rebuilds it."""
        with self._alone() as alone:
            if alone:
                self._forget()

    def _update(self, source: Source, stop: Callable[[], bool]) -> bool:
        last = source.last()
        index = self._sound(last)
        standing = self.standing()
        if self.visit() >= last and len(standing.keys) == index.searcher().num_docs:
            return True
        linkage = Linkage().gather(source.links(last))
        with reading_index(self.folder):
            writer = index.writer(HEAP, 1)
            self._rename(index, writer, standing, linkage)
            done = self._add(writer, source, linkage, last, stop)
            writer.commit()
            writer.wait_merging_threads()
            index.reload()
            self._rank(index, linkage)
        return done

    def _add(
        self,
        writer: tantivy.IndexWriter,
        source: Source,
        linkage: Linkage,
        last: int,
        stop: Callable[[], bool],
    ) -> bool:
        number = self.visit()
        while number < last:
            # A few at a time, so that the crawl's database is never held for long.
            reached, stopped = number, False
            for visit in islice(source.after(number), BATCH):
                if visit.number > last or (stopped := stop()):
                    break
                self._replace(writer, visit, linkage)
                reached = visit.number
            number = last if reached == number and not stopped else reached
            writer.commit()
            self._note(number)
            if stopped:
                return False
        return True

    def _replace(self, writer: tantivy.IndexWriter, visit: Visit, linkage: Linkage) -> None:
        """Put a page in the place of what was known under its address; a visit without a page changes nothing."""
        if visit.page is None:
            return
        key = url_hash(visit.url)
        writer.delete_documents_by_term("key", key)
        if entry := Entry.of(visit, linkage.anchors.get(key, ())):
            writer.add_document(document(entry, self._analysers))

    def _rename(
        self, index: tantivy.Index, writer: tantivy.IndexWriter, standing: Standing, linkage: Linkage
    ) -> None:
        """Index the pages again that other pages now call something else."""
        searcher = index.searcher()
        for key in standing.renamed(linkage.anchors) if searcher.num_docs else ():
            entry = find(searcher, self._schema, key)
            if entry and entry.anchors != linkage.anchors[key]:
                writer.delete_documents_by_term("key", key)
                entry = entry.with_anchors(linkage.anchors[key])
                writer.add_document(document(entry, self._analysers))

    def _rank(self, index: tantivy.Index, linkage: Linkage) -> None:
        searcher = index.searcher()
        hits = searcher.search(tantivy.Query.all_query(), limit=max(1, searcher.num_docs)).hits
        addresses = [address for _, address in hits]
        keys = np.array(searcher.fast_field_values("key", addresses), np.int64)
        order = np.argsort(keys)
        relevant = np.array(searcher.fast_field_values("relevant", addresses), np.bool_)[order]
        keys = keys[order]
        digests = [digest(linkage.anchors.get(key, ())) for key in keys.tolist()]
        authority = linkage.authority(keys, relevant)
        Standing(keys, authority, np.array(digests, np.uint32)).save(self.folder / "links.npz")

    def _sound(self, last: int) -> tantivy.Index:
        """The index that is there, or an empty one in the place of one that is of no use."""
        index = self.open()
        if index is not None and self.visit() <= last:
            return index
        if any((self.folder / name).exists() for name in ("index", "state.json")):
            self._log.warning("The search index in %s cannot be used as it is; it is rebuilt.", self.folder)
        (self.folder / "links.npz").unlink(missing_ok=True)
        shutil.rmtree(self.folder / "index", ignore_errors=True)
        (self.folder / "index").mkdir()
        index = tantivy.Index(self._schema, path=str(self.folder / "index"))
        index.config_reader(reload_policy="manual")
        self._note(0)
        return index

    def _state(self) -> dict[str, Any]:
        try:
            state = json.loads((self.folder / "state.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return state if isinstance(state, dict) else {}

    def _forget(self) -> None:
        (self.folder / "state.json").unlink(missing_ok=True)

    def _note(self, visit: int) -> None:
        draft = self.folder / "state.draft"
        draft.write_text(json.dumps({"version": VERSION, "visit": visit}), encoding="utf-8")
        draft.replace(self.folder / "state.json")

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Whether this process may write; the system lets go of the lock however a process ends."""
        with (self.folder / "lock").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True


def find(searcher: tantivy.Searcher, fields: tantivy.Schema, key: int) -> Entry | None:
    """The entry of the page with this key, if it is indexed."""
    hits = searcher.search(tantivy.Query.term_query(fields, "key", key), limit=1).hits
    return read_entry(searcher.doc(hits[0][1])) if hits else None
