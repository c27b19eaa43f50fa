"""Pages without end: each is made up when it is asked for, from nothing but its address."""

import re
from calendar import month_name
from collections import Counter
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlsplit

from xxhash import xxh3_64_hexdigest

from honeyguide.demo.draft import Draft
from honeyguide.demo.markup import Reference, document, listing, paragraph

Maker = Callable[[str], str]

_CLUBS = ("The chess club", "The choir", "The knitting circle", "The walking group", "The film club")
_DOINGS = ("meets in room {}", "rehearses in room {}", "sells cakes at table {}", "needs {} volunteers")
_THINGS = ("amber", "copper", "linen", "maple", "lantern", "pepper", "velvet", "walnut", "anchor", "basket")
_MORE = ("candle", "feather", "kettle", "ladder", "marble", "needle", "pillow", "ribbon", "saddle", "violet")
_WORDS = _THINGS + _MORE


def add(draft: Draft) -> Mapping[tuple[str, str], Maker]:
    """Enter the doors, link to those that no menu shows, and give the makers by host and folder."""
    for host, target, kind in (
        ("tropical-health.test", "/calendar/2026/11", "trap-calendar"),
        ("village-hall.test", "/forum/", "trap-session"),
        ("village-hall.test", "/rooms/", "trap-session"),
        ("green-balcony.test", "/plants/", "trap-path"),
        ("goal-kick.test", "/results?round=1", "trap-query"),
    ):
        draft.enter(host, target, kind, topics={"city"}, fetchable=False)
    draft.refer(draft.some("city-notes.test"), "village-hall.test", "/", "the village hall")
    draft.refer(draft.some("city-notes.test"), "village-hall.test", "/forum/", "the forum")
    draft.refer(draft.some("brass-band.test"), "village-hall.test", "/", "our rehearsal room")

    def frame(host: str, title: str, main: str) -> str:
        return document(draft.sites[host], title, main)

    def calendar(target: str) -> str:
        found = re.match(r"/calendar/(\d{1,6})/(\d{1,2})", target)
        month = int(found[1]) * 12 + min(max(int(found[2]), 1), 12) - 1 if found else 2026 * 12 + 10
        ways = [(month - 1, "Previous month"), (month + 1, "Next month"), (month + 12, "Next year")]
        links = [
            Reference(f"/calendar/{when // 12}/{when % 12 + 1:02}", words) for when, words in ways if when > 0
        ]
        title = f"Events in {month_name[month % 12 + 1]} {month // 12}"
        return frame("tropical-health.test", title, _chatter(draft, f"calendar {month}") + listing(links))

    def forum(target: str) -> str:
        path = target.partition("?")[0]
        token = xxh3_64_hexdigest(target.encode())[:12]
        links = [
            Reference(f"/forum/topic-{n}?sid=a{n}{token}", f"Topic {n}: the car park") for n in (1, 2, 3, 4)
        ]
        title = "Forum" + path.removeprefix("/forum").replace("/", " ").replace("-", " ")
        return frame("village-hall.test", title, _chatter(draft, path) + listing(links))

    def rooms(target: str) -> str:
        path = target.partition("?")[0]
        token = xxh3_64_hexdigest(target.encode())[:12]
        links = [
            Reference(f"/rooms/{name}?visitor={token}{n}", f"The {name} room")
            for n, name in enumerate(_WORDS[:4])
        ]
        return frame("village-hall.test", "Rooms for hire", _chatter(draft, path) + listing(links))

    def plants(target: str) -> str:
        word = "ferns" if target.rstrip("/").endswith(("plants", "pots")) else "pots"
        links = [Reference("/plants/", "All plants"), Reference(f"{word}/", f"Next: {word}")]
        return frame("green-balcony.test", "Plant finder", _chatter(draft, target) + listing(links))

    def results(target: str) -> str:
        query = urlsplit(target).query
        chosen = Counter(name for name, _ in parse_qsl(query))
        links = [
            Reference(f"/results?{query}&{name}={chosen[name] + 1}", f"Add another {name}")
            for name in ("ground", "team")
        ]
        return frame("goal-kick.test", "Results", _chatter(draft, target) + listing(links))

    return {
        ("tropical-health.test", "/calendar/"): calendar,
        ("village-hall.test", "/forum/"): forum,
        ("village-hall.test", "/rooms/"): rooms,
        ("green-balcony.test", "/plants/"): plants,
        ("goal-kick.test", "/results"): results,
    }


def _chatter(draft: Draft, about: str) -> str:
    """A little text that is different at every address and about nothing much."""
    rng = draft.random("chatter", about)
    lines = [
        f"{rng.choice(_CLUBS)} {rng.choice(_DOINGS).format(rng.randint(2, 40))}; bring a {rng.choice(_WORDS)} "
        f"{rng.choice(_WORDS)} and ask for {rng.choice(draft.prose.names['person'])}."
        for _ in range(6)
    ]
    return paragraph(" ".join(lines))
