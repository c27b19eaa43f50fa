"""Every judge on every topic of a corpus: told what a crawl would be told, scored on the pages it was not told of.

Each judge and topic leaves a log in DIR/judgements, named after a hash of all that could change its outcome, so
that what is done already is not done again. The tables are made of the logs.

The ceiling is worked out for judges that learn from examples. What a judge costs is measured on one topic.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from honeyguide.bench.corpus import Corpus
from honeyguide.bench.experiment import code_version, libraries, read_log
from honeyguide.bench.judge_cost import Cost, cost_apart
from honeyguide.bench.judge_tables import CEILING, COST, TOGETHER, TOLD, Findings, write_judge_tables
from honeyguide.bench.judging import ceiling_of, judge_topic, scored
from honeyguide.bench.shelf import Shelf
from honeyguide.bench.side_by_side import side_by_side
from honeyguide.bench.task import Task, drawn
from honeyguide.config import parse_use
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.model import Page, Topic
from honeyguide.naming import unfitted_judge

WARM_UP, TIMED = 4000, 500
"""Pages that a judge sees before its speed is measured, and while it is."""

SOME = 100
"""Pages that all judges see in one process, for the memory they take together."""

LEARNING = frozenset(("examples", "background", "vocabulary"))
"""What a judge that can be told labels needs."""


Measure = Callable[[Sequence[str], Topic, Sequence[Page], Sequence[Page]], Cost]


class Piece(NamedTuple):
    """One figure, or several that are worked out together, to be had: of a judge on a task."""

    kind: str
    judge: str
    log: str


class Job(NamedTuple):
    """What one process does: several judges on one task."""

    task: Task
    pieces: tuple[Piece, ...]


def run(
    corpus: Corpus,
    tasks: Sequence[Task],
    judges: Sequence[str],
    out: Path,
    *,
    jobs: int = 1,
    ceiling: bool = False,
    measure: Measure = cost_apart,
    on_progress: Callable[[int, int], None] = lambda done, of: None,
) -> Findings:
    """Judge what has not been judged yet, and write judges.csv and judgements.csv."""
    if not tasks:
        raise ConfigError("There is nothing to judge: no topic was chosen.")
    needs = {use: unfitted_judge(parse_use(use)).needs for use in judges}
    _must_leave_pages(corpus, tasks)
    stamp = {"code_version": code_version(), "libraries": libraries(), "corpus_digest": corpus.digest}
    folder = _folder(out)
    told = [_job(stamp, task, TOLD, judges) for task in tasks]
    learning = [use for use in judges if LEARNING.intersection(needs[use])] if ceiling else []
    ceilings = [_job(stamp, task, CEILING, learning) for task in tasks] if learning else []
    every = [*told, *ceilings]
    of = sum(len(job.pieces) for job in every) + len(judges) + 1
    todo = [job for job in (_unfinished(folder, job) for job in every) if job.pieces]
    done = of - len(judges) - 1 - sum(len(job.pieces) for job in todo)
    on_progress(done, of)
    if todo:
        shelf = Shelf.of(corpus).read(examples=any(job.pieces[0].kind == CEILING for job in todo))
        do = partial(_judge_into, folder, stamp)
        finished = _finished(folder, todo)
        for _ in side_by_side(do, todo, shelf, jobs=jobs, reopen=partial(_reopened, corpus.reopen)):
            on_progress(done + finished(), of)
    logs = [read_log(folder / piece.log) for job in every for piece in job.pieces]
    done = len(logs)
    for log in _costs(corpus, tasks, folder, stamp, list(logs), measure):
        logs.append(log)
        done += 1
        on_progress(done, of)
    on_progress(of, of)
    return write_judge_tables(out, logs)


def _must_leave_pages(corpus: Corpus, tasks: Iterable[Task]) -> None:
    """Raise if a judge would be told of all pages on a topic, or of all others."""
    for task in tasks:
        left = set(scored(corpus, task))
        if not left & task.relevant or left <= task.relevant:
            kind = "off" if left & task.relevant else "on"
            raise ConfigError(
                f"No page {kind} the topic {task.name} is left to score judges on: they are told of all of them; "
                "a protocol file can give them fewer examples and less background."
            )


def _costs(
    corpus: Corpus,
    tasks: Sequence[Task],
    folder: Path,
    stamp: Mapping[str, str],
    logs: Iterable[Mapping[str, Any]],
    measure: Measure,
) -> Iterator[dict[str, Any]]:
    """What each judge costs, and what all take together, one after the other so that none disturbs another."""
    keys = drawn(corpus.pages, before="speed")[: WARM_UP + TIMED]
    # A page is sent without its links, which no judge looks at.
    pages = [replace(corpus.pages[key], links=()) for key in keys]
    warm_up, timed = pages[:WARM_UP], pages[WARM_UP:] or pages
    able: dict[str, set[tuple[str, str]]] = {}
    for log in logs:
        if log["kind"] == TOLD and "figures" in log:
            able.setdefault(log["judge"], set()).add((log["topic"], log["group"]))
    for use, topics in able.items():
        task = next(task for task in tasks if (task.name, task.group) in topics)
        path = folder / _log_name(stamp, COST, use, task)
        yield _kept(path, {"kind": COST, "judge": use}, partial(measure, [use], task.topic, warm_up, timed))
    common = [task for task in tasks if all((task.name, task.group) in topics for topics in able.values())]
    if able and common:
        path = folder / _log_name(stamp, TOGETHER, " ".join(able), common[0])
        few = pages[:SOME]
        measured = partial(measure, list(able), common[0].topic, few, few)
        yield _kept(path, {"kind": TOGETHER, "judges": list(able)}, measured)


def _kept(path: Path, head: Mapping[str, Any], measure: Callable[[], Cost]) -> dict[str, Any]:
    """A log that is there already, or a new one."""
    if not path.exists():
        _write(path, {**head, "figures": measure()._asdict()})
    return read_log(path)


def _job(stamp: Mapping[str, str], task: Task, kind: str, judges: Iterable[str]) -> Job:
    return Job(task, tuple(Piece(kind, use, _log_name(stamp, kind, use, task)) for use in judges))


def _unfinished(folder: Path, job: Job) -> Job:
    return job._replace(pieces=tuple(piece for piece in job.pieces if not (folder / piece.log).exists()))


def _finished(folder: Path, todo: Sequence[Job]) -> Callable[[], int]:
    """Counts the pieces that are there by now."""
    waiting = {folder / piece.log for job in todo for piece in job.pieces}
    number = len(waiting)

    def count() -> int:
        waiting.difference_update([path for path in waiting if path.exists()])
        return number - len(waiting)

    return count


def _reopened(reopen: Callable[[], Corpus]) -> Shelf:
    return Shelf.of(reopen())


def _judge_into(folder: Path, stamp: Mapping[str, str], shelf: Shelf, job: Job) -> None:
    """Judge one task by several judges and write a log of each, whole or not at all."""
    figures = {TOLD: judge_topic, CEILING: ceiling_of}
    task = job.task
    for piece in job.pieces:
        log: dict[str, Any] = {
            "kind": piece.kind,
            "judge": piece.judge,
            "topic": task.name,
            "group": task.group,
            "setting": task.setting,
            "protocol": task.settings.get("protocol", ""),
            **stamp,
            "settings": dict(task.settings),
        }
        try:
            log["figures"] = figures[piece.kind](shelf, task, piece.judge)
        except ConfigError as error:
            log["missing"] = str(error)
        _write(folder / piece.log, log)


def _write(path: Path, log: Mapping[str, Any]) -> None:
    unfinished = path.with_suffix(".tmp")
    unfinished.write_text(json.dumps(log, ensure_ascii=False), encoding="utf-8")
    unfinished.replace(path)


def _log_name(stamp: Mapping[str, str], kind: str, use: str, task: Task) -> str:
    """What was judged, for people, and a hash of all that could change the outcome."""
    told = task.topic
    examples = [example.url for example in (*told.examples, *told.background)]
    matters = [
        stamp, kind, use, task.name, task.group, task.setting, dict(task.settings),
        told.name, told.keywords, examples, sorted(task.relevant),
    ]  # fmt: skip
    digest = hashlib.sha256(json.dumps(matters, sort_keys=True).encode()).hexdigest()[:12]
    words = " ".join((kind, use, task.setting, task.group, task.name))
    slug = re.sub(r"[^a-z0-9]+", "-", words.lower())[:100].strip("-")
    return f"{slug}-{digest}.json"


def _folder(out: Path) -> Path:
    folder = out / "judgements"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrawlError(f"{out} cannot be written to: {error.strerror}.") from error
    return folder
