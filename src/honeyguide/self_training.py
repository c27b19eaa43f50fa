"""Learning from pages that the judge itself is sure of, without letting it drift on its own errors.

What a judge teaches itself is never more than people have taught it, counts for less, and is forgotten each
time: it is chosen afresh among the latest pages by a judge that only people have taught, and the one that
judges now must agree. A judge made so is taken only if it tells what people have given apart as well as the
one without, and would have called about as many of the latest pages on topic.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from honeyguide.model import Example, Page, Topic
from honeyguide.roles import Judge
from honeyguide.store.pages import NOT_JUDGED

MOST_BACKGROUND = 200
"""Texts of the background that a new judge is tried on."""


class Chosen(NamedTuple):
    """Pages that the judges are sure of."""

    on_topic: tuple[Example, ...] = ()
    off_topic: tuple[Example, ...] = ()

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(example.url for example in (*self.on_topic, *self.off_topic))


class SelfTraining:
    """Says which pages are sure enough to learn from, and whether what came of it may be used.

    Every `every` pages, up to `most` of the latest that scored `at_least` and as many that scored `at_most`
    become examples of this `weight`. The share of pages on topic may move by no more than `jump`.
    """

    def __init__(
        self,
        *,
        confident: bool = False,
        every: int = 100,
        at_least: float = 0.97,
        at_most: float = 0.01,
        most: int = 20,
        weight: float = 0.3,
        jump: float = 0.1,
    ) -> None:
        if not 0 <= at_most < at_least <= 1:
            raise ValueError(f"at_most ({at_most}) must lie below at_least ({at_least}), both from 0 to 1")
        if every < 1 or most < 1:
            raise ValueError("every and most must be at least 1")
        if not 0 < weight <= 1:
            raise ValueError(f"weight must be more than 0 and at most 1, not {weight}")
        if not 0 <= jump <= 1:
            raise ValueError(f"jump must lie between 0 and 1, not at {jump}")
        self.confident = confident
        self.every = every
        self.at_least = at_least
        self.at_most = at_most
        self.most = most
        self.weight = weight
        self.jump = jump

    def choose(self, topic: Topic, pages: Iterable[Page], judges: Sequence[Judge]) -> Chosen:
        """The first pages that all judges are sure of, no more of a kind than people have given examples."""
        room = min(self.most, len(topic.examples))
        known = {example.url for example in (*topic.examples, *topic.off_topic) if example.url}
        sure: dict[bool, list[Example]] = {True: [], False: []}
        for page in pages:
            if page.url in known or not page.text.strip():
                continue
            opinion = self._opinion(page, judges)
            if opinion is not None and len(sure[opinion]) < room:
                known.add(page.url)
                sure[opinion].append(Example(page.text, page.title, page.url, self.weight))
        return Chosen(tuple(sure[True]), tuple(sure[False]))

    def objection(self, topic: Topic, latest: Sequence[Page], *, before: Judge, after: Judge) -> str:
        """What speaks against a judge that has taught itself, beside the one that only people have; or nothing."""
        old, new = _on_given(before, topic), _on_given(after, topic)
        if new.precision < old.precision - 1e-9:
            return f"average precision on the given examples would fall from {old.precision:.3f} to {new.precision:.3f}"
        if new.mistakes > old.mistakes:
            return f"mistakes on the given examples would rise from {old.mistakes} to {new.mistakes}"
        harvests = [_harvest(judge, latest) for judge in (before, after)]
        if abs(harvests[1] - harvests[0]) > self.jump:
            return f"the share of the latest pages on topic would jump from {harvests[0]:.0%} to {harvests[1]:.0%}"
        return ""

    def _opinion(self, page: Page, judges: Sequence[Judge]) -> bool | None:
        verdicts = [judge.assess(page) for judge in judges]
        if any(verdict.label in NOT_JUDGED for verdict in verdicts):
            return None
        if all(verdict.relevant and verdict.score >= self.at_least for verdict in verdicts):
            return True
        if all(not verdict.relevant and verdict.score <= self.at_most for verdict in verdicts):
            return False
        return None


class Standing(NamedTuple):
    """How well a judge tells the examples apart that people have given."""

    precision: float
    mistakes: int


def taught(topic: Topic, chosen: Chosen) -> Topic:
    """The topic with the chosen pages among its examples."""
    return replace(
        topic,
        examples=(*topic.examples, *chosen.on_topic),
        off_topic=(*topic.off_topic, *chosen.off_topic),
    )


def _on_given(judge: Judge, topic: Topic) -> Standing:
    given = [
        *((example, True) for example in topic.examples),
        *((example, False) for example in (*topic.off_topic, *topic.background[:MOST_BACKGROUND])),
    ]
    judged = [(judge.assess(Page(one.url, one.title, one.text)), right) for one, right in given]
    # Where scores are equal, the wrong ones come first: a judge that cannot tell them apart is not right.
    ranked = sorted(judged, key=lambda entry: (-entry[0].score, entry[1]))
    return Standing(
        _average_precision([right for _, right in ranked]),
        sum(verdict.relevant != right for verdict, right in judged),
    )


def _average_precision(ranked: Sequence[bool]) -> float:
    found = 0
    total = 0.0
    for place, right in enumerate(ranked, 1):
        found += right
        total += found / place if right else 0.0
    return total / found if found else 0.0


def _harvest(judge: Judge, pages: Sequence[Page]) -> float:
    return sum(judge.assess(page).relevant for page in pages) / len(pages) if pages else 0.0
