"""Fits the weights of the strategy guide to recorded webs, and says how they do on topics they were not fitted to.

Needs HONEYGUIDE_CORPORA, a folder with wikispeedia/ and webkb/. Guide crawls every topic of protocol W, near and far,
the 16 tasks of protocol K with 5 examples, and a made-up web whose addresses say nothing, with the weights below and
the judge blend. Prints Markdown.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import numpy as np  # noqa: E402
from recorded_webs import WEBS, corpora_folder, first  # noqa: E402

from honeyguide.bench import protocol_k, protocol_w  # noqa: E402
from honeyguide.bench.corpus import Corpus  # noqa: E402
from honeyguide.bench.experiment import code_version, libraries  # noqa: E402
from honeyguide.bench.judge_cost import fitted  # noqa: E402
from honeyguide.bench.replay import replay  # noqa: E402
from honeyguide.bench.scoring import headline, score  # noqa: E402
from honeyguide.bench.shelf import Shelf  # noqa: E402
from honeyguide.bench.side_by_side import side_by_side  # noqa: E402
from honeyguide.bench.synthetic.corpus import SyntheticWeb, write_corpus  # noqa: E402
from honeyguide.bench.task import Task  # noqa: E402
from honeyguide.cli.bench import parts, progress  # noqa: E402
from honeyguide.errors import UserError  # noqa: E402
from honeyguide.model import Page, Verdict  # noqa: E402
from honeyguide.roles import Judge, Strategy  # noqa: E402
from honeyguide.statistics import paired  # noqa: E402
from honeyguide.strategies.guide import Guide  # noqa: E402
from honeyguide.strategies.guide_fitting import Fitted, fit, folds  # noqa: E402
from honeyguide.strategies.observer import Look, Observed, Observer  # noqa: E402
from honeyguide.strategies.promises import FEATURES, VERSION, Weights  # noqa: E402
from honeyguide.topics.growth import grown  # noqa: E402

BEFORE: Mapping[str, tuple[float, float, float]] = {
    "relevance": (0.3283, 0.3362, 0.305),
    "best": (0.4038, 0.3945, 0.0848),
    "second": (0.0948, 0.2288, 0.339),
    "links": (0.3838, 0.6694, -0.208),
    "anchor": (0.03427, 0.1539, 0.0307),
    "anchor_words": (0.01652, 0.06776, 0.754),
    "rarity": (5, 2.75, 0.3),
    "context": (0.1517, 0.2202, 0.219),
    "best_context": (0.1947, 0.2403, 0.0671),
    "near": (0.1091, 0.1977, 0.275),
    "address": (0.03856, 0.1399, 0.0852),
    "address_words": (0.005341, 0.01862, 0.461),
    "kind": (-0.5, 0.66, 0.8),
    "expected": (0.2727, 0.2872, 1.11),
    "learned": (-0.121, 1.22, 0.218),
    "best_learned": (0.1268, 1.261, 0.164),
    "names": (0.006734, 0.4666, 0.296),
    "form": (0.4159, 2.631, 0.488),
    "beside": (0.8299, 1.779, 0.579),
    "place": (-0.691, 1.686, 1.21),
    "siblings": (0.4124, 0.1756, 1.29),
    "company": (0.512, 0.2295, 0.603),
    "places": (0.4161, 0.178, 0.635),
    "inherited": (0.6151, 0.3682, 0.0552),
}
"""Mean, deviation and weight of every feature: what the weights are drawn towards, and what guide crawls with while it
is observed. An earlier fit to half of the topics gave them; those of rarity and kind, which it did not have, are by
hand.
"""

WEIGHTS = Path(__file__).parent.parent / "src" / "honeyguide" / "strategies" / "guide-weights.json"
MADE = "synthetic"
MADE_WEB = SyntheticWeb(pages=1500, topics=4, tunnels=12, traps=2, trap_length=60, duplicates=0.03, seed=77)
MADE_PAGES = 300
"""The web that is made up, another than that of the tests' floors, and the fetches per crawl of it."""

JUDGE = "blend"
Thing = TypeVar("Thing")
EXAMPLES = "5-examples"


class Work(NamedTuple):
    """Crawls that share a topic and so a judge, the weights they are made with, and where their outcome goes."""

    tasks: tuple[Task, ...]
    weights: str
    file: Path
    is_observed: bool


@dataclass
class Remembering:
    """A judge that is asked once about a page, however many crawls come to it."""

    judge: Judge
    said: dict[str, Verdict]

    def assess(self, page: Page) -> Verdict:
        if page.url not in self.said:
            self.said[page.url] = self.judge.assess(page)
        return self.said[page.url]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="fit-guide-") as aside:
            for line in fit_to(corpora_folder(), Path(aside), options):
                print(line, flush=True)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="file of the weights")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="crawls at a time")
    parser.add_argument(
        "--topics",
        default="",
        help="topics of protocol W: their names with commas between, or how many, the first by the sha256 of "
        "their names (default: all)",
    )
    parser.add_argument("--pages", type=int, default=1000, help="fetches per crawl of protocol W")
    parser.add_argument(
        "--check",
        type=int,
        default=0,
        metavar="N",
        help="also crawl N topics of protocol W, and those of the other webs, with weights fitted to the other topics",
    )
    return parser.parse_args(arguments)


def fit_to(corpora: Path, aside: Path, options: argparse.Namespace) -> Iterator[str]:
    """Crawl, fit, write the weights and say what came of it."""
    webs = {web: Corpus.open(corpora / web) for web in WEBS} | {MADE: made(aside)}
    tasks = {web: tasks_of(corpus, web, options.topics, options.pages) for web, corpus in webs.items()}
    before = write_weights(aside / "before.json", BEFORE)
    observed: list[Observed] = []
    figures: dict[tuple[str, ...], float] = {}
    for web, corpus in webs.items():
        works = [Work(own, before, aside / f"{web}-{n}", True) for n, own in enumerate(together(tasks[web]))]
        crawl_works(corpus, works, options.jobs)
        for work in works:
            for task, found in zip(work.tasks, read_work(work), strict=True):
                observed.append(Observed(f"{web}/{task.name}", found.looks, web))
                figures[_key(web, task)] = found.figure
    prior = Weights.of({"features": BEFORE})
    with progress("fits") as on_progress:
        result = fit(observed, towards=prior, on_progress=on_progress)
    sources = {
        "code": code_version(),
        "libraries": libraries(),
        "judge": JUDGE,
        "webs": {web: corpus.digest for web, corpus in webs.items()},
        "protocols": {
            "wikispeedia": f"W near,far {options.pages}",
            "webkb": f"K {EXAMPLES}",
            MADE: f"W near,far {MADE_PAGES}",
        },
        "towards": {name: list(row) for name, row in BEFORE.items()},
    }
    options.out.write_text(json.dumps(result.table(sources), indent=1) + "\n", encoding="utf-8")
    yield from _report(result)
    if options.check:
        yield from _check(webs, tasks, observed, figures, result.penalty, aside, options)


def made(aside: Path) -> Corpus:
    """A web that is made up, so that no habit of the recorded ones is taken for a law."""
    write_corpus(aside / MADE, MADE_WEB)
    return Corpus.open(aside / MADE, cache=aside / "cache")


def tasks_of(corpus: Corpus, web: str, wanted: str, pages: int) -> list[Task]:
    """The tasks of protocol W or K, whichever belongs to the web; `wanted` are topics or a number of them."""
    if web == "webkb":
        return protocol_k.tasks(corpus, settings=(EXAMPLES,))
    if web == MADE:
        return protocol_w.tasks(corpus, pages=MADE_PAGES)
    names = parts([wanted]) if wanted and not wanted.isdigit() else None
    if wanted.isdigit():
        every = {task.name for task in protocol_w.tasks(corpus, settings=("near",))}
        names = first(every, int(wanted))
    return protocol_w.tasks(corpus, topics=names, pages=pages)


def together(tasks: Sequence[Task]) -> list[tuple[Task, ...]]:
    """Tasks that tell a crawl the same but for where it starts."""
    ordered = sorted(tasks, key=lambda task: (task.name, task.group))
    return [tuple(own) for _, own in groupby(ordered, key=lambda task: (task.name, task.group))]


def _key(web: str, task: Task) -> tuple[str, ...]:
    return (web, task.name, task.group, task.setting)


def write_weights(file: Path, rows: Mapping[str, Sequence[float]]) -> str:
    file.write_text(
        json.dumps({"version": VERSION, "features": {name: list(row) for name, row in rows.items()}})
    )
    return str(file)


def crawl_works(corpus: Corpus, works: Sequence[Work], jobs: int) -> None:
    """Make the crawls, some at a time."""
    shelf = Shelf.of(corpus).read(examples=False)
    done = 0
    with progress("topics") as on_progress:
        for _ in side_by_side(do_work, works, shelf, jobs=jobs, reopen=lambda: Shelf.of(corpus.reopen())):
            done += 1
            on_progress(done, len(works))


def do_work(shelf: Shelf, work: Work) -> None:
    """Make some crawls, and put what was observed and how well each did into a file."""
    topic = shelf.own(work.tasks[0].topic)
    judge = Remembering(fitted(JUDGE, topic, shelf.documents), {})
    kept: dict[str, Any] = {"figures": []}
    for number, task in enumerate(work.tasks):
        guide = Guide(weights=work.weights)
        strategy: Strategy = guide.fit(grown(task.topic, guide.needs), None)
        if work.is_observed:
            strategy = Observer(guide, partial(outcome, shelf.corpus, task))
        trace = replay(shelf.corpus, task, partial(_given, strategy), partial(_given, judge))
        kept["figures"].append(score(task, trace)[headline(task.figure)])
        if isinstance(strategy, Observer):
            for at, look in enumerate(strategy.looks):
                for name, value in look._asdict().items():
                    kept[f"{number}-{at}-{name}"] = value
    np.savez(work.file, **kept)


def _given(thing: Thing) -> Thing:
    return thing


def outcome(corpus: Corpus, task: Task, url: str) -> bool | None:
    """Whether a page is to be found; links that lead nowhere, and pages the crawl was told of, say nothing."""
    key = corpus.web.final(url)
    if (
        key not in corpus.pages
        or key in task.excluded
        or (task.within is not None and key not in task.within)
    ):
        return None
    return key in task.relevant


class Found(NamedTuple):
    looks: tuple[Look, ...]
    figure: float


def read_work(work: Work) -> list[Found]:
    with np.load(f"{work.file}.npz") as kept:
        found = []
        for number, figure in enumerate(kept["figures"].tolist()):
            looks: list[Look] = []
            while (name := f"{number}-{len(looks)}") + "-relevant" in kept:
                looks.append(Look(*(kept[f"{name}-{field}"] for field in Look._fields)))
            found.append(Found(tuple(looks), figure))
    return found


def _report(result: Fitted) -> Iterator[str]:
    yield "| feature | mean | deviation | weight before, per deviation | fitted |\n|---|--:|--:|--:|--:|"
    for at, name in enumerate(FEATURES):
        mean, deviation, weight = (column[at] for column in result.weights)
        _, usual, before = BEFORE[name]
        yield f"| {name} | {mean:.4f} | {deviation:.4f} | {before / usual * deviation:.3f} | {weight:.3f} |"
    yield f"\nPenalty: {result.penalty:g}. The share of what could be found that is, on topics held back:\n"
    yield "| topic | before | after |\n|---|--:|--:|"
    for topic, before in result.before.items():
        yield f"| {topic} | {before:.3f} | {result.after[topic]:.3f} |"
    for web in (*WEBS, MADE):
        own = [topic for topic in result.before if topic.startswith(f"{web}/")]
        gain = paired([result.after[topic] for topic in own], [result.before[topic] for topic in own])
        mean = fmean(result.before[topic] for topic in own)
        yield f"\n{web}: {mean:.3f}, gain {gain.difference:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})."


def _check(
    webs: Mapping[str, Corpus],
    tasks: Mapping[str, Sequence[Task]],
    observed: Sequence[Observed],
    before: Mapping[tuple[str, ...], float],
    penalty: float,
    aside: Path,
    options: argparse.Namespace,
) -> Iterator[str]:
    """Crawl topics with weights fitted to others, and set that beside the weights from before."""
    part_of = folds(observed)
    prior = Weights.of({"features": BEFORE})
    weights = {}
    for part in sorted(set(part_of.values())):
        others = [crawl for crawl in observed if part_of[crawl.topic] != part]
        rows = fit(others, towards=prior, penalties=[penalty]).table({})["features"]
        weights[part] = write_weights(aside / f"part-{part}.json", rows)
    yield "\n| web | topic | setting | before | fitted to others |\n|---|---|---|--:|--:|"
    for web, corpus in webs.items():
        groups = together(tasks[web])
        if web == "wikispeedia":
            chosen = first((own[0].name for own in groups), options.check)
            groups = [own for own in groups if own[0].name in chosen]
        works = [
            Work(own, weights[part_of[f"{web}/{own[0].name}"]], aside / f"check-{web}-{n}", False)
            for n, own in enumerate(groups)
        ]
        crawl_works(corpus, works, options.jobs)
        pairs = []
        for work in works:
            for task, found in zip(work.tasks, read_work(work), strict=True):
                pairs.append((found.figure, before[_key(web, task)]))
                what = f"{task.name} | {task.group or task.setting}"
                yield f"| {web} | {what} | {pairs[-1][1]:.3f} | {pairs[-1][0]:.3f} |"
        gain = paired([now for now, _ in pairs], [then for _, then in pairs])
        yield (
            f"| {web} | all | mean | {fmean(then for _, then in pairs):.3f} | {fmean(now for now, _ in pairs):.3f}, "
            f"gain {gain.difference:+.3f} ({gain.low:+.3f} to {gain.high:+.3f}) |"
        )


if __name__ == "__main__":
    sys.exit(main())
