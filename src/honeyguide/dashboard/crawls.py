"""The crawls that the application is opened over: a folder that is one, or one that holds several."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

from fastapi import Depends, Request

from honeyguide.errors import CrawlError, UserError
from honeyguide.opening import open_collection
from honeyguide.store.collection import Collection
from honeyguide.store.folder import DATABASE

if TYPE_CHECKING:
    from honeyguide.dashboard.columns import Columns, ColumnShelf


class NotFound(UserError):
    """There is no such thing here; its sentence becomes a 404."""


@dataclass(frozen=True, slots=True)
class CrawlAtHand:
    """One crawl that can be looked at; nothing is held open between two looks."""

    name: str
    folder: Path
    shelf: "ColumnShelf" = field(repr=False, compare=False)

    def open(self) -> Collection:
        """The crawl opened for reading; use it in a `with` statement, in the thread that opened it."""
        return open_collection(self.folder)

    def columns(self) -> "Columns":
        """The visits as arrays, as far as they are read; more are read behind the scenes."""
        return self.shelf.columns(self.folder)

    @property
    def path(self) -> str:
        """Where its overview lies in the application, ending in a slash."""
        return f"/crawls/{quote(self.name, safe='')}/"


class Crawls:
    """Finds the crawls of a folder anew whenever it is asked."""

    def __init__(self, root: Path, *, shelf: "ColumnShelf") -> None:
        self._root = root
        self._shelf = shelf

    @property
    def root(self) -> Path:
        return self._root

    @property
    def single(self) -> CrawlAtHand | None:
        """The crawl, if the folder itself is one."""
        if (self._root / DATABASE).is_file():
            return CrawlAtHand(self._root.resolve().name or "crawl", self._root, self._shelf)
        return None

    def all(self) -> list[CrawlAtHand]:
        """Every crawl, in the order of their names."""
        if single := self.single:
            return [single]
        try:
            folders = sorted(folder for folder in self._root.iterdir() if (folder / DATABASE).is_file())
        except OSError as error:
            raise CrawlError(f"{self._root} cannot be read ({error.strerror}).") from error
        return [CrawlAtHand(folder.name, folder, self._shelf) for folder in folders]

    def get(self, name: str) -> CrawlAtHand:
        """The crawl of this name."""
        for crawl in self.all():
            if crawl.name == name:
                return crawl
        raise NotFound("There is no crawl of this name here.")


def all_crawls(request: Request) -> Crawls:
    """The crawls of the application that a request came to."""
    crawls: Crawls = request.app.state.crawls
    return crawls


def crawl_at_hand(crawl: str, request: Request) -> CrawlAtHand:
    """The crawl that a request's path names."""
    return all_crawls(request).get(crawl)


AllCrawls = Annotated[Crawls, Depends(all_crawls)]
Crawl = Annotated[CrawlAtHand, Depends(crawl_at_hand)]
