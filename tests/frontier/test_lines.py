import random

import numpy as np

from honeyguide.frontier.hosts import Host, Hosts
from honeyguide.frontier.lines import Lines
from honeyguide.frontier.rows import UNDER_WAY, Rows
from honeyguide.model import UrlState


class SmallWorld:
    """Lines with a few hosts, and what they hold."""

    def __init__(self, *, hosts: int, in_memory: int) -> None:
        self.rows = Rows()
        registry = Hosts(park_after=0, host_cap=0, domain_cap=0)
        self.hosts = [registry.meet(f"h{number}.example") for number in range(hosts)]
        self.lines = Lines(self.rows, registry, in_memory=in_memory)

    def add(self, host: Host, score: float) -> int:
        self.rows.append(UrlState.WAITING, [score])
        host.waiting += 1
        self.lines.put(host, (-score, len(self.rows)))
        return len(self.rows)

    def take(self, host: Host) -> int:
        first = self.lines.first(host)
        assert first is not None
        self.lines.take_first(host)
        self.rows.states[first[1]] = UNDER_WAY
        host.waiting -= 1
        return first[1]

    @property
    def in_heaps(self) -> int:
        return sum(len(host.heap) for host in self.hosts)

    @property
    def on_piles(self) -> int:
        return sum(len(host.pile or ()) for host in self.hosts)


def test_heaps_hold_no_more_than_they_may() -> None:
    luck = random.Random(1)
    here = SmallWorld(hosts=20, in_memory=200)
    most = 0
    for _ in range(5000):
        here.add(luck.choice(here.hosts), luck.random())
        most = max(most, here.in_heaps)
    assert most <= 201
    assert here.in_heaps + here.on_piles == 5000


def test_filling_heaps_from_piles_stays_in_bounds_too() -> None:
    luck = random.Random(1)
    here = SmallWorld(hosts=20, in_memory=200)
    for number, host in enumerate(here.hosts):
        scores = [luck.random() for _ in range(250)]
        here.rows.append(UrlState.WAITING, scores)
        here.lines.load(host, np.arange(250 * number + 1, 250 * number + 251, dtype=np.uint32), max(scores))
        host.waiting = 250
    for _ in range(100):
        for host in here.hosts:
            here.take(host)
            assert here.in_heaps <= 200
    assert here.in_heaps + here.on_piles == 3000


def test_a_host_more_or_less_keeps_only_its_best_at_hand() -> None:
    here = SmallWorld(hosts=1, in_memory=1_000_000)
    for number in range(10_000):
        here.add(here.hosts[0], float(number))
    assert here.in_heaps <= 2 * 10_000 / 64
    assert [here.take(here.hosts[0]) for _ in range(1000)] == list(range(10_000, 9000, -1))


def test_scores_that_go_up_and_down_for_ever_take_no_more_room() -> None:
    here = SmallWorld(hosts=1, in_memory=1)
    host = here.hosts[0]
    rows = [here.add(host, float(number)) for number in range(200)]
    for turn in range(500):
        for row in rows[:50]:
            here.lines.move(host, row, float(row + 300 * (turn % 2)))
        assert here.in_heaps + here.on_piles <= 2 * 200 + 100
    taken = [here.take(host) for _ in rows]
    assert taken == [*range(50, 0, -1), *range(200, 50, -1)]
    assert here.lines.first(host) is None
