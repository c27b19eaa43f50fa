"""A web made of words: forty sites of two thousand pages, each page the same whenever it is asked for.

A page is about 59 KB of the markup that sites send today: a head with metadata, styles and scripts, a
header, a menu, an article of some 1,800 words whose paragraphs hold links, lists of related pages, a
footer; 120 links in all, of which 46 are the site's own furniture and 74 lead anywhere. No two pages
share more than a few sentences. One page in twelve is about the topic, and pages prefer to link to
their own subject.
"""

from functools import cached_property
from random import Random

from speed import words

HOSTS = tuple(
    f"{first}{second}.test"
    for first in ("harbour", "meadow", "granite", "silver", "willow", "northern", "copper", "linden")
    for second in ("post", "review", "daily", "atlas", "notes")
)
ADDRESSES = {host: f"127.0.7.{number}" for number, host in enumerate(HOSTS, 1)}
PAGES_PER_HOST = 2000
SUBJECTS = tuple(words.SUBJECTS)
TOPIC = SUBJECTS[0]
KEYWORDS = ("volcano", "volcanic eruption", "lava", "magma", "crater", "ash plume", "seismic tremor")

_SENTENCES = 1500
_FURNITURE = 43
_NAMES = 12_000


class Web:
    """Every page of every host, written when it is asked for."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._paths = _paths()
        self._numbers = {path: number for number, path in enumerate(self._paths)}

    @cached_property
    def _pool(self) -> dict[str, list[str]]:
        rng = Random("sentences")
        names = [_name(rng) for _ in range(_NAMES)]
        return {subject: [_sentence(rng, subject, names) for _ in range(_SENTENCES)] for subject in SUBJECTS}

    @cached_property
    def _titles(self) -> list[str]:
        """What pages call themselves, by number; on every host the same numbers have the same subject."""
        rng = Random("titles")
        return [_title(rng, _subject(number)) for number in range(PAGES_PER_HOST)]

    def seeds(self) -> list[str]:
        """A page to start from on every fifth host."""
        return [self.url(host, 0) for host in range(0, len(HOSTS), 5)]

    def url(self, host: int, number: int) -> str:
        """The address of a page."""
        return f"http://{HOSTS[host]}:{self._port}{self._paths[number]}"

    def page(self, host: str, path: str) -> bytes | None:
        """The page at a path of a host, or None where there is none."""
        number = self._numbers.get(path.partition("?")[0])
        if number is None or host not in ADDRESSES:
            return None
        return self._write(HOSTS.index(host), number).encode()

    def robots(self, host: str) -> bytes:
        """Rules like those of an ordinary site; none of them is in the way of a page."""
        paths = ("/admin/", "/search", "/cart/", "/*?session=", "/tmp/", "/private/*.pdf$", "/cgi-bin/")
        closed = "".join(f"Disallow: {path}\n" for path in paths)
        return (
            f"User-agent: *\n{closed}Allow: /search/about\n\n"
            f"User-agent: BadBot\nDisallow: /\n\nSitemap: http://{host}:{self._port}/sitemap.xml\n"
        ).encode()

    def _write(self, host: int, number: int) -> str:
        rng = Random(f"{host}/{number}")
        subject = _subject(number)
        title = self._titles[number]
        furniture = [self._link(host, host, at) for at in range(1, _FURNITURE + 1)]
        article = self._article(rng, host, subject)
        related = [self._any_link(rng, host, subject) for _ in range(36)]
        return _PAGE.format(
            title=title,
            site=HOSTS[host].removesuffix(".test").title(),
            url=self.url(host, number),
            number=number,
            summary=rng.choice(self._pool[subject]),
            style=_STYLE,
            script=_script(rng),
            header="".join(_HEADER_LINK.format(href=href, anchor=anchor) for href, anchor in furniture[:8]),
            menu="".join(_MENU_LINK.format(href=href, anchor=anchor) for href, anchor in furniture[8:22]),
            article=article,
            related="".join(
                _CARD.format(
                    href=href,
                    anchor=anchor,
                    image=rng.getrandbits(40),
                    day=rng.randint(1, 28),
                    month=rng.choice(words.MONTHS),
                    teaser=rng.choice(self._pool[subject])[:90].rpartition(" ")[0],
                )
                for href, anchor in related
            ),
            footer="".join(_FOOTER_LINK.format(href=href, anchor=anchor) for href, anchor in furniture[22:]),
        )

    def _article(self, rng: Random, host: int, subject: str) -> str:
        sentences = rng.sample(self._pool[subject], 84) + rng.sample(self._pool[rng.choice(SUBJECTS)], 14)
        parts = []
        linked = iter([*sorted(rng.sample(range(98), 38)), 98])
        at = next(linked)
        for start in range(0, 98, 7):
            paragraph = []
            for index in range(start, start + 7):
                text = sentences[index]
                if index == at:
                    at = next(linked)
                    href, anchor = self._any_link(rng, host, subject)
                    before, _, after = text.partition(" ")
                    text = f'{before} <a class="text-link underline" href="{href}">{anchor}</a> {after}'
                paragraph.append(text)
            if start % 21 == 0 and start:
                heading = f"{rng.choice(words.OPENINGS[4:])[:-1]} {rng.choice(self._titles)}"
                parts.append(
                    f'<h2 class="article__heading" id="part-{start}">{heading.format(**_SLOTS)}</h2>\n'
                )
            parts.append(f'<p class="article__paragraph leading-relaxed mb-4">{" ".join(paragraph)}</p>\n')
        return "".join(parts)

    def _any_link(self, rng: Random, host: int, subject: str) -> tuple[str, str]:
        """A link from a host to anywhere: mostly to itself, and half of the time to its own subject."""
        there = host if rng.random() < 0.6 else rng.randrange(len(HOSTS))
        number = rng.randrange(PAGES_PER_HOST)
        if rng.random() < 0.4:
            number -= number % len(SUBJECTS) - SUBJECTS.index(subject)
            number %= PAGES_PER_HOST
        href, anchor = self._link(host, there, number)
        return (href + "?utm_source=related&amp;utm_medium=web" if rng.random() < 0.1 else href), anchor

    def _link(self, host: int, there: int, number: int) -> tuple[str, str]:
        path = self._paths[number]
        href = path if host == there else f"http://{HOSTS[there]}:{self._port}{path}"
        return href, self._titles[number]


def _subject(number: int) -> str:
    return SUBJECTS[number % len(SUBJECTS)]


def _paths() -> list[str]:
    """Two thousand paths of words, the same on every host, all distinct."""
    rng = Random("paths")
    paths = ["/"]
    for number in range(1, PAGES_PER_HOST):
        nouns, _, adjectives = words.SUBJECTS[_subject(number)]
        name = f"{rng.choice(adjectives)}-{rng.choice(nouns)}-{rng.choice(words.NOUNS)}"
        paths.append(f"/{rng.choice(words.SECTIONS)}/{name}-{_word_for(number)}")
    return paths


def _word_for(number: int) -> str:
    """A number spelled in syllables, so that paths look like words and differ all the same."""
    high, low = divmod(number, len(words.SYLLABLES))
    return words.SYLLABLES[high % len(words.SYLLABLES)] + words.SYLLABLES[low] + words.ENDINGS[high % 7]


def _name(rng: Random) -> str:
    syllables = rng.choices(words.SYLLABLES, k=rng.choice((1, 1, 2)))
    return ("".join(syllables) + rng.choice(words.ENDINGS)).capitalize()


_SLOTS = {
    "person": "a visitor",
    "place": "here",
    "year": "1998",
    "number": "nine",
    "noun": "year",
    "month": "May",
}


def _title(rng: Random, subject: str) -> str:
    nouns, verbs, adjectives = words.SUBJECTS[subject]
    pattern = rng.randrange(4)
    noun, other = rng.sample(nouns, 2)
    common = rng.choice(words.NOUNS)
    if pattern == 0:
        return f"How to {rng.choice(verbs)} a {rng.choice(adjectives)} {noun}"
    if pattern == 1:
        return f"The {rng.choice(adjectives)} {noun} and the {common}"
    if pattern == 2:
        return f"{noun.capitalize()} and {other} in {_name(rng)}"
    return f"A {common} of {rng.choice(adjectives)} {other}s"


def _sentence(rng: Random, subject: str, names: list[str]) -> str:
    """Eighteen words or so with the grammar of English and the sense of a dream."""
    own = words.SUBJECTS[subject]

    def noun() -> str:
        word = rng.choice(own.nouns if rng.random() < 0.4 else words.NOUNS)
        return word + "s" if rng.random() < 0.25 and not word.endswith("s") else word

    def adjective() -> str:
        return rng.choice(own.adjectives if rng.random() < 0.35 else words.ADJECTIVES)

    def verb() -> str:
        word = rng.choice(own.verbs if rng.random() < 0.35 else words.VERBS)
        form = rng.random()
        if form < 0.3:
            return f"{rng.choice(('would', 'could', 'did not', 'must', 'will', 'can'))} {word}"
        stem = word.removesuffix("e")
        return f"was {stem}ing" if form < 0.5 else f"{stem}ed" if form < 0.8 else f"{word}s"

    def thing() -> str:
        article = rng.choice(("the", "the", "a", "this", "every", "its", "their", "one", "some"))
        if rng.random() < 0.12:
            return f"{rng.choice(names)}'s {noun()}"
        return f"{article} {adjective()} {noun()}" if rng.random() < 0.6 else f"{article} {noun()}"

    def clause() -> str:
        adverb = f" {rng.choice(words.ADVERBS)}" if rng.random() < 0.3 else ""
        where = f" {rng.choice(words.PLACES)} {thing()}" if rng.random() < 0.6 else ""
        return f"{thing()} {verb()}{adverb} {thing()}{where}"

    text = clause()
    if rng.random() < 0.7:
        text += f", {rng.choice(words.JOINTS)} {clause()}"
    if rng.random() < 0.35:
        opening = rng.choice(words.OPENINGS).format(
            person=f"{rng.choice(names)} {rng.choice(names)}",
            place=rng.choice(names),
            year=rng.randint(1890, 2026),
            number=rng.randint(2, 900),
            noun=rng.choice(words.NOUNS),
            month=rng.choice(words.MONTHS),
        )
        text = f"{opening} {text}"
    return text[0].upper() + text[1:] + "."


def _script(rng: Random) -> str:
    """Code and data such as pages carry along; nothing in it is to be read."""
    events = ",".join(
        f'{{"id":"{rng.getrandbits(64):016x}","slot":"ad-{at}","size":[{rng.randint(100, 970)},{at}]}}'
        for at in range(60)
    )
    return f'window.__DATA__={{"events":[{events}]}};{_CODE * 2}'


_CODE = (
    "!function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({start:new Date().getTime(),event:'page'});var f=d."
    "getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;if(i<2&&l){j.src='/static/app.js?id='+i;"
    "f.parentNode.insertBefore(j,f)}}(window,document,'script','layer',3);document.addEventListener('click',"
    "function(e){if(e.target.matches('.menu-toggle')){e.preventDefault();d.body.classList.toggle('open')}});\n"
)
_STYLE = "".join(
    f".{block}__{part}{{display:flex;margin:0 auto 1.{size}rem;padding:.{size}rem 1rem;color:#2{size}3a4{size};"
    "font:400 1rem/1.5 system-ui,sans-serif}"
    for size, block in enumerate(("article", "card", "menu", "footer", "hero", "list"))
    for part in ("heading", "paragraph", "link", "image", "meta")
)
_HEADER_LINK = '<li class="header__item"><a class="header__link px-3 py-2" href="{href}">{anchor}</a></li>\n'
_MENU_LINK = (
    '<li class="menu__item menu__item--level-1" role="menuitem"><a class="menu__link block hover:bg-gray-100" '
    'href="{href}"><span class="menu__icon" aria-hidden="true"></span>{anchor}</a></li>\n'
)
_FOOTER_LINK = '<li class="footer__item text-sm"><a class="footer__link" href="{href}">{anchor}</a></li>\n'
_CARD = """<li class="card card--related flex flex-col md:flex-row border-b border-gray-200 pb-4 mb-4">
<div class="card__image w-full md:w-1/3"><img class="rounded object-cover" loading="lazy" width="320" height="180"
 src="/media/{image:010x}-320.webp" srcset="/media/{image:010x}-640.webp 640w,
 /media/{image:010x}-960.webp 960w" alt=""></div>
<div class="card__body md:pl-4"><a class="card__link font-semibold" href="{href}">{anchor}</a>
<p class="card__meta text-gray-600"><time datetime="2026-01-{day:02}">{day} {month} 2026</time> · {teaser}…</p>
</div></li>
"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title} | {site}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{summary}">
<meta property="og:title" content="{title}">
<meta property="og:type" content="article">
<meta property="og:description" content="{summary}">
<meta name="twitter:card" content="summary_large_image">
<link rel="canonical" href="{url}">
<link rel="stylesheet" href="/static/site.css?v=41">
<link rel="icon" href="/favicon.ico">
<style>{style}</style>
<script type="application/ld+json">{{"@context":"https://schema.org","@type":"Article","headline":"{title}",\
"description":"{summary}","publisher":{{"@type":"Organization","name":"{site}"}}}}</script>
<script>{script}</script>
</head>
<body class="page page--article page-{number}">
<a class="skip" href="#content">Skip to content</a>
<header class="header" role="banner">
<div class="header__brand"><a href="/" title="{site}"><svg viewBox="0 0 120 40" width="120" height="40"><path
 d="M10 30L30 10l20 20H10zm50 0V10h8l8 12 8-12h8v20h-7V20l-7 10h-4l-7-10v10z" fill="currentColor"/></svg>{site}</a>
</div>
<nav class="header__nav"><ul class="header__list">
{header}</ul></nav>
<form class="search" action="/search" method="get"><input type="search" name="q" placeholder="Search">
<button>Go</button></form>
</header>
<div class="layout grid grid-cols-12 gap-6">
<nav class="menu col-span-3" aria-label="Sections"><ul class="menu__list">
{menu}</ul></nav>
<main id="content" class="col-span-9">
<nav class="breadcrumbs"><a href="/">Home</a> › <span>{title}</span></nav>
<article class="article" itemscope itemtype="https://schema.org/Article">
<h1 class="article__title" itemprop="headline">{title}</h1>
<p class="article__lead">{summary}</p>
<figure class="article__figure"><img src="/media/lead-{number}.webp" width="1200" height="675" alt="{title}">
<figcaption>{title}</figcaption></figure>
{article}</article>
</main>
<aside class="related col-span-12" aria-label="Related"><h2 class="related__title">More to read</h2>
<ul class="related__list">
{related}</ul></aside>
</div>
<footer class="footer"><div class="footer__columns"><ul class="footer__list">
{footer}</ul></div>
<p class="footer__legal">© 2026 {site}. All rights reserved. No part of this site may be copied without leave.</p>
</footer>
</body>
</html>
"""
