"""What strategies learn from before a crawl: an earlier crawl, or a recorded web read as if it had been crawled.

Its pages are judged as those of the new crawl will be, because what was on topic then need not be now.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from honeyguide.errors import ConfigError, PageError
from honeyguide.fetch.archives import is_archive
from honeyguide.fetch.offline import OfflineWeb
from honeyguide.model import Candidate, Link, Origin, Visit
from honeyguide.roles import Judge, Parser, VisitLog
from honeyguide.store.folder import DATABASE


class Training:
    """Where a strategy learns before the crawl starts: the folder of an earlier crawl, or web archives."""

    def __init__(self, *, path: str = "") -> None:
        self.path = Path(path).expanduser() if path else None

    def check(self) -> None:
        """Raise unless there is something to learn from."""
        path = self.path
        if path is None or (path / DATABASE).is_file() or is_archive(path):
            return
        if not path.is_dir() or not any(map(is_archive, path.iterdir())):
            raise ConfigError(
                f"{path} is nothing to train with: it holds neither a crawl nor web archives (.warc.gz); "
                "name another with --train, or when resuming with --set training.path=DIR."
            )


class JudgedLog:
    """The visits of a log with the verdicts of another judge (role VisitLog).

    A copy of a page that came before stays one, and a page of which nothing was kept keeps its verdict.
    `was_read` says whether anybody looked at it.
    """

    def __init__(self, log: VisitLog, judge: Judge) -> None:
        self.was_read = False
        self._log = log
        self._judge = judge

    def __len__(self) -> int:
        return len(self._log)

    def __iter__(self) -> Iterator[Visit]:
        self.was_read = True
        return map(self._judged, self._log)

    def backlinks(self, url: str) -> Iterable[str]:
        """The URLs of the visited pages that link to a URL."""
        self.was_read = True
        return self._log.backlinks(url)

    def _judged(self, visit: Visit) -> Visit:
        if visit.page is None or visit.response is None or visit.duplicate_of:
            return visit
        return replace(visit, verdict=self._judge.assess(visit.page))


class RecordedCrawl:
    """A recorded web as a breadth-first crawl of all of it would have seen it (role VisitLog).

    It starts at the first page, and whenever nothing is left to follow at the next one that was not met.
    """

    def __init__(self, web: OfflineWeb, parser: Parser) -> None:
        self._web = web
        self._parser = parser

    def __len__(self) -> int:
        return sum(1 for _ in self._pages())

    def __iter__(self) -> Iterator[Visit]:
        met: set[str] = set()
        number = 0
        for start in self._pages():
            waiting = deque([Candidate(Link(start, origin=Origin.SEED), 0.0)] if start not in met else ())
            met.add(start)
            while waiting:
                number += 1
                visit = replace(self._visit(waiting.popleft()), number=number)
                yield visit
                depth = visit.candidate.depth + 1
                for link in visit.page.links if visit.page else ():
                    page = self._web.final(link.url)
                    if page and page not in met:
                        met.add(page)
                        waiting.append(Candidate(link, -float(depth), depth))

    def backlinks(self, url: str) -> Iterable[str]:
        """The URLs of the pages that link to a URL."""
        return tuple(self._backlinks.get(url, ()))

    @cached_property
    def _backlinks(self) -> dict[str, dict[str, None]]:
        sources: dict[str, dict[str, None]] = {}
        for visit in self:
            for link in visit.page.links if visit.page else ():
                sources.setdefault(link.url, {})[visit.url] = None
        return sources

    def _pages(self) -> Iterator[str]:
        return (url for url in self._web.urls() if self._web.final(url) == url)

    def _visit(self, candidate: Candidate) -> Visit:
        url = self._web.final(candidate.url)
        try:
            response = self._web.response(url)
            page = self._parser.parse(response)
        except PageError as error:
            return Visit(candidate, error=error.kind, detail=error.detail, status=self._web.status(url))
        return Visit(candidate, response, page, status=response.status, at=response.fetched_at)
