"""Learning during a crawl: the topic is revised with what people say of pages, and its judge fitted again.

Labels are rows that others write (see store/labels.py). Between visits the crawl looks whether there are new
ones; a judge is fitted to the revised topic in a thread, so that nothing in flight waits for it, and then
published to whoever reads pages, after it has judged the pages whose links wait. What it has learned is saved
with the crawl, in the same transaction as the first verdict it gives.
"""

import asyncio
import hashlib
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from honeyguide.errors import ConfigError, UserError
from honeyguide.judges.revised import Revised
from honeyguide.judges.topical import TopicJudge
from honeyguide.model import Example, Topic
from honeyguide.rejudging import Rejudged, Retrospect, Review
from honeyguide.roles import Judge
from honeyguide.self_training import Chosen, SelfTraining, taught
from honeyguide.store.labelled import LabelledPages
from honeyguide.store.lessons import Lesson
from honeyguide.store.pages import latest, surest
from honeyguide.topics.growth import grown

LOOK_EVERY = 1.0
"""Seconds between two looks for new labels."""

REST = 9.0
"""Times as long as it took, fitting a judge is left alone: it costs a tenth of the time at most."""

LATEST = 100
"""Pages on which the harvest of a judge that has taught itself is compared."""

WINDOW = 2000
"""Visits among which sure pages are looked for."""

ROLE = "judge"

Learning = Callable[[], Coroutine[Any, Any, None]]
Told = Callable[[Lesson | None, str], None]
"""Hears what came of a new topic: what was learned, or why it cannot be."""


def _nobody(lesson: Lesson | None, objection: str) -> None:
    """Nobody has asked."""


class States(Protocol):
    """Where what was learned is kept."""

    def save_state(self, role: str, state: Mapping[str, Any]) -> None: ...

    def load_state(self, role: str) -> tuple[int, dict[str, Any]] | None: ...


class Labelled(NamedTuple):
    """A page as an example, and what people say of it."""

    example: Example
    relevant: bool


def revised(topic: Topic, labelled: Iterable[Labelled]) -> Topic:
    """The topic with labelled pages among its examples; a page that was an example before is what people say now."""
    known = [entry for entry in labelled if entry.example.text.strip()]
    urls = {entry.example.url for entry in known}
    return replace(
        topic,
        examples=(
            *(example for example in topic.examples if example.url not in urls),
            *(entry.example for entry in known if entry.relevant),
        ),
        off_topic=(
            *(example for example in topic.off_topic if example.url not in urls),
            *(entry.example for entry in known if not entry.relevant),
        ),
    )


class Learner:
    """Keeps the judge of a crawl up with its labels and its topic; `judge` is the one that counts.

    When there is another one it is given to `publish`, the pages it has judged anew to `reorder`, which says how
    many links have moved, and what became of it all to `keep`. In a run without `reorder` what waits stays where it is.
    """

    def __init__(
        self,
        topic: Topic,
        *,
        settings: Mapping[str, Any],
        fit: Callable[[Topic], TopicJudge],
        unfitted: Callable[[], TopicJudge],
        pages: LabelledPages,
        states: States,
        training: SelfTraining,
        log: logging.Logger,
        retrospect: Retrospect | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.topic = topic
        self.revision = 0
        self.publish: Callable[[Judge], None] = lambda judge: None
        self.reorder: Callable[[Sequence[Rejudged]], int] | None = lambda rejudged: 0
        self.keep: Callable[[Lesson], None] = lambda lesson: None
        self._fit = fit
        self._unfitted = unfitted
        self._pages = pages
        self._states = states
        self._training = training
        self._log = log
        self._retrospect = retrospect
        self._clock = clock
        self._now = now
        self._settings = json.dumps(settings, sort_keys=True, default=str)
        self._about = self._digest_of(topic)
        self._chosen: tuple[str, ...] = ()
        self._people: TopicJudge | None = None
        self._next_look = 0.0
        self._visits = 0
        self._reviewing = 0.0
        self._unsaved = False
        self._is_behind = False
        self._queue_is_behind = False
        self._earlier: Mapping[str, Any] | None = None
        self._task: asyncio.Task[None] | None = None
        self._decided = pages.decisions()
        self._judge = self._take_up()

    @property
    def judge(self) -> Judge:
        """The judge as fitted to the newest revision of the topic."""
        return Revised(self._judge, self.revision)

    def look(self, visits: int = 1) -> None:
        """After so many visits: see whether there is anything to learn, at most once a second."""
        self._visits += visits
        now = self._clock()
        if self._task is not None or now < self._next_look:
            return
        self._next_look = now + LOOK_EVERY
        if self._pages.changed() and (decided := self._pages.decisions()) != self._decided:
            self._decided = decided
            self._start(partial(self._learn, self.topic, self._pages.rows(decided)))
        elif self._training.confident and self._visits >= self._training.every:
            self._visits = 0
            self._start(self._learn_from_sure_pages)

    async def catch_up(self) -> None:
        """Before the first visit: learn what people said while the crawl stood still, and let what waits follow."""
        if self._is_behind:
            self._is_behind = False
            self._start(partial(self._learn, self.topic, self._pages.rows(self._decided)))
            await self.settled()
        if self._queue_is_behind and self.reorder:
            self._start(self._look_back)
            await self.settled()

    def turn_to(self, topic: Topic, told: Told) -> bool:
        """Fit the judge to another revision of the topic, with all labels; False while something else is learned."""
        if self._task is not None:
            return False
        rows = self._pages.rows(self._decided)

        async def turn() -> None:
            try:
                await self._learn(topic, rows, told)
            except UserError as error:
                told(None, str(error))
            except Exception:
                if self.topic is not topic:
                    told(None, "Fitting the judge to it failed; crawl.log says how.")
                raise

        self._start(turn)
        return True

    def save(self) -> None:
        """Before a commit: write down what was learned, with the first verdicts that come of it."""
        if self._unsaved:
            self._unsaved = False
            self._states.save_state(
                ROLE,
                {
                    "revision": self.revision,
                    "about": self._about,
                    "labels": self._fitted_on,
                    "sure": self._chosen,
                    "judge": self._judge.state(),
                    "settings": self._settings,
                    "queue_is_behind": self._queue_is_behind,
                },
            )

    async def settled(self) -> None:
        """Wait until what is being learned is learned."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Give up what is being learned; the labels are still there when the crawl is resumed."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _take_up(self) -> TopicJudge:
        """The judge saved with the crawl if it was fitted to the same topic, else a new one."""
        labels = _digest(repr(self._decided))
        nothing = {"revision": 0, "about": "", "labels": NO_LABELS}
        saved = self._states.load_state(ROLE)
        self._was_saved = saved is not None
        state: Mapping[str, Any] = saved[1] if saved else nothing
        self.revision, self._fitted_on = state["revision"], state["labels"]
        self._queue_is_behind = state.get("queue_is_behind", False)
        if state["about"] == self._about:
            try:
                judge = self._unfitted().restore(state["judge"])
            except ConfigError as error:
                self._log.warning("%s It is fitted anew.", error)
            else:
                self._chosen = tuple(state["sure"])
                self._is_behind = self._fitted_on != labels
                return judge
        elif saved and state.get("settings") == self._settings:
            self._earlier = state["judge"]
        self._queue_is_behind = self._was_saved
        try:
            judge = self._fit(self._revise(self.topic, self._pages.rows(self._decided)))
        except UserError as error:
            if not self._decided:
                raise
            self._log.warning("the labels cannot be learned: %s", error)
            return self._fresh(self._fit(self.topic), NO_LABELS)
        return self._fresh(judge, labels)

    def _fresh(self, judge: TopicJudge, labels: str) -> TopicJudge:
        # Another judge than the one that was saved, or one that has learned something, signs by another number.
        self.revision += self._was_saved or labels != NO_LABELS
        self._fitted_on = labels
        self._unsaved = True
        return judge

    def _start(self, learning: Learning) -> None:
        self._task = asyncio.get_running_loop().create_task(self._guard(learning))

    async def _guard(self, learning: Learning) -> None:
        """Whatever goes wrong in learning, the crawl goes on with the judge it has."""
        started = self._clock()
        self._reviewing = 0.0
        try:
            await learning()
        except UserError as error:
            self._log.warning("the labels cannot be learned: %s", error)
        except Exception:
            self._log.exception("learning failed; the judge stays as it is")
        finally:
            ended = self._clock()
            self._next_look = ended + max(LOOK_EVERY, REST * (ended - started - self._reviewing))
            self._task = None

    async def _learn(self, topic: Topic, rows: Sequence[sqlite3.Row], told: Told = _nobody) -> None:
        judge = await asyncio.to_thread(lambda: self._fit(self._revise(topic, rows)))
        await self._adopt(judge, topic, (), told)

    async def _learn_from_sure_pages(self) -> None:
        training = self._training
        labelled = self._pages.rows(self._decided)
        candidates = [
            *surest(
                self._pages.connection,
                2 * training.most,
                relevant=True,
                beyond=training.at_least,
                latest=WINDOW,
            ),
            *surest(
                self._pages.connection,
                2 * training.most,
                relevant=False,
                beyond=training.at_most,
                latest=WINDOW,
            ),
        ]
        recent = latest(self._pages.connection, LATEST)
        if not candidates:
            return
        state = self._judge.state()
        judge, chosen, objection = await asyncio.to_thread(
            self._teach_itself, labelled, candidates, recent, state
        )
        if objection:
            self._log.info("%d sure pages were not learned: %s", len(chosen.urls), objection)
        elif judge is not None and chosen.urls != self._chosen:
            await self._adopt(judge, self.topic, chosen.urls)

    def _teach_itself(
        self,
        labelled: Sequence[sqlite3.Row],
        candidates: Sequence[sqlite3.Row],
        recent: Sequence[sqlite3.Row],
        state: Mapping[str, Any],
    ) -> tuple[TopicJudge | None, Chosen, str]:
        """Runs in a thread, so it has judges of its own: theirs is not the memory to share."""
        topic = self._revise(self.topic, labelled)
        if self._people is None:
            self._people = self._fit(topic)
        now = self._unfitted().restore(state)
        decided = {row["address_url"] for row in labelled}
        sure = [row for row in candidates if row["address_url"] not in decided]
        chosen = self._training.choose(topic, self._pages.pages(sure), (self._people, now))
        if not chosen.urls:
            return None, chosen, ""
        judge = self._fit(taught(topic, chosen))
        objection = self._training.objection(
            grown(topic, ("background",)), self._pages.pages(recent), before=self._people, after=judge
        )
        return judge, chosen, objection

    async def _adopt(
        self, judge: TopicJudge, topic: Topic, chosen: tuple[str, ...], told: Told = _nobody
    ) -> None:
        review = await self._review(self._judge.state(), Revised(judge, self.revision + 1))
        # First of all: if that fails, nothing has changed.
        self.publish(Revised(judge, self.revision + 1))
        self.topic, self._about = topic, self._digest_of(topic)
        self._judge = judge
        self._chosen = chosen
        if not chosen:
            self._people = None
        self.revision += 1
        self._fitted_on = _digest(repr(self._decided))
        self._unsaved = self._queue_is_behind = True
        self._conclude(review, told)

    async def _look_back(self) -> None:
        """Let what waits follow the judge, which is another one than when the crawl stopped, or learned something while
        nothing could be moved.
        """
        judge = self._unfitted().restore(self._judge.state())
        review = await self._review(self._earlier, Revised(judge, self.revision))
        if review.rejudged:
            self._conclude(review)
        else:
            self._queue_is_behind, self._unsaved = False, True

    def _conclude(self, review: Review, told: Told = _nobody) -> None:
        """Write down what the judge that counts now has learned, and what that changes."""
        on_topic = sum(decision.relevant for decision in self._decided.values())
        off_topic = len(self._decided) - on_topic
        self._log.info(
            "topic revision %d: %d pages labelled on topic, %d off topic, %d sure pages",
            self.revision,
            on_topic,
            off_topic,
            len(self._chosen),
        )
        moved = 0
        if self.reorder:
            moved = self.reorder(review.rejudged)
            self._queue_is_behind, self._unsaved = False, True
        lesson = Lesson(
            self.revision,
            self._now(),
            on_topic,
            off_topic,
            review.harvest_before,
            review.harvest_after,
            moved=moved,
        )
        told(lesson, "")
        self.keep(lesson)

    async def _review(self, earlier: Mapping[str, Any] | None, after: Judge) -> Review:
        """What another judge changes that nobody else has; the earlier one is taken up from its state, if it is of the
        same kind.
        """
        retrospect = self._retrospect
        if retrospect is None:
            return Review()
        rows = retrospect.rows(decision.visit for decision in self._decided.values())

        def review() -> Review:
            before: TopicJudge | None = None
            with suppress(ConfigError):  # another version of Honeyguide may have saved it
                before = self._unfitted().restore(earlier) if earlier else None
            return retrospect.review(rows, before, after)

        found = await asyncio.to_thread(review)
        self._reviewing = found.seconds
        return found

    def _digest_of(self, topic: Topic) -> str:
        return _digest(self._settings, repr(topic))

    def _revise(self, topic: Topic, rows: Iterable[sqlite3.Row]) -> Topic:
        decided = self._decided
        return revised(
            topic,
            [Labelled(self._pages.example(row), decided[row["address_url"]].relevant) for row in rows],
        )


def _digest(*texts: str) -> str:
    return hashlib.blake2b("\0".join(texts).encode(), digest_size=16).hexdigest()


NO_LABELS = _digest(repr({}))
"""What a judge was fitted on that has learned nothing from people."""
