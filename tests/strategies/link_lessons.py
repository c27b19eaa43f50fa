"""Pages whose links all have the words they are given, for strategies that learn from such words."""

from collections.abc import Sequence

from honeyguide.model import Candidate, Link, Page, Verdict, Visit

SITE = "https://site.example/"


def link(name: str, anchor: str, context: str = "") -> Link:
    return Link(SITE + name, SITE, anchor, context)


def seen(found: Link, relevance: float, links: Sequence[Link] = (), *, label: str = "") -> Visit:
    """The page behind a link, as relevant as it is said to be; its margin runs from -1 to 1."""
    page = Page(found.url, "", "Some text.", "en", tuple(links))
    margin = 2 * relevance - 1
    verdict = Verdict(relevance, margin > 0, margin, label, judge="hand@1")
    return Visit(Candidate(found, 0.0), page=page, verdict=verdict, status=200)
