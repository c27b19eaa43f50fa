"""A small web that holds everything that makes crawling hard, made from a seed and nothing else.

Some twenty hosts under .test, each with an address of its own on loopback. The topic is dengue fever;
malaria, mosquitoes, travel and gardening border on it, football and asthma do not. The manifest says of
every address what is there; what is reachable beyond it are the endless pages of traps.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from honeyguide.demo import detours, doors, formats, manners, planning, traps
from honeyguide.demo.draft import Draft, Entry
from honeyguide.demo.kinds import KINDS
from honeyguide.demo.prose import TOPIC, load
from honeyguide.demo.resource import HTML, Answer, Resource
from honeyguide.demo.sites import DEAD, SITES
from honeyguide.demo.traps import Maker
from honeyguide.urls import host_of, origin_of

__all__ = ["DEAD", "KINDS", "NAMES", "PORT", "TOPIC", "Answer", "Entry", "Web", "addresses", "build"]

PORT = 8470
NAMES = tuple(site.host for site in SITES)
_SEEDS = (
    ("tropical-health.test", "/dengue/"),
    ("campus-library.test", "/"),
    ("travel-far.test", "/"),
)
_NOT_FOUND = Resource(b"<title>Not found</title><p>There is nothing at this address.", 404)


@dataclass(frozen=True, slots=True)
class Web:
    """Hosts, pages, and what a request to any of them is answered with."""

    port: int
    hosts: Mapping[str, str]
    seeds: tuple[str, ...]
    manifest: tuple[Entry, ...]
    resources: Mapping[tuple[str, str], Resource]
    endless: Mapping[tuple[str, str], Maker]

    def answer(
        self, host: str, target: str, headers: Mapping[str, str] | None = None, attempt: int = 1
    ) -> Answer:
        """The response to a request; header names in lower case, `attempt` counts from one."""
        return self._resource(host, target).answer(headers or {}, attempt)

    def is_fickle(self, host: str, target: str) -> bool:
        """Whether the answer depends on how often it was asked for."""
        found = self.resources.get((host, target))
        return found is not None and found.failures > 0

    def is_trap(self, url: str) -> bool:
        """Whether a URL is one of the endless ones."""
        return self._maker(host_of(url), url[len(origin_of(url)) :]) is not None

    def _resource(self, host: str, target: str) -> Resource:
        found = self.resources.get((host, target))
        if found is not None:
            return found
        maker = self._maker(host, target)
        if maker is not None:
            return Resource(maker(target).encode(), content_type=HTML)
        # Like most servers, this one does not mind parameters it does not know.
        return self.resources.get((host, target.partition("?")[0]), _NOT_FOUND)

    def _maker(self, host: str, target: str) -> Maker | None:
        for (where, folder), maker in self.endless.items():
            if where == host and target.startswith(folder):
                return maker
        return None


def addresses(*, shared: bool = False) -> dict[str, str]:
    """An address on loopback for every host, or 127.0.0.1 for all where there is no other."""
    return {name: "127.0.0.1" if shared else f"127.0.10.{n}" for n, name in enumerate(NAMES, 1)}


def build(seed: int = 7, port: int = PORT, *, shared: bool = False) -> Web:
    """The web that a seed gives; the port is part of every URL in it."""
    draft = Draft(load(), seed=seed, port=port)
    planning.plan(draft)
    planning.tunnels(draft)
    manners.requests(draft)
    manners.trouble(draft)
    detours.redirects(draft)
    doors.odd_links(draft)
    doors.hidden_pages(draft)
    formats.languages(draft)
    formats.codings(draft)
    formats.files(draft)
    formats.hostile(draft)
    endless = traps.add(draft)
    copies = detours.announce_copies(draft)
    planning.connect(draft)
    for article in draft.articles:
        draft.finish(article)
    planning.front_pages(draft)
    planning.guides(draft)
    doors.feeds_and_sitemaps(draft)
    manners.robots_files(draft)
    detours.make_copies(draft, copies)
    detours.make_mirrors(draft)
    return Web(
        port=port,
        hosts=addresses(shared=shared),
        seeds=tuple(draft.url(host, target) for host, target in _SEEDS),
        manifest=tuple(draft.entries.values()),
        resources=draft.resources,
        endless=endless,
    )
