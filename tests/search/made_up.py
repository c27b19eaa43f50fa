"""A crawl in memory, as an index reads one."""

from collections.abc import Iterator
from dataclasses import replace

from honeyguide.model import Candidate, Link, Page, Verdict, Visit
from honeyguide.urls import url_hash

DAY = 86_400
FIRST_DAY = 1_767_225_600
"""The beginning of 2026."""


class MadeUpCrawl:
    """Pages as they are visited, one a day."""

    def __init__(self) -> None:
        self.visits: list[Visit] = []
        self.found: list[tuple[int, int, int, str]] = []
        self.read = 0

    def add(
        self,
        url: str,
        text: str = "",
        *,
        title: str = "",
        language: str = "en",
        relevance: float = 0.0,
        label: str = "",
        headings: tuple[str, ...] = (),
        noindex: bool = False,
        duplicate_of: str = "",
        to: tuple[tuple[str, str], ...] = (),
    ) -> "MadeUpCrawl":
        """Visit a page; `to` are its links and their anchors."""
        number = len(self.visits) + 1
        page = Page(url, title=title, text=text, language=language, headings=headings, noindex=noindex)
        verdict = Verdict(relevance, relevance > 0.5, label=label)
        self.visits.append(
            Visit(
                Candidate(Link(url), 0.0),
                page=page,
                verdict=verdict,
                status=200,
                duplicate_of=duplicate_of,
                at=FIRST_DAY + DAY * (number - 1),
                number=number,
            )
        )
        self.found += [(number, url_hash(url), url_hash(target), anchor) for target, anchor in to]
        return self

    def fail(self, url: str) -> "MadeUpCrawl":
        """Visit a page in vain."""
        visit = Visit(Candidate(Link(url), 0.0), status=500, number=len(self.visits) + 1)
        self.visits.append(visit)
        return self

    def until(self, number: int) -> "MadeUpCrawl":
        """The same crawl when it had made so many visits."""
        earlier = MadeUpCrawl()
        earlier.visits, earlier.found = self.visits[:number], self.found
        return earlier

    def last(self) -> int:
        return len(self.visits)

    def after(self, number: int) -> Iterator[Visit]:
        for visit in self.visits[number:]:
            self.read += 1
            yield replace(visit)

    def links(self, until: int) -> Iterator[tuple[int, int, str]]:
        return ((source, target, anchor) for visit, source, target, anchor in self.found if visit <= until)


def mosquitoes() -> MadeUpCrawl:
    """Four pages in two languages."""
    return (
        MadeUpCrawl()
        .add(
            "https://www.who.int/dengue",
            "Mosquitoes carry dengue fever. Aedes aegypti bites by day.",
            title="Dengue",
            relevance=0.9,
            label="health",
            headings=("How it spreads",),
        )
        .add(
            "https://malaria.example/nets",
            "A mosquito net helps against malaria at night.",
            title="Nets",
            relevance=0.2,
            to=(("https://www.who.int/dengue", "breakbone fever"),),
        )
        .add(
            "https://de.example/muecken",
            "Die Häuser am Fluss sind voller Mücken.",
            title="Mücken",
            language="de",
            relevance=0.6,
            label="health",
        )
        .add("https://who.int/about", "The organisation and its people.", title="About", relevance=0.1)
    )
