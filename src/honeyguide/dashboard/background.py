"""Work behind the scenes: it goes on while people do other things, says how far it is, and gives way to newer work."""

import logging
import threading
from collections.abc import Callable, Hashable
from enum import StrEnum
from typing import Any

from honeyguide.errors import UserError

LOG = logging.getLogger(__name__)


class Stage(StrEnum):
    """How far a piece of work is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Cancelled(Exception):
    """Somebody asked for something newer, so this is not finished."""


class Job:
    """One piece of work; whoever does it calls `step` now and then, others read how far it is."""

    def __init__(self, subject: Hashable) -> None:
        self.subject = subject
        self.stage = Stage.RUNNING
        self.done = 0
        self.total = 0
        self.result: Any = None
        self.problem = ""
        self._cancelled = threading.Event()
        self._ended = threading.Event()

    def step(self, done: int, total: int) -> None:
        """Say how much is done; raises Cancelled once nobody wants it any more."""
        self.done, self.total = done, total
        if self._cancelled.is_set():
            raise Cancelled

    def cancel(self) -> None:
        """Ask whoever does it to stop at the next step."""
        self._cancelled.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, for tests and for whoever can; False if it has not."""
        return self._ended.wait(seconds)

    def run(self, work: Callable[["Job"], Any]) -> None:
        """Do it, and note how it ended."""
        try:
            self.result = work(self)
            self.stage = Stage.DONE
        except Cancelled:
            self.stage = Stage.CANCELLED
        except UserError as error:
            self.problem, self.stage = str(error), Stage.FAILED
        except Exception:
            LOG.exception("work behind the scenes failed")
            self.problem, self.stage = (
                "Something went wrong here; the crawl itself is not affected.",
                Stage.FAILED,
            )
        finally:
            self._ended.set()


class Background:
    """Does one piece of work of each name at a time, in a thread; a newer one ends the older."""

    def __init__(self) -> None:
        self._jobs: dict[Hashable, Job] = {}
        self._lock = threading.Lock()

    def get(self, name: Hashable) -> Job | None:
        """The newest work of a name."""
        return self._jobs.get(name)

    def start(self, name: Hashable, subject: Hashable, work: Callable[[Job], Any]) -> Job:
        """Begin work; what is done or under way about the same subject is not begun again, unless it failed."""
        with self._lock:
            before = self._jobs.get(name)
            if before and before.subject == subject and before.stage in (Stage.RUNNING, Stage.DONE):
                return before
            if before:
                before.cancel()
            job = self._jobs[name] = Job(subject)
        threading.Thread(target=job.run, args=(work,), name=f"background {name}", daemon=True).start()
        return job

    def cancel(self, name: Hashable) -> None:
        """End the work of a name, if there is any."""
        if job := self._jobs.get(name):
            job.cancel()

    def close(self) -> None:
        """End all work at its next step."""
        for job in list(self._jobs.values()):
            job.cancel()
