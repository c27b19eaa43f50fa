"""Where the pages of a synthetic web live, and the chance that decides it."""

from random import Random

from xxhash import xxh3_64_intdigest

from honeyguide.bench.synthetic.plan import Kind, Plan, Spot
from honeyguide.bench.synthetic.text import SYLLABLES, spell

_SYLLABLES = 4  # longer than any word, so that no address or host sounds like a topic
MOST_NAMES: int = len(SYLLABLES) ** _SYLLABLES
_DAYS, _MONTHS, _FIRST_YEAR = 28, 12, 1970
CALENDAR_STEPS = (1, _DAYS, _DAYS * _MONTHS, -1)
"""Where a day of a calendar leads: the next, the same of next month and of next year, the one before."""


class Chance:
    """Chance that depends on the seed, on what it decides and on the page alone.

    Only `random` and `choices` of what it hands out are used: Python promises to keep the former, and the
    latter is made of it, so a web stays the same from one version to the next.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def draws(self, purpose: str, page: int = 0) -> Random:
        """As many draws as are wanted."""
        return Random(self.hash(purpose, page))

    def one(self, purpose: str, page: int) -> float:
        """One draw, from 0 up to, but not, 1."""
        return (self.hash(purpose, page) >> 11) / (1 << 53)

    def hash(self, purpose: str, page: int = 0) -> int:
        """64 bits."""
        digest: int = xxh3_64_intdigest(f"{self.seed} {purpose} {page}".encode())
        return digest


class Addresses:
    """Gives every page a host and an address that do not tell its number."""

    def __init__(self, chance: Chance, plan: Plan, hosts: int) -> None:
        self._chance = chance
        self._plan = plan
        self._hosts = hosts
        # Times an odd number, plus any number: another order of all the names there are.
        self._page_order = 2 * chance.hash("address") + 1, chance.hash("first address")
        self._host_order = 2 * chance.hash("host") + 1, chance.hash("first host")

    def url(self, page: int, spot: Spot) -> str:
        """The address of a page."""
        name = self.host_name(self.host(page, spot))
        if spot.kind is Kind.CALENDAR:
            return f"http://{name}.test/calendar/{date(spot.step)}/"
        return f"http://{name}.test/{_name(page, *self._page_order)}"

    def host_name(self, host: int) -> str:
        """What a host is called, without its ending."""
        return _name(host, *self._host_order)

    def host(self, page: int, spot: Spot) -> int:
        """The number of a page's host: one of its topic's, some larger than others, where there are enough."""
        if spot.kind is Kind.CALENDAR:
            return spot.number
        chance = self._chance.one("place", page)
        if spot.topic is None or spot.kind is Kind.COPY:
            return int(chance * self._hosts)
        topics = self._plan.topics
        if self._hosts < topics:
            return spot.topic % self._hosts
        own = (self._hosts - spot.topic + topics - 1) // topics
        return spot.topic + topics * int(chance * chance * own)


def _name(number: int, factor: int, offset: int) -> str:
    return spell((number * factor + offset) % MOST_NAMES, _SYLLABLES)


def date(day: int) -> str:
    """A day of a calendar whose months are all alike."""
    months, day = divmod(day, _DAYS)
    years, month = divmod(months, _MONTHS)
    return f"{_FIRST_YEAR + years}/{month + 1:02}/{day + 1:02}"
