"""How well a judge does on one topic: told what a crawl would be told, scored on the pages it was not told of.

The *ceiling* is what the same judge reaches when it is told the labels: trained on two thirds of the pages, scored
on the last, three times over. It is told of all pages on topic but of no more than a thousand off it, several times
what a crawl would be told: learning from all of them would take most of the time and teach it little more.
"""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from honeyguide.bench.corpus import Corpus
from honeyguide.bench.judge_cost import fitted
from honeyguide.bench.judge_metrics import average_precision, calibration_error, decisions, roc_auc
from honeyguide.bench.shelf import Shelf
from honeyguide.bench.task import Task, drawn
from honeyguide.model import Level, Topic

FOLDS = 3

MOST_OFF_TOPIC = 1000
"""Pages off topic that a judge is told of for its ceiling."""


def scored(corpus: Corpus, task: Task) -> list[str]:
    """The pages that a judge is scored on: all that a crawl could meet, but none that it was told of.

    Background is drawn blindly and only presumed to be off topic; a judge that learned from those pages would
    be marked for having believed what it was told.
    """
    topic = task.topic
    given = (*topic.examples, *topic.background, *(e for level in topic.branch for e in level.examples))
    known = {example.url for example in given}
    return [key for key in corpus.pages if key not in known and (task.within is None or key in task.within)]


def judge_topic(shelf: Shelf, task: Task, use: str) -> dict[str, float]:
    """The figures of a judge that was told what a crawl would be told; ConfigError if that is not enough."""
    begun = time.process_time()
    judge = fitted(use, shelf.own(task.topic), shelf.documents)
    fit_seconds = time.process_time() - begun
    keys = scored(shelf.corpus, task)
    verdicts = [judge.assess(shelf.corpus.pages[key]) for key in keys]
    scores = [verdict.score for verdict in verdicts]
    truth = [key in task.relevant for key in keys]
    decided = decisions([verdict.relevant for verdict in verdicts], truth)
    return {
        "pages": len(keys),
        "relevant": sum(truth),
        "roc_auc": roc_auc(scores, truth),
        "average_precision": average_precision(scores, truth),
        **decided._asdict(),
        "calibration_error": calibration_error(scores, truth),
        "fit_seconds": round(fit_seconds, 4),
    }


def ceiling_of(shelf: Shelf, task: Task, use: str) -> dict[str, float]:
    """The mean over the folds of the average precision of a judge that is told labels of the other folds."""
    keys = [key for key in shelf.corpus.pages if task.within is None or key in task.within]
    folds = _folds(keys, task.relevant)
    values = []
    for fold in range(FOLDS):
        topic = _labelled(shelf, task, [key for key in keys if folds[key] != fold])
        judge = fitted(use, topic, shelf.documents)
        held_back = [key for key in keys if folds[key] == fold]
        scores = [judge.assess(shelf.corpus.pages[key]).score for key in held_back]
        values.append(average_precision(scores, [key in task.relevant for key in held_back]))
    known = [value for value in values if not math.isnan(value)]
    return {"ceiling": math.fsum(known) / len(known) if known else math.nan}


def _folds(keys: Iterable[str], relevant: frozenset[str]) -> dict[str, int]:
    """Which fold a page belongs to: drawn by hash, the same share of the topic in each."""
    every = set(keys)
    parts = (every & relevant, every - relevant)
    return {key: number % FOLDS for part in parts for number, key in enumerate(drawn(part, before="fold"))}


def _labelled(shelf: Shelf, task: Task, keys: Sequence[str]) -> Topic:
    """The task's topic told by these pages: all that are on topic as examples, others as background."""
    on = tuple(shelf.examples[key] for key in keys if key in task.relevant)
    others = drawn((key for key in keys if key not in task.relevant), before="background")
    off = tuple(shelf.examples[key] for key in others[:MOST_OFF_TOPIC])
    allowed = set(keys)
    above = (
        Level(level.name, tuple(example for example in level.examples if example.url in allowed))
        for level in shelf.own(task.topic).branch[1:]
    )
    branch = (Level(task.topic.branch[0].name, on), *above) if task.topic.branch else ()
    return replace(shelf.own(task.topic), examples=on, background=off, branch=branch)
