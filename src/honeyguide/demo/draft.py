"""The web while it is being made: pages are planned, linked to each other, and then written out.

Whatever is peculiar is planned first, so that ordinary pages can link to it.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

from honeyguide.demo.markup import Reference, anchor, document, listing, paragraph
from honeyguide.demo.prose import Prose
from honeyguide.demo.resource import Resource
from honeyguide.demo.sites import SITES, Site
from honeyguide.urls import canonical

_LEADS = (
    "See also {}.",
    "More on this in {}.",
    "Compare {}.",
    "Background: {}.",
    "Readers also turned to {}.",
)
_VAGUE = ("this page", "read more", "here")


class Entry(NamedTuple):
    """What the manifest says of one canonical URL.

    A `fetchable` page can be had by a polite crawler that follows links, those of feeds too, from the
    seeds; a redirect is no page. `same_as` is the page that this one duplicates or redirects to.
    """

    url: str
    topics: frozenset[str]
    language: str
    kind: str
    fetchable: bool
    same_as: str = ""


@dataclass(slots=True)
class Article:
    """A page of prose: what it is about, where it leads and how it is served."""

    host: str
    target: str
    title: str
    label: str
    topic: str
    aspect: str
    setting: Mapping[str, str]
    kind: str = "page"
    fetchable: bool = True
    listed: bool = False
    head: str = ""
    served: Resource = field(default_factory=Resource)
    references: list[Reference] = field(default_factory=list)
    related: list[Reference] = field(default_factory=list)
    html: str = ""


class Draft:
    """Collects articles, resources and the manifest."""

    def __init__(self, prose: Prose, *, seed: int, port: int) -> None:
        self.prose = prose
        self.sites: dict[str, Site] = {site.host: site for site in SITES}
        self.articles: list[Article] = []
        self.resources: dict[tuple[str, str], Resource] = {}
        self.entries: dict[str, Entry] = {}
        self.notices: dict[str, list[Reference]] = {site.host: [] for site in SITES}
        """Links that a site's front page shows besides its own."""
        self._seed = seed
        self._port = port
        self._titles: set[str] = set()

    def random(self, *purpose: str) -> Random:
        """Chance for one purpose, not moved by what others draw."""
        return Random("/".join((str(self._seed), *purpose)))

    def url(self, host: str, target: str) -> str:
        """The canonical URL."""
        url = canonical(f"http://{host}:{self._port}{target}")
        if url is None:
            raise ValueError(f"no address: {host}{target}")
        return url

    def href(self, host: str, target: str, *, source: str) -> str:
        """The address as a page on the host `source` writes it."""
        return target if host == source else f"http://{host}:{self._port}{target}"

    def put(self, host: str, target: str, resource: Resource) -> None:
        """Let a host serve something."""
        if (host, target) in self.resources:
            raise ValueError(f"{host}{target} is taken")
        self.resources[host, target] = resource

    def enter(
        self,
        host: str,
        target: str,
        kind: str,
        *,
        topics: Iterable[str] = (),
        language: str = "en",
        fetchable: bool = True,
        same_as: str = "",
    ) -> None:
        """Put an address into the manifest."""
        url = self.url(host, target)
        if url in self.entries:
            raise ValueError(f"{url} is in the manifest already")
        self.entries[url] = Entry(url, frozenset(topics), language, kind, fetchable, same_as)

    def write(
        self,
        host: str,
        topic: str,
        *,
        folder: str = "",
        target: str = "",
        aspects: tuple[str, ...] = (),
        kind: str = "page",
        fetchable: bool = True,
        listed: bool = False,
        head: str = "",
        served: Resource | None = None,
    ) -> Article:
        """Plan an article with a title that no other has."""
        site = self.sites[host]
        rng = self.random("article", host, str(len(self.articles)))
        choices = [each for each in self.prose.topics[topic] if not aspects or each.name in aspects]
        while True:
            aspect = rng.choice(choices or self.prose.topics[topic])
            setting = self.prose.setting(rng)
            title = self.prose.fill(rng.choice(aspect.titles), setting, rng)
            if title in self._titles:
                title += self.prose.fill(rng.choice((" (by {person})", ", {month} {year}")), setting, rng)
            if title not in self._titles:
                break
        self._titles.add(title)
        suffix = ".html" if site.layout == "tables" else ""
        article = Article(
            host,
            target or f"/{folder}/{slug(title)}{suffix}",
            title,
            rng.choice(aspect.labels),
            topic,
            aspect.name,
            setting,
            kind,
            fetchable,
            listed,
            head,
            served or Resource(delay=site.delay + rng.random() * site.delay),
        )
        self.articles.append(article)
        return article

    def some(self, host: str = "", *topics: str) -> Article:
        """A listed article that crawlers may follow links from; another one at every call while there are any."""
        found = [
            each
            for each in self.articles
            if each.listed and each.host == (host or each.host) and (not topics or each.topic in topics)
        ]
        fewest = min(len(each.references) for each in found)
        return self.random("some", host, *topics).choice(
            [each for each in found if len(each.references) == fewest]
        )

    def link(
        self, source: Article, target: Article, text: str = "", *, markup: str = "", query: str = ""
    ) -> None:
        """Let one article refer to another; `markup` has `{}` where the address goes."""
        href = self.href(target.host, target.target + query, source=source.host)
        source.references.append(Reference(href, text or target.title, markup=markup.replace("{}", href)))

    def refer(self, source: Article, host: str, target: str, text: str) -> None:
        """Let an article refer to any address."""
        source.references.append(Reference(self.href(host, target, source=source.host), text))

    def finish(self, article: Article) -> None:
        """Write an article out and enter it."""
        article.html = self._html(article)
        self.put(article.host, article.target, replace(article.served, body=article.html.encode()))
        self.enter(
            article.host, article.target, article.kind, topics={article.topic}, fetchable=article.fetchable
        )

    def page(self, host: str, title: str, main: str, *, head: str = "") -> Resource:
        """A page of a site that is no article."""
        site = self.sites[host]
        body = document(site, title, main, head=head).encode()
        return Resource(body, delay=site.delay)

    def _html(self, article: Article) -> str:
        rng = self.random("text", article.host, article.target)
        blocks = [f'<p class="date">{self.prose.fill("{month} {1-28}, {year}", article.setting, rng)}</p>']
        waiting = list(article.references)
        for heading, paragraphs in self.prose.paragraphs(article.topic, article.aspect, article.setting, rng):
            if heading:
                blocks.append(f"<h2>{heading}</h2>")
            for text in paragraphs:
                links = [rng.choice(_LEADS).format(anchor(waiting.pop(0)))] if waiting else []
                blocks.append(" ".join((paragraph(text).removesuffix("</p>"), *links)) + "</p>")
        blocks += [f"<p>{rng.choice(_LEADS).format(anchor(each))}</p>" for each in waiting]
        if article.related:
            blocks.append(f"<h2>Related</h2>\n{listing(article.related)}")
        return document(self.sites[article.host], article.title, "\n".join(blocks), head=article.head)

    def words_for(self, target: Article, rng: Random) -> str:
        """What a link to an article may say: mostly its title, sometimes its subject, now and then nothing much."""
        luck = rng.random()
        return target.title if luck < 0.65 else target.label if luck < 0.92 else rng.choice(_VAGUE)


def slug(title: str) -> str:
    """A title as the last part of an address."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
