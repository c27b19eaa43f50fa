"""Webs that are made, not found: of any size, of known structure, the same for the same seed.

A page follows from the web's parameters, its seed and the page's number alone. Nothing is kept per page,
so a million pages stream through little memory and any one of them can be looked at by itself.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from honeyguide.bench.labels import Label
from honeyguide.bench.synthetic.addresses import CALENDAR_STEPS, MOST_NAMES, Addresses, Chance, date
from honeyguide.bench.synthetic.plan import Kind, Plan, Spot
from honeyguide.bench.synthetic.text import (
    CALENDAR,
    MOST_WORDS,
    Anchor,
    Vocabulary,
    document,
    sentences,
    vague_anchor,
    vocabularies,
)
from honeyguide.errors import ConfigError
from honeyguide.model import Topic

_CALENDAR_WORDS = 30
_NAMING_WORDS = 2
_TOLD_WORDS = 10
_LONGEST_TUNNEL = 3
_FURTHER_ROWS = 1 + _LONGEST_TUNNEL  # after the topics' vocabularies: a gap, then one for every passage


class SyntheticWeb:
    """A web of `pages` pages about `topics` topics on `hosts` hosts.

    `topics` is their number, or their sizes in proportion to each other. A link of a page on a topic leads to
    the same topic with probability `locality`; in every topic some pages are more famous than others. `links`
    and `words` (articles and the like not counted) are the smallest and the largest number a page has of them:
    many have few and few have many. `hubs` is the share of pages that are lists of `hub_links` links.

    A tunnel starts at a page on topic, goes through as many passages off topic as one of `tunnel_lengths`, in
    turn, and is the only way to `hidden` more pages on the same topic. `traps` hosts have a calendar of
    `trap_length` days that all their pages lead to. `duplicates` is the share of pages that are copies.

    An anchor has words of its target's topic with probability `anchor_quality`. Of a page's words a share
    somewhere in `focus` is of its topic's `vocabulary` words, of which neighbouring topics share `overlap`.
    """

    def __init__(
        self,
        *,
        pages: int = 1000,
        hosts: int = 40,
        topics: int | Sequence[float] = 10,
        locality: float = 0.7,
        links: tuple[int, int] = (4, 40),
        hubs: float = 0.02,
        hub_links: int = 50,
        tunnels: int = 0,
        tunnel_lengths: Sequence[int] = (1, 2, 3),
        hidden: int = 5,
        traps: int = 0,
        trap_length: int = 100,
        anchor_quality: float = 0.5,
        duplicates: float = 0.0,
        words: tuple[int, int] = (60, 600),
        focus: tuple[float, float] = (0.1, 0.5),
        vocabulary: int = 200,
        overlap: float = 0.25,
        seed: int = 0,
    ) -> None:
        shares = (1.0,) * topics if isinstance(topics, int) else tuple(topics)
        _must_hold(
            {
                f"pages must lie between 10 and {MOST_NAMES:,}": 10 <= pages <= MOST_NAMES,
                "topics must be at least one, each of some size": bool(shares) and min(shares) > 0,
                f"hosts must lie between 1 and {MOST_NAMES:,}": 1 <= hosts <= MOST_NAMES,
                "locality must lie between 0 and 1": 0 <= locality <= 1,
                "anchor_quality must lie between 0 and 1": 0 <= anchor_quality <= 1,
                "hubs must lie between 0 and 1": 0 <= hubs <= 1,
                "duplicates must lie between 0 and 0.5": 0 <= duplicates <= 0.5,
                "overlap must lie between 0 and 0.5": 0 <= overlap <= 0.5,
                "links must be two numbers, 1 or more, the smaller first": 1 <= links[0] <= links[1],
                "words must be two numbers, 1 or more, the smaller first": 1 <= words[0] <= words[1],
                "focus must be two shares, the smaller first": 0 <= focus[0] <= focus[1] <= 1,
                "hub_links, hidden, trap_length must be 1 or more": min(hub_links, hidden, trap_length) > 0,
                "tunnels must not be negative": tunnels >= 0,
                f"tunnel_lengths must be 1 to {_LONGEST_TUNNEL}": bool(tunnel_lengths)
                and set(tunnel_lengths) <= set(range(1, _LONGEST_TUNNEL + 1)),
                "traps must not be negative nor more than hosts": 0 <= traps <= hosts,
                f"a vocabulary needs {_TOLD_WORDS} words": vocabulary >= _TOLD_WORDS,
                "there are not words enough": (len(shares) + _FURTHER_ROWS) * vocabulary <= MOST_WORDS,
            }
        )
        self.pages = pages
        self.hosts = hosts
        self.locality = locality
        self.links = links
        self.hubs = hubs
        self.hub_links = hub_links
        self.anchor_quality = anchor_quality
        self.words = words
        self.focus = focus
        self.seed = seed
        self._chance = Chance(seed)
        self.plan = Plan(
            pages=pages,
            shares=shares,
            tunnels=tunnels,
            tunnel_lengths=tunnel_lengths,
            hidden=hidden,
            traps=traps,
            trap_length=trap_length,
            copies=int(pages * duplicates),
        )
        self.topics = len(shares)
        row = vocabularies(
            self._chance.draws("words"),
            count=self.topics + _FURTHER_ROWS,
            size=vocabulary,
            overlap=overlap,
        )
        self._topic_words = row[: self.topics]
        self._passage_words = row[self.topics + 1 :]  # with a gap, so that they share no words with a topic
        self._addresses = Addresses(self._chance, self.plan, hosts)

    def __len__(self) -> int:
        return self.pages

    def url(self, page: int) -> str:
        """The address of a page."""
        return self._addresses.url(page, self.plan.spot(page))

    def topic_of(self, page: int) -> int | None:
        """The topic that a page is on; none for passages and calendars."""
        return self.plan.spot(page).topic

    def label_of(self, topic: int) -> str:
        """What a topic is called in labels."""
        return "_".join(self._topic_words[topic].words[:_NAMING_WORDS])

    def topic(self, topic: int) -> Topic:
        """A topic as a crawl is told of it: its most frequent words and where to start."""
        words = self._topic_words[topic].words
        return Topic(
            name=" ".join(words[:_NAMING_WORDS]),
            keywords=words[_NAMING_WORDS:_TOLD_WORDS],
            seeds=self.seeds(topic),
        )

    def seeds(self, topic: int, count: int = 3) -> tuple[str, ...]:
        """Some pages on a topic, famous and less so; none of them behind a tunnel."""
        first, size = self.plan.starts[topic], self.plan.size(topic)
        return tuple(dict.fromkeys(self.url(first + size * nth // count) for nth in range(count)))

    def behind_tunnels(self, topic: int, length: int) -> frozenset[str]:
        """The pages on a topic that can only be had by passing through exactly so many pages off it."""
        plan = self.plan
        return frozenset(
            self.url(page)
            for tunnel in range(plan.tunnels)
            if plan.tunnel_topic(tunnel) == topic and plan.tunnel_length(tunnel) == length
            for page in plan.hidden_pages(tunnel)
        )

    def labels(self) -> Iterator[Label]:
        """What every page is about, as far as it is about something; a copy is about what its original is."""
        names = [self.label_of(topic) for topic in range(self.topics)]
        for page in range(self.pages):
            topic = self.topic_of(page)
            if topic is not None:
                yield Label(self.url(page), names[topic])

    def is_hub(self, page: int) -> bool:
        """Whether a page is a list of links."""
        spot = self.plan.spot(page)
        page = spot.number if spot.kind is Kind.COPY else page
        on_topic = spot.kind in (Kind.ORDINARY, Kind.COPY)
        return on_topic and self._chance.one("hub", page) < self.hubs

    def links_of(self, page: int) -> tuple[int, ...]:
        """The pages that a page leads to, each once."""
        spot = self.plan.spot(page)
        if spot.kind is Kind.COPY:
            return self.links_of(spot.number)
        rng = self._chance.draws("links", page)
        targets = self._designed(page, spot)
        if spot.kind is Kind.CALENDAR:
            targets.append(self._somewhere(rng, None))
        else:
            wanted = self.hub_links if self.is_hub(page) else int(_few(rng, *self.links))
            stays = self._stays(spot, wanted)
            targets += [
                self._somewhere(rng, spot.topic, stays=rng.random() < stays) for _ in range(wanted - 1)
            ]
            if (host := self._addresses.host(page, spot)) < self.plan.traps:
                targets.append(self.plan.day(host, 0))
        itself = (page, self.plan.copy_of(page))
        return tuple(target for target in dict.fromkeys(targets) if target not in itself)

    def html(self, page: int) -> str:
        """A page's markup; a copy's is its original's."""
        spot = self.plan.spot(page)
        if spot.kind is Kind.COPY:
            return self.html(spot.number)
        rng = self._chance.draws("text", page)
        vocabulary = self._vocabulary(spot)
        hub = self.is_hub(page)
        low, high = self.focus
        count = self.words[0] if hub else int(_few(rng, *self.words))
        title = " ".join(vocabulary.draw(rng, 3)).title()
        if spot.kind is Kind.CALENDAR:
            count, title = _CALENDAR_WORDS, f"{title} {date(spot.step)}"
        focus = low + rng.random() * (high - low)
        text = sentences(rng, vocabulary, focus, count)
        menu: list[Anchor] = []
        links: list[Anchor] = []
        for target in self.links_of(page):
            to = self.plan.spot(target)
            in_menu = to.kind is Kind.CALENDAR and to.kind is not spot.kind
            (menu if in_menu else links).append(self._anchor(rng, target, to, described=hub))
        host = self._addresses.host_name(self._addresses.host(page, spot))
        return document(title=title, site=host.title(), menu=menu, sentences=text, links=links, listed=hub)

    def digest(self) -> str:
        """A fingerprint of all that the web says, whoever writes it down and however it is compressed."""
        digest = hashlib.sha256()
        for page in range(self.pages):
            digest.update(f"{self.url(page)}\n{self.topic_of(page)}\n{self.html(page)}\n".encode())
        return digest.hexdigest()

    def _designed(self, page: int, spot: Spot) -> list[int]:
        """The links that the structure rests on."""
        plan = self.plan
        match spot.kind:
            case Kind.PASSAGE if spot.step + 1 < plan.tunnel_length(spot.number):
                return [page + 1]
            case Kind.PASSAGE:
                return list(plan.hidden_pages(spot.number))
            case Kind.HIDDEN:
                return [page + 1] if spot.step + 1 < plan.hidden else []
            case Kind.CALENDAR:
                days = (spot.step + step for step in CALENDAR_STEPS)
                return [plan.day(spot.number, day) for day in days if 0 <= day < plan.trap_length]
        # Every page leads to the one after it and to its copy, so that all can be reached from each.
        follower = (page + 1) % plan.ordinary
        more = plan.copy_of(follower), plan.tunnel_entered_at(page)
        return [follower, *(target for target in more if target is not None)]

    def _stays(self, spot: Spot, wanted: int) -> float:
        """How likely a link by chance must stay on topic for all together to be as local as they should."""
        if spot.kind is not Kind.ORDINARY or wanted < 2:
            return self.locality
        return (self.locality * wanted - 1) / (wanted - 1)

    def _somewhere(self, rng: Random, topic: int | None, *, stays: bool = False) -> int:
        """An ordinary page, rather a famous one: of this topic, or of any other."""
        plan = self.plan
        if topic is None or self.topics == 1:
            topic = plan.topic_at(int(rng.random() * plan.ordinary))
        elif not stays:
            size = plan.size(topic)
            anywhere = int(rng.random() * (plan.ordinary - size))
            topic = plan.topic_at(anywhere if anywhere < plan.starts[topic] else anywhere + size)
        fame = rng.random()
        page = plan.starts[topic] + int(plan.size(topic) * fame * fame)
        copy = plan.copy_of(page)
        return page if copy is None or rng.random() < 0.5 else copy

    def _anchor(self, rng: Random, target: int, spot: Spot, *, described: bool) -> Anchor:
        url = self._addresses.url(target, spot)
        if rng.random() >= self.anchor_quality:
            return Anchor(url, vague_anchor(rng))
        words = self._vocabulary(spot).draw(rng, 5)
        count = 1 + int(rng.random() * 2)
        return Anchor(url, " ".join(words[:count]), " ".join(words[count:]) if described else "")

    def _vocabulary(self, spot: Spot) -> Vocabulary:
        if spot.topic is not None:
            return self._topic_words[spot.topic]
        if spot.kind is Kind.CALENDAR:
            return CALENDAR
        # Passages as far from a tunnel's end speak alike: what there is to learn about tunnels.
        return self._passage_words[self.plan.tunnel_length(spot.number) - spot.step - 1]


def _few(rng: Random, least: float, most: float) -> float:
    """A number in proportion to 1/x²; division only, so it is the same on every machine."""
    return least * most / (most - rng.random() * (most - least))


def _must_hold(conditions: Mapping[str, bool]) -> None:
    for sentence, holds in conditions.items():
        if not holds:
            raise ConfigError(f"A synthetic web cannot be made: {sentence}.")
