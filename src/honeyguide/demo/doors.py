"""Ways to a page other than a plain link: odd links, image maps, headers, feeds, sitemaps."""

import gzip
from collections.abc import Sequence
from email.utils import formatdate
from html import escape

from honeyguide.demo.draft import Article, Draft
from honeyguide.demo.markup import paragraph
from honeyguide.demo.prose import TOPIC
from honeyguide.demo.resource import Resource

_RSS = "application/rss+xml; charset=utf-8"
_ATOM = "application/atom+xml; charset=utf-8"
_XML = "application/xml"
_PUBLISHED = 1_790_000_000

_ODD = {
    "linked-bare": '<a href="{}"></a>',
    "linked-image": '<a href="{}"><img src="/images/photo.png"></a>',
    "linked-image-alt": '<a href="{}"><img src="/images/photo.png" alt="Children with dengue under a net"></a>',
    "linked-title": '<a href="{}" title="A dengue ward in the rainy season">&raquo;</a>',
    "linked-area": (
        '<img src="/images/photo.png" usemap="#dengue" alt="Map of dengue cases"><map name="dengue">'
        '<area shape="rect" coords="0,0,60,60" href="{}" alt="Dengue in the northern district"></map>'
    ),
    "linked-acronym": '<a href="{}">DENV-2</a>',
    "linked-name": '<a href="{}">Marisol Okafor</a>',
}

_JUNK = """
<p>Write to <a href="mailto:desk@dengue-watch.test?subject=Dengue">the desk</a>, call
<a href="tel:+4412345678">the hotline</a>, open <a href="javascript:void(window.open('/popup'))">the map</a>,
fetch <a href="ftp://files.dengue-watch.test/dengue.csv">the table</a> or look at
<a href="data:text/html,<p>dengue</p>">a picture of nothing</a>. Go <a href="#top">up</a>, <a href="">stay</a>,
or try <a href="http://">nowhere</a>, <a href="http://[broken/">a broken address</a>,
<a href="http://dengue watch.test/">a host with a space</a> and <a>no address at all</a>.</p>
"""


def odd_links(draft: Draft) -> None:
    """Pages that only peculiar links lead to, and a page full of links that lead nowhere."""
    for number, (kind, markup) in enumerate(_ODD.items()):
        host = ("dengue-watch.test", "tropical-health.test")[number % 2]
        draft.link(draft.some(host, TOPIC), draft.write(host, TOPIC, folder="more", kind=kind), markup=markup)
    host = "dengue-watch.test"
    for target, kind in (("/field notes/week 12", "space-path"), ("/brotes/año-2024/niños", "unicode-path")):
        page = draft.write(
            host, TOPIC, target=draft.url(host, target).removeprefix(draft.url(host, "/")[:-1]), kind=kind
        )
        draft.link(draft.some(host, TOPIC), page, markup=f'<a href="{target}">{escape(page.title)}</a>')
    beyond = draft.write(host, TOPIC, folder="series", kind="linked-header")
    links = (("Link", f'<{beyond.target}>; rel="next", </style.css>; rel="preload"; as="style"'),)
    door = draft.write(host, TOPIC, folder="series", served=Resource(headers=links))
    draft.link(draft.some(host, TOPIC), door)
    _page(draft, host, "/contact", "Contact", _JUNK, kind="odd-links", words="how to reach us")
    inside = draft.some("tropical-health.test", TOPIC)
    folder, _, name = inside.target.rpartition("/")
    main = f'<p>The chapters of our handbook on dengue: <a href="{name}">{escape(inside.title)}</a>.</p>'
    base = f'<base href="{folder}/">'
    _page(
        draft,
        "tropical-health.test",
        "/handbook/contents",
        "Handbook",
        main,
        kind="base-href",
        words="handbook",
        head=base,
    )


def _page(
    draft: Draft, host: str, target: str, title: str, main: str, *, kind: str, words: str, head: str = ""
) -> None:
    draft.put(host, target, draft.page(host, title, main, head=head))
    draft.enter(host, target, kind, topics={TOPIC} if kind == "base-href" else ())
    draft.refer(draft.some(host), host, target, words)


def hidden_pages(draft: Draft) -> None:
    """Pages that feeds and sitemaps name and no other page does; announce the feeds."""
    for host, topic, kind in (
        ("dengue-watch.test", TOPIC, "feed-only"),
        ("city-notes.test", "city", "feed-only"),
        ("city-notes.test", TOPIC, "feed-only"),
        ("tropical-health.test", TOPIC, "sitemap-only"),
        ("tropical-health.test", TOPIC, "sitemap-only"),
        ("tropical-health.test", "malaria", "sitemap-only"),
        ("goal-kick.test", "football", "sitemap-only"),
        ("goal-kick.test", "football", "sitemap-only"),
    ):
        draft.write(host, topic, folder="quiet", kind=kind, fetchable=kind == "feed-only")
    for host, target, media in (
        ("dengue-watch.test", "/atom.xml", "atom"),
        ("city-notes.test", "/feed.rss", "rss"),
    ):
        head = f'<link rel="alternate" type="application/{media}+xml" title="Feed" href="{target}">'
        for article in draft.articles:
            if article.host == host:
                article.head += head
        draft.refer(draft.some(host), host, target, f"our {media.upper() if media == 'rss' else 'Atom'} feed")


def feeds_and_sitemaps(draft: Draft) -> None:
    """The feeds and sitemaps themselves, now that all articles are known."""
    host = "dengue-watch.test"
    draft.put(
        host, "/atom.xml", Resource(_atom(draft, host, _news(draft, host)).encode(), content_type=_ATOM)
    )
    draft.enter(host, "/atom.xml", "feed-atom", topics={TOPIC})
    host = "city-notes.test"
    draft.put(host, "/feed.rss", Resource(_rss(draft, host, _news(draft, host)).encode(), content_type=_RSS))
    draft.enter(host, "/feed.rss", "feed-rss", topics={"city"})
    _put_sitemap(draft, "goal-kick.test", "/sitemap.xml", _sitemap(draft, "goal-kick.test"))
    host = "tropical-health.test"
    part = f"<sitemap><loc>{draft.url(host, '/sitemap-pages.xml.gz')}</loc></sitemap>"
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{part}</sitemapindex>'
    _put_sitemap(draft, host, "/sitemap_index.xml", index)
    _put_sitemap(draft, host, "/sitemap-pages.xml.gz", _sitemap(draft, host))


def _news(draft: Draft, host: str) -> list[Article]:
    own = [each for each in draft.articles if each.host == host]
    return [each for each in own if each.kind == "feed-only"] + [each for each in own if each.listed][:8]


def _atom(draft: Draft, host: str, articles: Sequence[Article]) -> str:
    entries = "".join(
        f"<entry><title>{escape(each.title)}</title><id>{draft.url(host, each.target)}</id>"
        f'<link rel="alternate" href="{each.target}"/><summary>{escape(each.label)}</summary></entry>\n'
        for each in articles
    )
    title = escape(draft.sites[host].title)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{title}</title><id>{draft.url(host, '/')}</id>\n{entries}</feed>\n"
    )


def _rss(draft: Draft, host: str, articles: Sequence[Article]) -> str:
    items = "".join(
        f"<item><title>{escape(each.title)}</title><link>{draft.url(host, each.target)}</link>"
        f"<pubDate>{formatdate(_PUBLISHED - 86_400 * age, usegmt=True)}</pubDate>"
        f"<description><![CDATA[{paragraph(each.label)}]]></description></item>\n"
        for age, each in enumerate(articles)
    )
    title = escape(draft.sites[host].title)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel>'
        f"<title>{title}</title><link>{draft.url(host, '/')}</link>\n{items}</channel></rss>\n"
    )


def _sitemap(draft: Draft, host: str) -> str:
    urls = "".join(
        f"<url><loc>{escape(draft.url(host, each.target))}</loc></url>\n"
        for each in draft.articles
        if each.host == host and (each.listed or each.kind == "sitemap-only")
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    )


def _put_sitemap(draft: Draft, host: str, target: str, text: str) -> None:
    packed = target.endswith(".gz")
    body = gzip.compress(text.encode(), mtime=0) if packed else text.encode()
    draft.put(host, target, Resource(body, content_type="application/gzip" if packed else _XML))
    draft.enter(host, target, "sitemap", fetchable=False)
