"""A small crawler without a network: polite, and best first or first come, first served."""

import gzip
import heapq
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import turbohtml
from protego import Protego

from honeyguide.demo.web import DEAD, Answer, Web
from honeyguide.urls import canonical, host_of, origin_of


class Found(NamedTuple):
    url: str
    source: str
    words: str


class Walk:
    """Follows every link that a polite crawler may, and remembers what it saw."""

    def __init__(
        self,
        web: Web,
        *,
        score: Callable[[Found, bytes], float] = lambda found, body: 0.0,
        follow_duplicates: bool = True,
    ) -> None:
        self.web = web
        self.asked: list[str] = []
        self.links: list[Found] = []
        self.had: dict[str, str] = {}
        """Where the visit to a URL ended, if it ended on a page."""
        self.bodies: dict[str, bytes] = {}
        self._score = score
        self._follow_duplicates = follow_duplicates
        self._texts: set[bytes] = set()
        self._robots: dict[str, Protego] = {}
        self._waiting: list[tuple[float, int, str]] = []
        self._seen: set[str] = set()
        for url in web.seeds:
            self._push(Found(url, "", ""), b"")

    def run(self, limit: int = 100_000) -> "Walk":
        while self._waiting and len(self.had) < limit:
            url = heapq.heappop(self._waiting)[2]
            answer, end = self._follow(url)
            if answer is not None:
                self.had[url] = end
                body = self.bodies[end] = _unpacked(answer)
                text = _text(body)
                if self._follow_duplicates or text not in self._texts:
                    self._texts.add(text)
                    for found in _links(answer, body, end):
                        self._push(found, body)
        return self

    def _push(self, found: Found, body: bytes) -> None:
        self.links.append(found)
        if found.url not in self._seen and not self.web.is_trap(found.url):
            self._seen.add(found.url)
            heapq.heappush(self._waiting, (-self._score(found, body), len(self._seen), found.url))

    def _follow(self, url: str) -> tuple[Answer | None, str]:
        for _ in range(6):
            if host_of(url) not in self.web.hosts or host_of(url) in DEAD:
                break
            if not self._rules(url).can_fetch(url, "honeyguide"):
                break
            self.asked.append(url)
            answer = self._answer(url)
            if answer.status == 200:
                return answer, url
            target = canonical(dict(answer.headers).get("Location", ""), url) if answer.status < 400 else None
            if target is None:
                break
            url = target
        return None, url

    def _answer(self, url: str) -> Answer:
        target = url[len(origin_of(url)) :]
        return self.web.answer(host_of(url), target, {"accept-encoding": "gzip"}, attempt=9)

    def _rules(self, url: str) -> Protego:
        origin = origin_of(url)
        if origin not in self._robots:
            told = self._answer(origin + "/robots.txt")
            self._robots[origin] = Protego.parse(told.body.decode() if told.status == 200 else "")
            for sitemap in self._robots[origin].sitemaps:
                self._read_sitemap(sitemap)
        return self._robots[origin]

    def _read_sitemap(self, url: str) -> None:
        body = self._answer(url).body
        text = (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode()
        self.links.append(Found(url, "", ""))
        for target in re.findall("<loc>(.*?)</loc>", text):
            if "<sitemapindex" in text:
                self._read_sitemap(target)
            else:
                self._push(Found(target, url, ""), b"")


def _text(body: bytes) -> bytes:
    """What is left of a page without its markup and its date line."""
    return re.sub(rb'<p class="date">[^<]*|<[^>]*>', b"", body)


def _unpacked(answer: Answer) -> bytes:
    if dict(answer.headers).get("Content-Encoding") == "gzip" and answer.body[:2] == b"\x1f\x8b":
        return gzip.decompress(answer.body)[:500_000]
    return answer.body


def _links(answer: Answer, body: bytes, url: str) -> Iterator[Found]:
    headers = dict(answer.headers)
    if "nofollow" in headers.get("X-Robots-Tag", ""):
        return
    for href, relation in re.findall(r'<([^>]*)>; rel="?(\w+)', headers.get("Link", "")):
        if relation != "preload":
            yield from _found(href, url, url, "")
    if "xml" in headers["Content-Type"]:
        for plain, attribute in re.findall(
            r'<link>(.*?)</link>|<link rel="alternate" href="(.*?)"', body.decode()
        ):
            yield from _found(plain or attribute, url, url, "")
    elif headers["Content-Type"].startswith("text/html"):
        yield from _html_links(body, url)


def _html_links(body: bytes, url: str) -> Iterator[Found]:
    page = turbohtml.parse(body.decode("utf-8", "replace"))
    for meta in page.select("meta[name=robots i]"):
        if "nofollow" in str(meta.attrs.get("content")).lower():
            return
    bases = [str(each.attrs["href"]) for each in page.select("base[href]")]
    base = canonical(bases[0], url) if bases else url
    for element in page.select("a[href], area[href], link[rel=alternate][href]"):
        if "nofollow" not in (element.attrs.get("rel") or ()):
            yield from _found(str(element.attrs["href"] or ""), base or url, url, element.text)


def _found(href: str, base: str, source: str, words: str) -> Iterator[Found]:
    target = canonical(href, base)
    if target is not None:
        yield Found(target, source, words)
