"""English from templates: sentences that people wrote, with slots that chance fills.

The files beside this one hold them. `## name | label; label` begins an aspect of a topic, `=` begins a
title, every other line is a sentence. A slot is a choice `{one|another}`, a number `{3-40}` or a name
from names.txt, `{place}`; `{here}` is the one place that a page is about.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from typing import NamedTuple

TOPIC = "dengue fever"
TOPICS = (
    TOPIC,
    "malaria",
    "mosquitoes",
    "travel",
    "gardening",
    "asthma",
    "football",
    "cooking",
    "city",
)

_slots = re.compile(r"\{([^}]*)\}")
_is_range = re.compile(r"(\d+)-(\d+)").fullmatch
_SETTING = ("town", "team", "street")
_FAITHFULNESS = 0.6  # how often a sentence stays with its page's town, team and street


class Aspect(NamedTuple):
    """One side of a topic: short names for links, titles and sentences."""

    name: str
    labels: tuple[str, ...]
    titles: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prose:
    """All the words there are."""

    topics: Mapping[str, tuple[Aspect, ...]]
    voices: Mapping[tuple[str, str], Aspect]
    names: Mapping[str, tuple[str, ...]]

    def setting(self, rng: Random) -> dict[str, str]:
        """Where a page plays: its place, town, team and street."""
        return {
            "here": rng.choice(self.names["place"]),
            **{slot: rng.choice(self.names[slot]) for slot in _SETTING},
        }

    def fill(self, template: str, setting: Mapping[str, str], rng: Random) -> str:
        """A template with its slots filled, no name twice."""
        used = {setting["here"]}

        def choose(slot: re.Match[str]) -> str:
            name: str = slot[1]
            if "|" in name:
                return rng.choice(name.split("|"))
            if bounds := _is_range(name):
                return str(rng.randint(int(bounds[1]), int(bounds[2])))
            if name == "here":
                return setting[name]
            if name in setting and setting[name] not in used and rng.random() < _FAITHFULNESS:
                chosen = setting[name]
            else:
                chosen = rng.choice([each for each in self.names[name] if each not in used])
            used.add(chosen)
            return chosen

        text = _slots.sub(choose, template)
        return text[0].upper() + text[1:]

    def paragraphs(
        self, topic: str, aspect: str, setting: Mapping[str, str], rng: Random
    ) -> list[tuple[str, list[str]]]:
        """A text in two parts, each a heading ("" for the first) and its paragraphs."""
        aspects = self.topics[topic]
        first = next(each for each in aspects if each.name == aspect)
        second = rng.choice([each for each in aspects if each is not first])
        parts = []
        for part, size, heading in (
            (first, rng.randint(6, 8), ""),
            (second, rng.randint(3, 5), second.labels[0]),
        ):
            sentences = [self.fill(each, setting, rng) for each in rng.sample(part.sentences, size)]
            parts.append((heading[:1].upper() + heading[1:], [" ".join(each) for each in _groups(sentences)]))
        return parts


def load() -> Prose:
    """Read the files."""
    return Prose(
        topics={
            topic: tuple(
                Aspect(name, tuple(each.strip() for each in labels.split(";")), titles, sentences)
                for name, labels, titles, sentences in _aspects(topic.replace(" ", "-"))
            )
            for topic in TOPICS
        },
        voices={
            (language, matter): Aspect(head, (), titles, sentences)
            for head, _, titles, sentences in _aspects("voices")
            for language, matter in (head.split(),)
        },
        names={
            slot: tuple(each.strip() for each in names.split(";"))
            for slot, _, names in (line.partition(":") for line in _read("names").splitlines())
        },
    )


def _groups(sentences: list[str]) -> Iterator[list[str]]:
    """Paragraphs of three or four sentences; none is left alone."""
    while sentences:
        size = 3 if len(sentences) in (3, 5, 6, 7, 9) else 4
        yield sentences[:size]
        sentences = sentences[size:]


def _aspects(name: str) -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    for block in re.split(r"^## ", _read(name), flags=re.MULTILINE)[1:]:
        head, *lines = block.splitlines()
        aspect, _, labels = head.partition("|")
        titles = tuple(line[2:] for line in lines if line.startswith("= "))
        yield aspect.strip(), labels, titles, tuple(line for line in lines if not line.startswith("= "))


def _read(name: str) -> str:
    return (files(__package__) / "prose" / f"{name}.txt").read_text(encoding="utf-8")
