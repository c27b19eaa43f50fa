"""Sets our figures beside the published ones, and says which published claims hold here.

Needs HONEYGUIDE_CORPORA, a folder with wikispeedia/ and webkb/. What was crawled before is not crawled again.
"""

import argparse
import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

from honeyguide.assemble import JUDGES, STRATEGIES, make_strategy, names  # noqa: E402
from honeyguide.bench import protocol_k, protocol_w  # noqa: E402
from honeyguide.bench.corpus import Corpus  # noqa: E402
from honeyguide.bench.experiment import contenders, read_log, run  # noqa: E402
from honeyguide.bench.metrics import overlap_matrix  # noqa: E402
from honeyguide.bench.statistics import paired  # noqa: E402
from honeyguide.config import parse_use  # noqa: E402
from honeyguide.errors import ConfigError, UserError  # noqa: E402

COLUMNS = ("precision_10", "precision_50", "precision_100", "f1_10", "f1_50", "f1_100")
STUDENT = {
    "breadth-first": ("breadth-first", (0.58, 0.32, 0.15, 0.17, 0.39, 0.26)),
    "backlink": ("backlink", (0.52, 0.24, 0.13, 0.17, 0.32, 0.23)),
    "Shark SS1": ("shark-search:variant=inherited", (0.63, 0.29, 0.17, 0.17, 0.37, 0.30)),
    "Shark SS2": ("shark-search:variant=ss2", (0.62, 0.34, 0.18, 0.18, 0.41, 0.31)),
    "PageRank": ("pagerank", (0.54, 0.32, 0.15, 0.16, 0.39, 0.26)),
    "HCLA": ("hcla", (0.56, 0.37, 0.21, 0.18, 0.43, 0.35)),
}
"""AP's table for the category student: what we call the strategy, and the figures they published."""

BEST_FIRST = ("best-first", "best-first:by=anchor", "best-first:by=page")
ORDER = (*BEST_FIRST, "breadth-first")
SETTINGS = ("near", "far")
GT_PAGES, GT_SHARE, GT_WORSE = 400, 25 / 30, 0.5
"""Clearly worse is what finds half as much or less."""

GD_OVERLAP = 0.2
"""Twice the published 10 % still counts as different pages."""

Log = Mapping[str, Any]
Values = dict[str, dict[str, float]]


class Finding(NamedTuple):
    verdict: str
    detail: str


class Claim(NamedTuple):
    text: str
    source: str
    check: Callable[[], Finding]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("benches/reproduce"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--topics", type=int, default=0, help="only this many topics of protocol W")
    options = parser.parse_args()
    folder = os.environ.get("HONEYGUIDE_CORPORA", "")
    if not folder:
        print("Set HONEYGUIDE_CORPORA to the folder that holds wikispeedia/ and webkb/.", file=sys.stderr)
        return 2
    try:
        students = crawl_students(Path(folder), options.out, options.jobs)
        topics = crawl_topics(Path(folder), options.out, options.jobs, options.topics)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    print_published(students)
    print("\nPublished claims\n")
    for claim in claims(students, topics):
        finding = claim.check()
        print(f"- {claim.text} ({claim.source})\n    {finding.verdict}: {finding.detail}")
    return 0


def crawl_students(corpora: Path, out: Path, jobs: int) -> list[Log]:
    corpus = Corpus.open(corpora / "webkb")
    tasks = protocol_k.tasks(corpus, topics=["student"])
    there = [spec for spec, _ in STUDENT.values() if not missing(spec)]
    return crawl_all(corpus, tasks, there, out / "k", jobs)


def crawl_topics(corpora: Path, out: Path, jobs: int, number: int) -> list[Log]:
    corpus = Corpus.open(corpora / "wikispeedia")
    tasks = protocol_w.tasks(corpus, settings=SETTINGS)
    chosen = sorted({task.name for task in tasks})[: number or None]
    return crawl_all(corpus, [task for task in tasks if task.name in chosen], BEST_FIRST, out / "w", jobs)


def crawl_all(corpus: Corpus, tasks: Sequence[Any], specs: Sequence[str], out: Path, jobs: int) -> list[Log]:
    def show(done: int, of: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{out.name}: {done} of {of} crawls", end="\n" if done == of else "", file=sys.stderr)

    run(corpus, tasks, contenders(list(specs), ["cosine"]), out, jobs=jobs, on_progress=show)
    return [read_log(file) for file in sorted((out / "crawls").glob("*.json"))]


def missing(spec: str) -> str:
    """Why a strategy cannot be run, or nothing."""
    try:
        make_strategy(parse_use(spec))
    except ConfigError:
        return f"there is no strategy {spec} yet"
    return ""


def print_published(logs: Sequence[Log]) -> None:
    """Published, ours, and the difference, row by row."""
    print("WebKB, category student: precision and F1 at recall .1, .5, 1 (AP table 3)\n")
    print(f"{'':24}" + "".join(f"{name.replace('precision', 'P').replace('_', '@'):>9}" for name in COLUMNS))
    for name, (spec, published) in STUDENT.items():
        print(f"{name:14}published " + "".join(f"{value:9.2f}" for value in published))
        if why := missing(spec):
            print(f"{'':14}ours       {why}")
            continue
        ours = [mean(log["metrics"][column] for log in logs if log["strategy"] == spec) for column in COLUMNS]
        print(f"{'':14}ours      " + "".join(f"{value:9.2f}" for value in ours))
        differences = [value - theirs for value, theirs in zip(ours, published, strict=True)]
        print(f"{'':14}difference" + "".join(f"{value:+9.2f}" for value in differences))
    print(
        "\nRecall is relative to what can be reached from the department page; AP give neither the number of"
        "\npages their webs had nor which links they kept, so a difference that all rows share is the web's."
    )


def claims(students: Sequence[Log], topics: Sequence[Log]) -> Iterator[Claim]:
    """The claims of the literature, each with the way to check it here."""
    yield Claim(
        "focused better than breadth-first in 25 of 30 crawls of 400 pages, never clearly worse",
        "GT 5.5",
        lambda: focused_is_better(topics),
    )
    yield Claim(
        "page + anchor > anchor only > page only > breadth-first", "BT 4.4", lambda: in_order(topics, ORDER)
    )
    yield Claim(
        "different strategies fetch different pages: overlap about 10 %", "GD 9.5", lambda: overlap(topics)
    )
    yield Claim(
        "PageRank and backlinks no better than breadth-first", "AP table 3", lambda: no_better(students)
    )
    yield Claim("HCLA best at high recall on WebKB", "AP table 3", lambda: best_at_full_recall(students))
    for text, source, needs in (
        ("the product of all three link features is best", "GT 5.2.3", ("link-score",)),
        ("WordNet path similarity does not help; synonyms help marginally", "BT 4.5", ("semantic",)),
        ("hybrid HMM + anchor > hybrid HMM > HMM", "BT 4.6", ("hmm",)),
        ("SVM+SM > learning anchor > SVM best-first > context graph > history path", "GD 10.4", ("svm",)),
        ("string matching alone is above SVM best-first", "GD 10.3", ("string-matching", "svm")),
        ("second topic: SVM+SM only with a good vocabulary", "GD 11", ("svm", "string-matching")),
    ):
        yield Claim(text, source, lambda needs=needs: not_yet(needs))  # type: ignore[misc]


def focused_is_better(logs: Sequence[Log]) -> Finding:
    ratios: list[float] = []
    better = worse = 0
    for setting in SETTINGS:
        ours, blind = (found_after(logs, name, setting, GT_PAGES) for name in ("best-first", "breadth-first"))
        better += sum(ours[topic] > blind[topic] for topic in ours)
        worse += sum(ours[topic] < blind[topic] for topic in ours)
        ratios += [ours[topic] / blind[topic] for topic in ours if blind[topic]]
    clearly = sum(ratio <= GT_WORSE for ratio in ratios)
    of = len([log for log in logs if log["strategy"] == "best-first"])
    detail = (
        f"best-first finds more in {better} of {of} crawls of {GT_PAGES} pages, fewer in {worse}; "
        f"{sum(ratio >= 2 for ratio in ratios)} times twice as many or more, "
        f"{clearly} times clearly worse (tolerance: better in {GT_SHARE:.0%} or more, "
        f"never {GT_WORSE:.0%} of what breadth-first finds or less)"
    )
    return Finding(holds(better / of >= GT_SHARE and not clearly), detail)


def in_order(logs: Sequence[Log], order: Sequence[str]) -> Finding:
    parts, right = [], True
    for setting in SETTINGS:
        values = efficiencies(logs, setting)
        means = {name: mean(values[name].values()) for name in order}
        right = right and all(means[one] > means[other] for one, other in pairwise(order))
        steps = []
        for one, other in pairwise(order):
            pair = paired(
                *([values[name][topic] for topic in sorted(values[order[0]])] for name in (one, other))
            )
            steps.append(f"{pair.wins}:{pair.losses} (p {pair.p:.2g})")
        figures = ", ".join(f"{name} {means[name]:.3f}" for name in order)
        parts.append(f"{setting}: {figures}; wins:losses of each over the next {', '.join(steps)}")
    parts.append("tolerance: none, the means must be in this order")
    return Finding(holds(right), "\n    ".join(parts))


def overlap(logs: Sequence[Log]) -> Finding:
    names_ = (*ORDER, "random")
    shares = []
    for setting in SETTINGS:
        for topic in sorted({log["topic"] for log in logs}):
            crawls = [
                set(log["fetched"])
                for name in names_
                for log in logs
                if (log["strategy"], log["setting"], log["topic"]) == (name, setting, topic)
            ]
            matrix = overlap_matrix(crawls)
            shares += [matrix[i, j] for i in range(len(crawls)) for j in range(i)]
    share = mean(shares)
    detail = f"{share:.0%} of the pages of two strategies are the same; a crawl here sees a fifth of a web of 5,232 "
    detail += f"(tolerance: {GD_OVERLAP:.0%} or less)"
    return Finding(holds(share <= GD_OVERLAP), detail)


def no_better(logs: Sequence[Log]) -> Finding:
    if why := missing("pagerank") or missing("backlink"):
        return Finding("cannot be checked yet", why)
    means = mean_precisions(logs)
    rivals = ("pagerank", "backlink")
    detail = (
        ", ".join(f"{name} {means[name]:.3f}" for name in (*rivals, "breadth-first")) + " (tolerance: none)"
    )
    return Finding(holds(max(means[name] for name in rivals) <= means["breadth-first"]), detail)


def best_at_full_recall(logs: Sequence[Log]) -> Finding:
    if why := missing("hcla"):
        return Finding("cannot be checked yet", why)
    there = [spec for spec, _ in STUDENT.values() if not missing(spec)]
    means = {
        name: mean(log["metrics"]["precision_100"] for log in logs if log["strategy"] == name)
        for name in there
    }
    detail = ", ".join(f"{name} {value:.3f}" for name, value in means.items()) + " (tolerance: none)"
    return Finding(holds(means["hcla"] == max(means.values())), detail)


def not_yet(needs: Sequence[str]) -> Finding:
    known = {**names(STRATEGIES, "strategies"), **names(JUDGES, "judges")}
    absent = [name for name in needs if name not in known]
    if absent:
        return Finding("cannot be checked yet", f"there is no {' and no '.join(absent)}")
    return Finding("cannot be checked yet", f"{' and '.join(needs)} are there; this script does not run them")


def found_after(logs: Sequence[Log], strategy: str, setting: str, pages: int) -> dict[str, int]:
    return {
        log["topic"]: sum(hit <= pages for hit in log["hits"])
        for log in logs
        if (log["strategy"], log["setting"]) == (strategy, setting)
    }


def efficiencies(logs: Sequence[Log], setting: str) -> Values:
    values: Values = {}
    for log in logs:
        if log["setting"] == setting:
            values.setdefault(log["strategy"], {})[log["topic"]] = log["metrics"]["efficiency"]
    return values


def mean_precisions(logs: Sequence[Log]) -> dict[str, float]:
    return {
        name: mean(log["metrics"]["mean_precision"] for log in logs if log["strategy"] == name)
        for name in {log["strategy"] for log in logs}
    }


def holds(true: bool) -> str:
    return "holds" if true else "does not hold here"


def mean(values: Any) -> float:
    known = list(values)
    return math.fsum(known) / len(known) if known else math.nan


if __name__ == "__main__":
    sys.exit(main())
