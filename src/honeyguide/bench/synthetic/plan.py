"""The plan of a synthetic web: which page number is what, and who leads to whom by design.

Numbers are dealt out in blocks, so that what a page is follows from its number alone:

    topics   one block each: the pages that anybody may link to, in the order of their fame
    tunnels  passages off topic, then the pages on topic that only the last passage leads to; again and again
    traps    calendars, a page a day
    copies   of pages of the first block
"""

from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from honeyguide.errors import ConfigError


class Kind(StrEnum):
    """What a page is for."""

    ORDINARY = "ordinary"
    PASSAGE = "passage"
    HIDDEN = "hidden"
    CALENDAR = "calendar"
    COPY = "copy"


class Spot(NamedTuple):
    """A page's place in the plan: its kind, its topic, which tunnel, calendar or copy it is of, and its step there.

    A step counts from 0: along a tunnel's passages, among its hidden pages, through a calendar's days.
    """

    kind: Kind
    topic: int | None
    number: int = 0
    step: int = 0


class Plan:
    """Where everything is. All arithmetic: what it remembers grows with the topics, never with the pages."""

    def __init__(
        self,
        *,
        pages: int,
        shares: Sequence[float],
        tunnels: int,
        tunnel_lengths: Sequence[int],
        hidden: int,
        traps: int,
        trap_length: int,
        copies: int,
    ) -> None:
        self.topics = len(shares)
        self.tunnels = tunnels
        self.lengths = tuple(tunnel_lengths)
        self.hidden = hidden
        self.traps = traps
        self.trap_length = trap_length
        self.copies = copies
        self._offsets = [0, *accumulate(length + hidden for length in self.lengths)]
        self._tunnels_at = pages - copies - traps * trap_length - self._tunnel_offset(tunnels)
        self._traps_at = self._tunnels_at + self._tunnel_offset(tunnels)
        self._copies_at = self._traps_at + traps * trap_length
        total = sum(shares)
        self.starts = [round(self._tunnels_at * part / total) for part in accumulate(shares, initial=0.0)]
        if self._tunnels_at < max(self.topics, copies) or min(map(self.size, range(self.topics))) < 1:
            raise ConfigError(
                f"{pages} pages are too few for {self.topics} topics, {tunnels} tunnels, {traps} traps of "
                f"{trap_length} pages and {copies} copies; {max(0, self._tunnels_at)} are left for the topics."
            )
        for topic in range(self.topics):
            if self.tunnels_from(topic) > self.size(topic):
                raise ConfigError(
                    f"Topic {topic} has {self.size(topic)} pages and cannot lead into {self.tunnels_from(topic)} "
                    "tunnels; make fewer tunnels or more pages."
                )

    @property
    def ordinary(self) -> int:
        """How many pages anybody may link to; they come first."""
        return self._tunnels_at

    def size(self, topic: int) -> int:
        """How many ordinary pages a topic has."""
        return self.starts[topic + 1] - self.starts[topic]

    def spot(self, page: int) -> Spot:
        """What a page is."""
        if page < self._tunnels_at:
            return Spot(Kind.ORDINARY, self.topic_at(page))
        if page < self._traps_at:
            lap, rest = divmod(page - self._tunnels_at, self._offsets[-1])
            leg = bisect_right(self._offsets, rest) - 1
            tunnel, step = lap * len(self.lengths) + leg, rest - self._offsets[leg]
            if step < self.lengths[leg]:
                return Spot(Kind.PASSAGE, None, tunnel, step)
            return Spot(Kind.HIDDEN, self.tunnel_topic(tunnel), tunnel, step - self.lengths[leg])
        if page < self._copies_at:
            return Spot(Kind.CALENDAR, None, *divmod(page - self._traps_at, self.trap_length))
        original = (page - self._copies_at) * self._copied_every
        return Spot(Kind.COPY, self.topic_at(original), original)

    def topic_at(self, page: int) -> int:
        """The topic of an ordinary page."""
        return bisect_right(self.starts, page) - 1

    def tunnel_length(self, tunnel: int) -> int:
        """How many passages a tunnel has."""
        return self.lengths[tunnel % len(self.lengths)]

    def tunnel_topic(self, tunnel: int) -> int:
        """The topic that a tunnel starts from and comes back to."""
        return tunnel // len(self.lengths) % self.topics

    def passage(self, tunnel: int, step: int) -> int:
        """The page of a passage."""
        return self._tunnels_at + self._tunnel_offset(tunnel) + step

    def hidden_pages(self, tunnel: int) -> range:
        """The pages that only this tunnel leads to."""
        first = self.passage(tunnel, self.tunnel_length(tunnel))
        return range(first, first + self.hidden)

    def tunnels_from(self, topic: int) -> int:
        """How many tunnels start from a topic."""
        laps, rest = divmod(self.tunnels, len(self.lengths) * self.topics)
        legs = len(self.lengths)
        return laps * legs + min(legs, max(0, rest - topic * legs))

    def tunnel_entered_at(self, page: int) -> int | None:
        """The first passage of the tunnel that an ordinary page leads into, if it does: few, evenly spread."""
        topic = self.topic_at(page)
        count = self.tunnels_from(topic)
        if not count:
            return None
        nth, rest = divmod(page - self.starts[topic], self.size(topic) // count)
        if rest or nth >= count:
            return None
        lap, leg = divmod(nth, len(self.lengths))
        return self.passage((lap * self.topics + topic) * len(self.lengths) + leg, 0)

    def day(self, calendar: int, step: int) -> int:
        """The page of a calendar's day."""
        return self._traps_at + calendar * self.trap_length + step

    def copy_of(self, page: int) -> int | None:
        """The copy of an ordinary page, if there is one."""
        if not self.copies or page >= self.ordinary:
            return None
        nth, rest = divmod(page, self._copied_every)
        return None if rest or nth >= self.copies else self._copies_at + nth

    @property
    def _copied_every(self) -> int:
        return self.ordinary // self.copies

    def _tunnel_offset(self, tunnel: int) -> int:
        laps, leg = divmod(tunnel, len(self.lengths))
        return laps * self._offsets[-1] + self._offsets[leg]
