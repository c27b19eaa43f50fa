import asyncio
import math

from honeyguide.frontier.doorbell import Doorbell


class Sleeps:
    """Remembers who wanted to sleep for how long, and wakes nobody unasked."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self.cancelled = 0
        self._sleeper: asyncio.Future[None] | None = None

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        self._sleeper = asyncio.get_running_loop().create_future()
        try:
            await self._sleeper
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    def wake(self) -> None:
        assert self._sleeper is not None
        self._sleeper.set_result(None)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def bell(sleeps: Sleeps) -> Doorbell:
    return Doorbell(clock=lambda: 100.0, sleep=sleeps)


async def test_each_ring_wakes_one_in_the_order_they_came() -> None:
    door = bell(Sleeps())
    tasks = [asyncio.create_task(door.wait()) for _ in range(3)]
    await settle()
    for woken in range(1, 4):
        door.ring()
        await settle()
        assert [task.done() for task in tasks] == [True] * woken + [False] * (3 - woken)


async def test_a_ring_that_nobody_hears_is_forgotten() -> None:
    door = bell(Sleeps())
    door.ring()
    task = asyncio.create_task(door.wait())
    await settle()
    assert not task.done()
    task.cancel()


async def test_one_alarm_serves_all_and_moves_only_to_earlier_times() -> None:
    sleeps = Sleeps()
    door = bell(sleeps)
    tasks = [asyncio.create_task(door.wait(until)) for until in (130.0, 120.0, 140.0, math.inf, 90.0)]
    await settle()
    assert sleeps.asked == [0.0]
    sleeps.wake()
    await settle()
    assert [task.done() for task in tasks] == [True, False, False, False, False]
    for task in tasks:
        task.cancel()


async def test_the_alarm_is_given_up_when_nobody_waits_any_more() -> None:
    sleeps = Sleeps()
    door = bell(sleeps)
    task = asyncio.create_task(door.wait(150.0))
    await settle()
    task.cancel()
    await settle()
    assert (sleeps.asked, sleeps.cancelled) == ([50.0], 1)


async def test_one_that_is_cancelled_when_woken_passes_the_ring_on() -> None:
    door = bell(Sleeps())
    first, second = (asyncio.create_task(door.wait()) for _ in range(2))
    await settle()
    door.ring()
    first.cancel()
    await settle()
    assert first.cancelled()
    assert second.done()


async def test_one_that_was_cancelled_is_not_woken() -> None:
    door = bell(Sleeps())
    first, second = (asyncio.create_task(door.wait()) for _ in range(2))
    await settle()
    first.cancel()
    door.ring()
    await settle()
    assert second.done()
