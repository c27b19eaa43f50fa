"""Steering a crawl that runs: what people ask (see store/requests.py) is carried out between visits.

Every request gets an answer in a sentence. What it did and its answer are one transaction, so that after a kill
it is done, or found again when the crawl is resumed, and never done twice.
"""

import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from honeyguide.errors import ConfigError, CrawlError, UserError
from honeyguide.frontier.queue import Queue
from honeyguide.health import Health
from honeyguide.learning import Learner
from honeyguide.loop import Crawl
from honeyguide.rejudging import Rejudged, inherited, inherits
from honeyguide.roles import Strategy
from honeyguide.store.lessons import Lesson, write_lesson
from honeyguide.store.requests import Kind, Request, answer, problem, read_requests
from honeyguide.store.sqlite import SqliteStore
from honeyguide.topics.folder import read_revision, revisions, write_revision
from honeyguide.topics.seeds import valid_seed
from honeyguide.urls import canonical, host_of

UNITS = {
    "pages": ("page", "pages"),
    "relevant": ("page on topic", "pages on topic"),
    "seconds": ("second", "seconds"),
    "bytes": ("byte", "bytes"),
}
"""What the parts of a budget are counted in."""

AT_ONCE = 100
"""Requests carried out at one look; the others wait for the next."""


class Done(NamedTuple):
    """What came of a request."""

    sentence: str
    figures: Mapping[str, Any] = {}
    refused: bool = False


class Steering:
    """Carries out requests; `remember` keeps changed settings for later runs, `say` tells whoever watches.

    `started` is when the run began: what was asked before then to stop it, or to let it wait, is out of date, and
    so is what was asked of the parts of the budget that were `given` when it was started.
    """

    def __init__(
        self,
        *,
        folder: Path,
        store: SqliteStore,
        crawl: Crawl,
        frontier: Queue[Any],
        learner: Learner,
        topic_revision: int,
        started: float,
        given: Collection[str],
        remember: Callable[[Mapping[str, Mapping[str, Any]]], None],
        say: Callable[[str], None],
        log: logging.Logger,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._store = store
        self._connection = store.connection
        self._crawl = crawl
        self._frontier = frontier
        self._learner = learner
        self._topic_revision = topic_revision
        self._started = started
        self._given = given
        self._remember = remember
        self._say = say
        self._log = log
        self._clock = clock
        self._version = -1
        self._turning_to = 0
        self._unfinished = False
        self._carry_out: dict[str, Callable[[Request], Done | None]] = {
            Kind.PAUSE: self._pause,
            Kind.RESUME: self._resume,
            Kind.STOP: self._stop,
            Kind.BUDGET: self._budget,
            Kind.SEEDS: self._seeds,
            Kind.BLOCK: self._block,
            Kind.UNBLOCK: self._unblock,
            Kind.TOPIC: self._topic,
        }
        # In a refresh pages wait to be seen again, whatever leads there.
        learner.reorder = None if crawl.refreshing else self._reorder
        learner.keep = self._keep

    def look(self) -> None:
        """Between visits: see what is asked and do it."""
        # Costs next to nothing, and changes whenever another connection has written to the database.
        version = int(self._connection.execute("PRAGMA data_version").fetchone()[0])
        if version == self._version and not self._unfinished:
            return
        self._version, self._unfinished = version, False
        asked = read_requests(self._connection, pending=True, limit=AT_ONCE)
        for request in asked:
            self._see_to(request)
        self._unfinished |= len(asked) == AT_ONCE
        if asked:
            self._crawl.commit()

    def _see_to(self, request: Request) -> None:
        self._store.begin()
        try:
            if objection := problem(request.kind, request.arguments):
                raise CrawlError(objection)
            done = self._carry_out[request.kind](request)
        except UserError as error:
            done = Done(str(error), refused=True)
        except (sqlite3.Error, OSError):
            raise
        except Exception:
            self._log.exception("request %d failed", request.number)
            done = Done("Something went wrong; crawl.log says what.", refused=True)
        if done is None:
            self._unfinished = True
        else:
            self._answer(request, done)

    def _answer(self, request: Request, done: Done) -> None:
        self._store.begin()
        answer(
            self._connection,
            request.number,
            done.sentence,
            at=self._clock(),
            refused=done.refused,
            figures=done.figures,
        )
        self._log.info("%s asked for %s: %s", _who(request), request.kind, done.sentence)

    def _pause(self, request: Request) -> Done:
        if outdated := self._outdated(request):
            return outdated
        if self._crawl.paused:
            return Done("The crawl was paused already.")
        self._crawl.pause(f"{_who(request)} has paused the crawl.")
        return Done("The crawl is paused; what was in flight is finished and kept.")

    def _resume(self, request: Request) -> Done:
        if not self._crawl.paused:
            return Done("The crawl is not paused.")
        self._crawl.go_on()
        return Done("The crawl goes on.")

    def _stop(self, request: Request) -> Done:
        if outdated := self._outdated(request):
            return outdated
        self._say(f"{_who(request)} has stopped the crawl; what is in flight is finished.")
        self._crawl.stop()
        return Done("The crawl has stopped; it can be resumed.")

    def _outdated(self, request: Request) -> Done | None:
        if request.at >= self._started:
            return None
        return Done("The crawl has been started since this was asked; it goes on.", refused=True)

    def _budget(self, request: Request) -> Done:
        early = request.at < self._started
        asked = {
            part: value for part, value in request.arguments.items() if not (early and part in self._given)
        }
        if not asked:
            return Done("The crawl was started with another budget since this was asked.", refused=True)
        self._remember({"budget": asked})
        limits = ", ".join(
            _count(value, *UNITS[part]) if value else f"any number of {UNITS[part][1]}"
            for part, value in asked.items()
        )
        if self._crawl.refreshing:
            return Done(f"The next run may spend {limits}; this one visits every page once.")
        new = replace(self._crawl.budget, **asked)
        self._crawl.spend(new)
        ends = " That is spent already, so it ends." if self._crawl.outcome is Health.SPENT else ""
        return Done(f"The crawl may spend {limits}.{ends}", asdict(new))

    def _seeds(self, request: Request) -> Done:
        refused: dict[str, str] = {}
        accepted: dict[str, None] = {}
        for text in request.arguments["urls"]:
            try:
                url = valid_seed(text)
            except ConfigError:
                refused[text] = "not a web address"
                continue
            if reason := self._crawl.refuses(url, 0):
                refused[url] = reason
            elif self._frontier.is_blocked(host_of(url)):
                refused[url] = f"host {host_of(url)} is blocked"
            else:
                accepted[url] = None
        new = self._crawl.plant(accepted)
        known = len(accepted) - new
        parts = [_count(new, "seed is new", "seeds are new")]
        if known:
            parts.append(_count(known, "was known already", "were known already"))
        if refused:
            reasons = Counter(refused.values()).most_common(3)
            told = "; ".join(f"{reason}: {n:,}" if len(refused) > 1 else reason for reason, n in reasons)
            parts.append(f"{_count(len(refused), 'was refused', 'were refused')} ({told})")
        return Done(
            f"{', '.join(parts)}.",
            {"new": new, "known": known, "refused": len(refused)},
            refused=not accepted,
        )

    def _block(self, request: Request) -> Done:
        host = _host(request)
        if self._frontier.is_blocked(host):
            return Done(f"{host} was blocked already.")
        waiting = self._frontier.block(host, f"{_who(request)} asked for it")
        links = _count(waiting, "link that waits there stays", "links that wait there stay")
        return Done(
            f"{host} is blocked; {links} where {'it is' if waiting == 1 else 'they are'}.",
            {"waiting": waiting},
        )

    def _unblock(self, request: Request) -> Done:
        host = _host(request)
        if not self._frontier.is_blocked(host):
            return Done(f"{host} is not blocked.", refused=True)
        waiting = self._frontier.unpark(host)
        links = _count(waiting, "link there may be followed", "links there may be followed")
        return Done(f"{host} is no longer blocked; {links} again.", {"waiting": waiting})

    def _topic(self, request: Request) -> Done | None:
        wanted: int = request.arguments["revision"]
        known = revisions(self._folder)
        if wanted not in known:
            return Done(f"There is no revision {wanted} of the topic.", refused=True)
        if wanted < known[-1]:
            return Done(f"Revision {wanted} has been replaced by revision {known[-1]}.", refused=True)
        if wanted == self._topic_revision:
            return Done(f"The crawl goes by revision {wanted} of the topic.")
        if self._turning_to != wanted:
            topic = read_revision(self._folder, wanted)
            if self._learner.turn_to(topic, lambda lesson, why: self._turned(request, lesson, why)):
                self._turning_to = wanted
        return None

    def _turned(self, request: Request, lesson: Lesson | None, objection: str) -> None:
        """The judge was fitted to another revision of the topic, or could not be."""
        wanted, self._turning_to = self._turning_to, 0
        if lesson is None:
            # The newest revision counts when the crawl is resumed, so the one that can be used becomes that.
            again = write_revision(
                self._folder, self._learner.topic, f"Revision {wanted} could not be used: {objection}"
            )
            self._topic_revision = again
            self._answer(
                request,
                Done(f"Revision {wanted} of the topic cannot be used: {objection}", refused=True),
            )
            self._crawl.commit()
            return
        self._topic_revision = wanted
        self._store.begin()
        self._crawl.plant(self._learner.topic.seeds)
        self._answer(
            request,
            Done(f"The crawl goes by revision {wanted} of the topic. {told(lesson)}", _figures(lesson)),
        )

    def _reorder(self, rejudged: Sequence[Rejudged]) -> int:
        """Let the strategy know how pages are judged by now, and move the links it scores differently; how many."""
        crawl, frontier = self._crawl, self._frontier
        self._store.begin()
        strategy = crawl.strategy
        strategy.rejudged((visit.url, verdict) for visit, verdict in rejudged)
        moved = frontier.reorder(strategy.changes())
        moved += frontier.rescore(everything=False)
        if inherits(strategy):
            moved += frontier.reorder(inherited(strategy, rejudged, frontier.standing))
        elif type(strategy).rejudged is not Strategy.rejudged:
            crawl.save_states()
        return moved

    def _keep(self, lesson: Lesson) -> None:
        self._store.begin()
        write_lesson(self._connection, lesson)
        self._crawl.commit()
        self._log.info("%s", told(lesson))


def told(lesson: Lesson) -> str:
    """What a lesson has changed, in a sentence."""
    moved = _count(lesson.moved, "link has moved", "links have moved")
    if lesson.harvest_before is None or lesson.harvest_after is None:
        return f"{moved}."
    return f"Harvest estimate {lesson.harvest_before:.2f} → {lesson.harvest_after:.2f}, {moved}."


def _figures(lesson: Lesson) -> dict[str, Any]:
    return {name: value for name, value in lesson._asdict().items() if name not in ("at",)}


def _who(request: Request) -> str:
    return request.by or "Somebody"


def _host(request: Request) -> str:
    """The host that a request names, by its name or by any address on it."""
    text = request.arguments["host"].strip()
    url = canonical(text if "://" in text else f"http://{text}/")
    if url is None or not host_of(url):
        raise ConfigError(f"{text!r} is not the name of a host, such as www.example.org.")
    return host_of(url)


def _count(n: float, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"
