"""A topic as it is shown and edited: what it says, without the texts of its examples, and what somebody makes of it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Level, Term, Topic
from honeyguide.topics.vocabulary import sound

OPENING = 160
"""Characters of an example that are shown."""

Line = Annotated[str, Field(min_length=1, max_length=500)]
Lines = Annotated[list[Line], Field(max_length=500)]
Finite = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]

FindPage = Callable[[str], Example]
"""The page of the collection at an address, as an example; raises ConfigError if there is none."""


class TermSeen(BaseModel):
    """A term of the vocabulary, for or against."""

    text: Line
    weight: Finite
    label: Annotated[str, Field(max_length=200)] = ""


class ExampleSeen(BaseModel):
    """An example of the topic: its place among the others, and how its text begins."""

    kept: int
    url: str
    title: str
    weight: float
    opening: str
    characters: int


class LevelSeen(BaseModel):
    """A level of the branch, the topic's own first."""

    name: str
    examples: list[ExampleSeen]


class TopicSeen(BaseModel):
    """One revision of a topic."""

    revision: int
    name: str
    description: str
    keywords: list[str]
    vocabulary: list[TermSeen]
    examples: list[ExampleSeen]
    off_topic: list[ExampleSeen]
    levels: list[LevelSeen]
    languages: list[str]
    rules: list[str]
    reject: list[str]
    require: list[str]
    seeds: int
    background: int
    judge: str


class ExampleMeant(BaseModel):
    """An example that stays (by its place), a page of the collection (by its address), or a text that was pasted."""

    model_config = ConfigDict(extra="forbid")

    kept: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    url: Annotated[str, Field(max_length=4000)] = ""
    title: Annotated[str, Field(max_length=500)] = ""
    text: Annotated[str, Field(max_length=200_000)] = ""


Examples = Annotated[list[ExampleMeant], Field(max_length=5000)]


class LevelMeant(BaseModel):
    """A level of the branch as it is to be."""

    model_config = ConfigDict(extra="forbid")

    name: Line
    examples: Examples = []


class TopicEdit(BaseModel):
    """A topic as it is to be; whatever is left out stays as it is. `revision` is the one that was edited."""

    model_config = ConfigDict(extra="forbid")

    revision: Annotated[int, Field(ge=1, le=2**31)]
    description: Annotated[str, Field(max_length=5000)] | None = None
    keywords: Lines | None = None
    vocabulary: Annotated[list[TermSeen], Field(max_length=20_000)] | None = None
    examples: Examples | None = None
    off_topic: Examples | None = None
    levels: Annotated[list[LevelMeant], Field(max_length=50)] | None = None
    languages: Lines | None = None
    rules: Lines | None = None
    reject: Lines | None = None
    require: Lines | None = None


def seen(topic: Topic, revision: int, judge: str) -> TopicSeen:
    """A topic as it is shown."""
    return TopicSeen(
        revision=revision,
        name=topic.name,
        description=topic.description,
        keywords=list(topic.keywords),
        vocabulary=[TermSeen.model_construct(**term._asdict()) for term in topic.vocabulary],
        examples=_examples_seen(topic.examples),
        off_topic=_examples_seen(topic.off_topic),
        levels=[
            LevelSeen(name=level.name, examples=_examples_seen(level.examples)) for level in topic.branch
        ],
        languages=list(topic.languages),
        rules=list(topic.rules),
        reject=list(topic.reject),
        require=list(topic.require),
        seeds=len(topic.seeds),
        background=len(topic.background),
        judge=judge,
    )


def edited(topic: Topic, edit: TopicEdit, find: FindPage) -> Topic:
    """The topic with an edit; what cannot be is said in a sentence."""
    changed = replace(
        topic,
        description=topic.description if edit.description is None else edit.description.strip(),
        keywords=_lines(edit.keywords, topic.keywords),
        languages=_lines(edit.languages, topic.languages),
        rules=_lines(edit.rules, topic.rules),
        reject=_lines(edit.reject, topic.reject),
        require=_lines(edit.require, topic.require),
    )
    if edit.vocabulary is not None:
        changed = replace(changed, vocabulary=_vocabulary(edit.vocabulary))
    for term in (*changed.reject, *changed.require):
        sound(Term(term), "A rule")
    if edit.examples is not None:
        changed = replace(changed, examples=_examples(topic.examples, edit.examples, find))
    if edit.off_topic is not None:
        changed = replace(changed, off_topic=_examples(topic.off_topic, edit.off_topic, find))
    if edit.levels is not None:
        changed = replace(changed, branch=_levels(topic.branch, edit.levels, find))
    return changed


def _lines(lines: Sequence[str] | None, before: tuple[str, ...]) -> tuple[str, ...]:
    if lines is None:
        return before
    return tuple(dict.fromkeys(filter(None, (" ".join(line.split()) for line in lines))))


def _vocabulary(terms: Sequence[TermSeen]) -> tuple[Term, ...]:
    return tuple(
        sound(Term(" ".join(term.text.split()), term.weight, term.label.strip()), "The vocabulary")
        for term in terms
    )


def _examples(
    before: Sequence[Example], meant: Sequence[ExampleMeant], find: FindPage
) -> tuple[Example, ...]:
    examples = []
    for one in meant:
        if one.kept is not None:
            if one.kept >= len(before):
                raise ConfigError(f"There is no example {one.kept}; there are {len(before)}.")
            examples.append(before[one.kept])
        elif one.text.strip():
            examples.append(Example(one.text.strip(), one.title.strip()))
        elif one.url.strip():
            examples.append(find(one.url.strip()))
        else:
            raise ConfigError("An example needs a text or the address of a page of this crawl.")
    return tuple(dict.fromkeys(examples))


def _levels(before: Sequence[Level], meant: Sequence[LevelMeant], find: FindPage) -> tuple[Level, ...]:
    known = {level.name: level.examples for level in before}
    return tuple(
        Level(level.name, _examples(known.get(level.name, ()), level.examples, find)) for level in meant
    )


def _examples_seen(examples: Sequence[Example]) -> list[ExampleSeen]:
    return [
        ExampleSeen(
            kept=place,
            url=example.url,
            title=example.title[:300],
            weight=example.weight if math.isfinite(example.weight) else 1.0,
            opening=" ".join(example.text[: 4 * OPENING].split())[:OPENING],
            characters=len(example.text),
        )
        for place, example in enumerate(examples)
    ]
