"""An earlier crawl made by hand: trains lead to trains, and a directory of health pages leads to dengue."""

from collections.abc import Iterable, Iterator, Sequence

from small_crawl import visit

from honeyguide.model import Visit

DENGUE = "Dengue is a fever that the mosquito Aedes carries; headache and pain in the joints are its signs."
HEALTH = "Health portal: a directory of diseases and clinics, an index of links for patients and doctors."
PORTAL = "Web portal: weather, sports, horoscopes and a catalogue of all kinds of sites on the net."
TRAINS = "Trains run on rails; timetables of stations, carriages and engines for passengers."


class SmallLog:
    """Visits in a list (role VisitLog)."""

    def __init__(self, visits: Sequence[Visit]) -> None:
        self._visits = visits

    def __iter__(self) -> Iterator[Visit]:
        return iter(self._visits)

    def __len__(self) -> int:
        return len(self._visits)

    def backlinks(self, url: str) -> Iterable[str]:
        return [
            one.url for one in self._visits if one.page and any(link.url == url for link in one.page.links)
        ]


def earlier_visits() -> list[Visit]:
    """Portals lead to health pages, those to dengue, and trains to trains."""
    visits = []
    for n, name in enumerate(("alpha", "beta", "gamma", "delta")):
        visits += [
            visit(f"portal{n}", [f"health{n}", f"train{n}"], text=f"{PORTAL} Edition {name}."),
            visit(f"health{n}", [f"dengue{n}", f"portal{n}"], text=f"{HEALTH} Volume {name}."),
            visit(f"dengue{n}", [f"dengue{(n + 1) % 4}", f"train{n}"], text=DENGUE, relevance=0.9),
            visit(f"train{n}", [f"train{(n + 1) % 4}"], text=f"{TRAINS} Line {name}."),
        ]
    return visits


def earlier_crawl() -> SmallLog:
    return SmallLog(earlier_visits())
