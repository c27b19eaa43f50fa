"""What the application keeps between two requests: open indexes, topics and pages that were read, work under way."""

import threading
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from honeyguide.dashboard.background import Background
from honeyguide.dashboard.engines import Engines
from honeyguide.dashboard.overlap import Overlaps
from honeyguide.dashboard.read_pages import ReadPages
from honeyguide.model import Topic
from honeyguide.topics.folder import read_revision, revisions

MOST_TOPICS = 8


class Topics:
    """Topics of crawls, each revision read once."""

    def __init__(self) -> None:
        self._read: dict[tuple[Path, int], Topic] = {}
        self._lock = threading.Lock()

    def newest(self, folder: Path) -> tuple[int, Topic]:
        """The newest revision of a crawl's topic, and its number."""
        number = max(self.numbers(folder))
        return number, self.of(folder, number)

    def numbers(self, folder: Path) -> list[int]:
        """The numbers of the revisions of a crawl's topic, of which there is always one."""
        return revisions(folder) or [1]

    def of(self, folder: Path, number: int) -> Topic:
        """One revision of a crawl's topic."""
        with self._lock:
            topic = self._read.pop((folder, number), None) or read_revision(folder, number)
            self._read[folder, number] = topic
            while len(self._read) > MOST_TOPICS:
                del self._read[next(iter(self._read))]
        return topic


class Kept:
    """Everything that outlives a request; nothing of it holds knowledge that is nowhere else."""

    def __init__(self) -> None:
        self.background = Background()
        self.engines = Engines()
        self.topics = Topics()
        self.pages = ReadPages()
        self.overlaps = Overlaps()

    def close(self) -> None:
        """Stop all work."""
        self.background.close()
        self.engines.close()


def _kept(request: Request) -> Kept:
    kept: Kept = request.app.state.kept
    return kept


AtHand = Annotated[Kept, Depends(_kept)]
