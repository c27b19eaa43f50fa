"""Scrapy's side of the comparison: the same crawl as a careful Scrapy user would write it.

What is the same code as Honeyguide's: main text by turbohtml, language, fingerprints and the search for
duplicates, the judge, the strategy that scores links. What is Scrapy's: fetching, decoding, the queue,
what was seen, robots.txt, and lxml under it.

The style "tuned" takes what is faster for Scrapy wherever there is a choice:

- the asyncio reactor on uvloop and the default download handler (the experimental one on aiohttp is no
  faster here); names are looked up in a table, not by a name server;
- the priority queue is one for all hosts: it is what best-first means, and cheaper than one per host;
  scores become a hundred priorities, for each has a file of its own on disk;
- queue and duplicate filter lie in a JOBDIR, so that the crawl can be stopped and taken up, as ours can
  (a Scrapy killed in between may lose part of its queue, which ours does not); a request brings the link
  it was made from back with it, as our candidates do;
- cookies, referers, proxies, HTTP authentication, statistics, logging and the console are off; depth and
  the longest URL are kept, for ours has them too; there is no delay and no throttling;
- links are found in lxml's tree by one XPath, their words are marked there, and the text is written out
  once in C: that takes less CPU than LinkExtractor alone, and gives the words around them too;
- pages and links go straight into SQLite (WAL, one transaction a page) without items and pipelines,
  the bodies as received into a WARC by fastwarc, compressed at the fastest level.

The style "stock" is what the documentation teaches: LinkExtractor, and the default queue and middlewares
with the cookies off.

Honeyguide does more that is not asked of Scrapy here: it tells where in the page a link stands, refuses
traps, raises the priority of links found again with a better score, never asks a host twice at once.
Run as `python -m speed.scrapy_side FOLDER PORT PAGES WORKERS STYLE`.
"""

import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

# First, for where brotlipy is installed beside brotli, Scrapy would load the wrong one for both.
from honeyguide.naming import make_judge, make_strategy

# isort: split
import turbohtml
from fastwarc.stream_io import GZipStream
from fastwarc.warc import WarcRecord, WarcRecordType
from lxml import etree  # type: ignore[import-untyped]
from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.defer import Deferred, succeed
from twisted.internet.interfaces import IResolverSimple
from zope.interface import implementer  # type: ignore[import-untyped]

from honeyguide.model import Candidate, Link, Page, Verdict, Visit
from honeyguide.parse.fingerprint import fingerprint_and_sketch
from honeyguide.parse.language import language_of
from honeyguide.store.duplicates import Duplicates
from speed.measure import Meter
from speed.task import topic
from speed.web import ADDRESSES

WINDOW = 25
PRIORITIES = 100
MARK = "\ue000"
"""Written before and after each link's words; a character that no page uses."""

_TABLES = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE visits (id INTEGER PRIMARY KEY, url TEXT, at REAL, status INTEGER, title TEXT, language TEXT,
    length INTEGER, relevance REAL, relevant INTEGER, queue_score REAL, fingerprint INTEGER, sketch INTEGER,
    duplicate_of INTEGER, warc_offset INTEGER);
CREATE TABLE links (visit INTEGER, url TEXT, anchor TEXT, context TEXT, score REAL);
"""
_find_links = etree.XPath("//a[@href]")


@implementer(IResolverSimple)
class StaticResolver(CachingThreadedResolver):
    """Finds names in the table of the synthetic web."""

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:
        """How Twisted asks."""
        return succeed(ADDRESSES[name])


class Archive:
    """A downloader middleware: keeps answers as they came, before they are decompressed."""

    def __init__(self, crawler: Crawler) -> None:
        self._file = (Path(crawler.settings["FOLDER"]) / "pages.warc.gz").open("wb")
        crawler.archive = self  # type: ignore[attr-defined]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "Archive":
        """How Scrapy makes a middleware."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Write a response record, compressed on its own."""
        head = [f"HTTP/1.1 {response.status} OK".encode()]
        head += [name + b": " + value for name, values in response.headers.items() for value in values]
        block = b"\r\n".join(head) + b"\r\n\r\n" + response.body
        record = WarcRecord()
        record.init_headers(record_type=WarcRecordType.response)
        record.headers["WARC-Target-URI"] = response.url
        record.headers["WARC-Date"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        record.headers["Content-Type"] = "application/http; msgtype=response"
        record.set_bytes_content(block)
        member = BytesIO()
        stream: Any = GZipStream(member, compression_level=1)  # type: ignore[no-untyped-call]
        record.write(stream, checksum_data=True)
        stream.close()
        request.meta["warc_offset"] = self._file.tell()
        self._file.write(member.getvalue())
        self._file.flush()
        return response


class FocusedSpider(Spider):
    """Best-first on a topic."""

    name = "focused"
    meter: Meter
    wanted: int
    port: int
    folder: Path
    find_links: Callable[[TextResponse], Iterable[Link]]

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        subject = topic(self.port)
        self.start_urls = list(subject.seeds)
        self.judge = make_judge({"use": "cosine"}, subject)
        self.strategy = make_strategy({"use": "best-first"}).fit(subject, None)
        self.duplicates = Duplicates()
        self.database = sqlite3.connect(self.folder / "pages.db", isolation_level=None)
        self.database.executescript(_TABLES)

    def parse(self, response: Response, **_: Any) -> Iterator[Request]:
        """Read, judge, store, and follow."""
        if not isinstance(response, TextResponse) or response.status != 200:
            raise RuntimeError(f"{response.url}: {response.status}")
        page = read(response, self.find_links(response))
        verdict = self.judge.assess(page)
        visit = Visit(candidate_of(response), page=page, verdict=verdict, status=response.status)
        candidates = list(self.strategy.expand(visit))
        self.meter.count()
        self.store(
            visit, page, verdict, candidates, length=len(response.body), offset=response.meta["warc_offset"]
        )
        if self.meter.pages >= self.wanted:
            raise CloseSpider("that is enough")
        for candidate in candidates:
            link = candidate.link
            yield Request(
                link.url,
                priority=round(candidate.score * PRIORITIES),
                meta={"link": (link.source, link.anchor, link.context), "score": candidate.score},
            )

    def store(
        self,
        visit: Visit,
        page: Page,
        verdict: Verdict,
        candidates: Sequence[Candidate],
        *,
        length: int,
        offset: int,
    ) -> None:
        """A row for the page and one for each of its links, in one transaction."""
        number = self.meter.pages
        duplicate = self.duplicates.find(page.fingerprint, page.sketch)
        if duplicate is None:
            self.duplicates.add(number, page.fingerprint, page.sketch)
        run = self.database.execute
        run("BEGIN")
        run(
            "INSERT INTO visits VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                number,
                visit.url,
                time.time(),
                visit.status,
                page.title,
                page.language,
                length,
                verdict.score,
                verdict.relevant,
                visit.candidate.score,
                page.fingerprint,
                page.sketch,
                duplicate and duplicate[0],
                offset,
            ),
        )
        self.database.executemany(
            "INSERT INTO links VALUES (?,?,?,?,?)",
            [
                (number, link.url, link.anchor, link.context, score)
                for link, score in ((candidate.link, candidate.score) for candidate in candidates)
            ],
        )
        run("COMMIT")


def candidate_of(response: Response) -> Candidate:
    """What led to a page."""
    source, anchor, context = response.meta.get("link", ("", "", ""))
    depth = response.meta.get("depth", 0)
    return Candidate(Link(response.url, source, anchor, context), response.meta.get("score", 1.0), depth)


def read(response: TextResponse, links: Iterable[Link]) -> Page:
    """A page's title, language, main text and what tells it from others."""
    document = turbohtml.parse(response.text, positions=False)
    title = document.find("title")
    text = document.main_text()
    fingerprint, sketch = fingerprint_and_sketch(text)
    return Page(
        url=response.url,
        title=title.text if title else "",
        text=text,
        language=language_of(text, response.selector.root.get("lang", "")),
        links=tuple(links),
        fingerprint=fingerprint,
        sketch=sketch,
    )


def extracted_links(response: TextResponse) -> Iterable[Link]:
    """The links as Scrapy's own extractor sees them, with the words around them."""
    found = LinkExtractor().extract_links(response)
    contexts = {link.url: link.context for link in marked_links(response)}
    return [Link(link.url, response.url, link.text.strip(), contexts.get(link.url, "")) for link in found]


def marked_links(response: TextResponse) -> Iterable[Link]:
    """The links with their words and the words around them, one for each address."""
    root, base = response.selector.root, response.url
    etree.strip_elements(root, "script", "style", with_tail=False)
    urls = []
    for element in _find_links(root):
        urls.append(urljoin(base, element.get("href")).partition("#")[0])
        element.text = MARK + (element.text or "")
        element.tail = MARK + (element.tail or "")
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    for index, piece in enumerate(etree.tostring(root, method="text", encoding="unicode").split(MARK)):
        start = len(words)
        words += piece.split()
        if index % 2:
            spans.append((start, len(words)))
    links: dict[str, Link] = {}
    for url, (start, end) in zip(urls, spans, strict=True):
        if url not in links and url != base:
            context = " ".join(words[max(0, start - WINDOW) : end + WINDOW])
            links[url] = Link(url, base, " ".join(words[start:end]), context)
    return links.values()


def stock_settings(folder: Path, workers: int) -> dict[str, Any]:
    """What a crawl of this kind needs, all else as it comes."""
    return {
        "FOLDER": str(folder),
        "JOBDIR": str(folder / "job"),
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        "TWISTED_DNS_RESOLVER": StaticResolver,
        "CONCURRENT_REQUESTS": workers,
        "CONCURRENT_REQUESTS_PER_DOMAIN": workers,
        "ROBOTSTXT_OBEY": True,
        "USER_AGENT": "speed-benchmark",
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
        "DOWNLOADER_MIDDLEWARES": {Archive: 850},
    }


def tuned_settings(folder: Path, workers: int) -> dict[str, Any]:
    """The same without anything that this work can do without."""
    middlewares = "scrapy.downloadermiddlewares"
    return {
        **stock_settings(folder, workers),
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
        "REFERER_ENABLED": False,
        "HTTPPROXY_ENABLED": False,
        "MEMUSAGE_ENABLED": False,
        "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
        "DOWNLOADER_MIDDLEWARES": {
            f"{middlewares}.offsite.OffsiteMiddleware": None,
            f"{middlewares}.httpauth.HttpAuthMiddleware": None,
            f"{middlewares}.stats.DownloaderStats": None,
            Archive: 850,
        },
        "EXTENSIONS": {
            "scrapy.extensions.corestats.CoreStats": None,
            "scrapy.extensions.logcount.LogCount": None,
            "scrapy.extensions.logstats.LogStats": None,
        },
    }


STYLES = {"tuned": (tuned_settings, marked_links), "stock": (stock_settings, extracted_links)}


def main(folder: str, port: str, pages: str, workers: str, style: str) -> None:
    """Run the spider, print what it cost."""
    place = Path(folder)
    place.mkdir(parents=True)
    meter = Meter()
    settings, find_links = STYLES[style]
    process = AsyncCrawlerProcess(settings(place, int(workers)))
    process.crawl(
        FocusedSpider, meter=meter, wanted=int(pages), port=int(port), folder=place, find_links=find_links
    )
    process.start()
    meter.report()


if __name__ == "__main__":
    main(*sys.argv[1:])
