"""Every task crawled by every contender, in several processes; what is done already is not done again.

Each crawl leaves a log in DIR/crawls, named after what was crawled and a hash of all that could change its
outcome: code, corpus, contender, task. A log with the right name is a result; anything else that lies there is
moved to DIR/earlier and comes back when it is asked for again. The tables are made of the logs.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from honeyguide.assemble import resolve_tables, trained_strategy
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.oracles import Omniscient, TrueLabels
from honeyguide.bench.replay import REVISE_EVERY, Trace, replay
from honeyguide.bench.report.results import REFERENCES, Contender
from honeyguide.bench.scoring import hits, score
from honeyguide.bench.side_by_side import side_by_side
from honeyguide.bench.similarity import similarity
from honeyguide.bench.tables import write_tables
from honeyguide.bench.task import Task, with_aliases
from honeyguide.config import parse_use
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.model import Topic
from honeyguide.naming import STRATEGIES, fitted_strategy, make_judge, names, suited_judge
from honeyguide.roles import Judge, Strategy
from honeyguide.training import Training
from honeyguide.version import __version__

BESIDE = ("omniscient", "true-labels", "random", "breadth-first")
"""What a table shows beside whatever is compared, unless told not to: two that cheat and two that do not try."""

ALL = "all"
TRAINED_WITH = "trained_with"
"""The setting of a task that names an earlier crawl or a recorded web, which strategies learn from before."""

LIBRARIES = ("numpy", "scikit-learn", "scipy", "turbohtml")
PACKAGE = Path(__file__).parent.parent


class Job(NamedTuple):
    """One crawl to be made, and the name of its log."""

    task: Task
    contender: Contender
    log: str


def contenders(
    strategies: Sequence[str], judges: Sequence[str] = (), *, beside: Sequence[str] = BESIDE
) -> list[Contender]:
    """Every strategy with every judge, or with the one that suits it best; ALL stands for all strategies.

    Those to show beside them get the first judge.
    """
    every = sorted(names(STRATEGIES, "strategies"))
    named = dict.fromkeys(name for use in strategies for name in (every if use == ALL else [use]))
    asked = [Contender(use, judge) for use in named for judge in judges or [suited_judge(use)]]
    there = {contender.strategy for contender in asked}
    first = judges[0] if judges else suited_judge("breadth-first")
    return [*asked, *(Contender(name, first) for name in beside if name not in there)]


def trained_with(path: Path, tasks: Iterable[Task]) -> list[Task]:
    """Tasks before which strategies learn from an earlier crawl or a recorded web."""
    Training(path=str(path)).check()
    files = (path, *sorted(path.glob("*")))
    changed = max(file.stat().st_mtime_ns for file in files)
    told = {TRAINED_WITH: str(path.absolute()), "training_changed": changed}
    return [replace(task, settings={**task.settings, **told}) for task in tasks]


@cache
def code_version() -> str:
    """The version with a hash of all the package's files, so that results of different code are told apart."""
    digest = hashlib.sha256()
    for file in sorted(path for path in PACKAGE.rglob("*") if path.is_file()):
        if file.suffix == ".pyc":
            continue
        digest.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:12]}"


@cache
def libraries() -> str:
    """The versions of the libraries that could change what a crawl finds."""
    return ", ".join(f"{name} {version(name)}" for name in LIBRARIES)


def run(
    corpus: Corpus,
    tasks: Sequence[Task],
    entrants: Sequence[Contender],
    out: Path,
    *,
    jobs: int = 1,
    on_progress: Callable[[int, int], None] = lambda done, of: None,
) -> None:
    """Run what has not been run yet, and write rows.csv, summary.csv and paired.csv."""
    if not tasks:
        raise ConfigError("There is nothing to crawl: no topic was chosen.")
    for entrant in entrants:
        _strategy(corpus, tasks[0], entrant)()
        _judge(tasks[0].topic, entrant)()
    stamp = {"code_version": code_version(), "libraries": libraries(), "corpus_digest": corpus.digest}
    todo = [Job(task, entrant, _log_name(stamp, task, entrant)) for task in tasks for entrant in entrants]
    crawls = _prepare(out, [job.log for job in todo])
    left = [job for job in todo if not (crawls / job.log).exists()]
    done = len(todo) - len(left)
    on_progress(done, len(todo))
    do = partial(_crawl_into, crawls, stamp)
    for _ in side_by_side(do, left, corpus, jobs=jobs, reopen=corpus.reopen):
        done += 1
        on_progress(done, len(todo))
    write_tables(out, [read_log(crawls / job.log) for job in todo])


def read_log(path: Path) -> dict[str, Any]:
    """The log of one crawl."""
    try:
        log: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CrawlError(f"{path} cannot be read: {error}; delete it and run the bench again.") from error
    return log


def crawl(corpus: Corpus, task: Task, entrant: Contender) -> Trace:
    """One crawl of a task by a contender."""
    return replay(corpus, task, _strategy(corpus, task, entrant), _judge(task.topic, entrant))


def _strategy(corpus: Corpus, task: Task, entrant: Contender) -> Callable[[], Strategy]:
    if entrant.strategy in REFERENCES:
        if entrant.strategy == "omniscient":
            return partial(Omniscient, targets=with_aliases(corpus, task.targets))
        return partial(TrueLabels, relevant=task.relevant)
    table = parse_use(entrant.strategy)
    if TRAINED_WITH not in task.settings:
        return partial(fitted_strategy, table, task.topic)
    training = {"path": task.settings[TRAINED_WITH]}
    whole = resolve_tables({"strategy": table, "judge": parse_use(entrant.judge), "training": training})
    return partial(trained_strategy, whole, task.topic)


def _judge(topic: Topic, entrant: Contender) -> Callable[[], Judge]:
    return partial(make_judge, parse_use(entrant.judge), topic)


def _log_name(stamp: Mapping[str, str], task: Task, entrant: Contender) -> str:
    """What was crawled, for people, and a hash of all that could change the outcome."""
    told = task.topic
    matters = [
        stamp, entrant, task.name, task.setting, task.group, task.budget, task.figure,
        dict(task.settings),
        told.name, told.keywords, told.seeds, len(told.examples), len(task.targets),
    ]  # fmt: skip
    digest = hashlib.sha256(json.dumps(matters, sort_keys=True).encode()).hexdigest()[:12]
    words = (entrant.strategy, entrant.judge, task.setting, task.group, task.name)
    slug = re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower())[:100].strip("-")
    return f"{slug}-{digest}.json"


def _prepare(out: Path, logs: Sequence[str]) -> Path:
    """The folder of this experiment's logs, with those it had before and no others."""
    crawls, earlier = out / "crawls", out / "earlier"
    try:
        crawls.mkdir(parents=True, exist_ok=True)
        earlier.mkdir(exist_ok=True)
        for file in set(crawls.glob("*.json")) - {crawls / name for name in logs}:
            file.replace(earlier / file.name)
        for name in logs:
            if (earlier / name).exists():
                (earlier / name).replace(crawls / name)
        if not any(earlier.iterdir()):
            earlier.rmdir()
    except OSError as error:
        raise CrawlError(f"{out} cannot be written to: {error.strerror}.") from error
    return crawls


def _crawl_into(crawls: Path, stamp: Mapping[str, str], corpus: Corpus, job: Job) -> None:
    """Make one crawl and write its log, whole or not at all."""
    log = _logged(corpus, job, crawl(corpus, job.task, job.contender), stamp)
    unfinished = crawls / f"{job.log}.tmp"
    unfinished.write_text(json.dumps(log, ensure_ascii=False), encoding="utf-8")
    unfinished.replace(crawls / job.log)


def _logged(corpus: Corpus, job: Job, trace: Trace, stamp: Mapping[str, str]) -> dict[str, Any]:
    task = job.task
    return {
        "strategy": job.contender.strategy,
        "judge": job.contender.judge,
        "setting": task.setting,
        "topic": task.name,
        "group": task.group,
        "protocol": task.settings.get("protocol", ""),
        **stamp,
        "settings": {**task.settings, "revise_every": REVISE_EVERY},
        "budget": task.budget,
        "figure": task.figure,
        "targets": len(task.targets),
        "metrics": {**score(task, trace), "similarity": similarity(corpus, task, trace.fetched)},
        "misses": trace.misses,
        "links": trace.links,
        "cpu_seconds": round(trace.cpu_seconds, 4),
        "fit_seconds": round(trace.fit_seconds, 4),
        "peak_mb": round(trace.peak_mb, 1),
        "hits": hits(task, trace),
        "fetched": trace.fetched,
        "relevance": [round(value, 6) for value in trace.relevance],
    }
