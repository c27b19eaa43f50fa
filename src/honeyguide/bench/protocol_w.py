"""Protocol W: find the pages of one topic in a web where pages are labelled with paths of a directory.

For a topic t with enough pages, R = its pages and E = the first 5 of them by sha256(url + t): the examples.
*near* starts from the first 3 of E; *far* from the first 3 pages by the same hash that are outside R, have no
link to R, and from which R less E can be reached. The crawl is told the words of the last part of t, E, the
branch above with as many examples a level, and 200 pages of the corpus drawn blindly as background.
It is scored on R less E less the seeds.
"""

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from honeyguide.bench.corpus import Corpus
from honeyguide.bench.task import (
    CURVE,
    RECALL,
    Task,
    drawn,
    examples_of,
    keys_of,
    links_inside,
    reachable,
    reversed_links,
)
from honeyguide.errors import ConfigError
from honeyguide.fetch.archives import address_of
from honeyguide.model import Level, Topic

SETTINGS = ("near", "far")
GIVEN = "given"
"""The setting of topics for which a protocol file names the seeds."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a protocol file may add to a topic: another name, keywords, pages to start from."""

    name: str = ""
    keywords: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Design:
    """The numbers of the protocol, and what a file says of single topics; another protocol has others."""

    smallest: int = 20
    examples: int = 5
    background: int = 200
    seeds: int = 3
    pages: int = 1000
    name: str = "W"
    told: Mapping[str, Told] = field(default_factory=dict)

    def __post_init__(self) -> None:
        numbers = ("smallest", "examples", "background", "seeds", "pages")
        if wrong := [name for name in numbers if getattr(self, name) < (name in ("smallest", "seeds"))]:
            raise ConfigError(f"A protocol's {wrong[0]} cannot be {getattr(self, wrong[0])}.")


def tasks(
    corpus: Corpus,
    *,
    settings: Sequence[str] | None = None,
    topics: Sequence[str] | None = None,
    pages: int | None = None,
    examples: int | None = None,
    design: Design | None = None,
) -> list[Task]:
    """The tasks of the protocol, topic by topic."""
    chosen = design or Design()
    return Draw(corpus, chosen, pages=pages, examples=examples).tasks(settings or SETTINGS, topics)


class Draw:
    """Draws examples, background and seeds from one corpus; what all topics share is worked out once."""

    def __init__(
        self,
        corpus: Corpus,
        design: Design,
        *,
        pages: int | None = None,
        examples: int | None = None,
    ) -> None:
        self._corpus = corpus
        self._design = design
        self._pages = design.pages if pages is None else pages
        self._examples = design.examples if examples is None else examples
        self._spelt: dict[str, str] = {}
        self._by_label: dict[str, set[str]] = {}
        for row in corpus.labels:
            self._spelt.setdefault(corpus.canonical(row.url), row.url)
            if row.label:
                self._by_label.setdefault(row.label, set()).add(row.url)
        self._everything = [self._spelt.get(key, key) for key in corpus.pages]
        self._links: dict[str, tuple[str, ...]] = {}
        self._backlinks: dict[str, list[str]] = {}

    def tasks(self, settings: Sequence[str], topics: Sequence[str] | None) -> list[Task]:
        """The tasks of some topics, or of all that are large enough."""
        for setting in settings:
            if setting not in self._settings:
                valid = ", ".join(self._settings)
                raise ConfigError(f"{setting!r} is no setting of this protocol; they are {valid}.")
        if not self._by_label:
            raise ConfigError("The corpus has no labels to score with; give them with --labels FILE.")
        large = [
            topic
            for topic, urls in sorted(self._by_label.items())
            if len(keys_of(self._corpus, urls)) >= self._design.smallest
        ]
        if topics is None and not large:
            raise ConfigError(f"No topic of the corpus has {self._design.smallest} pages or more.")
        for topic in self._design.told:
            self._known(topic)
        wanted = large if topics is None else [self._known(topic) for topic in dict.fromkeys(topics)]
        background = drawn(self._everything, before="background")[: self._design.background]
        return [
            self._task(topic, setting, background)
            for setting in dict.fromkeys(settings)
            for topic in wanted
            if setting != GIVEN or topics is not None or self._told(topic).seeds
        ]

    @property
    def _settings(self) -> tuple[str, ...]:
        return (*SETTINGS, GIVEN) if self._design.told else SETTINGS

    def _told(self, topic: str) -> Told:
        return self._design.told.get(topic, Told())

    def _known(self, topic: str) -> str:
        if topic not in self._by_label:
            near = difflib.get_close_matches(topic, self._by_label, 1, 0.4)
            perhaps = f"; did you mean {near[0]}?" if near else "."
            raise ConfigError(f"The labels know no topic {topic!r}{perhaps}")
        return topic

    def _task(self, topic: str, setting: str, background: Sequence[str]) -> Task:
        corpus, design = self._corpus, self._design
        told = self._told(topic)
        ranked = keys_of(corpus, drawn(self._by_label[topic], after=topic))
        relevant, examples = frozenset(ranked), ranked[: self._examples]
        if setting == GIVEN:
            seeds = self._given(topic, told)
        elif setting == "near":
            seeds = (examples or ranked)[: design.seeds]
        else:
            seeds = self._far(topic, relevant, relevant.difference(examples))
        excluded = frozenset((*examples, *seeds))
        if not relevant:
            raise ConfigError(f"The topic {topic}: none of its labelled URLs is a page of the corpus.")
        targets = relevant - excluded
        if not targets:
            raise ConfigError(
                f"The topic {topic} has {len(relevant)} pages in the corpus, all of which the crawl is told "
                "of; nothing is left to find."
            )
        branch, levels = self._branch(topic, examples)
        return Task(
            name=topic,
            setting=setting,
            topic=Topic(
                told.name or _words(topic),
                keywords=told.keywords,
                seeds=tuple(seeds),
                examples=examples_of(corpus, examples),
                background=examples_of(
                    corpus, (key for key in keys_of(corpus, background) if key not in examples)
                ),
                branch=branch,
            ),
            targets=targets,
            relevant=relevant,
            excluded=excluded,
            budget=self._pages,
            figure=CURVE if self._pages else RECALL,
            levels=levels,
            settings={
                "protocol": design.name,
                "pages": self._pages,
                "examples": self._examples,
                "background": design.background,
                "seeds": list(seeds),
            },
        )

    def _given(self, topic: str, told: Told) -> list[str]:
        """The seeds that a file names, where redirects lead them."""
        if not told.seeds:
            raise ConfigError(f"No seeds are given for the topic {topic}.")
        found = {seed: self._corpus.web.final(address_of(seed)) for seed in told.seeds}
        if strange := [seed for seed, key in found.items() if key not in self._corpus.pages]:
            raise ConfigError(f"The seed {strange[0]} of {topic} is not a page of the corpus.")
        return list(dict.fromkeys(found.values()))

    def _far(self, topic: str, relevant: frozenset[str], hidden: Collection[str]) -> list[str]:
        """Pages outside the topic, without a link into it, from which some of it can be reached."""
        if not self._links:
            self._links = links_inside(self._corpus, self._corpus.pages)
            self._backlinks = reversed_links(self._links)
        half = len(self._links) / 2
        counted = {page for page in relevant if len(set(self._backlinks.get(page, ()))) <= half}
        leading = reachable(self._backlinks, hidden)
        seeds = []
        for key in keys_of(self._corpus, drawn(self._everything, after=topic)):
            if key in leading and key not in relevant and counted.isdisjoint(self._links[key]):
                seeds.append(key)
                if len(seeds) == self._design.seeds:
                    return seeds
        raise ConfigError(
            f"Fewer than {self._design.seeds} pages lie outside {topic}, do not link into it, and lead there; "
            "use the near setting."
        )

    def _branch(self, topic: str, examples: Sequence[str]) -> tuple[tuple[Level, ...], dict[str, int]]:
        """The way up the directory with examples, and the level of every page of it.

        A page belongs to the lowest level that holds it, so that the examples of a level above give
        away no page of the topic.
        """
        levels = dict.fromkeys(keys_of(self._corpus, self._by_label[topic]), 1)
        branch = [Level(_words(topic), examples_of(self._corpus, examples))]
        path = topic
        while "/" in path:
            path = path.rpartition("/")[0]
            own = [key for key in self._under(path) if key not in levels]
            levels |= dict.fromkeys(own, len(branch) + 1)
            branch.append(Level(_words(path), examples_of(self._corpus, own[: self._examples])))
        return tuple(branch), levels

    def _under(self, path: str) -> list[str]:
        urls: Iterable[str] = (
            url
            for label, pages in self._by_label.items()
            if label == path or label.startswith(path + "/")
            for url in pages
        )
        return keys_of(self._corpus, drawn(urls, after=path))


def _words(path: str) -> str:
    return " ".join(path.rpartition("/")[2].replace("_", " ").split())
