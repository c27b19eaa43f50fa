"""What sites ask of crawlers, and sites in trouble: robots, delays, retries, failures."""

from honeyguide.demo.draft import Draft
from honeyguide.demo.markup import Reference, listing, paragraph
from honeyguide.demo.prose import TOPIC
from honeyguide.demo.resource import Resource
from honeyguide.demo.sites import DEAD, MIRRORS

WITHOUT_ROBOTS = "green-balcony.test"
FLAKY_ROBOTS = "brass-band.test"
NO_ENTRY = "no-entry.test"

_RULES = {
    "tropical-health.test": "Disallow: /drafts/\nAllow: /drafts/public/\n",
    "mosquito-watch.test": "Crawl-delay: 0.2\nDisallow: /wp-admin/\n",
    "goal-kick.test": "Disallow: /members/\nDisallow: /*?sort=\n",
    FLAKY_ROBOTS: "Disallow: /minutes/\n",
    NO_ENTRY: "Disallow: /\n",
}
_SITEMAPS = {
    "tropical-health.test": "/sitemap_index.xml",
    "goal-kick.test": "/sitemap.xml",
}


def robots_files(draft: Draft) -> None:
    """Every host's robots.txt, but for one that has none."""
    for host in draft.sites:
        if host == WITHOUT_ROBOTS or host in DEAD or host in MIRRORS:
            continue
        text = "User-agent: *\n" + _RULES.get(host, "Disallow:\n")
        text += "\nUser-agent: GreedyBot\nDisallow: /\n"
        if host in _SITEMAPS:
            text += f"\nSitemap: {draft.href(host, _SITEMAPS[host], source='')}\n"
        failures = 1 if host == FLAKY_ROBOTS else 0
        rules = Resource(text.encode(), content_type="text/plain", failures=failures, failing=500)
        draft.put(host, "/robots.txt", rules)


def requests(draft: Draft) -> None:
    """Pages that robots.txt, meta elements, headers or links ask crawlers to leave alone."""
    for topic in (TOPIC, TOPIC, "malaria"):
        hidden = draft.write(
            "tropical-health.test", topic, folder="drafts", kind="robots-disallowed", fetchable=False
        )
        draft.link(draft.some("tropical-health.test", topic), hidden)
    public = draft.write("tropical-health.test", TOPIC, folder="drafts/public", kind="robots-allowed")
    draft.link(draft.some("tropical-health.test", TOPIC), public)
    for _ in range(2):
        members = draft.write(
            "goal-kick.test", "football", folder="members", kind="robots-disallowed", fetchable=False
        )
        draft.link(draft.some("goal-kick.test"), members)
    sort = draft.write(
        "goal-kick.test", "football", target="/table?sort=goals", kind="robots-disallowed", fetchable=False
    )
    draft.link(draft.some("goal-kick.test"), sort)
    _no_entry(draft)
    _robots_elements(draft)


def _no_entry(draft: Draft) -> None:
    site = draft.sites[NO_ENTRY]
    inside = [
        draft.write(NO_ENTRY, topic, folder="rooms", kind="host-disallowed", fetchable=False)
        for topic in (TOPIC, "city")
    ]
    links = listing(Reference(each.target, each.title) for each in inside)
    draft.put(NO_ENTRY, "/", draft.page(NO_ENTRY, site.title, paragraph(site.intro) + links))
    draft.enter(NO_ENTRY, "/", "host-disallowed", topics={"city"}, fetchable=False)
    draft.refer(draft.some("city-notes.test"), NO_ENTRY, "/", "the members' club")
    draft.link(draft.some("dengue-watch.test"), inside[0])


def _robots_elements(draft: Draft) -> None:
    for host, topic in (
        ("dengue-watch.test", TOPIC),
        ("tropical-health.test", TOPIC),
        ("asthma-clinic.test", "asthma"),
    ):
        for kind, head, header in (
            ("noindex", '<meta name="robots" content="noindex">', ""),
            ("x-robots-noindex", "", "noindex"),
        ):
            headers = (("X-Robots-Tag", header),) if header else ()
            page = draft.write(
                host, topic, folder="updates", kind=kind, head=head, served=Resource(headers=headers)
            )
            draft.link(draft.some(host, topic), page)
    for kind, head, headers in (
        ("nofollow", '<META NAME="ROBOTS" CONTENT="NOARCHIVE, NOFOLLOW">', ()),
        ("x-robots-nofollow", "", (("X-Robots-Tag", "nofollow"),)),
    ):
        host = "mosquito-watch.test"
        page = draft.write(
            host, "mosquitoes", folder="updates", kind=kind, head=head, served=Resource(headers=headers)
        )
        draft.link(draft.some(host, "mosquitoes"), page)
        beyond = draft.write(host, "mosquitoes", folder="beyond", kind="nofollow-only", fetchable=False)
        draft.link(page, beyond)
    advert = draft.write("travel-far.test", "travel", folder="adverts", kind="nofollow-only", fetchable=False)
    markup = f'<a rel="sponsored nofollow" href="{{}}">{advert.title}</a>'
    draft.link(draft.some("travel-far.test", "travel"), advert, markup=markup)


def trouble(draft: Draft) -> None:
    """Pages that want patience, and some that no patience helps."""
    host = "health-desk.test"
    for kind, failing, topics in (
        ("retry-503", 503, (TOPIC, TOPIC, "asthma")),
        ("retry-429", 429, (TOPIC, "asthma")),
    ):
        for topic in topics:
            served = Resource(failures=1, failing=failing)
            busy = draft.write(host, topic, folder="letters", kind=kind, served=served)
            draft.link(draft.some(host, topic), busy)
    slow = Resource(pieces=16, pause=0.1)
    drip = draft.write("river-institute.test", TOPIC, folder="data", kind="drip", served=slow)
    draft.link(draft.some("river-institute.test", TOPIC), drip)
    for topic in (TOPIC, "mosquitoes"):
        cut = draft.write("lab-bench.test", topic, folder="data", kind="cut-off", served=Resource(cut=True))
        draft.link(draft.some("lab-bench.test", topic), cut)
    for target, topic, words in (
        ("/", TOPIC, "the old dengue map"),
        ("/dengue/archive", TOPIC, "dengue reports before 2010"),
        ("/scores", "football", "all scores since 1888"),
    ):
        (dead,) = DEAD
        draft.enter(dead, target, "dead-host", topics={topic}, fetchable=False)
        draft.refer(draft.some("", topic), dead, target, words)
    for host, target, status, words in (
        ("dengue-watch.test", "/bulletins/week-99", 404, "the dengue bulletin of week 99"),
        ("tropical-health.test", "/dengue/poster", 404, "a poster about dengue"),
        ("goal-kick.test", "/reports/postponed", 404, "the match that never was"),
        ("kitchen-table.test", "/soups/stone-soup.html", 404, "stone soup"),
        ("dengue-watch.test", "/old-map", 410, "our first dengue map"),
        ("travel-far.test", "/planning/airline-guide", 410, "a guide to airlines"),
        ("lab-bench.test", "/query", 500, "the mosquito database"),
    ):
        notice = draft.page(host, "Not here", paragraph("There is nothing at this address.")).body
        draft.put(host, target, Resource(notice, status))
        draft.enter(host, target, f"broken-{status}", fetchable=False)
        draft.refer(draft.some(host), host, target, words)
