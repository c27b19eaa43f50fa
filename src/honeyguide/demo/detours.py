"""The same page again: redirects of every sort, copies, mirrors."""

import re
from dataclasses import replace
from html import escape

from honeyguide.demo.draft import Article, Draft
from honeyguide.demo.markup import Reference, listing
from honeyguide.demo.prose import TOPIC
from honeyguide.demo.resource import Resource
from honeyguide.demo.sites import MIRRORS

HOST = "old-archive.test"
MIRROR_LIST = "lab-bench.test", "/mirrors"


def redirects(draft: Draft) -> None:
    """Addresses that lead elsewhere, well or badly."""
    for kind, status, number in (("301", 301, 2), ("302", 302, 2), ("308", 308, 1)):
        for copy in range(number):
            end = draft.some(HOST, (TOPIC, "city")[copy])
            _redirect(draft, f"/moved/{kind}-{copy + 1}", status, end, kind=f"redirect-{kind}")
    end = draft.some("tropical-health.test", TOPIC)
    _redirect(draft, "/moved/abroad", 301, end, kind="redirect-cross-host")
    end = draft.some(HOST, TOPIC)
    for step in (1, 2, 3):
        following = f"/chain/{step + 1}" if step < 3 else end.target
        _place(draft, f"/chain/{step}", 302, following)
        same_as = draft.url(end.host, end.target)
        draft.enter(
            HOST, f"/chain/{step}", "redirect-chain", topics={TOPIC}, fetchable=False, same_as=same_as
        )
    draft.refer(draft.some("", TOPIC), HOST, "/chain/1", "dengue papers, new address")
    drafts = next(each for each in draft.articles if each.kind == "robots-disallowed" and each.topic == TOPIC)
    away = draft.href(drafts.host, drafts.target, source=HOST)
    for target, location, kind in (
        ("/round/1", "/round/2", "redirect-loop"),
        ("/round/2", "/round/1", "redirect-loop"),
        ("/round/self", "/round/self", "redirect-loop"),
        ("/inside/1", "http://10.0.0.1/", "redirect-private"),
        ("/inside/2", "http://169.254.169.254/latest/meta-data/", "redirect-private"),
        ("/inside/3", "http://[fd00::1]/dengue", "redirect-private"),
        ("/drafts-copy", away, "redirect-disallowed"),
        ("/files", "ftp://files.old-archive.test/dengue.txt", "redirect-foreign"),
    ):
        _place(draft, target, 302, location)
        draft.enter(HOST, target, kind, topics={TOPIC}, fetchable=False)
        if target != "/round/2":
            draft.refer(draft.some("", TOPIC, "city"), HOST, target, f"dengue papers, shelf {target[1:]}")


def _redirect(draft: Draft, target: str, status: int, end: Article, *, kind: str) -> None:
    _place(draft, target, status, draft.href(end.host, end.target, source=HOST if status != 301 else ""))
    same_as = draft.url(end.host, end.target)
    draft.enter(HOST, target, kind, topics={end.topic}, fetchable=False, same_as=same_as)
    draft.refer(draft.some("", end.topic), HOST, target, end.title)


def _place(draft: Draft, target: str, status: int, location: str) -> None:
    body = f'<title>Moved</title><p>Moved to <a href="{location}">{location}</a>.'.encode()
    draft.put(HOST, target, Resource(body, status, headers=(("Location", location),)))


def announce_copies(draft: Draft) -> list[tuple[Article, str, str, str]]:
    """Choose articles to copy and link to the copies: original, host, target, kind."""
    copies = []
    for number, (host, topic) in enumerate(
        (("dengue-watch.test", TOPIC), ("tropical-health.test", TOPIC), ("goal-kick.test", "football"))
    ):
        for kind, folder in (("exact", "copies"), ("near", "editions"), ("print", "print")):
            original = draft.some(host, topic)
            where = HOST if kind == "exact" and number == 1 else host
            target = f"/{folder}/{number + 1}"
            copies.append((original, where, target, f"duplicate-{kind}"))
            words = f"{original.title} (printable)" if kind == "print" else original.title
            draft.refer(original if kind == "print" else draft.some(host, topic), where, target, words)
    for topic in (TOPIC, "asthma"):
        original = draft.some("tropical-health.test" if topic == TOPIC else "asthma-clinic.test", topic)
        original.kind = "tracked"
        for campaign in ("?utm_source=letter&utm_medium=email", "?fbclid=IwAR2x9", "#symptoms"):
            draft.link(draft.some("", topic), original, original.label, query=campaign)
    page = draft.write("health-desk.test", TOPIC, target="/view?id=12&lang=en", kind="parameters")
    for target in (page.target, "/view?lang=en&id=12"):
        draft.refer(draft.some("health-desk.test"), page.host, target, page.title)
    draft.refer(draft.some("lab-bench.test"), *MIRROR_LIST, "the mirror of the River Institute")
    mirror = draft.href("www.river-institute.test", "/", source="")
    draft.notices["mosquito-watch.test"].append(Reference(mirror, "River Institute, our partner"))
    return copies


def make_copies(draft: Draft, copies: list[tuple[Article, str, str, str]]) -> None:
    """Write the announced copies out, now that their originals are written."""
    for original, host, target, kind in copies:
        body = _copied(draft, original, host, kind)
        draft.put(host, target, Resource(body.encode()))
        same_as = draft.url(original.host, original.target)
        draft.enter(host, target, kind, topics={original.topic}, same_as=same_as)
    body_of = {(page.host, page.target): page.html for page in draft.articles}
    parameters = "health-desk.test", "/view?id=12&lang=en"
    draft.put("health-desk.test", "/view?lang=en&id=12", Resource(body_of[parameters].encode()))
    for site in draft.sites.values():
        if site.layout == "tables" and site.sections:
            draft.put(site.host, "/index.html", draft.resources[site.host, "/"])
            draft.enter(
                site.host,
                "/index.html",
                "duplicate-index",
                topics=site.about,
                same_as=draft.url(site.host, "/"),
            )


def make_mirrors(draft: Draft) -> None:
    """Give every page of a mirrored host a second address, and list those in one place.

    The copies link back to the originals: a crawler that follows no links of duplicates must be able to
    find both, whichever it meets first.
    """
    for mirror, host in MIRRORS.items():
        links = []
        for (where, target), resource in list(draft.resources.items()):
            if where == host:
                copy = resource.body.replace(
                    b'href="/', f'href="{draft.href(host, "/", source=mirror)}'.encode()
                )
                draft.put(mirror, target, replace(resource, body=copy, delay=0.0))
                entry = draft.entries.get(draft.url(host, target))
                if entry is not None:
                    same_as = entry.same_as or entry.url
                    draft.enter(mirror, target, "duplicate-mirror", topics=entry.topics, same_as=same_as)
                    links.append(Reference(draft.href(mirror, target, source=MIRROR_LIST[0]), target))
        draft.put(*MIRROR_LIST, draft.page(MIRROR_LIST[0], f"Mirror of {host}", listing(links)))
        draft.enter(*MIRROR_LIST, "hub")


def _copied(draft: Draft, original: Article, host: str, kind: str) -> str:
    html = original.html
    if kind == "duplicate-near":
        return re.sub(r'<p class="date">[^<]*', '<p class="date">Last edited on a Sunday in May', html)
    if kind == "duplicate-print":
        text = html[html.index("<h1>") : html.rindex("<h2>")]
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(original.title)}</title>'
            f'<link rel="canonical" href="{original.target}"></head><body>{text}</body></html>'
        )
    if host == original.host:
        return html
    return html.replace('href="/', f'href="{draft.href(original.host, "/", source="")}')
