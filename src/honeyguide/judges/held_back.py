"""Texts that a judge is asked about before it may learn from them: only those tell what it will say of pages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Topic

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

FOLDS = 5
"""Parts that the texts are dealt into, each of which is held back once."""

NEARNESS = 0.1
"""How far from other texts towards an example the topic's pages are presumed, where none could be held back.

With a single example, on an encyclopedia, most pages of a topic lay 3 to 9 hundredths of that way in an SVM.
"""


@runtime_checkable
class HoldsBack(Protocol):
    """A judge that, once fitted, can say what it would have said of each text without having learned from it."""

    def held_back(self) -> Floats:
        """The margins of all texts of `Sample.of(topic)`, in their order; not a number for what it did not use."""
        ...


@dataclass(frozen=True)
class Sample:
    """The texts of a topic that a judge learns from: examples, then those off topic, then the background.

    A text of weight 0 is not learned from: it says nothing, or it is background that is an example too.
    `parts` deals the others out; what has the part -1 is never held back, being the only one of its kind.
    """

    texts: tuple[Example, ...]
    on_topic: Mask
    labelled: Mask
    weights: Floats
    parts: NDArray[np.int64]

    @classmethod
    def of(cls, topic: Topic, *, judge: str, worded: Mask | None = None) -> "Sample":
        """The texts of a topic, for a judge of this name, or a sentence about what is missing.

        Texts that are not `worded`, in which the judge finds no words, say nothing.
        """
        texts = texts_of(topic)
        order = np.arange(len(texts))
        on_topic = order < len(topic.examples)
        labelled = order < len(topic.examples) + len(topic.off_topic)
        known = {text.url or text.text for text in topic.examples}
        weights = np.array(
            [
                text.weight
                if text.weight > 0
                and f"{text.title}{text.text}".strip()
                # A background is drawn blindly, and may draw what it is meant to be the opposite of.
                and (said or (text.url or text.text) not in known)
                else 0.0
                for text, said in zip(texts, labelled.tolist(), strict=True)
            ]
        )
        if worded is not None:
            weights *= worded
        used = weights > 0
        if not used[on_topic].any():
            raise ConfigError(
                f"The {judge} judge learns from examples, and the topic {topic.name!r} has none with words; "
                "give it some pages that are on topic."
            )
        if not used[~on_topic].any():
            raise ConfigError(
                f"The {judge} judge learns what sets examples apart from other pages, and the topic "
                f"{topic.name!r} has no others with words; give it pages that are off topic, or a background."
            )
        parts = np.full(len(texts), -1)
        for kind in (used & on_topic, used & ~on_topic):
            number = int(kind.sum())
            if number > 1:
                parts[kind] = np.arange(number) % min(FOLDS, number)
        return cls(texts, on_topic, labelled, weights, parts)

    @property
    def used(self) -> Mask:
        """Which texts are learned from."""
        return self.weights > 0

    @property
    def balanced(self) -> Floats:
        """How much each text weighs in learning: all of the background together as much as all examples.

        What a person has labelled off topic weighs as much as an example; the background is only presumed to
        be. The mean weight is 1.
        """
        background = ~self.labelled
        weights = self.weights.copy()
        presumed = weights[background].sum()
        if presumed > 0:
            weights[background] *= weights[self.on_topic].sum() / presumed
        return weights * float(self.used.sum() / weights.sum())

    def chosen(self, which: Mask) -> list[Example]:
        """Some of the texts."""
        return [self.texts[at] for at in np.flatnonzero(which).tolist()]

    def presumed(self, base_rate: float) -> Floats:
        """How much each text weighs when this share of all pages is presumed to be on topic."""
        shares = np.zeros(len(self.texts))
        for kind, share in ((self.on_topic, base_rate), (~self.on_topic, 1 - base_rate)):
            shares[kind] = share * self.weights[kind] / self.weights[kind].sum()
        return shares * float(self.used.sum())

    def margins(self, margins_of: Callable[[Mask, Mask], Floats]) -> Floats:
        """Every text's margin by a judge that has not learned from it; not a number for one of weight 0.

        `margins_of(learned, asked)` are the margins of some texts by a judge that has learned from others.
        Where the only example cannot be held back, or the examples are no more alike than other texts are to
        them, examples get a margin some way from the others' to what the whole judge gives them.
        """
        found = np.full(len(self.texts), np.nan)
        examples, others = self.used & self.on_topic, self.used & ~self.on_topic
        for part in range(int(self.parts.max()) + 1):
            held = self.parts == part
            found[held] = margins_of(self.used & ~held, held)
        never = self.parts < 0
        if (others & never).any():
            found[others] = margins_of(self.used, others)
        middle = found[others].mean()
        if (examples & never).any() or found[examples].mean() <= middle:
            found[examples] = middle + NEARNESS * (margins_of(self.used, examples) - middle)
        return found


def check_base_rate(judge: str, base_rate: float) -> None:
    """Refuse a share of pages on topic that is none."""
    if not 0 < base_rate < 1:
        raise ConfigError(f"The {judge} judge's base_rate must lie between 0 and 1, not at {base_rate}.")


def texts_of(topic: Topic) -> tuple[Example, ...]:
    """All texts of a topic that a judge may learn from, in the order of a `Sample`."""
    return (*topic.examples, *topic.off_topic, *topic.background)


def learns(judge: object) -> bool:
    """Whether a judge learns from examples; one that does not says so with `learns = False`."""
    return bool(getattr(judge, "learns", True))


def without(topic: Topic, texts: Iterable[Example]) -> Topic:
    """A topic that has never heard of some texts."""
    held = frozenset(texts)

    def kept(texts: tuple[Example, ...]) -> tuple[Example, ...]:
        return tuple(text for text in texts if text not in held)

    return replace(
        topic,
        examples=kept(topic.examples),
        off_topic=kept(topic.off_topic),
        background=kept(topic.background),
        branch=tuple(level._replace(examples=kept(level.examples)) for level in topic.branch),
        session=tuple(step for step in topic.session if step.example not in held),
    )
