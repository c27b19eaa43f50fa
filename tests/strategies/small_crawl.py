"""Visits made by hand: pages named by letters that link to each other."""

from collections.abc import Iterable, Sequence

from honeyguide.model import Candidate, Link, Page, Verdict, Visit
from honeyguide.roles import Strategy

SITE = "https://site.example/"


def visit(
    name: str, targets: Iterable[str], *, relevance: float = 0.0, depth: int = 0, text: str = ""
) -> Visit:
    """A page that links to others, each with its name as anchor."""
    url = SITE + name
    links = tuple(Link(SITE + target, url, target) for target in targets)
    page = Page(url, name, text, "en", links)
    verdict = Verdict(relevance, relevance > 0.5, relevance - 0.5, judge="hand@1")
    return Visit(Candidate(Link(url), 0.0, depth), page=page, verdict=verdict, status=200)


def see(strategy: Strategy, *visits: Visit) -> dict[str, float]:
    """The scores of what waits after some visits, by name, as a queue that asks for changes would have them."""
    scores: dict[str, Candidate] = {}
    seen: set[str] = set()
    for one in visits:
        seen.add(one.url)
        for candidate in strategy.expand(one):
            waiting = scores.get(candidate.url)
            scores[candidate.url] = strategy.combine(waiting, candidate) if waiting else candidate
        for url, score in strategy.changes():
            scores[url] = scores[url]._replace(score=score)
    return {url.removeprefix(SITE): candidate.score for url, candidate in scores.items() if url not in seen}


def in_order(scores: dict[str, float]) -> Sequence[str]:
    """Names, the best first; equals in the order found."""
    return sorted(scores, key=lambda name: -scores[name])
