"""Protocol K: the WebKB experiment of Almpanidis, Kotropoulos & Pitas (AP 5; 2007).

Each of the four universities is a web of its own: links that leave its pages are ignored. The seed is the page
that its labels call `department` (every university has one; of several the first by spelling). The crawl runs
until nothing is left, and recall is relative to the pages of the category that can be reached from the seed.
The crawl is told AP's query for the category and the text of the other three universities and of misc without
their labels; in the settings *5-examples* and *20-examples* also that many pages of the category from the
other three universities, the first by sha256(url + category), and 200 background pages of theirs.
"""

import re
from collections.abc import Sequence

from honeyguide.bench.corpus import Corpus
from honeyguide.bench.task import (
    RECALL,
    Task,
    drawn,
    examples_of,
    keys_of,
    links_inside,
    reachable,
)
from honeyguide.errors import ConfigError
from honeyguide.model import Example, Topic

SETTINGS = ("query", "5-examples", "20-examples")
UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")
SEED = "department"
BACKGROUND = 200
QUERIES = {
    "course": "university homework lesson exams assignment lecture tutorial book schedule notes grading handout "
    "teaching solutions",
    "faculty": "university professor publications papers research office",
    "project": "university demonstration objective overview research laboratory",
    "student": "university interests favourite activities graduate home",
}
"""AP's queries; their first word is the category's name, which a topic's query has anyway."""


def tasks(
    corpus: Corpus,
    *,
    settings: Sequence[str] | None = None,
    topics: Sequence[str] | None = None,
    pages: int | None = None,
    examples: int | None = None,
) -> list[Task]:
    """The tasks of the protocol; `examples` stands for a setting of that many, `pages` of 0 is until the end."""
    wanted = tuple(QUERIES) if topics is None else tuple(topics)
    for category in wanted:
        if category not in QUERIES:
            raise ConfigError(f"{category!r} is no category of protocol K; they are {', '.join(QUERIES)}.")
    numbers = (
        [number_of_examples(setting) for setting in settings or SETTINGS[:1]]
        if examples is None
        else [examples]
    )
    groups = {row.group for row in corpus.labels}
    if missing := [name for name in UNIVERSITIES if name not in groups]:
        raise ConfigError(
            f"Protocol K needs labels with the universities {', '.join(UNIVERSITIES)} in a third column; "
            f"{missing[0]} is not there."
        )
    return [
        task
        for number in dict.fromkeys(numbers)
        for university in UNIVERSITIES
        for task in _tasks_of(corpus, university, wanted, number, pages or 0)
    ]


def number_of_examples(setting: str) -> int:
    """How many examples a setting gives."""
    if setting == "query":
        return 0
    match = re.fullmatch(r"(\d{1,4})-examples", setting)
    if match is None:
        raise ConfigError(f"{setting!r} is no setting of protocol K; they are {', '.join(SETTINGS)}.")
    return int(match[1])


def _tasks_of(
    corpus: Corpus, university: str, categories: Sequence[str], number: int, pages: int
) -> list[Task]:
    web = keys_of(corpus, (row.url for row in corpus.labels if row.group == university))
    seed = _seed(corpus, university)
    within_reach = reachable(links_inside(corpus, web), [seed])
    within = frozenset(web)
    texts = _texts_of_others(corpus, within)
    tasks = []
    for category in categories:
        labelled = keys_of(
            corpus, (row.url for row in corpus.labels if row.group == university and row.label == category)
        )
        relevant = frozenset(labelled)
        targets = relevant & within_reach - {seed}
        if not targets:
            raise ConfigError(f"No page of {category} at {university} can be reached from {seed}.")
        shown, background = _shown(corpus, university, category, number)
        tasks.append(
            Task(
                name=category,
                setting=f"{number}-examples" if number else "query",
                topic=Topic(
                    category,
                    keywords=tuple(QUERIES[category].split()),
                    seeds=(seed,),
                    examples=examples_of(corpus, shown),
                    background=examples_of(corpus, background),
                    corpus=texts,
                ),
                targets=targets,
                relevant=relevant,
                excluded=frozenset((seed,)),
                budget=pages,
                figure=RECALL,
                within=within,
                group=university,
                levels=dict.fromkeys(labelled, 1),
                settings={
                    "protocol": "K",
                    "pages": pages,
                    "examples": number,
                    "background": len(background),
                    "seeds": [seed],
                },
            )
        )
    return tasks


def _seed(corpus: Corpus, university: str) -> str:
    departments = sorted(row.url for row in corpus.labels if row.group == university and row.label == SEED)
    keys = keys_of(corpus, departments)
    if not keys:
        raise ConfigError(f"No page of {university} is labelled {SEED}, so there is nowhere to start from.")
    return keys[0]


def _texts_of_others(corpus: Corpus, own: frozenset[str]) -> tuple[Example, ...]:
    others = keys_of(corpus, (row.url for row in corpus.labels))
    return examples_of(corpus, (key for key in others if key not in own))


def _shown(corpus: Corpus, university: str, category: str, number: int) -> tuple[list[str], list[str]]:
    """Examples and background, from the other universities' pages."""
    if not number:
        return [], []
    others = [row for row in corpus.labels if row.group in UNIVERSITIES and row.group != university]
    of_category = drawn((row.url for row in others if row.label == category), after=category)
    examples = keys_of(corpus, of_category)[:number]
    background = keys_of(corpus, drawn((row.url for row in others), before="background"))[:BACKGROUND]
    return examples, [key for key in background if key not in examples]
