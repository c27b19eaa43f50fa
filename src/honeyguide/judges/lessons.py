"""What a topic gives a judge to learn from: examples, its own words, and what pages are otherwise like."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Topic
from honeyguide.text.documents import Documents

MOST_LABELLED = 0.25
"""The share that texts labelled off topic have together at most; the background has the rest of one half."""


class Lessons:
    """The texts of a topic: examples first, then its name and keywords, then what is off topic.

    Texts without words are left out, and so is a background text that is an example too. `usual` marks what
    pages are usually like: the background or, where there is none, what is labelled off topic. `shares` say
    how much each text counts; those on topic make up one half. Where nobody gave examples, those of the
    topic's own level of a branch, or the marked pages of a session, stand for them.
    """

    def __init__(self, topic: Topic, documents: Documents, *, judge: str, query: float) -> None:
        def worded(texts: Iterable[Example]) -> list[Example]:
            kept = (text for text in texts if text.weight > 0)
            return [text for text in kept if len((read := documents.read(text)).words) or len(read.title)]

        session = topic.session
        given = topic.examples or (topic.branch[0].examples if topic.branch else ())
        examples = worded(given or [step.example for step in session if step.relevant])
        off_topic = worded((*topic.off_topic, *(step.example for step in session if not step.relevant)))
        # The same text at another address is another page: "Document moved" may be an example by mistake.
        known = {(text.text, text.url) for text in (*examples, *off_topic)}
        background = [text for text in worded(topic.background) if (text.text, text.url) not in known]
        self.query = words_of(topic, documents, alone=not examples)
        own = [Example(self.query, weight=query)] if self.query else []
        if not examples and not own:
            raise ConfigError(
                f"The topic {topic.name!r} has no words to look for; give it keywords or examples."
            )
        if not off_topic and not background:
            raise ConfigError(
                f"The {judge} judge compares pages with what pages are usually like, and the topic "
                f"{topic.name!r} has no background; give it one, or pages that are off topic."
            )
        self.examples = len(examples)
        self.own = len(examples) if own else None
        self.texts = (*examples, *own, *off_topic, *background)
        positive, labelled = len(examples) + len(own), len(off_topic)
        place = np.arange(len(self.texts))
        self.on_topic = place < positive
        self.usual = place >= positive + (labelled if background else 0)
        self.shares = self._shares(positive, labelled, bool(background))

    def _shares(self, positive: int, labelled: int, background: bool) -> NDArray[np.float64]:
        weights = np.array([text.weight for text in self.texts])
        on, off, rest = np.split(weights, [positive, positive + labelled])
        on = 0.5 * on / on.sum()
        if labelled:
            alike = float(off.sum() * on.mean())
            off = off / off.sum() * (min(MOST_LABELLED, alike) if background else 0.5)
        if background:
            rest = rest / rest.sum() * (0.5 - off.sum())
        return np.concatenate((on, off, rest))


def has_others(topic: Topic) -> bool:
    """Whether a topic has texts that pages can be compared with: such as are off it, or presumed so."""
    return bool(topic.background or topic.off_topic) or any(not step.relevant for step in topic.session)


def words_of(topic: Topic, documents: Documents, *, alone: bool = False) -> str:
    """The topic's name and keywords without stop words; where nothing else tells, its vocabulary's words too."""
    said = [topic.name, *topic.keywords]
    if alone and not topic.keywords:
        said += [term.text for term in topic.vocabulary if term.weight > 0]
    tokeniser = documents.tokeniser
    return " ".join(word for word in tokeniser.tokens("\n".join(said)) if tokeniser.stem(word))
