"""The ordinary part of the web: articles by section, front pages, guides, and who links to whom.

Links stay on their topic most of the time, as on the real web; across topics they follow `NEIGHBOURS`.
"""

from collections.abc import Mapping
from random import Random

from honeyguide.demo.draft import Article, Draft
from honeyguide.demo.markup import Reference, listing, paragraph
from honeyguide.demo.prose import TOPIC
from honeyguide.demo.sites import Section, Site

NEIGHBOURS: Mapping[str, Mapping[str, int]] = {
    TOPIC: {TOPIC: 86, "mosquitoes": 6, "malaria": 6, "travel": 2},
    "malaria": {"malaria": 64, "mosquitoes": 18, "travel": 12, TOPIC: 6},
    "mosquitoes": {"mosquitoes": 56, "malaria": 14, "gardening": 22, TOPIC: 8},
    "travel": {"travel": 78, "city": 10, "cooking": 8, "malaria": 3, TOPIC: 1},
    "gardening": {"gardening": 70, "cooking": 16, "mosquitoes": 6, "city": 8},
    "asthma": {"asthma": 82, "gardening": 8, "city": 10},
    "football": {"football": 86, "city": 14},
    "cooking": {"cooking": 70, "gardening": 20, "travel": 10},
    "city": {"city": 60, "football": 16, "cooking": 8, "asthma": 8, "travel": 8},
}
"""How many links in a hundred from a topic (left) lead to which."""

GUIDES = (
    ("respiratory-medicine", "Respiratory medicine", ("asthma",)),
    ("tropical-medicine", "Tropical medicine", ("malaria", "mosquitoes")),
    ("sport", "Sport and clubs", ("football",)),
    ("gardens", "Gardens and plants", ("gardening",)),
    ("food", "Food and cookery", ("cooking",)),
    ("journeys", "Journeys", ("travel",)),
    ("insects", "Insects", ("mosquitoes",)),
    ("local", "Local history and news", ("city",)),
)
READING_LIST = "/guides/dengue-reading-list"
LIBRARY = "campus-library.test"

_PER_PAGE = 15
_NOTES = (
    "clear and short",
    "with figures",
    "good for students",
    "first-hand",
    "often updated",
    "a little dated",
)


def plan(draft: Draft) -> None:
    """Every listed article of every site, and the page that the portal's menu calls medical."""
    for site in draft.sites.values():
        for section in site.sections:
            for topic, count in section.articles:
                for _ in range(count):
                    draft.write(
                        site.host,
                        topic,
                        folder=section.folder,
                        aspects=section.aspects,
                        kind=site.kind,
                        listed=True,
                    )
    draft.write("fever-portal.test", "football", target="/about", kind="portal")


def connect(draft: Draft) -> None:
    """Links between listed articles: related ones on the same site, kindred ones on others."""
    listed = [each for each in draft.articles if each.listed]
    homes = [site for site in draft.sites.values() if site.about and not site.hidden]
    for article in draft.articles:
        rng = draft.random("links", article.host, article.target)
        own = [each for each in listed if each.host == article.host and each is not article]
        kin = [each for each in own if each.topic == article.topic] or own
        article.related = [
            Reference(each.target, draft.words_for(each, rng)) for each in rng.sample(kin, min(4, len(kin)))
        ]
        for _ in range(rng.choice((1, 2, 2, 3))):
            _link_across(draft, article, listed, homes, rng)


def _link_across(
    draft: Draft, article: Article, listed: list[Article], homes: list[Site], rng: Random
) -> None:
    weights = NEIGHBOURS[article.topic]
    topic = rng.choices(list(weights), list(weights.values()))[0]
    if rng.random() < 0.15:
        sites = [site for site in homes if topic in site.about and site.host != article.host]
        if sites:
            site = rng.choice(sites)
            draft.refer(article, site.host, "/", site.title)
            return
    found = [
        each
        for each in listed
        if each.topic == topic and each.host != article.host and not draft.sites[each.host].hidden
    ]
    if found:
        target = rng.choice(found)
        draft.link(article, target, draft.words_for(target, rng))


def tunnels(draft: Draft) -> None:
    """Pages on the topic that can only be reached across pages that are off it."""
    for host, topic, aspects in (
        ("green-balcony.test", "gardening", ("control", "transmission")),
        ("green-balcony.test", "gardening", ("control", "transmission")),
        ("goal-kick.test", "football", ("living",)),
        ("kitchen-table.test", "cooking", ("living",)),
        ("asthma-clinic.test", "asthma", ("diagnosis",)),
    ):
        hidden = draft.write(host, TOPIC, folder="notebook", aspects=aspects, kind="tunnel")
        for _ in range(2):
            draft.link(draft.some(host, topic), hidden)
    for host in ("city-notes.test", "green-balcony.test"):
        draft.refer(draft.some(host, "city", "gardening"), "breakbone-diary.test", "/", "a nurse's notebook")


def front_pages(draft: Draft) -> None:
    """The home page and the lists of every site that has sections."""
    for site in draft.sites.values():
        if not site.sections:
            continue
        latest = []
        for section in site.sections:
            articles = [
                each
                for each in draft.articles
                if each.listed and each.target.startswith(f"/{section.folder}/") and each.host == site.host
            ]
            latest += articles[:2]
            _section_pages(draft, site, section, articles)
        sections = [Reference(f"/{each.folder}/", each.title) for each in site.sections]
        main = [paragraph(site.intro), "<h2>Sections</h2>", listing(sections), "<h2>New on this site</h2>"]
        main.append(
            listing([*(Reference(each.target, each.title) for each in latest), *draft.notices[site.host]])
        )
        draft.put(site.host, "/", draft.page(site.host, site.title, "\n".join(main)))
        draft.enter(site.host, "/", "tunnel" if site.hidden else "home", topics=site.about)


def _section_pages(draft: Draft, site: Site, section: Section, articles: list[Article]) -> None:
    topics = {topic for topic, count in section.articles if 2 * count >= len(articles)}
    rng = draft.random("section", site.host, section.folder)
    for number, start in enumerate(range(0, len(articles), _PER_PAGE), 1):
        target = f"/{section.folder}/" + (f"?page={number}" if number > 1 else "")
        shown = articles[start : start + _PER_PAGE]
        links = [
            Reference(each.target, each.title, draft.prose.fill("{month} {year}", each.setting, rng))
            for each in shown
        ]
        main = [
            paragraph(_taste(draft, shown[0], rng)),
            paragraph(f"Articles {start + 1} to {start + len(shown)} of {len(articles)}:"),
            listing(links),
        ]
        if start + _PER_PAGE < len(articles):
            main.append(listing([Reference(f"/{section.folder}/?page={number + 1}", "Older articles")]))
        draft.put(site.host, target, draft.page(site.host, section.title, "\n".join(main)))
        draft.enter(site.host, target, "section", topics=topics)


def _taste(draft: Draft, article: Article, rng: Random) -> str:
    """A few sentences on the subject of an article."""
    sentences = [
        each
        for aspect in draft.prose.topics[article.topic]
        if aspect.name == article.aspect
        for each in rng.sample(aspect.sentences, 3)
    ]
    return " ".join(draft.prose.fill(each, article.setting, rng) for each in sentences)


def guides(draft: Draft) -> None:
    """The library: a front page, a guide for each subject, and a reading list on the topic."""
    names = [Reference(f"/guides/{name}", title) for name, title, _ in GUIDES]
    intro = paragraph(draft.sites[LIBRARY].intro)
    _hub(draft, "/", "Guides by subject", intro + listing([*names, *draft.notices[LIBRARY]]), ())
    for name, title, topics in GUIDES:
        main = [
            paragraph(f"Sites and pages on {title.lower()}, chosen by the library."),
            _choice(draft, topics, 12),
        ]
        if name == "tropical-medicine":
            further = [Reference(READING_LIST, "Dengue: a reading list"), _home(draft, "fever-portal.test")]
            main += ["<h2>Further guides</h2>", listing(further)]
        _hub(draft, f"/guides/{name}", title, "\n".join(main), topics)
    intro = paragraph(
        "Dengue fever on the web: where to read about the virus, the illness and its prevention."
    )
    _hub(draft, READING_LIST, "Dengue: a reading list", intro + _choice(draft, (TOPIC,), 14), (TOPIC,))


def _hub(draft: Draft, target: str, title: str, main: str, topics: tuple[str, ...]) -> None:
    draft.put(LIBRARY, target, draft.page(LIBRARY, title, main))
    draft.enter(LIBRARY, target, "hub", topics=topics)


def _choice(draft: Draft, topics: tuple[str, ...], size: int) -> str:
    """Links to sites about these topics and to some of the articles on them."""
    rng = draft.random("guide", *topics)
    sites = [site for site in draft.sites.values() if site.about & set(topics) and not site.hidden]
    articles = [
        each
        for each in draft.articles
        if each.listed
        and each.topic in topics
        and each.kind != "portal"
        and not draft.sites[each.host].hidden
    ]
    chosen = [_home(draft, site.host) for site in sites if site.kind != "portal"]
    chosen += [
        Reference(draft.href(each.host, each.target, source=LIBRARY), each.title, rng.choice(_NOTES))
        for each in rng.sample(articles, size - len(chosen))
    ]
    return listing(chosen)


def _home(draft: Draft, host: str) -> Reference:
    site = draft.sites[host]
    return Reference(draft.href(host, "/", source=LIBRARY), site.title, site.tagline)
